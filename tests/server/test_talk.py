"""Who looks on and what is said: spectators, their chat apart, reports; and asking to take a move back."""

import msgspec
import pytest

from tests.server.client import Client, Message, connected
from tests.server.serving import Server, in_loop


async def until_undoable(table: str, *clients: Client) -> tuple[Client, list[Client], Message]:
    """Play until somebody's last move could be taken back: who that is, the others, and the table."""
    while True:
        for client in clients:
            now = await client.watch(table)
            if now["legal"]:
                move = next((each for each in now["legal"] if each.startswith("lay")), now["legal"][0])
                await client.do("move", table=table, number=now["number"], move=move)
                after = await client.watch(table)
                assert not after["result"]
                if after["can_undo"]:
                    return client, [each for each in clients if each is not client], after


async def opened(*clients: Client, **fields: object) -> str:
    """A table at which all of these sit."""
    seats = ["me", *["open"] * (len(clients) - 1)]
    table: str = (await clients[0].do("create", game="tiny", seats=seats, start="full", **fields))["table"]
    for other in clients[1:]:
        await other.do("sit", table=table)
    return table


# Taking back


@in_loop
async def test_among_people_a_move_is_taken_back_when_all_others_agree(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob, connected(server.port) as cleo:
        table = await opened(ann, bob, cleo)
        mover, others, before = await until_undoable(table, ann, bob, cleo)
        await mover.do("undo", table=table, number=before["number"])
        asked = await mover.watch(table)
        assert asked["undo_asked"] == {"seat": asked["seat"], "agreed": []}
        assert await mover.code("answer-undo", table=table, agree=True) == "not-asked"
        await others[0].do("answer-undo", table=table, agree=True)
        assert await others[0].code("answer-undo", table=table, agree=True) == "not-asked"
        assert not (await mover.watch(table))["legal"]
        await others[1].do("answer-undo", table=table, agree=True)
        now = await mover.watch(table)
        assert now["undo_asked"] is None
        assert now["legal"]
        told = [sentence["key"] for sentence in now["lines"][-1]["sentences"]]
        assert told == ["table.agree-undo", "table.undo"]
        row = server.rows(table)[-1]
        server.kill()
        server.start()
    async with connected(server.port, mover.welcome["token"]) as again:
        assert (await again.watch(table))["number"] == row.number
        assert (await again.watch(table))["legal"] == now["legal"]


@in_loop
async def test_one_who_would_rather_not_ends_the_asking_and_the_move_stands(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob:
        table = await opened(ann, bob)
        mover, (other,), before = await until_undoable(table, ann, bob)
        await mover.do("undo", table=table, number=before["number"])
        await other.do("answer-undo", table=table, agree=False)
        now = await mover.watch(table)
        assert now["undo_asked"] is None
        assert now["view"] == before["view"]
        assert not now["can_undo"], "who was refused doesn't ask again and again"
        assert await mover.code("undo", table=table, number=now["number"]) == "said-already"
        while not (now := await other.watch(table))["legal"]:
            legal = (await mover.watch(table))["legal"]
            await mover.do("move", table=table, number=now["number"], move=legal[0])
        mover, (other,), before = await until_undoable(table, ann, bob)
        await mover.do("undo", table=table, number=before["number"])  # about another move one may ask


@in_loop
async def test_nothing_is_taken_back_past_chance_or_another_s_move(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob:
        table = await opened(ann, bob)
        for client in (ann, bob, ann):
            now = await client.watch(table)
            if now["legal"]:
                await client.do("move", table=table, number=now["number"], move=now["legal"][0])
                assert not (await client.watch(table))["can_undo"]  # a card was drawn
        for client in (ann, bob):
            number = (await client.watch(table))["number"]
            assert await client.code("undo", table=table, number=number) == "not-practice"


# Looking on


@in_loop
async def test_what_is_said_by_who_looks_on_is_for_those_who_look_on(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob, connected(server.port) as eve:
        table = await opened(ann, bob)
        await eve.watch(table)
        await eve.do("chat", table=table, text="seat 0 has a six")
        assert "six" in str((await eve.watch(table))["lines"])
        assert "six" not in str(await ann.watch(table))
        assert "six" not in "".join(ann.received)
        await ann.do("chat", table=table, text="hello you")
        assert "hello you" in str((await eve.watch(table))["lines"])
        assert (await ann.hear("presence"))["spectators"] == 1


@in_loop
@pytest.mark.parametrize("spectators", ["open", "late"])
async def test_everybody_is_told_which_lines_are_their_own(server: Server, spectators: str) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob, connected(server.port) as eve:
        table = await opened(ann, bob, spectators=spectators)
        await eve.do("rename", name=ann.welcome["name"])
        everybody = {"ann": ann, "bob": bob, "eve": eve}
        for client in everybody.values():
            await client.watch(table)
        for name, client in everybody.items():
            await client.do("chat", table=table, text=name)
        for name, client in everybody.items():
            whole = (await client.watch(table))["lines"]
            told = [msgspec.json.decode(text) for text in client.received]
            updates = [line for each in told if each.get("since") is not None for line in each["lines"]]
            for lines in (updates, whole):
                said = {line["text"]: line["you"] for line in lines if line["kind"] == "chat"}
                assert said == {each: each == name for each in everybody if each != "eve" or name == "eve"}


@in_loop
async def test_a_private_game_is_shown_to_its_players_until_it_is_over(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob, connected(server.port) as eve:
        private = {"game": "tiny", "seats": ["me", "open"], "start": "full", "spectators": "nobody"}
        table = (await ann.do("create", **private))["table"]
        await eve.watch(table)
        await bob.do("sit", table=table)
        await eve.say("watch", table=table)
        assert (await eve.hear("gone"))["code"] == "no-spectators"
        assert not any('"begun":true' in text for text in eve.received)
        await eve.say("recall", table=table, number=1)
        assert (await eve.hear("failed"))["code"] == "no-spectators"
        assert await eve.code("chat", table=table, text="hello") == "no-spectators"
        await ann.do("resign", table=table)
        assert (await eve.watch(table))["result"]


@in_loop
async def test_all_hands_are_shown_after_the_end_where_the_table_says_so(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob, connected(server.port) as eve:
        for spectators, code in (("end", None), ("open", "hands-stay-hidden")):
            table = await opened(ann, bob, spectators=spectators)
            await eve.say("recall", table=table, number=2, seat=0)
            assert (await eve.hear("failed"))["code"] == "hands-stay-hidden"
            await ann.do("resign", table=table)
            await eve.say("recall", table=table, number=2, seat=0)
            answer = await eve.hear("failed", "recalled")
            assert answer.get("code") == code
            if code is None:
                assert answer["moment"]["view"]["hands"][0] is not None


@in_loop
async def test_what_was_said_can_be_told_to_the_host(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob, connected(server.port) as eve:
        table = await opened(ann, bob)
        await ann.watch(table)
        row = (await bob.do("chat", table=table, text="rude"))["number"]
        assert await eve.code("report", table=table, number=row) == "not-seated"
        assert await bob.code("report", table=table, number=0) == "no-such-row"
        await bob.do("report", table=table, number=row)
        told = await ann.hear("reported")
        assert (told["said"], told["preset"], told["by"]) == ("rude", None, bob.welcome["name"])
        row = (await bob.do("chat", table=table, preset="hurry"))["number"]
        await bob.do("report", table=table, number=row)
        assert (await ann.hear("reported"))["preset"] == "hurry"  # each reads it in their own language
        await ann.say("unwatch", table=table)
        assert await bob.code("report", table=table, number=row) == "host-away"
        await ann.watch(table)
        row = (await ann.do("chat", table=table, text="ruder"))["number"]
        assert await bob.code("report", table=table, number=row) == "host-said"


@in_loop
async def test_a_reaction_is_about_a_row_that_is_there(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob:
        table = await opened(ann, bob)
        assert await ann.code("chat", table=table, preset="clap", at=99) == "no-such-row"
        await ann.do("chat", table=table, preset="clap", at=1)
        assert (await bob.watch(table))["lines"][-1]["at"] == 1
