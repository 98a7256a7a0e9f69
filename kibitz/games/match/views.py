"""The type of MATCH!'s views."""

from kibitz.core.views import Card, CommonView


class View(CommonView):
    """What a seat of MATCH! sees."""

    hands: list[list[Card]]
    collections: list[dict[str, list[Card]]]  # a seat's piles by colour, the bottom card first
    deck: list[Card]
    discard: list[Card]
    called: str | None  # a colour or a number, while a joker lies on top
    starter: int  # of this round
