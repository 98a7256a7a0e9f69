"""How much the page loads, and how soon a click is seen to have moved, in a real browser."""

import random
import shutil
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from bench.frames import CLICKED, MOVED, milliseconds, recorded
from bench.measure import CORES, Measurement, Progress, Row, Skipped, using
from bench.serving import ROOT, Server, kibitz_server
from kibitz.server.protocol import PROTOCOL

COMPILED: tuple[str, ...] = ()  # beforehand: the server does it
PAGE = ROOT / "kibitz" / "server" / "page" / "index.html"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
WIDTH, HEIGHT = 1280, 800
CLICKS_A_ROUND = 5
LEAST_CLICKS = 20
PATIENCE = 30_000.0  # milliseconds for anything in the browser
MOST_KILOBYTES, MOST_MILLISECONDS = 110, 50
SIZE_METHOD = (
    "Everything that the browser asks for when it first opens the home page and then a table of Ka-Ching!: "
    "page, scripts, styles, pictures, words; without the positions on the games' cards, which come when "
    "they are looked at and bring those games' tables. Counted are the bytes of the answers' contents as the "
    "server sends them, in the compressed form that Chromium asks for; beside them what they "
    "hold when unpacked."
)
CLICK_METHOD = (
    "From a click on a column or a sale to the first frame that shows the move, which the page does when the "
    "server has acknowledged it: from the event's own time, when the mouse's button is let go, to the "
    "presentation of the first frame painted after the cards have moved in the document. Both are read from "
    "Chromium's own record of marks and frames. As by hand, the pointer is on the card before, the button is "
    "held for some 90 ms, and the motion of the last move has ended. Chromium without a screen or a graphics "
    "processor, on all cores; the server is on the same machine."
)
HELD = (70.0, 110.0)  # milliseconds of a press, at random: not always at the same time of a frame

# Opens a table against a bot as the page's own guest; returns its name.
OPEN_TABLE = """
() => new Promise((resolve, reject) => {
  const token = JSON.parse(localStorage.getItem("kibitz.token"));
  const socket = new WebSocket(`ws://${location.host}/ws`);
  const say = (message) => socket.send(JSON.stringify(message));
  socket.onopen = () => say({ type: "hello", protocol: PROTOCOL, token });
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.type === "welcome") {
      say({ type: "create", id: crypto.randomUUID(), game: "kaching", seats: ["me", "easy"], pace: "fast" });
    } else if (message.type === "done") {
      socket.close();
      resolve(message.table);
    } else if (["refused", "failed"].includes(message.type)) {
      reject(new Error(message.reason));
    }
  };
})
"""

# Follows a link within the page.
GO_TO = """
(path) => {
  history.pushState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
}
"""

# Mine to move, or over; and nothing moves any more.
DECIDED = "document.querySelector('.status.mine') || !document.querySelector('.status')"
STILL = "document.getAnimations().length === 0"

# What can be clicked to move: a card that can be bought, a sale; or only passing.
CHOICES = ".stage [data-place^='column'][aria-disabled='false'] .free, .stage [data-row='sales']"
PASS = ".stage [data-place='pass']"

# Marks the next click, and when its move is in the document; keeps in `shown` when the motion has ended.
WATCH = """
([clickedMark, movedMark]) => {
  const MOTION = 300;
  const around = (card) => card.parentElement.closest("[data-place]")?.dataset.place;
  const place = (card) => `${card.dataset.place} in ${around(card)}`;
  const places = () => Array.from(document.querySelectorAll(".stage [data-moves]"), place).join();
  const before = places();
  let clicked = false;
  const note = ({ timeStamp }) => {
    clicked = true;
    performance.mark(clickedMark, { startTime: timeStamp });
  };
  addEventListener("click", note, { capture: true, once: true });
  window.shown = new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error("nothing moved")), PATIENCE);
    const observer = new MutationObserver(() => {
      if (!clicked || places() === before) return;
      observer.disconnect();
      performance.mark(movedMark);
      setTimeout(resolve, MOTION);
    });
    observer.observe(document.querySelector(".stage"), { subtree: true, childList: true });
  });
}
"""


def measure(rounds: int, progress: Progress) -> tuple[Measurement, ...]:
    """The kilobytes of a first load, and the milliseconds from clicks to frames."""
    if not PAGE.exists():
        raise Skipped("the page isn't built")
    clicks = max(LEAST_CLICKS, rounds * CLICKS_A_ROUND)
    with (
        tempfile.TemporaryDirectory() as folder,
        kibitz_server(Path(folder) / "kibitz", "kaching") as server,
        opened(server) as page,
    ):
        loaded = Loaded(page)
        first_load(page, server)
        sizes = loaded.sizes()
        progress(0.1)
        with recorded(page) as events:
            for done in range(clicks):
                click(page)
                progress(0.1 + 0.9 * (done + 1) / clicks)
        times = milliseconds(events)
    return (
        Measurement("page_size", "First load of the page: home and a table", "kB", sizes, SIZE_METHOD),
        Measurement(
            "page_click", "From a click to the frame with the move", "ms", waits(times), CLICK_METHOD
        ),
    )


def waits(times: list[float]) -> tuple[Row, ...]:
    """The times, and the longest of them."""
    late = statistics.quantiles(times, n=20, method="inclusive")[-1]
    return (
        Row("median", tuple(times), most=MOST_MILLISECONDS),
        Row("95 %", (late,), ours=False),
    )


# The browser


@contextmanager
def opened(server: Server) -> Iterator[Any]:
    """A page of the system's Chromium."""
    browser_path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser_path is None:
        raise Skipped("there is no Chromium here")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise Skipped("Playwright isn't installed") from None
    with ExitStack() as stack:
        with using(CORES):  # the driver, and the browser that it starts
            playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=browser_path, args=FLAGS)
        try:
            context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, bypass_csp=True)
            context.set_default_timeout(PATIENCE)
            yield context.new_page()
        finally:
            browser.close()


class Loaded:
    """Every answer that a page gets."""

    def __init__(self, page: Any) -> None:
        self._answers: dict[str, Any] = {}
        page.on("response", lambda answer: self._answers.setdefault(answer.url, answer))

    def sizes(self) -> tuple[Row, ...]:
        """In kilobytes, as they came and unpacked."""
        answers = [answer for answer in self._answers.values() if answer.status == 200]
        sent = sum(answer.request.sizes()["responseBodySize"] for answer in answers)
        unpacked = sum(len(answer.body()) for answer in answers)
        return (
            Row(f"as the server sends them ({len(answers)} files)", (sent / 1000,), most=MOST_KILOBYTES),
            Row("unpacked", (unpacked / 1000,), ours=False),
        )


def first_load(page: Any, server: Server) -> None:
    """The home page, then a table."""
    page.route("**/position.json", lambda route: route.fulfill(status=204))
    page.goto(f"http://127.0.0.1:{server.port}/", wait_until="networkidle")
    page.wait_for_function("localStorage.getItem('kibitz.token')")
    go_to_new_table(page)
    page.wait_for_load_state("networkidle")


def go_to_new_table(page: Any) -> None:
    """A table of one's own, with the cards dealt."""
    table = page.evaluate(OPEN_TABLE.replace("PROTOCOL", str(PROTOCOL)))
    page.evaluate(GO_TO, f"/t/{table}")
    page.wait_for_selector(".status")  # a table whose game is over has none
    page.wait_for_selector(".stage [data-moves]")


def click(page: Any) -> None:
    """Make a move, and wait until it has been shown; a new game follows when one is over."""
    while not (choices := my_choices(page)):
        go_to_new_table(page)
    page.evaluate(WATCH.replace("PATIENCE", str(PATIENCE)), [CLICKED, MOVED])
    random.choice(choices).click(delay=random.uniform(*HELD))
    page.evaluate("window.shown")


def my_choices(page: Any) -> list[Any]:
    """What I can click when it is my turn; nothing when the game is over. Where I can only pass, I do."""
    while True:
        page.wait_for_function(f"({DECIDED}) && {STILL}")
        if page.query_selector(PASS):
            page.click(PASS)
            page.wait_for_function(f"!document.querySelector({PASS!r})")
        else:
            return list(page.query_selector_all(CHOICES))
