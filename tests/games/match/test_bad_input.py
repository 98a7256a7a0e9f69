"""What MATCH! refuses beyond what every game does, each with its reason."""

from typing import Any

import pytest

import kibitz
from tests.games.bad_input import refuse_move, refuse_position
from tests.games.match.naive import Position
from tests.games.match.positions import finished, position, start, state_of

pytestmark = pytest.mark.interpreted


# Positions


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


def test_a_refusal_says_what_binds() -> None:
    """[M1]"""
    error = refuse_move(start("R1 G5", top="R3", own="B3"), "collect G5")
    assert error.reason == "Your collection shows B3, which fits R3: you may not collect. [M1]"
