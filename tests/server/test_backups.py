"""`kibitz backup` while people play, `kibitz restore`, and what is saved of a damaged copy."""

import asyncio
import random
import shlex
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from kibitz.cli import cli
from kibitz.server.stores.backups import back_up
from kibitz.server.stores.moving import move_store
from kibitz.server.stores.salvage import salvage
from kibitz.server.stores.store import chained
from kibitz.server.stores.store_file import FILE
from kibitz.server.stores.verifying import verify_store
from scripts.engines import Postgres, postgres_program
from tests.server.client import connected
from tests.server.conftest import Start
from tests.server.engines import needs_postgres, new_database
from tests.server.serving import in_loop
from tests.server.test_damage import ROWS, TABLES, contents, filled, tamper
from tests.server.test_store import opened


def run(*words: str | Path) -> Result:
    """A command, as somebody types it."""
    return CliRunner().invoke(cli, [str(word) for word in words])


@in_loop
async def test_a_backup_made_while_people_talk_has_all_that_was_acknowledged(
    start: Start, tmp_path: Path
) -> None:
    server = start(limits={"chats": 10**6})
    async with connected(server.port) as ann:
        table = await ann.create("me", "open")
        said = 0

        async def talk() -> None:
            nonlocal said
            while True:
                await ann.do("chat", table=table, text="hello")
                said += 1

        talking = asyncio.create_task(talk())
        for number in range(5):
            before = said
            account = await asyncio.to_thread(back_up, server.data, tmp_path / f"{number}.db")
            assert account.sound
            assert account.rows > before
            while said < before + 5:  # nobody is held up
                await asyncio.sleep(0.005)
        talking.cancel()
    result = run("restore", tmp_path / "4.db", "--data", tmp_path / "anew")
    assert result.exit_code == 0, result.output
    async with opened(tmp_path / "anew") as store:
        rows = await store.rows(table)
    assert len(rows) == account.rows
    assert chained(rows)


@in_loop
async def test_there_and_back(tmp_path: Path) -> None:
    await filled(tmp_path / "here")
    copy = tmp_path / "copy.db"
    result = run("backup", copy, "--data", tmp_path / "here")
    assert result.exit_code == 0, result.output
    assert f"{TABLES} tables with {ROWS * TABLES} rows" in result.output
    assert copy.stat().st_mode & 0o777 == 0o600, "hidden cards are in it"
    assert f"{TABLES} mesas" in run("restore", copy, "--data", tmp_path / "there", "--lang", "es").output
    assert (tmp_path / "there" / FILE).stat().st_mode & 0o777 == 0o600
    async with opened(tmp_path / "here") as here:
        before, key = await here.rows("T3"), here.key
    async with opened(tmp_path / "there") as there:
        assert (await there.rows("T3"), there.key) == (before, key)


@in_loop
async def test_nothing_is_overwritten(tmp_path: Path) -> None:
    await filled(tmp_path / "here")
    copy = tmp_path / "copy.db"
    run("backup", copy, "--data", tmp_path / "here")
    before = contents(tmp_path / "here")
    for words in (
        ("backup", copy, "--data", tmp_path / "here"),
        ("restore", copy, "--data", tmp_path / "here"),
        ("restore", copy, "--data", tmp_path / "here", "--salvage"),
    ):
        result = run(*words)
        assert result.exit_code == 1
        assert "nothing is overwritten" in result.output
    assert contents(tmp_path / "here") == before
    nowhere = run("backup", tmp_path / "other.db", "--data", tmp_path / "nowhere")
    assert "There is no store in" in nowhere.output
    missing = run("backup", tmp_path / "no" / "copy.db", "--data", tmp_path / "here").output
    assert f"There is no folder {tmp_path / 'no'}: make it" in missing


@needs_postgres
@in_loop
async def test_a_database_is_copied_by_the_command_that_is_told(
    tmp_path: Path, database: str, postgres: Postgres
) -> None:
    pytest.importorskip("psycopg")
    hidden = run("backup", tmp_path / "copy", "--store", "postgresql://kibitz:hidden@db/kibitz")
    assert "hidden" not in hidden.output
    await filled(tmp_path / "here")
    move_store(str(tmp_path / "here"), database)
    there = new_database(postgres)
    told = run("backup", tmp_path / "copy", "--store", database).output
    for command in [line for line in told.splitlines() if line.startswith("  pg_")]:
        words = shlex.split(command.replace(f"dbname='{database}'", f"dbname='{there}'"))
        subprocess.run([str(postgres_program(words[0])), *words[1:]], check=True)
    assert run("verify-store", "--store", there).exit_code == 0
    postgres.psql(
        "UPDATE rows SET body = '' WHERE log = 'T1' AND number = 2", database=there.rpartition("/")[2]
    )
    damaged = run("verify-store", "--store", there)
    assert damaged.exit_code == 1
    assert "T1: row 2 of 4 is not what was once written" in damaged.output


# Damage


@in_loop
async def test_a_damaged_copy_is_not_restored_and_the_damage_is_named(tmp_path: Path) -> None:
    await filled(tmp_path / "here")
    tamper(tmp_path / "here", "UPDATE rows SET body = x'7b7d' WHERE log = 1 AND number = 2")
    copied = run("backup", tmp_path / "copy.db", "--data", tmp_path / "here")
    assert copied.exit_code == 1
    assert "keep earlier backups" in copied.output
    result = run("restore", tmp_path / "copy.db", "--data", tmp_path / "there")
    assert result.exit_code == 1
    assert "T0: row 2 of 4 is not what was once written" in result.output
    assert "--salvage" in result.output
    assert not (tmp_path / "there").exists()


@in_loop
async def test_what_can_be_saved_is_saved(tmp_path: Path) -> None:
    await filled(tmp_path / "here")
    tamper(
        tmp_path / "here",
        "UPDATE rows SET body = x'7b7d' WHERE log = 1 AND number = 2",
        "UPDATE rows SET body = x'7b7d' WHERE log = 2 AND number = 0",
        "DELETE FROM rows WHERE log = 3 AND number = 3",  # a chain doesn't tell that its end is missing
        "DELETE FROM meta WHERE key = 'key-digest'",
    )
    result = run("restore", tmp_path / "here" / FILE, "--data", tmp_path / "there", "--salvage")
    assert result.exit_code == 1
    assert f"{TABLES - 2} whole tables" in result.output
    assert "T0: up to row 1; row 2 is damaged" in result.output
    assert "T1: not even its first row can be read" in result.output
    assert verify_store(tmp_path / "there").sound


@in_loop
async def test_a_game_that_was_cut_goes_on_from_there(start: Start, tmp_path: Path) -> None:
    server = start()
    async with connected(server.port) as ann, connected(server.port) as bob:
        table = await ann.create("me", "open", start="full")
        await bob.do("sit", table=table)
        now = await ann.watch(table)
        player = ann if now["legal"] else bob
        now = await player.watch(table)
        await player.do("move", table=table, number=now["number"], move=now["legal"][0])
        token = ann.welcome["token"]
    server.kill()
    server.change("UPDATE rows SET hash = x'00' WHERE number = 3")
    server.change("UPDATE tables SET standing = x'ff'")
    saved = salvage(server.data / FILE, tmp_path / "there")
    assert saved.cut == [f"{table}: up to row 2; row 3 is damaged"]
    again = start(data=str(tmp_path / "there"))
    async with connected(again.port, token=token) as ann:
        now = await ann.watch(table)
        assert now["begun"]
        assert now["number"] == 2
        await ann.say("my-tables")
        (listed,) = (await ann.hear("tables"))["tables"]
        assert (listed["table"], listed["over"]) == (table, False)


@in_loop
async def test_whatever_page_is_damaged_the_rest_is_saved(tmp_path: Path) -> None:
    """Each page but the first is overwritten in turn, and what is saved is sound."""
    whole = await filled(tmp_path / "here")
    pages = len(whole) // 4096
    rows = []
    for page in random.Random(1).sample(range(1, pages), min(12, pages - 1)):
        broken = tmp_path / f"{page}.db"
        broken.write_bytes(whole[: page * 4096] + b"\xa5" * 4096 + whole[(page + 1) * 4096 :])
        saved = salvage(broken, tmp_path / str(page))
        assert verify_store(tmp_path / str(page)).sound
        assert saved.rows >= saved.whole * ROWS + len(saved.cut), "a log without its end isn't whole"
        rows.append(saved.rows)
    assert max(rows) == ROWS * TABLES, "an index can be made anew"
    assert sum(rows) > 0.6 * len(rows) * ROWS * TABLES, rows


@in_loop
async def test_of_a_file_that_was_cut_off_the_beginning_is_saved(tmp_path: Path) -> None:
    """A disk was full when it was copied. A log whose end is missing isn't called whole."""
    whole = await filled(tmp_path / "here")
    saved_rows = []
    for pages in range(len(whole) // 4096):
        (tmp_path / f"{pages}.db").write_bytes(whole[: pages * 4096 + 1000])
        saved = salvage(tmp_path / f"{pages}.db", tmp_path / str(pages))
        assert saved.rows >= saved.whole * ROWS + len(saved.cut)
        assert verify_store(tmp_path / str(pages)).sound
        saved_rows.append(saved.rows)
    assert saved_rows[-1] > 0.8 * ROWS * TABLES, saved_rows


def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing of ours")
    for words in ((), ("--salvage",)):
        result = run("restore", tmp_path / "notes.txt", "--data", tmp_path / "there", *words)
        assert result.exit_code == 1
        assert "doesn't begin as a store does" in result.output
        assert ("Nothing can be saved" in result.output) == bool(words)
        result = run("restore", tmp_path / "old.db", "--data", tmp_path / "there", *words)
        assert (result.exit_code, "old.db does not exist" in result.output) == (1, True)
        assert "saved" not in result.output
    with closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.execute("CREATE TABLE t (x)")
    result = run("restore", tmp_path / "other.db", "--data", tmp_path / "there", "--salvage")
    assert "schema 0" in result.output
    assert msgspec.json.encode(result.output)
