"""The end of a round and of the game."""

from typing import Any

import pytest

import kibitz
from kibitz.core.events import GameEnded, RoundBegan, RoundScored, ScoreStep, SeatScore
from kibitz.core.state import State
from tests.games.match.naive import Deal, is_a_deal
from tests.games.match.positions import as_json, finished, position, start, state_of

pytestmark = pytest.mark.interpreted


def scored(state: State) -> RoundScored:
    return next(event for event in reversed(state.log(None)) if isinstance(event, RoundScored))


def ended(made: dict[str, Any], move: str = "match R3") -> State:
    state = state_of(made)
    state.play(move)
    return state


def test_a_round_ends_at_once_when_the_last_hand_card_is_matched() -> None:
    state = ended(position("R3", top="R2", own="G4", others=["R0 Y1", "B2"]))
    assert state.round == 2
    assert scored(state).reason == "out"
    assert state.scores == (4, -1, -2)


def test_a_round_ends_when_the_last_hand_card_is_a_joker() -> None:
    state = ended(position("W", top="R2", others=["W Y1"]), "wild 4")
    assert state.round == 2
    assert state.scores == (0, -11)


def test_a_collection_of_21_and_a_hand_of_13_score_8() -> None:
    """Worked example: 4+3+0+3+5+4+2 = 21, hand 0, 3 and a joker = 13: the round scores 8."""
    made = position("R3", top="R2", others=["Y0 B3 W"], their=["R4 R3 Y0 G3 B5 P4 P2"])
    state = ended(made)
    assert state.scores == (0, 8)
    mine, theirs = scored(state).seats
    assert mine == SeatScore(0, (), (ScoreStep("collection", 0), ScoreStep("hand", 0)))
    assert theirs == SeatScore(1, ("Y0", "B3", "W"), (ScoreStep("collection", 21), ScoreStep("hand", -13)))


def test_buried_cards_count_too() -> None:
    state = ended(position("R3", top="R2", own="P5 P5 P0"))
    assert state.scores[0] == 10


def test_a_round_is_added_to_the_totals() -> None:
    made = position("R3", top="R2", own="P5", others=["Y4"], scores=[7, -2])
    assert ended(made).scores == (12, -6)


def test_the_seat_whose_move_ended_the_round_begins_the_next() -> None:
    for turn in (0, 1, 2):
        hands = ["Y1 Y2", "Y1 Y2", "Y3 Y4"]
        hands[turn] = "R3"
        made = position(hands[0], top="R2", others=hands[1:], turn=turn, starter=(turn + 1) % 3)
        state = ended(made)
        assert state.turn == state.position()["starter"] == turn
        assert state.log(None)[-2] == RoundBegan(2, turn) or RoundBegan(2, turn) in state.log(None)


def test_the_option_starter_is_for_the_first_round_only() -> None:
    state = ended(position("R3", top="R2", others=["Y1"], options={"starter": 1}))
    assert state.turn == 0


def test_the_next_round_is_dealt_afresh() -> None:
    made = position("R3", top="R2", own="G4", others=["R0 Y1", "B2"], moves=30, deck="Y5")
    after = ended(made).position()
    assert is_a_deal(3, Deal(after["hands"], after["deck"], after["discard"][0]))
    assert len(after["discard"]) == 1
    assert after["collections"] == [{}, {}, {}]
    assert (after["moves"], after["called"], after["phase"], after["over"]) == (0, None, "play", False)


@pytest.mark.parametrize(("total", "over"), [(49, False), (50, True), (51, True)])
def test_the_game_ends_after_a_round_with_a_total_of_50_or_more(total: int, over: bool) -> None:
    state = ended(position("R3", top="R2", own="P5", scores=[total - 5, 0], round=3))
    assert state.over is over
    assert state.scores[0] == total


def test_anybody_may_reach_the_target_not_only_who_ends_the_round() -> None:
    state = ended(position("R3", top="R2", others=["Y0"], their=["P5"], scores=[3, 45]))
    assert state.over
    assert state.winners == (1,)
    ending = state.ending
    assert ending is not None
    assert ending.code == "target"


def test_the_highest_total_wins_if_several_reach_the_target() -> None:
    state = ended(position("R3", top="R2", others=["Y0"], own="G5", their=["P5"], scores=[46, 48]))
    assert state.scores == (51, 53)
    assert state.winners == (1,)


@pytest.mark.parametrize("target", [10, 77, 500])
def test_the_option_target_sets_the_total_to_reach(target: int) -> None:
    for short in (0, 1):
        made = position("R3", top="R2", own="P5", scores=[target - 5 - short, 0], options={"target": target})
        assert ended(made).over is (short == 0)


def test_the_option_rounds_ends_the_game_after_so_many_rounds() -> None:
    for round_ in (1, 2, 3):
        state = ended(position("R3", top="R2", own="P5", options={"rounds": 3}, round=round_))
        assert state.over is (round_ == 3)
    assert state.ending is not None
    assert state.ending.code == "rounds"
    assert state.winners == (0,)


def test_target_or_rounds_whichever_comes_first() -> None:
    state = ended(position("R3", top="R2", own="P5", scores=[45, 0], options={"rounds": 3}, round=2))
    assert state.over
    assert state.round == 2


def test_after_round_100_a_game_is_over() -> None:
    for round_ in (99, 100):
        state = ended(position("R3", top="R2", own="P5", round=round_))
        assert state.over is (round_ == 100)
    assert state.ending is not None
    assert state.ending.code == "max-rounds"


def test_when_over_nobody_is_in_turn_and_all_else_stays_as_it_was() -> None:
    made = position("R3", top="R2", own="P5", scores=[45, 0], round=3, moves=20)
    state = ended(made)
    expected = made | {
        "turn": None,
        "phase": "over",
        "over": True,
        "scores": [50, 0],
        "winners": [0],
        "moves": 21,
        "hands": [[], made["hands"][1]],
        "discard": ["R2", "R3"],
    }
    assert as_json(state.position()) == as_json(expected)
    assert state.legal_moves == ()
    assert state.log(None)[-1] == GameEnded("target")


def test_the_1000th_move_is_carried_out_with_its_draw_and_the_round_scored_as_it_stands() -> None:
    made = position("G5 R3", top="R2", others=["Y4"], deck="Y2", moves=999, options={"rounds": 1})
    state = ended(made, "collect G5")
    after = state.position()
    assert state.over
    assert after["moves"] == 1000
    assert after["hands"][0] == ["R3", "Y2"]
    assert after["deck"] == []
    assert after["scores"] == [0, -4]
    assert scored(state).reason == "moves"


def test_the_999th_move_does_not_end_the_round() -> None:
    state = ended(position("R3 R4", top="R2", moves=998))
    assert state.round == 1
    assert state.position()["moves"] == 999


def test_after_1000_moves_the_seat_that_made_the_last_begins_the_next_round() -> None:
    state = ended(position("R3 R4", top="R2", others=["Y0", "Y1"], moves=999, starter=2))
    assert state.round == 2
    assert state.position()["starter"] == state.turn == 0
    assert state.position()["moves"] == 0


def test_hands_are_laid_open_to_all_when_a_round_is_scored() -> None:
    state = ended(position("R3", top="R2", others=["Y0 W", "B3 B4"]))
    for seat in (None, 0, 1, 2):
        event = next(event for event in state.log(seat) if isinstance(event, RoundScored))
        assert [score.cards for score in event.seats] == [(), ("Y0", "W"), ("B3", "B4")]


def test_the_score_of_a_round_as_it_stands_can_be_asked_for() -> None:
    import numpy as np

    state = start("R3 W", top="R2", own="P5 P4", others=["Y0"], their=["B1"])
    points = np.full(6, 99, np.int32)
    before = bytes(state)
    kibitz.game("match").rules.score(state.fields(), points)
    assert points.tolist() == [-4, 1, 99, 99, 99, 99]
    assert bytes(state) == before


def test_a_finished_position_can_be_given() -> None:
    state = state_of(finished((52, 17)))
    assert state.over
    assert state.winners == (0,)
    assert state.ending is not None
    assert state.ending.code == "target"
