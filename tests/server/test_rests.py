"""After a round bots wait for those who read its score, and no time of a decision runs."""

import asyncio

import msgspec
import pytest

from kibitz.server.limits import Limits
from kibitz.server.tables.clock import ROUND_SECONDS
from tests.server.client import Client, Message, connected
from tests.server.conftest import ROOMY, Start
from tests.server.engines import needs_postgres
from tests.server.serving import Server, in_loop

SECRET = "07" * 32
BOT = 1  # where it sits


def serving(start: Start, **limits: float) -> Server:
    """A server at which a round of MATCH! ends soon."""
    return start(games=("match",), bots="random", secret=SECRET, limits=ROOMY | limits)


async def to_the_rest(table: str, *people: Client) -> Message:
    """Play until a round has ended; what the first of the people is told of the rest."""
    while True:
        for person in people:
            now = await person.watch(table)
            if now["legal"]:
                await person.ask("move", table=table, number=now["number"], move=now["legal"][-1])
        told = [msgspec.json.decode(text) for text in people[0].received]
        for message in told:
            if message["type"] == "resting":
                return dict(message)
        people[0].received.clear()
        await asyncio.sleep(0.02)


async def is_still(client: Client, table: str, seconds: float = 0.6) -> bool:
    """Whether nothing happens for far longer than a quick bot takes, if one is in turn."""
    before = await client.watch(table)
    assert before["thinking"] == BOT, "another deal is needed: here a bot goes first"
    await asyncio.sleep(seconds)
    return bool((await client.watch(table))["number"] == before["number"])


def test_bots_wait_until_a_lone_player_goes_on(start: Start) -> None:
    server = serving(start, rest_seconds=0.2)

    @in_loop
    async def play() -> None:
        async with connected(server.port, rounds=True) as ann, connected(server.port, rounds=True) as eve:
            table = await ann.create("me", "random", game="match")
            rest = await to_the_rest(table, ann)
            assert (rest["seats"], rest["seconds"]) == ([0], None)
            await eve.say("continue", table=table, number=rest["number"])
            assert (await eve.hear("failed"))["code"] == "not-seated"
            await ann.say("continue", table=table, number=rest["number"] - 1)
            assert await is_still(ann, table)
            await ann.say("continue", table=table, number=rest["number"])
            await ann.hear("resting", seats=[])
            assert (await ann.hear("table"))["lines"][0]["seat"] == BOT
            kinds = {row.kind for row in server.rows(table)}
            assert kinds == {"create", "start", "move"}, "it isn't logged"

    play()


def test_by_a_clock_they_wait_no_longer_than_it_stands_still(start: Start) -> None:
    assert Limits().rest_seconds <= ROUND_SECONDS
    server = serving(start)

    @in_loop
    async def play() -> None:
        async with connected(server.port, rounds=True) as ann:
            fields = {"seats": ["me", "random"], "options": {}, "pace": "fast", "start": "full"}
            table = (await ann.do("create", game="match", clock={"seconds": 3600}, **fields))["table"]
            rest = await to_the_rest(table, ann)
            assert 0 < rest["seconds"] <= Limits().rest_seconds

    play()


def test_they_wait_no_longer_for_one_who_has_gone(start: Start) -> None:
    server = serving(start, rest_seconds=0.2)

    @in_loop
    async def play() -> None:
        async with connected(server.port) as eve:
            async with connected(server.port, rounds=True) as ann:
                table = await ann.create("me", "random", game="match")
                rest = await to_the_rest(table, ann)
            await eve.watch(table)
            assert (await eve.hear("table"))["number"] > rest["number"]

    play()


@pytest.mark.parametrize("both", [True, False])
def test_among_people_they_wait_for_all_or_for_a_while(start: Start, both: bool) -> None:
    server = serving(start, rest_seconds=30.0 if both else 1.0)

    @in_loop
    async def play() -> None:
        async with connected(server.port, rounds=True) as ann, connected(server.port, rounds=True) as bob:
            table = await ann.create("me", "random", "open", game="match")
            await bob.do("sit", table=table)
            rest = await to_the_rest(table, ann, bob)
            assert rest["seats"] == [0, 2]
            assert rest["seconds"] is not None
            await ann.say("continue", table=table, number=rest["number"])
            if both:
                await ann.hear("resting", seats=[2])
                assert await is_still(ann, table)
                await bob.say("continue", table=table, number=rest["number"])
            assert (await ann.hear("resting", seats=[]))["number"] == rest["number"]
            assert (await ann.hear("table"))["lines"][0]["seat"] == BOT

    play()


def test_a_program_that_reads_no_scores_is_not_waited_for(start: Start) -> None:
    server = serving(start)

    @in_loop
    async def play() -> None:
        async with connected(server.port) as ann:
            table = await ann.create("me", "random", game="match", rounds=2)
            now = await ann.watch(table)
            while now["view"]["round"] == 1:
                if now["legal"]:
                    await ann.do("move", table=table, number=now["number"], move=now["legal"][-1])
                now = await ann.hear("table", table=table)
            while now["thinking"] == BOT:
                now = await ann.hear("table", table=table)
            assert now["legal"]

    play()


@needs_postgres
def test_bots_wait_at_every_node(start: Start, database: str) -> None:
    """Whichever node plays them: here somebody at another one looks on."""
    pytest.importorskip("psycopg")
    settings = {"games": ("match",), "bots": "random", "secret": SECRET, "store": database}
    here, there = (start(**settings, limits=ROOMY | {"rest_seconds": 20.0}) for _ in range(2))

    @in_loop
    async def play() -> None:
        async with connected(here.port, rounds=True) as ann, connected(there.port, rounds=True) as eve:
            table = await ann.create("me", "random", game="match")
            await eve.watch(table)
            rest = await to_the_rest(table, ann)
            told = await eve.hear("resting")
            assert (told["number"], told["seats"]) == (rest["number"], [0])
            assert await is_still(ann, table, 1.5)
            await ann.say("continue", table=table, number=rest["number"])
            await eve.hear("resting", number=rest["number"], seats=[])
            assert (await ann.hear("table", since=rest["number"]))["lines"][0]["seat"] == BOT

    play()
