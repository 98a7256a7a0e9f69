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


def new_journal(rows: int) -> Journal:
    """An empty journal with room for `rows` rows."""
    return np.zeros((rows + 1, COLUMNS), np.int32)


NO_ROWS = new_journal(0)[1:]


def told(journal: Journal) -> Journal:
    """The rows written so far, as a copy."""
    return journal[1 : journal[0, 0] + 1].copy()


class Rows:
    """Rows that grow at their end. A copy costs nothing: what both have is shared, and neither writes there.

    The newest rows lie in a journal that kernels write on in; what a copy took over is a chain of journals,
    of each of which so many rows count, from the newest to the oldest. (`State.play` looks into it itself:
    two calls a move less.)
    """

    __slots__ = ("_earlier", "_lent", "first", "most", "newest", "total")

    def __init__(self, rows: Journal | None = None) -> None:
        self.total = 0
        self._earlier: _Chain = None
        self.first = 0  # the number of the newest journal's first row
        self.newest = NO_ROWS  # which stands for none
        self.most = -1  # so many rows there is room for, with the newest journal
        self._lent = False  # whether others read the newest journal
        if rows is not None:
            self.append(rows)

    def room(self, rows: int) -> Journal:
        """The journal to write on in, with room for so many rows; `written` must follow."""
        if self.total + rows > self.most:
            self._put_aside()
            self.newest = np.empty((1 + 2 * rows + self.total, COLUMNS), np.int32)  # it doubles
            self.newest[0, 0] = 0
            self.most = self.first + len(self.newest) - 1
        return self.newest

    def written(self, count: int) -> None:
        """The journal to write in holds so many rows now."""
        self.total = self.first + count

    def append(self, rows: Journal) -> None:
        """Add rows at the end."""
        journal = self.room(len(rows))
        count = self.total - self.first
        journal[count + 1 : count + 1 + len(rows)] = rows
        journal[0, 0] = count + len(rows)
        self.written(count + len(rows))

    def cut(self, total: int) -> None:
        """Keep only the first rows, so many."""
        if total == self.total:
            return
        if total >= self.first and not self._lent:
            self.newest[0, 0] = total - self.first
        else:
            self._put_aside()
            while self._earlier is not None and self._earlier[2] >= total:
                self._earlier = self._earlier[0]
            if self._earlier is not None:
                before, journal, first, _ = self._earlier
                self._earlier = before, journal, first, total - first
            self.first = total
        self.total = total

    def since(self, first: int) -> Journal:
        """The rows from a number on, as an array of their own."""
        count = self.total - self.first
        if first >= self.first:
            return self.newest[1 + first - self.first : 1 + count].copy()
        pieces = [self.newest[1 : 1 + count]]
        link = self._earlier
        while link is not None:
            before, journal, start, length = link
            pieces.append(journal[1 + max(0, first - start) : 1 + length])
            link = before if start > first else None
        return np.concatenate([NO_ROWS, *reversed(pieces)])

    def copy(self) -> "Rows":
        """The same rows, which go on by themselves."""
        twin = Rows()
        twin.total = twin.first = self.total
        count = self.total - self.first
        if count:
            self._lent = True
            twin._earlier = self._earlier, self.newest, self.first, count
        else:
            twin._earlier = self._earlier
        return twin

    def __reduce__(self) -> tuple[object, ...]:
        return Rows, (self.since(0),)

    def _put_aside(self) -> None:
        """What the newest journal holds becomes the youngest part of the chain."""
        count = self.total - self.first
        if count:
            self._earlier = self._earlier, self.newest, self.first, count
        self.newest, self.first, self.most, self._lent = NO_ROWS, self.total, -1, False


_Chain = (
    tuple["_Chain", Journal, int, int] | None
)  # earlier ones, a journal, its first row's number, how many


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
