"""The end of the game: the target, ties, the cap on moves, and what stays when it is over."""

import pytest

from kibitz.core.events import GameEnded
from tests.games.cash.positions import (
    as_json,
    finished,
    moves,
    played,
    points,
    position,
    start,
    state_of,
)

pytestmark = pytest.mark.interpreted


def test_the_million_is_tested_only_after_a_round() -> None:
    """[C2]"""
    state = start("cash-150 stop", "", scores=[990_000, 0])
    assert not played(state, "play cash-150", "done")["over"]
    state = start("stop", "cash-150", scores=[990_000, 0])
    after = played(state, "play stop")
    assert after["over"]
    assert (after["winners"], after["scores"]) == ([0], [1_140_000, 0])


@pytest.mark.parametrize(("before", "over"), [(990_000, True), (989_500, False)])
def test_the_game_ends_with_a_million_or_more(before: int, over: bool) -> None:
    state = start("stop", "cash-10", scores=[before, 0])
    assert played(state, "play stop")["over"] is over


@pytest.mark.parametrize(("target", "over"), [(200_000, True), (300_000, False)])
def test_the_option_target_changes_it(target: int, over: bool) -> None:
    state = start("stop", "cash-50", scores=[150_000, 0], options={"target": target})
    assert played(state, "play stop")["over"] is over


def test_the_highest_total_wins_not_who_stopped() -> None:
    state = start("stop", "cash-50", their=["cash-75"], scores=[990_000, 980_000])
    after = played(state, "play stop")
    assert (after["winners"], after["over"]) == ([1], True)


def test_a_tie_at_the_top_makes_another_round() -> None:
    state = start(
        "stop", "cash-50", others=["license", "license"], their=["cash-50"], scores=[990_000, 990_000, 0]
    )
    after = played(state, "play stop")
    assert (after["over"], after["round"], after["winners"]) == (False, 2, [])
    assert after["scores"] == [1_040_000, 1_040_000, 0]


def test_a_tie_below_the_top_does_not() -> None:
    state = start("stop", "cash-50", others=["license", "license"], scores=[990_000, 0, 0])
    assert played(state, "play stop")["winners"] == [0]


@pytest.mark.parametrize("rounds", [1, 2, 100])
def test_after_the_last_round_the_game_is_over_in_any_case_and_ties_share(rounds: int) -> None:
    state = start("stop", "cash-50", their=["cash-50"], options={"rounds": rounds}, round=rounds)
    after = played(state, "play stop")
    assert (after["over"], after["winners"], after["round"]) == (True, [0, 1], rounds)


def test_before_the_last_round_the_target_can_end_it() -> None:
    state = start("stop", "cash-50", options={"rounds": 3}, scores=[990_000, 0])
    assert played(state, "play stop")["over"]
    assert not played(start("stop", "cash-50", options={"rounds": 3}), "play stop")["over"]


def test_after_round_100_the_highest_total_wins_and_ties_share() -> None:
    state = start("stop", "cash-50", their=["cash-50"], round=100)
    assert played(state, "play stop")["winners"] == [0, 1]
    state = start("stop", "cash-50", their=["cash-50"], round=99)
    assert played(state, "play stop")["round"] == 100


def test_everybody_may_end_below_zero() -> None:
    state = start("stop cash-50", others=["cash-75"], options={"rounds": 1})
    after = played(state, "play stop")
    assert (after["scores"], after["winners"]) == ([-50_000, -75_000], [0])


def test_when_over_the_rest_stays_as_scored() -> None:
    made = position(
        "stop cash-5",
        "cash-50 venture",
        lost=[0, 2],
        offers=3,
        options={"rounds": 1},
        discard="crash",
        moves=7,
    )
    after = played(state_of(made), "play stop")
    expected = made | {
        "turn": None,
        "phase": "over",
        "scores": [95_000, 0],
        "over": True,
        "winners": [0],
        "moves": 8,
        "hands": [["cash-5"], made["hands"][1]],
        "discard": ["crash", "stop"],
        "offers": 0,
    }
    assert as_json(after) == as_json(expected)


def test_when_over_nobody_decides_and_the_reason_is_told() -> None:
    state = start("stop", "cash-50", options={"rounds": 1})
    state.play("play stop")
    assert (state.turn, state.phase, moves(state)) == (None, "over", set())
    assert state.ending is not None
    assert isinstance(state.log(None)[-1], GameEnded)


# The cap


def test_before_the_5000th_move_a_round_goes_on() -> None:
    state = start("cash-5 cash-10", moves=4998, options={"rounds": 1})
    after = played(state, "play cash-5")
    assert (after["over"], after["moves"]) == (False, 4999)


def test_the_5000th_move_is_carried_out_with_the_next_draw_then_the_round_is_scored() -> None:
    deck = "stop cash-75 stop stop stop cash-75 cash-25"
    made = position("license license", "cash-50", deck=deck, acted=True, moves=4999, options={"rounds": 1})
    after = played(state_of(made), "done")
    assert (after["over"], after["moves"]) == (True, 5000)
    assert [len(hand) for hand in after["hands"]] == [7, 8]
    assert after["scores"] == [50_000 - 25_000 - 75_000, -75_000]
    assert after["deck"] == ["stop"]


def test_a_capped_round_is_followed_by_the_next() -> None:
    state = start("cash-5 cash-10", "", others=["license", "stop"], moves=4999, starter=1)
    after = played(state, "play cash-5")
    assert (after["round"], after["moves"], after["starter"], after["scores"]) == (2, 0, 2, [-5000, 0, 0])


def test_an_open_extra_turn_lapses_at_the_cap() -> None:
    made = position("dividend license", moves=4999, options={"rounds": 1})
    after = played(state_of(made), "discard dividend")
    assert (after["over"], after["extra"], after["acted"]) == (True, False, False)


def test_a_finished_position_can_be_given() -> None:
    state = state_of(finished())
    assert state.over
    assert state.winners == (0,)
    assert state.ending is not None
    assert points(state)[0] == 250_000 - 5000
