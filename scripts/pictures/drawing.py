"""What the rulebooks' pictures are drawn with: paper and ink, shapes, cards, marks."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextvars import ContextVar
from functools import partial
from typing import NamedTuple

from kibitz.core.words import LANGUAGES, catalogue

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
FIGURE_WIDTH = 0.68  # of its height, at most
LANGUAGE = ContextVar("LANGUAGE", default="en")  # in which amounts are written
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


def amount(thousands: int, x: float, y: float, size: float, width: float, fill: str) -> str:
    """Money as the reader's language writes it, smaller where it would be wider than there is room for."""
    words = catalogue(LANGUAGE.get()).money(1000 * thousands)
    return text(words, x, y, min(size, round(width / (FIGURE_WIDTH * len(words)), 1)), fill)


def by_language(drawn: dict[str, Callable[[], str]]) -> dict[str, Callable[[], str]]:
    """Pictures that show amounts are drawn once for each language: `firm.svg` in English, `firm.es.svg`."""
    return {
        f"{name}{'' if language == 'en' else f'.{language}'}.svg": partial(draw_in, language, draw)
        for name, draw in drawn.items()
        for language in LANGUAGES
    }


def draw_in(language: str, draw: Callable[[], str]) -> str:
    """A picture for the readers of a language."""
    before = LANGUAGE.set(language)
    try:
        return draw()
    finally:
        LANGUAGE.reset(before)


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
    border = rectangle(0, 0, CARD_WIDTH, CARD_HEIGHT, CARD_RADIUS, outlined("none", EDGE, 2))
    return group([sheet(), *face, border], x, y)


def sheet() -> str:
    """A card's paper."""
    return rectangle(0, 0, CARD_WIDTH, CARD_HEIGHT, CARD_RADIUS, filled(PAPER))


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
