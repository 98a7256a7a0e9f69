"""What the templates in `search` are compiled with, as types: a game's verbs, and its heuristics.

Never called: each game's kernels take their place.
"""

from kibitz.core.journal import Journal
from kibitz.core.layout import AnyRecord, Moves, Rng

WHOLE_GAMES: bool  # whether each game is played to its end

# How a game tunes the search: see `Heuristics`.
EXPLORATION: float
BOLDNESS: float
HORIZON: int
LAPS: int
TRUST: float
WIDTH: int


def set_up(state: AnyRecord, journal: Journal) -> None:
    """Deal the first round."""
    raise NotImplementedError


def legal_moves(state: AnyRecord, moves: Moves) -> int:
    """What the seat in turn may do."""
    raise NotImplementedError


def candidates(state: AnyRecord, moves: Moves) -> int:
    """What of it a search looks into."""
    raise NotImplementedError


def play(state: AnyRecord, move: int, journal: Journal) -> None:
    """Carry out a move."""
    raise NotImplementedError


def is_over(state: AnyRecord) -> bool:
    """Whether the game has ended."""
    raise NotImplementedError


def imagine(view: AnyRecord, rng: Rng, state: AnyRecord) -> None:
    """Fill a state that agrees with a view."""
    raise NotImplementedError


def reshuffle(state: AnyRecord, rng: Rng) -> None:
    """Shuffle what nobody has drawn yet anew."""
    raise NotImplementedError


def rate(state: AnyRecord, move: int) -> float:
    """How good a move looks to the seat in turn."""
    raise NotImplementedError


def appraise(view: AnyRecord, state: AnyRecord, seat: int) -> float:
    """What the end of the round, or the horizon, is worth to a seat, from 0 to 1; `view` is the beginning."""
    raise NotImplementedError
