"""Collecting, drawing, and the deck made anew."""

from collections import Counter

import pytest

from kibitz.core.events import Drew, Reshuffled
from tests.games.match.positions import ALL_CALLS, moves, nothing_to_draw, start, state_of

pytestmark = pytest.mark.interpreted


def test_a_card_that_does_not_fit_goes_on_the_own_collection_and_one_is_drawn() -> None:
    state = start("R3 G5", top="R2", own="G1 P4")
    drawn = state.position()["deck"][-1]
    assert drawn == "W"
    state.play("collect G5")
    after = state.position()
    assert after["collections"][0] == {"G": ["G1", "G5"], "P": ["P4"]}
    assert after["hands"][0] == ["R3", "W"]
    assert after["discard"] == ["R2"]
    assert after["called"] is None


def test_piles_are_one_a_colour_in_the_order_of_the_colours() -> None:
    state = start("P5 R3", top="G2", own="B1", others=["Y0"])
    state.play("collect P5")
    state.play("collect Y0")
    state.play("collect R3")
    assert list(state.position()["collections"][0]) == ["R", "B", "P"]
    assert list(state.position()["collections"][1]) == ["Y"]


def test_a_drawn_card_takes_its_place_in_the_hand() -> None:
    state = start("R3 G5 P1", top="R2", deck="Y4")
    state.play("collect G5")
    assert state.position()["hands"][0] == ["R3", "Y4", "P1"]


def test_nothing_may_be_collected_while_an_own_top_card_fits() -> None:
    """Worked example: top R3, the collection shows B3; B3 from there or R1 from the hand are legal."""
    state = start("R1 G5 P0", top="R3", own="B3")
    assert moves(state) == {"match R1", "match B3 collection"}


def test_with_a_collection_that_binds_and_no_fitting_hand_card_it_has_to_be_played() -> None:
    assert moves(start("G5 P0", top="R3", own="B3")) == {"match B3 collection"}


def test_each_top_card_that_fits_may_be_played() -> None:
    state = start("G5", top="R3", own="R0 Y3 B1 P3")
    assert moves(state) == {"match R0 collection", "match Y3 collection", "match P3 collection"}


def test_a_fitting_card_can_not_be_collected() -> None:
    assert "collect R1" not in moves(start("R1 G5", top="R2"))


def test_another_players_collection_does_not_bind() -> None:
    assert moves(start("G5", top="R3", their=["B3 R4"])) == {"collect G5"}


def test_a_joker_is_never_collected() -> None:
    assert moves(start("W", top="R3")) == ALL_CALLS


@pytest.mark.parametrize("called", ["B", "3"])
def test_a_call_binds_a_collection_as_a_card_does(called: str) -> None:
    state = start("G5 P0", top="W", called=called, own="B3 Y1")
    assert moves(state) == {"match B3 collection"}


def test_a_collected_card_binds_next_time() -> None:
    state = start("G5 P1", top="R3", others=["R5 Y0"])
    state.play("collect G5")
    state.play("match R5")
    assert "match G5 collection" in moves(state)
    assert not any(move.startswith("collect") for move in moves(state))


def test_the_deck_is_not_made_anew_before_a_card_must_be_drawn() -> None:
    state = start("G5 R3 R4", top="R2", beneath="B0 Y0", deck="Y1", others=["R0 G0 P0"])
    discards = len(state.position()["discard"])
    state.play("collect G5")
    after = state.position()
    assert after["deck"] == []
    assert len(after["discard"]) == discards
    state.play("match R0")
    assert state.position()["deck"] == []
    assert len(state.position()["discard"]) == discards + 1


def test_an_empty_deck_is_made_anew_of_the_discards_but_the_top_one() -> None:
    state = start("G5 R3", top="R2", deck="")
    before = state.position()
    state.play("collect G5")
    after = state.position()
    drawn = Counter(after["hands"][0]) - Counter(["R3"])
    assert after["discard"] == ["R2"]
    assert Counter(after["deck"]) + drawn == Counter(before["discard"][:-1])
    told = [event for event in state.log(0) if isinstance(event, Reshuffled | Drew)]
    assert told == [Reshuffled(len(before["discard"]) - 1), Drew(0, *drawn)]


def test_the_new_deck_is_shuffled() -> None:
    state = start("G5 R3", top="R2", deck="")
    before = state.position()["discard"][:-1]
    state.play("collect G5")
    after = state.position()["deck"]
    assert after != [card for card in before if card in after][: len(after)]
    assert len(after) > 40


def test_a_call_stays_when_the_deck_is_made_anew() -> None:
    state = start("G5 R3", top="W", called="R", deck="")
    state.play("collect G5")
    after = state.position()
    assert after["discard"] == ["W"]
    assert after["called"] == "R"
    assert state.turn == 1


def test_jokers_among_the_discards_come_back_into_the_deck() -> None:
    state = start("G5 R3", top="R2", beneath="W W", deck="W W")
    state.play("collect G5")
    state.play("match R0")
    assert state.position()["deck"] == ["W"]
    state = start("G5 R3", top="R2", beneath="W W W W", deck="")
    state.play("collect G5")
    after = state.position()
    assert after["deck"].count("W") + after["hands"][0].count("W") == 4


def test_two_discards_are_enough_for_a_new_deck_of_one() -> None:
    made = nothing_to_draw("G5 R3", "R2")
    made["discard"] = [made["collections"][1]["P"].pop(0), "R2"]
    state = state_of(made)
    state.play("collect G5")
    assert state.position()["deck"] == []
    assert state.position()["discard"] == ["R2"]
    assert sorted(state.position()["hands"][0]) == sorted(["R3", made["discard"][0]])


def test_who_collects_the_last_card_draws_and_goes_on() -> None:
    state = start("G5", top="R2")
    state.play("collect G5")
    assert not state.over
    assert state.round == 1
    assert state.turn == 1
    assert len(state.position()["hands"][0]) == 1
