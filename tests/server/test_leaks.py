"""What a viewer receives depends only on what that viewer may know. [P4]

Two servers deal worlds that differ only in what seat 0 can't see: a card in seat 1's hand, and the deck. The
same people do the same there; every byte that seat 0 and a spectator receive must be the same.
"""

from typing import Any

import msgspec
import pytest

import kibitz
from kibitz.core.state import State
from tests.server.client import Client, connected
from tests.server.conftest import ROOMY, Start
from tests.server.serving import Server, in_loop

WORLDS = 3
MOVES = 5  # made in each: hide, lay, lay, lay, lay


class World:
    """A deal in which seat 1 begins: it hides a card, then both lay open."""

    def __init__(self, secret: bytes) -> None:
        self.secret = secret
        self.moves: list[str] = []
        self.key: tuple[Any, ...] | None = None
        state = kibitz.game("tiny").deal(2, secret)
        if state.turn == 1:
            self._play(state)

    def _play(self, state: State) -> None:
        """Hide the lowest card; lay always the highest."""
        self.hidden = state.position()["hands"][1][0]
        self._move(state, f"hide {self.hidden}")
        while len(self.moves) < MOVES:
            assert state.turn is not None
            self._move(state, f"lay {state.position()['hands'][state.turn][-1]}")
        self.key = (state.view(0), msgspec.json.encode(state.log(0)))

    def _move(self, state: State, move: str) -> None:
        state.play(move)
        self.moves.append(move)


def twins() -> list[tuple[World, World]]:
    """Pairs of worlds that seat 0 can't tell apart though another card is hidden in each."""
    found: list[tuple[World, World]] = []
    known: dict[bytes, World] = {}
    number = 0
    while len(found) < WORLDS:
        number += 1
        world = World(number.to_bytes(32))
        if world.key is None:
            continue
        other = known.setdefault(msgspec.json.encode(world.key), world)
        if other.hidden != world.hidden:
            found.append((other, world))
    return found


async def visit(server: Server, world: World) -> tuple[list[Any], list[Any]]:
    """Everything that seat 0 and a spectator receive in a world, from the deal to the last move."""
    async with (
        connected(server.port, name="Ann") as ann,
        connected(server.port, name="Bob") as bob,
        connected(server.port, name="Carl") as carl,
    ):
        table = await ann.create("me", "open")
        for client in (ann, carl):
            await client.watch(table)
        await bob.do("sit", table=table, id="sit")
        number = 1
        for count, move in enumerate(world.moves):
            mover = ann if count % 2 else bob
            await ann.ask("move", table=table, number=number, move="lay 9", id=f"wrong {count}")
            await carl.ask("undo", table=table, number=number, id=f"undo {count}")
            await carl.ask("move", table=table, number=number, move=move, id=f"not mine {count}")
            await mover.do("move", table=table, number=number, move=move, id=f"move {count}")
            said = await bob.do("chat", table=table, text="hm", id=f"chat {count}")
            number = said["number"]
        for client in (ann, carl):
            await client.watch(table)
            await client.say("my-tables")
            await client.hear("tables")
        return normalised(ann, table), normalised(carl, table)


ALWAYS_DIFFERENT = ("time", "commitment", "guest", "token", "absent_seconds", "left")


def normalised(client: Client, table: str) -> list[Any]:
    """All that came, but for names, times and the secret's hash, which always differ.

    When presence is told depends on the moment; it has only who is connected.
    """
    messages = [_plain(msgspec.json.decode(text.replace(table, "TABLE"))) for text in client.received]
    return [message for message in messages if message["type"] != "presence"]


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: None if key in ALWAYS_DIFFERENT else _plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    return value


async def seen_in(server: Server, world: World) -> tuple[list[Any], list[Any]]:
    answers = await visit(server, world)
    for answer in answers:
        answer[:] = [message for message in answer if message.get("id") != "create"]
        for message in answer:
            message.pop("id", None)
    return answers


def leaks(start: Start, mutant: str | None) -> int:
    """In how many pairs of worlds somebody could tell which it is."""
    found = 0
    for pair in twins():
        received = []
        for world in pair:
            server = start(limits=ROOMY, secret=world.secret.hex(), mutant=mutant)
            visited: list[Any] = []

            @in_loop
            async def go(server: Server = server, world: World = world, visited: list[Any] = visited) -> None:
                visited.extend(await seen_in(server, world))

            go()
            server.kill()
            received.append(visited)
        found += received[0] != received[1]
    return found


def test_nobody_can_tell_worlds_apart_that_differ_in_what_is_hidden(start: Start) -> None:
    assert leaks(start, None) == 0


@pytest.mark.parametrize("mutant", ["open-events", "open-views", "open-legal-moves", "telling-errors"])
def test_a_planted_leak_is_caught(start: Start, mutant: str) -> None:
    assert leaks(start, mutant) > 0


@in_loop
async def test_the_secret_stays_until_the_game_is_over(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob:
        table = await ann.create("me", "open")
        await bob.do("sit", table=table)
        await ann.watch(table)
        secret = msgspec.json.decode(server.rows(table)[0].body)["secret"]
        assert not any(secret in text for client in (ann, bob) for text in client.received)
        await ann.do("resign", table=table)
        assert (await bob.watch(table))["secret"] == secret
