"""A position or view drawn as SVG, with the page's card faces: what a notebook shows.

It knows no game. What is a card in `faces.json` beside a game's rules is drawn as that card, wherever a view
has it: lists of cards as rows, lists of rows as columns that overlap, long piles as their last card and a
count. What belongs to each seat stands on that seat's mat, all else in the middle.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

import msgspec

from kibitz.core.layout import HIDDEN
from kibitz.core.sheet import LEFT_OUT, as_html, heading, said

FILE = "faces.json"  # beside a game's rules, written by scripts/write_faces.py
PILES = ("deck", "discard")  # always drawn as one card and a count

WIDTH = 860
EDGE = 14  # around mats, and within them
GAP = 8
LABEL = 16  # a line of small text
CARD_WIDTH, CARD_HEIGHT, SCALE = 54, 75.6, 0.54
HEAD = 20  # of a card that another covers
MANY = 14  # cards in one row; more are a pile
CELL = 58  # of a board
CHIP = 12

FELT, MAT, TURN, WORDS, FAINT = "#1d5a45", "#00000030", "#f0c24b", "#fffaf0", "#d5e3da"
COLOURS = {"R": "#b5261e", "Y": "#f6c62f", "G": "#57ad5a", "B": "#2272b9", "P": "#55297f"}
SUITS = {"S": ("♠", "#2a2a44"), "H": ("♥", "#a81f3a"), "D": ("♦", "#b0510e"), "C": ("♣", "#1f6b3a")}
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
SQUARE = re.compile(r"([a-z])(\d+)")

Faces = Mapping[str, str]


@dataclass(frozen=True)
class Block:
    """Something drawn, from its upper left corner on."""

    width: float
    height: float
    drawing: str

    def at(self, x: float, y: float) -> str:
        """The same somewhere else."""
        return f'<g transform="translate({x:g} {y:g})">{self.drawing}</g>'


@cache
def faces_of(package: str) -> Faces:
    """The faces of a game's cards; of a game without any, none."""
    file = files(package) / FILE
    return msgspec.json.decode(file.read_bytes(), type=dict[str, str]) if file.is_file() else {}


def drawn(title: str, package: str, ground: Mapping[str, str], view: Mapping[str, Any]) -> str:
    """The table, or where a game has no faces the same as a plain table of words."""
    faces = faces_of(package)
    if not faces:
        return as_html(title, view)
    drawer = Drawer(faces, ground, view["players"], frozenset(view.get("crowns", ())))
    parts = {key: value for key, value in view.items() if key not in (*LEFT_OUT, "options")}
    own = {key: value for key, value in parts.items() if drawer.by_seat(key, value)}
    shared = {key: value for key, value in parts.items() if key not in own}
    mats = [drawer.mat("", shared, False)]
    for seat in range(view["players"]):
        turn = view["turn"] == seat
        mats.append(drawer.mat(f"p{seat}", {key: value[seat] for key, value in own.items()}, turn))
    return _whole(heading(title, view), [mat for mat in mats if mat.height])


def _whole(told: str, mats: list[Block]) -> str:
    """The felt with all mats, one below the other."""
    y = 2.0 * EDGE + LABEL
    placed = []
    for mat in mats:
        placed.append(mat.at(EDGE, y))
        y += mat.height + GAP
    height = y - GAP + EDGE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height:g}" role="img" '
        f'viewBox="0 0 {WIDTH} {height:g}" style="max-width:100%;height:auto" font-family="{FONT}">'
        f"<title>{escape(told)}</title>"
        f'<rect width="{WIDTH}" height="{height:g}" rx="12" fill="{FELT}"/>'
        f"{_text(told, EDGE, EDGE + LABEL, 16, WORDS, 700)}{''.join(placed)}</svg>"
    )


def _text(
    words: str, x: float, y: float, size: float, fill: str, weight: int = 400, middle: bool = False
) -> str:
    anchor = ' text-anchor="middle"' if middle else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" font-weight="{weight}" fill="{fill}"{anchor}>'
        f"{escape(words)}</text>"
    )


@dataclass(frozen=True)
class Drawer:
    """What views hold, drawn by what it looks like."""

    faces: Faces
    ground: Mapping[str, str]  # what is printed on the spaces of a board
    players: int
    crowned: frozenset[str]  # spaces

    # What it is

    def is_card(self, value: Any) -> bool:
        """Whether it is the name of a card."""
        return isinstance(value, str) and value in self.faces

    def are_cards(self, value: Any) -> bool:
        """Whether it is a list of cards, or of none."""
        return isinstance(value, list) and all(map(self.is_card, value))

    def by_seat(self, key: str, value: Any) -> bool:
        """Whether it says something of each seat."""
        seats = isinstance(value, list) and len(value) == self.players and key not in PILES
        return seats and (not self.are_cards(value) or set(value) == {HIDDEN})

    # Mats

    def mat(self, name: str, parts: Mapping[str, Any], turn: bool) -> Block:
        """All that belongs together: what can be drawn side by side, and the rest as a line of words."""
        blocks = [block for key, value in parts.items() for block in self.blocks(key, value)]
        told = ", ".join(
            f"{_spaced(key)} {said(value)}" for key, value in parts.items() if not self.is_drawn(key, value)
        )
        if not blocks and not told:
            return Block(0, 0, "")
        inner, y = [], float(EDGE)
        if name or told:
            inner.append(_text(name, EDGE, y + 11, 13, TURN if turn else WORDS, 700))
            inner.append(_text(told, EDGE + (28 if name else 0), y + 11, 12, FAINT))
            y += LABEL + 2
        for line in _lines(blocks, WIDTH - 4 * EDGE):
            x = float(EDGE)
            for block in line:
                inner.append(block.at(x, y))
                x += block.width + 2 * GAP
            y += max(block.height for block in line) + GAP
        height = y - (GAP if blocks else 0) + EDGE - 4
        edge = f' stroke="{TURN}" stroke-width="2"' if turn else ""
        rect = f'<rect width="{WIDTH - 2 * EDGE}" height="{height:g}" rx="9" fill="{MAT}"{edge}/>'
        return Block(WIDTH - 2 * EDGE, height, rect + "".join(inner))

    def is_drawn(self, key: str, value: Any) -> bool:
        """Whether there is a picture of it; a mapping's keys have their own."""
        return any(True for _ in self.blocks(key, value)) or value == [] or value == {}

    def blocks(self, key: str, value: Any) -> Iterator[Block]:
        """The pictures of one key, each with its name above."""
        if key in PILES and isinstance(value, int):
            yield _labelled(key, self.pile([HIDDEN] * value))
        elif self.are_cards(value) and value:
            piled = key in PILES or len(value) > MANY
            shown = [HIDDEN] * len(value) if key == "deck" else value
            yield _labelled(key, self.pile(shown) if piled else self.row(value))
        elif self.is_card(value) and value != HIDDEN:
            yield _labelled(key, self.row([value]))
        elif isinstance(value, list) and value and all(map(self.are_cards, value)):
            yield _labelled(key, self.columns(value))
        elif (
            isinstance(value, list)
            and value
            and all(isinstance(each, dict) and "cards" in each for each in value)
        ):
            yield _labelled(key, self.columns([each["cards"] for each in value]))
        elif isinstance(value, dict) and value:
            yield from self.of_mapping(key, value)

    def of_mapping(self, key: str, value: Mapping[str, Any]) -> Iterator[Block]:
        """A board, piles by their names, or several things of one kind."""
        if all(SQUARE.fullmatch(name) for name in value):
            yield from [_labelled(key, self.board(value))] if self.ground and key == "board" else []
        elif all(map(self.are_cards, value.values())):
            piles = [cards for cards in value.values() if cards]
            yield from [_labelled(key, self.columns(piles))] if piles else []
        elif any(list(self.blocks(name, inside)) for name, inside in value.items()):
            for name, inside in value.items():
                yield from self.blocks(name, inside)
                if inside and not self.is_drawn(name, inside):
                    yield _labelled(name, _words(said(inside)))

    # Pictures

    def card(self, name: str, x: float, y: float) -> str:
        """A card as it is printed."""
        return f'<g transform="translate({x:g} {y:g}) scale({SCALE})">{self.faces[name]}</g>'

    def row(self, cards: list[str]) -> Block:
        """Cards side by side, closer if there are many."""
        step = CARD_WIDTH + 4 if len(cards) <= 8 else CARD_WIDTH * 0.62
        width = step * (len(cards) - 1) + CARD_WIDTH
        return Block(
            width, CARD_HEIGHT, "".join(self.card(card, step * i, 0) for i, card in enumerate(cards))
        )

    def columns(self, columns: list[list[str]]) -> Block:
        """Cards that overlap downwards, column by column."""
        drawing, height = "", CARD_HEIGHT
        for place, cards in enumerate(columns):
            drawing += "".join(
                self.card(card, place * (CARD_WIDTH + 6), HEAD * i) for i, card in enumerate(cards)
            )
            height = max(height, CARD_HEIGHT + HEAD * (len(cards) - 1))
        return Block(len(columns) * (CARD_WIDTH + 6) - 6, height, drawing)

    def pile(self, cards: list[str]) -> Block:
        """The last card of many, and how many there are."""
        count = _text(str(len(cards)), CARD_WIDTH + 6, CARD_HEIGHT / 2 + 5, 15, WORDS, 700)
        top = self.card(cards[-1], 0, 0) if cards else _empty()
        return Block(CARD_WIDTH + 34, CARD_HEIGHT, top + count)

    def board(self, stacks: Mapping[str, str]) -> Block:
        """Spaces with what is printed on them, and the chips that stand there."""
        drawing, across, down = "", 0, 0
        for name, printed in self.ground.items():
            file, rank = SQUARE.fullmatch(name).groups()  # type: ignore[union-attr]
            x, y = (ord(file) - ord("a")) * CELL, (int(rank) - 1) * CELL
            across, down = max(across, x + CELL), max(down, y + CELL)
            sign, colour = SUITS.get(printed, (printed, FELT))
            side = CELL - 2
            drawing += f'<rect x="{x + 1}" y="{y + 1}" width="{side}" height="{side}" rx="6" fill="{WORDS}"/>'
            drawing += _text(sign, x + 13, y + 19, 18, colour, 700, middle=True)
            drawing += _text(name, x + CELL - 12, y + 15, 9, "#8f7d63", middle=True)
            for height, chip in enumerate(stacks.get(name, "")[-4:]):
                drawing += _chip(chip, x + CELL / 2, y + CELL - 9 - height * (CHIP - 3))
            if name in self.crowned:
                drawing += _text("♛", x + CELL / 2, y + 19, 17, "#b98500", 700, middle=True)
        return Block(across, down, drawing)


def _chip(letter: str, x: float, y: float) -> str:
    return (
        f'<rect x="{x - 17:g}" y="{y - CHIP / 2:g}" width="34" height="{CHIP}" rx="5" '
        f'fill="{COLOURS.get(letter, FAINT)}" stroke="#2a2018"/>'
    )


def _empty() -> str:
    return (
        f'<rect x="1" y="1" width="{CARD_WIDTH - 2}" height="{CARD_HEIGHT - 2:g}" rx="5" fill="none" '
        f'stroke="{FAINT}" stroke-dasharray="5 4"/>'
    )


def _words(words: str) -> Block:
    return Block(7.5 * len(words), LABEL, _text(words, 0, 11, 12, WORDS))


def _labelled(key: str, block: Block) -> Block:
    """With its name above."""
    width = max(block.width, 6.5 * len(key))
    return Block(width, block.height + LABEL, _text(_spaced(key), 0, 10, 11, FAINT) + block.at(0, LABEL))


def _spaced(key: str) -> str:
    return key.replace("_", " ")


def _lines(blocks: list[Block], width: float) -> Iterator[list[Block]]:
    """Blocks side by side, as many as fit into each line."""
    line: list[Block] = []
    used = 0.0
    for block in blocks:
        if line and used + block.width > width:
            yield line
            line, used = [], 0.0
        line.append(block)
        used += block.width + 2 * GAP
    if line:
        yield line
