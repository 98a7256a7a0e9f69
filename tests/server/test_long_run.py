"""A server that runs for long stays as it is: play, come and go, and the memory is level at the end. [P8]

`KIBITZ_LONG_RUN=600` lets it run for so many seconds.
"""

import asyncio
import os
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.server.client import connected, fetch
from tests.server.conftest import Start
from tests.server.load import UNLIMITED, load
from tests.server.serving import Server, in_loop

SECONDS = float(os.environ.get("KIBITZ_LONG_RUN", "0"))
ROUNDS = 4  # at least, after the memory has come to its size
WARM_UP = 3
PAIRS = 8
MOVES = 400  # in a round
VISITORS = 10
MARGIN = 3.0  # MB by which the memory may differ
FORGETFUL: dict[str, Any] = {  # whatever a server keeps for a while is soon gone: what grows on is a leak
    "limits": UNLIMITED | {"rename_seconds": 1.0, "chat_seconds": 1.0},
    "bots": "random",
    "quiet_seconds": 0.2,
    "small_caches": True,
}


def megabytes(server: Server) -> float:
    """How much of it is in memory."""
    pages = int(Path(f"/proc/{server.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


async def churn(server: Server) -> None:
    """Pairs play, visitors come and go, all leave."""
    playing = asyncio.create_task(load(server.port, PAIRS, 600.0, "tiny", server.pid, moves=MOVES))
    await asyncio.gather(*(visit(server.port, f"Visitor {number}") for number in range(VISITORS)))
    await playing
    while await busy(server.port):
        await asyncio.sleep(0.05)


async def visit(port: int, name: str) -> None:
    """Open a table with a bot, talk, look at it twice, be somebody else, and go."""
    async with connected(port) as guest:
        table = await guest.create("me", "easy")
        await guest.watch(table)
        await guest.do("chat", table=table, text="hello")
        await guest.do("rename", name=name)
        await guest.say("my-tables")
        await guest.hear("tables")
    async with connected(port, guest.welcome["token"]) as guest:
        await guest.watch(table)
        await guest.do("resign", table=table)


async def busy(port: int) -> bool:
    """Whether anybody is connected, or any table in memory."""
    health = msgspec.json.decode((await fetch(port, "/healthz"))[2])
    return bool(health["connections"] or health["tables"])


async def sizes(server: Server) -> list[float]:
    """The memory after each round, once it has come to its size."""
    begun, rounds = time.monotonic(), 0
    while rounds < WARM_UP or time.monotonic() < begun + SECONDS / 4:
        await churn(server)
        rounds += 1
    measured = [megabytes(server)]
    until = begun + SECONDS
    while len(measured) <= ROUNDS or time.monotonic() < until:
        await churn(server)
        measured.append(megabytes(server))
    return measured


def growth(measured: list[float]) -> float:
    """By how much the end lies above the beginning, each the least of a few rounds."""
    few = max(2, len(measured) // 4)
    return min(measured[-few:]) - min(measured[:few])


@in_loop
async def test_memory_is_level_after_much_coming_and_going(start: Start) -> None:
    measured = await sizes(start(**FORGETFUL))
    curve = " ".join(f"{size:.1f}" for size in measured[:: max(1, len(measured) // 20)])
    print(f"{len(measured)} rounds of {MOVES} moves, MB: {curve}")
    assert growth(measured) < MARGIN, measured


@pytest.mark.skipif(SECONDS > 0, reason="the short run shows it")
@in_loop
async def test_a_server_that_keeps_what_it_sent_is_caught(start: Start) -> None:
    measured = await sizes(start(**FORGETFUL, mutant="every-message-kept"))
    assert growth(measured) > MARGIN, measured
