"""A move: a decision of a seat, with its number and its text."""

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from kibitz.core.game import Game


class Move:
    """One of a game's moves; `str(move)` is its notation, `move.id` its number."""

    __slots__ = ("_text", "game", "id")

    def __init__(self, game: "Game", id: int) -> None:
        self.game = game
        self.id = id
        self._text = game.text.move_text(id)

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
