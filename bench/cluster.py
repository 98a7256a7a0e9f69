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
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bench.kibitz_pairs import GAME, Client, KibitzPair, greeted
from bench.measure import CORES, Measurement, Progress, Row, Skipped, using
from bench.pairs import Pair, Tally
from bench.server_moves import Side, play, share
from bench.serving import Server, kibitz_server
from scripts.engines import Postgres, free_port, give_away, here

NODES = (1, 2, 3)
IDLE = 10_000  # sockets
AT_ONCE = 50  # that are opened
ONLOOKERS = 1000
SHOWN = 20  # messages to all of them
METHOD = (
    "As for `server_moves`, two players a table, but each at another node, and PostgreSQL (fsync on, on the "
    "same disk) shares the servers' core: {cores} cores for all nodes, the database and the client together."
)


class Nodes(Server):
    """Several servers that are measured as one."""

    def __init__(self, nodes: Sequence[Server]) -> None:
        super().__init__(nodes[0].pid, nodes[0].port)
        self.nodes = nodes

    @property
    def processor_seconds(self) -> float:
        """What all have used so far."""
        return sum(node.processor_seconds for node in self.nodes)

    def pair(self, number: int) -> Callable[[Tally], Awaitable[Pair]]:
        """Two new guests, each at another node."""

        async def sit_down(tally: Tally) -> Pair:
            ports = [self.nodes[(number + seat) % len(self.nodes)].port for seat in range(2)]
            return KibitzPair(tally, (await greeted(ports[0]), await greeted(ports[1])))

        return sit_down


@contextmanager
def database() -> Iterator[Postgres]:
    """A PostgreSQL as it would be in earnest, on the servers' core."""
    folder = Path(tempfile.mkdtemp(prefix="kibitz-"))
    give_away(folder)
    folder.chmod(0o755)
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
    """Moves a second, latency, processor time and bytes; then sockets and onlookers."""
    if not here("initdb", "pg_ctl"):
        raise Skipped("PostgreSQL is not here")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        postgres = stack.enter_context(database())
        alone = stack.enter_context(kibitz_server(folder / "alone", GAME))
        nodes = [
            stack.enter_context(kibitz_server(folder, GAME, store=postgres.address)) for _ in range(NODES[-1])
        ]
        sides = [side("one node, SQLite", Nodes([alone]))]
        sides += [side(f"{count} on PostgreSQL", Nodes(nodes[:count])) for count in NODES]
        disk = Disk(folder / "alone" / "kibitz.db", postgres)
        asyncio.run(play(sides, rounds, lambda done: progress(done * 0.7)))
        bytes_a_row = disk.bytes_a_row()
        wire = asyncio.run(wire_bytes(alone.port))
        fan_out, cost = asyncio.run(shown_to_many(alone, progress))
        memory = asyncio.run(idle_memory(alone, progress))
    return results(sides, bytes_a_row, wire, fan_out, cost, memory)


def side(label: str, server: Nodes) -> Side:
    """A side whose pairs sit at several nodes."""
    count = iter(range(10**9))
    return Side(label, server, lambda tally: server.pair(next(count))(tally), ours=True)


# Bytes


class Disk:
    """How much a row takes in each store, with all that belongs to it."""

    def __init__(self, file: Path, postgres: Postgres) -> None:
        self._file = file
        self._postgres = postgres

    def bytes_a_row(self) -> tuple[float, float]:
        """Of the whole file or database, for each row in it."""
        with sqlite3.connect(self._file) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            (rows,) = connection.execute("SELECT count(*) FROM rows").fetchone()
        sqlite = self._file.stat().st_size / rows
        said = self._postgres.psql(
            "SELECT (SELECT sum(pg_total_relation_size(c)) FROM unnest(ARRAY['rows', 'tables', 'seats']"
            "::regclass[]) c) / (SELECT count(*) FROM rows)"
        )
        return sqlite, float(said)


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


def results(
    sides: Sequence[Side],
    bytes_a_row: tuple[float, float],
    wire: float,
    fan_out: list[float],
    cost: float,
    memory: float,
) -> tuple[Measurement, ...]:
    """A table each of moves, waits, processor time, bytes, and what many sockets cost."""
    return (
        moves(sides),
        waits(sides),
        costs(sides),
        lengths(bytes_a_row, wire),
        crowds(fan_out, cost, memory),
    )


def moves(sides: Sequence[Side]) -> Measurement:
    """Moves a second, beside those with SQLite."""
    rates = [tuple(len(each.latencies) / each.seconds for each in side.busy) for side in sides]
    rows = tuple(
        Row(side.label, rate, ratio=None if rate is rates[0] else times_as_fast(rates[0], rate))
        for side, rate in zip(sides, rates)
    )
    method = METHOD.format(cores=os.cpu_count())
    return Measurement("cluster_moves", "Moves acknowledged, by store and nodes", "moves/s", rows, method)


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
    """What nodes do for a move."""
    rows = tuple(
        Row(side.label, tuple(1e6 * each.server_seconds / len(each.latencies) for each in side.busy))
        for side in sides
    )
    method = "As above; without the database's."
    return Measurement("cluster_cost", "Processor time of the nodes for a move", "µs", rows, method)


def lengths(bytes_a_row: tuple[float, float], wire: float) -> Measurement:
    """On disk and on the wire."""
    rows = (
        Row("on disk, SQLite", (bytes_a_row[0],)),
        Row("on disk, PostgreSQL", (bytes_a_row[1],)),
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
