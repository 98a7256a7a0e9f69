"""The last sale."""

import pytest

from tests.games.kaching.positions import TWO_COLUMNS, last_decision, last_sale, moves, start, state_of

pytestmark = pytest.mark.interpreted

THREE_LEFT = [["R2"], ["Y5", "Y6"], [], ["G3"], []]


def test_the_last_sale_begins_the_moment_only_two_columns_hold_cards() -> None:
    state = start(columns=THREE_LEFT, moves=40)
    state.play("buy 1")
    after = state.position()
    assert state.phase == after["phase"] == "last sale"
    assert after["closing"] == 2
    assert after["moves"] == 41
    assert not state.over


def test_taking_from_a_column_without_emptying_it_does_not_begin_the_last_sale() -> None:
    state = start(columns=THREE_LEFT)
    state.play("buy 2")
    assert state.phase == "trade"
    assert state.position()["closing"] == 0


@pytest.mark.parametrize(
    "columns", [[["R2"], ["Y6"], ["G3"], ["B4"], ["P5"]], [["R2"], ["Y6"], ["G3"], ["B4"], []]]
)
def test_emptying_the_first_or_second_column_does_not_begin_it(columns: list[list[str]]) -> None:
    state = start(columns=columns)
    state.play("buy 1")
    assert state.phase == "trade"
    assert state.position()["closing"] == 0
    assert "buy 2" in moves(state)


def test_a_sale_does_not_begin_it() -> None:
    state = start(columns=THREE_LEFT, stocks=[["B4", "B5"], []])
    state.play("sell B4 B5")
    assert state.phase == "trade"


def test_buying_ends_with_it() -> None:
    state = start(columns=THREE_LEFT, stocks=[["P2", "P3"], ["B4", "B5"]])
    state.play("buy 4")
    assert moves(state) == {"sell B4 B5", "sell B4 W", "sell B5 W", "pass"}
    state.play("pass")
    assert moves(state) == {"sell P2 P3", "sell P2 W", "sell P3 W", "sell G3 W", "pass"}


def test_the_card_that_emptied_the_column_may_be_sold_in_it() -> None:
    state = start(columns=THREE_LEFT, stocks=[["R6"], []], wilds=[False, False])
    state.play("buy 1")
    state.play("pass")
    state.play("sell R2 R6")
    assert state.position()["money"] == [30, 20]


@pytest.mark.parametrize("seat", [0, 1])
def test_first_the_player_who_would_have_been_next_then_the_one_who_emptied_the_column(seat: int) -> None:
    """[K9]"""
    state = start(columns=THREE_LEFT, turn=seat)
    state.play("buy 1")
    assert state.turn == 1 - seat
    state.play("pass")
    assert state.turn == seat
    state.play("pass")
    assert state.over


def test_each_may_sell_one_pair_only() -> None:
    state = state_of(last_sale(stocks=[["R2", "R3", "R4", "R5"], ["G2", "G3"]], money=[10, 10]))
    state.play("sell R4 R5")
    after = state.position()
    assert state.turn == 1
    assert after["closing"] == 1
    assert after["phase"] == "last sale"
    state.play("sell G2 G3")
    assert state.over
    assert state.position()["money"] == [30, 16]


def test_each_may_pass_though_a_pair_could_be_sold() -> None:
    state = state_of(last_sale(stocks=[["R4", "R5"], ["G2", "G3"]]))
    for seat in (0, 1):
        assert state.turn == seat
        assert "pass" in moves(state)
        state.play("pass")
    assert state.over
    assert state.position()["money"] == [20, 20]


def test_a_pass_leaves_everything_but_turn_closing_and_moves() -> None:
    before = last_sale(stocks=[["R4", "R5"], ["G2"]], money=[11, 12])
    state = state_of(before)
    state.play("pass")
    assert state.position() == before | {"turn": 1, "closing": 1, "moves": before["moves"] + 1}


def test_the_wild_may_be_used_in_it() -> None:
    """[K6]"""
    state = state_of(last_sale(stocks=[["R5"], []], money=[4, 4]))
    assert moves(state) == {"sell R5 W", "pass"}
    state.play("sell R5 W")
    after = state.position()
    assert after["money"] == [14, 4]
    assert after["wilds"] == [False, True]


def test_a_spent_wild_stays_spent_in_it() -> None:
    state = state_of(last_sale(stocks=[["R5"], []], wilds=[False, True]))
    assert moves(state) == {"pass"}


def test_both_decide_even_if_pass_is_all_they_have() -> None:
    """[K2]"""
    state = start(columns=[["R2"], ["Y6"], [], ["G3"], []], money=[2, 0], wilds=[False, False])
    state.play("buy 1")
    assert not state.over
    assert state.phase == "last sale"
    assert moves(state) == {"pass"}
    state.play("pass")
    assert not state.over
    assert moves(state) == {"pass"}
    state.play("pass")
    assert state.over


def test_after_both_the_round_is_over() -> None:
    state = state_of(last_decision(money=[12, 30]))
    state.play("pass")
    assert state.over
    after = state.position()
    assert after["closing"] == 0
    assert after["phase"] == "over"
    assert after["turn"] is None


def test_its_result_is_the_money_and_cards_left_over_count_nothing() -> None:
    stocks = [["R4", "R5", "R6"], ["G2"]]
    state = state_of(last_decision(stocks=stocks, money=[12, 13]))
    state.play("pass")
    assert state.winners == (1,)
    after = state.position()
    assert after["scores"] == [12, 13]
    assert after["stocks"] == stocks
    assert after["columns"] == TWO_COLUMNS
