"""Random games inside the kernels, beside OpenSpiel's."""

from itertools import count

import kibitz
from bench.measure import Contender, Measurement, Progress, side_by_side
from bench.spiel import driven_by_cpp, driven_from_python

METHOD = (
    "Random games from the deal to the end. A decision is a player's decision; chance nodes are sampled but "
    "not counted. C++ rollouts: `MCTSBot` with one simulation and `RandomRolloutEvaluator`, after the deal. "
    "From Python: `legal_actions()`, a random choice, `apply_action()`."
)


def measure(rounds: int, progress: Progress) -> Measurement:
    """Decisions a second in random games."""
    seeds = count(1)
    contenders = (
        Contender(
            "Kibitz: Ka-Ching!", lambda games: kibitz.playouts("kaching", games, seed=next(seeds)), True
        ),
        Contender("OpenSpiel: crazy_eights, C++ rollouts", driven_by_cpp("crazy_eights"), aim=3),
        Contender("OpenSpiel: connect_four, C++ rollouts", driven_by_cpp("connect_four")),
        Contender("OpenSpiel: connect_four from Python", driven_from_python("connect_four")),
        Contender("OpenSpiel: crazy_eights from Python", driven_from_python("crazy_eights"), aim=25),
    )
    rows = side_by_side(contenders, rounds, progress)
    return Measurement("playouts", "Random playouts on one core", "decisions/s", rows, METHOD)
