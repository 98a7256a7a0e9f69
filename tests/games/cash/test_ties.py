"""Ties at the target by rules version 2: the next single highest total wins."""

from typing import Any

import pytest

from kibitz.core.state import State
from tests.games.bad_input import refuse_position
from tests.games.cash.positions import played, state_of
from tests.games.cash.version_2 import position, start

pytestmark = pytest.mark.interpreted


def tied(scores: tuple[int, ...] = (1_040_000, 1_040_000, 0), **changes: Any) -> State:
    """A round after a tie at the target; seat 0 can stop it."""
    given = {"round": 2, "tied": True, "scores": list(scores)} | changes
    return start(**{"hand": "stop", "others": ["license", "license"]} | given)


def test_after_a_tie_at_the_target_the_next_single_highest_total_wins_whatever_it_is() -> None:
    state = start(
        "stop", "cash-50", others=["license", "license"], their=["cash-50"], scores=[990_000, 990_000, 0]
    )
    assert state.position()["tied"] is False
    assert played(state, "play stop")["tied"] is True
    after = played(tied(hand="stop cash-75", others=["cash-150", "license"]), "play stop")
    assert after["scores"] == [965_000, 890_000, 0]
    assert (after["over"], after["winners"], after["tied"]) == (True, [0], True)


def test_a_tie_goes_on_while_the_top_is_shared_and_is_never_set_back() -> None:
    state = tied(hand="stop cash-75", others=["cash-75", "license"])
    after = played(state, "play stop")
    assert after["scores"] == [965_000, 965_000, 0]
    assert (after["over"], after["round"], after["tied"]) == (False, 3, True)


def test_by_the_option_a_tie_is_ended_only_at_the_target() -> None:
    state = start("stop", "cash-50", their=["cash-50"], scores=[990_000] * 2, options={"tie": "target"})
    assert played(state, "play stop")["tied"] is False
    low = {"round": 2, "scores": [1_040_000] * 2, "options": {"tie": "target"}}
    after = played(start("stop cash-75", others=["cash-150"], **low), "play stop")
    assert (after["scores"], after["over"], after["tied"]) == ([965_000, 890_000], False, False)


@pytest.mark.parametrize(("round", "rounds"), [(1, 1), (100, None)])
def test_a_tie_is_told_also_when_the_last_round_ends_the_game_in_it(round: int, rounds: int | None) -> None:
    state = start(
        "stop", "cash-50", their=["cash-50"], scores=[990_000] * 2, round=round, options={"rounds": rounds}
    )
    after = played(state, "play stop")
    assert (after["over"], after["winners"], after["tied"]) == (True, [0, 1], True)
    assert state_of(after).position() == after


def test_the_ending_says_that_a_tie_was_broken() -> None:
    state = tied(hand="stop cash-75")
    played(state, "play stop")
    assert state.ending is not None
    assert state.ending.code == "tie"


def test_a_tie_is_of_a_later_round_and_of_several_at_the_top() -> None:
    refuse_position(position(tied=True), "tied")
    refuse_position(position(tied=True, round=2, options={"tie": "target"}), "tied")
    refuse_position(position(tied=True, round=2, scores=[5, 0]), "scores")
    assert state_of(position(tied=True, round=2, scores=[5, 5])).position()["tied"] is True
