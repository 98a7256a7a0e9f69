"""What happened, as the rules tell it while they act.

A verb that changes the state is passed a journal: rows of whole numbers, row 0 holding their count. A
journal without any rows listens to nothing; playouts and searches pass that one.
"""

from enum import IntEnum

import numpy as np
import numpy.typing as npt

from kibitz.core.kernel import borrowed, kernel

Journal = npt.NDArray[np.int32]

EVERYBODY = -1  # as `seen_by`: no secret; otherwise a bit for each seat that may know the value


class Note(IntEnum):
    """The kinds of rows."""

    MOVE = 1  # seat made the move `value`; those who may not know it see mask `amount`
    MONEY = 2  # seat's money changed by `amount`
    DRAW = 3  # seat drew the card `value`
    REVEAL = 4  # the card `value` was turned up
    TAKE = 5  # seat took the card `value` from the seat `amount` (NOBODY: from the table)
    PASS = 6  # seat passed the card `value` to the seat `amount`
    RESHUFFLE = 7  # `amount` cards became a new deck
    ROUND = 8  # round `amount` begins with the seat
    PHASE = 9  # the phase `value` begins
    SHOW = 10  # at the end of a round seat lays the card `value` open
    STEP = 11  # in the seat's score, step `value` counts `amount`
    SCORED = 12  # round `amount` is over because of ending `value`
    OVER = 13  # the game is over because of ending `value`
    GAIN = 14  # in mid-round, step `value` of the seat's score grew by `amount`
    OFFER = 15  # seat offers the card `value` of its hand to the seat `amount`, or is asked for it
    OFFER_OPEN = 16  # the same with a card that lies open before the seat
    LOSE = 17  # seat loses the card `value` to the discard pile
    SKIP = 18  # seat's turn would come, and is lost


COLUMNS = 5
KIND, SEAT, VALUE, AMOUNT, SEEN_BY = range(COLUMNS)
COUNT, FIRST = 0, 1  # of row 0: how many rows follow, and the number of the first (see `kibitz.core.rows`)


def new_journal(rows: int) -> Journal:
    """An empty journal with room for `rows` rows."""
    return np.zeros((rows + 1, COLUMNS), np.int32)


NO_ROWS = new_journal(0)[1:]


def told(journal: Journal) -> Journal:
    """The rows written so far, as a copy."""
    return journal[1 : journal[0, 0] + 1].copy()


@kernel
def no_journal() -> Journal:
    """A journal that listens to nothing, and has no memory that anybody would have to keep."""
    return borrowed(np.zeros((0, COLUMNS), np.int32))


@kernel
def tell(journal: Journal, kind: int, seat: int, value: int, amount: int) -> None:
    """Write down what everybody may know."""
    tell_some(journal, kind, seat, value, amount, EVERYBODY)


@kernel
def tell_some(journal: Journal, kind: int, seat: int, value: int, amount: int, seen_by: int) -> None:
    """Write down something of which only the seats in `seen_by` may know the value; a full journal stays."""
    if len(journal) > 0 and journal[0, 0] + 1 < len(journal):
        journal[0, 0] += 1
        row = journal[journal[0, 0]]
        row[KIND] = kind
        row[SEAT] = seat
        row[VALUE] = value
        row[AMOUNT] = amount
        row[SEEN_BY] = seen_by
