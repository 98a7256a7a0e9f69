"""`kibitz move-store FROM TO`: everything from one engine to another, while no node runs.

A table at a time, each in one transaction, with the chain of its hashes verified: whatever interrupts it, the
same command goes on where it was. What is kept follows from the engines' own lists of tables and columns.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Protocol

import msgspec

from kibitz.core.errors import KibitzError
from kibitz.server.addressed import POSTGRES
from kibitz.server.settings import shown
from kibitz.server.stores.store import Row, first_broken
from kibitz.server.stores.store_file import FILE, in_words, lock_folder, make_folder, open_file

Values = dict[str, Any]  # a row of any relation, by the names of its columns
Advance = Callable[[int, int | None], None]

OWN = ("meta", "leases")  # relations that belong to an engine


class StoreMoved(msgspec.Struct):
    """What was moved, and what had been before."""

    tables: int = 0
    rows: int = 0
    others: int = 0
    already: int = 0


class Engine(Protocol):
    """A store that is read or filled, apart from any server. The key of a log is the table's id: `log`."""

    name: str

    def relations(self) -> dict[str, list[str]]:
        """What it keeps: the columns of each relation."""
        ...

    def key(self) -> bytes:
        """Its own key."""
        ...

    def take_key(self, key: bytes) -> None:
        """Have this key from now on."""
        ...

    def read(self, relation: str, log: str | None = None) -> list[Values]:
        """All of a relation, or what belongs to one log."""
        ...

    def add(self, relation: str, values: Sequence[Values]) -> None:
        """Add all of these that aren't there."""
        ...

    def transaction(self) -> AbstractContextManager[None]:
        """All or nothing."""
        ...


def move_store(source: str, target: str, advance: Advance = lambda done, total: None) -> StoreMoved:
    """Copy all; raises before anything is overwritten."""
    if source == target:
        raise KibitzError("same-store", "Both addresses are the same: there is nothing to move.")
    with opened(source, make=False) as here, opened(target, make=True) as there:
        relations = _shared(here, there)
        _begin(here, there)
        moved = StoreMoved()
        logs = [name for name, columns in relations.items() if "log" in columns and name != "tables"]
        tables = here.read("tables")
        known = {table["log"] for table in there.read("tables")}
        for done, table in enumerate(tables):
            advance(done, len(tables))
            _move_table(here, there, table, logs, table["log"] in known, moved)
        for name in relations:
            if name not in logs and name != "tables":
                found = here.read(name)
                with there.transaction():
                    there.add(name, found)
                moved.others += len(found)
    return moved


def _move_table(
    here: Engine, there: Engine, table: Values, logs: Sequence[str], known: bool, moved: StoreMoved
) -> None:
    id = table["log"]
    rows = here.read("rows", id)
    _require_whole(here, id, rows)
    if known:
        if there.read("rows", id) != rows:
            raise KibitzError("store-in-use", f"{there.name} has another table {id}: nothing is overwritten.")
        moved.already += 1
        return
    with there.transaction():
        there.add("tables", [table])
        for name in logs:
            there.add(name, rows if name == "rows" else here.read(name, id))
    moved.tables += 1
    moved.rows += len(rows)


def _require_whole(engine: Engine, id: str, rows: Sequence[Values]) -> None:
    fields = Row.__struct_fields__[1:]
    broken = first_broken([Row(id, *(values[name] for name in fields)) for values in rows])
    if broken is not None:
        raise KibitzError(
            "table-damaged",
            f"Table {id} in {engine.name} is damaged from row {broken} on. kibitz verify-store tells more; "
            "what was moved before stays.",
        )


def _shared(here: Engine, there: Engine) -> dict[str, list[str]]:
    """What both keep; refuse if something couldn't be kept."""
    mine, theirs = here.relations(), there.relations()
    for name, columns in mine.items():
        missing = set(columns) - set(theirs.get(name, []))
        if missing:
            raise KibitzError("other-schema", f"{there.name} can't keep {name}.{', '.join(sorted(missing))}.")
    return mine


def _begin(here: Engine, there: Engine) -> None:
    """Two stores become one only if the second is new, or a copy of the first that was begun."""
    if there.key() == here.key():
        return
    if any(there.read(name) for name in ("tables", "guests")):
        raise KibitzError(
            "store-in-use", f"{there.name} is another store with something in it: nothing is overwritten."
        )
    there.take_key(here.key())


@contextmanager
def opened(address: str, make: bool) -> Iterator[Engine]:
    """The engine at an address, which nobody else uses meanwhile; a folder is SQLite's."""
    if address.startswith(POSTGRES):
        with _postgres(address) as engine:
            yield engine
        return
    if "://" in address:
        raise KibitzError(
            "bad-store", f"{shown(address)} is no store: name a folder, or an address with postgresql://"
        )
    folder, path = Path(address), Path(address) / FILE
    if not make and not path.exists():
        raise KibitzError("no-store", f"There is no store in {folder}: {path} does not exist.")
    with in_words(path):
        make_folder(folder)
        lock = lock_folder(folder)
        try:
            connection = open_file(path)
            try:
                yield SqliteEngine(str(path), connection)
            finally:
                connection.close()
        finally:
            os.close(lock)


class SqliteEngine:
    """A SQLite file, whose logs have numbers beside their ids."""

    def __init__(self, name: str, connection: sqlite3.Connection) -> None:
        self.name = name
        self._connection = connection
        self._connection.row_factory = sqlite3.Row

    def relations(self) -> dict[str, list[str]]:
        """What it keeps; a table's id is its log."""
        found = {}
        made = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        for (name,) in self._connection.execute(made).fetchall():
            if name not in OWN:
                columns = [
                    column["name"] for column in self._connection.execute(f"PRAGMA table_info({name})")
                ]
                found[name] = [column for column in columns if (name, column) != ("tables", "id")]
        return found

    def key(self) -> bytes:
        """Its own key."""
        key: bytes = self._connection.execute("SELECT value FROM meta WHERE key = 'key'").fetchone()[0]
        return key

    def take_key(self, key: bytes) -> None:
        """Have this key from now on."""
        from kibitz.server.stores.soundness import key_digest

        with self.transaction():
            for name, value in (("key", key), ("key-digest", key_digest(key))):
                self._connection.execute("UPDATE meta SET value = ? WHERE key = ?", (value, name))

    def read(self, relation: str, log: str | None = None) -> list[Values]:
        """All of a relation, or what belongs to one log."""
        columns = ", ".join(self.relations()[relation])
        order = {"tables": "log", "rows": "number"}.get(relation, "1")
        where = "" if log is None else "WHERE log = (SELECT log FROM tables WHERE id = ?)"
        extra = ", id" if relation == "tables" else ""
        sql = f"SELECT {columns}{extra} FROM {relation} {where} ORDER BY {order}"
        found = [dict(row) for row in self._connection.execute(sql, () if log is None else (log,))]
        for values in found:
            if "id" in values and relation == "tables":
                values["log"] = values.pop("id")
            elif log is not None:
                values["log"] = log
        return found

    def add(self, relation: str, values: Sequence[Values]) -> None:
        """Add all of these that aren't there."""
        for each in values:
            names = list(each)
            marks = ["?" for _ in names]
            if relation == "tables":
                names[names.index("log")] = "id"
            elif "log" in each:
                marks[names.index("log")] = "(SELECT log FROM tables WHERE id = ?)"
            sql = f"INSERT OR IGNORE INTO {relation} ({', '.join(names)}) VALUES ({', '.join(marks)})"
            self._connection.execute(sql, list(each.values()))

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")


@contextmanager
def _postgres(address: str) -> Iterator[Engine]:
    from kibitz.server.stores.postgres_moving import PostgresEngine

    with PostgresEngine(address) as engine:
        yield engine
