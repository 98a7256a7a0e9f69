"""What logs in PostgreSQL have more than a node knows, read for many tables at once.

Each move at another node means a look at one log. What is asked for while the database answers is asked for
together: with a hundred tables the half of the work that a question takes by itself is shared by many.
"""

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

from kibitz.server.stores.postgres_connections import AsyncConnection, Connections
from kibitz.server.stores.postgres_opening import sql
from kibitz.server.stores.postgres_writing import COLUMNS, give
from kibitz.server.stores.store import Row

TOGETHER = 256  # logs of one question
NEWER = sql(f"""
SELECT place, {", ".join("r." + column for column in COLUMNS.split(", "))}
FROM unnest(%b::text[], %b::bigint[]) WITH ORDINALITY wanted (log, after, place)
CROSS JOIN LATERAL (
    SELECT * FROM rows WHERE log = wanted.log AND number > wanted.after ORDER BY number OFFSET 0
) r
ORDER BY place, number
""")  # OFFSET 0: each log by its index, where the planner would rather read all rows of a small store


class Wanted(NamedTuple):
    """The rows of a log after one, and who waits for them."""

    table: str
    after: int
    answer: "asyncio.Future[list[Row]]"


class RowReader:
    """Reads on in logs, many at a time."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._waiting: list[Wanted] = []
        self._task: asyncio.Task[None] | None = None

    def read(self, table: str, after: int) -> "asyncio.Future[list[Row]]":
        """The rows of a log after one, soon."""
        answer: asyncio.Future[list[Row]] = asyncio.get_running_loop().create_future()
        self._waiting.append(Wanted(table, after, answer))
        if self._task is None:
            self._task = asyncio.create_task(self._read_all())
        return answer

    async def close(self) -> None:
        """Answer what was asked."""
        if self._task is not None:
            await self._task

    async def _read_all(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:TOGETHER], self._waiting[TOGETHER:]
            await self._read(batch)
        self._task = None

    async def _read(self, batch: Sequence[Wanted]) -> None:
        found: Sequence[list[Row] | Exception]
        try:
            found = await self._connections.ask(lambda connection: newer(connection, batch))
        except Exception as error:
            found = [error] * len(batch)
        give(zip((wanted.answer for wanted in batch), found))


async def newer(connection: AsyncConnection, batch: Sequence[Wanted]) -> list[list[Row]]:
    """The newer rows of each."""
    asked = [wanted.table for wanted in batch], [wanted.after for wanted in batch]
    found: list[list[Row]] = [[] for _ in batch]
    for place, *values in await (await connection.execute(NEWER, asked, prepare=True)).fetchall():
        found[place - 1].append(Row(*values))
    return found
