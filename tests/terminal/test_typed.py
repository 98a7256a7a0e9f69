"""What a player typed, and what was meant."""

from typing import Any

import pytest

import kibitz
from kibitz.core.state import State
from kibitz.terminal.typed import Unclear, meant


def position(**changes: Any) -> State:
    game = kibitz.game("kaching")
    start = game.deal(seed=1, starter=0).position()
    columns = [["G2"], ["G3"], ["G4"], ["B2"], ["P2"]]
    stocks = [["R4", "R5", "R6"], []]
    return game.from_position(start | {"columns": columns, "stocks": stocks, "sold": 27} | changes, seed=1)


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("buy 3", "buy 3"),
        ("BUY3", "buy 3"),
        ("b 3", "buy 3"),
        ("sell R4 R5", "sell R4 R5"),
        ("sell r4r5", "sell R4 R5"),
        ("s-r4-w", "sell R4 W"),
        ("sell r5 r", "sell R5 R6"),
        ("3", "buy 3"),
    ],
)
def test_case_spaces_and_short_forms_are_forgiven(typed: str, move: str) -> None:
    numbers = {number: f"buy {number}" for number in range(1, 6)}
    assert str(meant(typed, position(), numbers)) == move


def test_what_fits_several_moves_is_unclear() -> None:
    with pytest.raises(Unclear) as caught:
        meant("sell r4", position(), {})
    assert caught.value.moves == ("sell R4 R5", "sell R4 R6", "sell R4 W")


def test_many_moves_are_not_all_listed() -> None:
    with pytest.raises(Unclear) as caught:
        meant("s", position(stocks=[["R2", "R4", "R5", "R6"], []], sold=26), {})
    assert caught.value.listed().endswith(", …")


def test_an_illegal_move_is_handed_on_for_the_rules_to_refuse() -> None:
    assert str(meant("sell p5 P6", position(), {})) == "sell P5 P6"
    assert str(meant("Sell r5 r4", position(), {})) == "sell R5 R4"
