"""A turn: when a player may pass."""

import pytest

from tests.games.kaching.positions import as_json, moves, position, start, state_of

pytestmark = pytest.mark.interpreted

DEAR = [["P2", "R6"], ["Y6"], ["G6"], [], []]


def test_a_player_with_one_dollar_no_pair_and_the_wild_spent_may_only_pass() -> None:
    """A worked example. [K1]"""
    cheap = [["R2"], ["Y2"], ["G2"], ["B2"], ["P2"]]
    state = start(columns=cheap, stocks=[["R4", "Y4"], []], money=[1, 20], wilds=[False, True])
    assert moves(state) == {"pass"}


def test_if_neither_a_buy_nor_a_sale_is_possible_the_turn_is_passed() -> None:
    """[K1]"""
    before = position(columns=DEAR, stocks=[["R4", "Y4"], []], money=[5, 20], wilds=[False, True])
    state = state_of(before)
    assert moves(state) == {"pass"}
    state.play("pass")
    assert as_json(state.position()) == as_json(before | {"turn": 1, "moves": 1})


def test_a_passed_turn_does_not_bar_later_ones() -> None:
    """[K1]"""
    state = start(columns=[["P2", "Y2", "R6"], ["Y6"], ["G6"], [], []], money=[5, 20], wilds=[False, True])
    state.play("pass")
    state.play("buy 1")
    assert moves(state) == {"buy 1"}


def test_there_is_no_pass_while_a_buy_is_possible() -> None:
    """[K3]"""
    assert moves(start(columns=DEAR, money=[6, 20], wilds=[False, True])) == {"buy 1", "buy 2", "buy 3"}


def test_there_is_no_pass_while_a_sale_is_possible() -> None:
    """[K3]"""
    assert moves(start(columns=DEAR, stocks=[["B2", "B3"], []], money=[5, 5], wilds=[False, True])) == {
        "sell B2 B3"
    }


def test_even_a_bad_buy_or_sale_is_compulsory() -> None:
    """The last dollars for a card that nothing can be made of, or a lone 2 with the wild. [K3]"""
    columns = [["R6"], ["Y6"], ["G2"], [], []]
    assert moves(start(columns=columns, money=[2, 20], wilds=[False, True])) == {"buy 3"}
    assert moves(start(columns=DEAR, stocks=[["B2"], []], money=[1, 20])) == {"sell B2 W"}


def test_there_is_no_pass_at_the_start() -> None:
    """[K3]"""
    assert "pass" not in moves(start())


def test_a_pass_counts_as_a_move() -> None:
    state = start(columns=DEAR, money=[1, 20], moves=30)
    state.play("pass")
    assert state.position()["moves"] == 31


def test_the_round_is_over_as_soon_as_neither_can_buy_or_sell() -> None:
    """Seat 0 spends its last dollars; seat 1 was stuck already. [K2]"""
    columns = [["R6", "R2"], ["Y6"], ["G6"], [], []]
    state = start(columns=columns, stocks=[["Y4"], ["G4"]], money=[2, 1], wilds=[False, False], moves=20)
    state.play("buy 1")
    assert state.over
    after = state.position()
    assert after["money"] == [0, 1]
    assert after["winners"] == [1]
    assert after["moves"] == 21


def test_neither_a_sale_nor_a_buy_is_possible_after_a_sale_that_brings_too_little() -> None:
    """[K2]"""
    state = start(columns=DEAR, stocks=[["B2", "B2"], []], money=[1, 5], wilds=[False, True])
    state.play("sell B2 B2")
    assert state.over
    assert state.position()["money"] == [5, 5]


def test_the_round_goes_on_while_the_other_can_buy() -> None:
    """[K2]"""
    state = start(columns=[["R6", "R2"], ["Y6"], ["G6"], [], []], money=[2, 6], wilds=[False, False])
    state.play("buy 1")
    assert not state.over
    assert moves(state) == {"buy 1", "buy 2", "buy 3"}


def test_the_round_goes_on_while_the_other_can_sell() -> None:
    """[K2]"""
    state = start(columns=DEAR, stocks=[["B2", "B2"], ["P3"]], money=[1, 5], wilds=[False, True])
    state.play("sell B2 B2")
    assert not state.over
    assert moves(state) == {"sell P3 W"}


def test_the_round_goes_on_while_only_the_one_who_moved_can_go_on() -> None:
    """Seat 1 is stuck and must say so: seat 0's money is hidden, and so is what it can do. [K1] [K2]"""
    state = start(columns=DEAR, stocks=[["B2", "B3", "B4", "B5"], []], money=[0, 0], wilds=[False, True])
    state.play("sell B2 B3")
    assert not state.over
    assert moves(state) == {"pass"}
    state.play("pass")
    assert moves(state) == {"sell B4 B5", "buy 1", "buy 2", "buy 3"}


def test_a_card_to_go_with_the_wild_keeps_the_round_alive_the_wild_alone_does_not() -> None:
    """[K2]"""
    columns = [["R6", "R2"], ["Y6"], ["G6"], [], []]
    alive = start(columns=columns, money=[2, 1], wilds=[True, True])
    alive.play("buy 1")
    assert not alive.over
    ended = start(columns=columns, money=[2, 1], wilds=[False, True])
    ended.play("buy 1")
    assert ended.over


def test_a_position_given_stuck_is_over_after_its_pass() -> None:
    """The test for the end comes after a move. [K2]"""
    state = start(columns=DEAR, money=[1, 3], wilds=[False, False])
    assert moves(state) == {"pass"}
    state.play("pass")
    assert state.over
    assert state.position()["winners"] == [1]
