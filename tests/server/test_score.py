"""Scores of games with real cards: stateless, by the game's own calculator."""

import socket
from typing import Any

import msgspec
import pytest

import kibitz
from kibitz.games.cash.sheets import score_sheet
from tests.server.client import fetch
from tests.server.conftest import Start
from tests.server.serving import Server, in_loop

PATH = "/api/games/cash/score"
ROUND: dict[str, Any] = {
    "players": [{"tabled": {"cash-150": 1}, "taxman": 1}, {"hand": {"cash-25": 1}, "crash": 2}],
    "tax": "transfer",
}


@pytest.fixture
def server(start: Start) -> Server:
    """A server with the game that has a calculator, and one that has none."""
    return start(games=["cash", "tiny"])


async def score(server: Server, sheet: Any, **headers: str) -> tuple[int, dict[str, Any]]:
    content = sheet if isinstance(sheet, bytes) else msgspec.json.encode(sheet)
    status, _, answer = await fetch(server.port, PATH, content, headers)
    return status, msgspec.json.decode(answer)


@in_loop
async def test_rounds_are_scored_by_the_games_own_code(server: Server) -> None:
    status, answer = await score(server, {"rounds": [ROUND, ROUND], "target": 250_000})
    assert status == 200
    players = score_sheet(ROUND)["players"]
    assert [one["players"] for one in answer["rounds"]] == [players, players]
    totals = [2 * player["total"] for player in players]
    assert answer["rounds"][-1]["totals"] == totals
    assert answer["winners"] == [0]


@in_loop
async def test_the_games_tell_which_have_a_calculator(server: Server) -> None:
    _, _, content = await fetch(server.port, "/api/games")
    assert {game["name"]: game["calculator"] for game in msgspec.json.decode(content)} == {
        "cash": True,
        "tiny": False,
    }


@pytest.mark.parametrize("game", ["tiny", "kaching", "chess"])
def test_a_game_without_a_calculator_has_no_such_address(server: Server, game: str) -> None:
    @in_loop
    async def ask() -> None:
        assert (await fetch(server.port, f"/api/games/{game}/score", b"{}"))[0] == 404

    ask()


@in_loop
async def test_it_is_asked_by_post(server: Server) -> None:
    assert (await fetch(server.port, PATH))[0] == 404


@in_loop
async def test_a_sheet_that_cannot_be_is_refused_with_its_place(server: Server) -> None:
    bad = {"players": [{"tabled": {"cash-5": 6}}, {"hand": {"cash-5": -6}}]}
    status, answer = await score(server, {"rounds": [ROUND, bad]})
    assert status == 400
    assert answer["code"] == "sheet-count"
    assert answer["key"] == "rounds[1].players[1].hand.cash-5"
    assert answer["data"] == {"where": answer["key"], "card": "cash-5", "most": 216, "got": "-6"}
    words = kibitz.game("cash").words("en")
    assert answer["reason"] == words("refusal.sheet-count", **answer["data"])


@in_loop
async def test_more_cards_than_our_box_has_are_a_warning_beside_the_round(server: Server) -> None:
    rich = {"players": [{"tabled": {"cash-5": 6}}, {"hand": {"cash-5": 6}}]}
    status, answer = await score(server, {"rounds": [ROUND, rich]})
    assert (status, answer["rounds"][0]["warnings"]) == (200, [])
    (warning,) = answer["rounds"][1]["warnings"]
    place = "rounds[1].players[1].hand.cash-5"
    assert warning["data"] == {"where": place, "card": "cash-5", "most": 10, "got": 12}
    assert (warning["code"], warning["key"]) == ("sheet-too-many", place)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[" * 60_000,
        b"\xff",
        b"null",
        b"[]",
        b"{}",
        b'{"gold": 1}',
        b'{"rounds": 1}',
        b'{"rounds": []}',
        b'{"rounds": [{}]}',
        b'{"rounds": [null]}',
        b'{"rounds": [{"players": [{}, {}]}], "target": 0}',
        b'{"rounds": [{"players": [{"crash": 99999999999999999999999}, {}]}]}',
    ],
    ids=lambda content: repr(content[:60]),
)
def test_nonsense_is_refused(server: Server, content: bytes) -> None:
    @in_loop
    async def ask() -> None:
        status, answer = await score(server, content)
        assert status == 400
        assert set(answer) == {"code", "key", "data", "reason"}

    ask()


@in_loop
async def test_a_sheet_that_is_too_large_is_not_read(server: Server) -> None:
    status, answer = await score(server, b" " * ((1 << 16) + 1))
    assert (status, answer["code"]) == (413, "too-large")


@in_loop
async def test_who_leaves_while_sending_leaves_no_complaint(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port)) as leaving:
        head = f"POST {PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{{"
        leaving.sendall(head.encode())
    assert (await score(server, {"rounds": [ROUND]}))[0] == 200


@in_loop
async def test_pages_from_elsewhere_are_turned_away(server: Server) -> None:
    sheet = {"rounds": [ROUND]}
    assert (await score(server, sheet, Origin=f"http://127.0.0.1:{server.port}"))[0] == 200
    status, answer = await score(server, sheet, Origin="https://evil.example")
    assert (status, answer["code"]) == (403, "other-origin")


@in_loop
async def test_an_address_asks_only_so_often(start: Start) -> None:
    server = start(games=["cash"], limits={"sheets": 2})
    away = {"X-Forwarded-For": "192.0.2.7"}
    content = msgspec.json.encode({"rounds": [ROUND]})
    answers = [await fetch(server.port, PATH, content, away) for _ in range(3)]
    assert [status for status, _, _ in answers] == [200, 200, 429]
    assert 1 <= int(answers[2][1]["retry-after"]) <= 60
    assert msgspec.json.decode(answers[2][2])["code"] == "slow-down"
    assert (await score(server, {"rounds": [ROUND]}))[0] == 200, "others aren't held up"
