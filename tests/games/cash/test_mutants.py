"""Change one rule in the twin, and the comparison of the twins must notice."""

import pytest

from tests.games.cash import test_twin
from tests.games.mutants import Mutants, expect_notice

MUTANTS: Mutants = {
    "a firm stays for the next round [C1]": (
        'table["firms"] = [empty_firm(',
        'table["firms"] = table["firms"] or [empty_firm(',
    ),
    "the million ends a round [C2]": (
        'if stopped or table["moves"] == MAX_MOVES:',
        'if stopped or table["moves"] == MAX_MOVES or max(table["scores"]) >= 90_000:',
    ),
    "lost turns don't add up [C3]": ('table["lost"][rival] += turns', 'table["lost"][rival] = turns'),
    "who has a turn to lose passes no cards [C3]": (
        'if len(chosen) < passing["count"] and table["hands"][seat]:',
        'if len(chosen) < passing["count"] and table["hands"][seat] and not table["lost"][seat]:',
    ),
    "an extra turn brings no further one [C4]": (
        '    table["extra"] = False\n    if move == "again":\n        begin_turn',
        '    table["extra"] = False\n    if move == "again" and table["moves"] % 2:\n        begin_turn',
    ),
    "ventures stack [C5]": (
        'figure = tabled * (2 if firm["venture"] else 1)',
        'figure = tabled * (1 + firm["venture"])',
    ),
    "taxmen on one firm stack [C6]": (
        "            results[owner] += tenth\n",
        '            results[owner] += tenth * firm["taxman"]\n',
    ),
    "each taxman acts on what the one before has left [C6]": (
        "tenth = figures[payer] // 10\n            assert 10 * tenth == figures[payer]",
        "tenth = results[payer] // 10",
    ),
    "bear cards discarded in the hand step do nothing [C7]": (
        'if card in BEARS and table["firms"][seat]["license"]:',
        "if False:",
    ),
    "commissions in the hand step work [C7]": (
        '    if table["phase"] == "trim":\n        hand_step',
        '    if card in COMMISSION and table["firms"][seat]["license"]:\n'
        "        discard_card(table, seat, card, [], chance)\n"
        '    if table["phase"] == "trim":\n        hand_step',
    ),
    "a bear card thrown away by bankruptcy costs a turn [C8]": (
        '    table["lost"][seat] += 2',
        '    table["lost"][seat] += 2 + ("crash" in discard[-len(table["hands"][seat]):])',
    ),
    "passing to the left [C9]": (
        'return (seat - 1) % int(table["players"])',
        'return (seat + 1) % int(table["players"])',
    ),
    "investigated rivals are spared by a commission [C10]": (
        'if wanted not in table["firms"][rival]["cash"]:',
        'if wanted not in table["firms"][rival]["cash"] and not table["firms"][rival]["probe"]:',
    ),
    "the lowest is the highest [C11]": ('list(firm["cash"][:1])', 'list(firm["cash"][-1:])'),
    "the highest is the lowest [C11]": ('list(firm["cash"][-1:])', 'list(firm["cash"][:1])'),
    "an insurance may be exceeded [C12]": (
        "if sum(map(value, choice)) <= limit]",
        "if sum(map(value, choice)) <= 2 * limit]",
    ),
    "a venture can be played without the fee [C13]": (
        'if card == "venture" and FEE in firm["cash"]:',
        'if card == "venture":',
    ),
    "a takeover costs two fees [C14]": (
        'if card == "takeover" and FEE in firm["cash"]:',
        'if card == "takeover" and firm["cash"].count(FEE) > 1:',
    ),
    "stop can't be played in the first turn [C15]": (
        'if card in ("stop", "taxman", *CASH):',
        'if card in ("taxman", *CASH) or (card == "stop" and position["moves"] > 5):',
    ),
    "an investigated player's dividend lifts nothing [C16]": (
        'elif card in ("dividend", "premium"):\n        lift_probe(table, firm)',
        'elif card in ("dividend", "premium"):',
    ),
    "anybody can be investigated [C17]": (
        'for rival in rivals(position, seat) if is_free(position["firms"][rival])]',
        "for rival in rivals(position, seat)]",
    ),
    "a license that came by a trade waits for the next turn [C18]": (
        'return ["play license"] if card == "license" else []',
        'return ["play license"] if card == "license" and not position["offers"] else []',
    ),
    "a bear card hurts without a license [C19]": (
        '        if table["firms"][seat]["license"]:\n            discard_card',
        '        if table["firms"][seat]["license"] or card in BEARS:\n            discard_card',
    ),
    "with two players nothing is passed [C20]": (
        'put(table["hands"][right_of(table, seat)], chosen)',
        'put(table["hands"][right_of(table, seat) if table["players"] > 2 else seat], chosen)',
    ),
    "any acquittal lifts an investigation [C21]": (
        'if card.startswith("clear-") and firm["probe"] == card.replace("clear", "probe"):',
        'if card.startswith("clear-"):',
    ),
    "insured cash counts nothing without a license [C22]": (
        'for insured in firm["insured"] for card in insured["cash"])\n',
        'for insured in firm["insured"] for card in insured["cash"] if firm["license"])\n',
    ),
    "no trade after the one card [C23]": (
        'position["offers"] < position["options"]["offers"]:\n        moves +=',
        'position["offers"] < position["options"]["offers"] and not position["acted"]:\n        moves +=',
    ),
    "an investigated firm trades [C24]": (
        'return firm["license"] and firm["probe"] is None',
        'return firm["license"]',
    ),
    "the broker takes 50 [C25]": ('"broker": ("cash-25", 1)', '"broker": ("cash-50", 1)'),
    "an extra turn in spite of a lost one [C26]": (
        'if table["extra"] and not table["lost"][seat]:',
        'if table["extra"]:',
    ),
    "no extra turn if nothing was taken [C26]": (
        '        table["extra"] = True',
        '        table["extra"] = len(firm["cash"]) > 1',
    ),
    "a commission lifts an investigation [C27]": (
        'elif card in COMMISSION and not firm["probe"]:',
        "elif card in COMMISSION:\n        lift_probe(table, firm)",
    ),
    "probes stay [C28]": ('    firm["probe"] = None', "    pass"),
    "cash can be played without a license [C29]": (
        'return ["play license"] if card == "license" else []',
        'return [f"play {card}"] if card in ("license", *CASH) else []',
    ),
    "a lost turn has a draw [C30]": (
        '        table["lost"][seat] -= 1\n        seat =',
        '        table["lost"][seat] -= 1\n        draw(table, seat, chance.shuffled)\n        seat =',
    ),
    "after a bear card in the hand step the turn is over [C31]": (
        '    if passing["trim"]:\n        hand_step(table, table["turn"], chance)',
        '    if passing["trim"]:\n        end_turn(table, table["turn"], chance)',
    ),
    "a commission spares rivals without a license [C32]": (
        'if wanted not in table["firms"][rival]["cash"]:',
        'if wanted not in table["firms"][rival]["cash"] and table["firms"][rival]["license"]:',
    ),
    "playing a license isn't the one card [C33]": (
        'table["acted"] = True\n        card = words[1]',
        'card = words[1]\n        table["acted"] = move != "play license"',
    ),
    "lost turns carry over [C34]": (
        'table["lost"] = [0] * table["players"]',
        'table["lost"] = table["lost"] or [0] * table["players"]',
    ),
    "cards chosen for passing are gone at the limit of moves [C35]": (
        'return in_order([*position["hands"][seat], *chosen])',
        'return in_order(position["hands"][seat])',
    ),
    "nobody can be spared": (
        'if table["options"]["spare"] and payers(table):',
        "if False:",
    ),
    "the spared may be named in any order": ("if rival > last)]", "if rival not in position['spared'])]"),
    "who is spared pays all the same": ('if rival not in table["spared"]:', "if True:"),
    "firm cards move only between licensed firms": (
        'free or position["options"]["firm_trades"] == "any"',
        "free",
    ),
    "a counter is no offer of the turn": (
        'not offer["counter"])\n        table["offers"] += 1',
        'not offer["counter"])',
    ),
    "after a counter-offer its maker goes on": (
        'offer["to"] if offer["counter"] else offer["from"]',
        'offer["from"]',
    ),
    "stop can't be played": ('if card in ("stop", "taxman", *CASH):', 'if card in ("taxman", *CASH):'),
    "a settlement can't be played": (
        '["play settlement"] if card == "settlement" and firm["cash"] else []',
        "[]",
    ),
    "an offer can't be dropped": ('moves = ["drop"]', "moves = []"),
    "a hand of eight": ("HAND_SIZE = 7", "HAND_SIZE = 8"),
    "one offer more a turn": (
        'position["offers"] < position["options"]["offers"]:\n        moves +=',
        'position["offers"] <= position["options"]["offers"]:\n        moves +=',
    ),
    "three cards a side": ('return 8 if position["options"]["counter"] else 4', "return 3"),
    "seven cards a side": (
        'return 8 if position["options"]["counter"] else 4',
        "return 7 if position['options']['counter'] else 4",
    ),
    "nine cards a side": (
        'return 8 if position["options"]["counter"] else 4',
        "return 9 if position['options']['counter'] else 4",
    ),
    "a tie at the target is forgotten": ('        table["tied"] = True', "        pass"),
    "any tie at the top is remembered": (
        '"tie"] == "next" and reached and len(winners) > 1:',
        '"tie"] == "next" and len(winners) > 1:',
    ),
    "a tie is ended only at the target": ('(reached or table["tied"])', "reached"),
    "a tie ends with a shared win": (
        'last or ((reached or table["tied"]) and len(winners) == 1)',
        'last or table["tied"] or (reached and len(winners) == 1)',
    ),
    "a fee of 50": ('FEE = "cash-25"', 'FEE = "cash-50"'),
    "one card after a recession": ('"recession": 2}', '"recession": 1}'),
    "the banker costs one turn": ('"banker": ("cash-50", 2)', '"banker": ("cash-50", 1)'),
    "bankruptcy does nothing": (
        'BEARS = ["crash", "recession", "bankruptcy"]',
        'BEARS = ["crash", "recession"]',
    ),
    "bankruptcy costs one turn": ('table["lost"][seat] += 2', 'table["lost"][seat] += 1'),
    "acted is forgotten": ('    table["acted"] = False\n    table["offers"] = 0', '    table["offers"] = 0'),
    "offers are forgotten": (
        '    table["acted"] = False\n    table["offers"] = 0',
        '    table["acted"] = False',
    ),
    "cash can't be traded": ('return [*firm["cash"], *["venture"]', 'return [*["venture"]'),
    "covers in the order of playing": ('firm["insured"].sort(key=insured_order)', "pass"),
    "no bear penalties": ("figure -= bears * (2", "figure -= 0 * (2"),
    "third parties see offers": (
        'return offer | {"give": unseen(offer["give"]), "want": unseen(offer["want"])}',
        "return offer",
    ),
    "the other side sees too early": (
        'or (seat == offer["to"] and position["phase"] == "answer"):',
        'or seat == offer["to"]:',
    ),
    "reshuffled too early": (
        '    put(table["hands"][seat], [table["deck"].pop()])',
        '    put(table["hands"][seat], [table["deck"].pop()])\n    if not table["deck"]:\n'
        '        table["deck"], table["discard"] = in_order(table["discard"]), []',
    ),
    "a round of 4999 moves": ("MAX_MOVES = 5000", "MAX_MOVES = 4999"),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_misreading_is_noticed(mutant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expect_notice(monkeypatch, test_twin, MUTANTS[mutant])
