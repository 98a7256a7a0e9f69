"""A turn: buying."""

import pytest

from tests.games.kaching.positions import moves, start

pytestmark = pytest.mark.interpreted

COLUMNS = [["R6", "R2"], ["Y5"], ["G2", "G3"], ["B4"], ["P6"]]


def test_only_the_last_card_of_a_column_is_free() -> None:
    """Column 1 sells its R2; the R6 beneath can't be afforded and isn't asked for."""
    state = start(columns=COLUMNS, money=[2, 20])
    assert moves(state) == {"buy 1"}
    state.play("buy 1")
    assert state.position()["stocks"][0] == ["R2"]


def test_the_free_card_of_every_column_may_be_bought() -> None:
    assert moves(start()) == {"buy 1", "buy 2", "buy 3", "buy 4", "buy 5"}


def test_a_bought_card_costs_its_value() -> None:
    for column, price in enumerate([2, 5, 3, 4, 6]):
        state = start(columns=COLUMNS)
        state.play(f"buy {column + 1}")
        assert state.position()["money"] == [20 - price, 20]


def test_a_bought_card_leaves_its_column_for_the_buyers_stock() -> None:
    state = start(columns=COLUMNS, turn=1)
    state.play("buy 3")
    after = state.position()
    assert after["columns"] == [["R6", "R2"], ["Y5"], ["G2"], ["B4"], ["P6"]]
    assert after["stocks"] == [[], ["G3"]]
    assert after["money"] == [20, 17]


def test_the_card_beneath_is_free_next() -> None:
    state = start(columns=COLUMNS)
    state.play("buy 1")
    state.play("buy 1")
    after = state.position()
    assert after["stocks"] == [["R2"], ["R6"]]
    assert after["money"] == [18, 14]


def test_nothing_is_bought_on_credit() -> None:
    assert moves(start(columns=COLUMNS, money=[4, 20])) == {"buy 1", "buy 3", "buy 4"}
    assert moves(start(columns=COLUMNS, money=[3, 20])) == {"buy 1", "buy 3"}


def test_the_other_seats_money_pays_nothing() -> None:
    assert moves(start(columns=COLUMNS, money=[50, 2], turn=1)) == {"buy 1"}


def test_the_last_dollar_may_be_spent() -> None:
    state = start(columns=COLUMNS, money=[6, 20])
    state.play("buy 5")
    assert state.position()["money"] == [0, 20]


def test_an_empty_column_has_nothing_to_buy_and_columns_keep_their_numbers() -> None:
    state = start(columns=[[], ["Y5"], [], ["B4"], ["P3", "P6"]])
    assert moves(state) == {"buy 2", "buy 4", "buy 5"}
    state.play("buy 5")
    assert state.position()["columns"] == [[], ["Y5"], [], ["B4"], ["P3"]]


def test_a_turn_is_one_buy() -> None:
    state = start(columns=COLUMNS)
    state.play("buy 1")
    assert state.turn == 1
    state.play("buy 2")
    assert state.turn == 0


def test_a_stock_is_sorted_by_colour_then_value() -> None:
    columns = [["R2", "P2"], ["P5", "G4"], ["Y6", "R6"]]
    state = start(columns=[*columns, ["B3"], ["Y2"]], stocks=[["R3", "Y4", "G2", "B5"], []], money=[40, 40])
    for move in ["buy 1", "buy 4", "buy 2", "buy 5", "buy 3"]:
        state.play(move)
    assert state.position()["stocks"] == [["R3", "R6", "Y4", "G2", "G4", "B5", "P2"], ["Y2", "B3"]]


def test_two_equal_cards_may_be_owned() -> None:
    state = start(columns=[["R2"], ["Y5", "Y6"], ["G3"], ["B4"], []], stocks=[["R2"], []])
    state.play("buy 1")
    assert state.position()["stocks"][0] == ["R2", "R2"]


def test_buying_takes_no_card_out_of_play() -> None:
    state = start()
    state.play("buy 1")
    after = state.position()
    assert after["sold"] == 0
    assert after["wilds"] == [True, True]


def test_a_buy_counts_as_a_move() -> None:
    state = start(moves=8)
    state.play("buy 1")
    assert state.position()["moves"] == 9
