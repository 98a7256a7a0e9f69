"""What can be said for a trader in Ka-Ching!"""

from collections.abc import Iterator
from itertools import combinations

from kibitz.bots.merits import Merits, Position
from kibitz.core.sentences import Card, Money, Seat, Sentence
from kibitz.games.kaching.figures import value


def merits(position: Position) -> Iterator[Sentence]:
    """Pairs to sell, what can be bought for one, and the wild."""
    stocks = position["stocks"]
    for seat, stock in enumerate(stocks):
        for one, other in combinations(sorted(stock, key=value), 2):
            if one[0] == other[0]:
                yield pair("merit.pair", seat, one, other)
    turn = position["turn"]
    for card in dict.fromkeys(column[-1] for column in position["columns"] if column):
        held = [other for other in stocks[turn] if other[0] == card[0]]
        if held and value(card) <= position["money"][turn]:
            yield pair("merit.buy", turn, card, max(held, key=value))
    for seat, wild in enumerate(position["wilds"]):
        if wild:
            yield Sentence("merit.wild", {"seat": Seat(seat)})


def pair(key: str, seat: int, first: str, second: str) -> Sentence:
    """Two cards of a colour, and what they sell for."""
    price = Money(value(first) * value(second))
    return Sentence(key, {"seat": Seat(seat), "first": Card(first), "second": Card(second), "price": price})


MERITS = Merits(merits, chores=frozenset({"log.pass"}))
