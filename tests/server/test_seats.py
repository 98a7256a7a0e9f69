"""Who sits where: sitting down, standing up, giving up, and bots that take over."""

import asyncio

from tests.server.client import connected
from tests.server.conftest import Start
from tests.server.serving import Server, in_loop


@in_loop
async def test_a_seat_given_up_before_the_game_is_open_again(server: Server) -> None:
    async with connected(server.port, name="Ann") as ann, connected(server.port, name="Bob") as bob:
        table = await ann.create("me", "open", "open")
        await bob.do("sit", table=table, seat=2)
        await bob.do("stand", table=table)
        now = await bob.watch(table)
        assert [seat["kind"] for seat in now["seats"]] == ["guest", "open", "open"]
        assert now["lines"][-1]["sentences"][0]["key"] == "table.stand.open"
        await bob.do("sit", table=table, seat=1)


@in_loop
async def test_a_bot_plays_on_for_who_stands_up_and_gives_the_seat_back(server: Server) -> None:
    async with connected(server.port, name="Ann") as ann, connected(server.port, name="Bob") as bob:
        table = await ann.create("me", "open")
        await bob.do("sit", table=table)
        await bob.do("stand", table=table)
        now = await bob.watch(table)
        assert now["seat"] is None
        assert now["seats"][1]["kind"] == "bot"
        assert now["seats"][1]["kept_for_you"]
        assert not (await ann.watch(table))["seats"][1]["kept_for_you"]
        assert not now["practice"], "two people began this game"
        await bob.do("sit", table=table)
        now = await bob.watch(table)
        assert now["seat"] == 1
        assert now["seats"][1]["kind"] == "guest"


@in_loop
async def test_of_two_the_other_wins_when_one_resigns(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob:
        table = await ann.create("me", "open")
        await bob.do("sit", table=table)
        await ann.do("resign", table=table)
        now = await bob.watch(table)
        assert now["result"]["winners"] == [1]
        assert now["result"]["reason"] == "table.resigned"
        assert now["result"]["data"] == {"seat": {"seat": 0}}
        assert now["secret"]
        assert now["legal"] == []
        assert await bob.code("move", table=table, number=now["number"], move="lay 1") == "over"
        assert now["view"]["hands"][0] == ["?", "?"], "what was hidden stays hidden"


@in_loop
async def test_of_three_a_bot_plays_on_when_one_resigns(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob:
        table = await ann.create("me", "open", "random")
        await bob.do("sit", table=table)
        await ann.do("resign", table=table)
        now = await ann.watch(table)
        assert now["result"] is None
        assert now["seats"][0]["kind"] == "bot"
        assert not now["seats"][0]["kept_for_you"]
        assert await ann.code("sit", table=table) == "no-open-seat"


@in_loop
async def test_a_bot_for_an_open_seat(server: Server) -> None:
    async with connected(server.port) as ann:
        table = await ann.create("me", "open", "open")
        await ann.do("replace", table=table, seat=1, level="easy")
        await ann.do("replace", table=table, seat=2)
        now = await ann.watch(table)
        assert now["begun"]
        assert [seat["level"] for seat in now["seats"]] == [None, "easy", "medium"]
        assert now["practice"]


@in_loop
async def test_a_host_without_a_seat_fills_open_seats(server: Server) -> None:
    async with connected(server.port) as ann:
        table = await ann.create("open", "open")
        await ann.do("replace", table=table, seat=0, level="random")
        await ann.do("replace", table=table, seat=1, level="random")
        await ann.watch(table)
        over = await ann.hear("table")
        while over["result"] is None:
            over = await ann.hear("table")


@in_loop
async def test_an_absent_player_can_be_replaced_after_a_minute_and_comes_back(start: Start) -> None:
    server = start(absent_seconds=2.0)
    async with connected(server.port, name="Ann") as ann:
        table = await ann.create("me", "open")
        await ann.watch(table)
        async with connected(server.port, name="Bob") as bob:
            await bob.do("sit", table=table)
            await bob.watch(table)
            here = await ann.code("replace", table=table, seat=1)
            assert here in ("not-absent", "not-idle-long")  # as chance lets one or the other begin
        await ann.hear("presence")
        assert await ann.code("replace", table=table, seat=1) == "not-absent-long"
        await asyncio.sleep(2.1)
        await ann.do("replace", table=table, seat=1, level="random")
        lines = (await ann.watch(table))["lines"]
        assert "table.replace.absent" in [told["key"] for line in lines for told in line["sentences"]]
        async with connected(server.port, bob.welcome["token"]) as again:
            assert (await again.watch(table))["seats"][1]["kept_for_you"]
            await again.do("sit", table=table)
            assert (await again.watch(table))["seat"] == 1


@in_loop
async def test_nobody_can_make_a_log_endless(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob:
        table = await ann.create("me", "open", "open")
        for number in range(250):
            await bob.say("sit", id=f"sit {number}", table=table)
            await bob.say("stand", id=f"stand {number}", table=table)
        assert await bob.code("sit", table=table) == "table-full"
        assert len(server.rows(table)) == 501


@in_loop
async def test_a_game_that_does_not_end_is_kept_only_so_long(start: Start) -> None:
    server = start(rows=3)
    async with connected(server.port) as ann, connected(server.port) as bob:
        table = await ann.create("me", "open")
        await bob.do("sit", table=table)
        while (now := await ann.watch(table))["number"] < 3:
            mover = ann if now["legal"] else bob
            shown = await mover.watch(table)
            await mover.do("move", table=table, number=shown["number"], move=shown["legal"][0])
        mover = ann if now["legal"] else bob
        shown = await mover.watch(table)
        move = {"table": table, "number": shown["number"], "move": shown["legal"][0]}
        assert await mover.code("move", **move) == "game-too-long"
        for one in (ann, bob):
            await one.do("agree", table=table)
        assert (await ann.watch(table))["result"]


@in_loop
async def test_a_connection_in_another_tab_counts_as_being_here(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob:
        table = await ann.create("me", "open")
        await bob.do("sit", table=table)
        await ann.watch(table)
        await bob.watch(table)
        async with connected(server.port, bob.welcome["token"]) as tab:
            await tab.watch(table)
            await bob.say("unwatch", table=table)
            await bob.say("ping")
            await bob.hear("pong")
            now = await ann.watch(table)
            assert now["seats"][1]["here"]
