"""What a seat may see of a position, said once more for each game: the yardstick of the leak test."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.games.assets import naive as assets
from tests.games.cash import naive as cash
from tests.games.kaching import naive as kaching
from tests.games.kazink import naive as kazink
from tests.games.match import naive as match

Position = dict[str, Any]


@dataclass(frozen=True)
class World:
    """`view(position, seat)`; `known` if a seat knows more than it is shown, by remembering."""

    view: Callable[[Position, int | None], Position]
    known: bool = False


def tiny_view(position: Position, seat: int | None) -> Position:
    """Piles are open. Hands, hidden cards and the deck are not, but how many they are; all is, at the end."""
    if position["over"]:
        return position
    return position | {
        "hands": [hand if s == seat else ["?"] * len(hand) for s, hand in enumerate(position["hands"])],
        "hidden": [card if s == seat or card is None else "?" for s, card in enumerate(position["hidden"])],
        "deck": ["?"] * len(position["deck"]),
    }


WORLDS = {
    "kaching": World(kaching.view, known=True),  # money follows from the log
    "kazink": World(kazink.view),
    "cash": World(cash.view, known=True),  # cards passed, traded and offered are remembered
    "assets": World(assets.view),
    "match": World(match.view, known=True),  # what a reshuffled deck is made of follows from the log
    "tiny": World(tiny_view),
}
