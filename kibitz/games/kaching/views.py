"""The type of Ka-Ching!'s views."""

from typing import Literal, TypedDict

from kibitz.core.views import Card, CommonView


class SeriesView(TypedDict):
    """What rounds are played for, and how it stands after those that are over."""

    kind: Literal["single", "best_of", "total"]
    rounds: int
    wins: list[int]
    totals: list[int]  # profits


class View(CommonView):
    """What a seat of Ka-Ching! sees."""

    columns: list[list[Card]]  # the market; the last card of each is free
    stocks: list[list[Card]]  # a seat's cards
    wilds: list[bool]  # which seats still have their wild
    money: list[int | Literal["?"]]
    sold: int  # cards out of play
    starter: int  # of this round
    series: SeriesView
    closing: int  # last sales still to come
