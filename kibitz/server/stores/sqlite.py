"""The store in one SQLite file: `writing` changes it, readers have connections of their own that can't."""

import asyncio
import logging
import os
import sqlite3
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from kibitz.server.stores import store
from kibitz.server.stores.people import PeopleStore, Statement
from kibitz.server.stores.soundness import DAMAGE, log_of, result_code
from kibitz.server.stores.store_file import FILE, in_words, keep_pages, lock_folder, make_folder, open_file
from kibitz.server.stores.writing import (
    COLUMNS,
    LOG,
    WritingThread,
    alive,
    expire,
    forget_log,
    rename,
)

log = logging.getLogger("kibitz.store")

READERS = 2


COUNTED = f"(SELECT count(*) FROM rows INDEXED BY sqlite_autoindex_rows_2 WHERE log = {LOG})"
"""How many rows a log has by the commands' index. Rows are found by the numbers' index, and a chain of hashes
doesn't tell that its end is missing there."""


def missing_end(table: str) -> sqlite3.DatabaseError:
    """The same error as SQLite's own where it finds a file damaged."""
    error = sqlite3.DatabaseError(f"the end of table {table}'s log is missing in an index")
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error


class SqliteStore(PeopleStore):
    """A folder with one SQLite file, held by this process alone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._path = folder / FILE
        with in_words(self._path):
            make_folder(folder)
            self._lock = lock_folder(folder)
            try:
                connection = open_file(self._path)
                self.key: bytes = connection.execute("SELECT value FROM meta WHERE key = 'key'").fetchone()[0]
            except BaseException:
                os.close(self._lock)
                raise
        self._writer = WritingThread(connection, folder)
        self._leases: dict[str, tuple[str, float]] = {}  # who holds each, until when
        self._local = threading.local()
        self._readers: list[sqlite3.Connection] = []
        self._pool = ThreadPoolExecutor(READERS, "kibitz-reader")

    # Logs

    async def append(
        self,
        row: store.Row,
        turn: int | None,
        standing: store.Standing | None = None,
        due: float | None = None,
    ) -> store.Row:
        """Add a row and wait for the disk."""
        return await self._writer.ask(store.Addition(row, turn, standing, due))

    async def rows(self, table: str, after: int = -1) -> list[store.Row]:
        """The rows of a table after one."""
        sql = f"SELECT {COLUMNS}, {COUNTED} FROM rows WHERE log = {LOG} AND number > ? ORDER BY number"
        found = await self._read(sql, table, table, after)
        rows = store.told_once([store.Row(table, *values) for *values, _ in found])
        if rows and after + 1 + len(rows) < found[-1][-1]:
            raise self._failed(missing_end(table))
        return rows

    async def ends(self, tables: Sequence[str]) -> dict[str, int]:
        """The number of each table's last row."""
        marks = ", ".join("?" * len(tables))
        sql = f"""
        SELECT id, (SELECT max(number) FROM rows WHERE log = tables.log) FROM tables
        WHERE id IN ({marks}) AND expired IS NULL
        """
        return dict(await self._read(sql, *tables))

    async def expired(self, table: str) -> bool:
        """Whether such a table has been, and is gone."""
        return bool(await self._read("SELECT 1 FROM tables WHERE id = ? AND expired IS NOT NULL", table))

    # Guests

    async def add_guest(self, guest: store.Guest, token_hash: bytes) -> None:
        """Keep a new guest."""
        await self._write(
            "INSERT INTO guests VALUES (?, ?, ?, ?, ?, ?)",
            (guest.id, token_hash, guest.name, guest.language, guest.created, guest.created),
        )

    async def guest(self, token_hash: bytes) -> store.Guest | None:
        """The guest with that token."""
        sql = """
        SELECT seen, id, name, language, created, id IN (SELECT guest FROM passphrases) FROM guests
        WHERE token_hash = ?1 OR id = (SELECT guest FROM devices WHERE token_hash = ?1)
        """
        for seen, id, name, language, created, lasting in await self._read(sql, token_hash):
            guest = store.Guest(id, name, language, created, bool(lasting))
            if time.time() - seen > store.SEEN_EVERY:
                await self._note_seen(guest.id)
            return guest
        return None

    async def _note_seen(self, guest: str) -> None:
        with suppress(store.StoreFailed):  # no reason to turn a guest away
            await self._write("UPDATE guests SET seen = ? WHERE id = ?", (time.time(), guest))

    async def names(self, guests: Sequence[str]) -> dict[str, str]:
        """What guests are called now."""
        marks = ", ".join("?" * len(guests))
        return dict(await self._read(f"SELECT id, name FROM guests WHERE id IN ({marks})", *guests))

    async def rename(self, guest: str, command: str, fingerprint: bytes, name: str) -> bytes:
        """Give a guest another name, once a command."""
        return await self._writer.ask(lambda c: rename(c, guest, command, fingerprint, name))

    # Lists

    async def tables_of(self, guest: str, most: int) -> list[store.Listed]:
        """The tables at which a guest has a seat."""
        sql = """
        SELECT t.id, t.standing, r.time, r.turn, t.due FROM seats s JOIN tables t ON t.log = s.log
        JOIN rows r ON r.log = t.log AND r.number = (SELECT max(number) FROM rows WHERE log = t.log)
        WHERE s.guest = ? ORDER BY r.time DESC LIMIT ?
        """
        return store.listed(await self._read(sql, guest, most))

    async def listed_tables(self, most: int) -> list[store.Listed]:
        """The listed tables that wait for players."""
        sql = """
        SELECT t.id, t.standing, r.time, r.turn, t.due FROM tables t
        JOIN rows r ON r.log = t.log AND r.number = (SELECT max(number) FROM rows WHERE log = t.log)
        WHERE t.listed AND t.expired IS NULL ORDER BY t.created DESC LIMIT ?
        """
        return store.listed(await self._read(sql, most))

    async def waiting_tables(self, beginning: str) -> list[str]:
        """The tables whose games haven't begun and whose ids begin so."""
        sql = """
        SELECT id FROM tables WHERE id >= ?1 AND id < ?1 || '~' AND NOT begun AND expired IS NULL LIMIT 2
        """
        return [id for (id,) in await self._read(sql, beginning)]

    async def results(self, guest: str, most: int) -> list[store.Finished]:
        """The games that a guest has finished."""
        sql = "SELECT id, time, seat, standing FROM results WHERE guest = ? ORDER BY time DESC LIMIT ?"
        return store.finished(await self._read(sql, guest, most))

    async def filed_results(self, name: str, most: int) -> list[store.Finished]:
        """The results filed under a name."""
        sql = (
            "SELECT id, time, seat, standing FROM filed JOIN results USING (id) "
            "WHERE name = ? ORDER BY time LIMIT ?"
        )
        return store.finished(await self._read(sql, name, most))

    async def regular(self, name: str) -> tuple[str, bytes] | None:
        """The latest table of a regular one."""
        found = await self._read("SELECT id, created FROM regulars WHERE name = ?", name)
        return (found[0][0], found[0][1]) if found else None

    async def open_tables(self, guest: str) -> int:
        """How many tables a guest has opened that aren't over."""
        sql = "SELECT count(*) FROM tables WHERE creator = ? AND NOT over AND expired IS NULL"
        count: int = (await self._read(sql, guest))[0][0]
        return count

    async def latest_tables(self, most: int) -> list[store.Listed]:
        """The tables that aren't over."""
        sql = """
        SELECT t.id, t.standing, r.time, r.turn, t.due FROM tables t
        JOIN rows r ON r.log = t.log AND r.number = (SELECT max(number) FROM rows WHERE log = t.log)
        WHERE NOT t.over AND t.expired IS NULL ORDER BY t.log DESC LIMIT ?
        """
        return store.listed(await self._read(sql, most))

    # The house

    async def house(self) -> dict[str, bytes]:
        """What whoever hosts the house has laid down."""
        return dict(await self._read("SELECT name, value FROM house"))

    async def lay_down(self, name: str, value: bytes | None) -> None:
        """Lay something down, or lift it."""
        if value is None:
            await self._write("DELETE FROM house WHERE name = ?", (name,))
        else:
            await self._write("INSERT OR REPLACE INTO house VALUES (?, ?)", (name, value))

    async def size(self) -> int:
        """How many bytes the file takes, and its log."""
        files = (self._path, log_of(self._path))
        return sum(file.stat().st_size for file in files if file.exists())

    # Leases: who would hold one lives in this process, so they may die with it

    async def lease(self, name: str, holder: str, seconds: float) -> bool:
        """Whether that holder has the lease for so long from now on."""
        now = time.monotonic()
        held, until = self._leases.get(name, (holder, 0.0))
        if held != holder and until > now:
            return False
        self._leases[name] = (holder, now + seconds)
        return True

    async def release(self, holder: str, name: str | None = None) -> None:
        """Let go of a lease, or of all."""
        mine = [one for one, (held, _) in self._leases.items() if held == holder and name in (one, None)]
        for one in mine:
            del self._leases[one]

    # Forgetting

    async def expire(self, unbegun_before: float, others_before: float, keep: Sequence[str]) -> list[str]:
        """Forget old tables and guests that nobody knows any more."""

        def write(connection: sqlite3.Connection) -> list[str]:
            self._writer.logs.forget()
            return expire(connection, unbegun_before, others_before, keep)

        return await self._writer.ask(write)

    # Clocks

    async def due(self, before: float, most: int) -> list[str]:
        """The tables at which something is due before a time."""
        sql = "SELECT id FROM tables WHERE due < ? AND expired IS NULL ORDER BY due LIMIT ?"
        return [id for (id,) in await self._read(sql, before, most)]

    async def alive(self, now: float) -> float | None:
        """Note that a server runs; returns when this was noted last."""
        return await self._writer.ask(lambda connection: alive(connection, now))

    # Reading, writing, closing

    async def _look_up(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        return await self._read(sql, *values)

    async def _change(self, statements: Sequence[Statement], drop: Sequence[str] = ()) -> list[Any]:
        def write(connection: sqlite3.Connection) -> list[Any]:
            self._writer.logs.forget()
            found: list[Any] = []
            for sql, values in statements:
                found = connection.execute(sql, values).fetchall()
            for table in drop:
                forget_log(connection, *connection.execute(LOG[1:-1], (table,)).fetchone())
            return found

        return await self._writer.ask(write)

    async def _write(self, sql: str, values: tuple[Any, ...]) -> None:
        await self._writer.ask(lambda connection: connection.execute(sql, values).rowcount)

    async def _read(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, self._fetch, sql, values)

    def _fetch(self, sql: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        try:
            return self._reader().execute(sql, values).fetchall()
        except sqlite3.DatabaseError as error:
            code = result_code(error)
            if code == 0:  # text that isn't UTF-8: whoever knows the row's hash will find out
                return _fetch_anyhow(self._reader(), sql, values)
            if code not in (*DAMAGE, sqlite3.SQLITE_IOERR):
                raise
            raise self._failed(error) from error

    def _failed(self, error: sqlite3.DatabaseError) -> store.StoreFailed:
        """What to raise; nothing is written any more to a file that is damaged."""
        self._writer.note(error)
        return self._writer.failure(error)

    def _reader(self) -> sqlite3.Connection:
        """This thread's connection."""
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = self._new_reader()
            keep_pages(connection)
        return connection

    def _new_reader(self) -> sqlite3.Connection:
        address = f"{self._path.absolute().as_uri()}?mode=ro"
        connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
        self._readers.append(connection)
        return connection

    async def close(self) -> None:
        """Finish what was asked for, then let go."""
        self._writer.hand_over()
        await asyncio.get_running_loop().run_in_executor(None, self._close)

    def _close(self) -> None:
        """Let go; who closes last works the log into the file, and into a damaged one nobody does."""
        self._pool.shutdown()
        if self._writer.damage:
            self._new_reader().execute("PRAGMA user_version")
            self._writer.close()
        for connection in self._readers:
            connection.close()
        if not self._writer.damage:
            self._writer.close()
        os.close(self._lock)


def _fetch_anyhow(connection: sqlite3.Connection, sql: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    connection.text_factory = lambda text: text.decode(errors="surrogateescape")
    try:
        return connection.execute(sql, values).fetchall()
    finally:
        connection.text_factory = str
