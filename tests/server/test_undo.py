"""Taking back: against bots to one's own last decision, among people only a step of an unfinished turn."""

from tests.server.client import Client, Message, connected
from tests.server.conftest import ROOMY, Start
from tests.server.serving import Server, in_loop

MANY = 40  # deals: one in three gives the starter a double-up


async def my_turn(client: Client, table: str) -> Message:
    """The table when I am asked to decide."""
    now = await client.watch(table)
    while not now["legal"]:
        now = await client.hear("table", table=table)
    return now


@in_loop
async def test_undo_goes_back_to_my_last_decision(server: Server) -> None:
    async with connected(server.port) as ann:
        table = await ann.create("me", "random")
        before = await my_turn(ann, table)
        assert not before["can_undo"]
        assert await ann.code("undo", table=table, number=before["number"]) == "nothing-to-undo"
        await ann.do("move", table=table, number=before["number"], move=before["legal"][0])
        after = await my_turn(ann, table)
        assert after["number"] == before["number"] + 2
        assert after["can_undo"]
        await ann.do("undo", table=table, number=after["number"])
        again = await ann.watch(table)
        assert again["number"] == after["number"] + 1, "numbers never go back"
        assert again["view"] == before["view"]
        assert again["legal"] == before["legal"]
        assert [line["kind"] for line in again["lines"]][-3:] == ["move", "move", "undo"]
        await ann.do("move", table=table, number=again["number"], move=again["legal"][-1])


@in_loop
async def test_undo_while_the_bot_thinks(server: Server) -> None:
    async with connected(server.port) as ann:
        table = await ann.create("me", "random", pace="normal")
        before = await my_turn(ann, table)
        done = await ann.do("move", table=table, number=before["number"], move=before["legal"][0])
        await ann.do("undo", table=table, number=done["number"])
        again = await ann.watch(table)
        assert again["view"] == before["view"]
        assert again["thinking"] is None


@in_loop
async def test_the_bot_moving_meanwhile_does_not_spoil_an_undo_but_another_undo_does(server: Server) -> None:
    async with connected(server.port) as ann:
        table = await ann.create("me", "random")
        before = await my_turn(ann, table)
        done = await ann.do("move", table=table, number=before["number"], move=before["legal"][0])
        after = await my_turn(ann, table)
        await ann.do("undo", table=table, number=done["number"])
        assert await ann.code("undo", table=table, number=after["number"]) == "stale"


@in_loop
async def test_among_people_there_is_no_undo(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob:
        table = await ann.create("me", "open")
        await bob.do("sit", table=table)
        for client in (ann, bob):
            now = await client.watch(table)
            assert not now["practice"]
            assert not now["can_undo"]
            assert await client.code("undo", table=table, number=now["number"]) == "not-practice"


@in_loop
async def test_a_finished_game_is_not_taken_back_for_its_secret_is_told(server: Server) -> None:
    async with connected(server.port) as ann:
        table = await ann.create("me", "random")
        now = await my_turn(ann, table)
        while now["result"] is None:
            if now["legal"]:
                await ann.do("move", table=table, number=now["number"], move=now["legal"][0])
            now = await ann.hear("table", table=table)
        assert not now["can_undo"]
        assert await ann.code("undo", table=table, number=now["number"]) == "over"


@in_loop
async def test_an_undone_game_replays_after_a_restart(server: Server) -> None:
    async with connected(server.port) as ann:
        table = await ann.create("me", "random")
        for _ in range(2):
            now = await my_turn(ann, table)
            await ann.do("move", table=table, number=now["number"], move=now["legal"][0])
            now = await my_turn(ann, table)
            await ann.do("undo", table=table, number=now["number"])
        before = await ann.watch(table)
    server.restart()
    async with connected(server.port, ann.welcome["token"]) as ann:
        after = await ann.watch(table)
        for key in ("view", "legal", "lines"):
            assert after[key] == before[key]


@in_loop
async def test_among_people_a_step_of_an_unfinished_turn_can_be_taken_back(start: Start) -> None:
    """A double-up of Kazink!: once it is played and nothing shifted yet, it can be taken up again."""
    server = start(games=["kazink"], limits=ROOMY)
    async with connected(server.port) as ann, connected(server.port) as bob:
        for _ in range(MANY):
            table = await ann.create("me", "open", game="kazink", hand=5, dealer=1)
            await bob.do("sit", table=table)
            before = await my_turn(ann, table)
            if "U" in before["legal"]:
                break
        await ann.do("move", table=table, number=before["number"], move="U")
        played = await my_turn(ann, table)
        assert played["can_undo"]
        assert not (await bob.watch(table))["can_undo"]
        assert await bob.code("undo", table=table, number=played["number"]) == "not-practice"
        await ann.do("undo", table=table, number=played["number"])
        again = await my_turn(ann, table)
        assert (again["view"], again["legal"], again["can_undo"]) == (before["view"], before["legal"], False)
