"""Whether a store's file is sound; if it isn't, what is wrong with it and what to do.

All is looked at before anything is written. Looking changes nothing: the connections made here can't write.
"""

import hashlib
import sqlite3
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path

from kibitz.core.errors import KibitzError
from kibitz.server.stores import schema

MAGIC = b"SQLite format 3\0"
KEY_BYTES = 32
DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
TROUBLE = {  # that a disk can make, and what helps
    sqlite3.SQLITE_FULL: "Free some space on its disk.",
    sqlite3.SQLITE_READONLY: "Make it and its folder writable for this user.",
    sqlite3.SQLITE_CANTOPEN: "Make it and its folder writable for this user.",
    sqlite3.SQLITE_PERM: "Make it and its folder writable for this user.",
    sqlite3.SQLITE_IOERR: "Look after the disk: it reports errors.",
    sqlite3.SQLITE_BUSY: "Close the other program that has it open.",
    sqlite3.SQLITE_LOCKED: "Close the other program that has it open.",
}


class Unsound(KibitzError):
    """There is something that can't be used as a store; nothing was written to it."""


def result_code(error: BaseException) -> int:
    """SQLite's own number for what went wrong; 0 if there is none."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def damaged(path: Path, detail: str) -> Unsound:
    """The file isn't what was written to it."""
    return Unsound(
        "store-damaged",
        f"{path} is damaged: {detail}. Nothing was written to it. Keep a copy of the folder and put a backup "
        "in its place, or move it away to begin anew. What is left: kibitz verify-store --data "
        f"{path.parent}",
        {"file": str(path), "detail": detail},
    )


def log_of(path: Path) -> Path:
    """The write-ahead log beside a file: what isn't worked into it yet."""
    return path.with_name(f"{path.name}-wal")


def has_log(path: Path) -> bool:
    """Whether anything is in the log."""
    log = log_of(path)
    return log.exists() and log.stat().st_size > 0


# Before SQLite sees it


def is_there(path: Path) -> bool:
    """Whether there is a store in the file, as far as its first bytes tell; False if a new one may be made.

    A new file gets its name when it is complete, so one without content is never one of ours.
    """
    if not path.exists():
        if has_log(path):
            raise damaged(path, f"it is missing, and only its log {log_of(path).name} is left")
        return False
    if not path.is_file():
        raise Unsound("not-a-store", f"{path} is not a file. Choose another folder with --data.")
    with path.open("rb") as file:
        begin = file.read(len(MAGIC))
    if not begin:
        raise damaged(path, "it is empty, which a store never is")
    if begin != MAGIC:
        raise damaged(path, "it doesn't begin as a store does")
    return True


# What SQLite finds


@contextmanager
def looking(path: Path, beside_a_server: bool = False) -> Iterator[sqlite3.Connection]:
    """A connection that can't write. Without a log it makes no files beside this one either."""
    still = not beside_a_server and not has_log(path)
    address = f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' if still else ''}"
    try:
        with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as connection:
            connection.text_factory = lambda text: text.decode(errors="backslashreplace")
            yield connection
    except (sqlite3.DatabaseError, UnicodeError) as error:  # what it says may be damaged, too
        if result_code(error) in TROUBLE:
            raise
        raise damaged(path, str(error)) from error


def check(path: Path) -> None:
    """Refuse a file that isn't sound, or that a newer Kibitz has written."""
    with looking(path) as connection:
        for look in (check_version, check_log, check_size, check_pages, check_schema, check_key):
            look(path, connection)


Look = Callable[[Path, sqlite3.Connection], None]


def check_version(path: Path, connection: sqlite3.Connection) -> None:
    """This Kibitz has to know the file's schema."""
    found = connection.execute("PRAGMA user_version").fetchone()[0]
    if found > schema.VERSION:
        raise KibitzError(
            "newer-data",
            f"{path} was written by a newer Kibitz (schema {found}, this one knows {schema.VERSION}). "
            "Use that Kibitz, or another data folder.",
            {"found": found, "known": schema.VERSION},
        )
    if found <= 0:
        raise Unsound(
            "not-a-store",
            f"{path} is a database, but not one of Kibitz. Move it away, or choose another folder with "
            "--data.",
        )


def check_pages(path: Path, connection: sqlite3.Connection) -> None:
    """The file's structure has to be whole; what rows say is checked when their table is loaded."""
    (said,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if said != "ok":
        raise damaged(path, " ".join(said.split()))


def check_size(path: Path, connection: sqlite3.Connection) -> None:
    """A file ends with a whole page, unless its log still has to complete it; SQLite reads on in zeros."""
    page_bytes = connection.execute("PRAGMA page_size").fetchone()[0]
    if not has_log(path) and path.stat().st_size % page_bytes:
        raise damaged(path, "its end is cut off")


def check_schema(path: Path, connection: sqlite3.Connection) -> None:
    """All that this version makes has to be there."""
    if connection.execute("PRAGMA user_version").fetchone()[0] == schema.VERSION:
        for name in sorted(_wanted() - _objects(connection)):
            raise damaged(path, f"{name[0]} is not as Kibitz makes it")


def _objects(connection: sqlite3.Connection) -> set[tuple[str, str]]:
    made = connection.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
    return {(name, "".join(sql.split())) for name, sql in made}


@cache
def _wanted() -> set[tuple[str, str]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(schema.SCHEMA)
        return _objects(connection)


def check_key(path: Path, connection: sqlite3.Connection) -> None:
    """The key has to be the one with which the store began: tables are named by it."""
    meta = dict(connection.execute("SELECT key, value FROM meta"))
    key = meta.get("key")
    if not isinstance(key, bytes) or len(key) != KEY_BYTES:
        raise damaged(path, "its key is missing")
    if meta.get("key-digest", key_digest(key)) != key_digest(key):
        raise damaged(path, "its key is not the one with which it began")


def key_digest(key: bytes) -> bytes:
    """What is kept beside the key, to know it by."""
    return hashlib.sha256(b"kibitz key " + key).digest()


# The write-ahead log

LOG_HEADER, FRAME_HEADER = 32, 24
PAGE_BYTES = 4096  # of files that Kibitz makes
LAST_GOOD_FRAME = slice(16, 20)  # of the index that SQLite makes of the log, in the file beside it


def check_log(path: Path, connection: sqlite3.Connection) -> None:
    """The log may end in one commit that is torn, and not in more.

    SQLite takes a log up to the first frame whose sum is wrong, for there the power may have failed. But the
    writer syncs each commit before it begins the next: a second commit behind that frame means that what had
    been synced was damaged later, and that to go on would lose it in silence.
    """
    log, index = log_of(path), path.with_name(f"{path.name}-shm")
    if not has_log(path):
        return
    connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()  # makes the index
    good = int.from_bytes(index.read_bytes()[LAST_GOOD_FRAME], sys.byteorder) if index.exists() else 0
    if _commits_after(log, good) > 1:
        raise damaged(path, f"its log {log.name} is broken in its middle, after {good} good pages")


def _commits_after(log: Path, good: int) -> int:
    """How many commits of the log's present making lie behind the last good frame; older ones may, too."""
    commits = 0
    with log.open("rb") as file:
        header, first = file.read(LOG_HEADER), file.read(FRAME_HEADER)
        making = header[16:24] if _adds_up(header) else first[8:16]
        page_bytes = int.from_bytes(header[8:12], "big") if _adds_up(header) else PAGE_BYTES
        place = LOG_HEADER + good * (FRAME_HEADER + page_bytes)
        while file.seek(place) and len(header := file.read(FRAME_HEADER)) == FRAME_HEADER:
            _, pages_after_commit, made = struct.unpack(">II8s8x", header)
            if made != making:
                break
            commits += pages_after_commit > 0
            place += FRAME_HEADER + page_bytes
    return commits


def _adds_up(header: bytes) -> bool:
    """Whether a log's header has the sum that it says."""
    if len(header) < LOG_HEADER:
        return False
    numbers = struct.unpack(">6I" if header[3] & 1 else "<6I", header[:24])
    one = two = 0
    for first, second in zip(numbers[::2], numbers[1::2]):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return struct.unpack(">II", header[24:]) == (one, two)
