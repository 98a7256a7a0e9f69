"""The pictures of CASH's rulebook."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from scripts.pictures.drawing import (
    ACCENT,
    CARD_HEIGHT,
    CARD_WIDTH,
    EDGE,
    HEAD_LINE,
    INK,
    NOTE,
    PAPER,
    SHINGLE,
    STOP,
    amount,
    around,
    arrow,
    by_language,
    circle,
    filled,
    number,
    outlined,
    path,
    pawn,
    picture,
    polygon,
    printed,
    rectangle,
    ring,
    stop,
    strip,
)


class Kind(NamedTuple):
    """A kind of card: what its head is printed with."""

    fill: str
    on_fill: str


KINDS = {
    "license": Kind("#1f6f78", PAPER),
    "stop": Kind(INK, PAPER),
    "cash": Kind("#3f7d3a", PAPER),
    "cover": Kind("#2272b9", PAPER),
    "probe": Kind("#b5261e", PAPER),
    "clear": Kind("#8a6100", PAPER),
    "bull": Kind("#e08a1e", INK),
    "bear": Kind("#55297f", PAPER),
    "commission": Kind("#6b5b4b", PAPER),
}
Icon = Callable[[float, float, float, str], list[str]]


def deal_card(kind: str, thousands: int, x: float, y: float) -> str:
    """A card of CASH: a head with its amount, or else with the kind's icon, and the icon once more, big."""
    paper = KINDS[kind]
    coloured, *_ = strip("", 0, paper.fill, paper.on_fill)
    if thousands:
        head = [amount(thousands, 50, HEAD_LINE, 26, 88, paper.on_fill)]
    else:
        head = ICONS[kind](20, HEAD_LINE, 13, paper.on_fill)
    return printed([coloured, *head, *ICONS[kind](50, 93, 32, paper.fill)], x, y)


def strokes(steps: str, colour: str, width: float) -> str:
    paint = f'fill="none" stroke="{colour}" stroke-width="{number(width)}"'
    return path(steps, paint + ' stroke-linecap="round" stroke-linejoin="round"')


def seal(x: float, y: float, size: float, colour: str) -> list[str]:
    """A license: a seal on two ribbons."""
    ribbons = [
        polygon(
            [(x + side * 0.1 * size, y), (x + side * 0.75 * size, y + size), (x, y + 0.75 * size)],
            filled(colour),
        )
        for side in (-1, 1)
    ]
    return [*ribbons, circle(x, y - 0.25 * size, 0.7 * size, outlined(colour, PAPER, 0.1 * size))]


def octagon(x: float, y: float, size: float, colour: str) -> list[str]:
    """Stop: the road sign with a bar."""
    corners = [around(x, y, 1.05 * size, 22.5 + 45 * i) for i in range(8)]
    bar = rectangle(x - 0.55 * size, y - 0.16 * size, 1.1 * size, 0.32 * size, 0, filled(STOP))
    return [polygon(corners, filled(colour)), bar]


def banknote(x: float, y: float, size: float, colour: str) -> list[str]:
    frame = rectangle(
        x - size, y - 0.62 * size, 2 * size, 1.24 * size, 0.15 * size, outlined(NOTE, colour, 0.15 * size)
    )
    return [frame, circle(x, y, 0.34 * size, filled(colour))]


def shield(x: float, y: float, size: float, colour: str) -> list[str]:
    """An insurance."""
    top, side = number(y - 0.9 * size), number(0.85 * size)
    steps = (
        f"M{number(x)} {top}l{side} {number(0.25 * size)}q0 {number(1.2 * size)} -{side} {number(1.6 * size)}"
    )
    steps += f"q-{side} -{number(0.4 * size)} -{side} -{number(1.6 * size)}z"
    return [path(steps, filled(colour))]


def lens(x: float, y: float, size: float, colour: str) -> list[str]:
    """An investigation: a magnifying glass."""
    reach = number(0.65 * size)
    handle = f"M{number(x + 0.25 * size)} {number(y + 0.25 * size)}l{reach} {reach}"
    glass = circle(x - 0.2 * size, y - 0.2 * size, 0.6 * size, outlined(PAPER, colour, 0.26 * size))
    return [strokes(handle, colour, 0.32 * size), glass]


def check_mark(x: float, y: float, size: float, colour: str) -> list[str]:
    """An acquittal."""
    steps = f"M{number(x - 0.85 * size)} {number(y)}l{number(0.6 * size)} {number(0.65 * size)}"
    return [strokes(steps + f"l{number(1.15 * size)} -{number(1.35 * size)}", colour, 0.34 * size)]


def trend(up: int, x: float, y: float, size: float, colour: str) -> list[str]:
    """A market that rises or falls."""
    left, bottom = x - 0.9 * size, y + up * 0.65 * size
    corners = [(0.7, -0.6), (1.05, -0.2), (1.75, -1.3)]
    line = "".join(f"L{number(left + a * size)} {number(bottom + up * b * size)}" for a, b in corners)
    head = [(1.9, -1.55), (1.35, -1.3), (1.85, -0.95)]
    return [
        strokes(f"M{number(left)} {number(bottom)}{line}", colour, 0.24 * size),
        polygon([(left + a * size, bottom + up * b * size) for a, b in head], filled(colour)),
    ]


def tenth(x: float, y: float, size: float, colour: str) -> list[str]:
    """A commission: the percent sign."""
    slash = f"M{number(x - 0.5 * size)} {number(y + 0.75 * size)}l{number(size)} -{number(1.5 * size)}"
    rings = [
        circle(
            x + side * 0.55 * size, y + side * 0.45 * size, 0.28 * size, outlined("none", colour, 0.2 * size)
        )
        for side in (-1, 1)
    ]
    return [strokes(slash, colour, 0.2 * size), *rings]


ICONS: dict[str, Icon] = {
    "license": seal,
    "stop": octagon,
    "cash": banknote,
    "cover": shield,
    "probe": lens,
    "clear": check_mark,
    "bull": lambda x, y, size, colour: trend(1, x, y, size, colour),
    "bear": lambda x, y, size, colour: trend(-1, x, y, size, colour),
    "commission": tenth,
}


def draw_kinds() -> str:
    """One card of each kind, in three rows of three."""
    shown = [("license", 0), ("stop", 0), ("cash", 50), ("cover", 75), ("probe", 0), ("clear", 0)]
    shown += [("bull", 0), ("bear", 0), ("commission", 0)]
    parts = [deal_card(*each, 8 + 124 * (i % 3), 8 + 164 * (i // 3)) for i, each in enumerate(shown)]
    return picture(364, 484, parts)


def draw_firm() -> str:
    """A firm: the license under investigation, two open cash cards, two insured ones, a venture."""
    left, between = 12, 124
    insured = left + 3 * between
    return picture(
        insured + CARD_WIDTH + 124 + 12,
        CARD_HEIGHT + 2 * SHINGLE + 16,
        [
            *(deal_card("license", 0, left, 8), deal_card("probe", 0, left, 8 + SHINGLE)),
            *(deal_card("cash", 5, left + between, 8), deal_card("cash", 50, left + 2 * between, 8)),
            *(deal_card("cash", 10, insured, 8), deal_card("cash", 25, insured, 8 + SHINGLE)),
            deal_card("cover", 50, insured, 8 + 2 * SHINGLE),
            deal_card("bull", 0, insured + between, 8),
        ],
    )


def draw_dividend() -> str:
    """A dividend takes the lowest open cash card of each opponent; the insured one is safe."""
    top, mine = 8, 268
    open_cash = [(5, 75, 12), (25, 150, 268)]
    parts = []
    for low, high, x in open_cash:
        parts += [deal_card("cash", low, x, top), ring(x, top), deal_card("cash", high, x + 116, top)]
        parts += [arrow((x + 50, top + CARD_HEIGHT + 10), (x + 50, mine - 12), ACCENT)]
    shielded = [deal_card("cash", 5, 524, top), deal_card("cover", 25, 524, top + SHINGLE)]
    barred = [stop(574, top + CARD_HEIGHT + SHINGLE + 36)]
    got = [
        deal_card("cash", 5, 12, mine),
        deal_card("bull", 0, 140, mine),
        deal_card("cash", 25, 268, mine),
    ]
    return picture(636, mine + CARD_HEIGHT + 8, [*parts, *shielded, *barred, *got])


def draw_passing() -> str:
    """Everybody passes a card to the right, and all hand over at once."""
    parts = [pawn(310, 60, True), pawn(560, 420, False), pawn(60, 420, False)]
    parts += [arrow((270, 110), (70, 350)), arrow((108, 430), (508, 430)), arrow((550, 350), (350, 110))]
    for kind, value, x, y in (("stop", 0, 120, 160), ("cash", 25, 258, 360), ("license", 0, 400, 160)):
        parts.append(deal_card(kind, value, x, y))
    return picture(620, 510, parts)


def draw_tax() -> str:
    """Figures of $200k, −$100k and $50k, and what the first player's taxman makes of them."""
    rows = [(True, 200, 195), (False, -100, -110), (False, 50, 45)]
    parts = [deal_card("commission", 0, 388, 8)]
    for i, (owner, before, after) in enumerate(rows):
        middle = 60 + 104 * i
        parts += [pawn(40, middle, owner), plate(136, middle, before), arrow((200, middle), (244, middle))]
        parts += [plate(308, middle, after)]
    return picture(500, 324, parts)


def plate(x: float, y: float, thousands: int) -> str:
    """A figure on paper, centred on a point."""
    return rectangle(x - 50, y - 26, 100, 52, 7, outlined(PAPER, EDGE, 2)) + amount(
        thousands, x, y, 26, 88, INK
    )


PICTURES = by_language(
    {
        "cards": draw_kinds,
        "firm": draw_firm,
        "dividend": draw_dividend,
        "passing": draw_passing,
        "tax": draw_tax,
    }
)
