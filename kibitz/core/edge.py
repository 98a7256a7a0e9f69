"""The verbs as the edge calls them, on arrays of one record: with records a call takes ten times as long.

Written once for any game and compiled with a game's own verbs in the place of those named here
(`kibitz.core.kernel.specialise`).
"""

from typing import Any

from kibitz.core.journal import Journal
from kibitz.core.kernel import wide
from kibitz.core.layout import AnyRecord, Moves

Memory = Any  # an array of one record

UNKNOWN = -1  # as a number of legal moves: nobody has asked yet
REFUSED = -2


def legal_moves(state: AnyRecord, moves: Moves) -> int:
    """A game's own."""
    raise NotImplementedError


def play(state: AnyRecord, move: Any, journal: Journal) -> None:
    """A game's own."""
    raise NotImplementedError


def observe(state: AnyRecord, observer: int, view: AnyRecord) -> None:
    """A game's own."""
    raise NotImplementedError


def legal_moves_in(states: Memory, moves: Moves) -> int:
    """Fill the buffer with the legal moves; return how many."""
    return legal_moves(states[0], moves)


def play_on(
    states: Memory, moves: Moves, count: int, move: int, journal: Journal
) -> tuple[int, int, int, int]:
    """Carry out a move, if it is one of the legal ones, and find those of the next seat: all in one call.

    `moves` holds `count` legal moves, or they aren't found yet (UNKNOWN). Returns how many there are next (or
    REFUSED, and nothing has changed), who decides, the phase, and the rows in the journal.
    """
    state = states[0]
    if count == UNKNOWN:
        count = legal_moves(state, moves)
    place = 0
    while place < count and moves[place] != move:
        place += 1
    if place == count:
        return REFUSED, 0, 0, 0
    play(state, moves[place], journal)  # as a search passes it: the rules are compiled once
    count = legal_moves(state, moves)
    return count, wide(state.turn), wide(state.phase), wide(journal[0, 0])


def observe_in(states: Memory, observer: int, views: Memory) -> None:
    """Build the view into an empty record."""
    observe(states[0], observer, views[0])


TEMPLATES = (legal_moves_in, play_on, observe_in)
