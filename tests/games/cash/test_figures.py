"""What follows from a view: what firms count, what the round brings, what works, what can be traded."""

from typing import Any

import pytest

from kibitz.core.state import State
from tests.games.cash.positions import UNLICENSED, passing
from tests.games.cash.version_2 import start

pytestmark = pytest.mark.interpreted

OTHERS = ["stop", "stop"]


def figures(state: State, seat: int | None = 0) -> Any:
    return state.figures(seat)


def test_a_firm_counts_its_cash_insured_or_not_and_twice_with_a_venture() -> None:
    state = start("license", "cash-50 cover-25:cash-5,cash-10", others=OTHERS, their=["cash-75 venture"])
    assert [firm["counts"] for firm in figures(state)["firms"]] == [65_000, 150_000, 0]
    assert figures(state)["firms"][0]["insured"] == [15_000]


def test_so_far_the_hand_counts_against_its_seat() -> None:
    state = start("cash-25 crash recession venture", "cash-150", others=OTHERS)
    assert figures(state)["so_far"] == 150_000 - 25_000 - 2 * (25_000 + 75_000)
    assert figures(state, None)["so_far"] is None


def test_cards_chosen_for_passing_still_count() -> None:
    state = start(
        "cash-25", others=OTHERS, phase="passing", acted=True, passing=passing(2, 1, False, "cash-50", "", "")
    )
    assert figures(state)["so_far"] == -75_000


def test_as_many_cards_are_passed_as_are_due_or_as_there_are() -> None:
    chosen = passing(2, 1, False, "cash-50", "", "")
    state = start(
        "cash-25 stop", others=["license stop", "stop"], phase="passing", acted=True, passing=chosen
    )
    assert [figures(state, seat)["to_pass"] for seat in range(3)] == [1, 2, 1]
    assert figures(start("license", others=OTHERS))["to_pass"] == figures(state, None)["to_pass"] == 0


def test_cards_are_passed_to_the_previous_seat() -> None:
    state = start("license", others=OTHERS)
    assert [figures(state, seat)["receiver"] for seat in range(3)] == [2, 0, 1]


@pytest.mark.parametrize(
    ("firm", "working"),
    [
        ("", ["cash-5", "dividend", "crash", "broker"]),
        ("probe-crime", ["clear-crime", "dividend", "crash"]),
        (UNLICENSED, ["license"]),
    ],
    ids=["free", "investigated", "unlicensed"],
)
def test_a_card_works_if_its_play_or_its_discard_has_an_effect(firm: Any, working: list[str]) -> None:
    state = start("license cash-5 clear-crime clear-bribery dividend crash broker", firm, others=OTHERS)
    assert sorted(figures(state)["working"]) == sorted(working)
    assert figures(state, 1)["working"] == []


def test_loose_cards_can_be_traded_by_the_option_only_between_free_firms() -> None:
    firms = {"own": "cash-5 cover-25:cash-10 taxman", "their": ["cash-75 venture probe-crime"]}
    anybody = figures(start("license", others=OTHERS, **firms))
    assert anybody["trades"][1] == {"give": ["cash-5", "taxman"], "want": ["cash-75", "venture"]}
    assert anybody["trades"][0] is None
    licensed = figures(start("license", others=OTHERS, options={"firm_trades": "licensed"}, **firms))
    assert licensed["trades"][1] == {"give": [], "want": []}


@pytest.mark.parametrize(
    ("changes", "prompt"),
    [
        ({}, "phase.action"),
        ({"acted": True}, "phase.action.acted"),
        ({"options": {"trading": False}}, "phase.action.no-trade"),
        ({"acted": True, "offers": 10}, "phase.action.only-done"),
    ],
)
def test_what_is_asked_tells_the_one_card_and_trading(changes: dict[str, Any], prompt: str) -> None:
    assert figures(start("license", others=OTHERS, **changes))["prompt"] == prompt
