"""What Cover Your Assets refuses, for the tests that are the same in every game."""

from typing import Any

from tests.games.assets.naive import Position
from tests.games.assets.positions import duel, finished, position
from tests.games.bad_input import HUGE, Cases, Refused

STACKS = ["bank bank", "coins coins | home home"]
FORGETFUL = {"forgetful": True}


def fresh(**changes: Any) -> Position:
    return position(["home auto bank gold", "piggy piggy"], STACKS, **changes)


def fighting(**changes: Any) -> Position:
    fight: dict[str, Any] = {"turn": 1, "phase": "duel", "duel": duel(0, 1, "home")}
    return position(["auto", "home piggy"], STACKS, **fight | changes)


def drawing(**changes: Any) -> Position:
    return position(["auto", "home piggy"], STACKS, **{"phase": "draw", "options": FORGETFUL} | changes)


REFUSED: Refused = {
    "two wilds": (fresh(), "pair silver gold", "two-wilds", "pair"),
    "a wild on the pile with a wild": (fresh(), "take gold with silver", "two-wilds", "pair"),
    "the wild first": (fresh(), "pair gold home", "asset-first", "notation"),
    "unlike cards": (fresh(), "pair home auto", "unequal", "pair"),
    "unlike cards with the pile": (fresh(), "take home with auto", "unequal", "pair"),
    "from a seat no game has": (fresh(), "steal p7 with home", "no-such-seat", "notation"),
    "a pair it has not": (fresh(), "pair jewels jewels", "not-in-hand", "pair"),
    "a wild it has not": (fresh(), "pair home silver", "not-in-hand", "pair"),
    "one card as two": (fresh(), "pair home home", "held-once", "pair"),
    "discards what it has not": (fresh(), "discard jewels", "not-in-hand", "discard"),
    "a card of the other deck": (fresh(), "discard cabin", "not-in-deck", "components"),
    "from an empty pile": (fresh(), "take home with home", "pile-empty", "take"),
    "not on top": (fresh(discard="piggy"), "take home with home", "not-on-top", "take"),
    "takes with what it has not": (fresh(discard="jewels"), "take jewels with jewels", "not-in-hand", "take"),
    "steals from itself": (fresh(), "steal p0 with home", "own-set", "steal"),
    "steals from nobody": (fresh(), "steal p3 with home", "nobody-there", "steal"),
    "shows what does not fit": (fresh(), "steal p1 with auto", "does-not-fit", "steal"),
    "shows what it has not": (fresh(), "steal p1 with silver", "not-in-hand", "steal"),
    "the bottom set": (fresh(turn=1), "steal p0 with piggy", "bottom-is-safe", "steal"),
    "steals without a set": (
        position(["home", "piggy"], ["", STACKS[1]]),
        "steal p1 with home",
        "no-set-yet",
        "steal",
    ),
    "defends nothing": (fresh(), "defend with home", "no-duel", "steal"),
    "yields nothing": (fresh(), "yield", "no-duel", "steal"),
    "draws by hand": (fresh(), "draw", "draws-itself", "draw"),
    "forgets too early": (fresh(options=FORGETFUL), "forget", "act-first", "forgetful"),
    "discards in a duel": (fighting(), "discard home", "duel-first", "steal"),
    "draws in a duel": (fighting(), "draw", "duel-first", "steal"),
    "presses as the victim": (fighting(), "press with home", "defend-instead", "steal"),
    "defends with what does not fit": (fighting(), "defend with piggy", "does-not-fit", "steal"),
    "defends with what it has not": (fighting(), "defend with gold", "not-in-hand", "steal"),
    "defends as the thief": (
        fighting(turn=0, duel=duel(0, 1, "home", "gold")),
        "defend with home",
        "press-instead",
        "steal",
    ),
    "acts before drawing": (drawing(), "discard auto", "draw-first", "forgetful"),
    "forgets with an empty hand": (
        position(["", "piggy"], phase="draw", options=FORGETFUL),
        "forget",
        "forget-empty",
        "forgetful",
    ),
}

CASES = Cases(
    right=(
        fresh(),
        fighting(),
        drawing(),
        finished(),
    ),
    wrong_values={
        "game": [7, None, "kaching"],
        "options": [None, [], 3],
        "players": [0, 1, 3, 7, "2", 2.0, True, None],
        "round": [0, -1, 101, "1", 1.0, True, None, HUGE],
        "turn": [2, -1, "p0", 0.0, True, None, HUGE],
        "phase": ["sale", "duel", "draw", "over", 0, None],
        "scores": [[0], [0, 0, 0], [-5000, 0], [0.0, 0], ["0", 0], [True, 0], None, [0, HUGE], [1000000, 0]],
        "over": [0, 1, None, "false", True],
        "winners": [[0], None, 0, [False], ""],
        "moves": [-1, 2000, "0", 0.0, False, None, HUGE],
        "hands": [None, {}, [], [[]], [[], []], [["home"], "piggy"], [["home"] * 5, []], [["?"], ["piggy"]]],
        "stacks": [None, {}, [], [[]], [[], 0], [[[]], []], [["home"], []], [[{}], []]],
        "deck": [None, {}, "home", ["?"], [["home"]], [1], [], ["home"] * 200],
        "discard": [None, {}, "home", ["?"], ["house"], ["home"] * 200],
        "limits": [None, [4], [4, 4, 4], [4, 3], [0, 4], [5, 5], [4.0, 4], [True, 4]],
        "dealer": [None, -1, 2, "random", True, 0.0],
        "duel": [{}, [], 0, duel(0, 1, "home"), "none"],
    },
    also_named={
        "phase": ["over", "turn", "duel"],
        "over": ["phase", "turn"],
        "hands": ["deck"],
        "stacks": ["deck"],
        "players": ["scores", "hands", "stacks", "limits"],
    },
    wrong_ends=[
        ({"turn": 0}, ["turn"]),
        ({"phase": "turn"}, ["phase", "over", "turn"]),
        ({"over": False}, ["over"]),
        ({"winners": []}, ["winners"]),
        ({"winners": [0, 1]}, ["winners"]),
        ({"duel": duel(0, 1, "home")}, ["duel"]),
    ],
    wrong_options=[
        {"target": 0},
        {"target": -1},
        {"target": "1000000"},
        {"target": None},
        {"target": HUGE},
        {"rounds": 0},
        {"rounds": 101},
        {"rounds": True},
        {"rounds": "1"},
        {"hand": 3},
        {"hand": 6},
        {"hand": 4.0},
        {"hand": None},
        {"deck": "third"},
        {"deck": 1},
        {"dealer": 2},
        {"dealer": -1},
        {"dealer": None},
        {"dealer": False},
        {"forgetful": 1},
        {"forgetful": "false"},
        {"seats": 2},
    ],
    no_moves=(
        "pair, pair home, pair home home home, pair ? ?, pair Home Home, pair home  home, "
        "take home, take home home, take home with ?, discard, discard ?, discard house, "
        "steal p1, steal 1 with home, steal p6 with home, steal p-1 with home, "
        "steal p01 with home, defend, defend home, defend with ?, press with, yield 1, pass, "
        "draw 1"
    ),
    refused=REFUSED,
)
