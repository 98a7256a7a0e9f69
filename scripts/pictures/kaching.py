"""The pictures of Ka-Ching!'s rulebook."""

from __future__ import annotations

from collections.abc import Callable

from scripts.pictures.drawing import (
    ACCENT,
    CARD_HEIGHT,
    CARD_WIDTH,
    STRIP,
    TIMES,
    arrow,
    card,
    coin,
    column,
    column_height,
    gap,
    note,
    pawn,
    picture,
    ring,
    sign,
    spent,
    stop,
)

DEAL = (
    "P3 R2 G4 Y6 B2 G3 R4",
    "B5 Y3 P2 R6 G2 P4 Y2",
    "R3 B6 Y2 P6 R5 B3 G6",
    "G5 P3 R2 B4 Y4 Y5 B3",
    "Y3 G3 B2 R3 P2 G2 P5",
)


def five_places(left: float, between: float) -> list[float]:
    """Where five cards in a row have their left edges."""
    return [left + (CARD_WIDTH + between) * i for i in range(5)]


def draw_cards() -> str:
    """One card of each colour and the wild, in two rows of three."""
    names = ("R6", "Y5", "G4", "B3", "P2", "W")
    parts = [card(name, 8 + 124 * (i % 3), 8 + 164 * (i // 3)) for i, name in enumerate(names)]
    return picture(364, 320, parts)


def draw_table() -> str:
    """A fresh table: five columns of seven, the free cards ringed, each with its price below."""
    top, height = 52, column_height(7)
    free = top + height - CARD_HEIGHT
    parts = []
    for i, x in enumerate(five_places(12, 20)):
        middle = x + CARD_WIDTH / 2
        parts += [sign(str(i + 1), middle, 24), *column(DEAL[i], x, top), ring(x, free)]
        parts += [arrow((middle, top + height + 52), (middle, top + height + 14), ACCENT)]
        parts += [note(middle, top + height + 86, int(DEAL[i][-1]))]
    return picture(604, top + height + 122, parts)


def draw_sale(first: str, second: str, amount: int) -> str:
    """Card times card makes money."""
    parts = [card(first, 8, 8), sign(TIMES, 132, 78), card(second, 156, 8), sign("=", 280, 78)]
    return picture(406, 156, [*parts, note(352, 78, amount)])


def draw_last_sale() -> str:
    """The third column is emptied: the other player sells first, then the one who emptied it."""
    table, bottom = 186, 448
    places = five_places(64, 10)
    third = places[2] + CARD_WIDTH / 2
    return picture(
        612,
        bottom + CARD_HEIGHT + 8,
        [
            *(gap(places[i], table) for i in (0, 4)),
            gap(places[2], table, ACCENT),
            *column("P2 Y6 G3", places[1], table),
            *column("B2 R3", places[3], table),
            *sale_row("1", False, ("B5", "B6"), 30, 8),
            *sale_row("2", True, ("G4", "G5"), 20, bottom),
            arrow((third, table + CARD_HEIGHT / 2), (third, bottom - 8), ACCENT),
            arrow((28, 106), (28, bottom + CARD_HEIGHT / 2 - 28)),
        ],
    )


def sale_row(place: str, solid: bool, pair: tuple[str, str], amount: int, top: float) -> list[str]:
    """A player, the place in the order, and the pair being sold."""
    middle = top + CARD_HEIGHT / 2
    sale = [
        card(pair[0], 136, top),
        sign(TIMES, 260, middle),
        card(pair[1], 284, top),
        sign("=", 408, middle),
    ]
    return [sign(place, 28, middle), pawn(94, middle, solid), *sale, note(478, middle, amount)]


def draw_pass() -> str:
    """With $1, no pair and the wild spent there is nothing to do: the turn goes to the other player."""
    mine = 282
    middle = mine + CARD_HEIGHT / 2
    too_dear = []
    for name, x in zip(("R3", "Y2", "G4", "B6", "P2"), five_places(12, 20), strict=True):
        too_dear += [card(name, x, 8), stop(x + 50, 175), note(x + 50, 228, int(name[1]))]
    return picture(
        604,
        mine + CARD_HEIGHT + 8,
        [
            *too_dear,
            *(pawn(42, middle - 30, True), coin(42, middle + 43, 1)),
            *(card("B3", 92, mine), stop(216, middle), card("G5", 240, mine)),
            *(spent("W", 372, mine), stop(422, mine + STRIP + 46)),
            *(arrow((490, middle), (532, middle)), pawn(568, middle, False)),
        ],
    )


PICTURES: dict[str, Callable[[], str]] = {
    "cards.svg": draw_cards,
    "table.svg": draw_table,
    "sale-r4-r5.svg": lambda: draw_sale("R4", "R5", 20),
    "sale-y2-y3.svg": lambda: draw_sale("Y2", "Y3", 6),
    "sale-y3-wild.svg": lambda: draw_sale("Y3", "W", 6),
    "last-sale.svg": draw_last_sale,
    "pass.svg": draw_pass,
}
