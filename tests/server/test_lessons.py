"""Lessons over plain HTTP: the steps, and the table as the rules play it."""

from typing import Any

import msgspec
import pytest

from kibitz.core.lessons import played, steps_of
from tests.server.client import fetch
from tests.server.conftest import Start
from tests.server.serving import Server, in_loop

LESSON = "/api/games/kaching/lesson"


@pytest.fixture
def server(start: Start) -> Server:
    """A server with a game that has a lesson, and one that has none."""
    return start(games=["kaching", "tiny"])


async def asked(server: Server, path: str) -> tuple[int, Any]:
    status, _, content = await fetch(server.port, path)
    return status, msgspec.json.decode(content)


@in_loop
async def test_a_lesson_has_the_table_before_and_after_every_step(server: Server) -> None:
    _, lesson = await asked(server, f"{LESSON}.es.json")
    moments = lesson["moments"]
    for step, expected in zip(lesson["steps"], played("kaching"), strict=True):
        assert moments[step["first"]]["view"] == expected.moments[0].state.view(0)
        assert moments[step["last"]]["view"] == expected.moments[-1].state.view(0)
        assert step["move"] is None or step["move"] in moments[step["first"]]["legal"]


@in_loop
async def test_a_moments_line_tells_the_move_that_led_to_it(server: Server) -> None:
    _, lesson = await asked(server, f"{LESSON}.en.json")
    lines = [line for moment in lesson["moments"] for line in moment["lines"]]
    told = [line["text"] for line in lines if line["kind"] == "move"]
    assert told == [move for step in steps_of("kaching") for move in filter(None, (step.move, *step.then))]


@in_loop
async def test_a_wrong_move_gets_the_rules_own_refusal(server: Server) -> None:
    _, refusal = await asked(server, f"{LESSON}/2/refusal?move=pass")
    assert (refusal["code"], refusal["rule"]) == ("must-trade", "K3")
    assert (await asked(server, f"{LESSON}/2/refusal?move=buy%203"))[1] is None


@in_loop
async def test_what_there_is_no_lesson_of_has_no_such_address(server: Server) -> None:
    for path in (
        "/api/games/tiny/lesson.en.json",
        "/api/games/tiny/lesson/0/refusal",
        f"{LESSON}.de.json",
        f"{LESSON}/99/refusal",
    ):
        assert (await asked(server, path))[0] == 404, path


@in_loop
async def test_the_games_tell_which_have_a_lesson(server: Server) -> None:
    _, games = await asked(server, "/api/games")
    assert {game["name"]: game["lesson"] for game in games} == {"kaching": True, "tiny": False}
