"""What Ka-Ching! refuses beyond what every game does, each with its reason."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.games.bad_input import HUGE, refuse_position
from tests.games.kaching.bad_input import THREE_COLUMNS
from tests.games.kaching.naive import Position
from tests.games.kaching.positions import (
    SERIES_KEYS,
    TWO_COLUMNS,
    finished,
    last_sale,
    position,
    state_of,
)

pytestmark = pytest.mark.interpreted

BEST_OF_3 = {"series": "best_of", "rounds": 3}
TOTAL_3 = {"series": "total", "rounds": 3}


# Positions


@pytest.mark.parametrize("key", SERIES_KEYS)
def test_a_series_has_every_key(key: str) -> None:
    made = position()
    del made["series"][key]
    refuse_position(made, "series", key)


def test_money_that_does_not_fit_the_record_is_refused() -> None:
    for money in ([HUGE, 20], [20, HUGE], [20, -HUGE]):
        refuse_position(position(money=money), "money")


# A key and what is wrong in it; the position is otherwise right.
def with_cards(change: Callable[[Position], object]) -> Position:
    """A position with cards in columns and stocks, changed; `sold` agrees with the new count of cards."""
    made = position(stocks=[["R2", "R6"], ["G4"]])
    change(made)
    cards = sum(map(len, made["columns"])) + sum(map(len, made["stocks"]))
    made["sold"] = max(0, 37 - cards - sum(made["wilds"]))
    return made


def test_a_36th_card_is_refused() -> None:
    refuse_position(with_cards(lambda made: made["columns"][0].append("G4")), "columns", "stocks", "G4")


def test_a_third_red_2_is_refused() -> None:
    def swap(made: Position) -> None:
        made["stocks"][0] = ["R2", "R2", "R2"]
        made["columns"] = [["R3"], ["Y2"], ["G2"], [], []]

    error = refuse_position(with_cards(swap), "columns", "stocks")
    assert "R2" in error.reason


def test_a_second_red_6_is_refused_though_it_lies_elsewhere() -> None:
    def swap(made: Position) -> None:
        made["stocks"] = [["R6"], []]
        made["columns"] = [["R6"], ["Y2"], ["G2"], [], []]

    error = refuse_position(with_cards(swap), "columns", "stocks")
    assert "R6" in error.reason


@pytest.mark.parametrize(
    "card", ["R7", "R1", "X2", "W", "?", "r2", "R", "", "R22", "2R", " R2", "R２", 2, None, ["R2"]]
)
def test_only_cards_of_the_deck_lie_in_columns_and_stocks(card: Any) -> None:
    refuse_position(with_cards(lambda made: made["columns"][2].__setitem__(-1, card)), "columns")
    refuse_position(with_cards(lambda made: made["stocks"][1].__setitem__(0, card)), "stocks")


def test_a_column_has_at_most_seven_cards() -> None:
    def heap(made: Position) -> None:
        made["stocks"] = [[], []]
        made["columns"] = [["R2", "R3", "Y2", "Y3", "G2", "G3", "B2", "B3"], ["P2"], ["P3"], [], []]

    refuse_position(with_cards(heap), "columns")


@pytest.mark.parametrize("sold", [0, 1, 26, 28, 37])
def test_columns_stocks_unused_wilds_and_sold_must_be_37(sold: int) -> None:
    made = last_sale(stocks=[["R4", "R5"], ["G2"]], wilds=[False, True], columns=TWO_COLUMNS)
    assert made["sold"] == 30
    refuse_position(made | {"sold": sold}, "sold")


def test_a_used_wild_is_among_the_sold() -> None:
    refuse_position(position() | {"wilds": [True, False]}, "sold", "wilds")


@pytest.mark.parametrize(
    ("made", "wrong"),
    [
        (position(), {"kind": "total"}),
        (position(), {"kind": 0}),
        (position(), {"rounds": 3}),
        (position(), {"rounds": True}),
        (position(), {"wins": [1, 0]}),
        (position(), {"totals": [1, 0]}),
        (position(), {"wins": [0]}),
        (position(), {"wins": [False, False]}),
        (position(), {"totals": [0.0, 0.0]}),
        (position(), {"totals": None}),
        (position(), {"draws": 0}),
        (position(options=TOTAL_3), {"rounds": 1}),
        (position(options=BEST_OF_3, round=2), {"wins": [-1, 0]}),
        (position(options=BEST_OF_3, round=2), {"wins": [0, HUGE]}),
        (position(options=TOTAL_3, round=2), {"totals": [HUGE, 0]}),
    ],
    ids=lambda value: str(value) if len(value) == 1 else value["series"]["kind"],
)
def test_a_series_fits_the_options_and_the_finished_rounds(made: Position, wrong: dict[str, Any]) -> None:
    """`scores` agree with the series, so that only it is wrong (or both are no scores)."""
    made = made | {"series": made["series"] | wrong}
    if made["series"]["kind"] == "best_of" and "wins" in wrong:
        made["scores"] = wrong["wins"]
    if made["series"]["kind"] == "total" and "totals" in wrong:
        made["scores"] = wrong["totals"]
    refuse_position(made, "series", "scores", *wrong)


def test_more_rounds_cannot_be_won_than_are_finished() -> None:
    refuse_position(
        position(options=BEST_OF_3, round=2, series={"wins": [1, 1], "totals": [0, 0]}), "series", "wins"
    )


def test_a_best_of_that_is_won_is_not_running() -> None:
    made = position(options=BEST_OF_3, round=3, series={"wins": [2, 0], "totals": [9, 0]})
    refuse_position(made, "series", "wins", "over")


def test_a_total_has_no_more_rounds_than_its_option_says() -> None:
    refuse_position(position(options=TOTAL_3, round=4), "round", "rounds")


@pytest.mark.parametrize(
    ("options", "scores"),
    [(BEST_OF_3, [0, 0]), (BEST_OF_3, [7, -2]), (BEST_OF_3, [0, 1]), (TOTAL_3, [1, 0]), (TOTAL_3, [20, 20])],
)
def test_scores_are_those_of_the_series(options: dict[str, Any], scores: list[int]) -> None:
    right = position(options=options, round=2, series={"wins": [1, 0], "totals": [7, -2]})
    state_of(right)
    refuse_position(right | {"scores": scores}, "scores")


@pytest.mark.parametrize("columns", [TWO_COLUMNS, [["P5"], [], [], [], []], [[], [], [], [], []]])
def test_a_trade_has_three_columns_at_least(columns: list[list[str]]) -> None:
    refuse_position(position(columns=columns), "phase", "columns")


@pytest.mark.parametrize("columns", [THREE_COLUMNS, [["P5"], [], [], [], []], [[], [], [], [], []]])
def test_a_last_sale_has_two_columns(columns: list[list[str]]) -> None:
    refuse_position(last_sale(columns=columns), "phase", "columns")


@pytest.mark.parametrize("closing", [0, 3, -1, True, "2", None])
def test_a_last_sale_has_one_or_two_decisions_to_come(closing: Any) -> None:
    refuse_position(last_sale(closing=closing), "closing")


@pytest.mark.parametrize(
    ("options", "scores", "last"),
    [({"series": "total", "rounds": 2}, [11, -3], 2), ({"series": "best_of", "rounds": 3}, [1, 0], 100)],
    ids=str,
)
def test_a_finished_series_has_a_reason(options: dict[str, Any], scores: list[int], last: int) -> None:
    made = finished((31, 17), options=options, scores=scores)
    error = refuse_position(made, "over")
    assert "reason" in error.reason
    assert state_of(made | {"round": last}).ending is not None
