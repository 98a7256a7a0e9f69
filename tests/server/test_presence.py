"""Who is away, who takes long, who has left: a table never gets stuck."""

import pytest

from tests.server.client import Client, Message, connected
from tests.server.conftest import Start
from tests.server.serving import Server, in_loop


async def in_turn(table: str, *clients: Client) -> tuple[Client, Client]:
    """Who has to decide, and another."""
    one, other = clients
    return (one, other) if (await one.watch(table))["legal"] else (other, one)


async def heard(client: Client, kind: str) -> Message:
    """The next line of a kind that a watcher is shown."""
    while True:
        lines: list[Message] = (await client.hear("table"))["lines"]
        for line in lines:
            if line["kind"] == kind:
                return line


def seat_of(table: Message) -> int:
    """Where this viewer sits."""
    seat: int = table["seat"]
    return seat


# Who is here, and takes long


@in_loop
async def test_who_takes_long_is_nudged_by_the_others(start: Start) -> None:
    server = start(nudge_seconds=0.0)
    async with connected(server.port, name="Ann") as ann, connected(server.port, name="Bob") as bob:
        table = await ann.create("me", "open")
        await bob.do("sit", table=table)
        slow, other = await in_turn(table, ann, bob)
        await slow.watch(table)
        await other.do("nudge", table=table)
        assert (await slow.hear("nudged"))["name"] == other.welcome["name"]
        assert await slow.code("nudge", table=table) == "nobody-to-nudge"
        await slow.say("unwatch", table=table)
        await slow.say("ping")
        await slow.hear("pong")
        assert await other.code("nudge", table=table) == "not-here"
        rows = len(server.rows(table))
        for _ in range(3):
            await slow.watch(table)
            answer = await other.ask("nudge", table=table)
        assert answer["code"] == "slow-down"
        assert len(server.rows(table)) == rows


@in_loop
async def test_a_bot_plays_on_for_who_takes_long_and_gives_the_seat_back(start: Start) -> None:
    server = start(idle_seconds=0.0)
    async with connected(server.port, name="Ann") as ann, connected(server.port, name="Bob") as bob:
        table = await ann.create("me", "open")
        await bob.do("sit", table=table)
        slow, other = await in_turn(table, ann, bob)
        late = seat_of(await slow.watch(table))
        await other.watch(table)
        await other.do("replace", table=table, seat=late, level="easy")
        (sentence,) = (await heard(other, "seat"))["sentences"]
        assert sentence["key"] == "table.late.bot"
        assert sentence["data"]["level"] == {"key": "bot.easy", "data": {}}
        await heard(other, "move")
        now = await slow.watch(table)
        assert now["seats"][late]["kept_for_you"]
        await slow.do("sit", table=table)
        assert seat_of(await slow.watch(table)) == late


@in_loop
async def test_bots_do_not_finish_a_game_that_all_have_left(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob:
        table = await ann.create("me", "open")
        await bob.do("sit", table=table)
        last, first = await in_turn(table, ann, bob)
        await first.do("stand", table=table)
        await last.do("stand", table=table)
        assert (await last.watch(table))["thinking"] is None
        elsewhere = await ann.create("easy", "easy")  # meanwhile bots play there
        await ann.watch(elsewhere)
        while (await ann.hear("table", table=elsewhere))["number"] < 5:
            pass
        assert server.rows(table)[-1].kind == "seat"
        await last.do("sit", table=table)
        now = await last.watch(table)
        await last.do("move", table=table, number=now["number"], move=now["legal"][0])
        while (await last.hear("table", table=table))["lines"][-1]["seat"] == now["seat"]:
            pass  # until the bot has moved, too


@in_loop
async def test_thinking_has_its_time(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob:
        table = await ann.create("me", "open")
        await bob.do("sit", table=table)
        slow, other = await in_turn(table, ann, bob)
        late, waiting = seat_of(await slow.watch(table)), seat_of(await other.watch(table))
        assert await other.code("replace", table=table, seat=late) == "not-idle-long"
        assert await other.code("nudge", table=table) == "not-idle-long"
        assert await slow.code("replace", table=table, seat=waiting) == "not-absent"


# By itself


async def waits_no_longer(server: Server) -> list[str]:
    """Nobody decides at a table with a clock: what the log tells until bots have moved."""
    async with connected(server.port) as ann, connected(server.port) as bob:
        done = await ann.do(
            "create", game="tiny", start="full", seats=["me", "open"], pace="fast", clock={"seconds": 1}
        )
        table = done["table"]
        await bob.do("sit", table=table)
        now = await ann.watch(table)
        assert now["clock"]["seconds"] == 1
        await heard(ann, "move")
        return [line["kind"] for line in (await ann.watch(table))["lines"]]


def test_a_table_with_a_clock_never_gets_stuck(start: Start) -> None:
    @in_loop
    async def play() -> None:
        kinds = await waits_no_longer(start(least_seconds=1))
        assert kinds[:5] == ["create", "seat", "start", "seat", "move"]

    play()


@in_loop
async def test_the_clock_is_set_again_after_a_restart_and_the_time_between_is_not_charged(
    start: Start,
) -> None:
    server = start(least_seconds=1)
    async with connected(server.port) as ann, connected(server.port) as bob:
        table = (
            await ann.do(
                "create",
                game="tiny",
                start="full",
                seats=["me", "open"],
                pace="fast",
                clock={"seconds": 3600},
            )
        )["table"]
        await bob.do("sit", table=table)
        slow, other = await in_turn(table, ann, bob)
        late = seat_of(await slow.watch(table))
    server.kill()
    server.age(7200.0)
    server.start()
    async with (
        connected(server.port, slow.welcome["token"]) as slow,
        connected(server.port, other.welcome["token"]) as other,
    ):
        await slow.watch(table)
        assert await other.code("replace", table=table, seat=late) == "not-idle-long"
        assert [row.kind for row in server.rows(table)] in (
            ["create", "seat", "start"],
            ["create", "seat", "start", "resume"],  # once the server has looked for how long none ran
        )


@pytest.mark.parametrize("seconds", [0, 9, -1, 10**9])
def test_a_clock_has_its_bounds(server: Server, seconds: int) -> None:
    @in_loop
    async def ask() -> None:
        async with connected(server.port) as ann:
            fields = {"game": "tiny", "seats": ["me", "open"], "clock": {"seconds": seconds}}
            assert await ann.code("create", **fields) == "bad-clock"

    ask()


# Who has left


@in_loop
async def test_who_left_or_was_replaced_finds_the_table_in_the_list(start: Start) -> None:
    server = start(idle_seconds=0.0)
    async with connected(server.port) as ann, connected(server.port) as bob, connected(server.port) as cleo:
        table = await ann.create("me", "open", "open")
        for client in (bob, cleo):
            await client.do("sit", table=table)
        await ann.do("stand", table=table)
        await bob.do("resign", table=table)
        for client, kept in ((ann, True), (bob, True), (cleo, False)):
            await client.say("my-tables")
            (mine,) = (await client.hear("tables"))["tables"]
            assert (mine["table"], mine["kept"]) == (table, kept)
        await ann.do("sit", table=table)
        await ann.say("my-tables")
        assert not (await ann.hear("tables"))["tables"][0]["kept"]


@in_loop
async def test_when_the_host_leaves_who_sits_longest_is_host(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob, connected(server.port) as cleo:
        table = await ann.create("me", "open", "open")
        await cleo.do("sit", table=table, seat=2)
        assert (await bob.watch(table))["host"] == 0
        await ann.do("stand", table=table)
        await bob.do("sit", table=table, seat=1)
        assert (await bob.watch(table))["host"] == 2
        assert await ann.code("replace", table=table, seat=0) == "not-seated"
        await cleo.do("stand", table=table)
        assert (await bob.watch(table))["host"] == 1
        await ann.do("sit", table=table)
        assert (await bob.watch(table))["host"] == 0


# Ending by agreement


@in_loop
async def test_all_people_together_can_end_a_game(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob, connected(server.port) as eve:
        table = await ann.create("me", "open", "easy")
        await bob.do("sit", table=table)
        await ann.do("agree", table=table)
        assert await ann.code("agree", table=table) == "said-already"
        assert (await bob.watch(table))["ending"] == [0]
        await bob.do("agree", table=table, end=False)
        assert (await bob.watch(table))["ending"] == []
        assert await bob.code("agree", table=table, end=False) == "said-already"
        await bob.do("agree", table=table)
        await ann.do("agree", table=table)
        now = await eve.watch(table)
        assert now["result"]["winners"] == []
        assert now["result"]["reason"] == "table.agreed"
        assert now["secret"]
        assert await ann.code("agree", table=table) == "over"
        await ann.say("my-tables")
        assert (await ann.hear("tables"))["tables"][0]["over"]
        await bob.do("rematch", table=table)


@in_loop
async def test_who_comes_or_goes_is_not_bound_by_what_others_agreed(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob, connected(server.port) as cleo:
        table = await ann.create("me", "open", "open")
        for client in (bob, cleo):
            await client.do("sit", table=table)
        await ann.do("agree", table=table)
        await cleo.do("stand", table=table)
        assert (await bob.watch(table))["ending"] == []
