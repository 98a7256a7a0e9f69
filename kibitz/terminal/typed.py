"""What a player typed: a move by its number or by its text, forgiving about case and spaces."""

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kibitz.core.move import Move
    from kibitz.core.state import State


MOST_LISTED = 6


class Unclear(Exception):
    """What was typed fits several moves, or is a number that stands for none."""

    def __init__(self, key: str, moves: Iterable["Move"] = ()) -> None:
        super().__init__(key)
        self.key = key  # of the catalogue
        self.moves = tuple(map(str, moves))

    def listed(self) -> str:
        """The moves it could be, or the first of them."""
        more = ", …" if len(self.moves) > MOST_LISTED else ""
        return ", ".join(self.moves[:MOST_LISTED]) + more


def meant(text: str, state: "State", numbers: Mapping[int, str]) -> "str | Move":
    """The move that was meant, for `State.play` to check."""
    if text.isdecimal():
        if int(text) not in numbers:
            raise Unclear("terminal.no-number")
        return numbers[int(text)]
    squeezed = squeeze(text)
    fitting = [move for move in state.legal_moves if squeezed in spellings(str(move))] or [
        move for move in state.legal_moves if any(each.startswith(squeezed) for each in spellings(str(move)))
    ]
    if len(fitting) > 1:
        raise Unclear("terminal.ambiguous", fitting)
    return fitting[0] if fitting else known_spelling(text, state)


def squeeze(text: str) -> str:
    """Letters and digits only, in lower case."""
    return re.sub(r"[\W_]+", "", text.lower())


def spellings(move: str) -> list[str]:
    """The ways to type a move: its first word may be cut short (`b 3`, `s r4 r5`)."""
    verb, _, rest = move.partition(" ")
    return [squeeze(verb[:length] + rest) for length in range(1, len(verb) + 1)]


def known_spelling(text: str, state: "State") -> "str | Move":
    """Of a text that no legal move has: the move that it writes all the same, else the usual spelling."""
    for move in state.game.moves:
        if squeeze(str(move)) == squeeze(text):
            return move
    verb, *rest = text.split() or [""]
    return " ".join([verb.lower(), *map(str.upper, rest)])
