"""`kibitz verify-store` says precisely what is damaged, changes nothing, and ends with a code."""

import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from kibitz.cli import cli
from kibitz.server.stores.soundness import log_of
from kibitz.server.stores.store_file import FILE
from kibitz.server.stores.verifying import verify_store
from kibitz.terminal import reports
from tests.server.serving import in_loop
from tests.server.test_damage import MORE, ROWS, TABLES, contents, filled, frame, left_log, tamper
from tests.server.test_store import opened


def run(folder: Path, *options: str) -> Result:
    """The command; whatever is in the folder stays as it is."""
    before = contents(folder)
    result = CliRunner().invoke(cli, ["verify-store", "--data", str(folder), *options])
    assert contents(folder) == before, "something was written"
    return result


def problems(folder: Path) -> dict[str, list[str]]:
    """What is wrong, by the check that found it."""
    facts = json.loads(run(folder, "--json").output)
    found = {check["name"]: check["problems"] for check in facts["checks"] if check["problems"]}
    assert facts["sound"] == (not found)
    return found


@in_loop
async def test_a_sound_store_passes(tmp_path: Path) -> None:
    await filled(tmp_path)
    result = run(tmp_path)
    assert result.exit_code == 0, result.output
    assert (
        f"Each of {TABLES} tables has the log that was once written ({ROWS * TABLES} rows)" in result.output
    )
    assert "✗" not in result.output
    assert f"Cada una de las {TABLES} mesas" in run(tmp_path, "--lang", "es").output


@in_loop
async def test_a_store_in_use_passes(tmp_path: Path) -> None:
    await filled(tmp_path)
    async with opened(tmp_path):
        assert run(tmp_path).exit_code == 0


@in_loop
async def test_a_log_left_behind_is_looked_at_too(tmp_path: Path) -> None:
    log = bytearray(await left_log(tmp_path))
    assert json.loads(run(tmp_path, "--json").output)["tables"] == MORE
    log[frame(2) + 100] ^= 1
    log_of(tmp_path / FILE).write_bytes(log)
    assert "broken in its middle" in problems(tmp_path)["log"][0]


@in_loop
async def test_damaged_tables_are_named_with_the_row(tmp_path: Path) -> None:
    await filled(tmp_path)
    tamper(
        tmp_path,
        "UPDATE rows SET body = x'7b7d' WHERE log = 1 AND number = 2",
        "DELETE FROM rows WHERE log = 2 AND number = 1",
        "DELETE FROM rows WHERE log = 3",
        "UPDATE tables SET standing = x'ff' WHERE log = 4",
        "UPDATE tables SET expired = 1.0 WHERE log = 5",
        "UPDATE rows SET log = 99 WHERE log = 6",
        "UPDATE rows SET command = CAST(x'ff' AS TEXT) WHERE log = 7 AND number = 3",
    )
    assert problems(tmp_path) == {
        "tables": [
            "T0: row 2 of 4 is not what was once written",
            "T1: row 1 is missing",
            "T2: its log is empty",
            "T3: what lists tell of it can't be read",
            "T4: it has expired, but has rows",
            "T5: its log is empty",
            "T6: row 3 of 4 is not what was once written",
            "log 99: its table is not known",
        ]
    }
    result = run(tmp_path)
    assert result.exit_code == 1
    assert "Keep a copy of the store" in result.output


@pytest.mark.parametrize(
    ("content", "check"), [(None, "file"), (b"", "file"), (random.Random(1).randbytes(9000), "file")]
)
def test_what_is_no_store_is_said(tmp_path: Path, content: bytes | None, check: str) -> None:
    if content is not None:
        (tmp_path / FILE).write_bytes(content)
    assert list(problems(tmp_path)) == [check]
    assert run(tmp_path).exit_code == 1


@in_loop
async def test_broken_pages_are_told(tmp_path: Path) -> None:
    whole = await filled(tmp_path)
    (tmp_path / FILE).write_bytes(whole[:-4096] + bytes(4096))
    assert problems(tmp_path)["pages"]
    (tmp_path / FILE).write_bytes(whole[: len(whole) // 2])
    assert problems(tmp_path)
    (tmp_path / FILE).write_bytes(whole[:-10])
    assert problems(tmp_path)["size"] == ["its end is cut off"]


@in_loop
async def test_an_index_that_misleads_is_found(tmp_path: Path) -> None:
    """A server's quick look at its start doesn't compare them."""
    await filled(tmp_path)
    file = bytearray((tmp_path / FILE).read_bytes())
    place = file.rindex(b"ann", 0, len(file))  # a guest's name in an index of seats
    file[place : place + 3] = b"bob"
    (tmp_path / FILE).write_bytes(file)
    assert problems(tmp_path)


@in_loop
async def test_who_waits_longer_is_shown_how_far_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await filled(tmp_path)
    told: list[tuple[int, int | None]] = []
    verify_store(tmp_path, lambda done, total: told.append((done, total)))
    assert (TABLES - 1, TABLES) in told
    shown = []
    monkeypatch.setattr("rich.progress.Progress.start", lambda self: shown.append(True))
    with reports.late_bar(Console(force_terminal=True), "checking") as advance:
        advance(1, 2)
        assert not shown
        monkeypatch.setattr(reports, "LATE", 0.0)
        advance(2, 2)
        assert shown
