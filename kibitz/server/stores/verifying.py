"""`kibitz verify-store`: the whole file and the log of every table, looked at without changing anything."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from kibitz.core.errors import KibitzError
from kibitz.server.stores import soundness
from kibitz.server.stores.store import Row, Standing, first_broken
from kibitz.server.stores.store_file import FILE, lock_folder
from kibitz.server.stores.writing import COLUMNS

PROBLEMS = 100  # of the file's structure that are told
STEPS = 100_000  # of SQLite's, between two signs of life

Advance = Callable[[int, int | None], None]  # so many of so many are done; None: nobody knows


class Check(msgspec.Struct, frozen=True):
    """Something looked at, and what is wrong with it."""

    name: str
    problems: list[str] = []


class Account(msgspec.Struct):
    """What was found in a store."""

    file: str
    checks: list[Check] = []
    tables: int = 0
    rows: int = 0
    guests: int = 0

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not any(check.problems for check in self.checks)

    def facts(self) -> dict[str, Any]:
        """All of it as JSON."""
        return {"sound": self.sound, **msgspec.to_builtins(self)}


def verify_store(folder: Path, advance: Advance = lambda done, total: None) -> Account:
    """Look at everything in a store; a server may be using it."""
    with _held(folder) as alone:
        return verify_file(folder / FILE, advance, beside_a_server=not alone)


def verify_file(path: Path, advance: Advance, beside_a_server: bool = False) -> Account:
    """Look at everything in a store's file, or in a copy of one."""
    account = Account(str(path))
    if not _passes(account, "file", lambda: _require_there(path)):
        return account
    try:
        with soundness.looking(path, beside_a_server) as connection:
            _examine(path, connection, account, advance)
    except KibitzError as error:
        account.checks.append(Check("readable", [_detail(error)]))
    except sqlite3.OperationalError as error:
        account.checks.append(Check("readable", [str(error)]))
    return account


@contextmanager
def _held(folder: Path) -> Iterator[bool]:
    """Keep servers away meanwhile; False if one is there already, or nobody can write here anyhow."""
    try:
        lock = lock_folder(folder) if (folder / FILE).exists() else None
    except (KibitzError, OSError) as error:
        yield isinstance(error, PermissionError)
        return
    try:
        yield True
    finally:
        if lock is not None:
            os.close(lock)


def _require_there(path: Path) -> None:
    if not soundness.is_there(path):
        raise KibitzError("no-store", f"{path} does not exist", {"detail": f"{path} does not exist"})


def _passes(account: Account, name: str, look: Callable[[], None]) -> bool:
    try:
        look()
    except KibitzError as error:
        account.checks.append(Check(name, [_detail(error)]))
        return False
    account.checks.append(Check(name))
    return True


def _detail(error: KibitzError) -> str:
    return str(error.data.get("detail", error.reason))


def _examine(path: Path, connection: sqlite3.Connection, account: Account, advance: Advance) -> None:
    connection.set_progress_handler(lambda: advance(0, None), STEPS)
    looks = {
        "version": soundness.check_version,
        "log": soundness.check_log,
        "size": soundness.check_size,
        "schema": soundness.check_schema,
        "key": soundness.check_key,
    }
    for name, look in looks.items():
        passed = _passes(account, name, lambda look=look: look(path, connection))  # type: ignore[misc]
        if name == "version" and not passed:
            return
    account.checks.append(Check("pages", _broken_pages(connection)))
    account.guests = connection.execute("SELECT count(*) FROM guests").fetchone()[0]
    account.checks.append(Check("tables", list(_broken_tables(connection, account, advance))))


def _broken_pages(connection: sqlite3.Connection) -> list[str]:
    """Every page, and whether each index agrees with its table."""
    try:
        said = connection.execute(f"PRAGMA integrity_check({PROBLEMS})").fetchall()
    except sqlite3.DatabaseError as error:
        return [str(error)]
    return [" ".join(line.split()) for (line,) in said if line != "ok"]


def _broken_tables(connection: sqlite3.Connection, account: Account, advance: Advance) -> Iterator[str]:
    """Each table whose log isn't what was once written, from which row on."""
    tables = connection.execute("SELECT log, id, expired, standing FROM tables ORDER BY log").fetchall()
    for done, (log, id, expired, standing) in enumerate(tables):
        advance(done, len(tables))
        sql = f"SELECT {COLUMNS} FROM rows WHERE log = ? ORDER BY number"
        try:
            rows = [Row(id, *values) for values in connection.execute(sql, (log,))]
        except sqlite3.DatabaseError as error:
            yield f"{id}: its rows can't be read: {error}"
            continue
        yield from broken_table(account, id, expired, standing, rows)
    orphans = connection.execute("SELECT DISTINCT log FROM rows EXCEPT SELECT log FROM tables")
    for (log,) in orphans.fetchall():
        yield f"log {log}: its table is not known"


def broken_table(
    account: Account, id: str, expired: float | None, standing: object, rows: list[Row]
) -> Iterator[str]:
    """What is wrong with a table, if anything is; it is counted."""
    account.rows += len(rows)
    if expired is None:
        account.tables += 1
        if problem := _broken_log(rows) or _unlisted(standing):
            yield f"{id}: {problem}"
    elif rows:
        yield f"{id}: it has expired, but has rows"


def _broken_log(rows: list[Row]) -> str:
    broken = first_broken(rows)
    if not rows:
        return "its log is empty"
    if broken is None:
        return ""
    if rows[broken].number != broken:
        return f"row {broken} is missing"
    return f"row {broken} of {len(rows)} is not what was once written"


def _unlisted(standing: object) -> str:
    try:
        msgspec.json.decode(standing, type=Standing)  # type: ignore[call-overload]
    except (msgspec.MsgspecError, TypeError, UnicodeError):
        return "what lists tell of it can't be read"
    return ""
