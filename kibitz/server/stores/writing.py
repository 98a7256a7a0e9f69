"""The thread that writes, and what it writes.

One connection writes, in a thread of its own: it takes all that waits, writes it in one transaction, and
answers when the commit has synced. It alone checkpoints. Once the file is found damaged it writes no more.
"""

import asyncio
import logging
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, TypeVar

import msgspec

from kibitz.server.people import ratings
from kibitz.server.stores import store_file
from kibitz.server.stores.soundness import DAMAGE, TROUBLE, result_code
from kibitz.server.stores.store import (
    NO_HASH,
    Addition,
    Conflict,
    Row,
    Standing,
    StoreDamaged,
    StoreFailed,
    lasting_settings,
)

log = logging.getLogger("kibitz.store")

BATCH = 256  # jobs after which a transaction takes no further ones in
TOGETHER = 32  # most rows of one statement
ENDS = 10_000  # logs whose end is remembered
QUIET_SECONDS = 10.0  # without a write, after which the log is worked into the file and emptied
RESCUE = (
    "Stop the server, keep a copy of its folder, look at it with kibitz verify-store, and put a backup "
    "in its place."
)

ROOM_SECONDS = 1.0  # between two looks at the room that is left on the disk
SCARCE_BYTES = 32 << 20  # of room; the log may take half of it
SHORT_LOG_PAGES = 32  # of the log when room is scarce

T = TypeVar("T")
Write = Addition | Callable[[sqlite3.Connection], T]


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


class WritingThread:
    """The thread that writes: one transaction for all that has come in while the last one was synced."""

    def __init__(self, connection: sqlite3.Connection, folder: Path) -> None:
        self.logs = Logs(connection)
        self._folder = folder
        self._looked = 0.0  # when the room on the disk was last looked at
        self._scarce = False
        self.damage: Exception | None = None  # why nothing is written any more
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

    # In the thread

    def _run(self) -> None:
        while (jobs := self._next()) is not None:
            goes_on = self._gather(jobs)
            self.commit(jobs)
            self._tell(jobs)
            self._mind_the_room()
            if not goes_on:
                return

    def _next(self) -> list[_Job] | None:
        """What is to be written next; if that takes its time, the log is emptied meanwhile."""
        try:
            return self._waiting.get(timeout=QUIET_SECONDS)
        except Empty:
            self._empty_the_log()
            return self._waiting.get()

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
        try:
            try:
                self._write(jobs)
            except sqlite3.OperationalError as error:
                if result_code(error) != sqlite3.SQLITE_FULL or not self._make_room():
                    raise
                self._write(jobs)
        except Exception as error:
            self._take_back()
            self.note(error)
            failed = self.failure(error)
            for job in jobs:
                job.answer = failed

    def _write(self, jobs: Sequence[_Job]) -> None:
        if self.damage is not None:
            raise damaged_store(self.damage)
        execute = self._connection.execute
        adding = [(job, job.write) for job in jobs if isinstance(job.write, Addition)]
        execute("BEGIN IMMEDIATE")
        for (job, _), answer in zip(adding, self.logs.add([write for _, write in adding])):
            job.answer = answer
        if len(adding) < len(jobs):
            for job in jobs:
                if not isinstance(job.write, Addition):
                    job.answer = job.write(self._connection)
        execute("COMMIT")

    def _tell(self, jobs: Sequence[_Job]) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            jobs[0].future.get_loop().call_soon_threadsafe(_settle_all, jobs)

    # What goes wrong

    def _take_back(self) -> None:
        with suppress(sqlite3.Error):
            if self._connection.in_transaction:
                self._connection.rollback()
        self.logs.forget()

    def note(self, error: Exception) -> None:
        """Say what went wrong; if the file turns out to be damaged, write nothing more. In any thread."""
        if self.damage is not None:
            return
        advice = TROUBLE.get(result_code(error))
        if result_code(error) in DAMAGE:
            self.damage = error
            log.critical("the store's file is damaged (%s): nothing more is written to it. %s", error, RESCUE)
        elif advice:
            log.error("the store's disk fails: %s. Players are told. %s", error, advice)
        else:
            log.error("the store failed", exc_info=error)

    def failure(self, error: Exception) -> StoreFailed:
        """What those who asked are told."""
        if self.damage is not None:
            return damaged_store(self.damage)
        failed = StoreFailed("store-failed", "The server's disk did not take it; nothing has changed.")
        failed.__cause__ = error
        return failed

    def _mind_the_room(self) -> None:
        """While the disk has little room the log stays short: a long one couldn't be worked into the file."""
        if time.monotonic() < self._looked + ROOM_SECONDS or self.damage is not None:
            return
        self._looked = time.monotonic()
        disk = os.statvfs(self._folder)
        scarce = disk.f_bavail * disk.f_frsize < SCARCE_BYTES
        if scarce != self._scarce:
            self._scarce = scarce
            pages = SHORT_LOG_PAGES if scarce else store_file.CHECKPOINT_PAGES
            self._connection.execute(f"PRAGMA wal_autocheckpoint = {pages}")
            if scarce:
                log.warning("the disk of %s is almost full: free some space", self._folder)
                self._empty_the_log()

    def _make_room(self) -> bool:
        """The disk is full: the log, in which pages lie many times over, can give some of it back."""
        self._take_back()
        return self._empty_the_log()

    def _empty_the_log(self) -> bool:
        """Work the log into the file, and cut it off; returns whether that went well."""
        if self.damage is not None:
            return False
        try:
            busy, _, _ = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.Error as error:
            self.note(error)
            return False
        return not busy


def damaged_store(cause: Exception) -> StoreDamaged:
    """The answer to whoever wants something written to a damaged file."""
    told = StoreDamaged("store-damaged", "The server's file is damaged; nothing more can be changed here.")
    told.__cause__ = cause
    return told


def _settle_all(jobs: Sequence[_Job]) -> None:
    for job in jobs:
        job.settle()


# What is written

LOG = "(SELECT log FROM tables WHERE id = ?)"
COLUMNS = "number, kind, actor, time, command, fingerprint, body, previous, hash"  # of a Row, after its table
PLACES = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


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
        times: list[tuple[float | None, int]] = []
        for row, turn, standing, due in additions:
            log = self._log(row)
            if log is None:
                self.forget()
                return False
            values += (log, *msgspec.structs.astuple(row)[1:], turn)
            if standing is not None:
                standings.append((log, row, standing))
            if standing is not None or due is not None:
                times.append((due, log))
        # To leave the rows before one that can't be added is no harm if nothing else comes with them, and
        # spares SQLite a copy of every page.
        otherwise = "ABORT" if standings or times else "FAIL"
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
        if times:
            self._connection.executemany("UPDATE tables SET due = ? WHERE log = ? AND due IS NOT ?1", times)
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
            "INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?, NULL, ?, NULL, ?)",
            (
                log,
                row.table,
                standing.game,
                standing.creator,
                row.time,
                standing.begun,
                standing.over,
                told,
                standing.listed,
            ),
        )
        if standing.regular:
            latest = standing.regular, row.table, lasting_settings(row.body)
            connection.execute("INSERT OR REPLACE INTO regulars VALUES (?, ?, ?)", latest)
    else:
        connection.execute(
            "UPDATE tables SET begun = ?, over = ?, standing = ?, listed = ? WHERE log = ?",
            (standing.begun, standing.over, told, standing.listed, log),
        )
        connection.execute("DELETE FROM seats WHERE log = ?", (log,))
    seated = [(log, seat, facts.guest or facts.left) for seat, facts in enumerate(standing.seats)]
    connection.executemany("INSERT INTO seats VALUES (?, ?, ?)", [each for each in seated if each[2]])
    if standing.over and not standing.closed:
        ended = [(row.table, seat, guest, row.time, told) for _, seat, guest in seated if guest]
        connection.executemany("INSERT OR IGNORE INTO results VALUES (?, ?, ?, ?, ?)", ended)
        filed = [(name, row.table) for name in standing.filed]
        connection.executemany("INSERT OR IGNORE INTO filed VALUES (?, ?)", filed)
        if ratings.counts(standing):
            _rate(connection, row, standing)


def _rate(connection: sqlite3.Connection, row: Row, standing: Standing) -> None:
    """What the game changes, with the row that ends it; a later row of the table changes nothing more."""
    if connection.execute("SELECT 1 FROM rating_changes WHERE id = ?", (row.table,)).fetchone():
        return
    pool = ratings.pool_of(standing.game, len(standing.seats))
    people = list(ratings.people_of(standing).values())
    marks = ", ".join("?" * len(people))
    sql = f"SELECT guest, mu, sigma FROM ratings WHERE pool = ? AND guest IN ({marks})"
    before = {guest: ratings.Skill(*skill) for guest, *skill in connection.execute(sql, (pool, *people))}
    for seat, guest, was, now in ratings.changes(standing, before):
        connection.execute(
            "INSERT INTO rating_changes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (row.table, seat, guest, pool, row.time, *was, *now),
        )
        connection.execute(
            "INSERT INTO ratings VALUES (?, ?, ?, ?, 1) ON CONFLICT (pool, guest) "
            "DO UPDATE SET mu = excluded.mu, sigma = excluded.sigma, games = games + 1",
            (guest, pool, *now),
        )


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


def alive(connection: sqlite3.Connection, now: float) -> float | None:
    """Note that a server runs; returns when this was noted last."""
    noted = connection.execute("SELECT value FROM meta WHERE key = 'alive'").fetchone()
    connection.execute("INSERT OR REPLACE INTO meta VALUES ('alive', ?)", (str(now).encode(),))
    return None if noted is None else float(noted[0])


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
        forget_log(connection, log)
    connection.execute("DELETE FROM renames WHERE time < ?", (others_before,))
    connection.execute(
        "DELETE FROM guests WHERE seen < ? AND id NOT IN (SELECT guest FROM seats) "
        "AND id NOT IN (SELECT guest FROM passphrases)",
        (others_before,),
    )
    connection.execute("DELETE FROM codes WHERE until < ?", (time.time(),))
    for relation in ("results", "devices"):
        connection.execute(f"DELETE FROM {relation} WHERE guest NOT IN (SELECT id FROM guests)")
    connection.execute("DELETE FROM filed WHERE id NOT IN (SELECT id FROM results)")
    return [id for _, id in gone]


def forget_log(connection: sqlite3.Connection, log: int) -> None:
    """Delete the log of a table; its name stays taken."""
    connection.execute("DELETE FROM rows WHERE log = ?", (log,))
    connection.execute("DELETE FROM seats WHERE log = ?", (log,))
    connection.execute(
        "UPDATE tables SET expired = ?, standing = x'', due = NULL WHERE log = ?", (time.time(), log)
    )
