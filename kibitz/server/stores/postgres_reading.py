"""What logs in PostgreSQL have more than a node knows, read for many tables at once.

Each move at another node means a look at one log. What is asked for while the database answers is asked for
together: with a hundred tables the half of the work that a question takes by itself is shared by many.
"""

from collections.abc import Sequence
from typing import NamedTuple

from kibitz.server.stores.postgres_connections import AsyncConnection
from kibitz.server.stores.postgres_opening import sql
from kibitz.server.stores.postgres_writing import COLUMNS
from kibitz.server.stores.store import Row

NEWER = sql(f"""
SELECT place, {", ".join("r." + column for column in COLUMNS.split(", "))}
FROM unnest(%b::text[], %b::bigint[]) WITH ORDINALITY wanted (log, after, place)
CROSS JOIN LATERAL (
    SELECT * FROM rows WHERE log = wanted.log AND number > wanted.after ORDER BY number OFFSET 0
) r
ORDER BY place, number
""")  # OFFSET 0: each log by its index, where the planner would rather read all rows of a small store


class NewerRows(NamedTuple):
    """The rows of a log after one."""

    table: str
    after: int


async def newer(connection: AsyncConnection, batch: Sequence[NewerRows]) -> list[list[Row]]:
    """The newer rows of each."""
    asked = [wanted.table for wanted in batch], [wanted.after for wanted in batch]
    found: list[list[Row]] = [[] for _ in batch]
    for place, *values in await connection.fetch(NEWER, asked):
        found[place - 1].append(Row(*values))
    return found
