"""What can be said for a player of MATCH!"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from kibitz.bots.merits import Merits, Position
from kibitz.core.sentences import Card, Seat, Sentence
from kibitz.games.match.figures import asked
from kibitz.games.match.rules import CARDS, HAND_SIZE, NUMBER

JOKER = "W"
HIGH = 3  # from this number on a card is worth collecting


def merits(position: Position) -> Iterator[Sentence]:
    """How the next player is bound, what counts already, what is guarded, and how near the end is."""
    yield from of_the_next(position)
    for seat, (hand, collection) in enumerate(zip(position["hands"], position["collections"], strict=True)):
        yield from of_collection(seat, list(collection.values()))
        yield from of_hand(seat, hand)


def of_the_next(position: Position) -> Iterator[Sentence]:
    """Whoever comes next may be bound, or have nothing that fits."""
    turn = position["turn"]
    wanted = asked(position)  # type: ignore[arg-type]  # a position is an open view
    tops = fitting([pile[-1] for pile in position["collections"][turn].values()], wanted)
    others = [seat for seat in range(position["players"]) if seat != turn]
    for seat in others:
        if tops:
            yield Sentence("merit.binds", {"seat": Seat(seat), "rival": Seat(turn)})
        elif not fitting(position["hands"][turn], wanted):
            yield Sentence("merit.stuck", {"seat": Seat(seat), "rival": Seat(turn)})


def of_collection(seat: int, piles: list[list[str]]) -> Iterator[Sentence]:
    """High cards that count, and those that a lower one guards."""
    for pile in piles:
        for card, above in pairwise(pile):
            if number(card) > number(above):
                cards = {"card": Card(card), "above": Card(above)}
                yield Sentence("merit.guarded", {"seat": Seat(seat), **cards})
        for card in pile:
            if number(card) >= HIGH:
                yield Sentence("merit.counts", {"seat": Seat(seat), "card": Card(card)})


def of_hand(seat: int, hand: list[str]) -> Iterator[Sentence]:
    """A joker that is kept, and a hand that is small."""
    if JOKER in hand:
        yield Sentence("merit.joker", {"seat": Seat(seat)})
    for count in range(len(hand), HAND_SIZE):
        yield Sentence("merit.hand", {"seat": Seat(seat), "count": count})


def fitting(cards: Sequence[str], wanted: list[str]) -> list[str]:
    """Those of some cards that fit."""
    return [card for card in cards if card == JOKER or any(each in card for each in wanted)]


def number(card: str) -> int:
    """What a card counts."""
    return int(NUMBER[CARDS.numbers[card]])


MERITS = Merits(merits)
