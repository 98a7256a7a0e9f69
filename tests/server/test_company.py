"""Tables of more than two, with people and bots in any mix."""

import asyncio
import itertools

import pytest

from tests.server.client import Client, Message, connected
from tests.server.serving import Server, in_loop


async def step(table: str, *clients: Client) -> list[Message]:
    """Whoever of these people is in turn moves; returns what they saw before."""
    seen = []
    for client in clients:
        now = await client.watch(table)
        seen.append(now)
        if now["legal"]:
            await client.do("move", table=table, number=now["number"], move=now["legal"][-1])
    await asyncio.sleep(0.01)
    return seen


async def play_out(table: str, *clients: Client) -> list[Message]:
    """Let these people and the bots play the game to its end; returns all that the people saw."""
    seen = await step(table, *clients)
    while not seen[-1]["result"]:
        seen += await step(table, *clients)
    return seen


def actors(server: Server, table: str) -> list[str]:
    """Who made each move."""
    return [row.actor for row in server.rows(table) if row.kind == "move"]


SEATS = ("me", "open", "random")


@pytest.mark.parametrize("seats", list(itertools.permutations(SEATS)))
def test_people_and_bots_play_a_game_to_its_end(server: Server, seats: tuple[str, ...]) -> None:
    @in_loop
    async def play() -> None:
        async with connected(server.port) as ann, connected(server.port) as bob:
            table = await ann.create(*seats)
            await bob.do("sit", table=table)
            await play_out(table, ann, bob)
            people = {"me": ann.welcome["guest"], "open": bob.welcome["guest"]}
            sitting = [people.get(kind, f"bot/{seat}") for seat, kind in enumerate(seats)]
            made = actors(server, table)
            assert set(made) == set(sitting)
            first = sitting.index(made[0])
            assert made == [sitting[(first + turn) % 3] for turn in range(len(made))]

    play()


@in_loop
async def test_a_leaver_of_three_is_played_for_and_comes_back(server: Server) -> None:
    async with (
        connected(server.port) as ann,
        connected(server.port) as bob,
        connected(server.port) as eve,
    ):
        table = await ann.create("me", "open", "open")
        await bob.do("sit", table=table)
        await eve.do("sit", table=table)
        await bob.do("stand", table=table)
        while "bot/1" not in actors(server, table):
            await step(table, ann, eve)
        now = await bob.watch(table)
        assert now["seats"][1]["kept_for_you"]
        assert now["legal"] == []
        await bob.do("sit", table=table)
        await play_out(table, ann, bob, eve)
        made = actors(server, table)
        assert {ann.welcome["guest"], bob.welcome["guest"], eve.welcome["guest"], "bot/1"} == set(made)
        assert "bot/1" not in made[made.index(bob.welcome["guest"]) :]


@in_loop
async def test_a_forced_move_is_left_to_the_person(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob:
        table = await ann.create("me", "open")
        await bob.do("sit", table=table)
        seen = await play_out(table, ann, bob)
        decisions = [now for now in seen if now["legal"]]
        assert any(len(now["legal"]) == 1 for now in decisions)
        assert len(decisions) == len(actors(server, table))
