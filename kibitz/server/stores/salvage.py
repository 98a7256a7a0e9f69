"""`kibitz restore --salvage`: what can be saved of a damaged file, as a new store that is sound.

Each relation is read from both ends and, between them, key by key. The log of a table is kept up to the last
row whose chain of hashes holds; what lists tell of a table that was cut is told anew by its log.
"""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from kibitz.core.errors import KibitzError
from kibitz.server.stores import schema, soundness
from kibitz.server.stores.moving import SqliteEngine, Values
from kibitz.server.stores.store import Row, Standing, first_broken
from kibitz.server.stores.store_file import FILE, in_words, lock_folder, make_folder, open_file
from kibitz.server.stores.verifying import Advance
from kibitz.server.stores.writing import COLUMNS
from kibitz.server.tables.table import Table

TOGETHER = 128  # keys of a relation that are tried at once
OF_A_LOG = ("tables", "rows")

Found = tuple[Any, ...]


class Saved(msgspec.Struct):
    """What was saved, and what wasn't: tables by their ids."""

    whole: int = 0
    rows: int = 0
    others: dict[str, int] = {}  # how many of each other relation
    cut: list[str] = []
    lost: list[str] = []


def salvage(source: Path, folder: Path, advance: Advance = lambda done, total: None) -> Saved:
    """Save what can be read of a file into a folder without a store."""
    target = folder / FILE
    if target.exists():
        raise KibitzError("file-exists", f"{target} is already there: nothing is overwritten.")
    _require_store(source)
    with soundness.looking(source) as damaged:
        damaged.execute("PRAGMA writable_schema = ON")  # or SQLite reads nothing of a file that is cut off
        _require_version(source, damaged)
        return _saved(damaged, target, advance)


def _saved(damaged: sqlite3.Connection, target: Path, advance: Advance) -> Saved:
    with in_words(target):
        make_folder(target.parent)
        lock = lock_folder(target.parent)
        try:
            connection = open_file(target)
            try:
                return _save_all(damaged, SqliteEngine(str(target), connection), advance)
            finally:
                connection.close()
        finally:
            os.close(lock)


def _require_store(source: Path) -> None:
    try:
        there = soundness.is_there(source)
    except soundness.Unsound as error:
        why = (error.data or {}).get("detail", "it is not a file")
        raise KibitzError("no-store", f"Nothing can be saved of {source}: {why}.") from error
    if not there:
        raise KibitzError("no-store", f"{source} does not exist.")


def _require_version(source: Path, damaged: sqlite3.Connection) -> None:
    found = damaged.execute("PRAGMA user_version").fetchone()[0]
    if found != schema.VERSION:
        raise KibitzError(
            "other-schema",
            f"{source} has schema {found}; this Kibitz saves what is left of files with schema "
            f"{schema.VERSION}. Use the Kibitz that has written it.",
        )


def _save_all(damaged: sqlite3.Connection, there: SqliteEngine, advance: Advance) -> Saved:
    saved = Saved()
    relations = there.relations()
    key = next((row["value"] for row in readable(damaged, "meta") if row["key"] == "key"), b"")
    if isinstance(key, bytes) and len(key) == soundness.KEY_BYTES:
        there.take_key(key)
    beside = [name for name, columns in relations.items() if "log" in columns and name not in OF_A_LOG]
    found = {name: list(readable(damaged, name)) for name in relations}
    for name in set(relations) - set(OF_A_LOG) - set(beside):
        with there.transaction():
            there.add(name, found[name])
        saved.others[name] = len(found[name])
    names = {guest["id"]: guest["name"] for guest in found["guests"]}
    rows = _by_log(found["rows"])
    tables = {table["log"]: table for table in found["tables"]}
    ids = _ids(damaged, tables)
    ends = _ends(damaged)
    for done, (log, id) in enumerate(sorted(ids.items())):
        advance(done, len(ids))
        kept = _kept(id, tables.get(log), rows.get(log, []), ends.get(log, -1), names, saved)
        if kept is None:
            continue
        table, whole = kept
        with there.transaction():
            there.add("tables", [table])
            there.add("rows", whole)
            for name in beside:
                there.add(name, [each | {"log": id} for each in found[name] if each["log"] == log])
    saved.lost += [f"log {log}: nothing tells which table it was" for log in sorted(set(rows) - set(ids))]
    return saved


def _by_log(rows: Sequence[Values]) -> dict[int, list[Values]]:
    logs: dict[int, list[Values]] = {}
    for row in rows:
        logs.setdefault(row["log"], []).append(row)
    return {log: sorted(found, key=lambda row: str(row["number"]).zfill(20)) for log, found in logs.items()}


def _ids(damaged: sqlite3.Connection, tables: dict[int, Values]) -> dict[int, str]:
    """Which table each log belongs to: from the tables, or from their index where those can't be read."""
    ids = {log: table["id"] for log, table in tables.items() if isinstance(table["id"], str)}
    known, _ = _found(damaged, "SELECT id, log FROM tables INDEXED BY sqlite_autoindex_tables_1")
    for id, log in known:
        if isinstance(id, str):
            ids.setdefault(log, id)
    return ids


def _ends(damaged: sqlite3.Connection) -> dict[int, int]:
    """The number of each log's last row, by an index: a chain doesn't tell that its end is missing."""
    query = "SELECT log, number FROM rows INDEXED BY sqlite_autoindex_rows_1 ORDER BY log {0}, number {0}"
    ends: dict[int, int] = {}
    for direction in ("ASC", "DESC"):
        for log, number in _found(damaged, query.format(direction))[0]:
            if isinstance(number, int):
                ends[log] = max(number, ends.get(log, -1))
    return ends


def _kept(
    id: str, table: Values | None, rows: list[Values], end: int, names: dict[str, str], saved: Saved
) -> tuple[Values, list[Values]] | None:
    """A table and as much of its log as holds; None if that is nothing."""
    known = {name: value for name, value in (table or {}).items() if name != "id"}
    if known.get("expired") is not None:
        return known | {"log": id}, []
    fields = COLUMNS.split(", ")
    log = [Row(id, *(row[name] for name in fields)) for row in rows]
    broken = first_broken(log)
    whole = log if broken is None else log[:broken]
    if not whole:
        saved.lost.append(f"{id}: not even its first row can be read")
        return None
    last = whole[-1].number
    cut = broken is not None or last < end
    readable_table = _readable_table(table)
    told = _told_anew(whole, names) if cut or not readable_table else None
    if told is None and not readable_table:
        saved.lost.append(f"{id}: what it is can't be read")
        return None
    if cut:
        saved.cut.append(f"{id}: up to row {last}; row {last + 1} is damaged")
    else:
        saved.whole += 1
    saved.rows += len(whole)
    turns = told.pop("turns") if told else [row["turn"] for row in rows]
    kept = [rows[index] | {"log": id, "turn": turns[index]} for index in range(len(whole))]
    return known | (told or {}) | {"log": id}, kept


def _readable_table(table: Values | None) -> bool:
    try:
        return table is not None and bool(msgspec.json.decode(table["standing"], type=Standing))
    except (msgspec.MsgspecError, TypeError, UnicodeError):
        return False


def _told_anew(rows: Sequence[Row], names: dict[str, str]) -> dict[str, Any] | None:
    """What the store keeps of a table beside its log, as the log tells it; None if it can't be played."""
    try:
        table = Table(rows[0])
        turns = [table.turn]
        for row in rows[1:]:
            table.apply(row)
            turns.append(table.turn)
        standing = table.standing(names)
    except Exception:  # whatever a row says that was cut off from what came before
        return None
    return {
        "game": standing.game,
        "creator": standing.creator,
        "created": rows[0].time,
        "begun": standing.begun,
        "over": standing.over,
        "listed": standing.listed,
        "due": table.due,
        "standing": msgspec.json.encode(standing),
        "turns": turns,
    }


# Reading what is damaged


def readable(damaged: sqlite3.Connection, relation: str) -> Iterator[Values]:
    """All of a relation that can be read, each once."""
    described, _ = _found(damaged, f"PRAGMA table_info({relation})")
    columns = [name for _, name, *_ in described]
    keyed = [name for _, name, *_, place in sorted(described, key=lambda column: column[-1]) if place]
    rows = _has_rowid(damaged, relation)
    order = "rowid" if rows else ", ".join(keyed)
    selected = f"SELECT {', '.join(columns)} FROM {relation}{' NOT INDEXED' if rows else ''}"
    found, whole = _found(damaged, f"{selected} ORDER BY {order}")
    if not whole:
        found += _found(damaged, f"{selected} ORDER BY {order} DESC")[0]
        found += _key_by_key(damaged, relation, selected) if rows else []
    for values in dict.fromkeys(found):
        yield dict(zip(columns, values))


def _has_rowid(damaged: sqlite3.Connection, relation: str) -> bool:
    told, _ = _found(damaged, "SELECT sql FROM sqlite_schema WHERE name = ?", relation)
    return bool(told) and "WITHOUT ROWID" not in told[0][0]


def _key_by_key(damaged: sqlite3.Connection, relation: str, selected: str) -> list[Found]:
    """Keys beside those that lead to damage; an index knows how many there are."""
    known, _ = _found(damaged, f"SELECT rowid FROM {relation} INDEXED BY sqlite_autoindex_{relation}_1")
    last = max((key for (key,) in known), default=0)
    query = f"{selected} WHERE rowid BETWEEN ? AND ?"
    found: list[Found] = []
    for first in range(0, last + 1, TOGETHER):
        some, whole = _found(damaged, query, first, first + TOGETHER - 1)
        found += some
        if not whole:
            for key in range(first, first + TOGETHER):
                found += _found(damaged, query, key, key)[0]
    return found


def _found(damaged: sqlite3.Connection, query: str, *values: Any) -> tuple[list[Found], bool]:
    """What a query finds before it meets damage, and whether it met none."""
    found: list[Found] = []
    try:
        found.extend(damaged.execute(query, values))
    except sqlite3.DatabaseError:
        return found, False
    return found, True
