"""How many moves a server acknowledges while four games are reviewed, beside how many it does alone."""

import asyncio
import http.client
import json
import statistics
import tempfile
from pathlib import Path
from typing import Any

import kibitz
from bench.kibitz_pairs import GAME, kibitz_pair
from bench.measure import Measurement, Progress, Row
from bench.server_moves import TABLES, Side, Window, sockets, window
from bench.serving import Server, family_seconds, kibitz_server
from kibitz.server.study.analysts import PATIENCE

REVIEWED, PLAYERS = "cash", 4  # the longest reviews there are
COMPILED = (GAME, REVIEWED)
REVIEWS = 4  # each for a household of its own: of one address only one is worked on at a time
POLL = 1.0  # seconds between two looks at how far they are


def measure(rounds: int, progress: Progress) -> tuple[Measurement, ...]:
    """Moves a second without and with reviews, in turn, and how much of a core the reviews took."""
    records = [played(seed) for seed in range(REVIEWS)]
    with tempfile.TemporaryDirectory() as folder, kibitz_server(Path(folder), *COMPILED) as server:
        alone, beside, cores = asyncio.run(play(server, records, rounds, progress))
    fall = 1 - statistics.median(two / one for one, two in zip(alone, beside, strict=True))
    method = (
        f"{TABLES} tables of two, all play as fast as they can. {REVIEWS} games of CASH with {PLAYERS} "
        "players are reviewed meanwhile, in processes that give way to the server's and have to share its "
        f"one core. Moves fell by {fall:.0%}; the reviews took {statistics.median(cores):.0%} of that core."
    )
    rows = (Row("alone", tuple(alone)), Row(f"{REVIEWS} reviews", tuple(beside)))
    return (Measurement("reviews", "Moves while games are reviewed", "moves/s", rows, method),)


def played(seed: int) -> str:
    """A game between easy bots."""
    game = kibitz.game(REVIEWED)
    state, bot = game.deal(PLAYERS, seed=seed), kibitz.bot("easy", game, seed)
    while state.turn is not None:
        state.play(bot.choose(state.observation(state.turn)))
    return state.record().json()


async def play(
    server: Server, records: list[str], rounds: int, progress: Progress
) -> tuple[list[float], list[float], list[float]]:
    """Windows with and without reviews; the first ones aren't counted."""
    side = Side("Kibitz", server, lambda tally: kibitz_pair(server.port, tally))
    side.pairs = [await side.sit_down(side.tally) for _ in range(TABLES)]
    alone, beside, cores = [], [], []
    for number in range(1 + rounds):
        alone.append(rate(await window(side)))
        reviewing = [asyncio.create_task(review(server, place, text)) for place, text in enumerate(records)]
        await reviews_begun(server, reviewing[0])
        before = reviewers_seconds(server)
        measured = await window(side)
        cores.append((reviewers_seconds(server) - before) / measured.seconds)
        beside.append(rate(measured))
        for task in reviewing:
            task.cancel()
        await asyncio.sleep(PATIENCE + 2 * POLL)  # nobody asks: they are stopped
        progress((number + 1) / (1 + rounds))
    for socket in sockets(side):
        socket.close()
    return alone[1:], beside[1:], cores[1:]


def rate(measured: Window) -> float:
    """Moves a second."""
    return len(measured.latencies) / measured.seconds


def reviewers_seconds(server: Server) -> float:
    """Processor time of the processes beside the server's."""
    return family_seconds(server.pid) - server.processor_seconds


async def reviews_begun(server: Server, task: "asyncio.Task[None]") -> None:
    """Wait until there is work beside the server: a process has begun and does more than load."""
    begun = reviewers_seconds(server)
    while reviewers_seconds(server) < begun + 3.0 and not task.done():
        await asyncio.sleep(0.2)


async def review(server: Server, place: int, record: str) -> None:
    """Ask for a review from an address of its own, and go on asking."""
    told = await asyncio.to_thread(ask, server, place, "POST", "/api/record/review", record)
    while "review" in told and "done" in told:
        await asyncio.sleep(POLL)
        told = await asyncio.to_thread(ask, server, place, "GET", f"/api/reviews/{told['review']}", None)


def ask(server: Server, place: int, method: str, path: str, body: str | None) -> Any:
    """One request; loopback has many addresses."""
    from_there = http.client.HTTPConnection(
        "127.0.0.1", server.port, timeout=120, source_address=(f"127.0.0.{10 + place}", 0)
    )
    headers = {"Origin": f"http://127.0.0.1:{server.port}", "Content-Type": "application/json"}
    from_there.request(method, path, body, headers)
    return json.loads(from_there.getresponse().read())
