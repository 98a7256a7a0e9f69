"""Swapping a dead card, and laying one down when nothing can be played."""

import pytest

from kibitz.core.events import Drew, Moved
from tests.games.kazink.positions import DEAD_HEARTS, DEAD_SPADES, crowned, moves, played, start

pytestmark = pytest.mark.interpreted


def test_a_dead_card_may_be_swapped_first_thing() -> None:
    state = start("S H", DEAD_SPADES, deck="C W", discard="D")
    assert {move for move in moves(state) if "S" in move} == {"swap S"}
    after = played(state, "swap S")
    assert after["hands"][0] == ["H", "W"]
    assert after["discard"][-2:] == ["D", "S"]
    assert after["deck"] == ["C"]
    assert (after["turn"], after["phase"], after["moves"]) == (0, "turn", 1)
    assert after["swapped"] is True
    assert state.log(0) == (Moved(0, "swap S"), Drew(0, "W"))


def test_then_a_card_is_played_as_in_any_turn() -> None:
    state = start("S H", DEAD_SPADES, deck="C W D")
    played(state, "swap S")
    after = played(state, "D c1")
    assert after["hands"][0] == ["H", "W"]
    assert state.turn == 1
    assert after["moves"] == 2


def test_swapping_is_optional() -> None:
    state = start("S H", DEAD_SPADES)
    after = played(state, "H b1")
    assert after["swapped"] is False
    assert "S" in after["hands"][0]


def test_only_one_card_is_swapped_in_a_turn() -> None:
    state = start("S S H", DEAD_SPADES, deck="C S")
    state.play("swap S")
    assert state.position()["hands"][0] == ["S", "S", "H"]
    assert not any(move.startswith("swap") for move in moves(state))


def test_in_the_next_turn_one_more() -> None:
    state = start("S S H", DEAD_SPADES, deck="C C C C", others=["H"])
    played(state, "swap S", "H a2")
    assert state.position()["swapped"] is False
    played(state, "H b1")
    assert "swap S" in moves(state)


def test_only_suit_cards_that_are_dead_are_swapped() -> None:
    state = start("S H W U K", DEAD_SPADES)
    assert {move for move in moves(state) if move.startswith("swap")} == {"swap S"}


def test_a_card_whose_suit_has_one_space_without_a_crown_is_not_dead() -> None:
    for space in DEAD_SPADES:
        board = DEAD_SPADES | {space: "BB"}
        assert moves(start("S", board)) == {f"S {space}"}


def test_with_three_players_the_bordered_space_counts() -> None:
    assert moves(start("S", DEAD_SPADES, others=["S", "S"])) == {"S b6"}
    state = start("S", DEAD_SPADES | crowned("b6", "R"), others=["S", "S"])
    assert moves(state) == {"swap S", "discard S"}


def test_swaps_are_for_the_beginning_of_a_turn_not_for_a_double_up() -> None:
    state = start("S U", DEAD_SPADES)
    state.play("U")
    assert not any(move.startswith("swap") for move in moves(state))
    state.play("stay")
    assert not any(move.startswith("swap") for move in moves(state))


def test_a_swap_and_a_double_up_fit_into_one_turn() -> None:
    state = start("S U", DEAD_SPADES, deck="H C")
    after = played(state, "swap S", "U")
    assert after["swapped"] is True
    after = played(state, "stay", "place c1")
    assert after["swapped"] is False
    assert after["hands"][0] == ["H", "C"]


def test_a_card_is_discarded_only_if_no_card_in_hand_can_be_played() -> None:
    dead = DEAD_SPADES | DEAD_HEARTS
    assert moves(start("S H", dead)) == {"swap S", "swap H", "discard S", "discard H"}
    for other in "DCWUK":
        assert not any(move.startswith("discard") for move in moves(start(f"S H {other}", dead)))


def test_a_discard_places_nothing_and_draws_one() -> None:
    state = start("S H", DEAD_SPADES | DEAD_HEARTS, deck="D C")
    before = state.position()
    after = played(state, "discard H")
    assert after["board"] == before["board"]
    assert after["chips"] == before["chips"]
    assert after["hands"][0] == ["S", "C"]
    assert after["discard"][-1] == "H"
    assert after["idle"] == 1
    assert state.turn == 1


def test_after_a_swap_that_brings_nothing_playable_one_is_discarded() -> None:
    state = start("S H", DEAD_SPADES | DEAD_HEARTS, deck="D S")
    state.play("swap H")
    assert moves(state) == {"discard S"}
    after = played(state, "discard S")
    assert (after["swapped"], after["idle"], state.turn) == (False, 1, 1)


def test_after_a_swap_that_brings_something_playable_it_is_played() -> None:
    state = start("S", DEAD_SPADES, deck="D H")
    state.play("swap S")
    assert moves(state) == {"H b1", "H a2", "H c3", "H b4", "H d5"}
