"""Change one rule in the twin, and the comparison of the twins must notice."""

import pytest

from tests.games.kaching import test_twin
from tests.games.mutants import Mutants, expect_notice

MUTANTS: Mutants = {
    "who can neither buy nor sell has no move [K1]": (
        'buys(position, seat) + sales(position, seat)) or ["pass"]',
        "buys(position, seat) + sales(position, seat))",
    ),
    "the round goes on though nobody can trade [K2]": (
        "return not any(buys(table, seat) or sales(table, seat) for seat in SEATS)",
        "return False",
    ),
    "the round is over as soon as one can't trade [K2]": (
        "return not any(buys(table, seat) or sales(table, seat) for seat in SEATS)",
        "return not all(buys(table, seat) or sales(table, seat) for seat in SEATS)",
    ),
    "passing is always allowed [K3]": (
        'sales(position, seat)) or ["pass"]',
        'sales(position, seat)) + ["pass"]',
    ),
    "the bank has $130 [K4]": (
        'table["money"][seat] += value_of(cards[0]) * value_of(cards[1])',
        'table["money"][seat] += min(value_of(cards[0]) * value_of(cards[1]), 130 - sum(table["money"]))',
    ),
    "prices are paid in coins of two [K5]": (
        'table["money"][seat] -= value_of(card)',
        'table["money"][seat] -= (value_of(card) + 1) // 2 * 2',
    ),
    "no wild in the last sale [K6]": (
        'return [*sales(position, seat), "pass"]',
        'return [*(sale for sale in sales(position, seat) if WILD not in sale), "pass"]',
    ),
    "of equal scores the first wins [K7]": (
        '[seat for seat in SEATS if table["scores"][seat] == max(table["scores"])]',
        '[table["scores"].index(max(table["scores"]))]',
    ),
    "a drawn round counts for both [K7]": (
        "int(money[seat] > money[1 - seat])",
        "int(money[seat] >= money[1 - seat])",
    ),
    "only the free card of a column is seen [K8]": (
        '    return position | {"money"',
        '    columns = [["?"] * len(column[:-1]) + column[-1:] for column in position["columns"]]\n'
        '    return position | {"columns": columns} | {"money"',
    ),
    "who emptied the column goes first in the last sale [K9]": (
        '        table["closing"] = 2',
        '        table["closing"] = 2\n        table["turn"] = 1 - table["turn"]',
    ),
    "the wild counts 3": ("WILD_VALUE = 2", "WILD_VALUE = 3"),
    "the wild can be used again": ('table["wilds"][seat] = False', "pass"),
    "one needs more money than a card costs": ('<= position["money"][seat]', '< position["money"][seat]'),
    "a pair brings its sum": (
        "value_of(cards[0]) * value_of(cards[1])",
        "value_of(cards[0]) + value_of(cards[1])",
    ),
    "a pair is two equal cards": ("if colour_of(a) == colour_of(b)]", "if a == b]"),
    "the wild is no card that is sold": ('table["sold"] += 2', 'table["sold"] += 2 - (WILD in cards)'),
    "the last sale begins with three columns": ("if column) == 2:", "if column) == 3:"),
    "one decision in the last sale": ('table["closing"] = 2', 'table["closing"] = 1'),
    "a round of 201 moves": ("MAX_MOVES = 200", "MAX_MOVES = 201"),
    "a game of 101 rounds": ("MAX_ROUNDS = 100", "MAX_ROUNDS = 101"),
    "a best-of is won only with every round": (
        '2 * max(series["wins"]) > series["rounds"]',
        'max(series["wins"]) == series["rounds"]',
    ),
    "a total ends with a majority": (
        'return bool(table["round"] == series["rounds"])',
        'return bool(2 * max(series["wins"]) > series["rounds"])',
    ),
    "a total counts the money, not the profit": ("+= money[seat] - MONEY_AT_START", "+= money[seat]"),
    "the same player begins again": ('starter=1 - table["starter"])', 'starter=table["starter"])'),
    "money is carried into the next round": (
        'table["money"] = [MONEY_AT_START, MONEY_AT_START]',
        'table["money"] = table["money"] or [20, 20]',
    ),
    "a single game scores while it runs": (
        'return list(position["money"]) if position["over"] else [0, 0]',
        'return list(position["money"])',
    ),
    "a spectator sees the money": ('if s == seat else "?"', 'if s == seat or seat is None else "?"'),
    "money stays hidden when it is over": (
        'if position["over"] or position["options"]["open_money"]:',
        'if position["options"]["open_money"]:',
    ),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_misreading_is_noticed(mutant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expect_notice(monkeypatch, test_twin, MUTANTS[mutant])
