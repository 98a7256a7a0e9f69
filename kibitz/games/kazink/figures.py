"""What follows from a view of Kazink!: the board in use, colours, runs of crowns, and what moves do."""

from collections.abc import Sequence
from typing import TypedDict

from kibitz.games.kazink.board import COLOURS, DIRECTIONS, FILES, NUM_RANKS, PRINTED, ROW_LENGTH, SMALL_BOARD
from kibitz.games.kazink.rules import COLOURS_IN_PLAY, ROWS_FOR_A_TEAM, ROWS_TO_WIN, SEATS
from kibitz.games.kazink.views import View

RANKS = {"24": NUM_RANKS, "20": SMALL_BOARD}


class Space(TypedDict):
    """A space of the board that is in use."""

    name: str
    suit: str
    row: int  # from 0
    column: int
    bordered: bool  # in use with three or four players only


class Run(TypedDict):
    """Crowns of a colour in a straight line, two or more."""

    colour: str
    start: str
    end: str
    is_row: bool


class Shift(TypedDict):
    """Chips that a double-up may shift now."""

    move: str
    start: str
    goal: str
    count: int


class Figures(TypedDict):
    """What follows from a view of Kazink!"""

    spaces: list[Space]  # row by row
    colours: list[str]  # of the seats
    partners: list[int | None]  # of the seats, in the team game
    rows_to_win: int
    crowns: dict[str, int]  # how many, by colour
    runs: list[Run]
    shifts: list[Shift]


def figures(view: View, seat: int | None, moves: Sequence[str]) -> Figures:
    """The board, who plays which colour, and how near they are, from what a seat sees."""
    players = view["players"]
    colours = [COLOURS[each % int(COLOURS_IN_PLAY[players])] for each in range(players)]
    spaces = spaces_in_use(view)
    return {
        "spaces": spaces,
        "colours": colours,
        "partners": [(each + SEATS // 2) % SEATS if players == SEATS else None for each in range(players)],
        "rows_to_win": ROWS_FOR_A_TEAM if players == SEATS else ROWS_TO_WIN,
        "crowns": {
            colour: sum(owner == colour for owner in view["crowns"].values())
            for colour in dict.fromkeys(colours)
        },
        "runs": runs(view, spaces),
        "shifts": [shift(move) for move in moves if move.startswith("shift")],
    }


def spaces_in_use(view: View) -> list[Space]:
    """The bordered spaces, the last rank, exist for three or four players only. [Z10]"""
    ranks = RANKS[str(view["options"]["board"])]
    used = ranks - 1 if view["players"] == 2 else ranks
    return [
        {
            "name": f"{file}{rank + 1}",
            "suit": PRINTED[rank][column],
            "row": rank,
            "column": column,
            "bordered": rank == ranks - 1,
        }
        for rank in range(used)
        for column, file in enumerate(FILES)
    ]


def runs(view: View, spaces: Sequence[Space]) -> list[Run]:
    """The straight runs of two crowns or more of a colour; three in a line are a row."""
    at = {(space["column"], space["row"]): view["crowns"].get(space["name"]) for space in spaces}
    names = {(space["column"], space["row"]): space["name"] for space in spaces}
    found: list[Run] = []
    for (column, row), colour in at.items():
        for across, down in DIRECTIONS:
            if colour is None or at.get((column - across, row - down)) == colour:
                continue
            length = 1
            while at.get((column + length * across, row + length * down)) == colour:
                length += 1
            end = names[column + (length - 1) * across, row + (length - 1) * down]
            if length > 1:
                start = names[column, row]
                found.append({"colour": colour, "start": start, "end": end, "is_row": length >= ROW_LENGTH})
    return found


def shift(move: str) -> Shift:
    """Where chips would go from and to, and how many."""
    _, start, goal, count = move.split(" ")
    return {"move": move, "start": start, "goal": goal, "count": int(count)}
