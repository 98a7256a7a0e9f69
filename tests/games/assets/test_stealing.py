"""Stealing, and the duel that may follow."""

import pytest

from tests.games.assets.positions import duel, moves, played, position, start, state_of

pytestmark = pytest.mark.interpreted


def steals(found: set[str]) -> set[str]:
    return {move for move in found if move.startswith("steal")}


# Who may steal what


def test_a_stack_of_one_set_cannot_be_stolen_from() -> None:
    """Worked example: the very first (bottom) set of a stack can never be stolen."""
    state = start(["home gold", "piggy"], ["bank bank", "home home"])
    assert steals(moves(state)) == set()


def test_of_a_stack_of_two_only_the_upper_set_can_be_stolen() -> None:
    """Worked example."""
    state = start(["home auto", "piggy"], ["bank bank", "home home | auto auto"])
    assert steals(moves(state)) == {"steal p1 with auto"}
    after = played(state, "steal p1 with auto", "yield")
    assert after["stacks"][1] == [{"asset": "home", "cards": ["home", "home"]}]
    assert steals(moves(state_of(after | {"turn": 0}))) == set()


def test_a_thief_has_at_least_one_set() -> None:
    state = start(["auto gold", "piggy"], ["", "home home | auto auto"])
    assert steals(moves(state)) == set()


def test_a_thief_shows_that_asset_or_a_wild() -> None:
    state = start(["home auto silver gold", "piggy"], ["bank bank", "home home | auto auto"])
    assert steals(moves(state)) == {"steal p1 with auto", "steal p1 with silver", "steal p1 with gold"}


def test_any_other_seat_may_be_the_victim_but_never_oneself() -> None:
    stacks = ["bank bank | auto auto", "home home | auto auto", "coins coins | auto gold", "piggy piggy"]
    state = start(["bank bank", "auto", "stamps", "stamps"], stacks, turn=1)
    assert steals(moves(state)) == {"steal p0 with auto", "steal p2 with auto"}


def test_the_card_shown_leaves_the_hand_and_everybody_sees_it() -> None:
    """[A6]"""
    state = start(["auto bank", "piggy"], ["bank bank", "home home | auto auto"])
    after = played(state, "steal p1 with auto")
    assert after["phase"] == "duel"
    assert after["turn"] == 1
    assert after["hands"] == [["bank"], ["piggy"]]
    assert after["duel"] == duel(0, 1, "auto")
    for seat in (None, 0, 1):
        assert state.view(seat)["duel"] == duel(0, 1, "auto")


# The duel


def test_a_victim_may_defend_with_that_asset_or_a_wild_or_yield() -> None:
    state = start(["home auto", "home home silver gold"], ["bank bank", "coins coins | home home"])
    state.play("steal p1 with home")
    assert moves(state) == {"defend with home", "defend with silver", "defend with gold", "yield"}


def test_the_thief_may_press_on_with_such_a_card_or_yield() -> None:
    state = start(["home home gold auto", "home silver"], ["bank bank", "coins coins | home home"])
    played(state, "steal p1 with home", "defend with silver")
    assert state.turn == 0
    assert moves(state) == {"press with home", "press with gold", "yield"}


def test_the_last_to_show_a_card_wins_and_all_cards_shown_join_the_set() -> None:
    """Worked example: home, defended by gold, pressed with silver, yielded."""
    state = start(
        ["home silver auto bank", "gold home piggy piggy"], ["bank bank", "coins coins | home home"]
    )
    after = played(state, "steal p1 with home", "defend with gold", "press with silver", "yield")
    assert after["stacks"][0] == [
        {"asset": "bank", "cards": ["bank", "bank"]},
        {"asset": "home", "cards": ["home", "home", "home", "silver", "gold"]},
    ]
    assert after["stacks"][1] == [{"asset": "coins", "cards": ["coins", "coins"]}]
    assert after["duel"] is None
    assert after["phase"] == "turn"


def test_if_the_thief_yields_the_set_stays_where_it_was_with_all_cards_shown() -> None:
    state = start(["home auto", "gold piggy"], ["bank bank", "coins coins | home home"])
    after = played(state, "steal p1 with home", "defend with gold", "yield")
    assert after["stacks"][1][-1] == {"asset": "home", "cards": ["home", "home", "home", "gold"]}
    assert after["stacks"][0] == [{"asset": "bank", "cards": ["bank", "bank"]}]
    assert after["turn"] == 1


def test_cards_are_shown_in_turns_one_card_each() -> None:
    state = start(["home home home silver", "home home gold piggy"], ["bank bank", "coins coins | home home"])
    after = played(
        state,
        "steal p1 with home",
        "defend with home",
        "press with home",
        "defend with gold",
        "press with silver",
    )
    assert after["duel"] == duel(0, 1, "home home silver", "home gold")
    assert after["turn"] == 1


def test_wilds_and_assets_are_equal_in_a_duel() -> None:
    """Gold doesn't beat an asset. [A4]"""
    state = start(["gold home", "home home piggy"], ["bank bank", "coins coins | home home"])
    played(state, "steal p1 with gold", "defend with home")
    assert moves(state) == {"press with home", "yield"}


def test_either_side_may_stop_although_able_to_go_on() -> None:
    """[A5]"""
    state = start(["home gold", "home gold"], ["bank bank", "coins coins | home home"])
    state.play("steal p1 with home")
    assert "yield" in moves(state)
    state.play("defend with home")
    assert "yield" in moves(state)


def test_a_victim_with_an_empty_hand_loses_the_set_at_once() -> None:
    """[A8]"""
    state = start(["home auto", ""], ["bank bank", "coins coins | home home"], deck="")
    after = played(state, "steal p1 with home")
    assert after["stacks"][0][-1] == {"asset": "home", "cards": ["home", "home", "home"]}
    assert after["phase"] == "turn"
    assert after["turn"] == 0


def test_a_victim_whose_hand_runs_out_in_the_middle_of_a_duel_loses_the_set_at_once() -> None:
    """[A8]"""
    state = start(["home gold auto", "home"], ["bank bank", "coins coins | home home"], deck="piggy")
    after = played(state, "steal p1 with home", "defend with home", "press with gold")
    assert after["stacks"][0][-1]["cards"] == ["home", "home", "home", "home", "gold"]
    assert after["phase"] == "turn"
    assert after["hands"] == [["auto", "piggy"], []]


def test_a_victim_with_cards_but_none_that_fits_must_answer_yield() -> None:
    """It is never done for it: that would tell. [A8]"""
    state = start(["home auto", "piggy"], ["bank bank", "coins coins | home home"])
    state.play("steal p1 with home")
    assert (state.turn, moves(state)) == (1, {"yield"})


@pytest.mark.parametrize("hand", ["home auto", "home"])
def test_a_thief_without_a_fitting_card_must_answer_yield_too(hand: str) -> None:
    """Also with an empty hand. [A8]"""
    state = start([hand, "gold piggy"], ["bank bank", "coins coins | home home"])
    played(state, "steal p1 with home", "defend with gold")
    assert (state.turn, moves(state)) == (0, {"yield"})


# After the duel


def test_the_thief_draws_first_then_the_victim() -> None:
    """[A1]"""
    hands = ["home silver auto bank", "gold piggy piggy piggy"]
    state = start(hands, ["bank bank", "coins coins | home home"], deck="stamps coins jewels baseball")
    after = played(state, "steal p1 with home", "defend with gold", "press with silver", "yield")
    assert after["hands"][0] == ["auto", "jewels", "bank", "baseball"]
    assert after["hands"][1] == ["coins", "piggy", "piggy", "piggy"]
    assert after["deck"] == ["stamps"]


def test_a_victim_that_showed_nothing_draws_nothing() -> None:
    state = start(["home auto", "piggy piggy piggy piggy"], ["bank bank", "coins coins | home home"])
    after = played(state, "steal p1 with home", "yield")
    assert after["hands"][1] == ["piggy"] * 4


def test_a_stolen_set_can_be_stolen_again() -> None:
    state = start(["home auto", "gold piggy"], ["bank bank", "coins coins | home home"])
    played(state, "steal p1 with home", "yield")
    after = played(state, "steal p0 with gold", "yield")
    assert after["stacks"][1][-1]["cards"] == ["home", "home", "home", "gold"]


def test_a_set_below_is_at_risk_once_the_top_one_is_gone() -> None:
    state = start(["home auto", "piggy"], ["bank bank", "coins coins | auto auto | home home"])
    played(state, "steal p1 with home", "yield", "discard piggy")
    assert "steal p1 with auto" in moves(state)


def test_a_duel_may_be_taken_up_from_a_position() -> None:
    made = position(
        ["auto", "home piggy"],
        ["bank bank", "coins coins | home home"],
        turn=1,
        phase="duel",
        duel=duel(0, 1, "home"),
    )
    state = state_of(made)
    assert moves(state) == {"defend with home", "yield"}
    after = played(state, "defend with home")
    assert after["duel"] == duel(0, 1, "home", "home")
    assert after["turn"] == 0
