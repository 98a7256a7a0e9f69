"""What tables cost a server's memory."""

import asyncio
import tempfile
import time
from pathlib import Path

from bench.kibitz_pairs import GAME, KibitzPair, kibitz_pair
from bench.measure import Measurement, Progress, Row
from bench.pairs import Tally
from bench.serving import Server, kibitz_server

TABLES = 10_000
PAIRS = 20  # of guests, who share the tables
TRIED = 10  # tables of each pair before anything is measured: what they wake up isn't the tables' own
LEAVING = 90.0  # seconds within which the server forgets tables that nobody watches
AIM = 50  # MB
METHOD = (
    "A server's resident memory. No tables: with one game ready to be played (most of it is Numba), after "
    f"some tables have come and gone. The other lines tell what {TABLES} tables add to that. At each two "
    "guests have sat down and the cards are dealt. Watched: both look on. Idle: nobody does. A table where "
    "nothing happens leaves the memory after a while and is read from the disk when something does."
)


def measure(rounds: int, progress: Progress) -> Measurement:
    """The megabytes of many tables, watched and idle; once, whatever the number of rounds."""
    with tempfile.TemporaryDirectory() as folder, kibitz_server(Path(folder) / "kibitz", GAME) as server:
        before, watched, idle = asyncio.run(grow(server, progress))
    rows = (
        Row(f"{TABLES} idle tables add", (idle - before,), most=AIM),
        Row(f"{TABLES} watched tables add", (watched - before,)),
        Row("no tables", (before,)),
    )
    return Measurement("server_memory", f"Memory for {TABLES} tables of Ka-Ching!", "MB", rows, METHOD)


async def grow(server: Server, progress: Progress) -> tuple[float, float, float]:
    """The memory before there are many tables, while they are watched, and when nobody watches them."""
    pairs = [await kibitz_pair(server.port, Tally()) for _ in range(PAIRS)]
    await asyncio.gather(*(open_tables(pair, TRIED) for pair in pairs))
    await leave(server, pairs)
    before = server.megabytes
    share = TABLES // PAIRS
    for done in range(0, share, TRIED):
        await asyncio.gather(*(open_tables(pair, TRIED) for pair in pairs))
        progress((done + TRIED) / share)
    watched = server.megabytes
    await leave(server, pairs)
    return before, watched, server.megabytes


async def open_tables(pair: KibitzPair, count: int) -> None:
    """Open tables that both guests watch."""
    for _ in range(count):
        table = await pair.open_table()
        pair.stock.append(table)
        for client in pair.clients:
            await client.watch(table)


async def leave(server: Server, pairs: list[KibitzPair]) -> None:
    """Watch none of the tables any more, and wait until the server has forgotten them."""
    for pair in pairs:
        for table in pair.stock:
            for client in pair.clients:
                client.say("unwatch", table=table)
        pair.stock.clear()
    until = time.monotonic() + LEAVING
    while server.health["tables"]:
        if time.monotonic() > until:
            raise TimeoutError("the server keeps tables that nobody watches")
        await asyncio.sleep(0.5)
