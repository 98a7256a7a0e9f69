"""Ka-Ching! positions for the tests, written out by what is special about them."""

from collections.abc import Iterable
from copy import deepcopy
from typing import Any

import msgspec

import kibitz
from kibitz.core.state import State
from tests.games.kaching.naive import Columns, Position, score

# In the order in which a position gives them.
KEYS = [
    *("game", "options", "players", "round", "turn", "phase", "scores", "over", "winners", "moves"),
    *("columns", "stocks", "wilds", "money", "sold", "starter", "series", "closing"),
]
OPTION_KEYS = ["series", "rounds", "open_money", "starter"]
SERIES_KEYS = ["kind", "rounds", "wins", "totals"]

# All 35 cards; the last of each column is free: Y6 Y2 B2 R3 G3.
FULL_COLUMNS = [
    ["R2", "Y2", "G3", "B3", "P4", "R5", "Y6"],
    ["G2", "B3", "P3", "R4", "Y5", "G6", "Y2"],
    ["P3", "R3", "Y4", "G5", "B6", "G2", "B2"],
    ["Y3", "G4", "B5", "P6", "B2", "P2", "R3"],
    ["B4", "P5", "R6", "P2", "R2", "Y3", "G3"],
]
TWO_COLUMNS = [["P5"], ["B2", "Y6"], [], [], []]


def position(**changes: Any) -> Position:
    """A valid position: a fresh single round, but for the changes.

    Cards that are named nowhere count as sold. If only `stocks` are given, their cards come out of the
    full columns. `options` and `series` may be given in part.
    """
    stocks = changes.get("stocks", [[], []])
    options = {"series": "single", "rounds": 3, "open_money": False, "starter": "random"}
    options |= changes.pop("options", {})
    rounds = 1 if options["series"] == "single" else options["rounds"]
    series = {"kind": options["series"], "rounds": rounds, "wins": [0, 0], "totals": [0, 0]}
    series |= changes.pop("series", {})
    made: Position = {
        "game": "kaching",
        "options": options,
        "players": 2,
        "round": 1,
        "turn": 0,
        "phase": "trade",
        "scores": [0, 0],
        "over": False,
        "winners": [],
        "moves": 0,
        "columns": columns_without(card for stock in stocks for card in stock),
        "stocks": [[], []],
        "wilds": [True, True],
        "money": [20, 20],
        "sold": 0,
        "starter": 0,
        "series": series,
        "closing": 0,
    }
    unknown = changes.keys() - made.keys()
    if unknown:
        raise KeyError(f"a position has no {', '.join(sorted(unknown))}")
    made = deepcopy(made | changes)
    if "scores" not in changes:
        made["scores"] = score(made)
    if "sold" not in changes:
        made["sold"] = 37 - cards_in_play(made)
    return made


def last_sale(**changes: Any) -> Position:
    """The last sale has just begun, seat 0 decides first; nobody has anything to sell."""
    return position(**{"phase": "last sale", "columns": TWO_COLUMNS, "closing": 2, "moves": 60} | changes)


def last_decision(**changes: Any) -> Position:
    """One decision of the last sale is to come, seat 0's: its `pass` ends the round."""
    return last_sale(**{"closing": 1, "moves": 61} | changes)


def finished(money: tuple[int, int] = (31, 17), **changes: Any) -> Position:
    """A single game that is over."""
    mine, other = money
    ended = {
        "turn": None,
        "phase": "over",
        "over": True,
        "winners": [seat for seat in (0, 1) if money[seat] == max(money)],
        "columns": TWO_COLUMNS,
        "moves": 62,
        "money": list(money),
        "series": {"wins": [int(mine > other), int(other > mine)], "totals": [mine - 20, other - 20]},
    }
    return position(**ended | changes)


def columns_without(cards: Iterable[str]) -> Columns:
    """The full columns, less these cards, each taken where it lies deepest."""
    columns = deepcopy(FULL_COLUMNS)
    for card in cards:
        holders = [column for column in columns if card in column]
        min(holders, key=lambda column: column.index(card)).remove(card)
    return columns


def cards_in_play(made: Position) -> int:
    return sum(map(len, made["columns"])) + sum(map(len, made["stocks"])) + sum(made["wilds"])


def start(**changes: Any) -> State:
    """The engine's state of `position(**changes)`."""
    return state_of(position(**changes))


def state_of(made: Position) -> State:
    return kibitz.game("kaching").from_position(made)


def moves(state: State) -> set[str]:
    """The legal moves in notation."""
    return {str(move) for move in state.legal_moves}


def as_json(made: object) -> bytes:
    """As text, so that 1 and true differ, and the order of keys counts."""
    return msgspec.json.encode(made)
