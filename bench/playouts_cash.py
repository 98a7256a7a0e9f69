"""Random games of CASH inside the kernels, beside OpenSpiel's."""

from collections.abc import Callable
from itertools import count

import kibitz
from bench.measure import Contender, Measurement, Progress, side_by_side
from bench.playouts import METHOD
from bench.spiel import driven_by_cpp

PLAYERS = 4


def rounds_of_cash(trading: bool) -> Callable[[int], int]:
    """A contender's `run`: plays rounds, each with its deal, and returns the decisions."""
    seeds = count(1)

    def run(rounds: int) -> int:
        seed = next(seeds)
        return kibitz.playouts("cash", rounds, players=PLAYERS, seed=seed, rounds=1, trading=trading)

    return run


def measure(rounds: int, progress: Progress) -> Measurement:
    """Decisions a second in random rounds, with trading and without."""
    contenders = (
        Contender("Kibitz: CASH without trading", rounds_of_cash(trading=False), True),
        Contender("Kibitz: CASH with trading", rounds_of_cash(trading=True), True),
        Contender("OpenSpiel: crazy_eights, C++ rollouts", driven_by_cpp("crazy_eights"), aim=1),
        Contender("OpenSpiel: gin_rummy, C++ rollouts", driven_by_cpp("gin_rummy"), aim=10),
    )
    rows = side_by_side(contenders, rounds, progress)
    title = f"Random rounds of CASH on one core, {PLAYERS} players"
    return Measurement("playouts_cash", title, "decisions/s", rows, METHOD)
