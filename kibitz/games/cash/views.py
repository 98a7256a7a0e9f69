"""The type of CASH's views."""

from typing import TypedDict

from kibitz.core.views import Card, CommonView


class Insured(TypedDict):
    """Cash under an insurance."""

    cover: Card
    cash: list[Card]


class Firm(TypedDict):
    """What lies before a seat."""

    license: bool
    probe: Card | None  # what it is investigated for
    cash: list[Card]  # not insured
    insured: list[Insured]
    venture: int
    taxman: int


# The seats that offer and are offered, and what goes from hand to hand and from firm to firm.
Offer = TypedDict(
    "Offer",
    {
        "from": int,
        "to": int,
        "give": list[Card],
        "give_firm": list[Card],
        "want": list[Card],
        "want_firm": list[Card],
        "counter": bool,  # whether it is made to the player whose turn it is
    },
)

# How many cards everybody passes on, by whose card, whether in the hand step, and what each has chosen.
Passing = TypedDict("Passing", {"count": int, "from": int, "trim": bool, "chosen": list[list[Card]]})


class View(CommonView):
    """What a seat of CASH sees."""

    hands: list[list[Card]]
    firms: list[Firm]
    deck: list[Card]
    discard: list[Card]
    lost: list[int]  # turns that a seat is still to lose
    starter: int
    acted: bool  # whether the one card of this turn is done
    offers: int  # begun in this turn
    offer: Offer | None
    passing: Passing | None
    extra: bool  # whether another turn follows
    taking: Card | None  # the card that takes, while its owner decides whom to spare
    spared: list[int]  # the seats from which it won't
    tied: bool  # whether the next that is alone at the top wins
