"""What is refused: positions, options and moves that don't fit, each with its reason."""

import re
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

import kibitz
from kibitz.core.state import State
from tests.games.assets.naive import Position
from tests.games.assets.positions import (
    KEYS,
    as_json,
    duel,
    finished,
    played,
    position,
    start,
    state_of,
)

pytestmark = pytest.mark.interpreted

HUGE = 10**30
STACKS = ["bank bank", "coins coins | home home"]
FORGETFUL = {"forgetful": True}


# Positions


def refuse_position(made: Any, *keys: str) -> None:
    """It is refused, by a message that names (one of) the keys and what was expected; and not changed."""
    given = deepcopy(made)
    with pytest.raises((kibitz.BadPosition, kibitz.BadOptions)) as caught:
        kibitz.game("assets").from_position(made)
    error = caught.value
    assert made == given
    assert any(re.search(rf"\b{key}\b", error.reason) for key in keys), error.reason
    assert re.search(r"expected \S+", error.reason), error.reason


def fresh(**changes: Any) -> Position:
    return position(["home auto bank gold", "piggy piggy"], STACKS, **changes)


def fighting(**changes: Any) -> Position:
    fight: dict[str, Any] = {"turn": 1, "phase": "duel", "duel": duel(0, 1, "home")}
    return position(["auto", "home piggy"], STACKS, **fight | changes)


def drawing(**changes: Any) -> Position:
    return position(["auto", "home piggy"], STACKS, **{"phase": "draw", "options": FORGETFUL} | changes)


def test_the_positions_that_are_spoilt_here_are_right() -> None:
    for made in (fresh(), fighting(), drawing(), finished()):
        assert as_json(state_of(made).position()) == as_json(made)


@pytest.mark.parametrize("key", KEYS)
def test_a_position_has_every_key(key: str) -> None:
    for made in (fresh(), fighting(), drawing(), finished()):
        del made[key]
        refuse_position(made, key)


def test_a_position_has_no_other_key() -> None:
    refuse_position(fresh() | {"money": []}, "money")


@pytest.mark.parametrize("made", [None, 7, "assets", [], True])
def test_a_position_is_an_object(made: Any) -> None:
    with pytest.raises(kibitz.BadPosition, match="expected"):
        kibitz.game("assets").from_position(made)


WRONG_VALUES: dict[str, list[Any]] = {
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
}
WRONG_CASES = [(key, value) for key, values in WRONG_VALUES.items() for value in values]


def test_every_key_is_given_wrongly() -> None:
    assert list(WRONG_VALUES) == KEYS


@pytest.mark.parametrize(("key", "value"), WRONG_CASES, ids=lambda value: str(value)[:20])
def test_each_key_has_its_type_and_its_bounds(key: str, value: Any) -> None:
    partners = {
        "phase": ["over", "turn", "duel"],
        "over": ["phase", "turn"],
        "hands": ["deck"],
        "stacks": ["deck"],
        "players": ["scores", "hands", "stacks", "limits"],
    }
    refuse_position(fresh() | {key: value}, key, *partners.get(key, []))


@pytest.mark.parametrize(
    "wrong",
    [
        {"asset": "home"},
        {"cards": ["home", "home"]},
        {"asset": "home", "cards": []},
        {"asset": "home", "cards": ["home"]},
        {"asset": "home", "cards": ["gold", "silver"]},
        {"asset": "gold", "cards": ["gold", "home"]},
        {"asset": "home", "cards": ["home", "auto"]},
        {"asset": "auto", "cards": ["home", "home"]},
        {"asset": "home", "cards": ["home"] * 40},
        {"asset": "?", "cards": ["?", "?"]},
        {"asset": "home", "cards": ["home", "home"], "owner": 0},
        ["home", "home"],
    ],
    ids=str,
)
def test_a_set_has_one_asset_two_cards_or_more_and_else_only_wilds(wrong: Any) -> None:
    made = fresh()
    made["stacks"][1][1] = wrong
    refuse_position(made, "stacks")


def change(made: Position, how: Callable[[Position], object]) -> Position:
    how(made)
    return made


@pytest.mark.parametrize(
    "spoil",
    [
        lambda made: made["deck"].pop(),
        lambda made: made["deck"].append("piggy"),
        lambda made: made["discard"].append("home"),
        lambda made: made["deck"].__setitem__(0, "gold"),
        lambda made: made["hands"][1].append("home"),
        lambda made: made["stacks"][0].pop(),
        lambda made: made["deck"].__setitem__(0, "comics"),
    ],
)
def test_all_cards_of_the_deck_are_there_and_none_twice(spoil: Callable[[Position], object]) -> None:
    refuse_position(change(fresh(), spoil), "deck")


def test_the_seat_in_turn_has_a_card() -> None:
    refuse_position(position(["", "piggy"]), "hands")


def test_a_hand_has_no_more_cards_than_its_limit() -> None:
    refuse_position(position(["home auto bank", "piggy"], limits=[2, 4], options=FORGETFUL), "hands")
    refuse_position(fighting(limits=[1, 4], options=FORGETFUL), "hands")


@pytest.mark.parametrize(
    "wrong",
    [
        duel(0, 0, "home"),
        duel(1, 0, "home"),
        duel(0, 2, "home"),
        duel(0, 1, ""),
        duel(0, 1, "home", "home home"),
        duel(0, 1, "auto"),
        duel(0, 1, "home", "coins"),
        {"thief": 0, "victim": 1},
        {"thief": 0, "victim": 1, "shown": [["home"]]},
        {"thief": "p0", "victim": 1, "shown": [["home"], []]},
        None,
    ],
    ids=str,
)
def test_a_duel_is_between_two_for_a_set_that_can_be_stolen(wrong: Any) -> None:
    refuse_position(fighting() | {"duel": wrong}, "duel", "deck")


def test_in_a_duel_the_one_who_answers_is_in_turn() -> None:
    refuse_position(fighting(turn=0), "turn")
    refuse_position(fighting(duel=duel(0, 1, "home", "home")), "turn")


def test_a_victim_that_answers_has_a_card_and_a_thief_has_a_set() -> None:
    refuse_position(position(["auto", ""], STACKS, turn=1, phase="duel", duel=duel(0, 1, "home")), "hands")
    stacks = ["", STACKS[1]]
    refuse_position(
        position(["auto", "piggy"], stacks, turn=1, phase="duel", duel=duel(0, 1, "home")), "duel"
    )


def test_a_choice_to_draw_needs_the_option_a_deck_and_room_in_the_hand() -> None:
    refuse_position(drawing(options={}), "phase")
    refuse_position(drawing(deck=""), "deck")
    refuse_position(drawing(limits=[1, 4]), "hands")


def test_there_are_no_more_rounds_than_agreed() -> None:
    refuse_position(fresh(options={"rounds": 2}, round=3), "round")


@pytest.mark.parametrize(
    ("wrong", "keys"),
    [
        ({"turn": 0}, ["turn"]),
        ({"phase": "turn"}, ["phase", "over", "turn"]),
        ({"over": False}, ["over"]),
        ({"winners": []}, ["winners"]),
        ({"winners": [0, 1]}, ["winners"]),
        ({"duel": duel(0, 1, "home")}, ["duel"]),
    ],
    ids=str,
)
def test_a_finished_position_says_so_in_all_its_keys(wrong: dict[str, Any], keys: list[str]) -> None:
    refuse_position(finished() | wrong, *keys)


def test_a_game_that_has_no_reason_to_be_over_is_not() -> None:
    refuse_position(finished(options={"rounds": 2}), "phase")


@pytest.mark.parametrize(
    "options",
    [
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
    ids=str,
)
def test_an_option_outside_its_values_is_refused_in_a_position_and_in_a_deal(options: dict[str, Any]) -> None:
    made = fresh()
    refuse_position(made | {"options": made["options"] | options}, "options", *options)
    with pytest.raises(kibitz.BadOptions, match="expected"):
        kibitz.game("assets").deal(players=2, seed=1, **options)


@pytest.mark.parametrize("players", [0, 1, 7, "2", 2.0, True])
def test_a_deal_is_for_two_to_six_players(players: Any) -> None:
    with pytest.raises(kibitz.BadOptions, match=r"players.*expected.*2 to 6"):
        kibitz.game("assets").deal(players=players, seed=1)


# Moves


def refuse_move(state: State, move: Any, code: str = "", rule: str = "") -> None:
    """The move is refused with a reason, and nothing has changed."""
    saved, history = bytes(state), state.history
    with pytest.raises(kibitz.IllegalMove) as caught:
        state.play(move)
    error = caught.value
    assert re.fullmatch(r"\S.*\s.*[.\]]", error.reason, re.DOTALL), error.reason
    assert code in ("", error.code)
    assert rule in ("", error.rule)
    assert (bytes(state), state.history) == (saved, history)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            " ",
            "?",
            "pair",
            "pair home",
            "pair home home home",
            "pair ? ?",
            "pair Home Home",
            "pair home  home",
        ),
        *(
            "take home",
            "take home home",
            "take home with ?",
            "discard",
            "discard ?",
            "discard house",
            "discard home ",
        ),
        *(
            "steal p1",
            "steal 1 with home",
            "steal p6 with home",
            "steal p-1 with home",
            "steal p01 with home",
        ),
        *("defend", "defend home", "defend with ?", "press with", "yield 1", "pass", "draw 1", "forget\n"),
        *(None, 1.5, True, -1, HUGE),
    ],
)
def test_what_is_no_move_is_refused(text: Any) -> None:
    refuse_move(start(["home home gold silver", "piggy"]), text)


REFUSED = [
    (fresh(), "pair silver gold", "two-wilds", "pair"),
    (fresh(), "take gold with silver", "two-wilds", "pair"),
    (fresh(), "pair gold home", "asset-first", "notation"),
    (fresh(), "pair home auto", "unequal", "pair"),
    (fresh(), "take home with auto", "unequal", "pair"),
    (fresh(), "steal p7 with home", "no-such-seat", "notation"),
    (fresh(), "pair jewels jewels", "not-in-hand", "pair"),
    (fresh(), "pair home silver", "not-in-hand", "pair"),
    (fresh(), "pair home home", "held-once", "pair"),
    (fresh(), "discard jewels", "not-in-hand", "discard"),
    (fresh(), "discard cabin", "not-in-deck", "components"),
    (fresh(), "take home with home", "pile-empty", "take"),
    (fresh(discard="piggy"), "take home with home", "not-on-top", "take"),
    (fresh(discard="jewels"), "take jewels with jewels", "not-in-hand", "take"),
    (fresh(), "steal p0 with home", "own-set", "steal"),
    (fresh(), "steal p3 with home", "nobody-there", "steal"),
    (fresh(), "steal p1 with auto", "does-not-fit", "steal"),
    (fresh(), "steal p1 with silver", "not-in-hand", "steal"),
    (fresh(turn=1), "steal p0 with piggy", "bottom-is-safe", "steal"),
    (position(["home", "piggy"], ["", STACKS[1]]), "steal p1 with home", "no-set-yet", "steal"),
    (fresh(), "defend with home", "no-duel", "steal"),
    (fresh(), "yield", "no-duel", "steal"),
    (fresh(), "draw", "draws-itself", "draw"),
    (fresh(options=FORGETFUL), "forget", "act-first", "forgetful"),
    (fighting(), "discard home", "duel-first", "steal"),
    (fighting(), "draw", "duel-first", "steal"),
    (fighting(), "press with home", "defend-instead", "steal"),
    (fighting(), "defend with piggy", "does-not-fit", "A8"),
    (fighting(), "defend with gold", "not-in-hand", "A8"),
    (fighting(turn=0, duel=duel(0, 1, "home", "gold")), "defend with home", "press-instead", "steal"),
    (drawing(), "discard auto", "draw-first", "forgetful"),
    (position(["", "piggy"], phase="draw", options=FORGETFUL), "forget", "forget-empty", "forgetful"),
]


@pytest.mark.parametrize(("made", "move", "code", "rule"), REFUSED, ids=lambda value: str(value)[:24])
def test_a_refused_move_names_its_rule(made: Position, move: str, code: str, rule: str) -> None:
    refuse_move(state_of(made), move, code, rule)


def test_every_refusal_has_a_test() -> None:
    words = kibitz.game("assets").words("en")
    codes = {key.removeprefix("refusal.") for key in words if key.startswith("refusal.")}
    common = {"over", "not-your-turn", "unknown-move", "stale"}
    assert codes - common == {code for _, _, code, _ in REFUSED}


def test_another_seats_move_is_refused_and_a_finished_game_has_none() -> None:
    with pytest.raises(kibitz.NotYourTurn):
        start(["home", "piggy"]).play("discard piggy", seat=1)
    with pytest.raises(kibitz.GameOver):
        state_of(finished()).play("discard piggy")
    state = start(["home", ""], deck="", options={"rounds": 1})
    played(state, "discard home")
    assert state.over


def test_a_refusal_tells_nothing_of_hidden_cards() -> None:
    """The same answer, whatever the victim holds."""
    reasons = []
    for hand in ("piggy", "auto"):
        state = start(["bank", hand], STACKS)
        with pytest.raises(kibitz.IllegalMove) as caught:
            state.play("steal p1 with home")
        reasons.append((caught.value.reason, caught.value.data))
    assert reasons[0] == reasons[1]
