"""The store in one SQLite file.

One connection writes, in a thread of its own: it takes all that waits, writes it in one transaction, and
answers when the commit has synced. It alone checkpoints. Readers have connections of their own that can't
write.
"""

import asyncio
import fcntl
import hmac
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from sys import intern
from typing import Any, NamedTuple, TypeVar, Union

import msgspec
from msgspec.structs import replace

from kibitz.core.errors import KibitzError
from kibitz.server.store import NO_HASH, Conflict, Guest, Listed, Row, Standing, StoreFailed

FILE = "kibitz.db"
SYNCHRONOUS = "FULL"  # each commit waits for the disk
CHECKPOINT_PAGES = 4000  # of the log (16 MB) before it is worked into the file
BATCH = 256  # jobs after which a transaction takes no further ones in
TOGETHER = 32  # most rows of one statement
ENDS = 10_000  # logs whose end is remembered
READERS = 2
SEEN_EVERY = 86400.0  # seconds between two notes that a guest was seen

T = TypeVar("T")
Write = Union["Addition", Callable[[sqlite3.Connection], T]]


# The schema

VERSION = 3
LOGS = """
CREATE TABLE tables (
    log INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    game TEXT NOT NULL,
    creator TEXT NOT NULL,
    created REAL NOT NULL,
    begun INTEGER NOT NULL,
    over INTEGER NOT NULL,
    expired REAL,
    standing BLOB NOT NULL
);
CREATE INDEX tables_of_creator ON tables (creator) WHERE NOT over AND expired IS NULL;
CREATE TABLE seats (
    log INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    guest TEXT NOT NULL,
    PRIMARY KEY (log, seat)
) WITHOUT ROWID;
CREATE INDEX seats_of_guest ON seats (guest);
CREATE TABLE rows (
    log INTEGER NOT NULL,
    number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    actor TEXT NOT NULL,
    time REAL NOT NULL,
    command TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    body BLOB NOT NULL,
    previous BLOB NOT NULL,
    hash BLOB NOT NULL,
    turn INTEGER,
    PRIMARY KEY (log, number),
    UNIQUE (log, command)
);
"""  # rows lie in the order in which they came, and those of tables opened together have neighbouring keys
SCHEMA = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE guests (
    id TEXT PRIMARY KEY,
    token_hash BLOB NOT NULL UNIQUE,
    name TEXT NOT NULL,
    language TEXT NOT NULL,
    created REAL NOT NULL,
    seen REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE renames (
    guest TEXT NOT NULL,
    command TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    name TEXT NOT NULL,
    time REAL NOT NULL,
    PRIMARY KEY (guest, command)
) WITHOUT ROWID;
{LOGS}
"""
UPGRADES = {  # from a version to the next, as SQL
    1: "",  # 2 has the same columns
    2: f"""
    DROP INDEX tables_of_creator;
    DROP INDEX seats_of_guest;
    ALTER TABLE tables RENAME TO old_tables;
    ALTER TABLE seats RENAME TO old_seats;
    ALTER TABLE rows RENAME TO old_rows;
    {LOGS}
    INSERT INTO tables SELECT NULL, * FROM old_tables ORDER BY created;
    INSERT INTO seats SELECT log, seat, guest FROM old_seats JOIN tables ON id = table_id;
    INSERT INTO rows
    SELECT log, number, kind, actor, time, command, fingerprint, body, previous, hash, turn
    FROM old_rows JOIN tables ON id = table_id ORDER BY time;
    DROP TABLE old_rows;
    DROP TABLE old_seats;
    DROP TABLE old_tables;
    """,
}


def open_file(path: Path) -> sqlite3.Connection:
    """The writing connection, with the schema up to date."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        _prepare(connection, path)
    except BaseException:
        connection.close()
        raise
    path.chmod(0o600)
    return connection


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
    connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
    connection.execute("PRAGMA fullfsync = ON")  # on macOS a plain sync doesn't reach the disk
    found = connection.execute("PRAGMA user_version").fetchone()[0]
    if found == 0:
        _begin(connection)
    elif found > VERSION:
        raise KibitzError(
            "newer-data",
            f"{path} was written by a newer Kibitz (schema {found}, this one knows {VERSION}). "
            "Use that Kibitz, or another data folder.",
            {"found": found, "known": VERSION},
        )
    else:
        _upgrade(connection, path, found)


def _begin(connection: sqlite3.Connection) -> None:
    key = f"INSERT INTO meta VALUES ('key', x'{secrets.token_hex(32)}');"
    connection.executescript(f"BEGIN;{SCHEMA}{key}PRAGMA user_version = {VERSION};COMMIT;")


def _upgrade(connection: sqlite3.Connection, path: Path, found: int) -> None:
    if found < VERSION:
        with closing(sqlite3.connect(path.with_name(f"{path.name}.schema-{found}"))) as backup:
            connection.backup(backup)
    for version in range(found, VERSION):
        connection.executescript(f"BEGIN;{UPGRADES[version]};PRAGMA user_version = {version + 1};COMMIT;")


def lock_folder(folder: Path) -> int:
    """Hold the folder for this process alone: two writers are one too many."""
    descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        raise KibitzError(
            "folder-in-use",
            f"Another Kibitz server is using {folder}. Stop it, or choose another folder with --data.",
            {"folder": str(folder)},
        ) from error
    return descriptor


# Writing


class _Job:
    """Something to write, and who waits for it."""

    __slots__ = ("answer", "future", "write")

    def __init__(self, write: Write[Any], future: "asyncio.Future[Any]") -> None:
        self.write = write
        self.future = future
        self.answer: Any = None

    def settle(self) -> None:
        """Answer; in the loop of who waits."""
        if self.future.done():
            return
        if isinstance(self.answer, BaseException):
            self.future.set_exception(self.answer)
        else:
            self.future.set_result(self.answer)


class Writer:
    """The thread that writes: one transaction for all that has come in while the last one was synced."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.logs = Logs(connection)
        self._connection = connection
        self._gathered: list[_Job] = []  # asked for in this moment of the loop
        self._waiting: SimpleQueue[list[_Job] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="kibitz-writer", daemon=True)
        self._thread.start()

    def ask(self, write: Write[T]) -> "asyncio.Future[T]":
        """Have something written; the future is done when it is on disk. All who ask are in one loop."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        if not self._gathered:
            loop.call_soon(self._wait, loop, 0)
        self._gathered.append(_Job(write, future))
        return future

    def _wait(self, loop: asyncio.AbstractEventLoop, gathered: int) -> None:
        """Hand over when a moment brings nothing more: fewer syncs for more moves."""
        if gathered < len(self._gathered) < BATCH:
            loop.call_soon(self._wait, loop, len(self._gathered))
        else:
            self.hand_over()

    def hand_over(self) -> None:
        """Let the thread have what was asked for; in the loop."""
        if self._gathered:
            self._waiting.put(self._gathered)
            self._gathered = []

    def close(self) -> None:
        """Write all that was handed over, then close the file."""
        self._waiting.put(None)
        self._thread.join()
        self._connection.close()

    def _run(self) -> None:
        while (jobs := self._waiting.get()) is not None:
            goes_on = self._gather(jobs)
            self.commit(jobs)
            self._tell(jobs)
            if not goes_on:
                return

    def _gather(self, jobs: list[_Job]) -> bool:
        while len(jobs) < BATCH:
            try:
                more = self._waiting.get_nowait()
            except Empty:
                return True
            if more is None:
                return False
            jobs += more
        return True

    def commit(self, jobs: Sequence[_Job]) -> None:
        """Write the jobs in one transaction and sync; each then has its answer."""
        execute = self._connection.execute
        adding = [(job, job.write) for job in jobs if isinstance(job.write, Addition)]
        try:
            execute("BEGIN IMMEDIATE")
            for (job, _), answer in zip(adding, self.logs.add([write for _, write in adding])):
                job.answer = answer
            if len(adding) < len(jobs):
                for job in jobs:
                    if not isinstance(job.write, Addition):
                        job.answer = job.write(self._connection)
            execute("COMMIT")
        except Exception as error:
            self._give_up(jobs, error)

    def _give_up(self, jobs: Sequence[_Job], error: Exception) -> None:
        failed = StoreFailed("store-failed", "The server's disk did not take it; nothing has changed.")
        failed.__cause__ = error
        if self._connection.in_transaction:
            self._connection.rollback()
        self.logs.forget()
        for job in jobs:
            job.answer = failed

    def _tell(self, jobs: Sequence[_Job]) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            jobs[0].future.get_loop().call_soon_threadsafe(_settle_all, jobs)


def _settle_all(jobs: Sequence[_Job]) -> None:
    for job in jobs:
        job.settle()


def told_once(rows: list[Row]) -> list[Row]:
    """The same rows of a table, holding what they share only once."""
    shared: list[Row] = []
    for row in rows:
        last = shared[-1] if shared else row
        previous = last.hash if last.hash == row.previous else row.previous
        shared.append(replace(row, kind=intern(row.kind), previous=previous))
    return shared


LOG = "(SELECT log FROM tables WHERE id = ?)"
COLUMNS = "number, kind, actor, time, command, fingerprint, body, previous, hash"  # of a Row, after its table
PLACES = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


class Addition(msgspec.Struct, frozen=True):
    """A row to add, after which that seat is in turn, and what lists then tell."""

    row: Row
    turn: int | None
    standing: Standing | None


class End(NamedTuple):
    """Where a table's log ends: its number, and the hash of its last row."""

    log: int
    hash: bytes


class Logs:
    """Adds rows to the tables' logs, in the writing thread.

    It remembers how logs end, which only this process writes: a row that follows needs no look at the disk.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._ends: dict[str, End] = {}
        self._latest: int | None = None  # of the logs

    def add(self, additions: Sequence[Addition]) -> list[Row | Conflict]:
        """Add each row that is the next one; the command that has a row already gets that one."""
        answers: list[Row | Conflict] = []
        for start in range(0, len(additions), TOGETHER):
            together = additions[start : start + TOGETHER]
            if self._added(together):
                answers += [addition.row for addition in together]
            else:
                answers += [
                    addition.row if self._added([addition]) else self._known(addition.row)
                    for addition in together
                ]
        return answers

    def forget(self) -> None:
        """The logs may end otherwise than is remembered."""
        self._ends.clear()
        self._latest = None

    def _added(self, additions: Sequence[Addition]) -> bool:
        """Add all rows with one statement, so that the thread waits once; False if one of them can't be."""
        values: list[Any] = []
        standings: list[tuple[int, Row, Standing]] = []
        for row, turn, standing in map(msgspec.structs.astuple, additions):
            log = self._log(row)
            if log is None:
                self.forget()
                return False
            values += (log, *msgspec.structs.astuple(row)[1:], turn)
            if standing is not None:
                standings.append((log, row, standing))
        # To leave the rows before one that can't be added is no harm if nothing else comes with them, and
        # spares SQLite a copy of every page.
        otherwise = "ABORT" if standings else "FAIL"
        places = ", ".join([PLACES] * len(additions))
        try:
            self._connection.execute(
                f"INSERT OR {otherwise} INTO rows (log, {COLUMNS}, turn) VALUES {places}", values
            )
        except sqlite3.IntegrityError:
            self.forget()
            return False
        for told in standings:
            _keep_standing(self._connection, *told)
        return True

    def _log(self, row: Row) -> int | None:
        """The log of which a row is the next one, its last one from now on; None if it isn't."""
        end = self._ends.get(row.table) or self._read_end(row.table)
        if end.hash != row.previous:
            return None
        if len(self._ends) >= ENDS:
            self._ends.clear()
        self._ends[row.table] = End(end.log, row.hash)
        return end.log

    def _read_end(self, table: str) -> End:
        execute = self._connection.execute
        found = execute("SELECT log FROM tables WHERE id = ?", (table,)).fetchone()
        if found is None:
            return End(self._new_log(), NO_HASH)
        last = execute("SELECT hash FROM rows WHERE log = ? ORDER BY number DESC LIMIT 1", found).fetchone()
        return End(found[0], last[0] if last else b"")  # a table without a row has expired

    def _new_log(self) -> int:
        if self._latest is None:
            self._latest = self._connection.execute("SELECT coalesce(max(log), 0) FROM tables").fetchone()[0]
        self._latest += 1
        return self._latest

    def _known(self, row: Row) -> Row | Conflict:
        sql = f"SELECT {COLUMNS} FROM rows WHERE log = {LOG} AND command = ?"
        known = self._connection.execute(sql, (row.table, row.command)).fetchone()
        return Conflict(row.table, row.number) if known is None else Row(row.table, *known)


def _keep_standing(connection: sqlite3.Connection, log: int, row: Row, standing: Standing) -> None:
    told = msgspec.json.encode(standing)
    if row.number == 0:
        connection.execute(
            "INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?, NULL, ?)",
            (log, row.table, standing.game, standing.creator, row.time, standing.begun, standing.over, told),
        )
    else:
        connection.execute(
            "UPDATE tables SET begun = ?, over = ?, standing = ? WHERE log = ?",
            (standing.begun, standing.over, told, log),
        )
        connection.execute("DELETE FROM seats WHERE log = ?", (log,))
    seated = [(log, seat, facts.guest) for seat, facts in enumerate(standing.seats) if facts.guest]
    connection.executemany("INSERT INTO seats VALUES (?, ?, ?)", seated)


def rename(connection: sqlite3.Connection, guest: str, command: str, fingerprint: bytes, name: str) -> bytes:
    """Give the guest its new name unless the command has done so before."""
    known = connection.execute(
        "SELECT fingerprint FROM renames WHERE guest = ? AND command = ?", (guest, command)
    ).fetchone()
    if known is not None:
        stored: bytes = known[0]
        return stored
    now = time.time()
    connection.execute("INSERT INTO renames VALUES (?, ?, ?, ?, ?)", (guest, command, fingerprint, name, now))
    connection.execute("UPDATE guests SET name = ? WHERE id = ?", (name, guest))
    return fingerprint


OLD = """
SELECT log, id FROM tables WHERE expired IS NULL AND created < max(?1, ?2)
AND (SELECT time FROM rows WHERE log = tables.log ORDER BY number DESC LIMIT 1) < iif(begun, ?2, ?1)
"""


def expire(
    connection: sqlite3.Connection, unbegun_before: float, others_before: float, keep: Sequence[str]
) -> list[str]:
    """Delete the logs of old tables; their names stay, so that nothing else is ever called the same."""
    old = connection.execute(OLD, (unbegun_before, others_before)).fetchall()
    gone = [(log, id) for log, id in old if id not in keep]
    for log, _ in gone:
        connection.execute("DELETE FROM rows WHERE log = ?", (log,))
        connection.execute("DELETE FROM seats WHERE log = ?", (log,))
        connection.execute("UPDATE tables SET expired = ?, standing = x'' WHERE log = ?", (time.time(), log))
    connection.execute("DELETE FROM renames WHERE time < ?", (others_before,))
    connection.execute(
        "DELETE FROM guests WHERE seen < ? AND id NOT IN (SELECT guest FROM seats)", (others_before,)
    )
    return [id for _, id in gone]


# The store


class SqliteStore:
    """A folder with one SQLite file, held by this process alone."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.folder = folder
        self._lock = lock_folder(folder)
        try:
            self._path = folder / FILE
            connection = open_file(self._path)
            self.key: bytes = connection.execute("SELECT value FROM meta WHERE key = 'key'").fetchone()[0]
            self._writer = Writer(connection)
        except BaseException:
            os.close(self._lock)
            raise
        self._local = threading.local()
        self._readers: list[sqlite3.Connection] = []
        self._pool = ThreadPoolExecutor(READERS, "kibitz-reader")

    # Logs

    async def append(self, row: Row, turn: int | None, standing: Standing | None = None) -> Row:
        """Add a row and wait for the disk."""
        return await self._writer.ask(Addition(row, turn, standing))

    async def rows(self, table: str, after: int = -1) -> list[Row]:
        """The rows of a table after one."""
        sql = f"SELECT {COLUMNS} FROM rows WHERE log = {LOG} AND number > ? ORDER BY number"
        return told_once([Row(table, *values) for values in await self._read(sql, table, after)])

    async def expired(self, table: str) -> bool:
        """Whether such a table has been, and is gone."""
        return bool(await self._read("SELECT 1 FROM tables WHERE id = ? AND expired IS NOT NULL", table))

    # Guests

    async def add_guest(self, guest: Guest, token_hash: bytes) -> None:
        """Keep a new guest."""
        await self._write(
            "INSERT INTO guests VALUES (?, ?, ?, ?, ?, ?)",
            (guest.id, token_hash, guest.name, guest.language, guest.created, guest.created),
        )

    async def guest(self, token_hash: bytes) -> Guest | None:
        """The guest with that token."""
        sql = "SELECT token_hash, seen, id, name, language, created FROM guests WHERE token_hash = ?"
        for stored, seen, *facts in await self._read(sql, token_hash):
            if hmac.compare_digest(stored, token_hash):
                guest = Guest(*facts)
                if time.time() - seen > SEEN_EVERY:
                    await self._note_seen(guest.id)
                return guest
        return None

    async def _note_seen(self, guest: str) -> None:
        await self._write("UPDATE guests SET seen = ? WHERE id = ?", (time.time(), guest))

    async def names(self, guests: Sequence[str]) -> dict[str, str]:
        """What guests are called now."""
        marks = ", ".join("?" * len(guests))
        return dict(await self._read(f"SELECT id, name FROM guests WHERE id IN ({marks})", *guests))

    async def rename(self, guest: str, command: str, fingerprint: bytes, name: str) -> bytes:
        """Give a guest another name, once a command."""
        return await self._writer.ask(lambda c: rename(c, guest, command, fingerprint, name))

    # Lists

    async def tables_of(self, guest: str, most: int) -> list[Listed]:
        """The tables at which a guest has a seat."""
        sql = """
        SELECT t.id, t.standing, r.time, r.turn FROM seats s JOIN tables t ON t.log = s.log
        JOIN rows r ON r.log = t.log AND r.number = (SELECT max(number) FROM rows WHERE log = t.log)
        WHERE s.guest = ? ORDER BY r.time DESC LIMIT ?
        """
        return [
            Listed(id, msgspec.json.decode(told, type=Standing), last, turn)
            for id, told, last, turn in await self._read(sql, guest, most)
        ]

    async def open_tables(self, guest: str) -> int:
        """How many tables a guest has opened that aren't over."""
        sql = "SELECT count(*) FROM tables WHERE creator = ? AND NOT over AND expired IS NULL"
        count: int = (await self._read(sql, guest))[0][0]
        return count

    async def expire(self, unbegun_before: float, others_before: float, keep: Sequence[str]) -> list[str]:
        """Forget old tables and guests that nobody knows any more."""

        def write(connection: sqlite3.Connection) -> list[str]:
            self._writer.logs.forget()
            return expire(connection, unbegun_before, others_before, keep)

        return await self._writer.ask(write)

    # Reading, writing, closing

    async def _write(self, sql: str, values: tuple[Any, ...]) -> None:
        await self._writer.ask(lambda connection: connection.execute(sql, values).rowcount)

    async def _read(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, self._fetch, sql, values)

    def _fetch(self, sql: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            address = f"{self._path.absolute().as_uri()}?mode=ro"
            connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
            self._local.connection = connection
            self._readers.append(connection)
        return connection.execute(sql, values).fetchall()

    async def close(self) -> None:
        """Finish what was asked for, then let go."""
        self._writer.hand_over()
        await asyncio.get_running_loop().run_in_executor(None, self._close)

    def _close(self) -> None:
        self._pool.shutdown()
        for connection in self._readers:
            connection.close()
        self._writer.close()
        os.close(self._lock)
