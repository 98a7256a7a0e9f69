"""The end of a round and of the game, and the caps."""

import re
from typing import Any

import pytest

from kibitz.core.events import RoundScored
from tests.games.assets.positions import moves, played, start

pytestmark = pytest.mark.interpreted

ONE_ROUND = {"rounds": 1}


def last_discard(stacks: list[str], **changes: Any) -> Any:
    """Seat 0 has one card left, and its discard ends the round."""
    return start(["piggy", *[""] * (len(stacks) - 1)], stacks, deck="", **changes)


# The end of a round


def test_play_goes_on_until_all_hands_are_empty() -> None:
    state = start(["piggy", "bank bank"], deck="", options=ONE_ROUND)
    played(state, "discard piggy")
    assert not state.over
    assert state.turn == 1
    played(state, "pair bank bank")
    assert state.over


def test_the_round_ends_when_all_hands_are_empty_whatever_the_deck_holds() -> None:
    """A seat that draws isn't empty, so only a deck that nobody draws from can be left over. [A10]"""
    state = start(["piggy", ""], deck="coins", options=ONE_ROUND)
    after = played(state, "discard piggy")
    assert after["hands"] == [["coins"], []]
    assert not state.over
    state = start(["piggy", ""], deck="", options=ONE_ROUND)
    played(state, "discard piggy")
    assert state.over


def test_every_card_in_the_stack_counts_its_face_value_wilds_included() -> None:
    state = last_discard(["home home home gold | piggy silver", "auto silver silver"], options=ONE_ROUND)
    state.play("discard piggy")
    assert state.scores == (60000 + 50000 + 5000 + 25000, 15000 + 50000)


def test_discards_count_nothing() -> None:
    state = last_discard(["", ""], options=ONE_ROUND, discard="gold gold")
    state.play("discard piggy")
    assert state.scores == (0, 0)


def test_scores_add_up_over_finished_rounds() -> None:
    state = last_discard(["home home", "auto auto"], scores=[100000, 90000], round=2)
    assert state.scores == (100000, 90000)
    after = played(state, "discard piggy")
    assert after["scores"] == [140000, 120000]
    assert after["round"] == 3


def test_the_log_says_what_each_score_was_made_of() -> None:
    state = last_discard(["home home gold", "auto silver"], options=ONE_ROUND)
    state.play("discard piggy")
    for seat in (None, 0, 1):
        (scored,) = [event for event in state.log(seat) if isinstance(event, RoundScored)]
        steps = [[(step.name, step.amount) for step in one.steps] for one in scored.seats]
        assert steps == [
            [("assets", 40000), ("silver", 0), ("gold", 50000), ("sum", 90000)],
            [("assets", 15000), ("silver", 25000), ("gold", 0), ("sum", 40000)],
        ]


# The end of the game


@pytest.mark.parametrize(("scores", "over"), [([960000, 0], True), ([955000, 0], False), ([0, 970000], True)])
def test_the_game_ends_after_a_round_in_which_somebody_has_the_target(scores: list[int], over: bool) -> None:
    state = last_discard(["home home", "auto auto"], scores=scores, round=4)
    state.play("discard piggy")
    assert state.over is over
    if over:
        assert state.winners == ((0,) if scores[0] else (1,))
        assert state.position()["turn"] is None
        assert state.position()["phase"] == "over"


def test_the_highest_total_wins_not_the_first_to_have_the_target() -> None:
    state = last_discard(["home home", "auto auto"], scores=[960000, 980000], round=4)
    state.play("discard piggy")
    assert state.winners == (1,)


def test_tied_at_the_top_there_is_another_round() -> None:
    state = last_discard(["home home", "home home", ""], scores=[970000, 970000, 5000], round=4)
    state.play("discard piggy")
    assert not state.over
    assert state.round == 5
    assert state.scores == (1010000, 1010000, 5000)


def test_a_tie_below_the_top_does_not_matter() -> None:
    state = last_discard(["home home", "auto auto", "auto auto"], scores=[990000, 980000, 980000], round=4)
    state.play("discard piggy")
    assert state.winners == (0,)


def test_a_one_round_game_tied_at_the_top_is_shared() -> None:
    """[A9]"""
    state = last_discard(["home home", "home home", "auto auto"], options=ONE_ROUND)
    state.play("discard piggy")
    assert state.over
    assert state.winners == (0, 1)


def test_after_the_last_of_the_agreed_rounds_a_tie_at_the_target_is_shared_too() -> None:
    """[A9]"""
    state = last_discard(["home home", "home home"], scores=[970000, 970000], round=3, options={"rounds": 3})
    state.play("discard piggy")
    assert state.winners == (0, 1)


def test_the_target_can_end_a_game_of_agreed_rounds_earlier() -> None:
    state = last_discard(["home home", ""], options={"rounds": 5, "target": 40000})
    state.play("discard piggy")
    assert state.over
    assert state.ending is not None
    assert state.ending.code == "target"


def test_after_round_100_the_game_is_over_and_ties_share() -> None:
    state = last_discard(["home home", "home home"], scores=[970000, 970000], round=100)
    state.play("discard piggy")
    assert state.winners == (0, 1)
    state = last_discard(["home home", "auto auto"], scores=[5, 5], round=99)
    state.play("discard piggy")
    assert (state.over, state.round) == (False, 100)


def test_everything_else_stays_as_the_last_move_left_it() -> None:
    state = last_discard(["home home", "auto gold"], options=ONE_ROUND, discard="gold")
    after = played(state, "discard piggy")
    assert after["stacks"][1] == [{"asset": "auto", "cards": ["auto", "gold"]}]
    assert after["discard"][-2:] == ["gold", "piggy"]
    assert after["moves"] == 1


# The cap of 2000 moves


def test_the_2000th_move_is_carried_out_with_its_draw_and_the_round_scored() -> None:
    state = start(["home home", "bank"], deck="coins stamps", moves=1999, options=ONE_ROUND)
    after = played(state, "pair home home")
    assert state.over
    assert after["scores"] == [40000, 0]
    assert after["moves"] == 2000
    assert after["hands"] == [["coins", "stamps"], ["bank"]]
    assert state.ending is not None
    assert state.ending.code == "rounds"


def test_the_1999th_move_does_not_end_the_round() -> None:
    state = start(["home home", "bank"], moves=1998, options=ONE_ROUND)
    state.play("pair home home")
    assert not state.over


def test_at_the_cap_hands_are_laid_open_in_the_log() -> None:
    state = start(["home auto", "bank coins"], deck="", moves=1999, options=ONE_ROUND)
    state.play("discard auto")
    (scored,) = [event for event in state.log(None) if isinstance(event, RoundScored)]
    assert [sorted(one.cards) for one in scored.seats] == [["home"], ["bank", "coins"]]


def test_after_the_cap_the_next_round_counts_from_0() -> None:
    state = start(["home home", "bank"], moves=1999)
    after = played(state, "pair home home")
    assert (after["round"], after["moves"], after["scores"]) == (2, 0, [40000, 0])


def test_the_ending_says_how_the_game_ended() -> None:
    codes = []
    for changes in ({"options": ONE_ROUND}, {"scores": [990000, 0]}, {"round": 100}):
        state = last_discard(["home home", ""], **changes)
        state.play("discard piggy")
        assert state.ending is not None
        assert re.fullmatch(r"[A-Z].+[.\]]", state.ending.sentence)
        codes.append(state.ending.code)
    assert codes == ["rounds", "target", "max-rounds"]
    assert moves(state) == set()
