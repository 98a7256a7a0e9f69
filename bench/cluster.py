"""What a move costs with SQLite, PostgreSQL and several nodes.

On few cores the nodes, the database and the client share them: what several nodes bring there is told by the
processor time a move, and by `growth.py`, not by the moves a second.
"""

import asyncio
import os
import shutil
import sqlite3
import statistics
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path

from bench.kibitz_pairs import GAME, KibitzPair, greeted
from bench.measure import CORES, Measurement, Progress, Row, Skipped, using
from bench.pairs import Pair, Tally
from bench.server_moves import Side, Window, play, share
from bench.serving import Server, family_seconds, kibitz_server
from scripts.engines import Postgres, engine_folder, free_port, here, nats

NODES = (1, 2, 3)
ALONE = "alone"  # the database of a node that has one for itself
WRITTEN = "(pg_current_wal_insert_lsn() - '0/0')::bigint"
METHOD = (
    "As for `server_moves`, two players a table, but each at another node, and PostgreSQL (fsync on, on the "
    "same disk) and NATS share the servers' core: {cores} cores for all of these and the client together."
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
    """Moves a second, latency, processor time and bytes."""
    if not here("initdb", "pg_ctl"):
        raise Skipped("PostgreSQL is not here")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        postgres = stack.enter_context(database())
        alone = stack.enter_context(kibitz_server(folder / "alone", GAME))
        nodes = stack.enter_context(house(folder, postgres))
        sides = [side("one node, SQLite", Nodes([alone]))]
        sides += [side(f"{many} on PostgreSQL", Nodes(nodes[many], postgres)) for many in NODES]
        disk = Disk(folder / "alone" / "kibitz.db", postgres)
        asyncio.run(play(sides, rounds, progress))
        bytes_a_row = disk.bytes_a_row()
        wire = asyncio.run(wire_bytes(alone.port))
    return moves(sides), waits(sides), costs(sides), lengths(bytes_a_row, wire)


@contextmanager
def house(folder: Path, postgres: Postgres) -> Iterator[Mapping[int, Sequence[Server]]]:
    """One node with a database of its own; several that share another, and talk over NATS if it is here."""
    with ExitStack() as stack:
        postgres.psql(f"CREATE DATABASE {ALONE}")
        alone = kibitz_server(folder, GAME, store=postgres.database(ALONE))
        one = [stack.enter_context(alone)]
        bus = stack.enter_context(news(folder))
        several = [
            stack.enter_context(kibitz_server(folder, GAME, store=postgres.address, bus=bus))
            for _ in range(NODES[-1])
        ]
        yield {1: one} | {many: several[:many] for many in NODES[1:]}


@contextmanager
def news(folder: Path) -> Iterator[str | None]:
    """The address of a NATS server on the servers' core; None where it isn't installed."""
    if not here("nats-server"):
        yield None
        return
    server = nats(folder, free_port())
    with using({min(CORES)}):
        server.start()
    try:
        yield f"nats://127.0.0.1:{server.port}"
    finally:
        server.stop()


def side(label: str, server: Nodes) -> Side:
    """A side whose pairs sit at several nodes."""
    return Side(label, server, server.sit_down, ours=True)


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
            f"SELECT {WRITTEN} - {self._before}",
            "SELECT count(*) FROM rows",
        )
        stored, logged, theirs = map(float, said.split())
        others = float(self._postgres.psql("SELECT count(*) FROM rows", database=ALONE))
        return sqlite, stored, logged / (theirs + others)


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
