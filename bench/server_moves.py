"""How many moves a server acknowledges, how soon, and what they cost it, beside boardgame.io's server."""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from bench.boardgameio import Lobby, boardgame_pair, boardgame_server, installed
from bench.kibitz_pairs import GAME, kibitz_pair
from bench.measure import Measurement, Progress, Row, Skipped
from bench.pairs import Pair, Tally
from bench.serving import Server, kibitz_server
from bench.sockets import Socket

TABLES = 100
PAUSE = 0.5  # seconds that players think, in the mean, when they don't play as fast as they can
SECONDS = 2.0  # a window
RUN_IN = 0.4  # seconds played before it
PATIENCE = 20.0  # seconds for the last moves to be acknowledged
METHOD = (
    f"{TABLES} tables, two players each, every player over a WebSocket of its own. A move goes out when the "
    "one before is acknowledged to its player and seen by the next. The server has one core, the client "
    "(one Python process, the same WebSocket code for all servers) another. Kibitz acknowledges a move "
    "(`done`) when it is synced to the disk; boardgame.io (`update`, to the player who moved) before it is "
    "stored, and its FlatFile never syncs. All play Ka-Ching! by chance."
)


@dataclass
class Window:
    """What a few seconds of play came to."""

    seconds: float
    latencies: list[float]  # of the moves acknowledged
    server_seconds: float  # of processor time
    client_seconds: float
    database_seconds: float = 0.0


@dataclass
class Side:
    """A server with those who play there."""

    label: str
    server: Server
    sit_down: Callable[[Tally], Awaitable[Pair]]
    ours: bool = False
    tally: Tally = field(default_factory=Tally)
    pairs: list[Pair] = field(default_factory=list)
    busy: list[Window] = field(default_factory=list)  # all play as fast as they can
    calm: list[Window] = field(default_factory=list)  # all think before they play


def measure(rounds: int, progress: Progress) -> tuple[Measurement, ...]:
    """Moves a second, latency and processor time of each server."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as servers:
        sides, missing = start(servers, Path(folder))
        asyncio.run(play(sides, rounds, progress))
    return results(sides, missing)


# Playing


def start(servers: ExitStack, folder: Path) -> tuple[list[Side], str]:
    """All servers; or only ours, and why."""
    ours = servers.enter_context(kibitz_server(folder / "kibitz", GAME))
    sides = [Side("Kibitz, synced", ours, lambda tally: kibitz_pair(ours.port, tally), ours=True)]
    try:
        packages = installed()
    except Skipped as reason:
        return sides, f" boardgame.io is left out: {reason}."
    for label, data in (
        ("boardgame.io, in memory", None),
        ("boardgame.io, FlatFile", folder / "boardgame"),
    ):
        theirs = servers.enter_context(boardgame_server(packages, data))
        sides.append(Side(label, theirs, pairs_at(theirs)))
    return sides, ""


def pairs_at(theirs: Server) -> Callable[[Tally], Awaitable[Pair]]:
    """How pairs sit down at boardgame.io's server."""
    lobby = Lobby(theirs.port)
    return lambda tally: boardgame_pair(theirs.port, tally, lobby)


async def play(sides: Sequence[Side], rounds: int, progress: Progress) -> None:
    """Windows at each server in turn, again and again; the first ones aren't counted."""
    for side in sides:
        side.pairs = [await side.sit_down(side.tally) for _ in range(TABLES)]
    for round_number in range(1 + rounds):
        for place in range(len(sides)):
            side = sides[(round_number + place) % len(sides)]  # each round another begins
            side.busy.append(await window(side))
            side.calm.append(await window(side, PAUSE))
            progress((round_number * len(sides) + place + 1) / ((1 + rounds) * len(sides)))
    for side in sides:
        del side.busy[0], side.calm[0]
        for socket in sockets(side):
            socket.close()


async def window(side: Side, pause: float = 0.0) -> Window:
    """Let all pairs play for some seconds."""
    tally = side.tally
    await asyncio.gather(*(pair.stock_up() for pair in side.pairs))
    tally.playing, tally.pause = True, pause
    for pair in side.pairs:
        pair.go_on()
    await asyncio.sleep(RUN_IN)
    measured = await timed(side, SECONDS)
    await all_answered(side)
    return measured


async def timed(side: Side, seconds: float) -> Window:
    """What is noticed for some seconds, after which nobody begins anything new."""
    tally = side.tally
    tally.latencies = []
    database, server = side.server.database_seconds, side.server.processor_seconds
    began, client = time.perf_counter(), time.process_time()
    await asyncio.sleep(seconds)
    measured = Window(
        seconds=time.perf_counter() - began,
        latencies=tally.latencies,
        server_seconds=side.server.processor_seconds - server,
        client_seconds=time.process_time() - client,
        database_seconds=side.server.database_seconds - database,
    )
    tally.latencies, tally.playing = [], False
    return measured


async def all_answered(side: Side) -> None:
    """Wait for the moves under way; whatever went wrong stops the measurement."""
    until = time.monotonic() + PATIENCE
    while any(pair.waiting for pair in side.pairs) and time.monotonic() < until:
        await asyncio.sleep(0.02)
    troubles = set(side.tally.troubles)
    if any(pair.waiting for pair in side.pairs):
        troubles.add("a move isn't acknowledged")
    if any(socket.lost for socket in sockets(side)):
        troubles.add("a connection is lost")
    if troubles:
        raise RuntimeError(f"{side.label}: {'; '.join(sorted(troubles))}")


def sockets(side: Side) -> list[Socket]:
    """All connections to a server."""
    return [socket for pair in side.pairs for socket in pair.sockets]


# What comes of it


def results(sides: Sequence[Side], missing: str) -> tuple[Measurement, ...]:
    """A table each of moves, latencies and processor time."""
    calm_rate = statistics.median(len(one.latencies) / one.seconds for side in sides for one in side.calm)
    client = statistics.median(one.client_seconds / one.seconds for side in sides for one in side.busy)
    servers = ", ".join(f"{side.label} {busy_share(side):.0%}" for side in sides)
    method = (
        f"{METHOD} How busy they were meanwhile: {servers}, the client {client:.0%}. A server below "
        "90 % had to share its core with other work on the machine, or wait for the client, which had to."
        f"{missing}"
    )
    moves = compared(sides, lambda side: [len(one.latencies) / one.seconds for one in side.busy], aim=2)
    waits = [
        *compared(sides, lambda side: [share(one, 50) for one in side.calm], "calm, median", less=True),
        *compared(sides, lambda side: [share(one, 99) for one in side.calm], "calm, 99 %", less=True, aim=1),
        *compared(sides, lambda side: [share(one, 50) for one in side.busy], "busy, median", less=True),
        *compared(sides, lambda side: [share(one, 99) for one in side.busy], "busy, 99 %", less=True, aim=1),
    ]
    costs = compared(
        sides, lambda side: [1e6 * one.server_seconds / len(one.latencies) for one in side.busy], less=True
    )
    return (
        Measurement(
            "server_moves", "Moves that a server acknowledges, on one core", "moves/s", moves, method
        ),
        Measurement(
            "server_latency",
            "From a move to its acknowledgement",
            "ms",
            tuple(waits),
            f"As above. Busy: all play as fast as they can. Calm: players think {PAUSE:g} s in the mean, "
            f"which makes {calm_rate:.0f} moves/s.",
        ),
        Measurement(
            "server_cost",
            "Processor time that a server spends on a move",
            "µs",
            costs,
            "As above, when all play as fast as they can.",
        ),
    )


def busy_share(side: Side) -> float:
    """The share of a core that the server used."""
    return statistics.median(one.server_seconds / one.seconds for one in side.busy)


def share(window: Window, percent: int) -> float:
    """The milliseconds within which that share of the moves was acknowledged."""
    return 1000 * statistics.quantiles(window.latencies, n=100, method="inclusive")[percent - 1]


def compared(
    sides: Sequence[Side],
    samples: Callable[[Side], list[float]],
    prefix: str = "",
    less: bool = False,
    aim: float | None = None,
) -> tuple[Row, ...]:
    """A row for each server; `less`: less is better. The aim is meant for boardgame.io in memory."""
    ours = samples(sides[0])
    rows = []
    for place, side in enumerate(sides):
        own = samples(side)
        ratios = [other / mine if less else mine / other for mine, other in zip(ours, own)]
        rows.append(
            Row(
                f"{prefix}: {side.label}" if prefix else side.label,
                tuple(own),
                side.ours,
                statistics.median(ratios) if place else None,
                aim if place == 1 else None,
            )
        )
    return tuple(rows)
