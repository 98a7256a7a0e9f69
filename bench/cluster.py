"""What a move costs with SQLite, PostgreSQL and several nodes; what idle sockets and onlookers cost.

`python -m bench cluster`. On few cores the nodes, the database and the client share them: what several nodes
bring there is told by the processor time a move, not by the moves a second.
"""

import asyncio
import json
import os
import resource
import shutil
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path

from bench.kibitz_pairs import GAME, Client, KibitzPair, greeted
from bench.measure import CORES, Measurement, Progress, Row, Skipped, using
from bench.pairs import Pair, Tally
from bench.rations import RATION, Rations, shared_out
from bench.server_moves import TABLES, Side, Window, play, share, window
from bench.serving import Server, family_seconds, kibitz_server
from scripts.engines import Postgres, engine_folder, free_port, here

NODES = (1, 2, 3)
IDLE = 10_000  # sockets
AT_ONCE = 50  # that are opened
ONLOOKERS = 1000
WRITTEN = "(pg_current_wal_insert_lsn() - '0/0')::bigint"
SHOWN = 20  # messages to all of them
METHOD = (
    "As for `server_moves`, two players a table, but each at another node, and PostgreSQL (fsync on, on the "
    "same disk) shares the servers' core: {cores} cores for all nodes, the database and the client together."
)


class Nodes(Server):
    """Several servers that are measured as one."""

    def __init__(self, nodes: Sequence[Server], database: Postgres | None = None, apart: bool = True) -> None:
        super().__init__(nodes[0].pid, nodes[0].port)
        self.nodes = nodes
        self.database = database
        self.apart = apart
        self._numbers = count()

    @property
    def processor_seconds(self) -> float:
        """What all have used so far."""
        return sum(node.processor_seconds for node in self.nodes)

    @property
    def database_seconds(self) -> float:
        """What their database has used so far."""
        return family_seconds(self.database.pid) if self.database else 0.0

    async def sit_down(self, tally: Tally) -> Pair:
        """Two new guests, each at another node; or both at one, the next pair at the next."""
        first = next(self._numbers)
        seats = (first, first + self.apart)
        here, there = [self.nodes[number % len(self.nodes)].port for number in seats]
        return KibitzPair(tally, (await greeted(here), await greeted(there)))


@contextmanager
def database() -> Iterator[Postgres]:
    """A PostgreSQL as it would be in earnest, on the servers' core."""
    folder = engine_folder()
    server = Postgres(folder / "data", free_port(), {"shared_buffers": "128MB"})
    try:
        with using({min(CORES)}):
            server.make()
            server.start()
        yield server
    finally:
        server.stop("immediate")
        shutil.rmtree(folder)


def measure(rounds: int, progress: Progress) -> tuple[Measurement, ...]:
    """Moves a second, latency, processor time and bytes; nodes with so much of a core; sockets, onlookers."""
    if not here("initdb", "pg_ctl"):
        raise Skipped("PostgreSQL is not here")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        postgres = stack.enter_context(database())
        rations = stack.enter_context(shared_out())
        alone = stack.enter_context(kibitz_server(folder / "alone", GAME))
        nodes = [
            stack.enter_context(kibitz_server(folder, GAME, store=postgres.address)) for _ in range(NODES[-1])
        ]
        sides = [side("one node, SQLite", Nodes([alone]))]
        sides += [side(f"{many} on PostgreSQL", Nodes(nodes[:many], postgres)) for many in NODES]
        disk = Disk(folder / "alone" / "kibitz.db", postgres)
        asyncio.run(play(sides, rounds, lambda done: progress(done * 0.5)))
        bytes_a_row = disk.bytes_a_row()
        wire = asyncio.run(wire_bytes(alone.port))
        grown = asyncio.run(growth(nodes, postgres, rations, rounds)) if rations else ()
        progress(0.7)
        fan_out, cost = asyncio.run(shown_to_many(alone, progress))
        memory = asyncio.run(idle_memory(alone, progress))
    return (
        moves(sides),
        waits(sides),
        costs(sides),
        *grown,
        lengths(bytes_a_row, wire),
        crowds(fan_out, cost, memory),
    )


def side(label: str, server: Nodes) -> Side:
    """A side whose pairs sit at several nodes."""
    return Side(label, server, server.sit_down, ours=True)


# Nodes that have a part of a core each


async def growth(
    nodes: Sequence[Server], postgres: Postgres, rations: Rations, rounds: int
) -> tuple[Measurement, ...]:
    """Moves a second with more and more nodes, each with its ration."""
    for node in nodes:
        rations.put(node.pid)
    sides = [side("one node", Nodes(nodes[:1], postgres))]
    for apart, where in ((False, "both players of a table at one"), (True, "at different ones")):
        sides += [
            side(f"{count} nodes, {where}", Nodes(nodes[:count], postgres, apart)) for count in NODES[1:]
        ]
    for one in sides:
        one.pairs = [await one.sit_down(one.tally) for _ in range(TABLES)]
    for number in range(1 + rounds):
        for place in range(len(sides)):
            one = sides[(number + place) % len(sides)]
            one.busy.append(await window(one))
    for one in sides:
        del one.busy[0]
    first = rates(sides[0])
    rows = tuple(
        Row(one.label, rates(one), ratio=None if one is sides[0] else times_as_fast(first, rates(one)))
        for one in sides
    )
    method = (
        f"Each node has {RATION:.0%} of a core, so that the cores are enough for nodes, database and client, "
        "and nodes are what is scarce: what more nodes bring where there are cores for them. Ratios: to one."
    )
    title = "Moves acknowledged by nodes that have a part of a core each"
    return (Measurement("cluster_growth", title, "moves/s", rows, method),)


# Bytes


class Disk:
    """How much a row takes in each store, with all that belongs to it."""

    def __init__(self, file: Path, postgres: Postgres) -> None:
        self._file = file
        self._postgres = postgres
        self._before = int(postgres.psql(f"SELECT {WRITTEN}"))

    def bytes_a_row(self) -> tuple[float, float, float]:
        """Of the whole file or database, for each row in it; what went through PostgreSQL's own log."""
        with sqlite3.connect(self._file) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            (rows,) = connection.execute("SELECT count(*) FROM rows").fetchone()
        sqlite = self._file.stat().st_size / rows
        said = self._postgres.psql(
            "SELECT (SELECT sum(pg_total_relation_size(c)) FROM unnest(ARRAY['rows', 'tables', 'seats']"
            "::regclass[]) c) / (SELECT count(*) FROM rows)",
            f"SELECT ({WRITTEN} - {self._before}) / (SELECT count(*) FROM rows)",
        )
        stored, logged = said.split()
        return sqlite, float(stored), float(logged)


async def wire_bytes(port: int) -> float:
    """What a move and what two players are shown of it take on the wire."""
    tally, received, sent = Tally(), 0, 0
    clients = (await greeted(port), await greeted(port))
    pair = KibitzPair(tally, clients)
    for client in clients:
        take, send = client.socket.take, client.socket.send

        def count_in(text: bytes, take: Callable[[bytes], None] = take) -> None:
            nonlocal received
            received += len(text)
            take(text)

        def count_out(text: bytes, send: Callable[[bytes], None] = send) -> None:
            nonlocal sent
            sent += len(text)
            send(text)

        client.socket.take, client.socket.send = count_in, count_out  # type: ignore[method-assign]
    await pair.stock_up()
    received = sent = 0
    tally.playing = True
    pair.go_on()
    await asyncio.sleep(1.0)
    tally.playing = False
    moves = max(1, len(tally.latencies))
    for socket in pair.sockets:
        socket.close()
    return (received + sent) / moves


# Many sockets


async def many(port: int, count: int, tell: Callable[[int], None] = lambda done: None) -> list[Client]:
    """So many guests who have been greeted."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(limit[1], count + 1000), limit[1]))
    clients: list[Client] = []
    while len(clients) < count:
        wanted = min(AT_ONCE, count - len(clients))
        clients += await asyncio.gather(*(greeted(port) for _ in range(wanted)))
        tell(len(clients))
    return clients


async def idle_memory(server: Server, progress: Progress) -> float:
    """How many kilobytes of the server's memory an idle socket takes."""
    before = server.megabytes
    clients = await many(server.port, IDLE, lambda done: progress(0.8 + 0.2 * done / IDLE))
    used = 1000 * (server.megabytes - before) / IDLE
    for client in clients:
        client.socket.close()
    return used


async def shown_to_many(server: Server, progress: Progress) -> tuple[list[float], float]:
    """Milliseconds until the last of many has seen a line of chat, each time; processor time of each."""
    (host,) = await many(server.port, 1)
    host.socket.take = lambda text: None
    waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    left = 0

    def seen(text: bytes) -> None:
        nonlocal left
        if b'"type":"table"' in text:
            left -= 1
            if left == 0 and not waiting.done():
                waiting.set_result(None)

    asked = asyncio.get_running_loop().create_future()
    host.socket.take = asked.set_result
    host.say("create", id="bench/t", game=GAME, seats=["me", "open"], start="full")
    table = json.loads(await asked)["table"]
    host.socket.take = lambda text: None
    clients = await many(server.port, ONLOOKERS)
    left = ONLOOKERS
    for client in clients:
        client.socket.take = seen
        client.say("watch", table=table)
    await waiting
    delays, began = [], server.processor_seconds
    for number in range(SHOWN):
        waiting, left = asyncio.get_running_loop().create_future(), ONLOOKERS
        sent = time.perf_counter()
        host.say("chat", id=f"bench/c{number}", table=table, text="hello")
        await waiting
        delays.append(1000 * (time.perf_counter() - sent))
        progress(0.7 + 0.1 * number / SHOWN)
    cost = 1000 * (server.processor_seconds - began) / SHOWN
    for client in (*clients, host):
        client.socket.close()
    return delays, cost


# What comes of it


def moves(sides: Sequence[Side]) -> Measurement:
    """Moves a second, beside those with SQLite."""
    first = rates(sides[0])
    rows = tuple(
        Row(side.label, rates(side), ratio=None if side is sides[0] else times_as_fast(first, rates(side)))
        for side in sides
    )
    method = METHOD.format(cores=os.cpu_count())
    return Measurement("cluster_moves", "Moves acknowledged, by store and nodes", "moves/s", rows, method)


def rates(side: Side) -> tuple[float, ...]:
    """Moves a second in each window in which all played as fast as they could."""
    return tuple(len(each.latencies) / each.seconds for each in side.busy)


def times_as_fast(first: Sequence[float], other: Sequence[float]) -> float:
    """The median of the rounds' ratios."""
    return statistics.median(one / another for one, another in zip(first, other))


def waits(sides: Sequence[Side]) -> Measurement:
    """Until a move is acknowledged."""
    rows = tuple(
        Row(f"{side.label}, {percent} %", tuple(share(each, percent) for each in side.calm))
        for side in sides
        for percent in (50, 99)
    )
    return Measurement("cluster_latency", "From a move to its acknowledgement, calm", "ms", rows, "As above.")


def costs(sides: Sequence[Side]) -> Measurement:
    """What nodes, database and client do for a move."""
    parts: tuple[tuple[str, Callable[[Window], float]], ...] = (
        ("nodes", lambda each: each.server_seconds),
        ("database", lambda each: each.database_seconds),
        ("client", lambda each: each.client_seconds),
    )
    rows = tuple(
        Row(f"{side.label}: {name}", tuple(1e6 * seconds(each) / len(each.latencies) for each in side.busy))
        for side in sides
        for name, seconds in parts
        if any(seconds(each) for each in side.busy)
    )
    return Measurement("cluster_cost", "Processor time of a move", "µs", rows, "As above.")


def lengths(bytes_a_row: tuple[float, float, float], wire: float) -> Measurement:
    """On disk and on the wire."""
    rows = (
        Row("on disk, SQLite", (bytes_a_row[0],)),
        Row("on disk, PostgreSQL", (bytes_a_row[1],)),
        Row("written to PostgreSQL's log", (bytes_a_row[2],)),
        Row("on the wire, both players, both directions", (wire,)),
    )
    method = "All that a row takes with its indexes and what belongs to its table."
    return Measurement("cluster_bytes", "Bytes a move", "bytes", rows, method)


def crowds(fan_out: list[float], cost: float, memory: float) -> Measurement:
    """Many who are there, and many who look on."""
    rows = (
        Row(f"memory of each of {IDLE} idle sockets, kB", (memory,)),
        Row(f"until the last of {ONLOOKERS} onlookers has seen it, ms", tuple(fan_out)),
        Row("processor time of the node for that, ms", (cost,)),
    )
    method = "Idle: greeted, watching nothing. The onlookers are one process, which has to read it all."
    return Measurement("cluster_sockets", "What many sockets cost one node", "kB or ms", rows, method)
