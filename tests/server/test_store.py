"""The store: conditional appends, one file that upgrades itself, and what is forgotten when."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import msgspec
import pytest

from kibitz.core.errors import KibitzError
from kibitz.server.stores import schema
from kibitz.server.stores.sqlite import SqliteStore
from kibitz.server.stores.store import (
    Conflict,
    Listed,
    Row,
    SeatFacts,
    Standing,
    StoreFailed,
    chained,
    next_row,
)
from kibitz.server.stores.store_file import FILE
from tests.server.client import connected, until
from tests.server.conftest import Start
from tests.server.serving import in_loop

STANDING = Standing("tiny", "ann", (SeatFacts("ann", "Ann"), SeatFacts()), begun=False, over=False)


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[SqliteStore]:
    """A store in a folder."""
    store = SqliteStore(folder)
    try:
        yield store
    finally:
        await store.close()


def row(last: Row | None, command: str, time: float = 1.0, table: str = "T", body: bytes = b"{}") -> Row:
    """The next row."""
    kind = "create" if last is None else "chat"
    return next_row(
        last, table=table, kind=kind, actor="ann", time=time, command=command, fingerprint=b"f", body=body
    )


@in_loop
async def test_a_changed_row_breaks_the_chain(tmp_path: Path) -> None:
    first = row(None, "a")
    rows = [first, row(first, "b")]
    assert chained(rows)
    assert not chained([msgspec.structs.replace(first, body=b'{"a":1}'), rows[1]])
    assert not chained([msgspec.structs.replace(first, time=2.0), rows[1]])
    assert not chained(rows[1:])


@in_loop
async def test_a_disk_that_fails_is_told_and_nothing_is_acknowledged(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        first = await store.append(row(None, "a"), None, STANDING)
        store._writer._connection.execute("PRAGMA max_page_count = 1")
        huge = row(first, "b", body=b'"' + b"x" * 200_000 + b'"')
        with pytest.raises(StoreFailed):
            await store.append(huge, None)
        store._writer._connection.execute("PRAGMA max_page_count = 100000")
        await store.append(row(first, "c"), None)
        assert [one.command for one in await store.rows("T")] == ["a", "c"]


@in_loop
async def test_a_reader_cannot_write(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            await store._read("DELETE FROM meta")


@in_loop
async def test_only_one_server_uses_a_folder(tmp_path: Path) -> None:
    async with opened(tmp_path):
        with pytest.raises(KibitzError, match="Another Kibitz server"):
            SqliteStore(tmp_path)
    async with opened(tmp_path):
        pass


@in_loop
async def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    async with opened(tmp_path / "data"):
        assert (tmp_path / "data" / FILE).stat().st_mode & 0o77 == 0
        assert (tmp_path / "data").stat().st_mode & 0o77 == 0


# The schema


@in_loop
async def test_a_newer_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await store.append(row(None, "a"), None, STANDING)
    connection = sqlite3.connect(tmp_path / FILE)
    connection.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
    connection.close()
    with pytest.raises(KibitzError, match="newer Kibitz") as refused:
        SqliteStore(tmp_path)
    assert refused.value.code == "newer-data"
    connection = sqlite3.connect(tmp_path / FILE)
    assert connection.execute("PRAGMA user_version").fetchone()[0] == schema.VERSION + 1
    connection.close()


@in_loop
async def test_an_older_file_is_upgraded_with_a_backup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path) as store:
        first = await store.append(row(None, "a"), None, STANDING)
    old = schema.VERSION
    monkeypatch.setattr(schema, "VERSION", old + 1)
    monkeypatch.setattr(schema, "UPGRADES", {old: "ALTER TABLE guests ADD COLUMN colour TEXT"})
    async with opened(tmp_path) as store:
        assert await store.rows("T") == [first]
        assert await store._read("SELECT colour FROM guests") == []
    backup = sqlite3.connect(tmp_path / f"{FILE}.schema-{old}")
    assert backup.execute("PRAGMA user_version").fetchone()[0] == old
    assert backup.execute("SELECT count(*) FROM rows").fetchone()[0] == 1
    backup.close()


FIRST_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE guests (
    id TEXT PRIMARY KEY, token_hash BLOB NOT NULL UNIQUE, name TEXT NOT NULL, language TEXT NOT NULL,
    created REAL NOT NULL, seen REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE renames (
    guest TEXT NOT NULL, command TEXT NOT NULL, fingerprint BLOB NOT NULL, name TEXT NOT NULL,
    time REAL NOT NULL, PRIMARY KEY (guest, command)
) WITHOUT ROWID;
CREATE TABLE rows (
    table_id TEXT NOT NULL, number INTEGER NOT NULL, kind TEXT NOT NULL, actor TEXT NOT NULL,
    time REAL NOT NULL, command TEXT NOT NULL, fingerprint BLOB NOT NULL, body BLOB NOT NULL, turn INTEGER,
    previous BLOB NOT NULL, hash BLOB NOT NULL, PRIMARY KEY (table_id, number), UNIQUE (table_id, command)
) WITHOUT ROWID;
CREATE TABLE tables (
    id TEXT PRIMARY KEY, game TEXT NOT NULL, creator TEXT NOT NULL, created REAL NOT NULL,
    begun INTEGER NOT NULL, over INTEGER NOT NULL, expired REAL, standing BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX tables_of_creator ON tables (creator) WHERE NOT over AND expired IS NULL;
CREATE TABLE seats (
    table_id TEXT NOT NULL, seat INTEGER NOT NULL, guest TEXT NOT NULL, PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
CREATE INDEX seats_of_guest ON seats (guest);
INSERT INTO meta VALUES ('key', zeroblob(32));
"""
SECOND_SCHEMA = FIRST_SCHEMA.replace(
    "command)\n) WITHOUT ROWID;\nCREATE TABLE tables", "command)\n);\nCREATE TABLE tables"
)


@pytest.mark.parametrize(("version", "old"), [(1, FIRST_SCHEMA), (2, SECOND_SCHEMA)])
@in_loop
async def test_tables_of_an_old_schema_go_on(tmp_path: Path, version: int, old: str) -> None:
    first = row(None, "a")
    second = row(first, "b", 2.0)
    other = row(None, "a", 1.5, "OTHER")
    told = msgspec.json.encode(STANDING)
    with closing(sqlite3.connect(tmp_path / FILE)) as connection, connection:
        connection.executescript(f"{old} PRAGMA user_version = {version};")
        for one, turn in ((first, None), (second, 1), (other, None)):
            values = msgspec.structs.astuple(one)
            connection.execute(
                "INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (*values[:8], turn, *values[8:])
            )
        for id, expired in (("T", None), ("OTHER", None), ("GONE", 1.0)):
            connection.execute(
                "INSERT INTO tables VALUES (?, 'tiny', 'ann', 1.0, 0, 0, ?, ?)", (id, expired, told)
            )
        connection.execute("INSERT INTO seats VALUES ('T', 0, 'ann')")
    async with opened(tmp_path) as store:
        assert await store.rows("T") == [first, second]
        assert await store.rows("OTHER") == [other]
        assert await store.expired("GONE")
        assert await store.open_tables("ann") == 2
        assert await store.tables_of("ann", 10) == [Listed("T", STANDING, 2.0, 1)]
        third = await store.append(row(second, "c"), None)
        assert await store.append(row(third, "b", 9.0), None) == second
        await store.append(row(None, "a", 3.0, "NEW"), None, STANDING)
        with pytest.raises(Conflict):
            await store.append(row(None, "a", 3.0, "GONE"), None, STANDING)
    with (
        closing(sqlite3.connect(tmp_path / FILE)) as upgraded,
        closing(sqlite3.connect(":memory:")) as fresh,
    ):
        fresh.executescript(schema.SCHEMA)
        made = "SELECT name, replace(replace(sql, ' ', ''), '\n', '') FROM sqlite_schema ORDER BY name"
        assert upgraded.execute(made).fetchall() == fresh.execute(made).fetchall()


@in_loop
async def test_an_upgrade_that_fails_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(tmp_path) as store:
        await store.append(row(None, "a"), None, STANDING)
    old = schema.VERSION
    monkeypatch.setattr(schema, "VERSION", old + 1)
    broken = "ALTER TABLE guests ADD COLUMN colour TEXT; SELECT nonsense"
    monkeypatch.setattr(schema, "UPGRADES", {old: broken})
    with pytest.raises(sqlite3.OperationalError):
        SqliteStore(tmp_path)
    monkeypatch.undo()
    async with opened(tmp_path) as store:
        assert len(await store.rows("T")) == 1


# Forgetting


@in_loop
async def test_an_expired_table_is_gone_and_its_creation_stays_answered(start: Start) -> None:
    server = start()
    day = 86400
    async with connected(server.port) as ann:
        table = (await ann.do("create", game="tiny", start="full", seats=["me", "open"], id="c"))["table"]
        kept = await ann.create("me", "easy")
    server.kill()
    server.age(8 * day)
    server.start()
    async with connected(server.port, ann.welcome["token"]) as ann:
        await until(lambda: not server.rows(table))
        await ann.say("watch", table=table)
        assert (await ann.hear("gone"))["table"] == table
        assert (await ann.do("create", game="tiny", start="full", seats=["me", "open"], id="c"))[
            "table"
        ] == table
        assert await ann.code("sit", table=table) == "gone"
        await ann.watch(kept)
