"""The end: 200 moves a round, 100 rounds a game; what then stays, and how the state says why it ended."""

import re

import pytest

from tests.games.kaching.positions import (
    as_json,
    finished,
    last_decision,
    last_sale,
    position,
    start,
    state_of,
)

pytestmark = pytest.mark.interpreted

BEST_OF_9 = {"series": "best_of", "rounds": 9}


def test_the_200th_move_is_carried_out_and_the_round_scored_as_it_stands() -> None:
    before = position(stocks=[["R4", "R5"], []], money=[3, 20], moves=199)
    state = state_of(before)
    state.play("sell R4 R5")
    after = state.position()
    assert state.over
    assert after["moves"] == 200
    assert after["money"] == after["scores"] == [23, 20]
    assert after["winners"] == [0]
    assert after["phase"] == "over"
    assert after["turn"] is None
    assert after["stocks"] == [[], []]
    assert after["columns"] == before["columns"]


def test_the_199th_move_does_not_end_the_round() -> None:
    state = start(moves=198)
    state.play("buy 1")
    assert not state.over
    assert state.position()["moves"] == 199


def test_a_200th_move_that_passes_ends_the_round() -> None:
    state = start(columns=[["R6"], ["Y6"], ["G6"], [], []], money=[1, 20], moves=199)
    state.play("pass")
    assert state.over
    assert state.winners == (1,)


def test_a_200th_move_that_empties_the_third_column_leaves_no_last_sale() -> None:
    """No decision is still to come, so `closing` is 0."""
    state = start(columns=[["R2"], ["Y6"], ["G6"], [], []], stocks=[[], ["B4", "B5"]], moves=199)
    state.play("buy 1")
    after = state.position()
    assert state.over
    assert after["stocks"] == [["R2"], ["B4", "B5"]]
    assert after["scores"] == [18, 20]
    assert after["closing"] == 0


def test_a_200th_move_in_the_last_sale_leaves_the_other_no_decision() -> None:
    state = state_of(last_sale(stocks=[["R4", "R5"], ["G4", "G5"]], moves=199))
    state.play("sell R4 R5")
    after = state.position()
    assert state.over
    assert after["money"] == [40, 20]
    assert after["closing"] == 0


@pytest.mark.parametrize("kind", ["best_of", "total"])
def test_in_a_series_the_next_round_counts_its_moves_from_0(kind: str) -> None:
    state = start(options={"series": kind}, money=[30, 20], moves=199)
    state.play("buy 2")
    after = state.position()
    assert not state.over
    assert after["round"] == 2
    assert after["moves"] == 0
    assert after["series"]["totals"] == [8, 0]
    assert after["series"]["wins"] == [1, 0]


def test_after_round_100_a_game_is_over() -> None:
    series = {"wins": [2, 1], "totals": [9, 4]}
    state = state_of(last_decision(options=BEST_OF_9, round=100, money=[20, 20], series=series))
    state.play("pass")
    assert state.over
    assert state.round == 100
    assert state.winners == (0,)
    assert state.position()["scores"] == [2, 1]


def test_after_round_99_it_is_not() -> None:
    series = {"wins": [2, 1], "totals": [9, 4]}
    state = state_of(last_decision(options=BEST_OF_9, round=99, money=[20, 20], series=series))
    state.play("pass")
    assert not state.over
    assert state.round == 100


def test_round_100_itself_counts() -> None:
    series = {"wins": [2, 1], "totals": [9, 9]}
    state = state_of(last_decision(options=BEST_OF_9, round=100, money=[20, 21], series=series))
    state.play("pass")
    assert state.winners == (0, 1)
    assert state.position()["series"] == {"kind": "best_of", "rounds": 9, "wins": [2, 2], "totals": [9, 10]}


def test_ties_after_round_100_share_even_with_nothing_won() -> None:
    state = state_of(last_decision(options={"series": "best_of", "rounds": 1}, round=100, money=[20, 20]))
    state.play("pass")
    assert state.winners == (0, 1)


def test_after_round_100_the_total_of_a_best_of_is_its_score_the_rounds_won() -> None:
    series = {"wins": [3, 2], "totals": [-20, 50]}
    state = state_of(last_decision(options=BEST_OF_9, round=100, money=[20, 20], series=series))
    state.play("pass")
    assert state.winners == (0,)


def test_the_ending_says_how_the_game_ended() -> None:
    """By the last sale, because nobody could move [K2], by the cap on moves or on rounds: four codes."""
    ends = [
        (last_decision(), "pass"),
        (position(columns=[["R6"], ["Y6"], ["G6"], [], []], money=[1, 1]), "pass"),
        (position(moves=199), "buy 1"),
        (last_decision(options=BEST_OF_9, round=100), "pass"),
    ]
    codes = []
    for made, move in ends:
        state = state_of(made)
        state.play(move)
        assert state.over
        ending = state.ending
        assert ending is not None
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", ending.code)
        assert re.fullmatch(r"[A-Z].+[.\]]", ending.sentence)
        codes.append(ending.code)
    assert len(set(codes)) == 4, codes


def test_no_query_changes_the_state() -> None:
    state = start(moves=199)
    saved, before = bytes(state), as_json(state.position())
    _ = (state.legal_moves, state.scores, state.winners, state.view(0), state.view(None), state.history)
    assert bytes(state) == saved
    assert as_json(state.position()) == before


# Over


def test_when_over_turn_is_null_the_phase_is_over_and_the_rest_stays() -> None:
    before = last_decision(stocks=[["R4", "R5"], ["G2"]], money=[40, 12], wilds=[False, True], starter=1)
    state = state_of(before)
    state.play("pass")
    assert as_json(state.position()) == as_json(
        before
        | {
            "turn": None,
            "phase": "over",
            "scores": [40, 12],
            "over": True,
            "winners": [0],
            "moves": before["moves"] + 1,
            "series": {"kind": "single", "rounds": 1, "wins": [1, 0], "totals": [20, -8]},
            "closing": 0,
        }
    )
    assert state.turn is None
    assert state.phase == "over"
    assert state.legal_moves == ()


def test_while_a_game_runs_nobody_has_won() -> None:
    state = state_of(last_decision(money=[40, 12]))
    assert state.over is False
    assert state.winners == ()
    assert state.position()["winners"] == []


def test_a_finished_position_can_be_given() -> None:
    for money in ((31, 17), (5, 9), (20, 20)):
        made = finished(money)
        state = state_of(made)
        assert as_json(state.position()) == as_json(made)
        assert state.over
        assert state.legal_moves == ()
