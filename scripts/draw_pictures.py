"""Draw the rulebooks' pictures as SVG.

    python scripts/draw_pictures.py            write them
    python scripts/draw_pictures.py --check    fail if a committed picture differs from what would be drawn

A picture holds no words, so that every language shares it. What must be read stands on paper of its own, so
that a picture looks right on a light and on a dark page. There are no ids and no references: several pictures
may be put into one page.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent

# 1 · Paper, ink and the five colours


class Suit(NamedTuple):
    """A colour of stock cards: what it is printed with, and its shape."""

    fill: str
    on_fill: str  # what is printed on `fill`: paper on a dark colour, ink on a light one
    shape: str


PAPER = "#fffaf0"
INK = "#2a2018"
EDGE = "#8f7d63"  # the thin border of cards
MIDTONE = "#857a6e"  # arrows and outlines: at least 3 : 1 on a white and on a near-black page
ACCENT = "#c96f00"  # rings and arrows that point something out; the same bound
GOLD = "#f0c24b"
GOLD_EDGE = "#8a6100"
NOTE = "#e4f0dc"
NOTE_EDGE = "#4d7a45"
STOP = "#d03a2b"

# Neighbours in hue differ in lightness too (red dark, green light; blue light, purple dark), and no two
# shapes share an outline, so that a colour-blind player can tell the cards apart at a glance.
SUITS = {
    "R": Suit("#b5261e", PAPER, "circle"),
    "Y": Suit("#f6c62f", INK, "triangle"),
    "G": Suit("#57ad5a", INK, "square"),
    "B": Suit("#2272b9", PAPER, "diamond"),
    "P": Suit("#55297f", PAPER, "star"),
}
TIMES = "\N{MULTIPLICATION SIGN}"
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"

# 2 · Small shapes

Point = tuple[float, float]


def number(value: float) -> str:
    """A coordinate, short and the same on every machine."""
    return f"{round(value, 2) + 0.0:g}"


def rectangle(x: float, y: float, width: float, height: float, radius: float, paint: str) -> str:
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}" '
        f'rx="{number(radius)}" {paint}/>'
    )


def circle(x: float, y: float, radius: float, paint: str) -> str:
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" {paint}/>'


def polygon(points: list[Point], paint: str) -> str:
    places = " ".join(f"{number(x)},{number(y)}" for x, y in points)
    return f'<polygon points="{places}" {paint}/>'


def path(steps: str, paint: str) -> str:
    return f'<path d="{steps}" {paint}/>'


def text(words: str, x: float, y: float, size: float, fill: str) -> str:
    """Words centred on a point."""
    baseline = y + 0.36 * size  # half the height of capitals and figures
    place = f'x="{number(x)}" y="{number(baseline)}" font-size="{number(size)}"'
    return f'<text {place} fill="{fill}">{words}</text>'


def group(parts: list[str], x: float, y: float) -> str:
    return f'<g transform="translate({number(x)} {number(y)})">' + "".join(parts) + "</g>"


def filled(colour: str) -> str:
    return f'fill="{colour}"'


def outlined(fill: str, stroke: str, width: float = 1.5) -> str:
    return f'fill="{fill}" stroke="{stroke}" stroke-width="{number(width)}"'


def around(x: float, y: float, radius: float, degrees: float) -> Point:
    """The point on a circle, counted clockwise from the top."""
    angle = math.radians(degrees)
    return (x + radius * math.sin(angle), y - radius * math.cos(angle))


def shape(kind: str, x: float, y: float, size: float, paint: str) -> str:
    """A suit's shape around a point; all five look about equally big for the same size."""
    paint += ' stroke-linejoin="round"'
    if kind == "circle":
        return circle(x, y, 0.96 * size, paint)
    if kind == "square":
        return rectangle(x - 0.87 * size, y - 0.87 * size, 1.74 * size, 1.74 * size, 0.1 * size, paint)
    return polygon([(x + size * across, y + size * down) for across, down in CORNERS[kind]], paint)


CORNERS: dict[str, list[Point]] = {
    "triangle": [(0, -1), (1.14, 0.92), (-1.14, 0.92)],
    "diamond": [(0, -1.1), (1, 0), (0, 1.1), (-1, 0)],
    "star": [around(0, 0.1, 0.6 if i % 2 else 1.18, 36 * i) for i in range(10)],
}

# 3 · Cards

CARD_WIDTH, CARD_HEIGHT, CARD_RADIUS = 100, 140, 8
SHINGLE = 40  # what a covered card shows: letter, value and shape fit into it
STRIP = SHINGLE + CARD_RADIUS - 2  # coloured a little further, to fill the corners of the card that covers it
HEAD_LINE = 21  # the height at which letter, value and shape are centred


def card(name: str, x: float, y: float) -> str:
    """A card face, by its name in the notation: `R4`, or `W`."""
    face = wild_face() if name == "W" else [*number_face(name[0], int(name[1])), *price(int(name[1]))]
    return printed(face, x, y)


def printed(face: list[str], x: float, y: float) -> str:
    """A face on paper, with an edge around it."""
    paper = rectangle(0, 0, CARD_WIDTH, CARD_HEIGHT, CARD_RADIUS, filled(PAPER))
    border = rectangle(0, 0, CARD_WIDTH, CARD_HEIGHT, CARD_RADIUS, outlined("none", EDGE, 2))
    return group([paper, *face, border], x, y)


def number_face(letter: str, value: int) -> list[str]:
    """Colour, letter, shape and number."""
    suit = SUITS[letter]
    return [
        *strip(letter, value, suit.fill, suit.on_fill),
        shape(suit.shape, 80, HEAD_LINE, 12, filled(suit.on_fill)),
        *emblem(suit, value),
    ]


def head(fill: str) -> str:
    """The coloured upper end of a card."""
    outline = f"M0 {STRIP}V{CARD_RADIUS}q0 -{CARD_RADIUS} {CARD_RADIUS} -{CARD_RADIUS}"
    outline += f"H{CARD_WIDTH - CARD_RADIUS}q{CARD_RADIUS} 0 {CARD_RADIUS} {CARD_RADIUS}V{STRIP}z"
    return path(outline, filled(fill))


def strip(letter: str, value: int, fill: str, on_fill: str) -> list[str]:
    """A head with the card's name as moves write it, and room for the shape at the right."""
    return [
        head(fill),
        text(letter, 19, HEAD_LINE, 24, on_fill),
        text(str(value), 48, HEAD_LINE, 34, on_fill),
    ]


def emblem(suit: Suit, value: int) -> list[str]:
    """The big shape with the value on it."""
    size = 35 if suit.shape in ("triangle", "star") else 42
    lowered = {"triangle": 9, "star": 3}.get(suit.shape, 0)
    return [
        shape(suit.shape, 50, 84, 30, outlined(suit.fill, INK)),
        text(str(value), 50, 84 + lowered, size, suit.on_fill),
    ]


def price(value: int) -> list[str]:
    """As many coins as the card costs, along its foot."""
    first = CARD_WIDTH / 2 - 6.5 * (value - 1)
    return [circle(first + 13 * i, 128, 4.6, outlined(GOLD, GOLD_EDGE, 1.2)) for i in range(value)]


def wild_face() -> list[str]:
    """The wild: every colour at once, worth 2, and free of charge."""
    return [
        *strip("W", 2, INK, PAPER),
        *wheel(81, HEAD_LINE, 13),
        *wheel(50, 92, 39),
        circle(50, 92, 21, outlined(PAPER, INK, 1.5)),
        text("2", 50, 92, 34, INK),
    ]


def wheel(x: float, y: float, radius: float) -> list[str]:
    """Five slices, one a colour."""
    slices = []
    for i, suit in enumerate(SUITS.values()):
        (x1, y1), (x2, y2) = around(x, y, radius, 72 * i - 36), around(x, y, radius, 72 * i + 36)
        arc = f"A{number(radius)} {number(radius)} 0 0 1 {number(x2)} {number(y2)}"
        steps = f"M{number(x)} {number(y)}L{number(x1)} {number(y1)}{arc}z"
        slices.append(path(steps, outlined(suit.fill, PAPER, 1.5)))
    return slices


def spent(name: str, x: float, y: float) -> str:
    """A card that is out of play: below its head it has faded."""
    veil = f'fill="{PAPER}" fill-opacity="0.6"'
    return card(name, x, y) + rectangle(x + 2, y + STRIP, CARD_WIDTH - 4, CARD_HEIGHT - STRIP - 3, 4, veil)


def column(names: str, x: float, y: float) -> list[str]:
    """Cards laid like shingles, the last one on top and in full."""
    return [card(name, x, y + SHINGLE * i) for i, name in enumerate(names.split())]


def column_height(cards: int) -> int:
    return CARD_HEIGHT + SHINGLE * (cards - 1)


# 4 · Money, marks and people


def note(x: float, y: float, amount: int) -> str:
    """A bank note, centred on a point."""
    parts = [
        rectangle(-46, -27, 92, 54, 7, outlined(NOTE, NOTE_EDGE, 2.5)),
        rectangle(-40, -21, 80, 42, 4, outlined("none", NOTE_EDGE, 1)),
        text(f"${amount}", 0, 0, 32, INK),
    ]
    return group(parts, x, y)


def coin(x: float, y: float, amount: int) -> str:
    parts = [
        circle(0, 0, 27, outlined(GOLD, GOLD_EDGE, 2.5)),
        circle(0, 0, 22, outlined("none", GOLD_EDGE, 1)),
        text(f"${amount}", 0, 0, 23, INK),
    ]
    return group(parts, x, y)


def sign(mark: str, x: float, y: float) -> str:
    """A number or an arithmetic sign on a round piece of paper."""
    return circle(x, y, 17, outlined(PAPER, EDGE)) + text(mark, x, y, 24, INK)


def arrow(start: Point, end: Point, colour: str = MIDTONE) -> str:
    """A straight arrow."""
    (x1, y1), (x2, y2) = start, end
    length = math.hypot(x2 - x1, y2 - y1)
    along, across = ((x2 - x1) / length, (y2 - y1) / length), ((y1 - y2) / length, (x2 - x1) / length)
    neck = (x2 - 15 * along[0], y2 - 15 * along[1])
    wings = [(neck[0] + side * across[0], neck[1] + side * across[1]) for side in (11, -11)]
    shaft = f"M{number(x1)} {number(y1)}L{number(neck[0])} {number(neck[1])}"
    line = path(shaft, f'fill="none" stroke="{colour}" stroke-width="7" stroke-linecap="round"')
    return line + polygon([(x2, y2), *wings], filled(colour))


def ring(x: float, y: float) -> str:
    """A ring around a whole card that is pointed out."""
    return rectangle(
        x - 1, y - 1, CARD_WIDTH + 2, CARD_HEIGHT + 2, CARD_RADIUS + 1, outlined("none", ACCENT, 6)
    )


def stop(x: float, y: float) -> str:
    """Not possible: a barred circle."""
    bar = f'fill="none" stroke="{STOP}" stroke-width="6"'
    slash = path(f"M{number(x - 11)} {number(y - 11)}l22 22", bar)
    return circle(x, y, 20, filled(PAPER)) + circle(x, y, 16, bar) + slash


def gap(x: float, y: float, colour: str = MIDTONE) -> str:
    """The place of an emptied column."""
    line = f'fill="none" stroke="{colour}" stroke-width="3" stroke-dasharray="9 7"'
    return rectangle(x + 2, y + 2, CARD_WIDTH - 4, CARD_HEIGHT - 4, CARD_RADIUS, line)


def pawn(x: float, y: float, solid: bool) -> str:
    """A player: the solid one and the hollow one sit opposite each other."""
    fill, stroke = (MIDTONE, PAPER) if solid else (PAPER, MIDTONE)
    paint = outlined(fill, stroke, 4) + ' stroke-linejoin="round"'
    body = "M-27 42q2 -34 17 -44h20q15 10 17 44z"
    return group([path(body, paint), circle(0, -18, 19, paint)], x, y)


def picture(width: float, height: float, parts: list[str]) -> str:
    """The whole file, one part a line."""
    size = f'width="{number(width)}" height="{number(height)}" viewBox="0 0 {number(width)} {number(height)}"'
    lettering = f'font-family="{FONT}" font-weight="700" text-anchor="middle"'
    return "\n".join(
        [f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" {lettering}>', *parts, "</svg>", ""]
    )


# 5 · Pictures of Ka-Ching!

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


# 6 · Pictures of CASH


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
MINUS = "\N{MINUS SIGN}"


def deal_card(kind: str, value: str, x: float, y: float) -> str:
    """A card of CASH: a head with the kind's icon and a value if it has one, and the icon once more, big."""
    paper = KINDS[kind]
    coloured, *_ = strip("", 0, paper.fill, paper.on_fill)
    head = [coloured, *ICONS[kind](20, HEAD_LINE, 13, paper.on_fill)]
    head += [text(value, 66, HEAD_LINE, 22, paper.on_fill)] if value else []
    return printed([*head, *ICONS[kind](50, 93, 32, paper.fill)], x, y)


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
    shown = [("license", ""), ("stop", ""), ("cash", "$50"), ("cover", "$75"), ("probe", ""), ("clear", "")]
    shown += [("bull", ""), ("bear", ""), ("commission", "")]
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
            *(deal_card("license", "", left, 8), deal_card("probe", "", left, 8 + SHINGLE)),
            *(deal_card("cash", "$5", left + between, 8), deal_card("cash", "$50", left + 2 * between, 8)),
            *(deal_card("cash", "$10", insured, 8), deal_card("cash", "$25", insured, 8 + SHINGLE)),
            deal_card("cover", "$50", insured, 8 + 2 * SHINGLE),
            deal_card("bull", "", insured + between, 8),
        ],
    )


def draw_dividend() -> str:
    """A dividend takes the lowest open cash card of each opponent; the insured one is safe."""
    top, mine = 8, 268
    open_cash = [("$5", "$75", 12), ("$25", "$150", 268)]
    parts = []
    for low, high, x in open_cash:
        parts += [deal_card("cash", low, x, top), ring(x, top), deal_card("cash", high, x + 116, top)]
        parts += [arrow((x + 50, top + CARD_HEIGHT + 10), (x + 50, mine - 12), ACCENT)]
    shielded = [deal_card("cash", "$5", 524, top), deal_card("cover", "$25", 524, top + SHINGLE)]
    barred = [stop(574, top + CARD_HEIGHT + SHINGLE + 36)]
    got = [
        deal_card("cash", "$5", 12, mine),
        deal_card("bull", "", 140, mine),
        deal_card("cash", "$25", 268, mine),
    ]
    return picture(636, mine + CARD_HEIGHT + 8, [*parts, *shielded, *barred, *got])


def draw_passing() -> str:
    """Everybody passes a card to the right, and all hand over at once."""
    parts = [pawn(310, 60, True), pawn(560, 420, False), pawn(60, 420, False)]
    parts += [arrow((270, 110), (70, 350)), arrow((108, 430), (508, 430)), arrow((550, 350), (350, 110))]
    for kind, value, x, y in (("stop", "", 120, 160), ("cash", "$25", 258, 360), ("license", "", 400, 160)):
        parts.append(deal_card(kind, value, x, y))
    return picture(620, 510, parts)


def draw_tax() -> str:
    """Figures of 200, -100 and 50, and what the first player's taxman makes of them."""
    rows = [(True, "200", "195"), (False, f"{MINUS}100", f"{MINUS}110"), (False, "50", "45")]
    parts = [deal_card("commission", "", 388, 8)]
    for i, (owner, before, after) in enumerate(rows):
        middle = 60 + 104 * i
        parts += [pawn(40, middle, owner), plate(136, middle, before), arrow((200, middle), (244, middle))]
        parts += [plate(308, middle, after)]
    return picture(500, 324, parts)


def plate(x: float, y: float, words: str) -> str:
    """A figure on paper, centred on a point."""
    return rectangle(x - 50, y - 26, 100, 52, 7, outlined(PAPER, EDGE, 2)) + text(words, x, y, 30, INK)


# 7 · Pictures of Kazink!

PIPS = {"S": "#33302c", "H": "#b5261e", "D": "#b85c00", "C": "#2f6b3a"}  # all dark enough for PAPER on top
KAZINK_BOARD = ("SHDC", "HSCD", "CDHS", "SHDC", "DCSH", "HSCD")
SPACE = 64
CHIP_WIDTH, CHIP_HEIGHT = 58, 19


def pip(suit: str, x: float, y: float, size: float, colour: str) -> str:
    """A card suit around a point."""
    heart = "M0 1C-.3 .6 -1 .2 -1 -.38A.53 .53 0 0 1 0 -.5A.53 .53 0 0 1 1 -.38C1 .2 .3 .6 0 1z"
    spade = "M0 -1C.3 -.6 1 -.2 1 .32A.5 .5 0 0 1 .13 .5L.36 1H-.36L-.13 .5A.5 .5 0 0 1 -1 .32"
    spade += "C-1 -.2 -.3 -.6 0 -1z"
    leaves = [circle(leaf, height, 0.46, "") for leaf, height in ((0, -0.52), (-0.52, 0.18), (0.52, 0.18))]
    stem = polygon([(0, -0.2), (0.34, 1), (-0.34, 1)], "")
    parts = {
        "S": path(spade, ""),
        "H": path(heart, ""),
        "D": polygon([(0, -1.05), (0.8, 0), (0, 1.05), (-0.8, 0)], ""),
        "C": "".join([*leaves, stem]),
    }
    place = f"translate({number(x)} {number(y)}) scale({number(size)})"
    return f'<g transform="{place}" fill="{colour}">{parts[suit]}</g>'


def crown(x: float, y: float, size: float) -> str:
    """A golden crown around a point."""
    outline = [(-1, 0.7), (-1, -0.5), (-0.5, 0.1), (0, -0.8), (0.5, 0.1), (1, -0.5), (1, 0.7)]
    paint = outlined(GOLD, GOLD_EDGE, 2) + ' stroke-linejoin="round"'
    return polygon([(x + size * across, y + size * down) for across, down in outline], paint)


def suit_card(name: str, x: float, y: float) -> str:
    """A Kazink! card by its letter: a suit, or W, U or K."""
    fill = PIPS.get(name, INK)
    letter = text(name, 19, HEAD_LINE, 24, PAPER)
    if name in PIPS:
        face = [pip(name, 80, HEAD_LINE, 12, PAPER), pip(name, 50, 92, 34, fill)]
    elif name == "W":
        face = [pip(suit, *around(50, 93, 25, 90 * i), 15, PIPS[suit]) for i, suit in enumerate("SHCD")]
    elif name == "U":
        face = [chip("Y", 50, 120), chip("Y", 50, 103), arrow((50, 86), (50, 56), ACCENT)]
    else:
        face = [crown(50, 92, 34)]
    return printed([head(fill), letter, *face], x, y)


def space_of(name: str) -> str:
    """The suit that is printed on a space."""
    return KAZINK_BOARD[int(name[1]) - 1]["abcd".index(name[0])]


def space(name: str, x: float, y: float) -> str:
    """A space of the board, with its suit and the suit's letter."""
    suit = space_of(name)
    return group(
        [
            rectangle(2, 2, SPACE - 4, SPACE - 4, 7, outlined(PAPER, EDGE, 1.5)),
            pip(suit, SPACE / 2, 27, 14, PIPS[suit]),
            text(suit, SPACE / 2, 51, 14, PIPS[suit]),
        ],
        x,
        y,
    )


def chip(colour: str, x: float, y: float) -> str:
    """A chip from the side, centred on a point."""
    suit = SUITS[colour]
    body = rectangle(
        x - CHIP_WIDTH / 2, y - CHIP_HEIGHT / 2, CHIP_WIDTH, CHIP_HEIGHT, 6, outlined(suit.fill, INK, 1.5)
    )
    return body + text(colour, x, y, 14, suit.on_fill)


def stack(chips: str, x: float, foot: float, crowned: bool = False) -> list[str]:
    """Chips on each other, the last on top, standing on a line; with a crown if it is one."""
    middles = [foot - CHIP_HEIGHT * (i + 0.5) for i in range(len(chips))]
    parts = [chip(colour, x, y) for colour, y in zip(chips, middles, strict=True)]
    parts.append(
        path(
            f"M{number(x - 38)} {number(foot + 2)}h76",
            f'stroke="{MIDTONE}" stroke-width="4" stroke-linecap="round"',
        )
    )
    return [*parts, crown(x, foot - CHIP_HEIGHT * len(chips) - 14, 15)] if crowned else parts


def tick(x: float, y: float) -> str:
    """Possible: a tick."""
    stroke = (
        f'fill="none" stroke="{NOTE_EDGE}" stroke-width="6" stroke-linecap="round" stroke-linejoin="round"'
    )
    mark = path(f"M{number(x - 9)} {number(y)}l6 8l12 -16", stroke)
    return circle(x, y, 20, outlined(PAPER, NOTE_EDGE, 2)) + mark


def draw_suits_and_specials() -> str:
    """The four suits, and below them wild, double-up and crown."""
    suits = [suit_card(name, 8 + 116 * i, 8) for i, name in enumerate("SHDC")]
    specials = [suit_card(name, 66 + 116 * i, 164) for i, name in enumerate("WUK")]
    return picture(464, 312, suits + specials)


def draw_board() -> str:
    """The board with the names of its spaces; a heavy border is around the last row."""
    left, top = 44, 44
    parts = [sign(column, left + SPACE * (i + 0.5), 22) for i, column in enumerate("abcd")]
    for row in range(1, 7):
        parts.append(sign(str(row), 22, top + SPACE * (row - 0.5)))
        parts += [
            space(f"{column}{row}", left + SPACE * i, top + SPACE * (row - 1))
            for i, column in enumerate("abcd")
        ]
    parts.append(rectangle(left, top + 5 * SPACE, 4 * SPACE, SPACE, 8, outlined("none", ACCENT, 6)))
    return picture(left + 4 * SPACE + 8, top + 6 * SPACE + 8, parts)


def draw_places() -> str:
    """Where yellow's spade may go: while a spade is free, and when all are covered."""
    parts = [suit_card("S", 8, 8), suit_card("S", 8, 176)]
    for line, stacks in enumerate((("", "BY", "YB", "Y", "B"), ("B", "BY", "YB", "Y", "B"))):
        foot = 92 + 168 * line
        for i, chips in enumerate(stacks):
            x = 160 + 88 * i
            free = line == 1 or chips[-1:] in ("", "Y")
            parts += [*stack(chips, x, foot), tick(x, foot + 40) if free else stop(x, foot + 40)]
    return picture(566, 328, parts)


def draw_crown() -> str:
    """Three yellow chips on a blue one, one after the other, make a crown."""
    parts = []
    for i, chips in enumerate(("B", "BY", "BYY", "BYYY")):
        parts += stack(chips, 52 + 128 * i, 120, crowned=chips == "BYYY")
        if i:
            parts.append(arrow((52 + 128 * i - 84, 80), (52 + 128 * i - 48, 80)))
    return picture(488, 132, parts)


def draw_double_up() -> str:
    """Two chips are shifted and make a crown; then one more is placed on an opponent's."""
    before = [*stack("BYY", 176, 132), *stack("BY", 272, 132), *stack("B", 368, 132)]
    after = [*stack("B", 176, 300), *stack("BYYY", 272, 300, crowned=True), *stack("BY", 368, 300)]
    return picture(
        420,
        312,
        [
            *(suit_card("U", 8, 86), *before, *after),
            arrow((212, 98), (236, 98), ACCENT),
            arrow((224, 148), (224, 186)),
        ],
    )


def draw_rows() -> str:
    """Five in a line are two rows, four are one, and an angle of five is two."""
    parts = []
    for i, (crowns, rows) in enumerate((("a1 a2 a3 a4 a5", 2), ("a1 a2 a3 a4", 1), ("a1 a2 a3 b3 c3", 2))):
        left = 8 + 200 * i
        for name in (f"{column}{row}" for row in range(1, 6) for column in "abcd"):
            x, y = left + 44 * "abcd".index(name[0]), 8 + 44 * (int(name[1]) - 1)
            parts.append(rectangle(x + 1, y + 1, 42, 42, 5, outlined(PAPER, EDGE, 1.2)))
            if name in crowns:
                parts += [
                    circle(x + 22, y + 22, 18, outlined(SUITS["B"].fill, INK, 1.2)),
                    crown(x + 22, y + 22, 11),
                ]
        parts.append(sign(str(rows), left + 88, 252))
    return picture(592, 276, parts)


# 8 · All of them

KACHING = "kibitz/games/kaching/pictures"
KAZINK = "kibitz/games/kazink/pictures"
CASH = "kibitz/games/cash/pictures"
PICTURES: dict[str, Callable[[], str]] = {
    f"{KACHING}/cards.svg": draw_cards,
    f"{KACHING}/table.svg": draw_table,
    f"{KACHING}/sale-r4-r5.svg": lambda: draw_sale("R4", "R5", 20),
    f"{KACHING}/sale-y2-y3.svg": lambda: draw_sale("Y2", "Y3", 6),
    f"{KACHING}/sale-y3-wild.svg": lambda: draw_sale("Y3", "W", 6),
    f"{KACHING}/last-sale.svg": draw_last_sale,
    f"{KACHING}/pass.svg": draw_pass,
    f"{KAZINK}/cards.svg": draw_suits_and_specials,
    f"{KAZINK}/board.svg": draw_board,
    f"{KAZINK}/places.svg": draw_places,
    f"{KAZINK}/crown.svg": draw_crown,
    f"{KAZINK}/double-up.svg": draw_double_up,
    f"{KAZINK}/rows.svg": draw_rows,
    f"{CASH}/cards.svg": draw_kinds,
    f"{CASH}/firm.svg": draw_firm,
    f"{CASH}/dividend.svg": draw_dividend,
    f"{CASH}/passing.svg": draw_passing,
    f"{CASH}/tax.svg": draw_tax,
}


def main() -> int:
    parser = argparse.ArgumentParser(description="Draw the rulebooks' pictures.")
    parser.add_argument(
        "--check", action="store_true", help="only say which committed pictures are out of date"
    )
    if parser.parse_args().check:
        return check()
    for name, draw in PICTURES.items():
        (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / name).write_text(draw(), encoding="utf-8", newline="\n")
    return 0


def check() -> int:
    """0 if each committed picture is what would be drawn and there are no others; else 1, saying which."""
    stale = [name for name, draw in PICTURES.items() if read(ROOT / name) != draw()]
    folders = {(ROOT / name).parent for name in PICTURES}
    strays = [file.relative_to(ROOT).as_posix() for folder in folders for file in folder.glob("*.svg")]
    stale += sorted(set(strays) - set(PICTURES))
    for name in stale:
        print(f"{name}: not what scripts/draw_pictures.py draws", file=sys.stderr)
    return 1 if stale else 0


def read(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.exists() else ""


if __name__ == "__main__":
    sys.exit(main())
