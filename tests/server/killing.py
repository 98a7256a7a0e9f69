"""`kill -9` under load: clients play on through many deaths of their server, and count what was promised.

`python -m tests.server.killing [kills]` is the nightly run.
"""

import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

import kibitz
from kibitz.server.protocol import PROTOCOL
from kibitz.server.stores.store import Row, chained
from kibitz.server.tables.table import Table
from tests.server.client import fresh_id
from tests.server.load import UNLIMITED, Heard, decode
from tests.server.serving import Server, Zygote
from tests.tiny import GAME as TINY

TABLES = 8
ALIVE = (0.15, 0.5)  # seconds between two kills, by chance
RECOVERY = 3.0  # seconds in which every table must be playable again
STUCK = 6.0  # seconds after which one isn't waited for ...
PATIENCE = 120.0  # ... or at night, when other work may have the machine

Command = dict[str, Any]


class Acknowledged(NamedTuple):
    """What a client was told is stored, and where."""

    type: str
    command: str
    table: str
    number: int


class Player:
    """One who plays by chance, keeps what isn't answered, and notes what is."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._token: str | None = None
        self._unanswered: Command | None = None
        self.table: str | None = None
        self.acknowledged: list[Acknowledged] = []
        self.refused: list[str] = []
        self.answered_at = 0.0

    async def run(self) -> None:
        """Connect, again and again."""
        while True:
            try:
                async with connect(
                    f"ws://127.0.0.1:{self._server.port}/ws", compression=None, open_timeout=60.0
                ) as socket:
                    await self._play(socket)
            except (OSError, ConnectionClosed, InvalidHandshake, EOFError):
                await asyncio.sleep(0.01)

    async def _play(self, socket: ClientConnection) -> None:
        await self._send(socket, {"type": "hello", "protocol": PROTOCOL, "token": self._token})
        self._token = msgspec.json.decode(await socket.recv())["token"]
        if self._unanswered:
            await self._send(socket, self._unanswered)
        if self.table:
            await self._send(socket, {"type": "watch", "table": self.table})
        while True:
            await self._take(socket, self._heard(await socket.recv()))

    def _heard(self, text: str | bytes) -> Heard:
        return decode(text)

    async def _take(self, socket: ClientConnection, heard: Heard) -> None:
        waits = self._unanswered
        if heard.type in ("done", "refused") and waits and heard.id == waits["id"]:
            self._unanswered = None
            if heard.type == "done" and heard.table:
                ack = Acknowledged(waits["type"], waits["id"], heard.table, heard.number)
                self.acknowledged.append(ack)
                self.answered_at = time.monotonic()
                if waits["type"] == "rematch":
                    self.table = heard.table
                    await self._send(socket, {"type": "watch", "table": self.table})
            else:
                self.refused.append(waits["type"])
        elif heard.type == "table" and heard.table == self.table and self._unanswered is None:
            await self._decide(socket, heard)

    async def _decide(self, socket: ClientConnection, heard: Heard) -> None:
        if heard.result:  # asks for another game, or accepts one
            await self.order(socket, "rematch", table=self.table)
        elif heard.legal:
            move = random.choice(heard.legal)
            await self.order(socket, "move", table=self.table, number=heard.number, move=move)

    async def order(self, socket: ClientConnection, type: str, **fields: Any) -> None:
        """Give a command and remember it until it is answered."""
        self._unanswered = {"type": type, "id": fresh_id(), **fields}
        await self._send(socket, self._unanswered)

    async def begin(self, running: list[asyncio.Task[None]], type: str, **fields: Any) -> str:
        """Connect with a first command, and wait until it is carried out."""
        self._unanswered = {"type": type, "id": fresh_id(), **fields}
        running.append(asyncio.create_task(self.run()))
        while not self.acknowledged:
            await asyncio.sleep(0.01)
        return self.acknowledged[0].table

    async def _send(self, socket: ClientConnection, message: Command) -> None:
        await socket.send(msgspec.json.encode(message).decode())


class Report:
    """What came of it."""

    def __init__(self, players: Sequence[Player], rows: Sequence[Row], recoveries: Sequence[float]) -> None:
        self.acknowledged = [ack for player in players for ack in player.acknowledged]
        self.kills = len(recoveries)
        self.slowest = max(recoveries)
        places = {(row.table, row.number): row.command for row in rows}
        commands = Counter((row.table, row.command) for row in rows)
        self.lost = [ack for ack in self.acknowledged if not _kept(places, ack)]
        self.twice = [command for command, count in commands.items() if count > 1]
        self.broken = [table for table, log in _logs(rows).items() if not _replays(log)]


def _kept(places: dict[tuple[str, int], str], ack: Acknowledged) -> bool:
    """Whether the row is there; for a rematch, which two may ask for, the new table."""
    found = places.get((ack.table, ack.number))
    return found == ack.command or (ack.type == "rematch" and found is not None)


def _logs(rows: Sequence[Row]) -> dict[str, list[Row]]:
    logs: dict[str, list[Row]] = {}
    for row in rows:
        logs.setdefault(row.table, []).append(row)
    return logs


def _replays(log: Sequence[Row]) -> bool:
    if not chained(log):
        return False
    table = Table(log[0])
    for row in log[1:]:
        table.apply(row)
    return True


async def kill_under_load(server: Server, kills: int, seed: int = 1, stuck: float = STUCK) -> Report:
    """Kill the server so often, or until it doesn't recover, and look what is left."""
    chooser = random.Random(seed)
    players = [Player(server) for _ in range(2 * TABLES)]
    running: list[asyncio.Task[None]] = []
    for first, second in zip(players[::2], players[1::2], strict=True):
        table = await first.begin(running, "create", game="tiny", start="full", seats=["me", "open"])
        first.table = second.table = table
        await second.begin(running, "sit", table=table)
    recoveries: list[float] = []
    await _restart(server)  # so that all watch
    while len(recoveries) < kills and max(recoveries, default=0.0) <= stuck:
        await asyncio.sleep(chooser.uniform(*ALIVE))
        began = await _restart(server)
        recoveries.append(await _recovered(players, began, stuck))
    await asyncio.sleep(0.3)
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    return Report(players, server.rows(), recoveries)


async def _restart(server: Server) -> float:
    loop = asyncio.get_running_loop()
    await loop.run_in_executor(None, server.kill)
    began = time.monotonic()
    await loop.run_in_executor(None, server.start)
    return began


async def _recovered(players: Sequence[Player], began: float, stuck: float) -> float:
    """How long until at each table somebody's command was answered again."""
    pairs = list(zip(players[::2], players[1::2], strict=True))
    passed = 0.0
    while passed <= stuck and any(max(one.answered_at, two.answered_at) < began for one, two in pairs):
        await asyncio.sleep(0.005)
        passed = time.monotonic() - began
    return passed


def main() -> None:
    """The nightly run."""
    kibitz.register(TINY)
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as folder:
        zygote = Zygote(Path(folder) / "errors.txt")
        server = Server(zygote, {"data": str(Path(folder) / "data"), "limits": UNLIMITED})
        server.start()
        report = asyncio.run(kill_under_load(server, kills, random.getrandbits(32), PATIENCE))
        server.kill()
        zygote.close()
    print(f"{report.kills} of {kills} kills, {len(report.acknowledged)} acknowledged, ", end="")
    print(f"lost {report.lost}, twice {report.twice}, broken {report.broken}, ", end="")
    print(f"slowest recovery {report.slowest:.2f} s")
    sys.exit(bool(report.lost or report.twice or report.broken or report.kills < kills))


if __name__ == "__main__":
    main()
