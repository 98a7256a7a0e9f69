"""`kibitz move-store`: all of it arrives, it can be interrupted, and nothing is overwritten."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from kibitz.core.errors import KibitzError
from kibitz.server.stores.moving import move_store, opened
from kibitz.server.stores.sqlite import SqliteStore
from kibitz.server.stores.store import Guest, Row, Store
from tests.server.engines import needs_postgres
from tests.server.serving import in_loop
from tests.server.test_store import STANDING, row

psycopg = pytest.importorskip("psycopg")
from kibitz.cli import cli  # noqa: E402
from kibitz.server.stores.postgres import PostgresStore  # noqa: E402

pytestmark = needs_postgres


async def filled(folder: Path, tables: int = 4) -> bytes:
    """Fill a store; returns its key."""
    store = SqliteStore(folder)
    await store.add_guest(Guest("ann", "Ann", "en", 1.0), b"hash")
    await store.rename("ann", "c", b"f", "Anna")
    for number in range(tables):
        last: Row = await store.append(row(None, "a", 5.0, f"T{number}"), None, STANDING)
        for step in range(3):
            last = await store.append(row(last, f"c{step}", 6.0 + number, f"T{number}"), step % 2)
    await store.append(row(None, "a", 1.0, "OLD"), None, STANDING)
    await store.expire(2.0, 0.5, [])
    await store.close()
    return store.key


@in_loop
async def test_all_of_it_goes_there_and_back(tmp_path: Path, database: str) -> None:
    key = await filled(tmp_path / "here")
    moved = move_store(str(tmp_path / "here"), database)
    assert (moved.tables, moved.rows, moved.already) == (5, 16, 0)
    again = move_store(str(tmp_path / "here"), database)
    assert (again.tables, again.already) == (0, 5)
    move_store(database, str(tmp_path / "back"))
    stores: list[Store] = [
        SqliteStore(tmp_path / "here"),
        PostgresStore(database),
        SqliteStore(tmp_path / "back"),
    ]
    facts = []
    for store in stores:
        assert store.key == key
        facts.append(
            [
                await store.rows("T2"),
                await store.tables_of("ann", 10),
                await store.guest(b"hash"),
                await store.expired("OLD"),
                await store.open_tables("ann"),
                await store.rename("ann", "c", b"other", "Nobody"),
            ]
        )
        await store.close()
    assert facts[0] == facts[1] == facts[2]


@in_loop
async def test_another_store_is_not_overwritten(tmp_path: Path, database: str) -> None:
    await filled(tmp_path / "here")
    await filled(tmp_path / "other", 1)
    move_store(str(tmp_path / "other"), database)
    with pytest.raises(KibitzError, match="nothing is overwritten"):
        move_store(str(tmp_path / "here"), database)
    with pytest.raises(KibitzError, match="does not exist"):
        move_store(str(tmp_path / "nowhere"), database)


@in_loop
async def test_a_damaged_table_stops_it_and_it_can_go_on(tmp_path: Path, database: str) -> None:
    await filled(tmp_path / "here")
    with opened(str(tmp_path / "here"), make=False) as engine:
        kept = engine.read("rows", "T2")[1]["body"]
        engine._connection.execute("UPDATE rows SET body = x'00' WHERE number = 1 AND log = 3")  # type: ignore[attr-defined]
    with pytest.raises(KibitzError, match=r"T2 .* is damaged from row 1 on"):
        move_store(str(tmp_path / "here"), database)
    with opened(str(tmp_path / "here"), make=False) as engine:
        engine._connection.execute(  # type: ignore[attr-defined]
            "UPDATE rows SET body = ? WHERE number = 1 AND log = 3", (kept,)
        )
    moved = move_store(str(tmp_path / "here"), database)
    assert (moved.tables, moved.already) == (3, 2)


@in_loop
async def test_a_store_in_use_is_left_alone(tmp_path: Path, database: str) -> None:
    await filled(tmp_path / "here")
    store = PostgresStore(database)
    await store.rows("T")
    assert "the same" in CliRunner().invoke(cli, ["move-store", database, database]).output
    result = CliRunner().invoke(cli, ["move-store", str(tmp_path / "here"), database])
    assert result.exit_code == 1
    assert "Stop all nodes first" in result.output
    await store.close()
    result = CliRunner().invoke(cli, ["move-store", str(tmp_path / "here"), database])
    assert result.exit_code == 0, result.output
    assert "5 tables" in result.output


@in_loop
async def test_what_is_neither_a_folder_nor_postgresql_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    await filled(tmp_path / "here")
    here, other = str(tmp_path / "here"), "mysql://u:pass@x"
    for source, target in ((here, other), (other, here)):
        with pytest.raises(KibitzError, match="mysql://u:…@x is no store: name a folder"):
            move_store(source, target)
    assert [path.name for path in tmp_path.iterdir()] == ["here"]
