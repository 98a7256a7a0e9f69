"""The verbs as the edge calls them, on arrays of one record: with records a call takes ten times as long.

Written once for any game and compiled with a game's own verbs in the place of those named here
(`kibitz.core.kernel.specialise`).
"""

from typing import Any

from kibitz.core.journal import Journal
from kibitz.core.layout import AnyRecord, Moves

Memory = Any  # an array of one record


def legal_moves(state: AnyRecord, moves: Moves) -> int:
    """A game's own."""
    raise NotImplementedError


def play(state: AnyRecord, move: int, journal: Journal) -> None:
    """A game's own."""
    raise NotImplementedError


def observe(state: AnyRecord, observer: int, view: AnyRecord) -> None:
    """A game's own."""
    raise NotImplementedError


def legal_moves_in(states: Memory, moves: Moves) -> int:
    """Fill the buffer with the legal moves; return how many."""
    return legal_moves(states[0], moves)


def play_in(states: Memory, move: int, journal: Journal) -> None:
    """Carry out the move."""
    play(states[0], move, journal)


def observe_in(states: Memory, observer: int, views: Memory) -> None:
    """Build the view into an empty record."""
    observe(states[0], observer, views[0])


TEMPLATES = (legal_moves_in, play_in, observe_in)
