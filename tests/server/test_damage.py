"""Files that are damaged, empty, foreign, read-only: refused in words, and left as they are. [P5, P8]"""

import asyncio
import os
import random
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from kibitz.cli import cli
from kibitz.core.errors import KibitzError
from kibitz.core.words import LANGUAGES, catalogue
from kibitz.server.stores import schema, soundness, store_file, writing
from kibitz.server.stores.soundness import MAGIC, log_of
from kibitz.server.stores.sqlite import SqliteStore
from kibitz.server.stores.store import Row, StoreDamaged, chained, first_broken
from kibitz.server.stores.store_file import FILE
from tests.server.client import connected, fetch, until
from tests.server.conftest import ROOMY, Start
from tests.server.serving import in_loop
from tests.server.test_store import STANDING, opened, row

TABLES = 16
MORE = TABLES + 4
ROWS = 4
FLIPS = int(os.environ.get("KIBITZ_FLIPS", "150"))
NOBODY = 65534


async def filled(folder: Path) -> bytes:
    """A store with some tables, closed; returns its file."""
    async with opened(folder) as store:
        await asyncio.gather(*(add_table(store, number) for number in range(TABLES)))
    return (folder / FILE).read_bytes()


async def add_table(store: SqliteStore, number: int) -> None:
    """One more table of a few rows, each in a commit of its own."""
    last: Row | None = None
    for place in range(ROWS):
        body = msgspec.json.encode({"text": f"row {place} of table {number}" * 20})
        asked = row(last, f"c{place}", table=f"T{number}", body=body)
        last = await store.append(asked, None, None if last else STANDING)


def refusal(folder: Path, code: str) -> str:
    """Why a store can't be opened; whatever is in its folder stays as it is."""
    before = contents(folder)
    with pytest.raises(KibitzError) as refused:
        SqliteStore(folder)
    assert refused.value.code == code, refused.value.reason
    assert contents(folder) == before, "something was written"
    return refused.value.reason


def contents(folder: Path) -> dict[str, bytes]:
    """All that counts in a folder: SQLite makes the index of a log anew whenever it looks."""
    files = (file for file in folder.iterdir() if file.name != "lock" and not file.name.endswith("-shm"))
    return {file.name: file.read_bytes() for file in files}


# At the start


@in_loop
async def test_an_empty_file_is_not_taken_for_a_new_store(tmp_path: Path) -> None:
    await filled(tmp_path)
    (tmp_path / FILE).write_bytes(b"")
    assert "it is empty" in refusal(tmp_path, "store-damaged")


@in_loop
async def test_a_log_without_its_file_is_kept(tmp_path: Path) -> None:
    log = await left_log(tmp_path)
    (tmp_path / FILE).unlink()
    assert "only its log" in refusal(tmp_path, "store-damaged")
    assert log_of(tmp_path / FILE).read_bytes() == log


@pytest.mark.parametrize(
    "content", [b"x", MAGIC, MAGIC + bytes(4000), b"\x7fELF" * 1000, random.Random(1).randbytes(9000)]
)
def test_garbage_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    refusal(tmp_path, "store-damaged")


@pytest.mark.parametrize("share", [0.02, 0.3, 0.5, 0.9, 0.999])
@in_loop
async def test_a_truncated_file_is_refused(tmp_path: Path, share: float) -> None:
    whole = await filled(tmp_path)
    (tmp_path / FILE).write_bytes(whole[: int(share * len(whole))])
    refusal(tmp_path, "store-damaged")


def test_another_programs_database_is_refused(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / FILE)) as connection:
        connection.executescript("CREATE TABLE recipes (id INTEGER); PRAGMA user_version = 0;")
    assert "not one of Kibitz" in refusal(tmp_path, "not-a-store")


def test_a_folder_in_the_files_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    with pytest.raises(KibitzError, match="is not a file"):
        SqliteStore(tmp_path)


def test_a_file_in_the_folders_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("hello")
    with pytest.raises(KibitzError, match="can't be used"):
        SqliteStore(tmp_path / "data" / "server")


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        ("DROP TABLE seats", "seats is not as Kibitz makes it"),
        ("DROP INDEX seats_of_guest", "seats_of_guest is not as Kibitz makes it"),
        ("DELETE FROM meta", "its key is missing"),
        ("UPDATE meta SET value = x'00' WHERE key = 'key'", "its key is missing"),
        ("UPDATE meta SET value = zeroblob(32) WHERE key = 'key'", "not the one with which it began"),
    ],
)
@in_loop
async def test_a_file_changed_by_hand_is_refused(tmp_path: Path, change: str, detail: str) -> None:
    await filled(tmp_path)
    tamper(tmp_path, change)
    assert detail in refusal(tmp_path, "store-damaged")


def tamper(folder: Path, *changes: str) -> None:
    """Change the file while no server runs."""
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as connection:
        for change in changes:
            connection.execute(change)


@in_loop
async def test_a_key_of_an_older_kibitz_is_noted_at_its_first_start(tmp_path: Path) -> None:
    await filled(tmp_path)
    tamper(tmp_path, "DELETE FROM meta WHERE key = 'key-digest'")
    async with opened(tmp_path):
        pass
    tamper(tmp_path, "UPDATE meta SET value = zeroblob(32) WHERE key = 'key'")
    refusal(tmp_path, "store-damaged")


@in_loop
async def test_no_flipped_byte_is_served(tmp_path: Path) -> None:
    """Wherever a bit changes: the file is refused, or the table is, or it reads as before."""
    whole = await filled(tmp_path)
    async with opened(tmp_path) as store:
        before = {f"T{number}": await store.rows(f"T{number}") for number in range(TABLES)}
    chooser = random.Random(1)
    places = (range(len(whole)), page_of(tmp_path, "sqlite_autoindex_rows_1"))  # by which rows are found
    outcomes = {"refused": 0, "broken": 0, "same": 0}
    for number in range(FLIPS):
        flipped = bytearray(whole)
        flipped[chooser.choice(places[number % 2])] ^= 1 << chooser.randrange(8)
        (tmp_path / FILE).write_bytes(flipped)
        for kind in await kinds_of_damage(tmp_path, before):
            outcomes[kind] += 1
    assert all(outcomes.values()), outcomes


def page_of(folder: Path, index: str) -> range:
    """The bytes of an index's first page."""
    with closing(sqlite3.connect(folder / FILE)) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (index,)).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    return range((root - 1) * size, root * size)


async def kinds_of_damage(folder: Path, before: dict[str, list[Row]]) -> set[str]:
    """What becomes of the tables in a flipped file; that one is served as something else is a failure."""
    try:
        store = SqliteStore(folder)
    except KibitzError:
        return {"refused"}
    kinds = set()
    try:
        for table, rows in before.items():
            try:
                found = await store.rows(table)
            except StoreDamaged:
                return {"refused"}
            if chained(found) and found:
                assert found == rows
                kinds.add("same")
            else:
                kinds.add("broken")
    finally:
        await store.close()
    return kinds


@in_loop
async def test_the_command_says_it_in_one_line(tmp_path: Path) -> None:
    await filled(tmp_path)
    (tmp_path / FILE).write_bytes(b"")
    result = CliRunner().invoke(cli, ["serve", "--port", "0", "--no-browser", "--data", str(tmp_path)])
    assert result.exit_code == 1
    assert result.output.startswith(f"Error: {tmp_path / FILE} is damaged: it is empty")
    assert len(result.output.splitlines()) == 1


# The log


async def left_log(folder: Path) -> bytes:
    """A store whose log isn't worked into its file, as after a kill; returns the log."""
    await filled(folder)
    async with opened(folder) as store:
        for number in range(TABLES, MORE):
            await add_table(store, number)
        copy = {name: content for name, content in contents(folder).items() if name.startswith(FILE)}
    for name, content in copy.items():
        (folder / name).write_bytes(content)
    return copy[f"{FILE}-wal"]


def frame(number: int) -> int:
    """Where a frame of a log begins."""
    return soundness.LOG_HEADER + number * (soundness.FRAME_HEADER + 4096)


@in_loop
async def test_a_log_left_behind_is_taken_whole(tmp_path: Path) -> None:
    await left_log(tmp_path)
    async with opened(tmp_path) as store:
        assert all([len(await store.rows(f"T{number}")) == ROWS for number in range(MORE)])


@pytest.mark.parametrize("where", ["header", "first", "middle"])
@in_loop
async def test_a_log_broken_in_its_middle_is_refused(tmp_path: Path, where: str) -> None:
    log = bytearray(await left_log(tmp_path))
    frames = (len(log) - soundness.LOG_HEADER) // (soundness.FRAME_HEADER + 4096)
    place = {"header": 10, "first": frame(0) + 2000, "middle": frame(frames // 2) + 2000}[where]
    log[place] ^= 1
    log_of(tmp_path / FILE).write_bytes(log)
    assert "broken in its middle" in refusal(tmp_path, "store-damaged")


@pytest.mark.parametrize("torn", [10, 4000, 4120, 5000])
@in_loop
async def test_a_log_torn_at_its_end_is_taken_up_to_there(tmp_path: Path, torn: int) -> None:
    log = await left_log(tmp_path)
    log_of(tmp_path / FILE).write_bytes(log[:-torn])
    async with opened(tmp_path) as store:
        assert [len(await store.rows(f"T{number}")) for number in (MORE - 2, MORE - 1)] == [ROWS, ROWS - 1]


# Permissions


@pytest.fixture
def modest(tmp_path: Path) -> Iterator[Path]:
    """A folder of a user who isn't allowed everything."""
    folder = Path(tempfile.mkdtemp())
    root = os.geteuid() == 0
    if root:
        os.chown(folder, NOBODY, NOBODY)
        os.seteuid(NOBODY)
    try:
        yield folder
    finally:
        if root:
            os.seteuid(0)
        shutil.rmtree(folder)


@contextmanager
def mode(path: Path, bits: int) -> Iterator[None]:
    """A file or folder with other permissions for a while."""
    before = path.stat().st_mode
    path.chmod(bits)
    yield
    path.chmod(before)


@in_loop
async def read_only_cases(folder: Path) -> None:
    await filled(folder)
    with mode(folder / FILE, 0o400):
        assert "Permission denied. Make it writable" in refusal(folder, "store-unusable")
    with mode(folder, 0o500):
        assert f"{folder} can't be used: Permission denied" in refusal(folder, "store-unusable")
    (folder / "empty").mkdir()
    with mode(folder / "empty", 0o500):
        refusal(folder / "empty", "store-unusable")
        with pytest.raises(KibitzError, match="Make it writable"):
            SqliteStore(folder / "empty" / "new")
    with mode(folder / FILE, 0o000), pytest.raises(KibitzError, match="can't be used"):
        SqliteStore(folder)


def test_what_is_read_only_is_said(modest: Path) -> None:
    read_only_cases(modest)


async def modes_of_new_files(folder: Path) -> dict[str, int]:
    """What others may do with a new store's files, where the system's mask forbids nothing."""
    before = os.umask(0)
    try:
        async with opened(folder) as store:
            await add_table(store, 1)
            return {file.name: file.stat().st_mode & 0o777 for file in folder.iterdir()}
    finally:
        os.umask(before)


FOR_THEIR_OWNER = {FILE: 0o600, f"{FILE}-wal": 0o600, f"{FILE}-shm": 0o600, "lock": 0o600}


@in_loop
async def test_all_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    assert await modes_of_new_files(tmp_path) == FOR_THEIR_OWNER


@in_loop
async def test_a_store_that_others_could_read_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_file, "OWN", 0o644)
    assert await modes_of_new_files(tmp_path) == dict.fromkeys(FOR_THEIR_OWNER, 0o644)


@in_loop
async def test_files_that_others_could_read_are_theirs_no_longer(tmp_path: Path) -> None:
    await left_log(tmp_path)
    for file in tmp_path.iterdir():
        file.chmod(0o644)
    async with opened(tmp_path):
        assert all(file.stat().st_mode & 0o77 == 0 for file in tmp_path.glob(f"{FILE}*"))


# While it runs


def scramble(folder: Path, but_first: bool = False) -> None:
    """Overwrite the file behind the server's back."""
    file = folder / FILE
    size = file.stat().st_size
    with file.open("r+b") as content:
        content.seek(4096 if but_first else 0)
        content.write(b"\xa5" * (size - content.tell()))


@pytest.mark.parametrize("find", ["writing", "reading"])
@in_loop
async def test_damage_found_while_running_stops_all_writing(
    tmp_path: Path, find: str, caplog: pytest.LogCaptureFixture
) -> None:
    await filled(tmp_path)
    store = SqliteStore(tmp_path)
    scramble(tmp_path, but_first=True)
    frozen = contents(tmp_path)
    writing = store.append(row(None, "a", table="NEW"), None, STANDING)
    with pytest.raises(StoreDamaged):
        await (writing if find == "writing" else store.rows("T5"))
    if find == "reading":
        with pytest.raises(StoreDamaged):
            await writing
    for _ in range(3):
        with pytest.raises(StoreDamaged):
            await store.append(row(None, "b", table="NEWER"), None, STANDING)
    await store.close()
    assert contents(tmp_path)[FILE] == frozen[FILE]
    assert caplog.text.count("nothing more is written to it") == 1
    refusal(tmp_path, "store-damaged")


async def damage_is_left_alone(folder: Path) -> None:
    """What was written before the damage isn't worked into the file, and nothing more is written."""
    await filled(folder)
    store = SqliteStore(folder)
    await add_table(store, MORE)
    before = contents(folder)
    assert before[f"{FILE}-wal"]
    store._writer.note(corruption())
    with suppress(StoreDamaged):
        await store.append(row(None, "b", table="NEW"), None, STANDING)
    await store.close()
    assert contents(folder) == before


@in_loop
async def test_a_file_that_is_found_damaged_stays_as_it_is(tmp_path: Path) -> None:
    await damage_is_left_alone(tmp_path)


@in_loop
async def test_a_store_that_writes_to_a_damaged_file_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing.WritingThread, "note", lambda self, error: None)
    with pytest.raises(AssertionError):
        await damage_is_left_alone(tmp_path)


def corruption() -> sqlite3.DatabaseError:
    """What SQLite says to a damaged file."""
    error = sqlite3.DatabaseError("database disk image is malformed")
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error


@in_loop
async def test_a_quiet_server_empties_its_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "QUIET_SECONDS", 0.05)
    async with opened(tmp_path) as store:
        await add_table(store, 1)
        await until(lambda: log_of(tmp_path / FILE).stat().st_size == 0)
        await add_table(store, 2)
        assert chained(await store.rows("T2"))


# Rows


@pytest.mark.parametrize(
    "change",
    [
        "body = '{}'",
        "body = x'7b7d'",
        "actor = 'bob'",
        "time = time + 1",
        "command = 'other'",
        "command = CAST(x'ff' AS TEXT)",
        "kind = 'move'",
        "fingerprint = 3",
        "previous = hash",
        "hash = x''",
        "number = 9",
    ],
)
@in_loop
async def test_a_row_changed_by_hand_breaks_the_chain(tmp_path: Path, change: str) -> None:
    await filled(tmp_path)
    tamper(tmp_path, f"UPDATE rows SET {change} WHERE log = 1 AND number = 2")
    async with opened(tmp_path) as store:
        assert first_broken(await store.rows("T0")) == 2
        assert chained(await store.rows("T1"))


@in_loop
async def test_a_list_leaves_out_what_it_cannot_read(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    await filled(tmp_path)
    tamper(tmp_path, "UPDATE tables SET standing = x'ff00' WHERE log = 1")
    async with opened(tmp_path) as store:
        assert len(await store.tables_of("ann", 100)) == TABLES - 1
        assert "what lists tell of a table is damaged" in caplog.text


@in_loop
async def test_one_bad_table_does_not_close_the_others(start: Start) -> None:
    server = start(limits=ROOMY, bots="random")
    async with connected(server.port) as ann:
        bad, alone, good = [await ann.create("me", *seats) for seats in (["open"], ["easy"], ["open"])]
    server.kill()
    for table in (bad, alone):
        log = server.query("SELECT log FROM tables WHERE id = ?", table)[0][0]
        server.change("UPDATE rows SET actor = 'somebody' WHERE log = ? AND number = 0", log)
    before = server.rows(bad) + server.rows(alone)
    server.start()
    async with connected(server.port, ann.welcome["token"]) as ann:
        for table in (bad, alone):
            await ann.say("watch", table=table)
            assert (await ann.hear("gone"))["code"] == "table-damaged"
            assert await ann.code("chat", table=table, text="hello") == "table-damaged"
            status, _, content = await fetch(server.port, f"/api/tables/{table}/record")
            assert (status, msgspec.json.decode(content)["code"]) == (404, "table-damaged")
        await ann.watch(good)
        await ann.do("chat", table=good, text="hello")
        await ann.say("my-tables")
        assert len((await ann.hear("tables"))["tables"]) == 3
    assert server.rows(bad) + server.rows(alone) == before
    assert f"table {bad} is damaged from row 0 on" in server.errors


@in_loop
async def test_a_server_that_does_not_check_its_tables_is_caught(start: Start) -> None:
    server = start(limits=ROOMY)
    async with connected(server.port) as ann:
        table = await ann.create("me", "open")
    server.kill()
    server.change("UPDATE rows SET actor = 'somebody'")
    server.restart()
    async with connected(server.port) as ann:
        await ann.say("watch", table=table)
        assert (await ann.hear("gone", "table"))["type"] == "gone"
    server.kill()
    unchecked = start(limits=ROOMY, mutant="tables-unchecked", data=str(server.data))
    async with connected(unchecked.port) as ann:
        await ann.say("watch", table=table)
        assert (await ann.hear("gone", "table"))["type"] == "table"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", ["table-damaged", "store-damaged", "store-failed"])
def test_what_is_wrong_is_said_in_every_language(code: str, language: str) -> None:
    assert catalogue(language, "kibitz.server")(f"refusal.{code}") != f"refusal.{code}"


# A check that is skipped is missed


def skipped(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Leave a check out."""
    monkeypatch.setattr(soundness, name, lambda path, connection: None)


@pytest.mark.parametrize(
    ("check", "change"),
    [
        ("check_schema", "DROP INDEX seats_of_guest"),
        ("check_key", "UPDATE meta SET value = zeroblob(32) WHERE key = 'key'"),
        ("check_version", f"PRAGMA user_version = {schema.VERSION + 1}"),
    ],
)
@in_loop
async def test_without_its_check_a_change_by_hand_goes_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, check: str, change: str
) -> None:
    await filled(tmp_path)
    tamper(tmp_path, change)
    with pytest.raises(KibitzError):
        SqliteStore(tmp_path)
    skipped(monkeypatch, check)
    async with opened(tmp_path):
        pass


@in_loop
async def test_without_its_check_a_broken_log_loses_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = bytearray(await left_log(tmp_path))
    log[frame(0) + 2000] ^= 1
    log_of(tmp_path / FILE).write_bytes(log)
    skipped(monkeypatch, "check_log")
    async with opened(tmp_path) as store:
        assert await store.rows(f"T{TABLES}") == []


@in_loop
async def test_without_their_check_broken_pages_go_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = await filled(tmp_path)
    (tmp_path / FILE).write_bytes(whole[:-4096] + bytes(4096))
    refusal(tmp_path, "store-damaged")
    skipped(monkeypatch, "check_pages")
    async with opened(tmp_path):
        pass
