"""A game move by move: the table at each moment, and what was new in it."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from kibitz.core.journal import Journal

if TYPE_CHECKING:
    from kibitz.core.state import State


class PlayedMoment(NamedTuple):
    """The table after a move, who made it (None: nobody yet), and what that told."""

    state: "State"
    mover: int | None
    news: Journal


def played(state: "State", moves: Iterable[str]) -> Iterator[PlayedMoment]:
    """A table before and after each of some moves, each a state of its own; the given one plays them."""
    yield PlayedMoment(state.copy(), None, state.news.copy())
    for move in moves:
        mover = state.turn
        state.play(move)
        yield PlayedMoment(state.copy(), mover, state.news.copy())
