"""What can be said for a player of Cover Your Assets."""

from collections.abc import Iterator
from itertools import permutations

from kibitz.bots.merits import Merits, Position
from kibitz.core.sentences import Card, Money, Seat, Sentence
from kibitz.games.assets.box import WILDS
from kibitz.games.assets.figures import counted, figures, unstealable


def merits(position: Position) -> Iterator[Sentence]:
    """Who can steal and defend, what is out of reach, and what hands are good for."""
    if position["duel"]:
        yield from of_duel(position)
    else:
        yield from of_steals(position)
        yield from of_the_next(position)
    values = figures(position, None, ())["values"]  # type: ignore[arg-type]  # a position is an open view
    for seat, sets in enumerate(position["stacks"]):
        me = Seat(seat)
        if len(sets) == 1:
            yield Sentence("merit.first", {"seat": me, "card": Card(sets[0]["asset"])})
        for covered in sets[1:-1]:
            amount = Money(counted(covered["cards"], values))
            yield Sentence("merit.covered", {"seat": me, "card": Card(covered["asset"]), "amount": amount})
    for seat, hand in enumerate(position["hands"]):
        yield from of_hand(position, seat, hand)


def of_duel(position: Position) -> Iterator[Sentence]:
    """Whoever has to answer may have nothing to answer with."""
    duel, turn = position["duel"], position["turn"]
    [other] = {duel["thief"], duel["victim"]} - {turn}
    asset = position["stacks"][duel["victim"]][-1]["asset"]
    if not fitting(position["hands"][turn], asset):
        yield Sentence("merit.answerless", {"seat": Seat(other), "rival": Seat(turn)})


def of_steals(position: Position) -> Iterator[Sentence]:
    """Who holds a card for whose top set."""
    for thief, victim in permutations(range(position["players"]), 2):
        if unstealable(position, thief, victim) is None:  # type: ignore[arg-type]
            yield Sentence("merit.steal", {"seat": Seat(thief), "rival": Seat(victim)})


def of_the_next(position: Position) -> Iterator[Sentence]:
    """What lies on the pile may be a set for who comes next."""
    turn, pile = position["turn"], position["discard"]
    if pile and turn is not None and any(makes_set(pile[-1], card) for card in position["hands"][turn]):
        yield Sentence("merit.pile", {"seat": Seat(turn)})


def of_hand(position: Position, seat: int, hand: list[str]) -> Iterator[Sentence]:
    """Cards to defend with, wilds, and pairs."""
    me, sets = Seat(seat), position["stacks"][seat]
    if len(sets) > 1:
        for card in fitting(hand, sets[-1]["asset"]):
            yield Sentence("merit.shield", {"seat": me, "card": Card(card)})
    for card in WILDS:
        if card in hand:
            yield Sentence("merit.wild", {"seat": me, "card": Card(card)})
    for card in sorted(set(hand) - set(WILDS)):
        if hand.count(card) > 1:
            yield Sentence("merit.pair", {"seat": me, "card": Card(card)})


def fitting(hand: list[str], asset: str) -> list[str]:
    """The kinds of cards that may be shown for a set."""
    return [card for card in (asset, *WILDS) if card in hand]


def makes_set(one: str, other: str) -> bool:
    """Two equal assets, or an asset and a wild."""
    return (one == other and one not in WILDS) or (one in WILDS) != (other in WILDS)


MERITS = Merits(
    merits, chores=frozenset({"log.discard", "log.forget", "log.dealt", "log.draw", "log.yield", "log.press"})
)
