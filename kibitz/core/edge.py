"""The verbs as the edge calls them, on arrays of one record: with records a call takes ten times as long.

Written once for any game and compiled with a game's own verbs in the place of those named here
(`kibitz.core.kernel.specialise`).
"""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from kibitz.core.journal import Journal
from kibitz.core.kernel import machine_code, wide
from kibitz.core.layout import AnyRecord, Moves

Memory = Any  # an array of one record

REFUSED = -1  # as a number of legal moves


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

    `moves` holds the legal ones, `count` of them. Returns how many there are next (or REFUSED, and nothing
    has changed), who decides, the phase, and the rows in the journal.
    """
    state = states[0]
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


class Verbs:
    """A game's verbs as Python calls them: with the same types each time.

    So each becomes its machine code, once it was called: 0.3 us less a call, of 0.5.
    """

    legal_moves_in: Callable[[Memory, Moves], int]
    play_on: Callable[[Memory, Moves, int, int, Journal], tuple[int, int, int, int]]
    observe_in: Callable[[Memory, int, Memory], None]

    def __init__(self, kernels: SimpleNamespace) -> None:
        self.kernels = kernels
        for name, kernel in vars(kernels).items():
            setattr(self, name, self._first(name, kernel))

    def _first(self, name: str, kernel: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            answer = kernel(*arguments)
            if code := machine_code(kernel):
                setattr(self, name, code)
            return answer

        return call
