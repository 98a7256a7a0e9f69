"""Random games of Kazink! inside the kernels, beside a card game and a board game of OpenSpiel's."""

from itertools import count

import kibitz
from bench.measure import Contender, Measurement, Progress, side_by_side
from bench.playouts import METHOD
from bench.spiel import driven_by_cpp

COUNTED_GAMES = 160  # of quoridor, which are long: their mean is known to a few percent


def measure(rounds: int, progress: Progress) -> Measurement:
    """Decisions a second in random games of two players."""
    seeds = count(1)
    contenders = (
        Contender("Kibitz: Kazink!", lambda games: kibitz.playouts("kazink", games, seed=next(seeds)), True),
        Contender("OpenSpiel: crazy_eights, C++ rollouts", driven_by_cpp("crazy_eights"), aim=2),
        Contender("OpenSpiel: quoridor, C++ rollouts", driven_by_cpp("quoridor", COUNTED_GAMES), aim=3),
    )
    rows = side_by_side(contenders, rounds, progress)
    title = "Random playouts of Kazink! on one core"
    return Measurement("playouts_kazink", title, "decisions/s", rows, METHOD)
