"""Power loss: a disk that loses what wasn't synced, and what is left of a store on it.

A server plays under `disk/recorder.c`, which writes down all that it does to its folder, and all that it
answers. Here that record is followed up to any point, where the power fails: what was synced is kept, and of
what wasn't, parts are dropped, torn, or kept in another order. What is left has to open, with every chain
whole and every answer kept.

`python -m tests.server.power [points]` is the nightly run.
"""

import asyncio
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import kibitz
from kibitz.core.errors import KibitzError
from kibitz.server.stores.sqlite import SqliteStore
from kibitz.server.stores.store import Row, chained
from kibitz.server.stores.writing import COLUMNS
from tests.server.load import UNLIMITED, load
from tests.server.serving import Server, Zygote
from tests.tiny import GAME as TINY

HERE = Path(__file__).parent
COMPILER = shutil.which("cc") or shutil.which("gcc")
SECTOR = 512  # bytes that are written as one
CHECKPOINT_PAGES = 40  # so that there are many


@cache
def possible() -> bool:
    """Whether the recorder can be compiled here."""
    if COMPILER is None or sys.platform != "linux":
        return False
    look = [COMPILER, "-fsyntax-only", str(HERE / "disk" / "recorder.c")]
    return subprocess.run(look, stderr=subprocess.DEVNULL).returncode == 0


# What was recorded


class Entry(NamedTuple):
    """One thing that the server did; `recorder.c` names the kinds."""

    kind: str
    path: str
    inode: int
    offset: int
    data: bytes


HEAD = struct.Struct("=cIQqI")


def entries(record: bytes) -> Iterator[Entry]:
    """What a record says, in order; a killed server may leave the last one incomplete."""
    place = 0
    while place + HEAD.size <= len(record):
        kind, path_length, inode, offset, length = HEAD.unpack_from(record, place)
        place += HEAD.size
        path = record[place : place + path_length].decode()
        place += path_length
        if place + length > len(record):
            return
        yield Entry(kind.decode(), path, inode, offset, record[place : place + length])
        place += length


# The disk


Write = tuple[int, bytes | None]  # at this offset; None: the file is cut off there


class File:
    """A file's content: what the disk surely has, and the writes that it may have or not."""

    def __init__(self, content: bytes = b"") -> None:
        self.synced = bytearray(content)
        self.pending: list[Write] = []
        self._at_sync = 0

    def begin_sync(self) -> None:
        """What was written until now will be safe ..."""
        self._at_sync = len(self.pending)

    def end_sync(self) -> None:
        """... now."""
        for write in self.pending[: self._at_sync]:
            apply(self.synced, *write)
        del self.pending[: self._at_sync]
        self._at_sync = 0

    def after_loss(self, fate: "Fate") -> bytes:
        """What is found when the power is back."""
        content = bytearray(self.synced)
        for write in fate.of_writes(self.pending, len(self.synced)):
            apply(content, *write)
        return bytes(content)


def apply(content: bytearray, offset: int, data: bytes | None) -> None:
    """Write data at its place, or cut the content off there; what lies between is zeros."""
    content.extend(bytes(max(0, offset - len(content))))
    if data is None:
        del content[offset:]
    else:
        content[offset : offset + len(data)] = data


Change = TypeVar("Change")


class Fate:
    """What becomes of that which wasn't synced."""

    def __init__(self, chooser: random.Random) -> None:
        self._chooser = chooser
        self._kind = chooser.choice(("nothing", "all", "first", "last", "some", "torn"))

    def of(self, changes: Sequence[Change]) -> Sequence[Change]:
        """Those changes that reach the disk, each as a whole."""
        match self._kind:
            case "nothing":
                return ()
            case "all":
                return changes
            case "first":
                return changes[: self._chooser.randint(0, len(changes))]
            case "last":
                return changes[self._chooser.randint(0, len(changes)) :]
            case _:
                return [change for change in changes if self._chooser.random() < 0.5]

    def of_writes(self, writes: Sequence[Write], grown_from: int) -> Sequence[Write]:
        """The same of a file's writes; torn ones leave some sectors, and noise where the file has grown."""
        return list(self._torn(writes, grown_from)) if self._kind == "torn" else self.of(writes)

    def _torn(self, writes: Sequence[Write], grown_from: int) -> Iterator[Write]:
        for offset, data in writes:
            for place in range(0, len(data or b" "), SECTOR):
                kept = None if data is None else data[place : place + SECTOR]
                chance = self._chooser.random()
                if chance < 0.5:
                    yield offset + place, kept
                elif chance < 0.6 and kept is not None and offset + place >= grown_from:
                    yield offset + place, self._chooser.randbytes(len(kept))


class Disk:
    """Files and folders below a root, as a record changes them."""

    def __init__(self, root: Path) -> None:
        self._root = str(root)
        self._names: dict[str, File | None] = {}  # that the disk surely has; None: a folder
        self._pending: dict[str, list[tuple[str, File | None, str]]] = {}  # a folder's changes
        self._at_sync: dict[str, int] = {}
        self._now: dict[str, File | None] = {self._root: None}
        self._by_inode: dict[int, File] = {}
        for path in sorted(root.rglob("*")):
            file = None if path.is_dir() else File(path.read_bytes())
            self._names[str(path)] = self._now[str(path)] = file
            if file is not None:
                self._by_inode[path.stat().st_ino] = file

    def take(self, entry: Entry) -> None:
        """Do what the server did."""
        path, file = entry.path, self._by_inode.get(entry.inode)
        match entry.kind:
            case "C":
                self._by_inode[entry.inode] = created = File()
                self._name(path, created)
            case "M":
                self._name(path, None)
            case "U":
                self._unname(path)
            case "R":
                self._rename(path, entry.data.decode())
            case "W" | "T" if file is not None:
                file.pending.append((entry.offset, entry.data if entry.kind == "W" else None))
            case "B" | "S" if file is not None:
                file.begin_sync() if entry.kind == "B" else file.end_sync()
            case "B":
                self._at_sync[path.rstrip("/")] = len(self._changes(path.rstrip("/")))
            case "S":
                self._sync_names(path.rstrip("/"))

    def after_loss(self, fate: Fate) -> dict[str, bytes | None]:
        """What is found when the power is back; None: a folder. Without its folder nothing is found."""
        names = dict(self._names)
        for changes in self._pending.values():
            for change in fate.of(changes):
                rename(names, *change)
        found: dict[str, bytes | None] = {}
        for path, file in sorted(names.items()):
            folder = path.rpartition("/")[0]
            if folder == self._root or (folder in found and found[folder] is None):
                found[path] = None if file is None else file.after_loss(fate)
        return {path.removeprefix(f"{self._root}/"): content for path, content in found.items()}

    # Names

    def _changes(self, folder: str) -> list[tuple[str, File | None, str]]:
        return self._pending.setdefault(folder, [])

    def _note(self, path: str, file: File | None, kind: str) -> None:
        self._changes(path.rpartition("/")[0]).append((path, file, kind))

    def _name(self, path: str, file: File | None) -> None:
        self._now[path] = file
        self._note(path, file, "")

    def _unname(self, path: str) -> None:
        del self._now[path]
        self._note(path, None, "gone")

    def _rename(self, old: str, new: str) -> None:
        self._now[new] = file = self._now.pop(old)
        self._note(new, file, old)

    def _sync_names(self, folder: str) -> None:
        safe = self._at_sync.pop(folder, 0)
        for change in self._changes(folder)[:safe]:
            rename(self._names, *change)
        del self._changes(folder)[:safe]


def rename(names: dict[str, File | None], path: str, file: File | None, how: str) -> None:
    """Give a file its name: a new one, or another instead of the old; or take it away."""
    if how == "gone":
        names.pop(path, None)
        return
    if how:
        names.pop(how, None)
    names[path] = file


# What was promised


DONE = re.compile(rb'\{"type":"done","id":"([^"]+)","table":"([^"]+)","number":(\d+)')
WELCOME = re.compile(rb'\{"type":"welcome"[^}]*"guest":"([0-9a-f]+)"')


class Promises:
    """What clients were told is stored."""

    def __init__(self) -> None:
        self.commands: list[tuple[str, str, int]] = []  # id, table, row
        self.guests: list[str] = []

    def take(self, answer: bytes) -> None:
        """Note what an answer says."""
        for id, table, number in DONE.findall(answer):
            self.commands.append((id.decode(), table.decode(), int(number)))
        self.guests += [guest.decode() for guest in WELCOME.findall(answer)]

    def broken(self, rows: dict[tuple[str, int], str], guests: set[str]) -> list[str]:
        """Those that aren't kept. A rematch may be asked for by two, under the name of one."""
        return [
            f"row {number} of {table} by {id}"
            for id, table, number in self.commands
            if rows.get((table, number)) != id and not (id.startswith("again-") and (table, number) in rows)
        ] + [f"guest {guest}" for guest in self.guests if guest not in guests]


class Report:
    """What came of all the losses."""

    def __init__(self) -> None:
        self.points = 0
        self.lost: list[str] = []
        self.closed: list[str] = []  # why a store didn't open
        self.torn: list[str] = []  # tables whose chain isn't whole

    @property
    def clean(self) -> bool:
        """Whether all was kept."""
        return not (self.lost or self.closed or self.torn)


ROWS = f"SELECT id, {COLUMNS} FROM rows JOIN tables USING (log) ORDER BY id, number"


async def examine(folder: Path, promises: Promises, report: Report) -> None:
    """Open what is left, as a server does, and compare it with what was promised."""
    report.points += 1
    try:
        store = SqliteStore(folder)
    except KibitzError as error:
        report.closed.append(error.reason)
        return
    try:
        rows = [Row(*values) for values in await store._read(ROWS)]
        guests = {id for (id,) in await store._read("SELECT id FROM guests")}
    finally:
        await store.close()
    report.lost += promises.broken({(row.table, row.number): row.command for row in rows}, guests)
    logs: dict[str, list[Row]] = {}
    for row in rows:
        logs.setdefault(row.table, []).append(row)
    report.torn += [table for table, log in logs.items() if not chained(log)]


def lay_out(found: dict[str, bytes | None], folder: Path) -> None:
    """Put what was found into a folder, in place of what was there."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for path, content in found.items():
        if content is None:
            (folder / path).mkdir()
        else:
            (folder / path).write_bytes(content)


# A server that is observed


def preloaded(folder: Path) -> dict[str, str]:
    """The environment in which a process is observed."""
    library = folder / "recorder.so"
    assert COMPILER is not None
    source = HERE / "disk" / "recorder.c"
    subprocess.run([COMPILER, "-O1", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return {"LD_PRELOAD": str(library)}


@contextmanager
def observed_servers(folder: Path) -> Iterator[Zygote]:
    """A process that forks servers under observation."""
    zygote = Zygote(folder / "errors.txt", preloaded(folder))
    try:
        yield zygote
    finally:
        zygote.close()


class Session:
    """A server on a folder below the root, from its start to its end; and what it did."""

    def __init__(self, zygote: Zygote, root: Path, record: Path, **settings: Any) -> None:
        self.disk = Disk(root)
        self._record = record
        disk = {"record": str(record), "root": str(root), "limit": f"{record}.limit"}
        usual = {"limits": UNLIMITED, "checkpoint_pages": CHECKPOINT_PAGES}
        data = {"data": str(root / "home" / "data"), "disk": disk}
        self.server = Server(zygote, {**usual, **data, **settings})

    def play(self, moves: int, ending: Callable[[Server], None]) -> list[Entry]:
        """Play so many moves, then end."""
        self.server.start()
        asyncio.run(load(self.server.port, 4, 60.0, TINY.name, self.server.pid, moves=moves))
        ending(self.server)
        return list(entries(self._record.read_bytes()))


def killed(server: Server) -> None:
    """The server ends in the middle of something."""
    server.kill()


def stopped(server: Server) -> None:
    """The server is asked to end, and works its log into its file."""
    os.kill(server.pid, signal.SIGTERM)
    while Path(f"/proc/{server.pid}").exists():
        time.sleep(0.01)
    server.pid = 0


class Lossy:
    """Power losses at chosen points of what servers did, one after the other on the same disk."""

    def __init__(self, zygote: Zygote, folder: Path, seed: int) -> None:
        self._zygote = zygote
        self._folder = folder
        self._chooser = random.Random(seed)
        self._sessions = 0
        self.root = folder / "disk"
        self.root.mkdir()
        self.promises = Promises()
        self.report = Report()

    async def session(
        self,
        points: int,
        moves: int,
        ending: Callable[[Server], None],
        among: int | None = None,
        **settings: Any,
    ) -> None:
        """A server's life with so many losses (among its first steps); the next begins after the last."""
        self._sessions += 1
        record = self._folder / f"record-{self._sessions}"
        session = Session(self._zygote, self.root, record, **settings)
        done = (await asyncio.to_thread(session.play, moves, ending))[:among]
        chosen = set(self._chooser.sample(range(len(done)), min(points, len(done)) - 1))
        for number, entry in enumerate(done):
            if number in chosen:
                await self._lose_power(session.disk)
            session.disk.take(entry)
            if entry.kind == "A":
                self.promises.take(entry.data)
        await self._lose_power(session.disk)
        lay_out(session.disk.after_loss(Fate(self._chooser)), self.root)

    async def _lose_power(self, disk: Disk) -> None:
        folder = self._folder / "found"
        lay_out(disk.after_loss(Fate(self._chooser)), folder)
        await examine(folder / "home" / "data", self.promises, self.report)


async def lose_power(zygote: Zygote, folder: Path, points: int, seed: int) -> Lossy:
    """Losses in every part of a store's life: made, used, closed; opened again, and after a loss."""
    lossy = Lossy(zygote, folder, seed)
    share = points // 4
    await lossy.session(points - 3 * share, 100, stopped)
    await lossy.session(share, 100, killed)
    await lossy.session(share, 100, killed)
    await lossy.session(share, 100, stopped)
    return lossy


def quick_folder() -> Path:
    """A folder on a disk that is quick, if there is one: what is tested is another."""
    memory = Path("/dev/shm")
    return Path(tempfile.mkdtemp(dir=memory if os.access(memory, os.W_OK) else None))


def main() -> None:
    """The nightly run."""
    kibitz.register(TINY)
    points = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.getrandbits(32)
    folder = quick_folder()
    try:
        with observed_servers(folder) as zygote:
            lossy = asyncio.run(lose_power(zygote, folder, points, seed))
    finally:
        shutil.rmtree(folder)
    report, promises = lossy.report, lossy.promises
    print(f"seed {seed}: {report.points} losses, {len(promises.commands)} commands answered, ", end="")
    print(f"lost {report.lost[:3]}, closed {report.closed[:3]}, torn {report.torn[:3]}")
    sys.exit(not report.clean)


if __name__ == "__main__":
    main()
