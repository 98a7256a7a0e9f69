"""Change one rule in the twin, and the comparison of the twins must notice."""

import pytest

from tests.games.kazink import test_twin
from tests.games.mutants import Mutants, expect_notice

MUTANTS: Mutants = {
    "a suit card goes on any opponent's chip": (
        '(covered or top(position, space) in ("", own(position)))',
        "True",
    ),
    "crowned spaces don't count as covered [Z1]": (
        "covered = all(top(position, space) for space in spaces)",
        'covered = all(top(position, space) and space not in position["crowns"] for space in spaces)',
    ),
    "a suit card goes on empty spaces only": ('in ("", own(position)))', 'in ("",))'),
    "a dead card may be discarded beside a playable one [Z2]": (
        '    return moves or [f"discard {card}" for card in hand]',
        '    moves += [f"discard {card}" for card in hand if moves and is_dead(position, card)]\n'
        '    return moves or [f"discard {card}" for card in hand]',
    ),
    "chips below the top three matter for a crown [Z3]": (
        "if len(chips) >= 3 and len(set(chips[-3:])) == 1:",
        "if len(chips) >= 3 and len(set(chips)) == 1:",
    ),
    "a shift goes onto an empty space [Z4]": (
        "        for target in mine\n",
        "        for target in [*mine, *(s for s in uncrowned(position) if not top(position, s))]\n",
    ),
    "three chips make no crown [Z5]": (
        "if len(chips) >= 3 and len(set(chips[-3:])) == 1:",
        "if len(chips) >= 4 and len(set(chips[-4:])) == 1:",
    ),
    "two rows win for a team [Z6]": ('return 3 if position["players"] == 4 else 2', "return 2"),
    "out of chips a double-up may be discarded [Z7]": (
        'return ["U" if card == "U" else f"discard {card}" for card in hand]',
        'return [*("U" for card in hand if card == "U"), *(f"discard {card}" for card in hand)]',
    ),
    "the card just laid down isn't shuffled in [Z8]": (
        'table["deck"], table["discard"] = shuffled(table["discard"]), []',
        'table["deck"], table["discard"] = shuffled(table["discard"][:-1]), table["discard"][-1:]',
    ),
    "an empty deck stays empty [Z8]": ('if not table["deck"] and table["discard"]:', "if False:"),
    "partners see each other's hands [Z9]": (
        "hands = [hand if s == seat else",
        'hands = [hand if s == seat or (position["players"] == 4 and seat in (s - 2, s + 2)) else',
    ),
    "the bordered row is there for two [Z10]": (' - (position["players"] == 2)', ""),
    "a double-up without a shift goes straight to place [Z11]": (
        'return [*shifts(position), "stay"]',
        'return [*shifts(position), "stay"] if shifts(position) else ["place a1"]',
    ),
    "a win makes swapped false [Z12]": (
        '    table["over"] = True\n    table["phase"] = "over"',
        '    table["over"] = True\n    table["swapped"] = False\n    table["phase"] = "over"',
    ),
    "a win makes idle 0 [Z12]": (
        '    table["over"] = True\n    table["phase"] = "over"',
        '    table["idle"] = 0 if someone_has_won(table) else table["idle"]\n'
        '    table["over"] = True\n    table["phase"] = "over"',
    ),
    "skipped seats don't count as idle [Z13]": (
        '        table["idle"] += 1\n        table["turn"] =',
        '        table["turn"] =',
    ),
    "the game goes on when all are idle [Z13]": (
        '    if table["idle"] == table["players"]:\n        end_game(table)\n',
        "",
    ),
    "the last seat is of the other team": (
        'return "YB"[seat % 2] if position["players"] == 4',
        'return "YBYY"[seat] if position["players"] == 4',
    ),
    "a pool is divided all the same [Z14]": (
        'bool(position["players"] == 4 and position["options"]["pool"] == "divided")',
        'bool(position["players"] == 4)',
    ),
    "partners share what they have divided": (
        'int(position["seat_chips"][seat] if divides(position) else colour_chips(position, seat))',
        "colour_chips(position, seat)",
    ),
    "a partner pays with every chip": (
        'table["seat_chips"][table["turn"]] -= 1',
        'table["seat_chips"][table["turn"] - 2] -= 1',
    ),
    "a shift costs a chip": (
        '    chips = table["board"][source]\n',
        '    chips = table["board"][source]\n    table["seat_chips"][table["turn"]] -= 1\n',
    ),
    "a swap is offered twice a turn [Z15]": ('    if position["swapped"]:\n        return []\n', ""),
    "no swap without chips [Z15]": (
        'if position["swapped"]:',
        'if position["swapped"] or chips_of(position, position["turn"]) == 0:',
    ),
    "swapped stays for the next player [Z15]": (
        '    table["phase"] = "turn"\n    table["swapped"] = False\n',
        '    table["phase"] = "turn"\n',
    ),
    "out of chips a double-up is the only move [Z16]": (
        'return ["U" if card == "U" else f"discard {card}" for card in hand]',
        'return ["U"] if "U" in hand else [f"discard {card}" for card in hand]',
    ),
    "a board full of crowns isn't the end [Z17]": (
        "if someone_has_won(table) or not uncrowned(table):",
        "if someone_has_won(table):",
    ),
    "rows don't decide between equal crowns [Z18]": (
        '    best = max(table["scores"])\n'
        '    table["winners"] = [seat for seat, points in enumerate(table["scores"]) if points == best]',
        '    crowns = [points // 100 for points in table["scores"]]\n'
        '    table["winners"] = [seat for seat, own in enumerate(crowns) if own == max(crowns)]',
    ),
    "a crown card makes no crown": ("    if crowned:\n", "    if False:\n"),
    "only one chip is shifted": ("for count in (1, 2)", "for count in (1,)"),
    "diagonals are no rows": (
        "    for across, down in DIRECTIONS:",
        "    for across, down in ((1, 0), (0, 1)):",
    ),
    "every crown beyond the second is a row": ("rows += (length - 1) // 2", "rows += max(0, length - 2)"),
    "three rows win for anybody": ('return 3 if position["players"] == 4 else 2', "return 3"),
    "the cap is a move later": ("MAX_MOVES = 2000", "MAX_MOVES = 2001"),
    "a row counts 10": ("100 * crowns + rows +", "100 * crowns + 10 * rows +"),
    "hands aren't sorted": ("return sorted(cards, key=CARD_ORDER.index)", "return list(cards)"),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_misreading_is_noticed(mutant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expect_notice(monkeypatch, test_twin, MUTANTS[mutant])
