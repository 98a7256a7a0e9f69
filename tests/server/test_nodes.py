"""Nodes own nothing: two that serve one store agree by its conditional append. And what idle tables cost."""

import asyncio
import os
import random
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

import kibitz
from kibitz.bots.player import Bot, RandomBot
from kibitz.core.game import Game
from kibitz.server import protocol
from kibitz.server.limits import Limits
from kibitz.server.live_bots import LiveBots
from kibitz.server.nodes.bus import Bus, LocalBus, News
from kibitz.server.readiness import Readiness, silent
from kibitz.server.stores.sqlite import SqliteStore
from kibitz.server.stores.store import Guest, Row, Standing, chained
from kibitz.server.tables import live_tables, lobby, watching
from kibitz.server.tables.rooms import Tables
from kibitz.server.turns import Asker
from tests.server.client import until
from tests.server.conftest import Start
from tests.server.engines import needs_postgres
from tests.server.serving import in_loop

LIMITS = Limits(open_tables=10**6, chats=10**6)


class Ready(Readiness):
    """Everything is compiled."""

    def __init__(self) -> None:
        super().__init__([])

    def want(self, game: str, tell: Any) -> None:
        """No need."""

    async def wait(self, game: str, tell: Any) -> None:
        """No need."""


class Eye:
    """A connection that keeps what it is sent."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self.asker = Asker(guest.id)
        self.figures = False
        self.rounds = False
        self.seen: list[dict[str, Any]] = []

    def send(self, message: bytes) -> None:
        """Look at it."""
        self.seen.append(msgspec.json.decode(message))


class Silence(LocalBus):
    """A bus that loses everything."""

    def publish(self, news: News) -> None:
        """Say nothing."""


@asynccontextmanager
async def nodes(folder: Path, bus: Bus, count: int = 2) -> AsyncIterator[list[Tables]]:
    """So many nodes over one store."""
    store = SqliteStore(folder)
    for who in (ANN, BOB):
        await store.add_guest(who, who.id.encode())
    bots = LiveBots()
    made = [Tables(store, bus, Ready(), bots, LIMITS) for _ in range(count)]
    yield made
    for node in made:
        await node.close()
    bots.close()
    await store.close()


def guest(name: str) -> Guest:
    """A guest who needs no greeting."""
    return Guest(name, name.title(), "en", 0.0)


ANN, BOB = guest("ann"), guest("bob")


async def do(node: Tables, who: Guest, command: Any) -> protocol.Done:
    """Carry a command out at a node."""
    answers: list[protocol.Done] = []
    if isinstance(command, protocol.Create):
        await node.lobby.create(who, command, answers.append, silent, who.id)
    else:
        await node.appender.carry_out(who, command, answers.append, silent)
    return answers[0]


async def table_for_two(node: Tables, other: Tables) -> str:
    """Ann sits at one node, Bob at the other."""
    done = await do(node, ANN, protocol.Create(id="c", game="tiny", seats=["me", "open"], start="full"))
    assert done.table is not None
    await do(other, BOB, protocol.Sit(id="s", table=done.table))
    return done.table


async def play(here: Tables, there: Tables, eyes: dict[str, Eye], table: str) -> None:
    """Each plays at an own node until the game is over."""
    for _ in range(100):
        for node, who in ((here, ANN), (there, BOB)):
            await node.watching.watch(eyes[who.id], table, silent)
            now = eyes[who.id].seen[-1]
            if now["result"]:
                return
            if now["legal"]:
                move = random.choice(now["legal"])
                order = protocol.PlayMove(id=f"{now['number']}", table=table, number=now["number"], move=move)
                await do(node, who, order)
        await asyncio.sleep(0.01)
    raise AssertionError("the game doesn't end")


def numbers(eye: Eye) -> list[int]:
    """The rows that somebody was shown, in order."""
    whole = max(
        index
        for index, message in enumerate(eye.seen)
        if message["type"] == "table" and message["since"] is None
    )
    return [
        line["number"]
        for message in eye.seen[whole:]
        if message["type"] == "table"
        for line in message["lines"]
    ]


@in_loop
async def test_two_nodes_play_one_game(tmp_path: Path) -> None:
    async with nodes(tmp_path, LocalBus()) as (here, there):
        table = await table_for_two(here, there)
        eyes = {"ann": Eye(ANN), "bob": Eye(BOB)}
        await play(here, there, eyes, table)
        await until(lambda: numbers(eyes["ann"]) == numbers(eyes["bob"]))


@in_loop
async def test_a_node_that_heard_nothing_looks_again(tmp_path: Path) -> None:
    async with nodes(tmp_path, Silence()) as (here, there):
        done = await do(here, ANN, protocol.Create(id="c", game="tiny", seats=["me", "open"], start="full"))
        assert done.table is not None
        table = done.table
        ann = Eye(ANN)
        await here.watching.watch(ann, table, silent)
        await do(there, BOB, protocol.Sit(id="s", table=table))
        assert not ann.seen[-1]["begun"], "it has heard nothing of Bob"
        await do(there, BOB, protocol.Chat(id="x", table=table, text="hello"))
        await do(here, ANN, protocol.Chat(id="y", table=table, text="hello"))
        assert ann.seen[-1]["number"] == 4
        assert numbers(ann) == [0, 1, 2, 3, 4]


@in_loop
async def test_the_same_command_at_two_nodes_is_carried_out_once(tmp_path: Path) -> None:
    async with nodes(tmp_path, Silence()) as (here, there):
        table = await table_for_two(here, there)
        order = protocol.Chat(id="x", table=table, text="hello")
        first, second = await asyncio.gather(do(here, ANN, order), do(there, ANN, order))
        assert first == second
        rows = await here.live._store.rows(table)
        assert [row.command for row in rows] == ["c", "s", "bot/dealer/2", "x"]


@in_loop
async def test_many_at_once_at_two_nodes_leave_one_chain(tmp_path: Path) -> None:
    async with nodes(tmp_path, LocalBus()) as (here, there):
        table = await table_for_two(here, there)
        orders = [protocol.Chat(id=f"x{number}", table=table, text="hello") for number in range(40)]
        await asyncio.gather(*(do(random.choice((here, there)), ANN, order) for order in orders))
        rows = await here.live._store.rows(table)
        assert len(rows) == 43
        assert chained(rows)


class Failing(SqliteStore):
    """A store whose disk fails after the row is written."""

    fail = False

    async def append(
        self, row: Row, turn: int | None, standing: Standing | None = None, due: float | None = None
    ) -> Row:
        """Write it, then fail, when told to."""
        stored = await super().append(row, turn, standing, due)
        if self.fail:
            self.fail = False
            raise OSError("the network went away")
        return stored


@in_loop
async def test_what_failed_but_was_written_is_shown_and_answered(tmp_path: Path) -> None:
    store = Failing(tmp_path)
    for who in (ANN, BOB):
        await store.add_guest(who, who.id.encode())
    bots = LiveBots()
    node = Tables(store, LocalBus(), Ready(), bots, LIMITS)
    table = await table_for_two(node, node)
    eye = Eye(BOB)
    await node.watching.watch(eye, table, silent)
    store.fail = True
    order = protocol.Chat(id="x", table=table, text="hello")
    with suppress(OSError):
        await do(node, ANN, order)
    await until(lambda: eye.seen[-1]["number"] == 3)  # those who watch are shown what is on disk
    assert (await do(node, ANN, order)).number == 3
    assert len(await store.rows(table)) == 4
    await node.close()
    bots.close()
    await store.close()


# What is compiled


class Compiling(Ready):
    """A game that isn't compiled until somebody says so."""

    def __init__(self) -> None:
        super().__init__()
        self.compiled = asyncio.Event()

    async def wait(self, game: str, tell: Any) -> None:
        """Until then."""
        await self.compiled.wait()


@in_loop
async def test_at_a_rated_table_bots_wait_until_they_can_play_at_their_level(tmp_path: Path) -> None:
    thoughts: list[str] = []

    def thinking(level: str, game: Game, seconds: float) -> Bot:
        thoughts.append(level)
        return RandomBot(game)

    store, readiness, bots = SqliteStore(tmp_path), Compiling(), LiveBots(thinking)
    await store.add_guest(ANN, ANN.id.encode())
    node = Tables(store, LocalBus(), readiness, bots, LIMITS)
    for id, rated in (("RATED", True), ("CASUAL", False)):
        command = protocol.Create(id=id, game="tiny", seats=["easy", "easy"], pace="fast")
        created = replace(lobby.new_table(ANN, command), rated=rated)
        await node.lobby.open(id, ANN, id, b"", created)
        await node.watching.watch(Eye(ANN), id, silent)
    await until(lambda: len(thoughts) > 3)
    assert len(await store.rows("RATED")) == 2
    readiness.compiled.set()
    rated_table = node.live.find("RATED")
    assert rated_table is not None
    await until(lambda: rated_table.table.number > 1)
    await node.close()
    bots.close()
    await store.close()


# What is in memory


def loaded(node: Tables, table: str) -> bool:
    """Whether a node has a table's log in memory."""
    live = node.live.find(table)
    return live is not None and live.loaded


def memory() -> int:
    """Bytes in use by this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@in_loop
async def test_idle_tables_are_in_the_store_alone(tmp_path: Path) -> None:
    count, most = 2000, 10 << 20  # ten thousand: 50 MB
    async with nodes(tmp_path, LocalBus(), 1) as (node,):
        orders = [
            protocol.Create(id=f"c{number}", game="tiny", seats=["me", "open"], start="full")
            for number in range(count)
        ]
        await asyncio.gather(*(do(node, ANN, order) for order in orders[:200]))
        before = memory()
        for start in range(200, count, 200):
            await asyncio.gather(*(do(node, ANN, order) for order in orders[start : start + 200]))
        assert memory() - before < most
        assert len(node.live) == 0


@in_loop
async def test_a_table_nobody_watches_is_let_go(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(live_tables, "QUIET_SECONDS", 0.05)
    async with nodes(tmp_path, LocalBus(), 1) as (node,):
        table = await table_for_two(node, node)
        eye = Eye(ANN)
        await node.watching.watch(eye, table, silent)
        await asyncio.sleep(0.1)
        assert len(node.live) == 1
        node.watching.leave(eye, table)
        await until(lambda: len(node.live) == 0)
        await do(node, ANN, protocol.Chat(id="x", table=table, text="hello"))
        await until(lambda: len(node.live) == 0)


@in_loop
async def test_a_quiet_table_is_let_go_and_who_watches_it_misses_nothing(
    tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.setattr(live_tables, "QUIET_SECONDS", 0.05)
    async with nodes(tmp_path, LocalBus(), 2) as (here, there):
        table = await table_for_two(here, there)
        eye = Eye(ANN)
        await here.watching.watch(eye, table, silent)
        await until(lambda: not loaded(here, table))
        await do(here, ANN, protocol.Chat(id="x", table=table, text="from here"))
        await until(lambda: not loaded(here, table))
        await do(there, BOB, protocol.Chat(id="y", table=table, text="from there"))
        await until(lambda: numbers(eye) == [0, 1, 2, 3, 4])
        here.watching.leave(eye, table)
        await until(lambda: len(here.live) == len(there.live) == 0)


@in_loop
async def test_of_many_quiet_tables_the_longest_quiet_are_let_go(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(live_tables, "QUIET_TABLES", 3)
    monkeypatch.setattr(watching, "PRESENCE_SECONDS", 60.0)  # to tell who is there is to use a table
    async with nodes(tmp_path, LocalBus(), 1) as (node,):
        made = []
        for number in range(5):
            done = await do(
                node, ANN, protocol.Create(id=f"c{number}", game="tiny", seats=["me", "open"], start="full")
            )
            made.append(str(done.table))
            await node.watching.watch(Eye(ANN), made[-1], silent)
        assert [loaded(node, table) for table in made] == [False, False, True, True, True]
        await do(node, ANN, protocol.Chat(id="x", table=made[2], text="hello"))
        await do(node, ANN, protocol.Chat(id="x", table=made[0], text="hello"))
        assert [loaded(node, table) for table in made] == [True, False, True, False, True]


def test_table_names_are_short_and_spread() -> None:
    names = {lobby.table_id(b"key", "ann", number, 0) for number in range(20_000)}
    assert len(names) == 20_000
    assert all(len(name) == 8 and set(name) <= set(lobby.ALPHABET) for name in names)
    assert lobby.table_id(b"key", "a", "b") != lobby.table_id(b"other", "a", "b")
    assert lobby.table_id(b"key", "ab", "c") != lobby.table_id(b"key", "a", "bc")


def test_every_game_here_can_be_opened() -> None:
    for name in kibitz.games():
        game: Game = kibitz.game(name)
        created = lobby.new_table(
            ANN, protocol.Create(id="c", game=name, seats=["me"] + ["easy"] * (game.players.start - 1))
        )
        assert created.rules == game.rules_version


@pytest.mark.parametrize("engine", ["sqlite", pytest.param("postgres", marks=needs_postgres)])
def test_a_node_at_which_nobody_plays_does_next_to_nothing(
    engine: str, start: Start, request: pytest.FixtureRequest
) -> None:
    """Over the database's own bus, which listens all the time."""
    settings = {} if engine == "sqlite" else {"store": request.getfixturevalue("database")}
    server = start(**settings)
    time.sleep(0.5)
    before = processor_seconds(server.pid)
    time.sleep(2)
    assert processor_seconds(server.pid) - before < 0.2


def processor_seconds(pid: int) -> float:
    """What a process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
