"""The rulings that no other chapter tells. (K1, K2, K3: test_passing; K6, K9: test_last_sale.)"""

import pytest

from tests.games.kaching.naive import DECK
from tests.games.kaching.positions import last_decision, moves, position, start, state_of

pytestmark = pytest.mark.interpreted


def test_the_bank_never_runs_out() -> None:
    """More than the printed $130 may be in the players' hands. [K4]"""
    state = start(stocks=[["R5", "R6"], ["G5", "G6"]], money=[120, 10])
    state.play("sell R5 R6")
    assert state.position()["money"] == [150, 10]
    state.play("sell G5 G6")
    assert state.position()["money"] == [150, 40]


def test_money_is_a_number_and_any_price_can_be_paid_exactly() -> None:
    """[K5]"""
    columns = [["R6"], ["Y5"], ["G4"], ["B3"], ["P2"]]
    for money in (6, 7, 19, 20):
        for column, price in enumerate([6, 5, 4, 3, 2]):
            state = start(columns=columns, money=[money, 20])
            state.play(f"buy {column + 1}")
            assert state.position()["money"][0] == money - price


def test_the_wild_may_be_the_second_decision_of_the_last_sale() -> None:
    """[K6]"""
    state = state_of(last_decision(stocks=[["G6"], []], money=[5, 16]))
    state.play("sell G6 W")
    assert state.scores == (17, 16)
    assert state.winners == (0,)


def test_equal_money_is_a_shared_win() -> None:
    """[K7]"""
    state = state_of(last_decision(money=[23, 23]))
    state.play("pass")
    assert state.winners == (0, 1)
    assert state.position()["winners"] == [0, 1]
    assert state.position()["series"]["wins"] == [0, 0]


def test_a_drawn_round_of_a_best_of_counts_for_nobody() -> None:
    """[K7]"""
    state = state_of(last_decision(money=[23, 23], options={"series": "best_of", "rounds": 3}))
    state.play("pass")
    after = state.position()
    assert not state.over
    assert after["round"] == 2
    assert after["scores"] == after["series"]["wins"] == [0, 0]
    assert after["series"]["totals"] == [3, 3]


def test_after_drawn_rounds_a_best_of_goes_on_until_one_has_the_majority() -> None:
    """Round 4 of a best of 3. [K7]"""
    finished_rounds = {"wins": [1, 1], "totals": [4, 9]}
    best_of = {"series": "best_of", "rounds": 3}
    drawn = state_of(last_decision(money=[9, 9], options=best_of, round=3, series=finished_rounds))
    drawn.play("pass")
    assert not drawn.over
    assert drawn.round == 4
    won = state_of(last_decision(money=[9, 10], options=best_of, round=4, series=finished_rounds))
    won.play("pass")
    assert won.over
    assert won.winners == (1,)


@pytest.mark.parametrize("seat", [0, 1, None])
def test_columns_may_be_read_in_full(seat: int | None) -> None:
    """[K8]"""
    view = start().view(seat)
    assert sorted(card for column in view["columns"] for card in column) == sorted(DECK)


@pytest.mark.parametrize("seat", [0, 1, None])
def test_everything_but_the_money_is_open(seat: int | None) -> None:
    """[K8]"""
    made = position(stocks=[["R2", "Y5"], ["G3"]], wilds=[True, False])
    view = state_of(made).view(seat)
    assert view | {"money": made["money"]} == made


@pytest.mark.parametrize("seat", [0, 1])
def test_the_last_sale_begins_with_the_player_who_would_have_been_next_whoever_that_is(seat: int) -> None:
    """Neither more money, nor the round's starter, nor the better sale decides. [K9]"""
    columns = [["R2"], ["Y6"], ["G3"], [], []]
    for starter in (0, 1):
        for rich in (0, 1):
            money = [40 if rich == player else 2 for player in (0, 1)]
            state = start(columns=columns, stocks=[["B2"], ["B6"]], turn=seat, starter=starter, money=money)
            state.play("buy 1")
            assert state.turn == 1 - seat
            assert moves(state) == {f"sell {['B2', 'B6'][1 - seat]} W", "pass"}
