"""The verbs as the edge calls them, in a workspace: with records a call takes ten times as long.

Written once for any game and compiled with a game's own verbs in the place of those named here
(`kibitz.core.kernel.specialise`).
"""

from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from kibitz.core.journal import COUNT, FIRST, Journal
from kibitz.core.kernel import machine_code, wide
from kibitz.core.layout import NOBODY, AnyRecord, Moves
from kibitz.core.octets import copy_octets, octets
from kibitz.core.workspace import BEFORE, COLUMN_BYTES, MADE, TOLD, Workspace, listed

if TYPE_CHECKING:
    from kibitz.core.move import Move

Memory = Any  # an array of one record

# In the place of the seat that decides: nothing has changed.
REFUSED = NOBODY - 1
NO_ROOM = NOBODY - 2

MAX_NOTES = 0  # A game's own.


def legal_moves(state: AnyRecord, moves: Moves) -> int:
    """A game's own."""
    raise NotImplementedError


def play(state: AnyRecord, move: Any, journal: Journal) -> None:
    """A game's own."""
    raise NotImplementedError


def observe(state: AnyRecord, observer: int, view: AnyRecord) -> None:
    """A game's own."""
    raise NotImplementedError


def legal_moves_in(space: Workspace) -> "tuple[Move, ...]":
    """Find the legal moves, and keep their numbers."""
    moves = space.moves
    count = legal_moves(space.memory[0], moves)
    moves[len(moves) - 1] = count
    return listed(space, count)


def play_in(space: Workspace, move: int) -> "tuple[tuple[Move, ...], int, int]":
    """Carry out a move, if it is one of the legal ones, and find those of the next seat: all in one call.

    What was before it is kept. Returns the legal moves then, who decides (or REFUSED or NO_ROOM,
    and nothing has changed) and the phase.
    """
    state, moves, journal, past = space.memory[0], space.moves, space.journal, space.past
    count = wide(moves[len(moves) - 1])
    place = 0
    while place < count and moves[place] != move:
        place += 1
    if place == count:
        return listed(space, 0), REFUSED, 0
    row = wide(past[0, COUNT]) + 1
    if row >= len(past) or journal[0, COUNT] + MAX_NOTES >= len(journal):
        return listed(space, 0), NO_ROOM, 0
    past[0, COUNT] = row
    past[row, TOLD] = journal[0, FIRST] + journal[0, COUNT]
    past[row, MADE] = move
    record = octets(state)
    copy_octets(record, 0, past, COLUMN_BYTES * (row * past.shape[1] + BEFORE), len(record))
    play(state, move, journal)
    count = legal_moves(state, moves)
    moves[len(moves) - 1] = count
    return listed(space, count), wide(state.turn), wide(state.phase)


def observe_in(states: Memory, observer: int, views: Memory) -> None:
    """Build the view into an empty record."""
    observe(states[0], observer, views[0])


TEMPLATES = (legal_moves_in, play_in, observe_in)


class Verbs:
    """A game's verbs as Python calls them: with the same types each time.

    So each becomes its machine code, once it was called: 0.3 us less a call, of 0.5.
    """

    legal_moves_in: "Callable[[Workspace], tuple[Move, ...]]"
    play_in: "Callable[[Workspace, int], tuple[tuple[Move, ...], int, int]]"
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
