"""Moves through the checked edge, one call from Python each, beside OpenSpiel's."""

import random
from collections.abc import Callable
from itertools import count

import kibitz
from bench.measure import Contender, Measurement, Progress, side_by_side
from bench.spiel import driven_from_python

METHOD = (
    "Random games driven from Python, a call to ask for the legal moves and a call to play one. "
    "`State.play` checks the move and keeps history and log, so that undo, replay and records work. "
    "OpenSpiel's `apply_action` trusts the caller; `apply_action_with_legality_check` doesn't."
)

rng = random.Random(1)


def measure(rounds: int, progress: Progress) -> Measurement:
    """Calls of `State.play` a second in random games."""
    contenders = (
        Contender("Kibitz: Ka-Ching!, State.play", checked_games("kaching"), True),
        Contender("OpenSpiel: connect_four, checked", driven_from_python("connect_four", checked=True)),
        Contender("OpenSpiel: connect_four, unchecked", driven_from_python("connect_four")),
    )
    rows = side_by_side(contenders, rounds, progress)
    return Measurement("edge", "Moves played from Python, one call each", "moves/s", rows, METHOD)


def checked_games(name: str) -> Callable[[int], int]:
    """A contender's `run`: plays whole random games through `State`, and returns the moves made."""
    game = kibitz.game(name)
    seeds = count(1)

    def run(games: int) -> int:
        moves = 0
        for _ in range(games):
            state = game.deal(seed=next(seeds))
            while not state.over:
                state.play(rng.choice(state.legal_moves))
                moves += 1
        return moves

    return run
