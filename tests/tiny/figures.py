"""What follows from a view of the tiny game."""

from collections.abc import Sequence
from typing import Any, TypedDict


class Figures(TypedDict):
    """What follows from a view of the tiny game."""

    sums: list[int]  # what the open cards of each pile count
    gains: dict[str, int]  # what the card of each legal move adds


def figures(view: dict[str, Any], seat: int | None, moves: Sequence[str]) -> Figures:
    """Open cards count their value, a hidden one double."""
    return {
        "sums": [sum(map(int, pile)) for pile in view["piles"]],
        "gains": {move: int(move[-1]) * (2 if move.startswith("hide") else 1) for move in moves},
    }
