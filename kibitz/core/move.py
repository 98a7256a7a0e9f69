"""A move: a decision of a seat, with its number and its text."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from kibitz.core.numbers import whole

if TYPE_CHECKING:
    from kibitz.core.game import Game


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


GivenMove: TypeAlias = str | int | np.integer[Any] | Move  # a move's notation, its number, or itself
