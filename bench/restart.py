"""How soon a server that was killed answers again, and takes a move."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

from bench.measure import CORES, Measurement, Progress, Row, using
from bench.sockets import connect
from kibitz.server.protocol import PROTOCOL

ROOT = Path(__file__).parent.parent
GAME = "kaching"
ROUNDS = 7  # at most: each takes seconds
TABLES = 4  # in the file
PATIENCE = 120.0
ANSWER, MOVE = 2.0, 3.0  # seconds: the aims
METHOD = (
    "`kibitz serve` is killed (`kill -9`) with its log not yet worked into its file, which holds "
    f"{TABLES} tables, and started anew. Wall time from that start until it answers over HTTP, and until a "
    "move of a player who came back is acknowledged: synced to the disk, in a game whose kernels had to be "
    "loaded again. Beside it, the processor time that the server had used by then: a busy machine needs the "
    "same of it, but waits longer."
)


class Line(msgspec.Struct):
    """What is told of a row."""

    kind: str
    seat: int | None = None


class Heard(msgspec.Struct):
    """What a player needs of a message."""

    type: str
    id: str = ""
    token: str = ""
    table: str | None = None
    number: int | None = 0
    seat: int | None = None
    legal: list[str] = []
    lines: list[Line] = []


decode = msgspec.json.Decoder(Heard).decode


class Player:
    """A guest who comes back."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._token: str | None = None
        self._commands = 0

    async def arrive(self) -> None:
        """Connect as soon as the server lets one, and say who one is."""
        self._heard: asyncio.Queue[Heard] = asyncio.Queue()
        while True:
            try:
                self._socket = await connect(
                    self._port, "/ws", lambda text: self._heard.put_nowait(decode(text))
                )
                break
            except OSError:
                await asyncio.sleep(0.005)
        self.say("hello", protocol=PROTOCOL, token=self._token)
        self._token = (await self.hear("welcome")).token

    def say(self, type: str, **fields: Any) -> None:
        """Send a message."""
        self._socket.send(msgspec.json.encode({"type": type, **fields}))

    async def do(self, type: str, **fields: Any) -> Heard:
        """Give a command and wait until it is acknowledged."""
        self._commands += 1
        id = f"{self._token}/{self._commands}"[-64:]
        self.say(type, id=id, **fields)
        return await self.hear("done", id)

    async def hear(self, type: str, id: str = "") -> Heard:
        """The next message of a type."""
        while True:
            heard = await asyncio.wait_for(self._heard.get(), PATIENCE)
            if heard.type == type and heard.id == id:
                return heard
            if heard.type in ("refused", "failed"):
                raise RuntimeError(f"{type} was awaited, but {heard} came")


class Serving:
    """`kibitz serve`, which can be killed and started again."""

    def __init__(self, data: Path, cores: set[int] | None = None, **environment: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        where = ["--port", str(self.port), "--data", str(data)]
        self._command = [sys.executable, "-m", "kibitz", "serve", *where, "--no-browser"]
        self._cores = cores or {min(CORES)}
        self._environment = {**os.environ, **environment}
        self.started = 0.0

    def start(self) -> None:
        """Begin; the clock runs from here."""
        self.started = time.perf_counter()
        with using(self._cores):
            self._process = subprocess.Popen(
                self._command, cwd=ROOT, env=self._environment, stdout=subprocess.DEVNULL
            )

    def kill(self) -> None:
        """End it in the middle of whatever it does."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    @property
    def times(self) -> tuple[float, float]:
        """Seconds since its start: by the clock, and of the processor."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        used = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return time.perf_counter() - self.started, used

    def answers(self) -> bool:
        """Whether it answers yet."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=PATIENCE) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, ConnectionError):
            return False

    async def answered(self) -> tuple[float, float]:
        """The times of its first answer."""
        while not await asyncio.to_thread(self.answers):
            await asyncio.sleep(0.005)
        return self.times


@asynccontextmanager
async def a_game(serving: Serving) -> AsyncIterator[tuple[list[Player], str]]:
    """Two players at a table of a server that has others too."""
    serving.start()
    try:
        players = [Player(serving.port), Player(serving.port)]
        for player in players:
            await player.arrive()
        tables = [await open_table(players) for _ in range(TABLES)]
        yield players, tables[0]
    finally:
        serving.kill()


async def open_table(players: list[Player]) -> str:
    """A table at which both sit."""
    table = (await players[0].do("create", game=GAME, seats=["me", "open"], start="full")).table
    assert table is not None
    await players[1].do("sit", table=table)
    return table


async def move(players: list[Player], table: str) -> None:
    """Whoever is in turn moves."""
    for player in players:
        player.say("watch", table=table)
    for player in players:
        shown = await player.hear("table")
        if shown.legal:
            await player.do("move", table=table, number=shown.number, move=shown.legal[0])
            return
    raise RuntimeError("nobody is in turn")


def measure(rounds: int, progress: Progress) -> Measurement:
    """Seconds until the first answer and the first acknowledged move."""
    with tempfile.TemporaryDirectory() as folder:
        samples = asyncio.run(restart(Serving(Path(folder) / "data"), min(rounds, ROUNDS), progress))
    answer, answer_used, moved, moved_used = (tuple(column) for column in zip(*samples))
    rows = (
        Row("first answer", answer, most=ANSWER),
        Row("first acknowledged move", moved, most=MOVE),
        Row("processor time until the first answer", answer_used),
        Row("processor time until the first move", moved_used),
    )
    return Measurement("restart", "A killed server is back", "s", rows, METHOD)


async def restart(serving: Serving, rounds: int, progress: Progress) -> list[tuple[float, ...]]:
    """Kill and start, again and again."""
    samples: list[tuple[float, ...]] = []
    async with a_game(serving) as (players, table):
        await move(players, table)
        for done in range(rounds):
            serving.kill()
            serving.start()
            coming = [asyncio.create_task(player.arrive()) for player in players]
            answered = await serving.answered()
            await asyncio.gather(*coming)
            await move(players, table)
            samples.append((*answered, *serving.times))
            progress((done + 1) / rounds)
    return samples
