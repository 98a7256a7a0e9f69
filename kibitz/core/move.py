"""A move: a decision of a seat, with its number and its text."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from kibitz.core.numbers import whole

if TYPE_CHECKING:
    from kibitz.core.game import Game


KEPT_LISTS = 16384  # a game; some 4 MB


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Move:
    """One of a game's moves; `str(move)` is its notation, `move.id` its number."""

    game: "Game"
    id: int
    _text: str = field(init=False)

    def __post_init__(self) -> None:
        """A number that the game has not would reach the rules, which trust what they are given."""
        number = whole(self.id)
        if number is None or not 0 <= number < self.game.num_moves:
            raise self.game.no_move(self.id)
        object.__setattr__(self, "id", number)
        object.__setattr__(self, "_text", self.game.text.move_text(number))

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"{self.game!r}.move({self._text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Move) and (self.game.name, self.id) == (other.game.name, other.id)

    def __hash__(self) -> int:
        return hash((self.game.name, self.id))

    def __reduce__(self) -> tuple[object, ...]:
        return Move, (self.game, self.id)


class MoveLists(dict[bytes, tuple[Move, ...]]):
    """Lists of moves, by the bytes of their 16-bit numbers; those that come again are made once."""

    def __init__(self, moves: tuple[Move, ...]) -> None:
        super().__init__()
        self._moves = moves

    def __missing__(self, numbers: bytes) -> tuple[Move, ...]:
        if len(self) >= KEPT_LISTS:
            self.clear()
        moves = self._moves
        found = self[numbers] = tuple([moves[number] for number in memoryview(numbers).cast("h")])
        return found


GivenMove: TypeAlias = str | int | np.integer[Any] | Move  # a move's notation, its number, or itself
