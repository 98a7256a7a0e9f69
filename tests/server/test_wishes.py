"""Wishes: a rival tells the player in turn what it would trade. Talk, which all at the table hear."""

from kibitz.server.protocol import WISH_CARDS
from tests.server.client import Client, Message, connected
from tests.server.conftest import Start
from tests.server.serving import Server, in_loop


async def playing(start: Client, other: Client) -> tuple[Client, Client, str, Message]:
    """The one of two who is in turn, the rival, their table, and how it looks to the first."""
    table = await start.create("me", "open")
    await other.do("sit", table=table)
    for player, rival in ((start, other), (other, start)):
        now = await player.watch(table)
        if now["legal"]:
            return player, rival, table, now
        await player.say("unwatch", table=table)
    raise AssertionError("nobody is in turn")


@in_loop
async def test_a_wish_is_told_to_all_at_the_table_and_is_no_move(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob, connected(server.port) as carl:
        player, rival, table, now = await playing(ann, bob)
        await carl.watch(table)
        seat = now["seat"]
        wish = {"to": seat, "offered": ["1"], "wanted": ["6", "6"]}
        await rival.do("wish", table=table, **wish)
        for who in (player, carl):
            (line,) = (heard := await who.hear("table"))["lines"]
            assert (line["kind"], line["seat"], line["wish"]) == ("wish", 1 - seat, wish)
            (sentence,) = line["sentences"]
            assert sentence["key"] == "log.wish"
            assert sentence["data"]["rival"] == {"seat": seat}
        assert heard["view"]["moves"] == now["view"]["moves"]
        await player.do("move", table=table, number=now["number"], move=now["legal"][0])


@in_loop
async def test_a_wish_tells_nothing_of_what_its_sender_holds(server: Server) -> None:
    """Any card can be named: what is answered and told depends on nothing but the wish."""
    async with connected(server.port) as ann, connected(server.port) as bob:
        player, rival, table, now = await playing(ann, bob)
        held = (await rival.watch(table))["view"]["hands"][1 - now["seat"]]
        not_held = next(card for card in map(str, range(1, 7)) if card not in held)
        for name in (str(held[0]), not_held):
            done = await rival.do("wish", table=table, to=now["seat"], offered=[name], wanted=[])
            (line,) = (await player.hear("table"))["lines"]
            assert line["wish"]["offered"] == [name]
            assert done.keys() == {"type", "id", "table", "number"}


@in_loop
async def test_refused_wishes(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob:
        player, rival, table, now = await playing(ann, bob)
        seat = now["seat"]
        wish = {"table": table, "to": seat, "wanted": ["6"]}
        assert await player.code("wish", **wish) == "wish-in-turn"
        assert await rival.code("wish", **wish | {"to": 1 - seat}) == "wish-not-in-turn"
        assert await rival.code("wish", **wish | {"to": 2}) == "no-such-seat"
        assert await rival.code("wish", **wish | {"wanted": []}) == "nothing-said"
        for name in ("7", "?", "", " 6", "lay 6"):
            assert await rival.code("wish", **wish | {"offered": [name]}) == "unknown-card"
        await rival.do("wish", **wish | {"wanted": ["6"] * WISH_CARDS})
        too_many = ["6"] * (WISH_CARDS + 1)
        assert await rival.code("wish", **wish | {"offered": too_many}) == "wish-too-long"


@in_loop
async def test_where_nothing_can_be_named_nobody_wishes(start: Start) -> None:
    server = start(games=["kaching"])
    async with connected(server.port) as ann, connected(server.port) as bob:
        table = await ann.create("me", "open", game="kaching")
        await bob.do("sit", table=table)
        assert await ann.code("wish", table=table, to=1, wanted=["6"]) == "no-wishes"


@in_loop
async def test_five_wishes_in_ten_seconds_beside_the_chat(start: Start) -> None:
    server = start()
    async with connected(server.port) as ann, connected(server.port) as bob:
        _, rival, table, now = await playing(ann, bob)
        wish = {"table": table, "to": now["seat"], "wanted": ["6"]}
        for number in range(5):
            await rival.do("wish", **wish, id=f"w{number}")
        assert await rival.code("wish", **wish) == "slow-down"
        await rival.do("wish", **wish, id="w3")
        await rival.do("chat", table=table, text="please")


@in_loop
async def test_a_table_has_room_for_so_many_wishes(start: Start) -> None:
    server = start(limits={"messages": 10_000, "wishes": 10_000})
    async with connected(server.port) as ann, connected(server.port) as bob:
        _, rival, table, now = await playing(ann, bob)
        wish = {"table": table, "to": now["seat"], "wanted": ["6"]}
        for number in range(500):
            await rival.say("wish", id=f"{number}", **wish)
        assert await rival.code("wish", **wish) == "chat-full"
