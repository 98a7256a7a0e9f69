"""The score of a round, and the end of the game."""

from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz.core.events import GameEnded, RoundScored
from kibitz.core.state import State
from tests.games.cash.positions import (
    as_json,
    finished,
    firm,
    moves,
    offered,
    passing,
    played,
    position,
    start,
    state_of,
)

pytestmark = pytest.mark.interpreted


def points(state: State) -> list[int]:
    """What the round as it stands brings."""
    found = np.full(8, 99, np.int32)
    before = bytes(state)
    state.game.rules.score(state.memory[0], found)
    assert bytes(state) == before
    assert (found[state.players :] == 99).all()
    return [int(each) for each in found[: state.players]]


def score_of(hand: str = "", own: Any = "", **changes: Any) -> int:
    """Seat 0's points, nobody else having anything."""
    return points(start(hand, own, others=[changes.pop("other", "")], **changes))[0]


# The four steps


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        ("", 0),
        ("cash-5 cash-10 cash-25 cash-50 cash-75 cash-150", 315_000),
        ("cover-25:cash-5,cash-10 cover-75:cash-75", 90_000),
        ("cash-50 cover-25:cash-25", 75_000),
        ("cash-50 cover-25:cash-25 venture", 150_000),
        ("venture", 0),
    ],
)
def test_tabled_cash_counts_insured_or_not_and_a_venture_doubles_it(own: str, expected: int) -> None:
    assert score_of("", own) == expected


def test_several_ventures_do_not_stack() -> None:
    """[C5]"""
    assert score_of("", "cash-50 venture venture venture") == 100_000
    assert score_of("crash venture venture", "") == -50_000


def test_cash_in_hand_is_subtracted_and_not_doubled() -> None:
    assert score_of("cash-5 cash-5 cash-75 stop", "cash-150") == 65_000
    assert score_of("cash-75", "cash-50 venture") == 25_000
    assert score_of("cash-75 venture", "cash-50") == -25_000


@pytest.mark.parametrize(
    ("card", "penalty"), [("crash", 25_000), ("recession", 75_000), ("bankruptcy", 150_000)]
)
def test_bear_cards_in_hand_are_penalties_doubled_with_a_venture_in_hand(card: str, penalty: int) -> None:
    assert score_of(f"{card} {card}", "cash-5") == 5000 - 2 * penalty
    assert score_of(f"{card} venture", "cash-5") == 5000 - 2 * penalty
    assert score_of(card, "cash-5 venture") == 10_000 - penalty


def test_the_option_recession_makes_it_50() -> None:
    assert score_of("recession", "", options={"recession": 50}) == -50_000
    assert score_of("recession crash venture", "", options={"recession": 50}) == -150_000


def test_other_cards_in_hand_count_nothing() -> None:
    hand = "license stop cover-75 probe-crime clear-crime settlement dividend premium venture takeover"
    assert score_of(f"{hand} broker banker taxman", "cash-5") == 5000


def test_insured_cash_scores_without_a_license_too() -> None:
    """[C22]"""
    assert score_of("", firm("cover-50:cash-50", license=False)) == 50_000


def three(tax: str = "harsh", **changes: Any) -> State:
    """Round figures 200, -100, 50 with a taxman tabled by the first."""
    return start(
        "stop",
        "cash-150 cash-50 taxman",
        others=["cash-25 cash-75", "license"],
        their=["", "cash-50"],
        options={"tax": tax, "rounds": 1},
        **changes,
    )


def test_the_taxman_takes_a_tenth_and_both_lose_on_a_negative_figure() -> None:
    """Worked example: 200, -100, 50: harsh 200 - 10 + 5 = 195, -110, 45."""
    assert points(three()) == [195_000, -110_000, 45_000]
    assert played(three(), "play stop")["scores"] == [195_000, -110_000, 45_000]


def test_by_transfer_the_opponent_is_relieved_of_what_the_owner_takes_over() -> None:
    assert points(three("transfer")) == [195_000, -90_000, 45_000]


def test_several_taxmen_act_at_once_on_the_figures_before_tax() -> None:
    """[C6]"""
    state = start("", "cash-150 taxman", others=["", ""], their=["cash-50 taxman", "cash-5"])
    assert points(state) == [150_000 + 5000 + 500 - 15_000, 50_000 + 15_000 + 500 - 5000, 5000 - 1000]


@pytest.mark.parametrize(("tax", "expected"), [("harsh", -60_000), ("transfer", -50_000)])
def test_two_negative_taxmen_tax_each_other(tax: str, expected: int) -> None:
    """[C6]"""
    state = start("cash-50", "taxman", others=["cash-50"], their=["taxman"], options={"tax": tax})
    assert points(state) == [expected, expected]


def test_two_taxmen_on_one_firm_do_not_stack() -> None:
    """[C6]"""
    assert points(start("", "taxman taxman", others=[""], their=["cash-50"])) == [5000, 45_000]


def test_an_investigated_owners_taxman_counts() -> None:
    """[C32]"""
    assert points(start("", "taxman probe-crime", others=[""], their=["cash-50"])) == [5000, 45_000]


def test_a_taxman_in_hand_does_nothing() -> None:
    assert points(start("taxman", "", others=[""], their=["cash-50"])) == [0, 50_000]


def test_the_tax_is_exact_to_the_dollar() -> None:
    assert points(start("", "taxman", others=[""], their=["cash-5"])) == [500, 4500]


# The end of a round


def test_scores_are_running_totals_and_may_be_negative() -> None:
    state = start("stop", "cash-5", others=["bankruptcy"], scores=[10_000, -20_000])
    assert played(state, "play stop")["scores"] == [15_000, -170_000]


def test_hands_are_laid_open_and_each_step_is_told_when_a_round_is_scored() -> None:
    state = three()
    state.play("play stop")
    for seat in (None, 0, 1, 2):
        event = next(event for event in state.log(seat) if isinstance(event, RoundScored))
        assert [each.cards for each in event.seats] == [(), ("cash-25", "cash-75"), ("license",)]
        totals = [sum(step.amount for step in each.steps) for each in event.seats]
        assert totals == [195_000, -110_000, 45_000]


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


def test_at_the_cap_an_open_offer_lapses() -> None:
    """[C35]"""
    made = position("cash-5 stop", others=["taxman"], phase="offer", offers=1, offer=offered(), moves=4999)
    after = played(state_of(made | {"options": made["options"] | {"rounds": 1}}), "give cash-5")
    assert (after["over"], after["offer"], after["offers"]) == (True, None, 0)
    assert after["hands"] == [["stop", "cash-5"], ["taxman"]]
    after = played(state_of(made), "give cash-5")
    assert (after["round"], after["offer"], after["phase"]) == (2, None, "action")


def test_at_the_cap_cards_chosen_for_passing_count_in_their_owners_hand() -> None:
    """[C35]"""
    made = position(
        "cash-10 license",
        others=["stop"],
        phase="passing",
        passing=passing(2, 0, False, "cash-5", ""),
        acted=True,
        lost=[1, 0],
        moves=4999,
        options={"rounds": 1},
    )
    after = played(state_of(made), "pass cash-10")
    assert after["hands"] == [["license", "cash-5", "cash-10"], ["stop"]]
    assert (after["scores"], after["passing"], after["lost"]) == ([-15_000, 0], None, [1, 0])


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


def test_scores_are_whole_dollars() -> None:
    state = kibitz.game("cash").deal(seed=1, target=200_000)
    assert all(type(score) is int for score in state.position()["scores"])
    assert state_of(finished((1_000_500, 0))).position()["scores"] == [1_000_500, 0]
