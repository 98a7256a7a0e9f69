"""What is remembered of games that are over."""

from tests.server.client import connected
from tests.server.serving import Server, in_loop


@in_loop
async def test_finished_games_are_told_to_those_who_played_them(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob, connected(server.port) as eve:
        for _ in range(2):
            table = await ann.create("me", "open")
            await bob.do("sit", table=table)
            await bob.do("resign", table=table)
        told = {}
        for name, client in (("ann", ann), ("bob", bob), ("eve", eve)):
            await client.say("my-results")
            told[name] = (await client.hear("results"))["games"]
        assert [len(games) for games in told.values()] == [2, 2, 0]
        latest = told["ann"][0]
        assert latest["table"] == table
        assert latest["seat"] in latest["winners"]
        assert latest["people"] == told["bob"][1]["people"]
        assert ann.welcome["guest"] not in str(told["bob"])
