"""Random games of CASH inside the kernels, beside OpenSpiel's."""

from collections.abc import Callable
from itertools import count
from typing import Any

import kibitz
from bench.measure import Contender, Measurement, Progress, side_by_side
from bench.playouts import METHOD
from bench.spiel import driven_by_cpp

PLAYERS = 4


def rounds_of_cash(**options: Any) -> Callable[[int], int]:
    """A contender's `run`: plays rounds, each with its deal, and returns the decisions."""
    seeds = count(1)

    def run(rounds: int) -> int:
        return kibitz.playouts("cash", rounds, players=PLAYERS, seed=next(seeds), rounds=1, **options)

    return run


def as_in_version_1() -> dict[str, Any]:
    """The options by which all is as before rules version 2."""
    (version,) = kibitz.game("cash").versions
    return dict(version.options)


def measure(rounds: int, progress: Progress) -> Measurement:
    """Decisions a second in random rounds, with trading and without, by both rules versions."""
    contenders = (
        Contender("Kibitz: CASH without trading", rounds_of_cash(trading=False), True),
        Contender("Kibitz: CASH with trading", rounds_of_cash(trading=True), True),
        Contender("Kibitz: CASH with trading, as in version 1", rounds_of_cash(**as_in_version_1()), True),
        Contender("OpenSpiel: crazy_eights, C++ rollouts", driven_by_cpp("crazy_eights"), aim=1),
        Contender("OpenSpiel: gin_rummy, C++ rollouts", driven_by_cpp("gin_rummy"), aim=10),
    )
    rows = side_by_side(contenders, rounds, progress)
    title = f"Random rounds of CASH on one core, {PLAYERS} players"
    return Measurement("playouts_cash", title, "decisions/s", rows, METHOD)
