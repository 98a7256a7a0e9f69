"""The pictures of MATCH!'s rulebook."""

from __future__ import annotations

from collections.abc import Callable

from scripts.pictures.drawing import (
    ACCENT,
    HEAD_LINE,
    INK,
    NOTE_EDGE,
    PAPER,
    SHINGLE,
    STOP,
    arrow,
    circle,
    filled,
    number,
    number_face,
    outlined,
    path,
    picture,
    printed,
    ring,
    sign,
    stop,
    strip,
    text,
    wheel,
)


def number_card(name: str, x: float, y: float) -> str:
    """A card of MATCH!: `R3`, or the joker `W`. It has no price."""
    return printed(joker_face() if name == "W" else number_face(name[0], int(name[1])), x, y)


def joker_face() -> list[str]:
    """The joker: every colour at once, and no number."""
    head, *_ = strip("W", 0, INK, PAPER)
    return [
        head,
        text("W", 19, HEAD_LINE, 24, PAPER),
        *wheel(81, HEAD_LINE, 13),
        *wheel(50, 92, 39),
        circle(50, 92, 21, outlined(PAPER, INK, 1.5)),
        text("W", 50, 92, 28, INK),
    ]


def tick(x: float, y: float) -> str:
    """It fits: a tick in a circle."""
    line = f'fill="none" stroke="{NOTE_EDGE}" stroke-width="6" stroke-linecap="round" stroke-linejoin="round"'
    mark = path(f"M{number(x - 9)} {number(y)}l7 8l12 -15", line)
    return circle(x, y, 20, filled(PAPER)) + circle(x, y, 17, outlined("none", NOTE_EDGE, 3)) + mark


def draw_match_cards() -> str:
    """One card of each colour and the joker, in two rows of three."""
    names = ("R0", "Y1", "G2", "B3", "P5", "W")
    parts = [number_card(name, 8 + 124 * (i % 3), 8 + 164 * (i // 3)) for i, name in enumerate(names)]
    return picture(364, 320, parts)


def draw_fits() -> str:
    """On the red 2: the blue 2 and the red 3 fit, the green 5 doesn't."""
    parts = [number_card("R2", 8, 40), ring(8, 40)]
    for i, (name, mark) in enumerate((("B2", tick), ("R3", tick), ("G5", stop))):
        x = 196 + 124 * i
        parts += [number_card(name, x, 8), mark(x + 50, 178)]
    return picture(560, 206, [*parts, arrow((182, 110), (122, 110))])


def draw_binds() -> str:
    """The red 3 is asked for by the blue 3 of the collection: that, or the red 1; nothing is collected."""
    parts = [number_card("R3", 8, 96), ring(8, 96)]
    parts += [*column_of(("B1", "B3"), 196, 8), tick(246, 210)]
    for i, (name, mark) in enumerate((("R1", tick), ("G5", stop))):
        x = 352 + 124 * i
        parts += [number_card(name, x, 28), mark(x + 50, 198)]
    return picture(592, 246, [*parts, arrow((182, 166), (122, 166))])


def column_of(names: tuple[str, ...], x: float, y: float) -> list[str]:
    """A pile of one colour, spread downwards."""
    return [number_card(name, x, y + SHINGLE * i) for i, name in enumerate(names)]


def draw_score() -> str:
    """A collection of 21, a hand of 13: 8 points."""
    piles = (("R4", "R3"), ("Y0",), ("G3", "G5"), ("P4", "P2"))
    parts = []
    for i, pile in enumerate(piles):
        parts += column_of(pile, 8 + 112 * i, 8)
    parts += [sign("=", 478, 98), sign_of("21", 530, 98, NOTE_EDGE)]
    for i, name in enumerate(("Y0", "B3", "W")):
        parts.append(number_card(name, 8 + 112 * i, 220))
    parts += [sign("=", 478, 290), sign_of("13", 530, 290, STOP)]
    parts += [arrow((560, 98), (606, 170)), arrow((560, 290), (606, 220)), sign_of("8", 636, 195, ACCENT)]
    return picture(672, 368, parts)


def sign_of(mark: str, x: float, y: float, colour: str) -> str:
    """A sum on round paper, ringed in a colour."""
    return circle(x, y, 25, outlined(PAPER, colour, 5)) + text(mark, x, y, 26, INK)


PICTURES: dict[str, Callable[[], str]] = {
    "cards.svg": draw_match_cards,
    "fits.svg": draw_fits,
    "binds.svg": draw_binds,
    "score.svg": draw_score,
}
