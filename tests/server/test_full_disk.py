"""A full disk: players are told, nothing is lost, the complaints are few, and it goes on. [P1, P8]"""

import asyncio
import logging
from pathlib import Path

import pytest

from kibitz.server.complaints import LINE, TABLE, Seldom, Short
from tests.server.client import Client, connected, until
from tests.server.load import UNLIMITED
from tests.server.power import Session, entries, possible
from tests.server.serving import Zygote, in_loop

needs_a_disk = pytest.mark.skipif(
    not possible(), reason="NO C COMPILER (or not Linux): nothing says what happens on a full disk"
)
SMALL = 600_000  # bytes: less than the log takes before it is worked into the file, more than the file
CHECKPOINT_PAGES = 4000
COMPLAINT = "the store's disk fails"
REFUSED = 12  # writes of bots, each of which might complain


class SmallDisk(Session):
    """A server on a disk of its own, whose size can be set."""

    def __init__(self, zygote: Zygote, folder: Path, size: int | None = None, **settings: object) -> None:
        (folder / "disk").mkdir()
        record = folder / "record"
        self._limit = Path(f"{record}.limit")
        usual = {"checkpoint_pages": CHECKPOINT_PAGES, "limits": UNLIMITED}
        super().__init__(zygote, folder / "disk", record, **{**usual, **settings})
        self.hold(size)
        self.server.start()

    @property
    def used(self) -> int:
        """How much is on it."""
        return sum(file.stat().st_size for file in self.server.data.iterdir())

    @property
    def refused(self) -> int:
        """How many writes found it full."""
        return sum(entry.kind == "F" for entry in entries(self._record.read_bytes()))

    def hold(self, size: int | None) -> None:
        """Let it hold so many bytes; None: all."""
        self._limit.write_text("" if size is None else str(size))


@needs_a_disk
@in_loop
async def test_on_a_full_disk_players_are_told_and_nothing_is_lost(observed: Zygote, folder: Path) -> None:
    complained = await complaints_of_a_full_disk(observed, folder)
    assert complained.count(COMPLAINT) == 1
    assert "Free some space" in complained
    assert "Traceback" not in complained


@needs_a_disk
@in_loop
async def test_a_server_that_complains_each_time_is_found_out(observed: Zygote, folder: Path) -> None:
    complained = await complaints_of_a_full_disk(observed, folder, mutant="complains-each-time")
    assert complained.count(COMPLAINT) > 1


async def complaints_of_a_full_disk(observed: Zygote, folder: Path, mutant: str | None = None) -> str:
    """What the server's log says while its disk is full; whoever plays is told, and loses nothing."""
    disk = SmallDisk(observed, folder, bots="random", mutant=mutant)
    before = len(observed.errors)
    try:
        async with connected(disk.server.port) as ann, connected(disk.server.port) as bob:
            table = await ann.create("me", "open")
            await bob.do("sit", table=table)
            for _ in range(4):
                await ann.watch(await ann.create("easy", "easy", pace="normal"))
            said = (await bob.watch(table))["number"]
            disk.hold(1)
            while (answer := await ann.ask("chat", table=table, text="hello"))["type"] == "done":
                said += 1  # there was room left in the files
            assert answer["code"] == "store-failed"
            await until(lambda: disk.refused > REFUSED, 60.0)  # bots try again and again
            assert (await bob.watch(table))["number"] == said
            disk.hold(None)
            await ann.do("chat", table=table, text="again")
            assert (await bob.watch(table))["number"] == said + 1
        return observed.errors[before:]
    finally:
        disk.server.kill()


@needs_a_disk
@pytest.mark.parametrize("mutant", [None, "log-never-emptied"])
@in_loop
async def test_a_small_disk_recovers_by_itself(observed: Zygote, folder: Path, mutant: str | None) -> None:
    """Its log alone would fill it; emptied into the file, it leaves room to go on."""
    disk = SmallDisk(observed, folder, SMALL, mutant=mutant)
    try:
        async with connected(disk.server.port) as ann:
            table = await ann.create("me", "open")
            refused = await chat_through(ann, table, 200)
        assert disk.used <= SMALL
        assert refused == 0 if mutant is None else refused > 50
    finally:
        disk.server.kill()


async def chat_through(client: Client, table: str, lines: int) -> int:
    """Say so much, each line again until it is taken or has been refused too often; returns the refusals."""
    refused = 0
    for number in range(lines):
        asked = {"table": table, "text": f"line {number} " + "x" * 100, "id": f"c{number}"}
        while (answer := await client.ask("chat", **asked))["type"] != "done":
            assert answer["code"] == "store-failed"
            refused += 1
            if refused > 60:
                return refused
            await asyncio.sleep(0.02)
    return refused


# The log of the server


@pytest.mark.parametrize("name", [5000 * "x", "x\nERROR kibitz: all is lost"])
def test_a_line_of_the_log_is_one_whatever_a_stranger_calls_a_table(name: str) -> None:
    TABLE.set(name)
    said = Short("%(message)s").format(logging.makeLogRecord({"msg": "it failed"}))
    assert said.startswith("it failed")
    assert len(said) < LINE
    assert "\n" not in said


def test_the_same_complaint_is_told_once_a_minute(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    log = logging.getLogger("kibitz.test")
    log.addFilter(seldom := Seldom())
    now = 1000.0
    monkeypatch.setattr("kibitz.server.complaints.time.monotonic", lambda: now)
    for second in range(150):
        now = 1000.0 + second
        log.error("a bot at table %s could not move", second)
        log.error("another thing")
    log.removeFilter(seldom)
    said = [record.getMessage() for record in caplog.records]
    assert said == [
        "a bot at table 0 could not move",
        "another thing",
        "a bot at table 60 could not move (and 59 more like this since)",
        "another thing (and 59 more like this since)",
        "a bot at table 120 could not move (and 59 more like this since)",
        "another thing (and 59 more like this since)",
    ]
