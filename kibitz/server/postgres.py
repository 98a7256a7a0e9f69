"""The store in PostgreSQL, for any number of nodes: `postgres_writing` adds rows, the rest is here."""

import hmac
import logging
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from kibitz.core.extras import needing
from kibitz.server.postgres_connections import AsyncConnection, Connections
from kibitz.server.postgres_opening import LOCK, open_store, sql
from kibitz.server.postgres_writing import COLUMNS, RowWriter
from kibitz.server.sqlite import SEEN_EVERY, told_once
from kibitz.server.store import Finished, Guest, Listed, Row, Standing, StoreFailed, finished, listed

with needing("postgres"):
    import psycopg  # noqa: F401

log = logging.getLogger("kibitz.store")

EXPIRED_AT_ONCE = 100  # tables, so that nobody's move waits long

ROWS = sql(f"SELECT {COLUMNS} FROM rows WHERE log = %s AND number > %s ORDER BY number")
EXPIRED = "SELECT 1 FROM tables WHERE log = %s AND expired IS NOT NULL"
ENDS = """
SELECT wanted.log, (SELECT number FROM rows WHERE log = wanted.log ORDER BY number DESC LIMIT 1)
FROM unnest(%s::text[]) wanted (log)
"""
ADD_GUEST = "INSERT INTO guests VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT (id) DO NOTHING"
GUEST = "SELECT token_hash, seen, id, name, language, created FROM guests WHERE token_hash = %s"
SEEN = "UPDATE guests SET seen = %s WHERE id = %s"
NAMES = "SELECT id, name FROM guests WHERE id = ANY (%s)"
RENAME = """
WITH new AS (
    INSERT INTO renames VALUES (%s, %s, %b, %s, %s) ON CONFLICT DO NOTHING RETURNING guest, name
)
UPDATE guests SET name = new.name FROM new WHERE guests.id = new.guest
"""
RENAMED = "SELECT fingerprint FROM renames WHERE guest = %s AND command = %s"
TABLES_OF = """
SELECT t.log, t.standing, r.time, r.turn, t.due FROM seats s JOIN tables t USING (log)
CROSS JOIN LATERAL (SELECT time, turn FROM rows WHERE log = s.log ORDER BY number DESC LIMIT 1) r
WHERE s.guest = %s ORDER BY r.time DESC LIMIT %s
"""
DUE = "SELECT log FROM tables WHERE due < %s AND expired IS NULL ORDER BY due LIMIT %s"
ALIVE = """
WITH before AS (SELECT value FROM meta WHERE key = 'alive'),
noted AS (
    INSERT INTO meta VALUES ('alive', %s) ON CONFLICT (key) DO UPDATE SET value = excluded.value
)
SELECT value FROM before
"""
LISTED_TABLES = """
SELECT t.log, t.standing, r.time, r.turn, t.due FROM tables t
CROSS JOIN LATERAL (SELECT time, turn FROM rows WHERE log = t.log ORDER BY number DESC LIMIT 1) r
WHERE t.listed AND t.expired IS NULL ORDER BY t.created DESC LIMIT %s
"""
WAITING_TABLES = """
SELECT log FROM tables WHERE log >= %s AND log < %s AND NOT begun AND expired IS NULL LIMIT 2
"""
RESULTS = "SELECT id, time, seat, standing FROM results WHERE guest = %s ORDER BY time DESC LIMIT %s"
OPEN_TABLES = "SELECT count(*) FROM tables WHERE creator = %s AND NOT over AND expired IS NULL"
LEASE = """
INSERT INTO leases VALUES (%(name)s, %(holder)s, now() + %(seconds)s * interval '1 second')
ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
WHERE leases.holder = excluded.holder OR leases.until < now() RETURNING 1
"""
OLD = """
SELECT log FROM tables WHERE expired IS NULL AND created < greatest(%(unbegun)s, %(others)s)
AND (SELECT time FROM rows WHERE log = tables.log ORDER BY number DESC LIMIT 1)
    < CASE WHEN begun THEN %(others)s ELSE %(unbegun)s END
AND log <> ALL (%(keep)s) LIMIT %(most)s
"""
FORGET = (
    "DELETE FROM rows WHERE log = ANY (%s)",
    "DELETE FROM seats WHERE log = ANY (%s)",
)
FORGET_RENAMES = "DELETE FROM renames WHERE time < %s"
FORGET_GUESTS = """
DELETE FROM guests WHERE seen < %s AND NOT EXISTS (SELECT FROM seats WHERE guest = guests.id)
"""


class PostgresStore:
    """A database of PostgreSQL, with any number of nodes at it."""

    def __init__(self, address: str, partitions: int = 0) -> None:
        self.address = address
        self.key = open_store(address, partitions)
        self._connections = Connections(address)
        self._writer = RowWriter(address)

    # Logs

    async def append(
        self, row: Row, turn: int | None, standing: Standing | None = None, due: float | None = None
    ) -> Row:
        """Add a row and wait for the disk."""
        return await self._writer.add(row, turn, standing, due)

    async def rows(self, table: str, after: int = -1) -> list[Row]:
        """The rows of a table after one."""
        return told_once([Row(*values) for values in await self._ask(ROWS, table, after)])

    async def ends(self, tables: Sequence[str]) -> dict[str, int]:
        """The number of each table's last row."""
        return {id: number for id, number in await self._ask(ENDS, list(tables)) if number is not None}

    async def expired(self, table: str) -> bool:
        """Whether such a table has been, and is gone."""
        return bool(await self._ask(EXPIRED, table))

    # Guests

    async def add_guest(self, guest: Guest, token_hash: bytes) -> None:
        """Keep a new guest."""
        facts = (guest.id, token_hash, guest.name, guest.language, guest.created, guest.created)
        await self._ask(ADD_GUEST, *facts)

    async def guest(self, token_hash: bytes) -> Guest | None:
        """The guest with that token."""
        for stored, seen, *facts in await self._ask(GUEST, token_hash):
            if hmac.compare_digest(stored, token_hash):
                guest = Guest(*facts)
                if time.time() - seen > SEEN_EVERY:
                    with suppress(StoreFailed):  # no reason to turn a guest away
                        await self._ask(SEEN, time.time(), guest.id)
                return guest
        return None

    async def names(self, guests: Sequence[str]) -> dict[str, str]:
        """What guests are called now."""
        return dict(await self._ask(NAMES, list(guests)))

    async def rename(self, guest: str, command: str, fingerprint: bytes, name: str) -> bytes:
        """Give a guest another name, once a command."""
        await self._ask(RENAME, guest, command, fingerprint, name, time.time())
        stored: bytes = (await self._ask(RENAMED, guest, command))[0][0]
        return stored

    # Lists

    async def tables_of(self, guest: str, most: int) -> list[Listed]:
        """The tables at which a guest has a seat."""
        return listed(await self._ask(TABLES_OF, guest, most))

    async def listed_tables(self, most: int) -> list[Listed]:
        """The listed tables that wait for players."""
        return listed(await self._ask(LISTED_TABLES, most))

    async def waiting_tables(self, beginning: str) -> list[str]:
        """The tables whose games haven't begun and whose ids begin so."""
        return [id for (id,) in await self._ask(WAITING_TABLES, beginning, beginning + "~")]

    async def results(self, guest: str, most: int) -> list[Finished]:
        """The games that a guest has finished."""
        rows: list[Any] = await self._ask(RESULTS, guest, most)
        return finished(rows)

    async def open_tables(self, guest: str) -> int:
        """How many tables a guest has opened that aren't over."""
        count: int = (await self._ask(OPEN_TABLES, guest))[0][0]
        return count

    # Clocks

    async def due(self, before: float, most: int) -> list[str]:
        """The tables at which something is due before a time."""
        return [log for (log,) in await self._ask(DUE, before, most)]

    async def alive(self, now: float) -> float | None:
        """Note that a server runs; returns when this was noted last."""
        noted = await self._ask(ALIVE, str(now).encode())
        return float(noted[0][0]) if noted else None

    # Leases

    async def lease(self, name: str, holder: str, seconds: float) -> bool:
        """Whether that holder has the lease for so long from now on."""
        return await self._connections.ask(lambda connection: _leased(connection, name, holder, seconds))

    async def release(self, holder: str, name: str | None = None) -> None:
        """Let go of a lease, or of all."""
        await self._ask("DELETE FROM leases WHERE holder = %s AND name = coalesce(%s, name)", holder, name)

    # Forgetting

    async def expire(self, unbegun_before: float, others_before: float, keep: Sequence[str]) -> list[str]:
        """Forget old tables and guests that nobody knows any more."""
        facts = {
            "unbegun": unbegun_before,
            "others": others_before,
            "keep": list(keep),
            "most": EXPIRED_AT_ONCE,
        }
        gone: list[str] = []
        while some := await self._connections.ask(lambda connection: _expired(connection, facts)):
            gone += some
        await self._ask(FORGET_RENAMES, others_before)
        await self._ask(FORGET_GUESTS, others_before)
        await self._ask("DELETE FROM results WHERE NOT EXISTS (SELECT FROM guests WHERE id = guest)")
        return gone

    # Asking, closing

    async def _ask(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        async def work(connection: AsyncConnection) -> list[tuple[Any, ...]]:
            cursor = await connection.execute(sql(query), values)
            return await cursor.fetchall() if cursor.description else []

        return await self._connections.ask(work)

    async def close(self) -> None:
        """Finish what was asked for, then let go."""
        await self._writer.close()
        await self._connections.close()


async def _leased(connection: AsyncConnection, name: str, holder: str, seconds: float) -> bool:
    """Nobody waits for the disk: a lease that is lost is free."""
    async with connection.pipeline(), connection.transaction():
        await connection.execute("SET LOCAL synchronous_commit = off")
        cursor = await connection.execute(LEASE, {"name": name, "holder": holder, "seconds": seconds})
        return await cursor.fetchone() is not None


async def _expired(connection: AsyncConnection, facts: dict[str, Any]) -> list[str]:
    """Delete the logs of some old tables, which nobody adds to meanwhile; their names stay taken."""
    async with connection.transaction():
        free = await (await connection.execute("SELECT pg_try_advisory_xact_lock(%s)", (LOCK,))).fetchone()
        if free != (True,) or not await _old(connection, facts):
            return []
        await connection.execute("LOCK TABLE rows IN SHARE ROW EXCLUSIVE MODE")
        gone = await _old(connection, facts)
        for query in FORGET:
            await connection.execute(query, (gone,))
        await connection.execute(
            "UPDATE tables SET expired = %s, standing = '', due = NULL WHERE log = ANY (%s)",
            (time.time(), gone),
        )
        return gone


async def _old(connection: AsyncConnection, facts: dict[str, Any]) -> list[str]:
    return [log for (log,) in await (await connection.execute(OLD, facts)).fetchall()]
