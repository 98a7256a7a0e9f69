"""A full house: 2,000 sockets at 500 tables with clocks, 100 moves a second, people who come and go.

Beside boardgame.io's server under the same load, but for the clocks and for who is there: it has neither.
"""

import asyncio
import sqlite3
import statistics
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from itertools import cycle
from pathlib import Path

from bench.boardgameio import EVENT, BoardgamePair, Lobby, boardgame_pair, boardgame_server, installed, joined
from bench.boardgameio import encode as encode_theirs
from bench.kibitz_pairs import GAME, KibitzPair, greeted
from bench.measure import Measurement, Progress, Row, Skipped
from bench.pairs import Pair, Tally
from bench.server_moves import Side, Window, all_answered, timed
from bench.serving import Server, kibitz_server
from bench.sockets import Socket

TABLES = 500
ONLOOKERS = 2  # at each
RATE = 100.0  # moves a second, at all tables together
RUN_IN = 10.0  # seconds until players have fallen out of step
SECONDS = 20.0
GOING = 5.0  # onlookers a second who leave, and come back with a new socket
CLOCK = {"seconds": 600}
MOST = 50  # milliseconds within which 99 % of the moves should be acknowledged
METHOD = (
    f"{TABLES} tables, two who play and {ONLOOKERS} who look on at each, every one over a WebSocket of its "
    f"own; players think so long that all together make {RATE:.0f} moves a second; {GOING:.0f} onlookers a "
    "second leave and come back. At Kibitz's tables clocks run, all are told who is there, and a move is "
    "acknowledged when it is synced; afterwards its file is asked whether every acknowledged move is there. "
    "boardgame.io (in memory) has no clocks and tells nobody who looks on. The client is one process on "
    "another core."
)

LookOn = Callable[[Pair], Awaitable[Socket]]


class TimedPair(KibitzPair):
    """Two guests who play by the clock."""

    async def open_table(self) -> str:
        first, second = self.clients
        asked = {"game": GAME, "seats": ["me", "open"], "start": "full", "clock": CLOCK}
        table = (await first.ask("create", **asked)).table
        assert table is not None
        await second.ask("sit", table=table)
        return table


class Evening(Side):
    """A server with those who play there, and those who look on."""

    look_on: LookOn
    memory: tuple[float, float] = (0.0, 0.0)  # megabytes, without and with all of them


def measure(rounds: int, progress: Progress) -> tuple[Measurement, ...]:
    """How soon moves are acknowledged, and what the servers need for it; once, whatever the rounds."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as servers:
        folder = Path(name)
        sides = [ours(servers.enter_context(kibitz_server(folder, GAME)))]
        try:
            sides.append(theirs(servers.enter_context(boardgame_server(installed(), None))))
        except Skipped as reason:
            sides[0].label += f" (boardgame.io is left out: {reason})"
        for done, side in enumerate(sides):
            asyncio.run(spend(side))
            progress((done + 1) / len(sides))
        missing = lost(folder / "kibitz.db", sides[0])
    return results(sides, missing)


def ours(server: Server) -> Evening:
    """Kibitz, with what its onlookers say."""

    async def sit_down(tally: Tally) -> Pair:
        return TimedPair(tally, (await greeted(server.port), await greeted(server.port)))

    async def look_on(pair: Pair) -> Socket:
        assert isinstance(pair, KibitzPair)
        client = await greeted(server.port)
        client.socket.take = lambda text: None
        client.say("watch", table=pair.table)
        return client.socket

    evening = Evening("Kibitz, synced", server, sit_down, ours=True)
    evening.look_on = look_on
    return evening


def theirs(server: Server) -> Evening:
    """boardgame.io, with what its onlookers say."""
    lobby = Lobby(server.port)

    async def look_on(pair: Pair) -> Socket:
        assert isinstance(pair, BoardgamePair)
        socket = await joined(server.port)
        socket.take = lambda text: None
        socket.send(EVENT + encode_theirs(["sync", pair.match, None, None, 2]))
        return socket

    evening = Evening(
        "boardgame.io, in memory", server, lambda tally: boardgame_pair(server.port, tally, lobby)
    )
    evening.look_on = look_on
    return evening


async def spend(side: Evening) -> None:
    """Let all come, play for a while, and go."""
    before = side.server.megabytes
    tally = side.tally
    side.pairs = [await side.sit_down(tally) for _ in range(TABLES)]
    for number, pair in enumerate(side.pairs):
        pair.rng.seed(number)  # so that no two think alike
        pair.stock.append(await pair.open_table())
    tally.playing, tally.pause = True, TABLES / RATE
    for pair in side.pairs:
        pair.go_on()
    looking = [await side.look_on(pair) for pair in side.pairs for _ in range(ONLOOKERS)]
    going = asyncio.create_task(come_and_go(side, looking))
    await asyncio.sleep(RUN_IN)
    side.calm.append(await timed(side, SECONDS))
    side.memory = (before, side.server.megabytes)
    going.cancel()
    await all_answered(side)
    for socket in [*looking, *(socket for pair in side.pairs for socket in pair.sockets)]:
        socket.close()


async def come_and_go(side: Evening, looking: list[Socket]) -> None:
    """One onlooker after the other leaves, and comes back."""
    for place in cycle(range(len(looking))):
        looking[place].close()
        looking[place] = await side.look_on(side.pairs[place // ONLOOKERS])
        await asyncio.sleep(1 / GOING)


def lost(file: Path, side: Evening) -> int:
    """How many acknowledged moves aren't in the file."""
    with sqlite3.connect(file) as connection:
        (kept,) = connection.execute("SELECT count(*) FROM rows WHERE kind = 'move'").fetchone()
    return max(0, side.tally.acknowledged - int(kept))


def results(sides: list[Evening], missing: int) -> tuple[Measurement, ...]:
    """How long players wait, and what memory and processor time it takes."""
    waits = [row for side in sides for row in waiting(side, side.calm[0])]
    memory = [
        row
        for side in sides
        for row in (
            Row(side.label, (side.memory[1],), side.ours),
            Row(f"{side.label}, of that for this load", (side.memory[1] - side.memory[0],), side.ours),
        )
    ]
    processor = [Row(side.label, (busy(side.calm[0]),), side.ours) for side in sides]
    played = ", ".join(f"{side.label} {rate(side.calm[0]):.0f} moves a second" for side in sides)
    method = f"{METHOD} Played: {played}. Acknowledged moves that Kibitz's file has not: {missing}."
    return (
        Measurement(
            "evening_latency", "A full house: from a move to its acknowledgement", "ms", tuple(waits), method
        ),
        Measurement("evening_memory", "A full house: the server's memory", "MB", tuple(memory), "As above."),
        Measurement(
            "evening_processor",
            "A full house: processor time of the server, for a second",
            "ms",
            tuple(processor),
            "As above.",
        ),
    )


def waiting(side: Evening, window: Window) -> list[Row]:
    """The median, and within what 99 % were acknowledged."""
    shares = statistics.quantiles(window.latencies, n=100, method="inclusive")
    return [
        Row(f"{side.label}, median", (1000 * shares[49],), side.ours),
        Row(f"{side.label}, 99 %", (1000 * shares[98],), side.ours, most=MOST if side.ours else None),
    ]


def rate(window: Window) -> float:
    """Moves a second."""
    return len(window.latencies) / window.seconds


def busy(window: Window) -> float:
    """Milliseconds of processor time that the server used in a second."""
    return 1000 * window.server_seconds / window.seconds
