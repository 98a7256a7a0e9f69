"""MATCH! in the terminal: the piles and the own hand as cards, and a ledger of all collections.

 Discard Deck      Your hand
╭─────╮ ╭─────╮   ╭─────╮╭─────╮╭─────╮
│R3  ●│ │ 41  │   │Y0  ▲││B2  ◆││W   ✱│
╰─────╯ ╰─────╯   ╰─────╯╰─────╯╰─────╯
  top+beneath      R ●    Y ▲    G ■    B ◆    P ★     Worth   Hand Points
▶ You              5+2    ·      0      ·      3          13      3     21
  Easy bot         ·      4      ·      1+1    ·           ·      4     17
"""

import re
from typing import TYPE_CHECKING

from rich.style import Style
from rich.text import Text

from kibitz.games.match.rules import COLOURS
from kibitz.terminal.drawing import Scene, joined
from kibitz.terminal.papers import COLOURED, SHAPES, painter

if TYPE_CHECKING:
    from kibitz.core.move import Move

CARD = re.compile(r"\b(?:[RYGBP][0-5]|W)\b")

CARD_WIDTH = 7
PILES_WIDTH = 2 * CARD_WIDTH + 1
GAP = 3  # between the piles and the hand
NAME_WIDTH, LEAST_NAME_WIDTH = 18, 8
PILE_WIDTH, LEAST_PILE_WIDTH = 7, 4
SUM_WIDTH, LEAST_SUM_WIDTH = 7, 4


# The lines


def status(scene: Scene) -> str:
    """The round, and what is played for."""
    options = scene.view["options"]
    key = "table.status" if options["rounds"] is None else "table.status-rounds"
    return scene.words(key, round=scene.view["round"], rounds=options["rounds"], target=options["target"])


def table(scene: Scene, width: int) -> list[Text]:
    """The piles and the own hand side by side, or one above the other; below them the ledger."""
    left, right = piles(scene), hand(scene, width)
    if not right:
        cards = left
    elif PILES_WIDTH + GAP + right[1].cell_len <= width:
        cards = [joined(line, " " * GAP, other) for line, other in zip(left, right, strict=True)]
    else:
        cards = [*left, *hand(scene, width)]
    return [*cards, *ledger(scene, width)]


# The cards


def piles(scene: Scene) -> list[Text]:
    """The top of the discard pile with what a joker on it asks for, and how many cards the deck has."""
    top = scene.view["discard"][-1]
    lines = [joined(card, " ", back) for card, back in zip(card_lines(top), deck_lines(scene), strict=True)]
    return [fitted(heading(scene), PILES_WIDTH), *lines]


def heading(scene: Scene) -> Text:
    """What the piles are, or what was called."""
    called = scene.view["called"]
    if called is None:
        discard = fitted(Text(scene.words("table.head.discard")), CARD_WIDTH)
        return joined(discard, " ", scene.words("table.deck"))
    call = scene.words(f"colour.{called}") if called in COLOURS else called
    style = COLOURED[called] if called in COLOURS else COLOURED["W"]
    return Text(f" {SHAPES['W']} {call} ", style=style + Style(bold=True))


def card_lines(card: str) -> list[Text]:
    """A whole card."""
    style = COLOURED[card[0]] + Style(bold=True)
    return [Text(line, style=style) for line in ("╭─────╮", f"│{card:<2}  {SHAPES[card[0]]}│", "╰─────╯")]


def deck_lines(scene: Scene) -> list[Text]:
    """The back of the deck with its size; an outline if it is empty."""
    size = len(scene.view["deck"])
    lines = ("╭─────╮", f"│{size:^5}│", "╰─────╯") if size else ("╭╌╌╌╌╌╮", "╎     ╎", "╰╌╌╌╌╌╯")
    return [Text(line, style="" if size else "dim") for line in lines]


def hand(scene: Scene, width: int) -> list[Text]:
    """The viewer's cards under a label; none for somebody who looks on, or with an empty hand."""
    cards = [] if scene.seat is None else scene.view["hands"][scene.seat]
    if not cards:
        return []
    label = Text(scene.words("table.your-hand"))
    if len(cards) * CARD_WIDTH > width - (PILES_WIDTH + GAP if width >= 80 else 0):
        names = paint(" ".join(cards))
        return [label, names, Text(), Text()]
    drawn = [card_lines(card) for card in cards]
    return [label, *(Text().join(row) for row in zip(*drawn, strict=True))]


# The ledger


def ledger(scene: Scene, width: int) -> list[Text]:
    """A line a player: the piles of the collection, what it is worth, cards in hand, points."""
    rest = 5 * PILE_WIDTH + 3 * SUM_WIDTH
    if width >= LEAST_NAME_WIDTH + rest:
        widths = (min(NAME_WIDTH, width - rest), PILE_WIDTH, SUM_WIDTH)
    else:
        widths = (LEAST_NAME_WIDTH, LEAST_PILE_WIDTH, LEAST_SUM_WIDTH)
    return [heads(scene, *widths), *(player_line(scene, seat, *widths) for seat in scene.seats)]


def heads(scene: Scene, names: int, piles_: int, sums: int) -> Text:
    """The colours, and what the sums are."""
    colours = [fitted(Text(f" {colour} {SHAPES[colour]}"), piles_) for colour in COLOURS]
    for label, colour in zip(colours, COLOURS, strict=True):
        label.stylize(COLOURED[colour], 0, 4)
    labels = [scene.words(f"table.head.{what}") for what in ("worth", "hand", "points")]
    corner = fitted(Text(f"  {scene.words('table.head.piles')}", style="dim"), names)
    return joined(corner, *colours, *((f"{label[: sums - 1]:>{sums}}", "dim") for label in labels))


def player_line(scene: Scene, seat: int, names: int, piles_: int, sums: int) -> Text:
    """A player's name, with a mark for whose turn it is, and what the player has.

    What a collection is worth would tell of the cards beneath: it is shown of the own, and at the end. [M9]
    """
    acting = scene.view["turn"] == seat
    name = Text(f"{'▶' if acting else ' '} {scene.names[seat]}", style="bold" if acting else "")
    collection = scene.view["collections"][seat]
    worth: int | str = sum(int(card[1]) for pile in collection.values() for card in pile)
    if seat != scene.seat and not scene.view["over"]:
        worth = "·"
    amounts = [worth, len(scene.view["hands"][seat]), scene.view["scores"][seat]]
    return joined(
        fitted(name, names),
        *(pile_cell(collection.get(colour, []), piles_) for colour in COLOURS),
        *((f"{amount:>{sums}}", style) for amount, style in zip(amounts, ("", "", "bold"), strict=True)),
    )


def pile_cell(pile: list[str], width: int) -> Text:
    """The top card's number in its colour, and how many cards lie beneath it: `5+2`. [M9]"""
    if not pile:
        return fitted(Text(" ·", style="dim"), width)
    top = Text(f" {pile[-1][1]}", style=COLOURED[pile[-1][0]] + Style(bold=True))
    beneath = Text(f"+{len(pile) - 1}" if len(pile) > 1 else "", "dim")
    return fitted(joined(top, beneath), width)


def look(scene: Scene, everybody: bool) -> list[Text]:
    """Piles in full, the bottom card first: the viewer's, or everybody's. [M9]"""
    seats = scene.seats if everybody or scene.seat is None else [scene.seat]
    lines = []
    for seat in seats:
        piles_ = scene.view["collections"][seat].values()
        cards = paint("   ".join(" ".join(pile) for pile in piles_) or "·")
        lines.append(joined((f"{scene.names[seat]}: ", "bold"), cards))
    return lines


def fitted(content: Text, width: int) -> Text:
    """Cut or filled to a width."""
    content.truncate(width, overflow="ellipsis", pad=True)
    return content


# Moves and words


def numbers(scene: Scene) -> dict[int, str]:
    """The legal moves, counted from 1."""
    return {number: str(move) for number, move in enumerate(scene.moves, 1)}


def meaning(scene: Scene, move: "Move") -> str:
    """The points that come into the collection or leave it."""
    match str(move).split():
        case ["collect", card]:
            return f"+{card[1]}"
        case ["match", card, "collection"]:
            return f"-{card[1]}" if card[1] != "0" else "0"
        case ["wild", call] if call in COLOURS:
            return scene.words(f"colour.{call}")
        case _:
            return ""


paint = painter(CARD, lambda card: COLOURED[card[0]])
