"""The double-up: shift, then place."""

import pytest

from kibitz.core.events import Drew
from tests.games.kazink.naive import usable
from tests.games.kazink.positions import crowned, moves, played, position, start

pytestmark = pytest.mark.interpreted


def test_a_double_up_goes_on_the_discard_pile_at_once_and_nothing_is_drawn_yet() -> None:
    state = start("S U", {"a1": "Y"}, discard="H")
    after = played(state, "U")
    assert after["discard"] == ["H", "U"]
    assert after["hands"][0] == ["S"]
    assert (after["turn"], after["phase"], after["moves"]) == (0, "shift", 1)
    assert not any(isinstance(event, Drew) for event in state.log(0))


def test_one_or_two_own_chips_are_shifted_from_the_top_of_one_space_onto_another() -> None:
    state = start("U", {"a1": "YY", "b2": "BY"})
    state.play("U")
    assert moves(state) == {"shift a1 b2 1", "shift a1 b2 2", "shift b2 a1 1", "stay"}
    after = played(state, "shift a1 b2 1")
    assert after["board"] == {"a1": "Y", "b2": "BYY"}
    assert (after["turn"], after["phase"]) == (0, "place")


def test_a_space_that_is_shifted_away_is_empty() -> None:
    state = start("U", {"a1": "YY", "b2": "BY"})
    after = played(state, "U", "shift a1 b2 2")
    assert after["board"] == {"b2": "BYYY"}
    assert after["crowns"] == {"b2": "Y"}


def test_only_as_many_as_lie_on_top_in_one_go_are_shifted() -> None:
    state = start("U", {"a1": "YBY", "b1": "YYBYY", "c1": "BY"})
    state.play("U")
    assert moves(state) == {
        *("shift a1 b1 1", "shift a1 c1 1", "shift c1 a1 1", "shift c1 b1 1"),
        *("shift b1 a1 1", "shift b1 a1 2", "shift b1 c1 1", "shift b1 c1 2", "stay"),
    }
    assert played(state, "shift b1 a1 2")["board"] == {"a1": "YBYYY", "b1": "YYB", "c1": "BY"}


def test_chips_under_an_opponents_are_not_shifted() -> None:
    state = start("U", {"a1": "YYB", "b1": "Y"})
    state.play("U")
    assert moves(state) == {"stay"}


def test_nothing_is_shifted_from_a_crown_or_onto_one() -> None:
    state = start("U", crowned("a1") | {"b1": "Y*", "c1": "BY", "d1": "YY"})
    state.play("U")
    assert moves(state) == {"shift c1 d1 1", "shift d1 c1 1", "shift d1 c1 2", "stay"}


def test_chips_are_not_shifted_onto_their_own_space() -> None:
    state = start("U", {"a1": "YY"})
    state.play("U")
    assert moves(state) == {"stay"}


def test_the_shift_is_optional() -> None:
    state = start("U", {"a1": "YY", "b1": "Y"})
    after = played(state, "U", "stay")
    assert after["board"] == {"a1": "YY", "b1": "Y"}
    assert after["phase"] == "place"


def test_then_one_chip_is_placed_as_with_a_wild() -> None:
    board = {"a1": "YY", "b1": "BY", "c1": "B"} | crowned("d1", "B")
    state = start("U", board)
    played(state, "U", "shift a1 b1 2")
    assert moves(state) == {f"place {space}" for space in set(usable(position())) - {"b1", "d1"}}
    after = played(state, "place c1")
    assert after["board"] == {"b1": "BYYY", "c1": "BY", "d1": "BBB"}
    assert after["chips"]["Y"] == 36 - 4
    assert (after["turn"], after["phase"], after["moves"]) == (1, "turn", 3)


def test_the_chip_is_compulsory() -> None:
    state = start("U")
    played(state, "U", "stay")
    assert moves(state) == {f"place {space}" for space in usable(position())}


def test_one_card_is_drawn_at_the_end_of_the_double_up() -> None:
    state = start("S U", deck="H C")
    after = played(state, "U", "stay", "place a1")
    assert after["hands"][0] == ["S", "C"]
    assert after["deck"] == ["H"]


def test_a_shift_may_make_a_crown_and_the_chip_another() -> None:
    state = start("U", {"a1": "YY", "b1": "Y", "c1": "BYY"})
    after = played(state, "U", "shift b1 a1 1", "place c1")
    assert after["crowns"] == {"a1": "Y", "c1": "Y"}
    assert after["scores"] == [200, 0]


def test_what_a_shift_lays_bare_can_be_built_on() -> None:
    state = start("U", {"a1": "BBY", "b1": "Y"}, others=["H"])
    after = played(state, "U", "shift a1 b1 1", "place d4")
    assert after["board"] == {"b1": "YY", "a1": "BB", "d4": "Y"}
    assert list(after["board"]) == ["a1", "b1", "d4"]


def test_the_last_card_of_a_hand_may_be_a_double_up() -> None:
    state = start("U", options={"hand": 1}, deck="H", others=["S"])
    after = played(state, "U")
    assert after["hands"][0] == []
    assert played(state, "stay", "place a1")["hands"][0] == ["H"]


def test_an_opponents_chips_are_not_shifted() -> None:
    state = start("S", {"a1": "YY", "b1": "B", "c1": "BB"}, others=["U"], turn=1)
    state.play("U")
    assert moves(state) == {"shift b1 c1 1", "shift c1 b1 1", "shift c1 b1 2", "stay"}
