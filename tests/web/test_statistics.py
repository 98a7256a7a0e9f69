"""What somebody did in all games of a kind, drawn on one's own page."""

import json
from typing import Any

import pytest
from playwright.sync_api import ViewportSize, expect
from websockets.sync.client import connect

from kibitz.server.protocol import PROTOCOL
from tests.web.browsing import DESKTOP, PATIENCE, PHONE, Guest, axe, needs_no_scrolling_sideways


def play(guest: Guest) -> list[int]:
    """A game against a bot, always by the first legal move; its scores."""
    table = guest.create("me", "random", game="tiny")
    with connect(f"{guest.server.replace('http', 'ws')}/ws", compression=None) as socket:

        def say(type: str, **fields: Any) -> None:
            socket.send(json.dumps({"type": type, **fields}))

        say("hello", protocol=PROTOCOL, token=guest.token)
        say("watch", table=table)
        while True:
            told = json.loads(socket.recv(timeout=PATIENCE))
            if told.get("legal"):
                number = told["number"]
                say("move", id=f"{table}{number}", table=table, number=number, move=told["legal"][0])
            if told.get("result"):
                scores: list[int] = told["result"]["scores"]
                return scores


@pytest.mark.parametrize(
    ("size", "language", "theme", "you"), [(DESKTOP, "en", "light", "You"), (PHONE, "es", "dark", "Tú")]
)
def test_my_games_are_counted_beside_the_others(
    guest: Guest, size: ViewportSize, language: str, theme: str, you: str
) -> None:
    mine, theirs = play(guest)
    page = guest.enter("/me", size, language, theme)
    page.locator('a[href="/me/tiny"]').click()
    counted = page.locator("table")
    expect(counted.get_by_role("columnheader", name=you)).to_be_visible()
    expect(counted.locator("tbody td:not([aria-hidden])")).to_have_text([str(mine), str(theirs)])
    assert needs_no_scrolling_sideways(page)
    assert axe(page) == []


def test_whoever_has_finished_none_is_told_so(guest: Guest) -> None:
    page = guest.enter("/me/tiny")
    expect(page.get_by_text("No game of this kind has been counted yet.")).to_be_visible()
    assert axe(page) == []
