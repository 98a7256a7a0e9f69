"""A real server and a real browser. The page has to be built (`make page`); without Chromium, tests skip."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect, sync_playwright

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "kibitz" / "server" / "page"
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PHONE = ViewportSize(width=360, height=740)
DESKTOP = ViewportSize(width=1280, height=800)
PATIENCE = 30_000  # milliseconds: a busy machine is slow, not wrong

expect.set_options(timeout=PATIENCE)


class Visit(Protocol):
    """Open the page as somebody new: a browser of its own, in English unless told otherwise."""

    def __call__(self, path: str = "/", **context: Any) -> Page: ...


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with a data folder of its own; the tiny game is there, too."""
    if not (PAGE / "index.html").exists():
        pytest.fail("The page isn't built. Build it: make page")
    data = tmp_path_factory.mktemp("server")
    command = [sys.executable, "-m", "tests.web.server_with_tiny", str(data)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        process.terminate()


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Not for the whole session: as long as it lives, no other test of this process can run an event loop."""
    executable = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if executable is None:
        pytest.skip(
            "There is no Chromium to look at the page with. Debian, Ubuntu: sudo apt install chromium"
        )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visit(browser: Browser, server: str) -> Iterator[Visit]:
    """A function that opens the page; at the end, no page may have raised or logged an error."""
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def open_page(path: str = "/", **context: Any) -> Page:
        settings = {"base_url": server, "locale": "en-US", "viewport": DESKTOP, **context}
        contexts.append(browser.new_context(**settings))
        page = contexts[-1].new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture
def page(visit: Visit) -> Page:
    """The home page, on a desktop."""
    return visit()


def play_against(page: Page, level: str = "Easy", game: str = "kaching", pace: str = "fast") -> None:
    """Open a table against a bot, without the guided tour."""
    page.goto(f"/new/{game}")
    page.evaluate(
        "game => localStorage.setItem('kibitz.settings', JSON.stringify("
        "{...JSON.parse(localStorage.getItem('kibitz.settings')), guided: [game]}))",
        game,
    )
    page.reload()
    page.locator("summary").click()
    page.locator("#pace").select_option(pace)
    page.get_by_role("button", name=level).first.click()
    page.locator(".stage").wait_for()


def invite(page: Page, game: str = "kaching") -> str:
    """Open a table with an open seat; its path."""
    page.goto(f"/new/{game}")
    page.get_by_role("button", name="A friend").click()
    page.get_by_role("heading", name="At the table").wait_for()
    path: str = page.evaluate("location.pathname")
    return path
