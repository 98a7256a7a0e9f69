"""The option `forgetful`: players draw by hand, and may forget to."""

import pytest

from tests.games.assets.positions import moves, played, position, start, state_of

pytestmark = pytest.mark.interpreted

FORGETFUL = {"forgetful": True}
STACKS = ["bank bank", "coins coins | home home"]


def test_without_it_nobody_is_asked_to_draw() -> None:
    assert played(start(["home home", "piggy"]), "pair home home")["phase"] == "turn"


@pytest.mark.parametrize("move", ["pair home home", "take home with home", "discard auto"])
def test_after_the_action_the_player_chooses_to_draw_or_to_forget(move: str) -> None:
    """A discard's draw is part of the choice."""
    state = start(["home home auto bank", "piggy"], discard="home", options=FORGETFUL)
    after = played(state, move)
    assert (after["phase"], after["turn"]) == ("draw", 0)
    assert moves(state) == {"draw", "forget"}
    assert after["deck"] == position(["home home auto bank", "piggy"], discard="home")["deck"]


def test_draw_fills_the_hand_up_to_the_limit() -> None:
    state = start(["home home auto bank", "piggy"], deck="coins stamps baseball", options=FORGETFUL)
    after = played(state, "pair home home", "draw")
    assert after["hands"][0] == ["auto", "bank", "stamps", "baseball"]
    assert (after["phase"], after["turn"], after["limits"]) == ("turn", 1, [4, 4])
    assert after["moves"] == 2


def test_one_who_forgets_may_hold_no_more_cards_than_now() -> None:
    state = start(["home home auto bank", "piggy piggy piggy piggy"], options=FORGETFUL)
    after = played(state, "pair home home", "forget")
    assert after["hands"][0] == ["auto", "bank"]
    assert after["limits"] == [2, 4]
    assert after["turn"] == 1
    after = played(state, "discard piggy", "draw", "discard auto", "draw")
    assert len(after["hands"][0]) == 2


def test_the_next_round_deals_as_many_as_the_limit() -> None:
    made = position(["auto", ""], deck="", limits=[3, 1], options=FORGETFUL, dealer=0)
    after = played(state_of(made), "discard auto")
    assert after["round"] == 2
    assert [len(hand) for hand in after["hands"]] == [3, 1]
    assert after["limits"] == [3, 1]
    assert len(after["deck"]) == 110 - 5


def test_with_an_empty_hand_forget_is_not_legal() -> None:
    state = start(["home home", "piggy"], options=FORGETFUL)
    state.play("pair home home")
    assert moves(state) == {"draw"}


def test_with_an_empty_deck_there_is_no_choice() -> None:
    state = start(["home home auto", "piggy"], deck="", options=FORGETFUL)
    after = played(state, "pair home home")
    assert (after["phase"], after["turn"]) == ("turn", 1)


@pytest.mark.parametrize("choice", ["draw", "forget"])
def test_a_victim_is_refilled_by_itself_after_the_thiefs_choice(choice: str) -> None:
    """The refill order is thief, then victim. [A1]"""
    hands = ["home auto bank bank", "gold piggy piggy piggy", "auto auto auto auto"]
    state = start(hands, [*STACKS, ""], deck="stamps coins jewels", options=FORGETFUL)
    after = played(state, "steal p1 with home", "defend with gold", "yield")
    assert (after["phase"], after["turn"], after["duel"]) == ("draw", 0, None)
    assert len(after["hands"][1]) == 3
    after = played(state, choice)
    drawn = ["coins"] if choice == "draw" else ["jewels"]
    assert sorted(after["hands"][1]) == sorted(["piggy", "piggy", "piggy", *drawn])
    assert after["turn"] == 1


def test_only_a_victim_is_refilled_and_nobody_else() -> None:
    """After a discard the choice is the player's alone, also in a position where others hold few cards."""
    state = start(["home auto", "piggy", "bank stocks"], options=FORGETFUL)
    assert [len(hand) for hand in played(state, "discard auto", "draw")["hands"]] == [4, 1, 2]


def test_a_position_in_the_middle_of_the_draw_knows_who_draws_next() -> None:
    state = start(["home auto bank bank", "gold piggy piggy piggy"], STACKS, options=FORGETFUL)
    middle = state_of(played(state, "steal p1 with home", "defend with gold", "yield"))
    assert played(middle, "forget") == played(state, "forget")


def test_a_choice_pending_at_the_cap_is_never_made() -> None:
    state = start(["home home auto", "piggy"], moves=1999, options=FORGETFUL | {"rounds": 1})
    after = played(state, "pair home home")
    assert state.over
    assert after["hands"][0] == ["auto"]
    assert after["scores"] == [40000, 0]


def test_with_a_limit_of_one_a_player_still_takes_discards_and_steals() -> None:
    made = position(["home", "piggy"], STACKS, discard="home", limits=[1, 4], options=FORGETFUL)
    assert moves(state_of(made)) == {"take home with home", "discard home", "steal p1 with home"}
