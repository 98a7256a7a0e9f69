"""Bots at live tables: they always move, whatever happens to them."""

import asyncio
import threading
from itertools import pairwise

import msgspec
import pytest

from kibitz.bots.player import Bot, RandomBot
from kibitz.core.game import Game
from kibitz.core.move import Move
from kibitz.core.state import Observation
from kibitz.server.live_bots import LiveBots, MakeBot
from kibitz.server.tables.bot_turns import THINKING
from kibitz.server.tables.commands import PACES
from kibitz.server.turns import Asker
from tests.server.client import Client, Message, all_gone, connected, until
from tests.server.conftest import Start
from tests.server.serving import Server, in_loop
from tests.tiny import GAME as TINY


async def bots_move(client: Client, table: str) -> Message:
    """The first line of a bot's move."""
    now = await client.watch(table)
    while True:
        for line in now["lines"]:
            if line["kind"] == "move" and line["seat"] == 1:
                found: Message = line
                return found
        if now["legal"]:
            await client.do("move", table=table, number=now["number"], move=now["legal"][0])
        now = await client.hear("table", table=table)


@pytest.mark.parametrize(
    ("bots", "fallback"),
    [("raising", "error"), ("sleeping", "slow"), ("cheating", "error"), ("random", None)],
)
@pytest.mark.unclean
def test_a_bot_that_fails_is_replaced_by_chance_for_that_move(
    start: Start, bots: str, fallback: str | None
) -> None:
    server = start(bots=bots, limits={"messages": 1000})

    @in_loop
    async def play() -> None:
        async with connected(server.port) as ann:
            table = await ann.create("me", "hard")
            line = await bots_move(ann, table)
            keys = [sentence["key"] for sentence in line["sentences"]]
            assert ("table.fallback" in keys) == (fallback is not None)
            row = server.rows(table)[line["number"]]
            assert row.actor == "bot/1"
            assert row.command == f"bot/1/{row.number}"
            assert msgspec.json.decode(row.body).get("fallback") == fallback

    play()


@in_loop
async def test_a_bot_searches_for_less_than_its_pace() -> None:
    """So that its move can come when the pace says: the time must tell nothing about its cards."""
    searched: list[float] = []

    def make(level: str, game: Game, seconds: float) -> Bot:
        searched.append(seconds)
        return RandomBot(game)

    bots = LiveBots(make)
    observation = TINY.deal(seed=1).observation(TINY.deal(seed=1).turn)
    for pace in PACES.values():
        await bots.choose("hard", observation, THINKING * pace)
    bots.close()
    assert all(seconds < pace for seconds, pace in zip(searched, PACES.values(), strict=True))


@pytest.mark.parametrize(("level", "pace", "least"), [("random", "fast", 0.15), ("expert", "fast", 2.5)])
def test_bots_keep_their_pace(start: Start, level: str, pace: str, least: float) -> None:
    server = start(bots="random")

    @in_loop
    async def play() -> None:
        async with connected(server.port) as ann:
            table = await ann.create(level, level, pace=pace)
            await ann.watch(table)
            for _ in range(3):
                await ann.hear("table", table=table)
        times = [row.time for row in server.rows(table) if row.kind == "move"]
        assert least * 0.99 < min(after - before for before, after in pairwise(times)) < least + 0.4

    play()


@in_loop
async def test_the_pace_of_bots_can_be_changed_and_is_not_logged(start: Start) -> None:
    server = start(bots="random")
    async with connected(server.port) as ann:
        table = await ann.create("me", "random", "random", pace="slow")
        await ann.say("pace", table=table, pace="hasty")
        assert (await ann.hear("failed"))["code"] == "bad-pace"
        await ann.say("pace", table=table, pace="fast")
        now = await ann.watch(table)
        while not now["legal"]:
            now = await ann.hear("table", table=table)
        done = await ann.do("move", table=table, number=now["number"], move=now["legal"][0])
        while now["number"] < done["number"] + 2:
            now = await ann.hear("table", table=table)
    rows = server.rows(table)
    assert {row.kind for row in rows} == {"create", "start", "move"}
    times = [row.time for row in rows[-3:]]
    assert max(after - before for before, after in pairwise(times)) < PACES["slow"]


@in_loop
async def test_bots_go_on_after_a_restart(start: Start) -> None:
    server = start(bots="random")
    async with connected(server.port) as ann:
        table = await ann.create("random", "random", "random", pace="normal")
        await ann.watch(table)
        await ann.hear("table")
    server.restart()
    async with connected(server.port, ann.welcome["token"]) as ann:
        before = await ann.watch(table)
        after = await ann.hear("table", table=table)
        assert after["number"] == before["number"] + 1


@in_loop
async def test_bots_alone_rest_when_nobody_looks(start: Start) -> None:
    server = start(bots="random")
    async with connected(server.port) as ann:
        table = await ann.create("random", "random")
        await ann.watch(table)
        await ann.hear("table")
    await all_gone(server.port)
    await asyncio.sleep(0.5)  # for a move that is under way
    moves = len(server.rows(table))
    await asyncio.sleep(0.5)
    assert len(server.rows(table)) == moves < 12


@in_loop
async def test_a_bot_answers_though_the_person_has_left(start: Start) -> None:
    server = start(bots="random")
    async with connected(server.port) as ann:
        table = await ann.create("me", "random")
        now = await ann.watch(table)
        while not now["legal"]:
            now = await ann.hear("table")
        done = await ann.do("move", table=table, number=now["number"], move=now["legal"][0])
    await until(lambda: len(server.rows(table)) == done["number"] + 2)


@in_loop
async def test_hints_have_their_measure(start: Start) -> None:
    server = start(limits={"hints": 2})
    async with connected(server.port) as ann:
        table = await ann.create("me", "random")
        now = await ann.watch(table)
        while not now["legal"]:
            now = await ann.hear("table")
        for _ in range(2):
            await ann.say("hint", table=table)
            await ann.hear("hinted")
        await ann.say("hint", table=table)
        assert (await ann.hear("failed"))["code"] == "slow-down"


@in_loop
async def test_a_hint_is_a_legal_move_and_only_for_who_decides(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob:
        done = await ann.do(
            "create", game="tiny", seats=["me", "open"], pace="fast", advice="all", start="full"
        )
        table = done["table"]
        await ann.say("hint", table=table)
        assert (await ann.hear("failed"))["code"] == "not-begun"
        await bob.do("sit", table=table)
        for client in (ann, bob):
            now = await client.watch(table)
            await client.say("hint", table=table)
            if now["legal"]:
                hinted = await client.hear("hinted")
                assert hinted["move"] in now["legal"]
                assert hinted["number"] == now["number"]
                assert hinted["sentences"][0]["data"]["seat"] == {"seat": now["seat"]}
                assert hinted["advice"][0]["move"] == hinted["move"]
                assert all(0 <= one["chance"] <= 1 for one in hinted["advice"])
            else:
                assert (await client.hear("failed"))["code"] == "not-your-decision"
        async with connected(server.port) as carl:
            await carl.say("hint", table=table)
            assert (await carl.hear("failed"))["code"] == "not-seated"


# Programs of the host's


def hanging(may_go_on: threading.Event) -> MakeBot:
    """A program that thinks until it is let go; every other bot plays by chance."""

    class Hanging(Bot):
        def _choose(self, observation: Observation) -> Move:
            may_go_on.wait(60.0)
            return observation.legal_moves[0]

    return lambda level, game, seconds: (Hanging if level == "Sloth" else RandomBot)(game)


async def plays_beside_hanging_programs(bots: LiveBots) -> None:
    """Strangers seat a program that hangs wherever they can; the bots of others move all the same."""
    state = TINY.deal(seed=1)
    observation = state.observation(state.turn)
    strangers = [
        asyncio.ensure_future(bots.choose("Sloth", observation, 0.1, asker=Asker(f"stranger {number % 4}")))
        for number in range(20)
    ]
    await asyncio.sleep(0)
    async with asyncio.timeout(20.0):
        for _ in range(5):
            _, fallback = await bots.choose("easy", observation, 0.1, asker=Asker("ann"))
            assert fallback is None
    assert not any(stranger.done() for stranger in strangers)
    for stranger in strangers:
        stranger.cancel()
    await asyncio.gather(*strangers, return_exceptions=True)


@in_loop
async def test_programs_that_hang_hold_up_no_other_bot() -> None:
    may_go_on = threading.Event()
    bots = LiveBots(hanging(may_go_on), patience=60.0)
    try:
        await plays_beside_hanging_programs(bots)
    finally:
        may_go_on.set()
        bots.close()


@in_loop
async def test_bots_that_share_threads_with_programs_are_found_out() -> None:
    may_go_on = threading.Event()
    bots = LiveBots(hanging(may_go_on), patience=0.3)
    bots._programs = bots._ours
    try:
        with pytest.raises(AssertionError):
            await plays_beside_hanging_programs(bots)
    finally:
        may_go_on.set()
        bots.close()
