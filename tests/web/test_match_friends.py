"""MATCH! among people: three browsers and a bot at one table, and a bot that plays on for who has left."""

import subprocess
import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.web.browsing import ROOT, Guest, Visit, whose_turn
from tests.web.test_match_table import act

ABSENT = 1.0  # seconds after which a seat may be given to a bot
SERVE = """
import sys
from pathlib import Path
from kibitz.server.tables import commands
from tests.web import server_with_tiny
commands.ABSENT_SECONDS = float(sys.argv[2])
server_with_tiny.run(Path(sys.argv[1]))
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that is less patient with who is absent."""
    command = [sys.executable, "-c", SERVE, str(tmp_path_factory.mktemp("server")), str(ABSENT)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        process.terminate()


@pytest.fixture
def guests(server: str, visit: Visit) -> list[Guest]:
    return [Guest(server, visit) for _ in range(3)]


def test_three_people_and_a_bot_play_and_a_bot_plays_on_for_who_leaves(guests: list[Guest]) -> None:
    table = guests[0].create("me", "open", "open", "easy", game="match", starter=0, target=500)
    pages = [guests[0].enter(f"/t/{table}")]
    for guest in guests[1:]:
        pages.append(guest.enter(f"/t/{table}"))
        pages[-1].get_by_role("button", name="Sit here").first.click()
    for page in pages:
        page.locator(".table").wait_for()
        expect(page.locator(".rival")).to_have_count(3)
    for _ in range(4):
        act(whose_turn(pages))

    first, second, leaver = pages
    leaver.context.close()
    away = first.locator("li.away")
    expect(away).to_be_visible()
    first.clock.install()
    first.clock.fast_forward(61_000)  # the page offers it after a minute
    first.get_by_role("button", name="Let a bot play on").click()
    expect(away).to_have_count(0)
    for _ in range(4):
        act(whose_turn([first, second]))
