"""Change one rule in the twin, and the comparison of the twins must notice."""

import pytest

from tests.games.match import test_twin
from tests.games.mutants import Mutants, expect_notice

MUTANTS: Mutants = {
    "covered cards bind, too [M1]": (
        'return [pile[-1] for pile in position["collections"][seat].values()]',
        'return [card for pile in position["collections"][seat].values() for card in pile]',
    ),
    "a joker is no answer to a collection that binds [M2]": (
        'moves += [f"wild {call}" for call in CALLS]',
        'moves += [f"wild {call}" for call in CALLS if not bound]',
    ),
    "a call ends when somebody collects [M3]": (
        "            draw(table, seat, chance)",
        '            draw(table, seat, chance)\n            table["called"] = None',
    ),
    "a joker can't be the last card [M4]": (
        'moves += [f"wild {call}" for call in CALLS]',
        'moves += [f"wild {call}" for call in CALLS if len(position["hands"][seat]) > 1]',
    ),
    "who has nothing to draw and no hand plays on [M5]": (
        'if not hand or table["moves"] == MAX_MOVES:',
        'if (not hand and table["deck"]) or table["moves"] == MAX_MOVES:',
    ),
    "the top discard is drawn if there is nothing else [M5]": (
        'if not table["deck"] and len(table["discard"]) > 1:',
        'if not table["deck"] and table["discard"]:',
    ),
    "a round never costs points [M6]": (
        "sum(value(card) for pile in collection.values() for card in pile) - sum(map(value, hand))",
        "max(0, sum(value(card) for pile in collection.values() for card in pile) - sum(map(value, hand)))",
    ),
    "views hide what is buried, as the table does [M9]": (
        'return position | {"hands": hands, "deck": ["?"] * len(position["deck"])}',
        'tops = [{c: ["?"] * (len(p) - 1) + p[-1:] for c, p in own.items()}\n'
        '            for own in position["collections"]]\n'
        '    return position | {"hands": hands, "deck": ["?"] * len(position["deck"]), "collections": tops}',
    ),
    "of equal totals the first wins [M7]": (
        '[player for player, total in enumerate(table["scores"]) if total == best]',
        '[table["scores"].index(best)]',
    ),
    "a fitting card must be played [M8]": (
        "elif not bound:",
        "elif not bound and not any(fits(position, other) for other in hand):",
    ),
    "only the colour fits": ("else set(top)", "else {top[0]}"),
    "a joker on top fits everything": ('{position["called"]} if top == JOKER', "set(CALLS) if top == JOKER"),
    "only colours are called": ("CALLS = [*COLOURS, *NUMBERS]", "CALLS = [*COLOURS]"),
    "a collection that binds doesn't forbid collecting": ("elif not bound:", "else:"),
    "what was called stays when a card of the collection covers the joker": (
        'table["called"] = None\n        case ["wild"',
        'pass\n        case ["wild"',
    ),
    "who matches draws, too": (
        'table["called"] = None\n        case ["wild"',
        'table["called"] = None\n            draw(table, seat, chance)\n        case ["wild"',
    ),
    "a joker costs 20": ("return 10 if card == JOKER", "return 20 if card == JOKER"),
    "only top cards of a collection count": (
        "for pile in collection.values() for card in pile)",
        "for pile in collection.values() for card in pile[-1:])",
    ),
    "the target must be exceeded": (
        'best >= table["options"]["target"]',
        'best > table["options"]["target"]',
    ),
    "the next seat begins the next round": (
        "lay_out(table, chance.deal(), seat)",
        'lay_out(table, chance.deal(), (seat + 1) % table["players"])',
    ),
    "to the right": ('(seat + 1) % table["players"]', '(seat - 1) % table["players"]'),
    "a round of 1001 moves": ("MAX_MOVES = 1000", "MAX_MOVES = 1001"),
    "a game of 101 rounds": ("MAX_ROUNDS = 100", "MAX_ROUNDS = 101"),
    "the number of rounds doesn't matter": ('(table["options"]["rounds"], MAX_ROUNDS)', "(MAX_ROUNDS,)"),
    "a spectator sees the hands": ("hand if s == seat else", "hand if s == seat or seat is None else"),
    "hands stay hidden when it is over": ('    if position["over"]:\n        return position\n', ""),
    "the deck is seen": ('"deck": ["?"] * len(position["deck"])', '"deck": position["deck"]'),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_misreading_is_noticed(mutant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expect_notice(monkeypatch, test_twin, MUTANTS[mutant])
