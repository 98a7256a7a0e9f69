"""Load: many tables of two clients each that play by chance as fast as they are answered.

`python -m tests.server.load [tables] [seconds] [game]` measures a server of its own on this machine.
"""

import asyncio
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from kibitz.server.protocol import PROTOCOL
from tests.server.client import fresh_id

UNLIMITED = {
    "messages": 10**9,
    "chats": 10**9,
    "open_tables": 10**6,
    "openings": 10**9,
    "watched": 10**6,
    "watches": 10**9,
    "guest_connections": 10**6,
}


class Heard(msgspec.Struct):
    """What a playing client needs of a message."""

    type: str
    table: str | None = None
    number: int = 0
    legal: list[str] = []
    result: object = None
    id: str | None = None
    rematch: str | None = None


decode = msgspec.json.Decoder(Heard).decode


class Count:
    """What was acknowledged, and how long each took."""

    def __init__(self, wanted: int | None) -> None:
        self.wanted = wanted
        self.moves = 0
        self.latencies: list[float] = []
        self.processor = 0.0  # seconds that the server used


def processor_seconds(pid: int) -> float:
    """What a process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def hear(socket: ClientConnection, type: str) -> Heard:
    """The next message of a type."""
    while (heard := decode(await socket.recv())).type != type:
        pass
    return heard


async def greet(port: int) -> ClientConnection:
    """A connection that has said hello."""
    socket = await connect(f"ws://127.0.0.1:{port}/ws", compression=None, max_queue=None, open_timeout=60.0)
    await socket.send(f'{{"type":"hello","protocol":{PROTOCOL}}}')
    await hear(socket, "welcome")
    return socket


async def play(socket: ClientConnection, table: str, count: Count, until: float) -> None:
    """Play whenever it is my turn; at the end of a game go on with the next."""
    await socket.send(msgspec.json.encode({"type": "watch", "table": table}).decode())
    sent = 0.0
    asked: str | None = None
    while time.monotonic() < until and (count.wanted is None or count.moves < count.wanted):
        heard = decode(await socket.recv())
        if heard.type == "done" and heard.id == asked:
            count.moves += 1
            count.latencies.append(time.monotonic() - sent)
        elif heard.type == "table" and heard.table == table:
            if heard.rematch:
                await socket.send(msgspec.json.encode({"type": "unwatch", "table": table}).decode())
                table = heard.rematch
                await socket.send(msgspec.json.encode({"type": "watch", "table": table}).decode())
            elif heard.result:
                again = {"type": "rematch", "id": f"again-{fresh_id()}", "table": table}
                await socket.send(msgspec.json.encode(again).decode())
            elif heard.legal:
                asked, sent = fresh_id(), time.monotonic()
                move = {
                    "type": "move",
                    "id": asked,
                    "table": table,
                    "number": heard.number,
                    "move": random.choice(heard.legal),
                }
                await socket.send(msgspec.json.encode(move).decode())


async def set_up(port: int, game: str) -> tuple[str, ClientConnection, ClientConnection]:
    """Two clients at a table."""
    first, second = await greet(port), await greet(port)
    create = {"type": "create", "id": fresh_id(), "game": game, "seats": ["me", "open"], "start": "full"}
    await first.send(msgspec.json.encode(create).decode())
    table = (await hear(first, "done")).table
    assert table is not None
    await second.send(msgspec.json.encode({"type": "sit", "id": fresh_id(), "table": table}).decode())
    await hear(second, "done")
    return table, first, second


async def load(
    port: int, tables: int, seconds: float, game: str, pid: int, moves: int | None = None
) -> Count:
    """All tables at once, for so long or for so many moves."""
    count = Count(moves)
    ready = await asyncio.gather(*(set_up(port, game) for _ in range(tables)))
    until = time.monotonic() + seconds
    before = processor_seconds(pid)
    players = [play(socket, table, count, until) for table, *two in ready for socket in two]
    playing = [asyncio.create_task(player) for player in players]
    await asyncio.wait(playing, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    count.processor = processor_seconds(pid) - before
    for _, *two in ready:
        for socket in two:
            socket.transport.abort()
    return count


def main() -> None:
    """Measure a server of its own."""
    tables, seconds, game = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3]
    with tempfile.TemporaryDirectory(dir=sys.argv[4] if len(sys.argv) > 4 else None) as data:
        settings = {"data": str(Path(data) / "server"), "games": [game], "limits": UNLIMITED}
        command = [sys.executable, "-m", "tests.server.entry", msgspec.json.encode(settings).decode()]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            port = msgspec.json.decode(server.stdout.readline())["port"]
            count = asyncio.run(load(port, tables, seconds, game, server.pid))
            server.terminate()
    ordered = sorted(count.latencies)
    half, most = ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100]
    print(
        f"{count.moves / seconds:.0f} moves/s, p50 {half * 1000:.1f} ms, p99 {most * 1000:.1f} ms; ", end=""
    )
    print(f"{count.processor / count.moves * 1e6:.0f} us of the server's processor time a move")


if __name__ == "__main__":
    main()
