"""The score of a round."""

from typing import Any

import pytest

import kibitz
from kibitz.core.events import RoundScored
from kibitz.core.state import State
from tests.games.cash.positions import (
    finished,
    firm,
    played,
    points,
    start,
    state_of,
)

pytestmark = pytest.mark.interpreted


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


def test_scores_are_whole_dollars() -> None:
    state = kibitz.game("cash").deal(seed=1, target=200_000)
    assert all(type(score) is int for score in state.position()["scores"])
    assert state_of(finished((1_000_500, 0))).position()["scores"] == [1_000_500, 0]
