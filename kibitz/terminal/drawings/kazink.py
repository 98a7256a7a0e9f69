"""Kazink! in the terminal: the board with its suits and stacks, a ledger, and the own hand as cards.

       a        b        c        d                  Chips  Crowns  Rows Hand
  ╭────────┬────────┬────────┬────────╮  ▶Y You         30       1   0/2    3
1 │♠ YY    │♥       │♦ BYB   │♣ ♛ B   │   B Easy bot    31       2   0/2    3
2 │♥ Y     │♠ …BYBY │♣       │♦       │  Your hand
…                                       ╭─────╮╭─────╮╭─────╮
  ╰────────┴────────┴────────┴────────╯  │S   ♠││W   ✱││U   ⇈│ …
"""

import re
from typing import TYPE_CHECKING

from rich.style import Style
from rich.text import Text

from kibitz.games.kazink.board import CROWN_HEIGHT, FILES, NUM_FILES, PRINTED
from kibitz.games.kazink.rules import COLOURS_IN_PLAY, ROWS_FOR_A_TEAM, ROWS_TO_WIN, SEATS
from kibitz.terminal.drawing import Scene, beside, joined
from kibitz.terminal.papers import COLOURED, INK, PAPER, painter

if TYPE_CHECKING:
    from kibitz.core.move import Move

COLOURS = "YBR"
SHAPES = {"S": "♠", "H": "♥", "D": "♦", "C": "♣", "W": "✱", "U": "⇈", "K": "♛"}
CHIPS = {colour: COLOURED[colour] for colour in COLOURS}
BLACK = Style(color=INK, bgcolor=PAPER, dim=False)
RED = Style(color="#b5261e", bgcolor=PAPER, dim=False)
SPECIAL = Style(color=INK, bgcolor="#d9d2c5", dim=False)
CARDS = {"S": BLACK, "H": RED, "D": RED, "C": BLACK, "W": SPECIAL, "U": SPECIAL, "K": SPECIAL}
CARD = re.compile(r"\b[SHDCWUK]\b")

CELL_WIDTH = 8
SHOWN_CHIPS = 5  # of a stack, from the top
GAP = 2  # between the board and the ledger
CARD_WIDTH = 7
NAME_WIDTH = 13  # with the mark of whose turn it is and the colour
HEADS = ("chips", "crowns", "rows", "hand")
HEAD_WIDTHS = (7, 8, 6, 5)


# The lines


def status(scene: Scene) -> str:
    """What it takes to win, and how many cards the deck has."""
    return scene.words("table.status", needed=rows_needed(scene), deck=len(scene.view["deck"]))


def table(scene: Scene, width: int) -> list[Text]:
    """The board, and the players with the own hand beside it, or below it where it is narrow."""
    left, right = board(scene), [*ledger(scene), *hand(scene)]
    if left[0].cell_len + GAP + right[0].cell_len <= width:
        return beside(left, right, GAP)
    return [*left, *right]


def rows_needed(scene: Scene) -> int:
    """The rows that win."""
    return ROWS_FOR_A_TEAM if scene.view["players"] == SEATS else ROWS_TO_WIN


# The board


def board(scene: Scene) -> list[Text]:
    """The spaces that are in this game, with their coordinates; each shows its suit and its stack."""
    ranks = int(scene.view["options"]["board"]) // NUM_FILES - (scene.view["players"] == 2)
    edges = ["─" * CELL_WIDTH] * NUM_FILES
    lines = [joined("  ", *(f"{file:^{CELL_WIDTH + 1}}" for file in FILES), " ")]
    lines.append(Text(f"  ╭{'┬'.join(edges)}╮"))
    for rank in range(1, ranks + 1):
        cells = [
            cell(scene, f"{file}{rank}", suit) for file, suit in zip(FILES, PRINTED[rank - 1], strict=True)
        ]
        lines.append(joined(f"{rank} │", *(part for each in cells for part in (each, "│"))))
    lines.append(Text(f"  ╰{'┴'.join(edges)}╯"))
    return lines


def cell(scene: Scene, space: str, suit: str) -> Text:
    """A space: its suit and its chips, the top one last; a crown fills it."""
    chips = scene.view["board"].get(space, "")
    if space in scene.view["crowns"]:
        colour = scene.view["crowns"][space]
        return fitted(Text(f"{SHAPES[suit]} {SHAPES['K']} {colour}", style="bold"), CHIPS[colour])
    shown = chips if len(chips) <= SHOWN_CHIPS else "…" + chips[1 - SHOWN_CHIPS :]
    return fitted(joined(symbol(suit), " ", *map(chip, shown)))


def chip(colour: str) -> Text:
    """A chip, or the dots for those that aren't shown."""
    return Text(colour, style=CHIPS.get(colour, ""))


def symbol(suit: str) -> tuple[str, str]:
    """A suit's sign: hearts and diamonds red."""
    return SHAPES[suit], "red" if CARDS[suit] is RED else ""


def fitted(content: Text, style: Style | None = None) -> Text:
    """Cut or filled to a cell's width."""
    content.truncate(CELL_WIDTH, overflow="ellipsis", pad=True)
    if style is not None:
        content.stylize_before(style)
    return content


# The ledger and the hand


def ledger(scene: Scene) -> list[Text]:
    """A line a player: colour, name, and what the player or the team has."""
    labels = [scene.words(f"table.head.{head}") for head in HEADS]
    heads = [f"{label[: width - 1]:>{width}}" for label, width in zip(labels, HEAD_WIDTHS, strict=True)]
    return [
        Text(" " * NAME_WIDTH + "".join(heads), style="dim"),
        *(player_line(scene, seat) for seat in scene.seats),
    ]


def player_line(scene: Scene, seat: int) -> Text:
    """A player's colour and name, with a mark for whose turn it is, and the counts."""
    view = scene.view
    colour = COLOURS[seat % int(COLOURS_IN_PLAY[view["players"]])]
    acting = view["turn"] == seat
    name = Text(scene.names[seat], style="bold" if acting else "")
    name.truncate(NAME_WIDTH - 3, overflow="ellipsis", pad=True)
    counts = (
        view["seat_chips"][seat],
        list(view["crowns"].values()).count(colour),
        f"{view['rows'][colour]}/{rows_needed(scene)}",
        len(view["hands"][seat]),
    )
    columns = [f"{count!s:>{width}}" for count, width in zip(counts, HEAD_WIDTHS, strict=True)]
    return joined("▶" if acting else " ", chip(colour), " ", name, *columns)


def hand(scene: Scene) -> list[Text]:
    """The viewer's cards under a label; none for somebody who looks on, or with an empty hand."""
    cards = [] if scene.seat is None else scene.view["hands"][scene.seat]
    if not cards:
        return []
    label = Text(scene.words("table.your-hand"))
    if len(cards) * CARD_WIDTH > NAME_WIDTH + sum(HEAD_WIDTHS):
        return [label, paint(" ".join(cards))]
    drawn = [card_lines(card) for card in cards]
    return [label, *(Text().join(row) for row in zip(*drawn, strict=True))]


def card_lines(card: str) -> list[Text]:
    """A whole card."""
    style = CARDS[card] + Style(bold=True)
    return [Text(line, style=style) for line in ("╭─────╮", f"│{card}   {SHAPES[card]}│", "╰─────╯")]


# Moves and words


def numbers(scene: Scene) -> dict[int, str]:
    """The legal moves, counted from 1."""
    return {number: str(move) for number, move in enumerate(scene.moves, 1)}


def meaning(scene: Scene, move: "Move") -> str:
    """A crown's sign for a move that makes one."""
    seat = scene.view["turn"]
    own = COLOURS[seat % int(COLOURS_IN_PLAY[scene.view["players"]])]
    match str(move).split():
        case ["K", _]:
            return SHAPES["K"]
        case ["shift", _, goal, count]:
            chips = scene.view["board"].get(goal, "") + own * int(count)
        case [_, space]:
            chips = scene.view["board"].get(space, "") + own
        case _:
            return ""
    return SHAPES["K"] if chips.endswith(own * CROWN_HEIGHT) else ""


paint = painter(CARD, CARDS.__getitem__)
