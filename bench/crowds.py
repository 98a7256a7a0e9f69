"""What many sockets cost one node: those who only are there, and those who look on at one table."""

import asyncio
import json
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bench.kibitz_pairs import GAME, Client, greeted
from bench.measure import Measurement, Progress, Row
from bench.serving import Server, kibitz_server

IDLE = 10_000  # sockets
AT_ONCE = 50  # that are opened
ONLOOKERS = 1000
SHOWN = 20  # messages to all of them


def measure(rounds: int, progress: Progress) -> Measurement:
    """Memory of idle sockets, and how soon many see a line; once, whatever the rounds."""
    with tempfile.TemporaryDirectory() as folder, kibitz_server(Path(folder), GAME) as server:
        fan_out, cost = asyncio.run(shown_to_many(server, progress))
        memory = asyncio.run(idle_memory(server, progress))
    return crowds(fan_out, cost, memory)


async def many(port: int, count: int, tell: Callable[[int], None] = lambda done: None) -> list[Client]:
    """So many guests who have been greeted."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(limit[1], count + 1000), limit[1]))
    clients: list[Client] = []
    while len(clients) < count:
        wanted = min(AT_ONCE, count - len(clients))
        clients += await asyncio.gather(*(greeted(port) for _ in range(wanted)))
        tell(len(clients))
    return clients


async def idle_memory(server: Server, progress: Progress) -> float:
    """How many kilobytes of the server's memory an idle socket takes."""
    before = server.megabytes
    clients = await many(server.port, IDLE, lambda done: progress(0.2 + 0.8 * done / IDLE))
    used = 1000 * (server.megabytes - before) / IDLE
    for client in clients:
        client.socket.close()
    return used


async def shown_to_many(server: Server, progress: Progress) -> tuple[list[float], float]:
    """Milliseconds until the last of many has seen a line of chat, each time; processor time of each."""
    (host,) = await many(server.port, 1)
    host.socket.take = lambda text: None
    waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    left = 0

    def seen(text: bytes) -> None:
        nonlocal left
        if b'"type":"table"' in text:
            left -= 1
            if left == 0 and not waiting.done():
                waiting.set_result(None)

    asked = asyncio.get_running_loop().create_future()
    host.socket.take = asked.set_result
    host.say("create", id="bench/t", game=GAME, seats=["me", "open"], start="full")
    table = json.loads(await asked)["table"]
    host.socket.take = lambda text: None
    clients = await many(server.port, ONLOOKERS)
    left = ONLOOKERS
    for client in clients:
        client.socket.take = seen
        client.say("watch", table=table)
    await waiting
    delays, began = [], server.processor_seconds
    for number in range(SHOWN):
        waiting, left = asyncio.get_running_loop().create_future(), ONLOOKERS
        sent = time.perf_counter()
        host.say("chat", id=f"bench/c{number}", table=table, text="hello")
        await waiting
        delays.append(1000 * (time.perf_counter() - sent))
        progress(0.2 * number / SHOWN)
    cost = 1000 * (server.processor_seconds - began) / SHOWN
    for client in (*clients, host):
        client.socket.close()
    return delays, cost


def crowds(fan_out: list[float], cost: float, memory: float) -> Measurement:
    """Many who are there, and many who look on."""
    rows = (
        Row(f"memory of each of {IDLE} idle sockets, kB", (memory,)),
        Row(f"until the last of {ONLOOKERS} onlookers has seen it, ms", tuple(fan_out)),
        Row("processor time of the node for that, ms", (cost,)),
    )
    method = "Idle: greeted, watching nothing. The onlookers are one process, which has to read it all."
    return Measurement("crowds", "What many sockets cost one node", "kB or ms", rows, method)
