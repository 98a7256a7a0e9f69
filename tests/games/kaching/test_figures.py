"""What a page is told of prices and pairs."""

import pytest

import kibitz
from tests.games.kaching.positions import position

pytestmark = pytest.mark.interpreted

GAME = kibitz.game("kaching")


def test_a_free_card_costs_its_value() -> None:
    state = GAME.from_position(position())
    assert state.figures(1)["prices"] == [6, 2, 2, 3, 3]


def test_a_pair_sells_for_the_product_the_best_first_and_only_the_seat_in_turn_is_told() -> None:
    state = GAME.from_position(position(stocks=[["R4", "R5"], ["Y6"]]))
    assert [(sale["move"], sale["price"]) for sale in state.figures(0)["sales"]] == [
        ("sell R4 R5", 20),
        ("sell R5 W", 10),
        ("sell R4 W", 8),
    ]
    assert state.figures(1)["sales"] == state.figures(None)["sales"] == []


def test_the_best_pair_of_a_colour_is_its_two_highest() -> None:
    state = GAME.from_position(position(stocks=[["R2", "R4", "R5", "Y6"], []]))
    assert state.figures(None)["best_pairs"] == [{"R": 20}, {}]


def test_what_is_asked_is_what_can_be_done() -> None:
    assert GAME.from_position(position()).figures(0)["prompt"] == "phase.trade.buy"
    both = GAME.from_position(position(stocks=[["R4", "R5"], []]))
    assert both.figures(0)["prompt"] == "phase.trade"
    poor = GAME.from_position(position(stocks=[["R4", "R5"], []], money=[0, 20]))
    assert poor.figures(0)["prompt"] == "phase.trade.sell"
