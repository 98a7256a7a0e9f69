"""What fits, and matching it."""

import pytest

from tests.games.match.positions import ALL_CALLS, moves, position, start, state_of

pytestmark = pytest.mark.interpreted


def test_a_card_fits_by_its_colour_or_its_number() -> None:
    """Worked example: top R2: B2 and R3 fit, G5 does not."""
    state = start("B2 R3 G5", top="R2")
    assert moves(state) == {"match B2", "match R3", "collect G5"}


def test_a_card_that_has_both_fits() -> None:
    assert moves(start("R2 G5", top="R2")) == {"match R2", "collect G5"}


@pytest.mark.parametrize("top", ["R0", "Y1", "G2", "B3", "P4", "R5"])
def test_exactly_the_cards_of_its_colour_or_number_fit_a_card(top: str) -> None:
    for colour in "RYGBP":
        for number in "012345":
            fitting = colour == top[0] or number == top[1]
            hand = colour + number
            others = ["Y4"] if hand != "Y4" else ["Y3"]
            state = state_of(position(hand, top=top, others=others))
            assert moves(state) == {f"{'match' if fitting else 'collect'} {hand}"}


def test_a_matched_card_goes_on_the_discard_pile_and_nothing_is_drawn() -> None:
    state = start("B2 R3 G5", top="R2")
    deck = state.position()["deck"]
    state.play("match B2")
    after = state.position()
    assert after["discard"] == ["R2", "B2"]
    assert after["hands"][0] == ["R3", "G5"]
    assert after["deck"] == deck
    assert after["collections"] == [{}, {}]
    assert after["moves"] == 1


def test_only_the_top_of_the_discard_pile_counts() -> None:
    state = start("G4 B5", top="R2", beneath="B0 G5")
    assert moves(state) == {"collect G4", "collect B5"}


def test_the_turn_goes_to_the_left() -> None:
    state = start("R1 Y1", top="R2", others=["R0 Y4", "R3 Y5"])
    for seat, move in [(0, "match R1"), (1, "match R0"), (2, "match R3"), (0, "collect Y1")]:
        assert state.turn == seat
        state.play(move)
    assert state.turn == 1


def test_the_top_of_an_own_pile_may_be_matched() -> None:
    state = start("G5 P0", top="R3", own="Y4 B1 B3")
    state.play("match B3 collection")
    after = state.position()
    assert after["discard"] == ["R3", "B3"]
    assert after["collections"][0] == {"Y": ["Y4"], "B": ["B1"]}
    assert after["hands"][0] == ["G5", "P0"]


def test_a_pile_that_is_used_up_is_gone() -> None:
    state = start("G5", top="R3", own="B3")
    state.play("match B3 collection")
    assert state.position()["collections"][0] == {}


def test_a_card_beneath_is_the_top_next_time() -> None:
    state = start("G5 P0", top="R3", own="B4 B3", others=["R0 B0 G0"])
    state.play("match B3 collection")
    state.play("match B0")
    assert "match B4 collection" in moves(state)


def test_another_players_collection_can_not_be_played() -> None:
    state = start("G5 P0", top="R3", their=["B3"])
    assert moves(state) == {"collect G5", "collect P0"}


def test_equal_cards_in_a_hand_make_one_move() -> None:
    state = start("B2 B2 G5 G5", top="R2")
    assert [str(move) for move in state.legal_moves] == ["match B2", "collect G5"]
    state.play("match B2")
    assert state.position()["hands"][0] == ["G5", "G5", "B2"]


def test_the_same_card_in_hand_and_on_a_pile_makes_two_moves() -> None:
    state = start("B2 G5", top="R2", own="B2")
    assert moves(state) == {"match B2", "match B2 collection"}


def test_matching_from_the_collection_leaves_the_hand_as_it_is_and_the_round_goes_on() -> None:
    state = start("B2", top="R2", own="G2")
    state.play("match G2 collection")
    assert not state.over
    assert state.round == 1
    assert state.position()["hands"][0] == ["B2"]


def test_a_joker_fits_everything_and_calls() -> None:
    state = start("G5 W", top="R2")
    assert moves(state) == {"collect G5"} | ALL_CALLS
    state.play("wild B")
    after = state.position()
    assert after["discard"] == ["R2", "W"]
    assert after["called"] == "B"
    assert after["hands"][0] == ["G5"]


def test_two_jokers_make_the_same_eleven_moves() -> None:
    state = start("G5 W W", top="R2")
    assert len(state.legal_moves) == 12
    state.play("wild 4")
    assert state.position()["hands"][0] == ["G5", "W"]


def test_of_a_joker_only_a_card_of_the_called_colour_fits() -> None:
    state = start("R0 B0 B5 G2", top="W", called="B")
    assert moves(state) == {"match B0", "match B5", "collect R0", "collect G2"}


def test_of_a_joker_only_a_card_with_the_called_number_fits() -> None:
    state = start("R0 B0 B5 G2", top="W", called="0", others=["Y1"])
    assert moves(state) == {"match R0", "match B0", "collect B5", "collect G2"}


def test_what_lies_under_a_joker_does_not_count() -> None:
    state = start("R0 B5", top="W", beneath="R3", called="B", others=["Y1"])
    assert moves(state) == {"collect R0", "match B5"}


def test_a_joker_may_cover_a_joker_with_another_call() -> None:
    state = start("R0 W", top="W", called="B", others=["Y1"])
    state.play("wild 5")
    assert state.position()["called"] == "5"
    assert state.position()["discard"] == ["W", "W"]


def test_a_card_that_covers_a_joker_ends_the_call() -> None:
    state = start("B0 R5", top="W", called="B", others=["Y1 Y2"])
    state.play("match B0")
    assert state.position()["called"] is None


def test_a_card_from_the_collection_that_covers_a_joker_ends_the_call() -> None:
    state = start("R5", top="W", called="B", own="B4")
    state.play("match B4 collection")
    assert state.position()["called"] is None
    assert state.position()["discard"] == ["W", "B4"]


def test_moves_are_listed_matches_first_then_the_collection_then_collecting_then_jokers() -> None:
    state = start("R1 B2 G5 W", top="R2")
    listed = [str(move) for move in state.legal_moves]
    assert listed[:3] == ["match R1", "match B2", "collect G5"]
    assert listed[3:] == [f"wild {call}" for call in "RYGBP012345"]
