"""The rulings that reach across chapters. (The others stand in their chapters' tests.)"""

import pytest

import kibitz
from kibitz.core.state import State
from tests.games.assets.positions import duel, moves, played, position, start, state_of

pytestmark = pytest.mark.interpreted

ONE_ROUND = {"rounds": 1}
STACKS = ["bank bank", "coins coins | home home"]


def takes(state: State) -> set[str]:
    return {move for move in moves(state) if move.startswith("take")}


def test_with_one_card_left_the_thief_draws_it() -> None:
    """[A2]"""
    hands = ["home auto bank bank", "gold piggy piggy piggy"]
    state = start(hands, STACKS, deck="stamps", options={"forgetful": True})
    after = played(state, "steal p1 with home", "defend with gold", "yield", "draw")
    assert [len(hand) for hand in after["hands"]] == [4, 3]


@pytest.mark.parametrize(("deck", "sizes"), [("stamps", [3, 3]), ("stamps coins", [4, 3]), ("", [2, 3])])
def test_with_too_few_cards_the_thief_draws_before_the_victim(deck: str, sizes: list[int]) -> None:
    """[A2]"""
    hands = ["home silver auto bank", "gold piggy piggy piggy"]
    state = start(hands, STACKS, deck=deck)
    after = played(state, "steal p1 with home", "defend with gold", "press with silver", "yield")
    assert [len(hand) for hand in after["hands"]] == sizes


def test_with_too_few_cards_in_the_deck_what_is_there_is_drawn() -> None:
    """[A2]"""
    after = played(start(["home home auto bank", "piggy"], deck="coins"), "pair home home")
    assert after["hands"][0] == ["auto", "coins", "bank"]
    assert after["deck"] == []


def test_a_wild_turned_up_stays_on_the_pile_as_any_card() -> None:
    """[A3]"""
    turned = {kibitz.game("assets").deal(seed=seed).position()["discard"][0] for seed in range(120)}
    assert {"silver", "home", "piggy"} <= turned


def test_a_wild_on_the_pile_is_taken_with_any_asset_but_never_with_a_wild() -> None:
    """A discarded wild stays on the pile as any card. [A3]"""
    state = start(["home home auto silver", "piggy"], discard="gold")
    assert takes(state) == {"take gold with home", "take gold with auto"}
    state = start(["home silver", "piggy"], discard="silver")
    assert takes(state) == {"take silver with home"}


def test_a_discarded_wild_lies_on_top_as_any_card() -> None:
    """[A3]"""
    after = played(start(["home gold", "piggy"], discard="bank"), "discard gold")
    assert after["discard"] == ["bank", "gold"]


def test_there_is_no_duty_to_pair() -> None:
    """Any of the four actions is free choice. [A7]"""
    state = start(
        ["home home auto silver", "piggy"], ["bank bank", "coins coins | auto auto"], discard="home"
    )
    verbs = {move.split()[0] for move in moves(state)}
    assert verbs == {"pair", "take", "discard", "steal"}


def test_after_a_steal_the_next_seat_is_the_one_left_of_the_thief() -> None:
    """[A11]"""
    stacks = ["bank bank", "stamps stamps", "coins coins | home home"]
    for answers in (["yield"], ["defend with home", "yield"]):
        state = start(["home auto", "auto auto", "home piggy"], stacks)
        assert played(state, "steal p2 with home", *answers)["turn"] == 1


def test_a_seat_without_cards_is_skipped() -> None:
    """[A11]"""
    state = start(["home auto", "", "piggy piggy", ""], deck="")
    state.play("discard home")
    assert state.turn == 2
    state.play("discard piggy")
    assert state.turn == 0


def test_the_actor_may_be_next_again() -> None:
    """[A11]"""
    state = start(["home auto bank", "", ""], deck="")
    state.play("discard home")
    assert state.turn == 0


def test_at_the_cap_in_a_duel_the_set_counts_for_the_victim_and_shown_cards_for_nobody() -> None:
    """[A12]"""
    state = start(["home auto", "gold"], STACKS, moves=1999, options=ONE_ROUND)
    after = played(state, "steal p1 with home")
    assert state.over
    assert after["scores"] == [20000, 60000]
    assert after["duel"] == duel(0, 1, "home")
    assert after["turn"] is None
    assert state_of(after).position() == after


def test_at_the_cap_a_defence_is_carried_out_and_counts_for_nobody_either() -> None:
    """[A12]"""
    made = position(
        ["auto", "gold"],
        STACKS,
        turn=1,
        phase="duel",
        duel=duel(0, 1, "home"),
        moves=1999,
        options=ONE_ROUND,
    )
    after = played(state_of(made), "defend with gold")
    assert after["scores"] == [20000, 60000]
    assert after["duel"] == duel(0, 1, "home", "gold")
    assert after["hands"] == [["auto"], []]


def test_at_the_cap_a_yield_still_settles_the_duel() -> None:
    """[A12]"""
    made = position(
        ["auto", "gold"],
        STACKS,
        turn=1,
        phase="duel",
        duel=duel(0, 1, "home"),
        moves=1999,
        options=ONE_ROUND,
        deck="",
    )
    after = played(state_of(made), "yield")
    assert after["scores"] == [80000, 20000]
    assert after["duel"] is None
