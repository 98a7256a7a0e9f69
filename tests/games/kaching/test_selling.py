"""A turn: selling."""

import pytest

from tests.games.kaching.positions import moves, start

pytestmark = pytest.mark.interpreted

# Nobody with less than $6 can buy here: what is legal is a sale.
DEAR = [["P3", "R6"], ["Y6"], ["G6"], ["B6"], ["P6"]]


def sales(stock: list[str], wild: bool = False) -> set[str]:
    return moves(start(columns=DEAR, stocks=[stock, []], money=[1, 1], wilds=[wild, True]))


def paid(move: str, stock: list[str]) -> int:
    state = start(columns=DEAR, stocks=[stock, []], money=[3, 20])
    state.play(move)
    money: list[int] = state.position()["money"]
    assert money[1] == 20
    return money[0] - 3


def test_red_4_and_5_bring_20() -> None:
    """A worked example."""
    assert paid("sell R4 R5", ["R4", "R5"]) == 20


def test_yellow_2_and_3_bring_6() -> None:
    """A worked example."""
    assert paid("sell Y2 Y3", ["Y2", "Y3"]) == 6


def test_yellow_3_and_the_wild_bring_6() -> None:
    """A worked example."""
    assert paid("sell Y3 W", ["Y3"]) == 6


@pytest.mark.parametrize(
    ("move", "price"),
    [("sell P2 P2", 4), ("sell B3 B3", 9), ("sell G2 G4", 8), ("sell R3 R5", 15), ("sell Y4 Y5", 20)],
)
def test_a_pair_brings_the_product_of_its_values(move: str, price: int) -> None:
    assert paid(move, move.split()[1:]) == price


@pytest.mark.parametrize(("card", "price"), [("R2", 4), ("G3", 6), ("B4", 8), ("P5", 10)])
def test_the_wild_sells_one_card_of_any_colour_for_twice_its_value(card: str, price: int) -> None:
    assert paid(f"sell {card} W", [card]) == price


def test_the_dearest_pair_brings_30() -> None:
    state = start(columns=[["R2"], ["Y2"], ["B2"], [], []], stocks=[["G5", "G6"], []], money=[0, 0])
    state.play("sell G5 G6")
    assert state.position()["money"] == [30, 0]


def test_a_pair_is_of_one_colour() -> None:
    assert sales(["R4", "Y4", "G4", "B4", "P4"]) == {"pass"}
    assert sales(["R4", "Y2", "Y5", "G4"]) == {"sell Y2 Y5"}


def test_a_pair_is_two_cards() -> None:
    assert sales(["R2"]) == {"pass"}


def test_two_equal_cards_are_a_pair() -> None:
    assert sales(["R2", "R2"]) == {"sell R2 R2"}


def test_every_two_cards_of_a_colour_are_a_pair_lower_value_first() -> None:
    assert sales(["B2", "B4", "B5"]) == {"sell B2 B4", "sell B2 B5", "sell B4 B5"}


def test_equal_cards_make_each_move_once() -> None:
    state = start(columns=DEAR, stocks=[["G2", "G2", "G3", "G3"], []], money=[1, 1])
    assert sorted(map(str, state.legal_moves)) == [
        *("sell G2 G2", "sell G2 G3", "sell G2 W", "sell G3 G3", "sell G3 W"),
    ]


def test_the_wild_goes_with_every_owned_card_and_is_written_last() -> None:
    assert sales(["R4", "Y2", "Y3"], wild=True) == {"sell Y2 Y3", "sell R4 W", "sell Y2 W", "sell Y3 W"}


def test_the_wild_is_not_sold_alone() -> None:
    assert sales([], wild=True) == {"pass"}


def test_only_owned_cards_are_sold() -> None:
    state = start(columns=DEAR, stocks=[["R3"], ["R4", "R5"]], money=[1, 1], wilds=[False, True])
    assert moves(state) == {"pass"}


def test_only_the_own_wild_is_used() -> None:
    state = start(columns=DEAR, stocks=[["R3"], ["Y4"]], money=[1, 1], wilds=[False, True])
    assert moves(state) == {"pass"}
    state.play("pass")
    assert moves(state) == {"sell Y4 W"}


def test_the_wild_is_used_once_a_round() -> None:
    state = start(columns=DEAR, stocks=[["R3", "Y4"], ["B2", "B3"]], money=[1, 20])
    state.play("sell R3 W")
    assert state.position()["wilds"] == [False, True]
    state.play("sell B2 B3")
    assert moves(state) == {"buy 1", "buy 2", "buy 3", "buy 4", "buy 5"}
    state.play("buy 5")
    assert state.position()["money"] == [1, 26]


def test_using_the_wild_leaves_the_other_seats_wild() -> None:
    state = start(columns=DEAR, stocks=[[], ["R3"]], money=[1, 1], turn=1)
    state.play("sell R3 W")
    assert state.position()["wilds"] == [True, False]


def test_a_sold_pair_is_out_of_play() -> None:
    state = start(stocks=[["R4", "R5", "G4"], ["R6"]])
    columns = state.position()["columns"]
    state.play("sell R4 R5")
    after = state.position()
    assert after["stocks"] == [["G4"], ["R6"]]
    assert after["columns"] == columns
    assert after["sold"] == 2
    assert after["wilds"] == [True, True]


def test_of_two_equal_cards_one_is_sold_and_one_stays() -> None:
    state = start(stocks=[["G2", "G2", "G5"], []])
    state.play("sell G2 G5")
    assert state.position()["stocks"][0] == ["G2"]


def test_a_sold_wild_counts_among_the_sold_cards() -> None:
    state = start(stocks=[["R4"], []])
    state.play("sell R4 W")
    after = state.position()
    assert after["sold"] == 2
    assert after["stocks"] == [[], []]


def test_a_turn_is_one_sale() -> None:
    state = start(stocks=[["R4", "R5", "G2", "G4"], []])
    state.play("sell R4 R5")
    assert state.turn == 1
    assert state.phase == "trade"


def test_what_a_sale_brings_may_be_spent_in_the_next_turn() -> None:
    state = start(columns=DEAR, stocks=[["B2", "B3"], []], money=[0, 20])
    state.play("sell B2 B3")
    state.play("buy 1")
    assert moves(state) == {"buy 1", "buy 2", "buy 3", "buy 4", "buy 5"}


def test_a_card_just_bought_may_be_sold_in_the_next_turn() -> None:
    state = start(columns=DEAR, stocks=[["R5"], []])
    state.play("buy 1")
    assert "sell R5 R6" not in moves(state)
    state.play("buy 2")
    assert "sell R5 R6" in moves(state)


def test_a_sale_counts_as_a_move() -> None:
    state = start(stocks=[["R4", "R5"], []], moves=8)
    state.play("sell R4 R5")
    assert state.position()["moves"] == 9
