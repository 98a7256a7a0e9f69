"""A real server and a real browser. The page has to be built (`make page`); without Chromium, tests skip."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from tests.web.browsing import DESKTOP, PATIENCE, ROOT, Guest, Visit

PAGE = ROOT / "kibitz" / "server" / "page"
# The one without windows takes half the processor time.
CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the server keeps its tables."""
    return tmp_path_factory.mktemp("server")


@pytest.fixture(scope="session")
def server(data: Path) -> Iterator[str]:
    """The address of a server; the tiny game is there, too."""
    if not (PAGE / "index.html").exists():
        pytest.fail("The page isn't built. Build it: make page")
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
            "There is no Chromium to look at the page with. Debian: sudo apt install chromium-headless-shell"
        )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        yield browser
        browser.close()


# What pages lack that aren't served securely: at home, by the address of a machine in the network
AT_HOME = """
    delete Crypto.prototype.randomUUID;
    const missing = { value: undefined };
    Object.defineProperties(Navigator.prototype, { clipboard: missing, share: missing });
"""


def is_error(line: ConsoleMessage) -> bool:
    """The browser's own note that a score sheet or a secret was refused is none."""
    return line.type == "error" and not any(f"status of {status}" in line.text for status in (400, 401))


@pytest.fixture
def visit(browser: Browser, server: str) -> Iterator[Visit]:
    """A function that opens the page; at the end, no page may have raised or logged an error."""
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def open_page(path: str = "/", prepare: Callable[[Page], None] | None = None, **context: Any) -> Page:
        settings = {"base_url": server, "locale": "en-US", "viewport": DESKTOP, **context}
        contexts.append(browser.new_context(**settings))
        page = contexts[-1].new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda line: errors.append(line.text) if is_error(line) else None)
        page.add_init_script(AT_HOME)
        if prepare:
            prepare(page)
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


@pytest.fixture
def guest(server: str, visit: Visit) -> Guest:
    """Somebody new, who can go to tables at once."""
    return Guest(server, visit)
