"""What follows from views by the rules is shown to whoever asked for it, and to nobody else."""

from tests.server.client import connected
from tests.server.serving import Server, in_loop
from tests.server.test_past import recalled


def test_who_asks_is_shown_figures_with_every_view_of_the_own_seat(server: Server) -> None:
    @in_loop
    async def play() -> None:
        async with connected(server.port, figures=True) as ann, connected(server.port, figures=True) as ben:
            table = await ann.create("me", "open")
            await ben.do("sit", table=table)
            first = {client: await client.watch(table) for client in (ann, ben)}
            mover, waiter = (ann, ben) if first[ann]["legal"] else (ben, ann)
            assert set(first[mover]["figures"]["gains"]) == set(first[mover]["legal"])
            assert first[waiter]["figures"]["gains"] == {}
            number = first[mover]["number"]
            await mover.do("move", table=table, number=number, move=first[mover]["legal"][0])
            for client in (mover, waiter):
                shown = await client.hear("table", since=number)
                assert sum(shown["figures"]["sums"]) > 0
                assert (await recalled(client, table, number))["figures"] == first[client]["figures"]

    play()


def test_who_does_not_ask_is_shown_none_beside_one_who_does(server: Server) -> None:
    @in_loop
    async def play() -> None:
        async with connected(server.port, figures=True) as ann, connected(server.port) as ben:
            table = await ann.create("me", "easy")
            assert "figures" in await ann.watch(table)
            shown = await ben.watch(table)
            assert "figures" not in shown
            assert "figures" not in await recalled(ben, table, shown["number"])

    play()
