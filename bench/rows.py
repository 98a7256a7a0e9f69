"""What a row costs a node and its database, by store: processor time, which holds on a busy machine, too."""

import asyncio
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from bench.cluster import database
from bench.measure import Measurement, Progress, Row, Skipped
from bench.serving import family_seconds
from kibitz.server.stores.sqlite import SqliteStore
from kibitz.server.stores.store import Row as LogRow
from kibitz.server.stores.store import SeatFacts, Standing, Store, next_row
from scripts.engines import here

TOGETHER = (5, 30)  # rows that come in at the same moment, each at another table
MOMENTS = 1000
DUE = 5e9  # of a clock
STANDING = Standing("kaching", "ann", (SeatFacts("ann"), SeatFacts("bob")), begun=True, over=False)
METHOD = (
    "Rows without a change of any list, so many at a moment, all synced before the next moment. The node is "
    "the process that asks, the database all processes of PostgreSQL; SQLite's writing is the node's own."
)


def measure(rounds: int, progress: Progress) -> tuple[Measurement, ...]:
    """Microseconds of processor time a row, of the node and of the database; once, whatever the rounds."""
    if not here("initdb", "pg_ctl"):
        raise Skipped("PostgreSQL is not here")
    from kibitz.server.stores.postgres import PostgresStore

    rows: list[Row] = []
    for count in TOGETHER:
        with tempfile.TemporaryDirectory() as folder:
            node, _ = costs(partial(SqliteStore, Path(folder)), count, None, 0)
            rows.append(Row(f"{count} at once: SQLite, node", (node,)))
        for clocks, due in (("", None), (", clocks", DUE)):
            with database() as server:
                node, theirs = costs(partial(PostgresStore, server.address), count, due, server.pid)
            rows.append(Row(f"{count} at once: PostgreSQL{clocks}, node", (node,)))
            rows.append(Row(f"{count} at once: PostgreSQL{clocks}, database", (theirs,)))
        progress(len(rows) / (5 * len(TOGETHER)))
    return (Measurement("rows", "Processor time of a row", "µs", tuple(rows), METHOD),)


def costs(open_store: Callable[[], Store], count: int, due: float | None, pid: int) -> tuple[float, float]:
    """What a row costs this process, and those of a database."""

    async def add() -> tuple[float, float]:
        store = open_store()
        ends = [await store.append(opened(f"table{number}"), None, STANDING) for number in range(count)]
        ends = await moment(store, ends, due)
        node, theirs = time.process_time(), (family_seconds(pid) if pid else 0.0)
        for _ in range(MOMENTS):
            ends = await moment(store, ends, due)
        spent = time.process_time() - node, (family_seconds(pid) if pid else 0.0) - theirs
        await store.close()
        return spent

    node, theirs = asyncio.run(add())
    return 1e6 * node / (count * MOMENTS), 1e6 * theirs / (count * MOMENTS)


def opened(table: str) -> LogRow:
    """The first row of a table."""
    return made(None, table, b"{}")


async def moment(store: Store, ends: list[LogRow], due: float | None) -> list[LogRow]:
    """A row more at each table."""
    time_due = None if due is None else due + ends[0].number
    rows = [made(end, end.table, b'{"seat":0,"move":"buy 2"}') for end in ends]
    return await asyncio.gather(*(store.append(row, 1, None, time_due) for row in rows))


def made(last: LogRow | None, table: str, body: bytes) -> LogRow:
    """The next row of a table."""
    number = 0 if last is None else last.number + 1
    return next_row(
        last,
        table=table,
        kind="move" if number else "create",
        actor="ann",
        time=time.time(),
        command=f"command/{number}",
        fingerprint=bytes(16),
        body=body,
    )
