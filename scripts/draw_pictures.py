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
    face = wild_face() if name == "W" else stock_face(name[0], int(name[1]))
    border = rectangle(0, 0, CARD_WIDTH, CARD_HEIGHT, CARD_RADIUS, outlined("none", EDGE, 2))
    return group([sheet(), *face, border], x, y)


def sheet() -> str:
    return rectangle(0, 0, CARD_WIDTH, CARD_HEIGHT, CARD_RADIUS, filled(PAPER))


def stock_face(letter: str, value: int) -> list[str]:
    suit = SUITS[letter]
    return [
        *strip(letter, value, suit.fill, suit.on_fill),
        shape(suit.shape, 80, HEAD_LINE, 12, filled(suit.on_fill)),
        *emblem(suit, value),
        *price(value),
    ]


def strip(letter: str, value: int, fill: str, on_fill: str) -> list[str]:
    """The coloured head of a card: its name as moves write it, with room for the shape at the right."""
    head = f"M0 {STRIP}V{CARD_RADIUS}q0 -{CARD_RADIUS} {CARD_RADIUS} -{CARD_RADIUS}"
    head += f"H{CARD_WIDTH - CARD_RADIUS}q{CARD_RADIUS} 0 {CARD_RADIUS} {CARD_RADIUS}V{STRIP}z"
    return [
        path(head, filled(fill)),
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


# 6 · Pictures of Cover Your Assets

ASSETS = {  # colour, what is printed on it, and the value in thousands
    "home": ("#b5432e", PAPER, 20),
    "auto": ("#2272b9", PAPER, 15),
    "coins": ("#57ad5a", INK, 10),
    "silver": ("#aab3bb", INK, 25),
    "gold": ("#eab530", INK, 50),
}


def asset(name: str, x: float, y: float, lying: bool = False) -> str:
    """A card face; a lying one has its foot to the left of the point."""
    colour, ink, value = ASSETS[name]
    head = f"M0 38V{CARD_RADIUS}q0 -{CARD_RADIUS} {CARD_RADIUS} -{CARD_RADIUS}"
    head += f"H{CARD_WIDTH - CARD_RADIUS}q{CARD_RADIUS} 0 {CARD_RADIUS} {CARD_RADIUS}V38z"
    parts = [
        sheet(),
        path(head, filled(colour)),
        text(f"${value}", 50, 20, 25, ink),
        *asset_emblem(name, colour),
        rectangle(0, 0, CARD_WIDTH, CARD_HEIGHT, CARD_RADIUS, outlined("none", EDGE, 2)),
    ]
    turned = " rotate(90)" if lying else ""
    return f'<g transform="translate({number(x)} {number(y)}){turned}">' + "".join(parts) + "</g>"


def asset_emblem(name: str, colour: str) -> list[str]:
    if name == "home":
        return [
            rectangle(28, 84, 44, 36, 2, outlined(PAPER, INK, 2)),
            polygon([(50, 52), (84, 86), (16, 86)], outlined(colour, INK, 2)),
            rectangle(43, 96, 14, 24, 1, filled(INK)),
        ]
    if name == "auto":
        return [
            path("M12 104V90l16 -5 12 -19h26l12 19 10 5v14z", outlined(colour, INK, 2)),
            circle(31, 105, 9, outlined(PAPER, INK, 4)),
            circle(70, 105, 9, outlined(PAPER, INK, 4)),
        ]
    if name == "coins":
        return [
            circle(40, 98, 19, outlined(GOLD, GOLD_EDGE, 3)),
            circle(62, 80, 19, outlined(GOLD, GOLD_EDGE, 3)),
        ]
    return [
        polygon([(14, 112), (26, 80), (74, 80), (86, 112)], outlined(colour, INK, 2)),
        polygon([(26, 80), (34, 66), (82, 66), (74, 80)], outlined(PAPER, INK, 2)),
    ]


def padlock(x: float, y: float) -> str:
    bow = path(
        f"M{number(x - 9)} {number(y)}v-8a9 9 0 0 1 18 0v8", f'fill="none" stroke="{ACCENT}" stroke-width="5"'
    )
    return bow + rectangle(x - 14, y, 28, 22, 4, filled(ACCENT))


def draw_stack() -> str:
    """Three sets, laid crosswise; the bottom one is locked, the top one lies in full."""
    parts = [asset("home", 62, 8), asset("home", 90, 8), padlock(226, 42)]
    parts += [asset("auto", 198, 92, lying=True), asset("silver", 198, 122, lying=True)]
    parts += [asset("coins", 62, 186), asset("coins", 90, 186)]
    return picture(256, 334, parts)


def draw_duel() -> str:
    """The thief shows a home, the victim gold, the thief silver: the set and all three are the thief's."""
    parts = [pawn(36, 78, True), asset("home", 82, 8), sign("1", 132, 164)]
    parts += [asset("silver", 322, 8), sign("3", 372, 164), pawn(36, 250, False)]
    parts += [asset("home", 82, 186), asset("home", 104, 186), asset("gold", 222, 186), sign("2", 272, 164)]
    parts += [arrow((462, 250), (506, 150), ACCENT)]
    won = ("home", "home", "home", "silver", "gold")
    parts += [asset(name, 524 + 24 * i, 8 + 10 * i) for i, name in enumerate(won)]
    return picture(728, 334, [*parts, pawn(574, 270, True)])


# 7 · All pictures


def picture(width: float, height: float, parts: list[str]) -> str:
    """The whole file, one part a line."""
    size = f'width="{number(width)}" height="{number(height)}" viewBox="0 0 {number(width)} {number(height)}"'
    lettering = f'font-family="{FONT}" font-weight="700" text-anchor="middle"'
    return "\n".join(
        [f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" {lettering}>', *parts, "</svg>", ""]
    )


KACHING = "kibitz/games/kaching/pictures"
COVER_YOUR_ASSETS = "kibitz/games/assets/pictures"
PICTURES: dict[str, Callable[[], str]] = {
    f"{KACHING}/cards.svg": draw_cards,
    f"{KACHING}/table.svg": draw_table,
    f"{KACHING}/sale-r4-r5.svg": lambda: draw_sale("R4", "R5", 20),
    f"{KACHING}/sale-y2-y3.svg": lambda: draw_sale("Y2", "Y3", 6),
    f"{KACHING}/sale-y3-wild.svg": lambda: draw_sale("Y3", "W", 6),
    f"{KACHING}/last-sale.svg": draw_last_sale,
    f"{KACHING}/pass.svg": draw_pass,
    f"{COVER_YOUR_ASSETS}/stack.svg": draw_stack,
    f"{COVER_YOUR_ASSETS}/duel.svg": draw_duel,
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
