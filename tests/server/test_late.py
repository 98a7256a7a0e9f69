"""Where a table allows it, those who look on see all hands, but only as they were some moves ago."""

from typing import Any

import pytest

from kibitz.server.protocol import Create
from kibitz.server.tables.lobby import known_late_moves
from kibitz.server.tables.refusals import NotAllowed
from tests.server.client import Client, Message, connected
from tests.server.serving import Server, in_loop

LATE = 2
OPENED = {"game": "tiny", "seats": ["me", "open"], "start": "full"}
SETTINGS = OPENED | {"spectators": "late", "late_moves": LATE}


async def look(client: Client, table: str) -> Message:
    return await client.watch(table)


@in_loop
async def test_all_hands_are_shown_some_moves_late_and_none_sooner(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob, connected(server.port) as eve:
        table = (await ann.do("create", **SETTINGS))["table"]
        await bob.do("sit", table=table)
        hands: list[list[Any]] = []  # all of them, before each move
        while True:
            views = [await look(each, table) for each in (ann, bob)]
            told = await look(eve, table)
            if views[0]["result"] is not None:
                break
            hands.append([view["view"]["hands"][seat] for seat, view in enumerate(views)])
            if len(hands) > LATE:
                assert told["view"]["hands"] == hands[-1 - LATE]
                assert told["number"] < views[0]["number"]
            else:
                assert all(card == "?" for hand in told["view"]["hands"] for card in hand)
            mover = next(i for i, view in enumerate(views) if view["legal"])
            move = {"table": table, "number": views[mover]["number"], "move": views[mover]["legal"][0]}
            await (ann, bob)[mover].do("move", **move)
        assert len(hands) > LATE + 1
        assert told["result"] == views[0]["result"]


@in_loop
async def test_updates_come_late_too_and_what_onlookers_say_at_once(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob, connected(server.port) as eve:
        table = (await ann.do("create", **SETTINGS))["table"]
        await bob.do("sit", table=table)
        await look(eve, table)
        await eve.do("chat", table=table, text="what a game")
        told = await eve.hear("table", table=table)
        assert [line["text"] for line in told["lines"] if line["kind"] == "chat"] == ["what a game"]
        moves = 0
        while moves < LATE + 1:
            views = [await look(each, table) for each in (ann, bob)]
            mover = next(i for i, view in enumerate(views) if view["legal"])
            move = {"table": table, "number": views[mover]["number"], "move": views[mover]["legal"][0]}
            await (ann, bob)[mover].do("move", **move)
            moves += 1
        told = await eve.hear("table", table=table)  # nothing was told of the first two
        lines = [line for line in told["lines"] if line["kind"] == "move"]
        assert len(lines) == 1  # the first of three moves: two are still to come


@in_loop
async def test_all_seats_are_told_and_who_has_sat_there_sees_no_hands(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob, connected(server.port) as cleo:
        settings = SETTINGS | {"seats": ["me", "open", "open"], "late_moves": 1}
        table = (await ann.do("create", **settings))["table"]
        for each in (bob, cleo):
            await each.do("sit", table=table)
        first = (await look(bob, table))["lines"][0]
        assert first["sentences"][0]["key"] == "table.late-hands"
        await cleo.do("stand", table=table)
        for _ in range(2):
            views = [await look(each, table) for each in (ann, bob)]
            mover = next((i for i, view in enumerate(views) if view["legal"]), None)
            if mover is not None:
                move = {"table": table, "number": views[mover]["number"], "move": views[mover]["legal"][0]}
                await (ann, bob)[mover].ask("move", **move)
        shown = (await look(cleo, table))["view"]["hands"]
        assert all(card == "?" for hand in shown for card in hand)


@in_loop
async def test_never_at_rated_tables_and_never_too_soon(server: Server) -> None:
    async with connected(server.port) as ann:
        assert await ann.code("create", **SETTINGS | {"late_moves": 0}) == "bad-late-moves"
    rated = Create(id="a", game="tiny", seats=["me", "open"], spectators="late", rated=True)
    with pytest.raises(NotAllowed, match="rated table"):
        known_late_moves(rated)
