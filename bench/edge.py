"""Moves through the checked edge, one call from Python each, beside OpenSpiel's; copies and observations."""

import random
from collections.abc import Callable
from itertools import count
from typing import Any

import kibitz
from bench.measure import Contender, Measurement, Progress, Row, side_by_side
from bench.spiel import driven_from_python

METHOD = (
    "Random games driven from Python, a call to ask for the legal moves and a call to play one. "
    "`State.play` checks the move and keeps history and log, so that undo, replay and records work. "
    "OpenSpiel's `apply_action` trusts the caller; `apply_action_with_legality_check` doesn't. "
    "The ratios are those of the slowest game. Copies: `state.copy()` in the middle of a game of Ka-Ching!. "
    "Observations: `state.observation(seat)` after so many moves of CASH."
)

AT_LEAST = {"crazy_eights": 1.0, "connect_four": 0.7}  # times as fast as these, checked, every game should be
LATE = 20_000  # moves

rng = random.Random(1)


def measure(rounds: int, progress: Progress) -> Measurement:
    """Calls of `State.play` a second in random games, copies and observations."""
    ours = [
        Contender(f"Kibitz: {kibitz.game(name).title}, State.play", checked_games(name), True)
        for name in kibitz.games()
    ]
    theirs = [
        Contender(f"OpenSpiel: {name}, checked", driven_from_python(name, checked=True), aim=aim)
        for name, aim in AT_LEAST.items()
    ]
    others = [
        Contender("OpenSpiel: connect_four, unchecked", driven_from_python("connect_four")),
        Contender("Kibitz: state.copy()", copies(), True),
        Contender("Kibitz: CASH, observation at move 100", observations(100), True),
        Contender(f"Kibitz: CASH, observation at move {LATE}", observations(LATE), True),
    ]
    rows = side_by_side((*ours, *theirs, *others), rounds, progress)
    slowest = min(rows[: len(ours)], key=lambda row: row.value)
    return Measurement(
        "edge",
        "Moves played from Python, one call each",
        "calls/s",
        tuple(row if row.ours else beside(slowest, row) for row in rows),
        METHOD,
    )


def beside(slowest: Row, row: Row) -> Row:
    """A row of another's, with its ratio to our slowest game."""
    return Row(row.label, row.samples, row.ours, slowest.value / row.value, row.aim)


def checked_games(name: str) -> Callable[[int], int]:
    """A contender's `run`: plays whole random games through `State`, and returns the moves made."""
    game = kibitz.game(name)
    seeds = count(1)
    options: dict[str, Any] = {"rounds": 1} if name == "cash" else {}

    def run(games: int) -> int:
        moves = 0
        for _ in range(games):
            state = game.deal(seed=next(seeds), **options)
            while not state.over:
                state.play(rng.choice(state.legal_moves))
                moves += 1
        return moves

    return run


def copies() -> Callable[[int], int]:
    """A contender's `run`: copies of one state."""
    state = kibitz.game("kaching").deal(seed=1)
    for _ in range(12):
        state.play(state.legal_moves[0])

    def run(times: int) -> int:
        for _ in range(times):
            state.copy()
        return times

    return run


def observations(moves: int) -> Callable[[int], int]:
    """A contender's `run`: observations of the seat in turn, in a long game of CASH."""
    state = kibitz.game("cash").deal(2, seed=1, rounds=100)
    chooser = random.Random(1)
    for _ in range(moves):
        legal = [move for move in state.legal_moves if str(move) != "play stop"]
        state.play(chooser.choice(legal or state.legal_moves))
    state.observation(state.turn)

    def run(times: int) -> int:
        for _ in range(times):
            state.observation(state.turn)
        return times

    return run
