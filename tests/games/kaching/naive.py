"""Ka-Ching! once more, slowly: a twin of the engine, written from the rules text alone.

It knows nothing of the engine and works on position JSON. Chance is the caller's: who begins, and the
columns of a deal, come in as arguments.
"""

import pickle
from collections.abc import Callable
from copy import deepcopy
from itertools import combinations
from typing import Any

Position = dict[str, Any]
Columns = list[list[str]]

# 1. In the box

COLOURS = "RYGBP"
VALUES = [2, 2, 3, 3, 4, 5, 6]
DECK = [f"{colour}{value}" for colour in COLOURS for value in VALUES]
WILD = "W"
WILD_VALUE = 2
SEATS = [0, 1]
MONEY_AT_START = 20
MAX_MOVES = 200
MAX_ROUNDS = 100


def colour_of(card: str) -> str:
    return card[0]


def value_of(card: str) -> int:
    return WILD_VALUE if card == WILD else int(card[1])


def card_order(card: str) -> tuple[int, int]:
    """R Y G B P, then value, then W."""
    return ((COLOURS + WILD).index(card[0]), value_of(card))


# 2. The table


def set_up(options: dict[str, Any], columns: Columns, starter: int) -> Position:
    """A new game: five columns, $20 and the wild each."""
    rounds = 1 if options["series"] == "single" else options["rounds"]
    table: Position = {
        "game": "kaching",
        "options": {name: options[name] for name in ("series", "rounds", "open_money", "starter")},
        "players": 2,
        "round": 1,
        "turn": starter,
        "phase": "trade",
        "scores": [0, 0],
        "over": False,
        "winners": [],
        "moves": 0,
        "columns": [],
        "stocks": [],
        "wilds": [],
        "money": [],
        "sold": 0,
        "starter": starter,
        "series": {"kind": options["series"], "rounds": rounds, "wins": [0, 0], "totals": [0, 0]},
        "closing": 0,
    }
    lay_out(table, columns, starter)
    return table


def lay_out(table: Position, columns: Columns, starter: int) -> None:
    """What is the same at the start of every round."""
    table["turn"] = table["starter"] = starter
    table["phase"] = "trade"
    table["moves"] = table["sold"] = table["closing"] = 0
    table["columns"] = deepcopy(columns)
    table["stocks"] = [[], []]
    table["wilds"] = [True, True]
    table["money"] = [MONEY_AT_START, MONEY_AT_START]


def is_a_deal(columns: Columns) -> bool:
    """Five columns of seven that hold the 35 cards."""
    cards = [card for column in columns for card in column]
    return [len(column) for column in columns] == [7] * 5 and sorted(cards) == sorted(DECK)


# 3. What a player may do


def legal_moves(position: Position) -> list[str]:
    """Buy or sell, and pass if neither is possible; in the last sale sell or pass; nothing when over."""
    seat = position["turn"]
    if position["phase"] == "trade":
        return (buys(position, seat) + sales(position, seat)) or ["pass"]
    if position["phase"] == "last sale":
        return [*sales(position, seat), "pass"]
    return []


def buys(position: Position, seat: int) -> list[str]:
    """The last card of each column that still has one, if the seat can pay its value."""
    return [
        f"buy {number}"
        for number, column in enumerate(position["columns"], start=1)
        if column and value_of(column[-1]) <= position["money"][seat]
    ]


def sales(position: Position, seat: int) -> list[str]:
    """Two cards of one colour, lower value first; or any card with the wild, while there is one."""
    stock = sorted(position["stocks"][seat], key=card_order)
    pairs = [f"sell {a} {b}" for a, b in combinations(stock, 2) if colour_of(a) == colour_of(b)]
    if position["wilds"][seat]:
        pairs += [f"sell {card} {WILD}" for card in stock]
    return sorted(set(pairs))


# 4. A turn


def play(position: Position, move: str, deal: Callable[[], Columns]) -> Position:
    """The position after a move; `deal` is asked for the columns if a next round begins."""
    if move not in legal_moves(position):
        raise ValueError(f"{move!r} is not legal here")
    table: Position = pickle.loads(pickle.dumps(position))  # a copy, five times as fast as deepcopy's
    table["moves"] += 1
    verb, *what = move.split()
    if verb == "buy":
        buy(table, int(what[0]) - 1)
    elif verb == "sell":
        sell(table, what)
    hand_on(table)
    if round_is_over(table):
        end_round(table, deal)
    return table


def buy(table: Position, column: int) -> None:
    seat = table["turn"]
    card = table["columns"][column].pop()
    table["money"][seat] -= value_of(card)
    table["stocks"][seat] = sorted([*table["stocks"][seat], card], key=card_order)


def sell(table: Position, cards: list[str]) -> None:
    seat = table["turn"]
    table["money"][seat] += value_of(cards[0]) * value_of(cards[1])
    table["sold"] += 2
    for card in cards:
        if card == WILD:
            table["wilds"][seat] = False
        else:
            table["stocks"][seat].remove(card)


def hand_on(table: Position) -> None:
    """The other seat is next; with only two columns left, in the last sale."""
    table["turn"] = 1 - table["turn"]
    if table["phase"] == "last sale":
        table["closing"] -= 1
    elif sum(1 for column in table["columns"] if column) == 2:
        table["phase"] = "last sale"
        table["closing"] = 2


# 5. The end


def round_is_over(table: Position) -> bool:
    if table["moves"] >= MAX_MOVES:
        return True
    if table["phase"] == "last sale":
        return bool(table["closing"] == 0)
    return not any(buys(table, seat) or sales(table, seat) for seat in SEATS)


def end_round(table: Position, deal: Callable[[], Columns]) -> None:
    """The money is the result: count the round, then end the game or lay out the next one."""
    table["closing"] = 0
    series, money = table["series"], table["money"]
    for seat in SEATS:
        series["wins"][seat] += int(money[seat] > money[1 - seat])
        series["totals"][seat] += money[seat] - MONEY_AT_START
    table["over"] = game_is_over(table)
    table["scores"] = score(table)
    if table["over"]:
        table["turn"] = None
        table["phase"] = "over"
        table["winners"] = [seat for seat in SEATS if table["scores"][seat] == max(table["scores"])]
    else:
        table["round"] += 1
        lay_out(table, deal(), starter=1 - table["starter"])


def game_is_over(table: Position) -> bool:
    series = table["series"]
    if table["round"] == MAX_ROUNDS or series["kind"] == "single":
        return True
    if series["kind"] == "best_of":
        return bool(2 * max(series["wins"]) > series["rounds"])
    return bool(table["round"] == series["rounds"])


def score(position: Position) -> list[int]:
    """Finished rounds only: the money (single), rounds won (best_of), sums of profits (total)."""
    kind = position["series"]["kind"]
    if kind == "best_of":
        return list(position["series"]["wins"])
    if kind == "total":
        return list(position["series"]["totals"])
    return list(position["money"]) if position["over"] else [0, 0]


# 6. What each player sees


def view(position: Position, seat: int | None) -> Position:
    """All but the other's money; a spectator sees nobody's. Everything if it is open, or over."""
    if position["over"] or position["options"]["open_money"]:
        return position
    return position | {"money": [position["money"][s] if s == seat else "?" for s in SEATS]}
