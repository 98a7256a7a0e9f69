"""What games do alike: what a seat sees, whose turn is next, which moves are offered, who wins."""

from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.core.chance import Block, agreed_seat, fresh_block
from kibitz.core.journal import Journal, Note, tell
from kibitz.core.kernel import kernel, wide
from kibitz.core.layout import NOBODY, OVER, AnyRecord, Moves, Seen, SeenTable
from kibitz.core.octets import copy_octets, octets

KIND, IN_STATE, IN_VIEW, ROWS, SIZE = range(5)  # columns of `Layout.seen`


def frozen(values: Any, kind: type = np.int64) -> npt.NDArray[Any]:
    """A table that nothing can change: compiled code may take its numbers for constants."""
    table: npt.NDArray[Any] = np.array(values, kind)
    table.flags.writeable = False
    return table


@kernel
def put_in_order(numbers: npt.NDArray[Any], count: int) -> None:
    """Sort the first few numbers, the lowest first; `np.sort` takes 0.7 s to compile for each type."""
    for place in range(1, count):
        number, free = numbers[place], place
        while free > 0 and numbers[free - 1] > number:
            numbers[free] = numbers[free - 1]
            free -= 1
        numbers[free] = number


# What a player may do


@kernel
def add_if(legal: bool, moves: Moves, count: int, move: int) -> int:
    """Offer a move if it is legal; returns how many are offered now.

    It is written in any case, and only the count says whether it stays. What is legal nobody can foretell:
    without a branch random games of Cover Your Assets are a third faster, those of CASH a fifth, those of
    Ka-Ching! a twelfth.
    """
    moves[count] = move
    return count + legal


# Setting up


@kernel
def find_starter(state: AnyRecord) -> Block:
    """The first round is next; who begins is agreed, or found by chance. Returns what to shuffle with."""
    block = fresh_block()
    state.starter = agreed_seat(state, wide(state.starter_option), block)
    state.round_number = 1
    return block


# A turn


@kernel
def next_seat(state: AnyRecord, seat: int) -> int:
    """The seat to the left."""
    following = wide(seat) + 1
    return following if following < state.players else 0


# The end


@kernel
def best_total(state: AnyRecord) -> int:
    """The highest total."""
    best: int = state.scores[0]
    for seat in range(1, state.players):
        best = max(best, state.scores[seat])
    return best


@kernel
def highest_wins(state: AnyRecord, ending: int, journal: Journal) -> None:
    """End the game: the highest total wins; equal totals share the win."""
    best = best_total(state)
    for seat in range(state.players):
        state.winners[seat] = state.scores[seat] == best
    state.phase = OVER
    state.turn = NOBODY
    state.ending = ending
    tell(journal, Note.OVER.value, NOBODY, ending, 0)


# What each player sees


@kernel
def see(state: AnyRecord, observer: int, view: AnyRecord, seen: SeenTable) -> None:
    """Put into an empty view what its observer may see, as the game's fields say it (`Layout.seen`)."""
    source, target = octets(state), octets(view)
    over = state.phase == OVER
    copy_octets(source, 0, target, 0, seen[0, SIZE])
    view.observer = observer
    for line in range(1, len(seen)):
        size = seen[line, SIZE]
        own = wide(observer) * size
        there, here = seen[line, IN_STATE], seen[line, IN_VIEW]
        if over and seen[line, KIND] != Seen.AS_KNOWN:
            whole = seen[line, ROWS] * size
            copy_octets(source, there, target, here, whole)
        elif observer != NOBODY and seen[line, KIND] == Seen.BY_ITS_SEAT:
            copy_octets(source, there + own, target, here + own, size)
        elif observer != NOBODY and seen[line, KIND] == Seen.AS_KNOWN:
            copy_octets(source, there + own, target, here, size)


@kernel
def recall(view: AnyRecord, state: AnyRecord, seen: SeenTable) -> None:
    """Put what an observer sees and knows into a state to imagine the rest in, which is empty there."""
    source, target = octets(view), octets(state)
    copy_octets(source, 0, target, 0, seen[0, SIZE])
    for line in range(1, len(seen)):
        size = seen[line, SIZE]
        whole = seen[line, ROWS] * size
        there, here = seen[line, IN_STATE], seen[line, IN_VIEW]
        if seen[line, KIND] != Seen.AS_KNOWN:
            copy_octets(source, here, target, there, whole)
        else:
            target[there : there + whole] = 0
            if view.observer != NOBODY:
                own = wide(view.observer) * size
                copy_octets(source, here, target, there + own, size)
