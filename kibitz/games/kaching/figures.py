"""What follows from a view of Ka-Ching!: prices, and the pairs that can be sold."""

from collections.abc import Sequence
from typing import TypedDict

from kibitz.core.views import Card
from kibitz.games.kaching.rules import CARDS, COLOURS, TRADERS, VALUE, WILD_VALUE
from kibitz.games.kaching.views import View


class Sale(TypedDict):
    """Two cards that may be sold together now."""

    move: str
    cards: list[Card]
    price: int


class Figures(TypedDict):
    """What follows from a view of Ka-Ching!"""

    prompt: str  # the message that says what can be done now
    prices: list[int | None]  # of each column's free card; None: the column is empty
    sales: list[Sale]  # the best first
    best_pairs: list[dict[str, int]]  # what a seat's best pair of a colour brings, where it has one
    last_sellers: list[int]  # seats that still sell in the last sale, in turn


def figures(view: View, seat: int | None, moves: Sequence[str]) -> Figures:
    """Prices and pairs, from what a seat sees."""
    sales = [sale(move) for move in moves if move.startswith("sell")]
    return {
        "prompt": prompt(view, moves),
        "prices": [value(column[-1]) if column else None for column in view["columns"]],
        "sales": sorted(sales, key=lambda sale: -sale["price"]),
        "best_pairs": [best_pairs(stock) for stock in view["stocks"]],
        "last_sellers": last_sellers(view["turn"], view["closing"]),
    }


def prompt(view: View, moves: Sequence[str]) -> str:
    """What can be done: buying and selling, or the one that is left."""
    phase, verbs = f"phase.{view['phase']}", {move.split(" ")[0] for move in moves}
    return f"{phase}.{verbs.pop()}" if len(verbs) == 1 else phase


def value(card: Card) -> int:
    """What a card costs, and counts in a sale."""
    return WILD_VALUE if card == "W" else int(VALUE[CARDS.numbers[card]])


def sale(move: str) -> Sale:
    """A pair sells for the product of its values."""
    _, first, second = move.split()
    return {"move": move, "cards": [first, second], "price": value(first) * value(second)}


def best_pairs(stock: Sequence[Card]) -> dict[str, int]:
    """What the best two cards of each colour would bring."""
    best = {}
    for colour in COLOURS:
        values = sorted((value(card) for card in stock if card[0] == colour), reverse=True)
        if len(values) > 1:
            best[colour] = values[0] * values[1]
    return best


def last_sellers(turn: int | None, closing: int) -> list[int]:
    """Who still sells in the last sale, in turn."""
    return [] if turn is None else [(turn + after) % TRADERS for after in range(closing)]
