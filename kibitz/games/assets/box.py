"""What is in the boxes of Cover Your Assets: the cards of both editions, and what they are worth."""

import numpy as np
import numpy.typing as npt

from kibitz.core.cards import NO_CARD, CardCodes
from kibitz.core.common import frozen

# The decks as (card, value, copies), each in the order of its card table; the wilds come last in both.
FIRST_EDITION = (
    ("home", 20_000, 8),
    ("auto", 15_000, 10),
    ("jewels", 15_000, 10),
    ("stocks", 10_000, 10),
    ("coins", 10_000, 10),
    ("bank", 10_000, 10),
    ("stamps", 5_000, 10),
    ("baseball", 5_000, 10),
    ("mattress", 5_000, 10),
    ("piggy", 5_000, 10),
    ("silver", 25_000, 8),
    ("gold", 50_000, 4),
)
SECOND_EDITION = (
    ("comics", 5_000, 10),
    ("piano", 5_000, 10),
    ("train", 5_000, 10),
    ("jewels", 10_000, 9),
    ("mattress", 10_000, 9),
    ("piggy", 10_000, 9),
    ("scooter", 15_000, 9),
    ("plane", 15_000, 9),
    ("auto", 15_000, 9),
    ("cabin", 20_000, 8),
    ("silver", 25_000, 8),
    ("gold", 50_000, 4),
)
EDITIONS = (FIRST_EDITION, SECOND_EDITION)
WILDS = ("silver", "gold")

# A card is a number that means the same in both decks, so that a move does, too; 0 is no card. Assets come
# first, then the wilds.
ASSETS = tuple(dict.fromkeys(name for deck in EDITIONS for name, _, _ in deck if name not in WILDS))
CARDS = CardCodes([*ASSETS, *WILDS], expected="a card such as 'home'")
NUM_ASSETS = len(ASSETS)
NUM_CARDS = NUM_ASSETS + len(WILDS)
SILVER = NUM_ASSETS + 1
GOLD = NUM_ASSETS + 2


def by_card(column: int) -> npt.NDArray[np.int64]:
    """A column of both card tables, by deck and card; 0 for a card that the deck doesn't have."""
    figures = [{line[0]: int(line[column]) for line in deck} for deck in EDITIONS]
    return frozen([[0, *(deck.get(name, 0) for name in CARDS.numbers)] for deck in figures])


VALUE = by_card(1)
COPIES = by_card(2)
DECK_SIZES = frozen([sum(copies for _, _, copies in deck) for deck in EDITIONS])
DECK_SIZE = int(DECK_SIZES.max())  # room for either
DECKS = frozen(
    [
        ([CARDS.numbers[name] for name, _, copies in deck for _ in range(copies)] + [NO_CARD] * DECK_SIZE)[
            :DECK_SIZE
        ]
        for deck in EDITIONS
    ],
    np.int8,
)
