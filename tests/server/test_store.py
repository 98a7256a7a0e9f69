"""The store: conditional appends, one file that upgrades itself, and what is forgotten when."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import msgspec
import pytest

from kibitz.core.errors import KibitzError
from kibitz.server import schema
from kibitz.server.sqlite import SqliteStore
from kibitz.server.store import (
    Conflict,
    Guest,
    Listed,
    Row,
    SeatFacts,
    Standing,
    StoreFailed,
    chained,
    next_row,
)
from kibitz.server.store_file import FILE
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
async def test_rows_come_back_as_they_were(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        first = await store.append(row(None, "a"), None, STANDING)
        second = await store.append(row(first, "b", 2.5, body='{"text":"ñ"}'.encode()), 1)
        assert await store.rows("T") == [first, second]
        assert await store.rows("T", 0) == [second]
        assert await store.rows("U") == []
    async with opened(tmp_path) as store:
        assert await store.rows("T") == [first, second]
        assert chained(await store.rows("T"))


@in_loop
async def test_the_same_command_gets_the_row_it_has_made(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        first = await store.append(row(None, "a"), None, STANDING)
        second = await store.append(row(first, "b"), None)
        assert await store.append(row(second, "b", 9.0), None) == second
        assert await store.append(row(None, "a", 9.0), None, STANDING) == first
        assert len(await store.rows("T")) == 2


@in_loop
async def test_only_the_next_row_is_taken(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        first = await store.append(row(None, "a"), None, STANDING)
        second = await store.append(row(first, "b"), None)
        with pytest.raises(Conflict):
            await store.append(row(first, "c"), None)
        with pytest.raises(Conflict):
            await store.append(row(row(second, "x"), "c"), None)
        forged = msgspec.structs.replace(row(second, "c"), previous=b"forged")
        with pytest.raises(Conflict):
            await store.append(forged, None)
        with pytest.raises(Conflict):
            await store.append(row(None, "other"), None, STANDING)
        assert len(await store.rows("T")) == 2


@in_loop
async def test_of_many_at_once_one_wins(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        first = await store.append(row(None, "a"), None, STANDING)
        tries = [store.append(row(first, f"c{number}"), None) for number in range(50)]
        outcomes = await asyncio.gather(*tries, return_exceptions=True)
        assert sum(isinstance(one, Row) for one in outcomes) == 1
        assert sum(isinstance(one, Conflict) for one in outcomes) == 49
        assert len(await store.rows("T")) == 2


@in_loop
async def test_rows_asked_for_at_once_may_follow_each_other(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        rows = [await store.append(row(None, "a"), None, STANDING)]
        for number in range(40):
            rows.append(row(rows[-1], f"c{number}"))
        doubled = msgspec.structs.replace(row(rows[10], "c3"), table="T")
        asked = [store.append(one, None) for one in [*rows[1:20], doubled, *rows[20:]]]
        outcomes = await asyncio.gather(*asked)
        assert outcomes == [*rows[1:20], rows[4], *rows[20:]]
        assert chained(await store.rows("T"))
        assert len(await store.rows("T")) == 41


@in_loop
async def test_what_lists_tell_is_kept_though_another_row_asked_for_at_once_is_known(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        first = await store.append(row(None, "a"), None, STANDING)
        other = await store.append(row(None, "a", table="U"), None, STANDING)
        over = msgspec.structs.replace(STANDING, over=True)
        second, known = row(first, "b"), row(other, "a", table="U")
        outcomes = await asyncio.gather(store.append(second, None, over), store.append(known, None))
        assert list(outcomes) == [second, other]
        listed = {one.table: one.standing.over for one in await store.tables_of("ann", 10)}
        assert listed == {"T": True, "U": False}


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


# Guests


@in_loop
async def test_a_guest_is_found_by_its_token_alone(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        ann = Guest("ann", "Ann", "en", 1.0)
        await store.add_guest(ann, b"hash")
        assert await store.guest(b"hash") == ann
        assert await store.guest(b"hash2") is None
        assert await store.names(["ann", "bob"]) == {"ann": "Ann"}


# Forgetting


@in_loop
async def test_tables_expire_by_their_last_row(tmp_path: Path) -> None:
    begun = msgspec.structs.replace(STANDING, begun=True)
    async with opened(tmp_path) as store:
        old = await store.append(row(None, "a", 1.0, "OLD"), None, STANDING)
        await store.append(row(None, "b", 1.0, "BEGUN"), None, begun)
        await store.append(row(None, "c", 1.0, "USED"), None, STANDING)
        busy = await store.append(row(None, "d", 1.0, "BUSY"), None, STANDING)
        await store.append(row(busy, "e", 60.0, "BUSY"), None)
        assert await store.expire(50.0, 0.5, keep=["USED"]) == ["OLD"]
        assert await store.rows("OLD") == []
        assert await store.expired("OLD")
        assert not await store.expired("BEGUN")
        assert not await store.expired("NEVER")
        with pytest.raises(Conflict):
            await store.append(msgspec.structs.replace(old, command="new"), None, STANDING)
        assert sorted(await store.expire(50.0, 50.0, keep=[])) == ["BEGUN", "USED"]
        assert [one.table for one in await store.tables_of("ann", 10)] == ["BUSY"]
        assert await store.open_tables("ann") == 1


@in_loop
async def test_guests_without_a_table_are_forgotten_too(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await store.add_guest(Guest("ann", "Ann", "en", 1.0), b"a")
        await store.add_guest(Guest("bob", "Bob", "en", 1.0), b"b")
        await store.append(row(None, "a", 60.0), None, STANDING)
        await store.expire(50.0, 50.0, keep=[])
        assert await store.names(["ann", "bob"]) == {"ann": "Ann"}


@in_loop
async def test_an_expired_table_is_gone_and_its_creation_stays_answered(start: Start) -> None:
    server = start()
    day = 86400
    async with connected(server.port) as ann:
        table = (await ann.do("create", game="tiny", seats=["me", "open"], id="c"))["table"]
        kept = await ann.create("me", "easy")
    server.kill()
    server.age(8 * day)
    server.start()
    async with connected(server.port, ann.welcome["token"]) as ann:
        await until(lambda: not server.rows(table))
        await ann.say("watch", table=table)
        assert (await ann.hear("gone"))["table"] == table
        assert (await ann.do("create", game="tiny", seats=["me", "open"], id="c"))["table"] == table
        assert await ann.code("sit", table=table) == "gone"
        await ann.watch(kept)
