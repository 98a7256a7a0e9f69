"""What MATCH! refuses, for the tests that are the same in every game."""

from tests.games.bad_input import HUGE, Cases, Refused
from tests.games.match.positions import finished, position

REFUSED: Refused = {
    "not in hand": (position("R3", top="R2"), "match R4", "not-in-hand", "match"),
    "in another hand": (position("R3", top="R2", others=["R4"]), "match R4", "not-in-hand", "match"),
    "in the own collection": (position("R3", top="R2", own="R4"), "match R4", "not-in-hand", "match"),
    "does not fit": (position("R3 G5", top="R2"), "match G5", "does-not-fit", "match"),
    "does not fit the call": (position("G5", top="W", called="R"), "match G5", "does-not-fit-call", "M3"),
    "not collected": (position("R3", top="R2"), "match R3 collection", "not-in-collection", "match"),
    "another's": (
        position("R3", top="R2", their=["B2"]),
        "match B2 collection",
        "not-in-collection",
        "match",
    ),
    "buried": (position("R3", top="R2", own="B2 B5"), "match B2 collection", "buried", "M1"),
    "top does not fit": (position("R3", top="R2", own="B5"), "match B5 collection", "does-not-fit", "match"),
    "collects what it has not": (position("R3", top="R2"), "collect G5", "not-in-hand", "collect"),
    "collects what fits": (position("R3", top="R2"), "collect R3", "fits", "collect"),
    "collects what fits the call": (position("G5", top="W", called="5"), "collect G5", "fits", "collect"),
    "bound": (position("R1 G5", top="R3", own="B3"), "collect G5", "collection-binds", "M1"),
    "bound by a call": (
        position("G5", top="W", called="B", own="B3"),
        "collect G5",
        "collection-binds",
        "M1",
    ),
    "no joker": (position("R3", top="R2", others=["W"]), "wild R", "no-joker", "match"),
    # What is no move anywhere
    "a joker without a call": (position("W"), "match W", "say-the-call", "notation"),
    "wild without a call": (position("W"), "wild", "say-the-call", "notation"),
    "collects a joker": (position("W"), "collect W", "joker-collected", "collect"),
    "nonsense": (position(), "nonsense", "unknown-move", "notation"),
}

CASES = Cases(
    right=(
        position(),
        position("R3 G5 W", own="B2"),
        finished(),
    ),
    wrong_values={
        "game": [7, None, "kaching", "MATCH!", ["match"]],
        "options": [None, [], "random", 3],
        "players": [0, 1, 3, 7, "2", 2.0, True, None, [0, 1]],
        "round": [0, -1, 101, "1", 1.0, True, None, HUGE],
        "turn": [2, -1, "p0", "0", 0.0, True, False, None, [0], HUGE],
        "phase": ["over", "Play", "trade", "", 0, None, ["play"]],
        "scores": [
            [0],
            [0, 0, 0],
            [50, 0],
            [False, False],
            [0.0, 0.0],
            ["0", "0"],
            None,
            0,
            [0, -HUGE],
            [0, -(10**6)],
        ],
        "over": [0, 1, None, "false", True],
        "winners": [[0], [1], [0, 1], None, 0, [False], "", {}],
        "moves": [-1, 1000, 1001, "0", 0.0, False, None, HUGE],
        "hands": [None, {}, "R1", [], [["R1"]], [[], [], []], ["", ""], [None, None], [["R1"], 0]],
        "collections": [None, {}, [], [{}], [{}, {}, {}], [[], []], ["", ""], [None, None], [{}, 0]],
        "deck": [None, {}, "R1", 0, [], ["?"], [1, 2], [None]],
        "discard": [None, {}, "R1", 0, [], ["?"], [1, 2], [[]]],
        "called": ["R", "3", "W", "r", "6", "", 3, True, False, ["R"]],
        "starter": [2, -1, "random", "0", True, False, None, 0.0],
    },
    also_named={"phase": ["over"], "over": ["phase", "turn"], "players": ["hands", "scores"]},
    wrong_ends=[
        ({"turn": 0}, ["turn"]),
        ({"phase": "play"}, ["phase", "over", "turn"]),
        ({"over": False}, ["over", "phase"]),
        ({"winners": []}, ["winners"]),
        ({"winners": [1]}, ["winners"]),
        ({"winners": [0, 1]}, ["winners"]),
        ({"scores": [17, 52]}, ["winners"]),
    ],
    wrong_options=[
        {"target": 9},
        {"target": 501},
        {"target": "50"},
        {"target": None},
        {"target": 50.0},
        {"target": True},
        {"rounds": 0},
        {"rounds": 101},
        {"rounds": "3"},
        {"rounds": False},
        {"starter": 2},
        {"starter": -1},
        {"starter": "0"},
        {"starter": None},
        {"starter": True},
        {"series": "single"},
    ],
    no_moves=(
        "match, collect, wild, match ?, collect ?, wild ?, pass, draw, match W, "
        "match W collection, collect W, wild W, wild 6, wild -1, wild r, wild R3, match R6, "
        "match X1, match r3, match  R3, Match R3, matchR3, match R3 collections, "
        "match collection R3, collect R3 hand, wild R Y, wild red, wild 3 3, match R３"
    ),
    refused=REFUSED,
)
