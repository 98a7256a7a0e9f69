"""What Cover Your Assets refuses beyond what every game does, each with its reason."""

from collections.abc import Callable
from typing import Any

import pytest

import kibitz
from tests.games.assets.bad_input import FORGETFUL, STACKS, drawing, fighting, fresh
from tests.games.assets.naive import Position
from tests.games.assets.positions import duel, finished, position, start
from tests.games.bad_input import refuse_position

pytestmark = pytest.mark.interpreted


# Positions


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


def test_a_game_that_has_no_reason_to_be_over_is_not() -> None:
    refuse_position(finished(options={"rounds": 2}), "phase")


# Moves


def test_a_refusal_tells_nothing_of_hidden_cards() -> None:
    """The same answer, whatever the victim holds."""
    reasons = []
    for hand in ("piggy", "auto"):
        state = start(["bank", hand], STACKS)
        with pytest.raises(kibitz.IllegalMove) as caught:
            state.play("steal p1 with home")
        reasons.append((caught.value.reason, caught.value.data))
    assert reasons[0] == reasons[1]
