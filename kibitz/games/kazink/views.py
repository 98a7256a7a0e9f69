"""The type of Kazink!'s views."""

from typing import Literal

from kibitz.core.views import Card, CommonView


class View(CommonView):
    """What a seat of Kazink! sees."""

    board: dict[str, str]  # the chips on a space, the bottom one first; empty spaces are left out
    crowns: dict[str, Literal["Y", "B", "R"]]  # the colour of the crown on a space
    hands: list[list[Card]]
    deck: list[Card]
    discard: list[Card]
    chips: dict[str, int]  # left, by colour
    rows: dict[str, int]  # completed, by colour
    dealer: int
    swapped: bool  # whether a dead card was swapped in this turn
    idle: int  # turns in a row without a chip placed
    seat_chips: list[int]  # left, a number a seat
