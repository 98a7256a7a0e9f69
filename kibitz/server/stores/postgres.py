"""The store in PostgreSQL, for any number of nodes: `postgres_writing` adds rows, the rest is here."""

import logging
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from kibitz.core.extras import needing
from kibitz.server.stores import store
from kibitz.server.stores.people import PeopleStore, Statement
from kibitz.server.stores.postgres_connections import AsyncConnection, Connections
from kibitz.server.stores.postgres_opening import LOCK, open_store, sql
from kibitz.server.stores.postgres_reading import NewerRows, newer
from kibitz.server.stores.postgres_sharing import SharedWork
from kibitz.server.stores.postgres_writing import COLUMNS, written

with needing("postgres"):
    import psycopg  # noqa: F401

log = logging.getLogger("kibitz.store")

EXPIRED_AT_ONCE = 100  # tables, so that nobody's move waits long

ROWS = sql(f"SELECT {COLUMNS} FROM rows WHERE log = %s ORDER BY number")
EXPIRED = "SELECT 1 FROM tables WHERE log = %s AND expired IS NOT NULL"
ENDS = """
SELECT wanted.log, (SELECT number FROM rows WHERE log = wanted.log ORDER BY number DESC LIMIT 1)
FROM unnest(%s::text[]) wanted (log)
"""
ADD_GUEST = "INSERT INTO guests VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT (id) DO NOTHING"
GUEST = """
SELECT seen, id, name, language, created, EXISTS (SELECT FROM passphrases WHERE guest = guests.id) FROM guests
WHERE token_hash = %s OR id = (SELECT guest FROM devices WHERE token_hash = %s)
"""
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
LATEST_TABLES = """
SELECT t.log, t.standing, r.time, r.turn, t.due FROM tables t
CROSS JOIN LATERAL (SELECT time, turn FROM rows WHERE log = t.log ORDER BY number DESC LIMIT 1) r
WHERE NOT t.over AND t.expired IS NULL ORDER BY t.created DESC LIMIT %s
"""
LAY_DOWN = "INSERT INTO house VALUES (%s, %s) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
RESULTS = "SELECT id, time, seat, standing FROM results WHERE guest = %s ORDER BY time DESC LIMIT %s"
FILED_RESULTS = """
SELECT id, time, seat, standing FROM filed JOIN results USING (id) WHERE name = %s ORDER BY time LIMIT %s
"""
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
AND NOT EXISTS (SELECT FROM passphrases WHERE guest = guests.id)
"""


class PostgresStore(PeopleStore):
    """A database of PostgreSQL, with any number of nodes at it."""

    def __init__(self, address: str, partitions: int = 0) -> None:
        self.address = address
        self.key = open_store(address, partitions)
        self._connections = Connections(address)
        self._reading: SharedWork[NewerRows, list[store.Row]] = SharedWork(self._connections, newer)
        self._writing: SharedWork[store.Addition, store.Row] = SharedWork(
            self._connections, written, writes=True
        )

    # Logs

    async def append(
        self,
        row: store.Row,
        turn: int | None,
        standing: store.Standing | None = None,
        due: float | None = None,
    ) -> store.Row:
        """Add a row and wait for the disk."""
        return await self._writing.ask(store.Addition(row, turn, standing, due))

    async def rows(self, table: str, after: int = -1) -> list[store.Row]:
        """The rows of a table after one."""
        if after >= 0:
            return store.told_once(await self._reading.ask(NewerRows(table, after)))
        return store.told_once([store.Row(*values) for values in await self._ask(ROWS, table)])

    async def ends(self, tables: Sequence[str]) -> dict[str, int]:
        """The number of each table's last row."""
        return {id: number for id, number in await self._ask(ENDS, list(tables)) if number is not None}

    async def expired(self, table: str) -> bool:
        """Whether such a table has been, and is gone."""
        return bool(await self._ask(EXPIRED, table))

    # Guests

    async def add_guest(self, guest: store.Guest, token_hash: bytes) -> None:
        """Keep a new guest."""
        facts = (guest.id, token_hash, guest.name, guest.language, guest.created, guest.created)
        await self._ask(ADD_GUEST, *facts)

    async def guest(self, token_hash: bytes) -> store.Guest | None:
        """The guest with that token."""
        for seen, *facts in await self._ask(GUEST, token_hash, token_hash):
            guest = store.Guest(*facts)
            if time.time() - seen > store.SEEN_EVERY:
                with suppress(store.StoreFailed):  # no reason to turn a guest away
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

    async def tables_of(self, guest: str, most: int) -> list[store.Listed]:
        """The tables at which a guest has a seat."""
        return store.listed(await self._ask(TABLES_OF, guest, most))

    async def listed_tables(self, most: int) -> list[store.Listed]:
        """The listed tables that wait for players."""
        return store.listed(await self._ask(LISTED_TABLES, most))

    async def waiting_tables(self, beginning: str) -> list[str]:
        """The tables whose games haven't begun and whose ids begin so."""
        return [id for (id,) in await self._ask(WAITING_TABLES, beginning, beginning + "~")]

    async def results(self, guest: str, most: int) -> list[store.Finished]:
        """The games that a guest has finished."""
        rows: list[Any] = await self._ask(RESULTS, guest, most)
        return store.finished(rows)

    async def filed_results(self, name: str, most: int) -> list[store.Finished]:
        """The results filed under a name."""
        return store.finished(await self._ask(FILED_RESULTS, name, most))

    async def regular(self, name: str) -> tuple[str, bytes] | None:
        """The latest table of a regular one."""
        found = await self._ask("SELECT id, created FROM regulars WHERE name = %s", name)
        return (found[0][0], found[0][1]) if found else None

    async def open_tables(self, guest: str) -> int:
        """How many tables a guest has opened that aren't over."""
        count: int = (await self._ask(OPEN_TABLES, guest))[0][0]
        return count

    async def latest_tables(self, most: int) -> list[store.Listed]:
        """The tables that aren't over."""
        return store.listed(await self._ask(LATEST_TABLES, most))

    # The house

    async def house(self) -> dict[str, bytes]:
        """What whoever hosts the house has laid down."""
        return dict(await self._ask("SELECT name, value FROM house"))

    async def lay_down(self, name: str, value: bytes | None) -> None:
        """Lay something down, or lift it."""
        if value is None:
            await self._ask("DELETE FROM house WHERE name = %s", name)
        else:
            await self._ask(LAY_DOWN, name, value)

    async def size(self) -> int:
        """How many bytes the database takes."""
        size: int = (await self._ask("SELECT pg_database_size(current_database())"))[0][0]
        return size

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
        await self._ask("DELETE FROM codes WHERE until < %s", time.time())
        for relation in ("results", "devices"):
            await self._ask(
                f"DELETE FROM {relation} WHERE NOT EXISTS (SELECT FROM guests WHERE id = {relation}.guest)"
            )
        await self._ask("DELETE FROM filed WHERE NOT EXISTS (SELECT FROM results WHERE id = filed.id)")
        return gone

    # Asking, closing

    _standing_changed = "UPDATE tables SET standing = ? WHERE log = ?"

    async def _look_up(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        return await self._ask(sql.replace("?", "%s"), *values)

    async def _change(self, statements: Sequence[Statement], drop: Sequence[str] = ()) -> list[Any]:
        async def work(connection: AsyncConnection) -> list[Any]:
            found: list[Any] = []
            async with connection.transaction():
                for query, values in statements:
                    found = await connection.fetch(sql(query.replace("?", "%s")), values)
                if drop:
                    await _drop(connection, list(drop))
            return found

        return await self._connections.ask(work)

    async def _ask(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        if any(map(_is_unknown, values)):
            return []

        return await self._connections.ask(lambda connection: connection.fetch(sql(query), values))

    async def close(self) -> None:
        """Finish what was asked for, then let go."""
        await self._writing.close()
        await self._reading.close()
        await self._connections.close()


def _is_unknown(value: Any) -> bool:
    """Whether no text in the database is this: none there has a zero byte, and none may be asked for."""
    texts = value if isinstance(value, list) else [value]
    return any(isinstance(text, str) and "\0" in text for text in texts)


async def _leased(connection: AsyncConnection, name: str, holder: str, seconds: float) -> bool:
    """Nobody waits for the disk: a lease that is lost is free."""
    async with connection.pipeline(), connection.transaction():
        await connection.execute("SET LOCAL synchronous_commit = off")
        cursor = await connection.execute(LEASE, {"name": name, "holder": holder, "seconds": seconds})
        return await cursor.fetchone() is not None


async def _expired(connection: AsyncConnection, facts: dict[str, Any]) -> list[str]:
    """Delete the logs of some old tables, which nobody adds to meanwhile; their names stay taken."""
    async with connection.transaction():
        free = await connection.fetch("SELECT pg_try_advisory_xact_lock(%s)", (LOCK,))
        if free != [(True,)] or not await _old(connection, facts):
            return []
        await connection.execute("LOCK TABLE rows IN SHARE ROW EXCLUSIVE MODE")
        gone = await _old(connection, facts)
        await _drop(connection, gone)
        return gone


async def _drop(connection: AsyncConnection, logs: list[str]) -> None:
    for query in FORGET:
        await connection.execute(query, (logs,))
    await connection.execute(
        "UPDATE tables SET expired = %s, standing = '', due = NULL WHERE log = ANY (%s)", (time.time(), logs)
    )


async def _old(connection: AsyncConnection, facts: dict[str, Any]) -> list[str]:
    return [log for (log,) in await connection.fetch(OLD, facts)]
