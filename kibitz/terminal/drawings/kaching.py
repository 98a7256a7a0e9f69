"""Ka-Ching! in the terminal: five columns that overlap downwards, and a ledger of what both traders own.

 R4  ●   B2  ◆                   ▶ You             Medium bot
 Y3  ▲   B6  ◆                     $14  W ✱        $?
╭─────╮ ╭─────╮           R ●    2 6 ($12)       4
│P5  ★│ │G2  ■│   ...     Y ▲    3               2 2 ($4)
╰─────╯ ╰─────╯           ...
 1  $5   2  $2
"""

import re
from typing import TYPE_CHECKING

from rich.style import Style
from rich.text import Text

from kibitz.games.kaching.rules import COLOURS, NUM_COLUMNS, WILD_VALUE
from kibitz.terminal.drawing import Scene, beside, joined
from kibitz.terminal.papers import COLOURED, SHAPES, painter

if TYPE_CHECKING:
    from kibitz.core.move import Move

EDGE = Style(underline=True)  # a covered card ends where the next one lies on it
CARD = re.compile(r"\b(?:[RYGBP][2-6]|W)\b")

COLUMN_WIDTH = 7
GAP = 2  # between the columns and the ledger
LABEL_WIDTH = 5
CELL_WIDTH = 15
TIGHT = 4  # more cards of a colour than this are written without spaces


# The lines


def status(scene: Scene) -> str:
    """How the series stands."""
    series = scene.view["series"]
    if series["kind"] == "single":
        return ""
    standing = " : ".join(str(scene.view["scores"][seat]) for seat in scene.seats)
    return scene.words(
        f"table.series.{series['kind']}",
        round=scene.view["round"],
        rounds=series["rounds"],
        standing=standing,
    )


def table(scene: Scene, width: int) -> list[Text]:
    """The columns and the ledger side by side, or one above the other where it is narrow."""
    columns, ledger = market(scene), books(scene)
    if columns[0].cell_len + GAP + ledger[0].cell_len <= width:
        return beside(columns, ledger, GAP)
    return [*columns, Text(), *ledger]


# The columns


def market(scene: Scene) -> list[Text]:
    """The columns, standing on one line so that the free cards and their prices are in a row."""
    columns = [column_lines(cards) for cards in scene.view["columns"]]
    height = max(map(len, columns))
    blank = Text(" " * COLUMN_WIDTH)
    even = [[blank] * (height - len(lines)) + lines for lines in columns]
    rows = [Text(" ").join(row) for row in zip(*even)]
    return [*rows, Text(" ").join(price_tag(scene, number) for number in range(NUM_COLUMNS))]


def column_lines(cards: list[str]) -> list[Text]:
    """Covered cards show a strip; the free one is whole."""
    if not cards:
        return [Text(line, style="dim") for line in ("╭╌╌╌╌╌╮", "╎     ╎", "╰╌╌╌╌╌╯")]
    *covered, free = cards
    style = COLOURED[free[0]] + Style(bold=True)
    strips = [Text(f" {card}  {SHAPES[card[0]]} ", style=COLOURED[card[0]] + EDGE) for card in covered]
    return [
        *strips,
        *(Text(line, style=style) for line in ("╭─────╮", f"│{free}  {SHAPES[free[0]]}│", "╰─────╯")),
    ]


def price_tag(scene: Scene, column: int) -> Text:
    """Beneath a column its number and its price; faint if it can't be bought from now."""
    cards = scene.view["columns"][column]
    if scene.view["phase"] != "trade" or not cards:
        return Text(" " * COLUMN_WIDTH)
    buyable = not scene.moves or f"buy {column + 1}" in map(str, scene.moves)
    return Text(f" {column + 1}  ${cards[-1][1:]} ", style="bold" if buyable else "dim")


# The ledger


def books(scene: Scene) -> list[Text]:
    """What both own, colour by colour: the values, and what the best pair of them brings."""
    header = [Text(" " * LABEL_WIDTH), *(name_tag(scene, seat) for seat in scene.seats)]
    purses = [Text(" " * LABEL_WIDTH), *(purse(scene, seat) for seat in scene.seats)]
    rows = [
        [
            Text(f" {colour} {SHAPES[colour]} ", COLOURED[colour]),
            *(holding(scene, seat, colour) for seat in scene.seats),
        ]
        for colour in COLOURS
    ]
    return [Text(" ").join(row) for row in (header, purses, *rows)]


def name_tag(scene: Scene, seat: int) -> Text:
    """A trader's name, with a mark for whose turn it is."""
    acting = scene.view["turn"] == seat
    tag = Text(f"{'▶' if acting else ' '} {scene.names[seat]}", style="bold" if acting else "")
    return cell(tag)


def purse(scene: Scene, seat: int) -> Text:
    """The money, and the wild as long as it is unused."""
    money = Text(f"  ${scene.view['money'][seat]} ", style="bold")
    return cell(joined(money, wild_tag() if scene.view["wilds"][seat] else Text()))


def wild_tag() -> Text:
    """A wild as a small card."""
    return Text(f" W {SHAPES['W']} ", COLOURED["W"])


def holding(scene: Scene, seat: int, colour: str) -> Text:
    """A trader's cards of one colour: `2 3 6 ($18)`."""
    values = sorted(int(card[1:]) for card in scene.view["stocks"][seat] if card[0] == colour)
    if not values:
        return cell(Text("  ·", style="dim"))
    shown = (" " if len(values) <= TIGHT else "").join(map(str, values))
    worth = f" (${values[-1] * values[-2]})" if len(values) > 1 else ""
    return cell(joined("  ", (shown, "bold"), worth))


def cell(content: Text) -> Text:
    """A cell of the ledger, cut or filled to its width."""
    content.truncate(CELL_WIDTH, overflow="ellipsis", pad=True)
    return content


# Moves and words


def numbers(scene: Scene) -> dict[int, str]:
    """A column's number buys from it, and sales are counted on from there; in the last sale, from 1."""
    others = [str(move) for move in scene.moves if not str(move).startswith("buy")]
    if scene.view["phase"] != "trade":
        return dict(enumerate(others, 1))
    columns = [f"buy {column + 1}" for column in range(NUM_COLUMNS)]
    return dict(enumerate([*columns, *others], 1))


def meaning(scene: Scene, move: "Move") -> str:
    """The card and its price, or what the sale brings."""
    match str(move).split():
        case ["buy", column]:
            card = scene.view["columns"][int(column) - 1][-1]
            return f"{card} ${card[1:]}"
        case ["sell", first, second]:
            return f"${int(first[1:]) * (WILD_VALUE if second == 'W' else int(second[1:]))}"
        case _:
            return ""


paint = painter(CARD, lambda card: COLOURED[card[0]])
