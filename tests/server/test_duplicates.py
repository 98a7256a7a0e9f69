"""Every command, sent again in every way: the same answer, and one row.

The rows of the matrix are the commands; the columns: twice before the answer, again after it, again from
another connection, again after `kill -9` and a restart, the same id with another body, stale, future.
"""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.server.client import Client, connected
from tests.server.serving import Server, in_loop

Fields = dict[str, Any]
# Command, its fields, another body's
Scene = Callable[[Client, Client], Awaitable[tuple[str, Fields, Fields]]]


async def playing(ann: Client, bob: Client) -> tuple[str, Fields]:
    """A table at which Ann is in turn."""
    while True:
        table = await ann.create("me", "open")
        await bob.do("sit", table=table)
        now = await ann.watch(table)
        await ann.say("unwatch", table=table)
        if now["legal"]:
            return table, now


async def rename(ann: Client, bob: Client) -> tuple[str, Fields, Fields]:
    return "rename", {"name": "Ann"}, {"name": "Zoe"}


async def create(ann: Client, bob: Client) -> tuple[str, Fields, Fields]:
    return "create", {"game": "tiny", "seats": ["me", "open"]}, {"game": "tiny", "seats": ["open", "me"]}


async def sit(ann: Client, bob: Client) -> tuple[str, Fields, Fields]:
    table = await bob.create("me", "open", "open")
    return "sit", {"table": table}, {"table": table, "seat": 2}


async def stand(ann: Client, bob: Client) -> tuple[str, Fields, Fields]:
    table, _ = await playing(ann, bob)
    return "stand", {"table": table}, {}


async def move(ann: Client, bob: Client) -> tuple[str, Fields, Fields]:
    table, now = await playing(ann, bob)
    first, *_, last = now["legal"]
    number = now["number"]
    return (
        "move",
        {"table": table, "number": number, "move": first},
        {"table": table, "number": number, "move": last},
    )


async def undo(ann: Client, bob: Client) -> tuple[str, Fields, Fields]:
    table = await ann.create("me", "random")
    now = await ann.watch(table)
    while not now["legal"]:
        now = await ann.hear("table")
    await ann.do("move", table=table, number=now["number"], move=now["legal"][0])
    now = await ann.hear("table", thinking=None)
    number = now["number"]
    return "undo", {"table": table, "number": number}, {"table": table, "number": number - 1}


async def resign(ann: Client, bob: Client) -> tuple[str, Fields, Fields]:
    table, _ = await playing(ann, bob)
    return "resign", {"table": table}, {}


async def replace(ann: Client, bob: Client) -> tuple[str, Fields, Fields]:
    table = await ann.create("me", "open", "open")
    return "replace", {"table": table, "seat": 1}, {"table": table, "seat": 2}


async def rematch(ann: Client, bob: Client) -> tuple[str, Fields, Fields]:
    table, _ = await playing(ann, bob)
    await bob.do("resign", table=table)
    return "rematch", {"table": table}, {}


async def chat(ann: Client, bob: Client) -> tuple[str, Fields, Fields]:
    table = await ann.create("me", "open")
    return "chat", {"table": table, "text": "hello"}, {"table": table, "text": "goodbye"}


async def wish(ann: Client, bob: Client) -> tuple[str, Fields, Fields]:
    table, now = await playing(bob, ann)
    fields = {"table": table, "to": now["seat"]}
    return "wish", fields | {"wanted": ["6"]}, fields | {"offered": ["1"]}


SCENES: list[Scene] = [rename, create, sit, stand, move, undo, resign, replace, rematch, chat, wish]


def times(server: Server, id: str) -> int:
    """How often a command has been carried out."""
    rows = server.query("SELECT 1 FROM rows WHERE command = ?", id)
    return len(rows) + len(server.query("SELECT 1 FROM renames WHERE command = ?", id))


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_a_command_sent_again_gets_the_same_answer_and_one_row(server: Server, scene: Scene) -> None:
    @in_loop
    async def run() -> None:
        async with connected(server.port) as ann, connected(server.port) as bob:
            type, fields, other = await scene(ann, bob)
            token = ann.welcome["token"]
            for _ in range(2):
                await ann.say(type, id="same", **fields)
            done = await ann.hear("done", "refused", id="same")
            assert done["type"] == "done"
            assert await ann.hear("done", "refused", id="same") == done, "twice before the answer"
            assert await ann.ask(type, id="same", **fields) == done, "again after it"
            async with connected(server.port, token) as again:
                assert await again.ask(type, id="same", **fields) == done, "from another connection"
            if other:
                assert await ann.code(type, id="same", **other) == "same-id"
            if "table" in fields:
                assert await bob.code("chat", id="same", table=fields["table"], text="mine") == "same-id"
            assert times(server, "same") == 1
        server.restart()
        async with connected(server.port, token) as again:
            assert await again.ask(type, id="same", **fields) == done, "after a restart"
            if other:
                assert await again.code(type, id="same", **other) == "same-id"
        assert times(server, "same") == 1

    run()


@pytest.mark.parametrize("scene", [move, undo], ids=lambda scene: scene.__name__)
def test_a_number_from_the_past_or_the_future_is_refused(server: Server, scene: Scene) -> None:
    @in_loop
    async def run() -> None:
        async with connected(server.port) as ann, connected(server.port) as bob:
            type, fields, _ = await scene(ann, bob)
            number = fields["number"]
            assert await ann.code(type, id="future", **fields | {"number": number + 1}) == "future"
            assert await ann.code(type, id="huge", **fields | {"number": 2**62}) == "future"
            await ann.do(type, **fields)
            assert await ann.code(type, id="stale", **fields) == "stale"
            assert await ann.code(type, id="older", **fields | {"number": 0}) == "stale"
            assert all(times(server, id) == 0 for id in ("future", "huge", "stale", "older"))

    run()


@in_loop
async def test_a_refused_command_leaves_its_id_free(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob:
        table, now = await playing(ann, bob)
        assert await ann.code("move", id="x", table=table, number=2, move="lay 0") == "unknown-move"
        await ann.do("move", id="x", table=table, number=2, move=now["legal"][0])


@in_loop
async def test_two_connections_at_once_carry_a_command_out_once(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob:
        table, now = await playing(ann, bob)
        async with connected(server.port, ann.welcome["token"]) as tab:
            for client in (ann, tab):
                await client.say("move", id="x", table=table, number=2, move=now["legal"][0])
            answers = [await client.hear("done", "refused", id="x") for client in (ann, tab)]
            assert answers[0] == answers[1]
            assert answers[0]["type"] == "done"
        assert times(server, "x") == 1
