"""What Kazink! refuses, for the tests that are the same in every game."""

from typing import Any

from tests.games.bad_input import HUGE, Cases, Refused
from tests.games.kazink.positions import DEAD_SPADES, NO_CHIPS, crowned, finished, position

SHIFT: dict[str, Any] = {"discard": "U", "phase": "shift"}
PLACE: dict[str, Any] = {"discard": "U", "phase": "place"}

SMALL_FOR_THREE = position("S W", others=["S", "S"], options={"board": "20"})

REFUSED: Refused = {
    # A suit card, a wild, a crown card
    "not in hand": (position("H"), "S a1", "not-in-hand", "turn"),
    "in another hand": (position("H", others=["S"]), "S a1", "not-in-hand", "turn"),
    "no wild": (position("S"), "W a1", "not-in-hand", "turn"),
    "no crown card": (position("S"), "K a1", "not-in-hand", "turn"),
    "no double-up": (position("S"), "U", "not-in-hand", "turn"),
    "another suit's space": (position("S"), "S b1", "other-suit", "play"),
    "on an opponent's": (position("S", {"a1": "YB"}), "S a1", "not-all-covered", "play"),
    "on the other team's": (
        position("S", {"a1": "YB"}, others=["S", "S", "S"]),
        "S a1",
        "not-all-covered",
        "play",
    ),
    "a suit card on a crown": (position("S", crowned("a1")), "S a1", "crowned", "play"),
    "a suit card on another's crown": (position("S", crowned("a1", "B")), "S a1", "crowned", "play"),
    "a wild on a crown": (position("W", {"a1": "Y*"}), "W a1", "crowned", "play"),
    "a crown on a crown": (position("K", {"a1": "Y*"}), "K a1", "crowned", "play"),
    "a suit card on a bordered space": (position("H"), "H a6", "not-in-this-game", "Z10"),
    "a wild on a bordered space": (position("W"), "W a6", "not-in-this-game", "Z10"),
    "on the smaller board's": (position("W", options={"board": "20"}), "W a5", "not-in-this-game", "Z10"),
    "off the smaller board": (SMALL_FOR_THREE, "W a6", "not-on-this-board", "board"),
    "a suit card off it": (SMALL_FOR_THREE, "S a6", "not-on-this-board", "board"),
    "off it with two": (position("W", options={"board": "20"}), "W a6", "not-on-this-board", "board"),
    "shifts off it": (SMALL_FOR_THREE | {"phase": "shift"}, "shift a1 d6 1", "not-on-this-board", "board"),
    "places off it": (SMALL_FOR_THREE | {"phase": "place"}, "place d6", "not-on-this-board", "board"),
    "a card with the partner's chips": (
        position("S", {"a1": "YB" * 18}, others=["S", "S", "S"], seat_chips=[0, 18, 18, 0]),
        "S a4",
        "out-of-chips",
        "Z7",
    ),
    "a card without chips": (position("S", NO_CHIPS), "S a4", "out-of-chips", "Z7"),
    "a wild without chips": (position("W", NO_CHIPS), "W a4", "out-of-chips", "Z7"),
    "a crown card without chips": (position("K", NO_CHIPS), "K a4", "out-of-chips", "Z7"),
    # Swapping and discarding
    "swaps what it has not": (position("H", DEAD_SPADES), "swap S", "not-in-hand", "turn"),
    "swaps what is alive": (position("H", DEAD_SPADES), "swap H", "not-dead", "Z1"),
    "swaps twice": (position("S", DEAD_SPADES, swapped=True), "swap S", "swapped-already", "Z15"),
    "discards what it has not": (position("H"), "discard S", "not-in-hand", "turn"),
    "discards what can be played": (position("S"), "discard S", "can-be-played", "Z2"),
    "discards a dead card beside": (position("S H", DEAD_SPADES), "discard S", "can-be-played", "Z2"),
    # A double-up
    "shifts without": (
        position("U", {"a1": "Y", "b1": "Y"}),
        "shift a1 b1 1",
        "no-double-up-yet",
        "double-up",
    ),
    "stays without": (position("U"), "stay", "no-double-up-yet", "double-up"),
    "places without": (position("U"), "place a1", "no-double-up-yet", "double-up"),
    "plays a card before shifting": (position("S", **SHIFT), "S a1", "shift-first", "Z11"),
    "places before shifting": (position("S", **SHIFT), "place a1", "shift-first", "Z11"),
    "swaps before shifting": (position("S", DEAD_SPADES, **SHIFT), "swap S", "shift-first", "Z11"),
    "shifts to nothing": (position("S", {"a1": "Y"}, **SHIFT), "shift a1 b1 1", "not-onto-yours", "Z4"),
    "shifts to another": (
        position("S", {"a1": "Y", "b1": "YB"}, **SHIFT),
        "shift a1 b1 1",
        "not-onto-yours",
        "Z4",
    ),
    "shifts another's": (
        position("S", {"a1": "YB", "b1": "Y"}, **SHIFT),
        "shift a1 b1 1",
        "not-your-chips",
        "double-up",
    ),
    "shifts from nothing": (
        position("S", {"b1": "Y"}, **SHIFT),
        "shift a1 b1 1",
        "not-your-chips",
        "double-up",
    ),
    "shifts two of one": (
        position("S", {"a1": "BY", "b1": "Y"}, **SHIFT),
        "shift a1 b1 2",
        "only-one-chip",
        "double-up",
    ),
    "shifts from a crown": (
        position("S", crowned("a1") | {"b1": "Y"}, **SHIFT),
        "shift a1 b1 1",
        "crowned",
        "double-up",
    ),
    "shifts to a crown": (
        position("S", crowned("a1") | {"b1": "Y"}, **SHIFT),
        "shift b1 a1 1",
        "crowned",
        "double-up",
    ),
    "shifts off the board": (
        position("S", {"a1": "Y"}, **SHIFT),
        "shift a1 a6 1",
        "not-in-this-game",
        "Z10",
    ),
    "stays after shifting": (position("S", **PLACE), "stay", "place-first", "double-up"),
    "shifts again": (
        position("S", {"a1": "Y", "b1": "Y"}, **PLACE),
        "shift a1 b1 1",
        "place-first",
        "double-up",
    ),
    "plays a card instead": (position("S", **PLACE), "S a1", "place-first", "double-up"),
    "places on a crown": (position("S", crowned("a1"), **PLACE), "place a1", "crowned", "double-up"),
    "places off the board": (position("S", **PLACE), "place a6", "not-in-this-game", "Z10"),
    # What is no move anywhere
    "a double-up with a space": (position("U"), "U a1", "double-up-alone", "notation"),
    "discards a double-up": (position("U", NO_CHIPS), "discard U", "double-up-discarded", "Z7"),
    "swaps a wild": (position("W"), "swap W", "never-dead", "Z1"),
    "no such space": (position("S"), "S e9", "no-such-space", "notation"),
    "shifts three": (position("S", **SHIFT), "shift a1 b1 3", "one-or-two", "double-up"),
    "shifts in place": (position("S", **SHIFT), "shift a1 a1 1", "two-spaces", "double-up"),
    "nonsense": (position("S"), "nonsense", "unknown-move", "notation"),
}

CASES = Cases(
    right=(
        position(),
        position("S", {"a1": "YY", "b2": "Y"}, **SHIFT),
        position("S", {"a1": "YY", "b2": "Y"}, **PLACE),
        finished(),
    ),
    wrong_values={
        "game": [7, None, "kaching", "Kazink!", ["kazink"]],
        "options": [None, [], "random", 3],
        "players": [0, 1, 3, 5, "2", 2.0, True, None, [0, 1]],
        "round": [0, -1, 2, 101, "1", 1.0, True, None, HUGE],
        "turn": [2, -1, "p0", "0", 0.0, True, False, None, [0], HUGE],
        "phase": ["over", "Turn", "trade", "", 0, None, ["turn"]],
        "scores": [
            [0],
            [0, 0, 0],
            [100, 0],
            [0, 1],
            [False, False],
            [0.0, 0.0],
            ["0", "0"],
            None,
            0,
            [0, -HUGE],
        ],
        "over": [0, 1, None, "false", True],
        "winners": [[0], [1], [0, 1], None, 0, [False], "", {}],
        "moves": [-1, 2000, 2001, "0", 0.0, False, None, HUGE],
        "board": [None, [], "a1", 0, {"a1": ""}, {"a1": "YX"}, {"a1": "y"}, {"a1": "R"}, {"a1": None}],
        "crowns": [None, [], "a1", 0, {"a1": "Y"}, {"a1": None}, {"e1": "Y"}],
        "hands": [None, {}, "S", [], [["S"]], [[], [], []], ["", ""], [None, None], [["S"], 0]],
        "deck": [None, {}, "S", 0, [], ["?"], [1, 2], [None]],
        "discard": [None, {}, "S", 0, ["S"], ["?"], [1, 2], [[]]],
        "chips": [None, [], 36, {}, {"Y": 36}, {"Y": 36, "B": 35}, {"Y": 36, "B": 36, "R": 36}],
        "rows": [None, [], 0, {}, {"Y": 0}, {"Y": 0, "B": 1}, {"Y": 0, "B": 0, "R": 0}, {"Y": 0, "B": False}],
        "dealer": [2, -1, "random", "0", True, False, None, 0.0],
        "swapped": [0, 1, None, "false", []],
        "idle": [-1, 2, 3, "0", 0.0, False, None, HUGE],
        "seat_chips": [None, {}, 36, "36", [], [36], [36] * 3, [36, 35], [18, 18], [36.0, 36], [HUGE, 36]],
    },
    also_named={
        "phase": ["over"],
        "over": ["phase", "turn"],
        "players": ["hands", "scores"],
        "board": ["chips"],
        "crowns": ["board"],
        "discard": ["deck"],
    },
    wrong_ends=[
        ({"turn": 0}, ["turn"]),
        ({"phase": "turn"}, ["phase", "over", "turn"]),
        ({"over": False}, ["over", "phase"]),
        ({"winners": []}, ["winners"]),
        ({"winners": [1]}, ["winners"]),
        ({"winners": [0, 1]}, ["winners"]),
        ({"scores": [502, 0]}, ["scores"]),
    ],
    wrong_options=[
        {"board": "25"},
        {"board": 24},
        {"board": None},
        {"board": ""},
        {"dealer": 2},
        {"dealer": -1},
        {"dealer": "0"},
        {"dealer": None},
        {"dealer": True},
        {"hand": 0},
        {"hand": 6},
        {"hand": "3"},
        {"hand": 3.0},
        {"hand": True},
        {"hand": None},
        {"pool": "none"},
        {"pool": "Shared"},
        {"pool": ""},
        {"pool": 18},
        {"pool": True},
        {"pool": None},
        {"target": 50},
    ],
    no_moves=(
        "S, W, K, pass, draw, swap, discard, shift, place, swap ?, S ?, S a7, S e1, S A1, s a1, "
        "S  a1, Sa1, S a1 1, S a1 b2, S a0, S 1a, U a1, u, stay a1, Stay, place a7, place S a1, "
        "place a1 1, crown a1, shift a1 b2, shift a1 b2 0, shift a1 b2 3, shift a1 a1 1, "
        "shift a1 b2 1 1, shift a1 2, swap W, swap U, swap K, swap S S, discard X, discard S H, "
        "S a１"
    ),
    refused=REFUSED,
)
