"""What people do with the page: visit it, open a table, sit down, take their turn, look at what is there."""

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Protocol

import pytest
from playwright.sync_api import FloatRect, Locator, Page, ViewportSize, WebSocketRoute, expect
from websockets.sync.client import connect

import kibitz
from kibitz.core.state import State
from kibitz.server.protocol import PROTOCOL

ROOT = Path(__file__).parent.parent.parent
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
PHONE = ViewportSize(width=360, height=740)
DESKTOP = ViewportSize(width=1280, height=800)
SIZES = pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
FINGER = 44  # pixels: smaller things are hard to touch
PATIENCE = 60  # seconds: a busy machine is slow, not wrong

expect.set_options(timeout=1000 * PATIENCE)

SETTLE = """async () => {
    await new Promise(requestAnimationFrame);
    await Promise.allSettled(document.getAnimations().map(each => each.finished));
    await new Promise(requestAnimationFrame);
}"""
RUN_AXE = """async () => (await axe.run(document, {resultTypes: ["violations"]})).violations.map(
    ({id, nodes}) => `${id}: ` + nodes.map(node => `${node.html} ${node.failureSummary}`).join("; "))"""
KINDS_OF_WORDS = "table|card|kind|suit|colour|effect|forecast|log|phase|why|reason"


def looks(desktop: str, phone: str) -> pytest.MarkDecorator:
    """Once on a desktop and once on a phone, each in a theme."""
    given = [(DESKTOP, desktop), (PHONE, phone)]
    return pytest.mark.parametrize(("size", "theme"), given, ids=["desktop", "phone"])


class Visit(Protocol):
    """Open the page as somebody new: a browser of its own, in English unless told otherwise."""

    def __call__(
        self, path: str = "/", prepare: Callable[[Page], None] | None = None, **context: Any
    ) -> Page: ...


class Guest:
    """Somebody who visits the server, with a token of their own."""

    def __init__(self, server: str, visit: Visit) -> None:
        self.server = server
        self.visit = visit
        self.token: str = self.tell("hello", "welcome", protocol=PROTOCOL)["token"]
        self._created = count()

    def another(self) -> "Guest":
        """Somebody else, who visits the same server."""
        return Guest(self.server, self.visit)

    def create(
        self, *seats: str, game: str, whole: bool = False, clock: dict[str, Any] | None = None, **options: Any
    ) -> str:
        """Open a table; returns its name. What is dealt follows from the test's name."""
        told = f"{os.environ['PYTEST_CURRENT_TEST']} {next(self._created)}"
        id = hashlib.sha256(told.encode()).hexdigest()[:16]
        fields: dict[str, Any] = {
            "id": id,
            "game": game,
            "seats": seats,
            "options": options,
            "pace": "fast",
            "start": "full",
        }
        fields["clock"] = clock
        table: str = self.tell("create", "done", whole=whole, **fields)["table"]
        return table

    def look(self, table: str) -> dict[str, Any]:
        """The table as the server shows it to this guest."""
        return self.tell("watch", "table", table=table)

    def take_seat(self, table: str) -> None:
        """Take an open seat, not looking at the page yet."""
        self.tell("sit", "done", id="sit", table=table)

    def sit(
        self,
        table: str,
        size: ViewportSize = DESKTOP,
        language: str = "en",
        theme: str = "light",
        at: State | None = None,
    ) -> Page:
        """Go to the table in a browser window of one's own; `at`: it shows this state to seat 0."""
        page = self.enter(f"/t/{table}", size, language, theme, None if at is None else showing(at))
        page.locator(".table").wait_for()
        return page

    def enter(
        self,
        path: str,
        size: ViewportSize = DESKTOP,
        language: str = "en",
        theme: str = "light",
        prepare: Callable[[Page], None] | None = None,
    ) -> Page:
        """Open the page as this guest."""
        settings = {"language": language, "theme": theme, "sound": False, "pace": "instant"}
        kept = {"kibitz.token": self.token, "kibitz.settings": settings}
        storage = [{"name": name, "value": json.dumps(value)} for name, value in kept.items()]
        return self.visit(
            path,
            prepare,
            viewport=size,
            is_mobile=size == PHONE,
            has_touch=size == PHONE,
            reduced_motion="reduce",
            storage_state={"cookies": [], "origins": [{"origin": self.server, "localStorage": storage}]},
        )

    def tell(self, type: str, answer: str, **fields: Any) -> dict[str, Any]:
        """Send a message, after a hello, and return the answer."""
        with connect(f"{self.server.replace('http', 'ws')}/ws", compression=None) as socket:
            if type != "hello":
                socket.send(json.dumps({"type": "hello", "protocol": PROTOCOL, "token": self.token}))
            socket.send(json.dumps({"type": type, **fields}))
            while True:
                heard: dict[str, Any] = json.loads(socket.recv(timeout=PATIENCE))
                assert heard["type"] not in ("refused", "failed"), heard
                if heard["type"] == answer:
                    return heard


def reached(game: str, players: int, wanted: Callable[[State], bool], **options: Any) -> State:
    """A state that a game of chance moves comes to."""
    for seed in range(100):
        chance = Random(seed)
        state = kibitz.game(game).deal(players=players, seed=seed, **options)
        while not state.over:
            if wanted(state):
                return state
            state.play(chance.choice(state.legal_moves))
    raise AssertionError("it never came")


def showing(state: State) -> Callable[[Page], None]:
    """Whatever happens at the table, it looks like this to seat 0."""
    shown = {
        "view": state.view(0),
        "legal": [str(move) for move in state.legal_moves] if state.turn == 0 else [],
        "figures": state.figures(0),
    }

    def change(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def tell(heard: str | bytes) -> None:
            message = json.loads(heard)
            route.send(json.dumps(message | shown if message["type"] == "table" else message))

        server.on_message(tell)

    return lambda page: page.route_web_socket("**/ws", change)


def needs_no_scrolling(page: Page) -> bool:
    """Neither the page nor the table is larger than its place."""
    return needs_no_scrolling_sideways(page) and fits(page, "each.scrollHeight <= each.clientHeight")


def needs_no_scrolling_sideways(page: Page) -> bool:
    return fits(page, "each.scrollWidth <= each.clientWidth")


def fits(page: Page, condition: str) -> bool:
    holds: bool = page.evaluate(
        f"[document.documentElement, document.querySelector('main')].every(each => {condition})"
    )
    return holds


def too_small_to_touch(page: Page) -> list[str]:
    """The table's buttons that are smaller than a finger."""
    return [
        button.inner_text()
        for button in page.locator(".table button").all()
        if min(box(button)["width"], box(button)["height"]) < FINGER
    ]


def unworded(page: Page) -> list[str]:
    """Names of messages that are shown instead of them."""
    return re.findall(rf"\b(?:{KINDS_OF_WORDS})\.[a-z]\S*", page.locator("body").inner_text())


def my_turn(page: Page) -> bool:
    """Wait until I am asked; false once the game is over."""
    page.locator(".status.mine, #result, .go-on").first.wait_for()
    while page.locator(".go-on").count():
        read_on(page)
        page.locator(".status.mine, #result, .go-on").first.wait_for()
    if page.locator("#result").count():
        return False
    drawn(page)
    return True


def read_on(page: Page) -> None:
    """A round has ended: go on."""
    page.locator(".go-on").click()
    page.locator("dialog").wait_for(state="detached")


def my_turns(page: Page, most: int) -> Iterator[int]:
    """Count my turns, each as it comes, until the game is over."""
    for turn in range(most):
        if not my_turn(page):
            return
        yield turn


def whose_turn(pages: list[Page]) -> Page:
    """Wait until one of the people is asked."""
    for _ in range(600):
        for page in pages:
            if page.locator(".go-on").count():
                read_on(page)
            if page.locator(".status.mine").count():
                return page
        pages[0].wait_for_timeout(50)
    raise AssertionError("nobody is asked")


def play_to_the_end(page: Page, act: Callable[[Page], None], most: int) -> None:
    """Act at each of my turns, at most so often, until the game is over."""
    for _ in my_turns(page, most):
        act(page)
    expect(is_over(page)).to_be_visible()


def play_until(page: Page, there: Callable[[], object], act: Callable[[Page], None], most: int) -> None:
    """Act at each of my turns, at most so often, until something is there at one."""
    for _ in range(most):
        assert my_turn(page)
        if there():
            return
        act(page)
    raise AssertionError("it never came")


def drawn(page: Page) -> None:
    """Wait until the game's own table is there, and hears keys: it may come later than what is around it."""
    page.locator(".stage button").first.wait_for(state="attached")


def is_over(page: Page) -> Locator:
    """The heading of the result."""
    return page.locator("#result")


def has_focus(page: Page) -> bool:
    """Whether something has the focus."""
    return page.locator("*:focus").count() > 0


@contextmanager
def move(page: Page) -> Iterator[None]:
    """Do something that moves; at the end, the table shows what came of it, or how the round ended."""
    before = number(page)
    yield
    page.locator(f'.stage:not([data-number="{before}"]), .go-on').first.wait_for(state="attached")


def number(page: Page) -> str:
    """The number of the state that the table shows."""
    return str(page.locator(".stage").get_attribute("data-number"))


def next_frame(page: Page) -> None:
    """Wait until what was just done can be seen."""
    page.evaluate("new Promise(requestAnimationFrame)")


def play_against(page: Page, level: str = "Easy", game: str = "kaching", pace: str = "fast") -> None:
    """Open a table against a bot."""
    page.goto(f"/new/{game}")
    page.locator(".more summary").click()
    page.locator("#pace").select_option(pace)
    page.get_by_role("button", name=level).first.click()
    page.locator(".table").wait_for()


def invite(page: Page, game: str = "kaching") -> str:
    """Open a table with an open seat; its path."""
    page.goto(f"/new/{game}")
    page.get_by_role("button", name="A friend").click()
    page.get_by_role("heading", name="At the table").wait_for()
    path: str = page.evaluate("location.pathname")
    return path


def start(host: Page, *others: Page) -> None:
    """Everybody who sits at a table says to be ready, and the host starts the game."""
    for page in others:
        page.get_by_role("button", name=re.compile("I am ready|Puedo empezar")).click()
    host.get_by_role("button", name="Start the game").click()
    for page in (host, *others):
        drawn(page)


def axe(page: Page) -> list[str]:
    """What axe-core finds wrong, a line each, once everything has come to rest."""
    if not AXE.exists():
        pytest.fail("axe-core isn't installed. Install it: make check")
    page.evaluate(SETTLE)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = page.evaluate(RUN_AXE)
    return found


def drag(page: Page, start: Locator, end: Locator) -> None:
    (x1, y1), (x2, y2) = middle(start), middle(end)
    page.mouse.move(x1, y1)
    page.mouse.down()
    page.mouse.move((x1 + x2) / 2, (y1 + y2) / 2, steps=4)
    page.mouse.move(x2, y2, steps=4)
    page.mouse.up()


def middle(place: Locator) -> tuple[float, float]:
    at = box(place)
    return at["x"] + at["width"] / 2, at["y"] + at["height"] / 2


def box(place: Locator) -> FloatRect:
    """Where it is and how big; it has to be seen."""
    found = place.bounding_box()
    assert found is not None
    return found


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def tab_to(page: Page, selector: str) -> None:
    """Tab onwards, round the page, until one of these has the focus."""
    walk_to(page, selector, ["Tab"] * 60)


def walk_to(page: Page, selector: str, keys: Sequence[str]) -> None:
    """Press the keys one by one, until one of these has the focus."""
    for key in keys:
        if is_focused(page, selector):
            return
        press(page, key)
    expect(focused(page, selector), f"The keys don't lead to {selector}").to_have_count(1)


def is_focused(page: Page, selector: str) -> bool:
    return focused(page, selector).count() > 0


def focused(page: Page, selector: str) -> Locator:
    """The one of these that has the focus."""
    return page.locator(selector).and_(page.locator(":focus"))
