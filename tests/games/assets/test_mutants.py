"""Change one rule in the twin, and the comparison of the twins must notice."""

import pytest

from tests.games.assets import test_twin
from tests.games.mutants import Mutants, expect_notice

MUTANTS: Mutants = {
    "the victim draws first [A1]": (
        "    refill(table, actor)\n    if victim is not None:\n        refill(table, victim)\n",
        "    if victim is not None:\n        refill(table, victim)\n    refill(table, actor)\n",
    ),
    "with too few cards nobody draws [A2]": (
        "def refill(table: Position, seat: int) -> None:\n",
        "def refill(table: Position, seat: int) -> None:\n"
        '    if len(table["deck"]) < table["limits"][seat] - len(table["hands"][seat]):\n        return\n',
    ),
    "a discarded wild goes under the pile [A3]": (
        'table["discard"].append(from_hand(table, seat, card))',
        'table["discard"].insert(0 if is_wild(card) else 999, from_hand(table, seat, card))',
    ),
    "nothing beats gold in a duel [A4]": (
        "for card in hand_of(position) if fits(top_set, card)}",
        'for card in hand_of(position) if fits(top_set, card) and "gold" not in sum(duel["shown"], [])}',
    ),
    "who can answer must [A5]": ('return [*sorted(shown), "yield"]', 'return sorted(shown) or ["yield"]'),
    "only the two see the cards of a duel [A6]": (
        '    return position | {"hands": hands,',
        '    if position["duel"] and seat not in (position["duel"]["thief"], position["duel"]["victim"]):\n'
        '        position = position | {"duel": None}\n'
        '    return position | {"hands": hands,',
    ),
    "a pair must be laid [A7]": (
        "return sorted({*pairs(position), *takes",
        "return pairs(position) or sorted({*takes",
    ),
    "a victim with an empty hand is asked [A8]": ('    if table["hands"][victim]:\n', "    if True:\n"),
    "a victim without a fitting card loses at once [A8]": (
        '    if table["hands"][victim]:\n',
        '    if any(fits(table["stacks"][victim][-1], card) for card in table["hands"][victim]):\n',
    ),
    "a tie after the last round goes on [A9]": (
        'if table["round"] in (options["rounds"], MAX_ROUNDS):\n        return True',
        'if table["round"] in (options["rounds"], MAX_ROUNDS):\n        return scores.count(max(scores)) < 2',
    ),
    "a round is over when one hand is empty [A10]": ('not any(table["hands"])', 'not all(table["hands"])'),
    "who has no card isn't skipped [A11]": ('        if table["hands"][seat]:\n', "        if True:\n"),
    "the next is left of the victim [A11]": (
        "        refill(table, victim)\n    next_turn(table, actor)",
        "        refill(table, victim)\n    next_turn(table, actor if victim is None else victim)",
    ),
    "at the limit of moves the thief has the set [A12]": (
        "def end_round(table: Position, next_deck: Callable[[], Deck]) -> None:\n",
        "def end_round(table: Position, next_deck: Callable[[], Deck]) -> None:\n"
        '    if table["duel"]:\n        stacks, duel = table["stacks"], table["duel"]\n'
        '        stacks[duel["thief"]].append(stacks[duel["victim"]].pop())\n',
    ),
    "two wilds make a pair": (
        "    if is_wild(one) and is_wild(other):\n        return False\n",
        "",
    ),
    "a single set can be stolen": ("len(stack) >= 2", "len(stack) >= 1"),
    "a thief needs no set": ('    if not position["stacks"][thief]:\n        return []\n', ""),
    "a wild doesn't fit a set": (
        'return is_wild(card) or bool(card == top_set["asset"])',
        'return bool(card == top_set["asset"])',
    ),
    "the set stays with the victim": ("    if thief_wins:\n", "    if False:\n"),
    "the victim gets a lost duel's cards back": (
        '[*top_set["cards"], *duel["shown"][0], *duel["shown"][1]]',
        '[*top_set["cards"], *duel["shown"][0]]',
    ),
    "wilds count nothing": (
        'for card in one_set["cards"]) for stack',
        'for card in one_set["cards"] if not is_wild(card)) for stack',
    ),
    "the home costs 25,000": ('"home": (20000, 8)', '"home": (25000, 8)'),
    "a tie at the target ends the game": (
        'best >= options["target"] and scores.count(best) == 1',
        'best >= options["target"]',
    ),
    "the same deals again": (
        'table["dealer"] = (table["dealer"] + 1) %',
        'table["dealer"] = table["dealer"] %',
    ),
    "the dealer begins": (
        'table["turn"] = (table["dealer"] + 1) % players',
        'table["turn"] = table["dealer"]',
    ),
    "a round of 2001 moves": ("MAX_MOVES = 2000", "MAX_MOVES = 2001"),
    "who forgets to draw draws next time": ('table["limits"][seat] = len(table["hands"][seat])', "pass"),
    "nobody forgets to draw": ('return ["draw", "forget"] if', 'return ["draw"] if'),
    "hands stay hidden when it is over": ('    if position["over"]:\n        return position\n', ""),
    "a spectator sees the hands": ("hand if owner == seat else", "hand if seat in (owner, None) else"),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_misreading_is_noticed(mutant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expect_notice(monkeypatch, test_twin, MUTANTS[mutant])
