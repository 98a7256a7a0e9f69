"""Rows of whole numbers that kernels add to: what was told in a game, and what was before each move."""

from functools import cache

import numpy as np
import numpy.typing as npt

from kibitz.core.journal import COLUMNS, COUNT, FIRST

Numbers = npt.NDArray[np.int32]


class Rows:
    """Rows that grow at their end. A copy costs nothing: what both have is shared, and neither writes there.

    The newest rows lie in an array that kernels write on in, laid out like a journal. What a copy took over
    is a chain of such arrays, of each of which so many rows count, from the newest to the oldest.
    """

    __slots__ = ("_earlier", "_empty", "_lent", "first", "newest")

    def __init__(self, rows: Numbers | None = None, columns: int = COLUMNS) -> None:
        self._earlier: _Chain = None
        self._lent = False  # whether others read the newest array
        self.first = 0  # the number of the newest array's first row
        self._empty = _without_room(columns if rows is None else rows.shape[1])
        self.newest = self._empty
        if rows is not None:
            self.append(rows)

    @property
    def total(self) -> int:
        """How many rows there are."""
        return self.first + self.newest.item(COUNT)

    def room(self, rows: int) -> Numbers:
        """The array to write on in, with room for so many rows."""
        if self.newest.item(COUNT) + rows >= len(self.newest):
            self._put_aside()
            self.newest = np.empty((1 + 2 * rows + self.first, self._empty.shape[1]), np.int32)  # it doubles
            self.newest[0, COUNT], self.newest[0, FIRST] = 0, self.first
        return self.newest

    def append(self, rows: Numbers) -> None:
        """Add rows at the end."""
        if not len(rows):
            return
        newest = self.room(len(rows))
        count = newest.item(COUNT)
        newest[count + 1 : count + 1 + len(rows)] = rows
        newest[0, COUNT] = count + len(rows)

    def cut(self, total: int) -> None:
        """Keep only the first rows, so many."""
        if total == self.total:
            return
        if total >= self.first and not self._lent:
            self.newest[0, COUNT] = total - self.first
            return
        self._put_aside()
        while self._earlier is not None and self._earlier[2] >= total:
            self._earlier = self._earlier[0]
        if self._earlier is not None:
            before, rows, first, _ = self._earlier
            self._earlier = before, rows, first, total - first
        self.first = total

    def since(self, first: int, columns: slice = slice(None)) -> Numbers:
        """The rows from a number on, or some of their columns, as an array of their own."""
        start, count = self.first, self.newest.item(COUNT)
        pieces = [self.newest[1 + max(0, first - start) : 1 + count, columns]]
        link = self._earlier
        while link is not None and start > first:
            link, rows, start, count = link
            pieces.append(rows[1 + max(0, first - start) : 1 + count, columns])
        return np.concatenate(pieces[::-1])

    def pop(self) -> Numbers:
        """Take away the last row, and return it."""
        count = self.newest.item(COUNT)
        if count == 0 or self._lent:
            last = self.since(self.total - 1)
            self.cut(self.total - 1)
        else:
            last = self.newest[count : count + 1].copy()
            self.newest[0, COUNT] = count - 1
        return last[0]  # type: ignore[no-any-return]

    def copy(self) -> "Rows":
        """The same rows, which go on by themselves."""
        twin, newest = object.__new__(Rows), self.newest
        count = newest.item(COUNT)
        twin._earlier = (self._earlier, newest, self.first, count) if count else self._earlier
        twin.first = self.first + count
        twin.newest = twin._empty = self._empty
        twin._lent, self._lent = False, True
        return twin

    def __reduce__(self) -> tuple[object, ...]:
        return Rows, (self.since(0),)

    def _put_aside(self) -> None:
        """What the newest array holds becomes the youngest part of the chain."""
        count = self.newest.item(COUNT)
        if count:
            self._earlier = self._earlier, self.newest, self.first, count
        self.first += count
        self.newest, self._lent = self._empty, False


_Chain = tuple["_Chain", Numbers, int, int] | None  # earlier ones, an array, its first row's number, how many


@cache
def _without_room(columns: int) -> Numbers:
    """An array that no row fits into: all such are one."""
    empty = np.zeros((1, columns), np.int32)
    empty.flags.writeable = False
    return empty
