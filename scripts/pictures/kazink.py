"""The pictures of Kazink!'s rulebook."""

from __future__ import annotations

from collections.abc import Callable

from scripts.pictures.drawing import (
    ACCENT,
    EDGE,
    GOLD,
    GOLD_EDGE,
    HEAD_LINE,
    INK,
    MIDTONE,
    NOTE_EDGE,
    PAPER,
    SUITS,
    around,
    arrow,
    circle,
    group,
    head,
    number,
    outlined,
    path,
    picture,
    polygon,
    printed,
    rectangle,
    sign,
    stop,
    text,
)

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


PICTURES: dict[str, Callable[[], str]] = {
    "cards.svg": draw_suits_and_specials,
    "board.svg": draw_board,
    "places.svg": draw_places,
    "crown.svg": draw_crown,
    "double-up.svg": draw_double_up,
    "rows.svg": draw_rows,
}
