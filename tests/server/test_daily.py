"""The deal of the day is the same for everybody, is played once, and stays sealed until the day ends."""

from datetime import UTC, datetime, timedelta

import msgspec

from kibitz.core import registry
from kibitz.server.stores.store import Guest
from kibitz.server.tables.daily_deal import dealt, ends, sealed, today
from tests.server.client import Client, Message, connected, fetch
from tests.server.serving import Server, in_loop

ANN = Guest("ann", "Ann", "en", 0.0)
YESTERDAY = (datetime.now(UTC) - timedelta(days=1)).date().isoformat()


async def played(client: Client, table: str) -> tuple[list[str], Message]:
    """Play a table to its end, always by the first legal move: all moves made, and its last message."""
    await client.do("daily", game="tiny")
    told = await client.watch(table)
    lines = told["lines"]
    while told["result"] is None:
        if told["legal"]:
            await client.do("move", table=table, number=told["number"], move=told["legal"][0])
        told = await client.hear("table", table=table)
        lines += told["lines"]
    return [line["text"] for line in lines if line["kind"] == "move"], told


@in_loop
async def test_everybody_has_the_same_cards_and_the_same_bots(server: Server) -> None:
    async with connected(server.port, name="Ann") as ann, connected(server.port, name="Bob") as bob:
        tables = [(await each.do("daily", game="tiny"))["table"] for each in (ann, bob)]
        assert tables[0] != tables[1]
        first, second = await played(ann, tables[0]), await played(bob, tables[1])
        assert first[0] == second[0]
        assert first[1]["result"] == second[1]["result"]


@in_loop
async def test_whoever_asks_again_is_led_to_the_same_table(server: Server) -> None:
    async with connected(server.port) as ann:
        table = (await ann.do("daily", game="tiny"))["table"]
        await played(ann, table)
        assert (await ann.do("daily", game="tiny"))["table"] == table
        assert await ann.code("rematch", table=table) == "daily-once"


@in_loop
async def test_until_the_day_ends_nothing_is_told_that_would_help_others(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as eve:
        table = (await ann.do("daily", game="tiny"))["table"]
        told = await ann.watch(table)
        assert (told["daily"], told["advice"], told["can_undo"]) == (today(), False, False)
        await eve.say("watch", table=table)
        assert (await eve.hear("gone"))["code"] == "no-spectators"
        await ann.say("hint", table=table)
        assert (await ann.hear("failed"))["code"] == "no-advice"
        _, over = await played(ann, table)
        assert over["secret"] is None
        status, _, refused = await fetch(server.port, f"/api/tables/{table}/record")
        assert (status, msgspec.json.decode(refused)["code"]) == (409, "sealed")


@in_loop
async def test_moves_are_not_taken_back(server: Server) -> None:
    async with connected(server.port) as ann:
        table = (await ann.do("daily", game="tiny"))["table"]
        told = await ann.watch(table)
        while not told["legal"]:
            told = await ann.hear("table", table=table)
        done = await ann.do("move", table=table, number=told["number"], move=told["legal"][0])
        assert await ann.code("undo", table=table, number=done["number"]) == "daily-no-undo"


@in_loop
async def test_results_of_the_day_are_compared(server: Server) -> None:
    async with connected(server.port, name="Ann") as ann, connected(server.port, name="Bob") as bob:
        for each in (ann, bob):
            await played(each, (await each.do("daily", game="tiny"))["table"])
        async with connected(server.port) as eve:
            await eve.say("ask-daily", game="tiny")
            unplayed = await eve.hear("daily-results")
            assert (unplayed["table"], unplayed["players"]) == (None, 2)
            await eve.say("ask-daily", game="tiny", day=YESTERDAY)
            assert (await eve.hear("daily-results"))["results"] == []
            for wrong in ("2026-13-01", "tomorrow", "9999-01-01", "20260101"):
                await eve.say("ask-daily", game="tiny", day=wrong)
                assert (await eve.hear("failed"))["code"] == "bad-day"
        await ann.say("ask-daily", game="tiny")
        told = await ann.hear("daily-results")
        assert sorted(each["name"] for each in told["results"]) == ["Ann", "Bob"]
        assert [each["place"] for each in told["results"]] == [1, 1]  # they have played the same
        assert [each["name"] for each in told["results"] if each["you"]] == ["Ann"]
        await ann.say("my-results")
        assert (await ann.hear("results"))["games"][0]["daily"] == today()


def test_each_day_and_each_game_has_a_deal_of_its_own() -> None:
    key = bytes(32)
    deals = {
        dealt(key, registry.game(game), day, ANN).secret
        for game in ("kaching", "match")
        for day in (YESTERDAY, today())
    }
    assert len(deals) == 4
    assert dealt(bytes(31) + b"1", registry.game("match"), today(), ANN).secret not in deals


def test_the_seal_breaks_at_midnight() -> None:
    game = registry.game("match")
    assert sealed(dealt(bytes(32), game, today(), ANN))
    assert not sealed(dealt(bytes(32), game, YESTERDAY, ANN))
    assert ends("1970-01-01") == 24 * 60 * 60
