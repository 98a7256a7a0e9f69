"""Guests who sit down at a table: what the tests of the game tables share."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, ViewportSize
from websockets.sync.client import connect

import kibitz
from tests.web.conftest import DESKTOP, PHONE, ROOT, Visit

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
PATIENCE = 120  # seconds: a game may have to be compiled first
SIZES = pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])


class Guest:
    """Somebody who visits the server, with a token of their own."""

    def __init__(self, server: str, visit: Visit) -> None:
        self.server = server
        self.visit = visit
        self.token: str = self.tell("hello", "welcome", protocol=1)["token"]

    def create(self, *seats: str, game: str, **options: Any) -> str:
        """Open a table; returns its name."""
        fields = {"id": "create", "game": game, "seats": seats, "options": options, "pace": "fast"}
        table: str = self.tell("create", "done", **fields)["table"]
        return table

    def look(self, table: str) -> dict[str, Any]:
        """The table as the server shows it to this guest."""
        return self.tell("watch", "table", table=table)

    def sit(
        self, table: str, size: ViewportSize = DESKTOP, language: str = "en", theme: str = "light"
    ) -> Page:
        """Go to the table in a browser window of one's own."""
        page = self.enter(f"/t/{table}", size, language, theme)
        page.locator(".table").wait_for()
        return page

    def enter(
        self, path: str, size: ViewportSize = DESKTOP, language: str = "en", theme: str = "light"
    ) -> Page:
        """Open the page as this guest, who has seen the guided tours."""
        settings = {
            "language": language,
            "theme": theme,
            "sound": False,
            "guided": [*kibitz.games(), "tiny", "plain"],
        }
        kept = {"kibitz.token": self.token, "kibitz.settings": settings}
        storage = [{"name": name, "value": json.dumps(value)} for name, value in kept.items()]
        return self.visit(
            path,
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
                socket.send(json.dumps({"type": "hello", "protocol": 1, "token": self.token}))
            socket.send(json.dumps({"type": type, **fields}))
            while True:
                heard: dict[str, Any] = json.loads(socket.recv(timeout=PATIENCE))
                assert heard["type"] not in ("refused", "failed"), heard
                if heard["type"] == answer:
                    return heard


@pytest.fixture
def guest(server: str, visit: Visit) -> Guest:
    """A new guest."""
    return Guest(server, visit)


def my_turn(page: Page) -> bool:
    """Wait until I am asked; false once the game is over."""
    page.wait_for_selector(".status.mine, #result", timeout=1000 * PATIENCE)
    return page.locator("#result").count() == 0


def is_over(page: Page) -> Locator:
    """The heading of the result."""
    return page.locator("#result")


def has_focus(page: Page) -> bool:
    """Whether something has the focus."""
    return page.locator("*:focus").count() > 0


def axe(page: Page) -> list[str]:
    """What axe-core finds wrong, a line each."""
    page.evaluate(Path(AXE).read_text("utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{violation['id']}: {node['html'][:200]} {node['failureSummary']}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]


def drag(page: Page, start: Locator, end: Locator) -> None:
    (x1, y1), (x2, y2) = middle(start), middle(end)
    page.mouse.move(x1, y1)
    page.mouse.down()
    page.mouse.move((x1 + x2) / 2, (y1 + y2) / 2, steps=4)
    page.mouse.move(x2, y2, steps=4)
    page.mouse.up()


def middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def tab_to(page: Page, selector: str) -> None:
    """Tab onwards, round the page, until one of these has the focus."""
    for _ in range(60):
        if is_focused(page, selector):
            return
        press(page, "Tab")
    raise AssertionError(f"Tab doesn't reach {selector}")


def is_focused(page: Page, selector: str) -> bool:
    return page.locator(selector).and_(page.locator(":focus")).count() > 0
