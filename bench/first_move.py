"""How soon the first move of each game is made on a machine where nothing is compiled yet."""

import asyncio
import random
import tempfile
import time
from pathlib import Path

import kibitz
from bench.measure import CORES, Measurement, Progress, Row
from bench.restart import Player, Serving

COMPILED: tuple[str, ...] = ()  # beforehand
MOST = 10.0  # seconds to the first own move: the aim
METHOD = (
    "`kibitz serve` on all processors, with an empty cache: its kernels are being compiled meanwhile, for "
    "minutes. For each game a fresh server and cache. Wall time from the click that opens a table with hard "
    "bots until the cards are shown, until the first own move is acknowledged (synced to the disk), and "
    "until the first move of a bot is shown, at the fast pace. Once each."
)


def measure(rounds: int, progress: Progress) -> Measurement:
    """Seconds from the click to the deal, the first own move and a bot's."""
    rows: list[Row] = []
    games = kibitz.games()
    for done, name in enumerate(games, 1):
        with tempfile.TemporaryDirectory() as folder:
            cold = {"KIBITZ_CACHE": f"{folder}/cache", "PYTHONPYCACHEPREFIX": f"{folder}/bytecode"}
            serving = Serving(Path(folder) / "data", set(CORES), **cold)
            dealt, moved, answered = asyncio.run(first_moves(serving, name))
        title = kibitz.game(name).title
        rows += [
            Row(f"{title}: the deal", (dealt,)),
            Row(f"{title}: my first move", (moved,), most=MOST),
            Row(f"{title}: a bot's first move", (answered,)),
        ]
        progress(done / len(games))
    return Measurement("first_move", "First moves while nothing is compiled", "s", tuple(rows), METHOD)


async def first_moves(serving: Serving, name: str) -> tuple[float, float, float]:
    """Seconds from the click to the deal, to the first own move, and to the first one of a bot."""
    serving.start()
    try:
        player = Player(serving.port)
        await player.arrive()
        return await sit_down(player, name)
    finally:
        serving.kill()


async def sit_down(player: Player, name: str) -> tuple[float, float, float]:
    """Open a table with bots, and play by chance until both sides have moved."""
    rng = random.Random(1)
    seats = ["me", *["hard"] * (kibitz.game(name).players.start - 1)]
    clicked = time.perf_counter()
    table = (await player.do("create", game=name, seats=seats, pace="fast", start="full")).table
    player.say("watch", table=table)
    shown = await player.hear("table")
    dealt = time.perf_counter() - clicked
    moved = answered = 0.0
    mine = shown.seat
    while not (moved and answered):
        if shown.legal and not moved:
            await player.do("move", table=table, number=shown.number, move=rng.choice(shown.legal))
            moved = time.perf_counter() - clicked
        elif shown.legal:
            player.say(
                "move", id=f"{shown.number}", table=table, number=shown.number, move=rng.choice(shown.legal)
            )
        shown = await player.hear("table")
        if not answered and any(line.kind == "move" and line.seat != mine for line in shown.lines):
            answered = time.perf_counter() - clicked
    return dealt, moved, answered
