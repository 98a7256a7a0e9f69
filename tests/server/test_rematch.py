"""The same again: one new table, whoever asks and however often."""

import asyncio

from tests.server.client import Client, connected
from tests.server.conftest import Start
from tests.server.serving import Server, in_loop


async def finished(ann: Client, bob: Client) -> str:
    """A table whose game is over."""
    table = await ann.create("me", "open")
    await bob.do("sit", table=table)
    await ann.do("resign", table=table)
    await bob.do("chat", table=table, text="well done")
    return table


@in_loop
async def test_both_who_ask_are_led_to_the_same_table(server: Server) -> None:
    async with connected(server.port, name="Ann") as ann, connected(server.port, name="Bob") as bob:
        table = await finished(ann, bob)
        await bob.watch(table)
        first = await ann.do("rematch", table=table)
        told = await bob.hear("table", table=table)
        assert told["rematch"] == first["table"] != table
        assert (told["lines"][-1]["kind"], told["lines"][-1]["name"]) == ("rematch", "Ann")
        waiting = await bob.watch(first["table"])
        assert not waiting["begun"], "nobody is dragged in"
        assert [seat["kept_for_you"] for seat in waiting["seats"]] == [False, True]
        assert waiting["seats"][1]["kept_for"] == "Bob"
        await bob.say("my-tables")
        assert first["table"] in [one["table"] for one in (await bob.hear("tables"))["tables"]]
        async with connected(server.port) as eve:
            assert await eve.code("sit", table=first["table"]) == "no-open-seat"
        second = await bob.do("rematch", table=table)
        assert second["table"] == first["table"]
        assert len([row for row in server.rows(table) if row.kind == "rematch"]) == 1
        now = await bob.watch(first["table"])
        assert [seat["name"] for seat in now["seats"]] == ["Ann", "Bob"], "the order stays"
        assert now["begun"]
        assert now["games"] == 1
        assert now["wins"] == [0, 1], "a series is counted"
        assert [(line["number"], line["text"]) for line in now["lines"][:1]] == [(-1, "well done")]
        assert now["secret"] is None
        assert now["commitment"] != (await ann.watch(table))["commitment"]


@in_loop
async def test_bots_and_settings_come_along(server: Server) -> None:
    async with connected(server.port) as ann:
        table = await ann.create("me", "hard", "easy", pace="slow")
        for _ in range(1):
            await ann.do("resign", table=table)
        assert await ann.code("rematch", table=table) == "not-seated"
        table = await ann.create("me", "random")
        assert await ann.code("rematch", table=table) == "not-over"
        await ann.do("resign", table=table)
        again = (await ann.do("rematch", table=table))["table"]
        now = await ann.watch(again)
        assert [seat["level"] for seat in now["seats"]] == [None, "random"]
        assert now["practice"]
        assert now["pace"] == "fast"
        await ann.do("resign", table=again)
        third = (await ann.do("rematch", table=again))["table"]
        assert len({table, again, third}) == 3


@in_loop
async def test_a_crash_between_the_two_rows_does_no_harm(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob:
        table = await finished(ann, bob)
        new = (await ann.do("rematch", table=table, id="again"))["table"]
    server.kill()
    server.change(
        "DELETE FROM rows WHERE log = (SELECT log FROM tables WHERE id = ?) AND kind = 'rematch'", table
    )
    server.start()
    async with connected(server.port, bob.welcome["token"]) as bob:
        assert (await bob.watch(table))["rematch"] is None
        assert (await bob.do("rematch", table=table))["table"] == new


@in_loop
async def test_whoever_does_not_come_leaves_the_seat_to_others_or_a_bot(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob, connected(server.port) as eve:
        again = (await ann.do("rematch", table=await finished(ann, bob)))["table"]
        await ann.do("remove", table=again, seat=1)
        await eve.do("sit", table=again)
        assert (await eve.watch(again))["begun"]
        assert (await eve.watch(again))["wins"] == [0, 0], "what somebody else has won isn't hers"
        again = (await bob.do("rematch", table=await finished(ann, bob)))["table"]
        await bob.do("replace", table=again, seat=0, level="easy")
        assert (await bob.watch(again))["begun"]


@in_loop
async def test_who_is_invited_may_say_no_and_the_seat_is_anybodys(server: Server) -> None:
    async with (
        connected(server.port, name="Ann") as ann,
        connected(server.port, name="Bob") as bob,
        connected(server.port) as eve,
    ):
        again = (await ann.do("rematch", table=await finished(ann, bob)))["table"]
        assert await eve.code("stand", table=again) == "not-seated"
        await bob.do("stand", table=again)
        now = await ann.watch(again)
        assert (now["seats"][1]["kind"], now["seats"][1]["kept_for"]) == ("open", "")
        assert now["lines"][-1]["sentences"] == [
            {"key": "table.stand.open", "data": {"seat": {"seat": 1}, "name": "Bob"}}
        ]
        await bob.say("my-tables")
        assert again not in [one["table"] for one in (await bob.hear("tables"))["tables"]]
        await eve.do("sit", table=again)
        assert (await eve.watch(again))["begun"]


@in_loop
async def test_fewer_may_play_the_next_game_and_have_time_for_a_word(start: Start) -> None:
    """From the change on, not since the last sat down."""
    server = start(word_seconds=2.0)
    async with connected(server.port) as ann, connected(server.port) as bob, connected(server.port) as cleo:
        table = (await ann.do("create", game="tiny", seats=["me", "open", "open"], start="full"))["table"]
        for other in (bob, cleo):
            await other.do("sit", table=table)
        for each in (ann, bob, cleo):
            await each.do("agree", table=table)
        again = (await ann.do("rematch", table=table))["table"]
        await bob.do("sit", table=again)
        assert await bob.code("change", table=again, players=2) == "not-host"
        await asyncio.sleep(2.1)
        await ann.do("change", table=again, players=2)
        now = await ann.watch(again)
        assert (now["players"], now["begun"]) == (2, False)
        for client in (ann, bob):
            await client.do("ready", table=again)
        assert (await ann.watch(again))["begun"]


@in_loop
async def test_the_next_seat_begins(start: Start) -> None:
    server = start(games=("kaching",))
    async with connected(server.port) as ann:
        table = await ann.create("me", "easy", game="kaching", starter=0)
        await ann.do("resign", table=table)
        again = (await ann.do("rematch", table=table))["table"]
        assert (await ann.watch(again))["options"]["starter"] == 1
        await ann.do("resign", table=again)
        third = (await ann.do("rematch", table=again))["table"]
        assert (await ann.watch(third))["options"]["starter"] == 0
