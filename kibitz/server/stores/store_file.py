"""The store's folder and file: made, held by one process, opened, upgraded.

Whatever gets a name is synced before it, and its folder after: a power loss leaves all of it or nothing.
"""

import errno
import fcntl
import os
import secrets
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from kibitz.core.errors import KibitzError
from kibitz.server.stores import schema, soundness
from kibitz.server.stores.soundness import DAMAGE, TROUBLE, Unsound, damaged, key_digest, log_of, result_code

FILE = "kibitz.db"
SYNCHRONOUS = "FULL"  # each commit waits for the disk
CHECKPOINT_PAGES = 4000  # of the log (16 MB) before it is worked into the file
PAGE_CACHE = 2000  # kibibytes of the file that a connection keeps in memory
OWN = 0o600  # nobody else's business: tokens' hashes, hidden cards


@contextmanager
def in_words(path: Path, advice: str = "or choose another folder with --data") -> Iterator[None]:
    """What the disk refuses is said with what to do about it."""
    try:
        yield
    except sqlite3.Error as error:
        if result_code(error) in DAMAGE:
            raise damaged(path, str(error)) from error
        if (helps := TROUBLE.get(result_code(error))) is None:
            raise
        raise Unsound("store-unusable", f"{path} can't be used: {error}. {helps}") from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise Unsound(
            "store-unusable",
            f"{error.filename or path} can't be used: {reason}. Make it writable for this user, {advice}.",
        ) from error


# The folder


def make_folder(folder: Path) -> None:
    """Make a folder for this user alone, and those above it that are missing."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)
        sync_folder(folder.parent)


def require_writable(folder: Path) -> None:
    """Refuse a folder in which no store could be made; nothing of it stays."""
    with in_words(folder):
        above = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.is_dir())
        tempfile.TemporaryDirectory(dir=above).cleanup()


def sync_folder(folder: Path) -> None:
    """Wait until the disk has the names in a folder, where the system can tell."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(descriptor)


def lock_folder(folder: Path) -> int:
    """Hold the folder for this process alone: two writers are one too many."""
    descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, OWN)
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


# The file


def open_file(path: Path) -> sqlite3.Connection:
    """The writing connection: to a new file, or to one that is found sound and brought up to date."""
    if soundness.is_there(path):
        _require_writable(path)
        soundness.check(path)
    else:
        _create(path)
    _keep_to_owner(path)
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        _prepare(connection)
        _upgrade(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _create(path: Path) -> None:
    """Make a new store under another name, then give it its own."""
    made = path.with_name(f"{path.name}.new")
    touch(made)
    key = secrets.token_bytes(soundness.KEY_BYTES)
    with closing(sqlite3.connect(made, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")  # it is synced as a whole
        connection.execute("PRAGMA journal_mode = MEMORY")
        connection.executescript(f"{schema.SCHEMA} PRAGMA user_version = {schema.VERSION};")
        connection.execute("INSERT INTO meta VALUES ('key', ?), ('key-digest', ?)", (key, key_digest(key)))
        connection.execute("PRAGMA journal_mode = WAL")
    sync(made)
    made.rename(path)
    sync_folder(path.parent)


def touch(path: Path) -> None:
    """An empty file that only its owner can read."""
    path.unlink(missing_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, OWN))


def sync(path: Path) -> None:
    """Wait until the disk has a file."""
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _require_writable(path: Path) -> None:
    for file in (path, log_of(path)):
        if file.exists():
            os.close(os.open(file, os.O_RDWR))
    effective = os.access in os.supports_effective_ids
    if not os.access(path.parent, os.W_OK, effective_ids=effective):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path.parent))


def _keep_to_owner(path: Path) -> None:
    """SQLite gives the files that it makes beside this one the same permissions."""
    for file in (path, log_of(path), path.with_name(f"{path.name}-shm")):
        with suppress(FileNotFoundError, PermissionError):  # another's file stays as it is
            file.chmod(OWN)


def keep_pages(connection: sqlite3.Connection) -> None:
    """Let a connection keep so much of the file in memory, and no more."""
    connection.execute(f"PRAGMA cache_size = -{PAGE_CACHE}")


def _prepare(connection: sqlite3.Connection) -> None:
    keep_pages(connection)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
    connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
    connection.execute("PRAGMA fullfsync = ON")  # on macOS a plain sync doesn't reach the disk


def _upgrade(connection: sqlite3.Connection, path: Path) -> None:
    found = connection.execute("PRAGMA user_version").fetchone()[0]
    if found < schema.VERSION:
        _back_up(connection, path.with_name(f"{path.name}.schema-{found}"))
    for version in range(found, schema.VERSION):
        upgrade = f"BEGIN;{schema.UPGRADES[version]};PRAGMA user_version = {version + 1};COMMIT;"
        connection.executescript(upgrade)
    known = dict(connection.execute("SELECT key, value FROM meta"))
    if "key-digest" not in known:
        connection.execute("INSERT INTO meta VALUES ('key-digest', ?)", (key_digest(known["key"]),))


def _back_up(connection: sqlite3.Connection, path: Path) -> None:
    touch(path)
    with closing(sqlite3.connect(path)) as backup:
        connection.backup(backup)
    sync(path)
    sync_folder(path.parent)
