"""The type of Cover Your Assets' views."""

from typing import TypedDict

from kibitz.core.views import Card, CommonView


class AssetSet(TypedDict):
    """A set of cards that lie together."""

    asset: Card
    cards: list[Card]


class Duel(TypedDict):
    """A theft that isn't decided yet."""

    thief: int
    victim: int
    shown: list[list[Card]]  # the thief's cards, and the victim's


class View(CommonView):
    """What a seat of Cover Your Assets sees."""

    hands: list[list[Card]]
    stacks: list[list[AssetSet]]  # a seat's sets, the bottom one first
    deck: list[Card]
    discard: list[Card]
    limits: list[int]  # how many cards a seat may hold
    dealer: int
    duel: Duel | None
