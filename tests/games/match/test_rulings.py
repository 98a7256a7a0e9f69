"""The rulings M1 to M8, each by name."""

import pytest

from kibitz.core.events import RoundScored
from kibitz.core.state import State
from tests.games.match.positions import ALL_CALLS, moves, nothing_to_draw, start, state_of

pytestmark = pytest.mark.interpreted


def reason(state: State) -> str:
    return next(event.reason for event in state.log(None) if isinstance(event, RoundScored))


def test_a_buried_card_does_not_bind() -> None:
    """[M1]"""
    assert moves(start("G5 P0", top="R3", own="B3 B1 R3 R0 Y2")) == {"match R0 collection"}
    assert moves(start("G5 P0", top="R3", own="B3 B1 Y2")) == {"collect G5", "collect P0"}


def test_a_buried_card_can_not_be_played() -> None:
    """[M1]"""
    assert "match B3 collection" not in moves(start("R1 P0", top="R3", own="B3 B1"))


@pytest.mark.parametrize("called", ["B", "3"])
def test_only_top_cards_count_for_a_call_too(called: str) -> None:
    """[M1]"""
    assert moves(start("G5", top="W", called=called, own="Y3 Y1")) == {"collect G5"}
    assert moves(start("G5", top="W", called="3", own="B3 B1")) == {"collect G5"}
    assert moves(start("G5", top="W", called="B", own="B3 B1")) == {"match B1 collection"}


def test_a_joker_from_the_hand_satisfies_the_duty_to_play_a_fitting_card() -> None:
    """[M2]"""
    state = start("G5 W", top="R3", own="B3")
    assert moves(state) == {"match B3 collection"} | ALL_CALLS
    state.play("wild 1")
    assert state.position()["collections"][0] == {"B": ["B3"]}


def test_a_call_stays_in_force_for_each_next_player_until_the_joker_is_covered() -> None:
    """[M3]"""
    state = start("W Y0", top="R2", others=["Y1 Y2 G1", "Y3 Y4 B1", "P1 P2"])
    state.play("wild P")
    for seat, move in [(1, "collect Y1"), (2, "collect Y3")]:
        assert state.turn == seat
        assert state.position()["called"] == "P"
        assert not any(text.startswith("match") for text in moves(state))
        state.play(move)
    assert state.position()["called"] == "P"
    assert "match P1" in moves(state)
    state.play("match P1")
    assert state.position()["called"] is None
    assert state.turn == 0


def test_a_call_stays_for_its_caller_as_well() -> None:
    """[M3]"""
    state = start("W Y0 P3", top="R2", others=["Y1 Y2"])
    state.play("wild P")
    state.play("collect Y1")
    assert moves(state) >= {"match P3", "collect Y0"}


@pytest.mark.parametrize("call", "RYGBP012345")
def test_a_joker_may_be_the_last_card_and_its_call_has_no_effect(call: str) -> None:
    """[M4]"""
    state = start("W", top="R2", others=["Y1"])
    assert moves(state) == ALL_CALLS
    state.play(f"wild {call}")
    assert reason(state) == "out"
    assert state.round == 2
    assert state.position()["called"] is None


def test_a_call_of_the_last_card_stays_where_the_game_is_over() -> None:
    """`called` is null exactly if the top of the discard pile is no joker. [M4]"""
    state = start("W", top="R2", others=["Y1"], options={"rounds": 1})
    state.play("wild 3")
    assert state.over
    assert state.position()["called"] == "3"
    assert state.position()["discard"][-1] == "W"


def test_with_nothing_at_all_to_draw_nothing_is_drawn() -> None:
    """[M5]"""
    state = state_of(nothing_to_draw("G5 R3", "R2"))
    state.play("collect G5")
    after = state.position()
    assert after["hands"][0] == ["R3"]
    assert after["deck"] == []
    assert after["discard"] == ["R2"]
    assert state.turn == 1
    assert state.round == 1


def test_who_collects_the_last_card_with_nothing_to_draw_ends_the_round() -> None:
    """[M5]"""
    state = state_of(nothing_to_draw("G5", "R2", options={"target": 500}))
    state.play("collect G5")
    assert reason(state) == "out"
    assert state.round == 2
    assert state.scores[0] == 5
    assert state.position()["starter"] == 0


def test_totals_may_be_negative() -> None:
    """[M6]"""
    state = start("R3", top="R2", others=["W W W P5 P5"], scores=[0, -12])
    state.play("match R3")
    assert state.scores == (0, -52)
    assert not state.over


def test_a_negative_total_can_win() -> None:
    """[M6]"""
    state = start("R3", top="R2", others=["Y5"], scores=[-20, -12], options={"rounds": 1})
    state.play("match R3")
    assert state.scores == (-20, -17)
    assert state.winners == (1,)


def test_a_tie_shares_the_win() -> None:
    """[M7]"""
    state = start("R3", top="R2", own="P5", others=["Y1", "Y0"], their=["B5", "B1"], scores=[46, 47, 50 - 8])
    state.play("match R3")
    assert state.scores == (51, 51, 43)
    assert state.winners == (0, 1)
    assert state.position()["winners"] == [0, 1]


def test_all_may_share_the_win() -> None:
    """[M7]"""
    state = start("R3", top="R2", others=["Y0", "B0"], options={"rounds": 1})
    state.play("match R3")
    assert state.winners == (0, 1, 2)


def test_there_is_no_duty_to_follow_from_the_hand() -> None:
    """[M8]"""
    state = start("R3 B2 G5", top="R2", own="P4")
    assert "collect G5" in moves(state)
    state.play("collect G5")
    assert state.position()["collections"][0] == {"G": ["G5"], "P": ["P4"]}


def test_unless_the_collection_binds() -> None:
    """[M8]"""
    assert moves(start("R3 B2 G5", top="R2", own="P2")) == {"match R3", "match B2", "match P2 collection"}


def test_a_joker_in_the_hand_need_not_be_played() -> None:
    """[M8]"""
    assert "collect G5" in moves(start("G5 W", top="R2"))
