"""What is refused: positions, options, views and moves that don't fit, each with its reason."""

import re
from copy import deepcopy
from typing import Any

import pytest

import kibitz
from kibitz.core.state import State
from tests.games.match.naive import Position
from tests.games.match.positions import KEYS, as_json, finished, nothing_to_draw, position, start, state_of

pytestmark = pytest.mark.interpreted

HUGE = 10**30


# Positions


def refuse_position(made: Any, *keys: str) -> kibitz.KibitzError:
    """It is refused, by a message that names (one of) the keys and what was expected; and not changed."""
    given = deepcopy(made)
    with pytest.raises((kibitz.BadPosition, kibitz.BadOptions)) as caught:
        kibitz.game("match").from_position(made)
    error = caught.value
    assert made == given
    assert any(re.search(rf"\b{key}\b", error.reason) for key in keys), error.reason
    assert re.search(r"expected \S+", error.reason), error.reason
    assert re.fullmatch(r"[a-z]+(-[a-z]+)+", error.code)
    return error


@pytest.mark.parametrize("key", KEYS)
def test_a_position_has_every_key(key: str) -> None:
    for made in (position(), finished()):
        del made[key]
        refuse_position(made, key)


def test_a_position_has_no_other_key() -> None:
    refuse_position(position() | {"piles": []}, "piles")


@pytest.mark.parametrize("made", [None, 7, "match", [], [["game", "match"]], True])
def test_a_position_is_an_object(made: Any) -> None:
    with pytest.raises(kibitz.BadPosition, match="expected"):
        kibitz.game("match").from_position(made)


WRONG_VALUES: dict[str, list[Any]] = {
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
}
WRONG_CASES = [(key, value) for key, values in WRONG_VALUES.items() for value in values]


def test_every_key_is_given_wrongly() -> None:
    assert list(WRONG_VALUES) == KEYS


@pytest.mark.parametrize(("key", "value"), WRONG_CASES, ids=lambda value: str(value)[:20])
def test_each_key_has_its_type_and_its_bounds(key: str, value: Any) -> None:
    partners = {"phase": ["over"], "over": ["phase", "turn"], "players": ["hands", "scores"]}
    refuse_position(position() | {key: value}, key, *partners.get(key, []))


@pytest.mark.parametrize("called", [None, "W", "6", "r", "", 3, True, ["R"]])
def test_a_joker_on_top_has_a_call(called: Any) -> None:
    refuse_position(position(top="W", called=called), "called")


def test_a_missing_card_is_refused() -> None:
    for key in ("deck", "discard"):
        made = position(deck="R5 Y5 G5")
        made[key].pop(0)
        error = refuse_position(made, "deck", "discard")
        assert "64" in error.reason
    made = position()
    made["hands"][0].pop()
    refuse_position(made, "deck", "hands")


def test_a_65th_card_is_refused() -> None:
    for key in ("deck", "discard"):
        made = position(beneath="R5")
        made[key].insert(0, "P5")
        assert "P5" in refuse_position(made, "deck", "discard", "hands").reason
    made = position()
    made["hands"][1].append("W")
    assert "W" in refuse_position(made, "deck", "hands").reason
    made["collections"][0] = {"R": ["R5"]}
    refuse_position(made, "deck", "hands", "collections")


def test_a_third_copy_is_refused_though_the_sum_is_right() -> None:
    made = position(deck="R5 Y5 G5")
    made["deck"] = ["R5", "R5", "R5"]
    refuse_position(made, "deck", "discard", "hands")


def test_a_fifth_joker_is_refused() -> None:
    made = position("W W R1", others=["W W"])
    made["hands"][0][0] = "W"
    assert "W" in refuse_position(made, "hands", "deck").reason


@pytest.mark.parametrize(
    "card", ["R6", "X2", "?", "r2", "R", "", "R22", "2R", " R2", "R２", "w", 2, None, ["R2"]]
)
def test_only_cards_of_the_box_lie_anywhere(card: Any) -> None:
    for key in ("deck", "discard"):
        made = position(deck="R5")
        made[key][-1] = card
        refuse_position(made, key)
    made = position()
    made["hands"][1][0] = card
    refuse_position(made, "hands")
    made = position(own="R3")
    made["collections"][0]["R"][0] = card
    refuse_position(made, "collections")


@pytest.mark.parametrize(
    "piles",
    [
        {"R": ["B3"]},
        {"R": ["R3", "W"]},
        {"W": ["W"]},
        {"X": ["R3"]},
        {"RY": ["R3"]},
        {"": ["R3"]},
        {"R": []},
        {"R": "R3"},
        {"R": None},
        {0: ["R3"]},
        {"R": ["R0", "R1"] * 7},
    ],
    ids=str,
)
def test_a_pile_holds_cards_of_its_colour_and_is_left_out_when_empty(piles: Any) -> None:
    refuse_position(position() | {"collections": [piles, {}]}, "collections")


def test_everybody_has_a_card_while_a_round_goes_on() -> None:
    refuse_position(position(""), "hands")
    refuse_position(position("R1", others=[""]), "hands")


def test_a_total_at_the_target_is_not_running() -> None:
    refuse_position(position(scores=[0, 50]), "scores")
    state_of(position(scores=[0, 49]))


def test_no_more_rounds_than_the_option_says() -> None:
    refuse_position(position(options={"rounds": 3}, round=4), "round")
    state_of(position(options={"rounds": 3}, round=3))


def test_a_finished_game_has_a_reason() -> None:
    refuse_position(finished((49, 17)), "over")
    state_of(finished((49, 17), round=100))


@pytest.mark.parametrize(
    ("wrong", "keys"),
    [
        ({"turn": 0}, ["turn"]),
        ({"phase": "play"}, ["phase", "over", "turn"]),
        ({"over": False}, ["over", "phase"]),
        ({"winners": []}, ["winners"]),
        ({"winners": [1]}, ["winners"]),
        ({"winners": [0, 1]}, ["winners"]),
        ({"scores": [17, 52]}, ["winners"]),
    ],
    ids=str,
)
def test_a_finished_position_says_so_in_all_its_keys(wrong: dict[str, Any], keys: list[str]) -> None:
    refuse_position(finished((52, 17)) | wrong, *keys)


@pytest.mark.parametrize(
    "options",
    [
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
    ids=str,
)
def test_an_option_outside_its_values_is_refused_in_a_position_and_in_a_deal(options: dict[str, Any]) -> None:
    refuse_position(position(options=options), *options)
    with pytest.raises(kibitz.BadOptions) as caught:
        kibitz.game("match").deal(players=2, seed=1, **options)
    assert any(re.search(rf"\b{name}\b", caught.value.reason) for name in options)


@pytest.mark.parametrize("players", [0, 1, 7, "2", 2.0, True])
def test_a_deal_is_for_two_to_six_players(players: Any) -> None:
    with pytest.raises(kibitz.BadOptions, match=r"players.*expected.*2 to 6"):
        kibitz.game("match").deal(players=players, seed=1)


def test_the_starter_is_a_seat_of_the_table() -> None:
    kibitz.game("match").deal(players=6, seed=1, starter=5)
    with pytest.raises(kibitz.BadOptions, match="starter"):
        kibitz.game("match").deal(players=5, seed=1, starter=5)


# Views from outside


def test_a_view_that_breaks_the_decks_counts_is_refused() -> None:
    seen = start(deck="R5").view(0)
    breaks: list[Position] = [
        {"deck": []},
        {"deck": ["?", "?"]},
        {"discard": [*seen["discard"], "?"]},
        {"hands": [["R5"] * 5, ["?"] * 5]},
        {"hands": [["R1"], []]},
        {"called": "R"},
    ]
    for wrong in breaks:
        with pytest.raises(kibitz.BadPosition):
            kibitz.game("match").observation(seen | wrong)


def test_a_view_without_the_own_hand_still_has_an_answer() -> None:
    """A spectator's view: what is legal is then as imagined."""
    seen = start(deck="R5").view(None)
    assert kibitz.game("match").observation(seen).legal_moves


# Moves


def refuse_move(
    state: State, move: Any, seat: Any = None, kind: type[kibitz.IllegalMove] = kibitz.IllegalMove
) -> kibitz.IllegalMove:
    """The move is refused with a reason, and nothing has changed."""
    saved, before = bytes(state), as_json(state.position())
    with pytest.raises(kibitz.IllegalMove) as caught:
        state.play(move, seat=seat)
    error = caught.value
    assert type(error) is kind
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", error.code)
    assert re.fullmatch(r"[^a-z\s].*\s.*[.\]]", error.reason, re.DOTALL), error.reason
    assert error.rule
    assert bytes(state) == saved
    assert as_json(state.position()) == before
    return error


NO_MOVES = [
    *("", " ", "?", "match", "collect", "wild", "match ?", "collect ?", "wild ?", "pass", "draw"),
    *("match W", "match W collection", "collect W", "wild W", "wild 6", "wild -1", "wild r", "wild R3"),
    *("match R6", "match X1", "match r3", "match  R3", " match R3", "match R3 ", "Match R3", "matchR3"),
    *("match R3 collections", "match collection R3", "match R3 collection ", "collect R3 hand", "collect"),
    *("wild R Y", "wild red", "wild 3 3", "match R3\ncollect G5", "match R３", "\x00", "match R3" * 10_000),
]


@pytest.mark.parametrize("text", NO_MOVES, ids=lambda text: repr(text)[:24])
def test_a_text_that_is_no_move_is_refused(text: str) -> None:
    refuse_move(start("R3 G5 W", own="B2"), text)


@pytest.mark.parametrize(
    "thing", [None, 101, 10**6, -1, HUGE, 1.0, True, False, b"match R3", ["match R3"], {}, object()]
)
def test_a_thing_that_is_no_move_is_refused(thing: Any) -> None:
    refuse_move(start("R3 G5 W"), thing)


REFUSED: dict[str, tuple[Position, str, str, str]] = {
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
}


@pytest.mark.parametrize(("made", "move", "code", "rule"), REFUSED.values(), ids=REFUSED)
def test_a_move_the_rules_refuse_names_its_rule(made: Position, move: str, code: str, rule: str) -> None:
    error = refuse_move(state_of(made), move)
    assert (error.code, error.rule) == (code, rule)


def test_a_refusal_says_what_binds() -> None:
    """[M1]"""
    error = refuse_move(start("R1 G5", top="R3", own="B3"), "collect G5")
    assert error.reason == "Your collection shows B3, which fits R3: you may not collect. [M1]"


def test_texts_that_are_no_moves_say_what_would_be() -> None:
    state = start("R3 G5 W")
    assert refuse_move(state, "match W").code == refuse_move(state, "wild").code == "say-the-call"
    assert refuse_move(state, "collect W").code == "joker-collected"


def test_only_the_seat_whose_turn_it_is_moves() -> None:
    refuse_move(start("R3"), "match R3", seat=1, kind=kibitz.NotYourTurn)
    refuse_move(start("R3"), "nonsense", seat=1, kind=kibitz.NotYourTurn)
    for seat in (2, -1):
        refuse_move(start("R3"), "match R3", seat=seat, kind=kibitz.NotYourTurn)


def test_nobody_moves_when_the_game_is_over() -> None:
    for state in (state_of(finished()), state_of(finished((60, 1), hand="R3"))):
        refuse_move(state, "match R3", kind=kibitz.GameOver)


def test_a_game_goes_on_after_a_refused_move() -> None:
    state = state_of(nothing_to_draw("G5 R3", "R2"))
    refuse_move(state, "collect R3")
    state.play("collect G5")
    assert [str(move) for move in state.history] == ["collect G5"]
