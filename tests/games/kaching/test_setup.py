"""Setting up."""

from typing import Any

import pytest

import kibitz
from kibitz.core.state import State
from tests.games.kaching.naive import COLOURS, DECK, is_a_deal, set_up
from tests.games.kaching.positions import FULL_COLUMNS, as_json

pytestmark = pytest.mark.interpreted

DEFAULTS = {"series": "single", "rounds": 3, "open_money": False, "starter": "random"}


def deal(seed: int, **options: Any) -> State:
    return kibitz.game("kaching").deal(players=2, seed=seed, **options)


def test_the_game_is_for_two() -> None:
    game = kibitz.game("kaching")
    assert list(game.players) == [2]
    assert game.deal(seed=1).position()["players"] == 2


def test_these_are_rules_version_1() -> None:
    assert kibitz.game("kaching").rules_version == 1


def test_there_are_35_stock_cards_five_colours_of_2_2_3_3_4_5_6() -> None:
    cards = [card for column in deal(seed=1).position()["columns"] for card in column]
    assert len(cards) == 35
    for colour in COLOURS:
        assert sorted(card[1:] for card in cards if card[0] == colour) == list("2233456")


def test_five_columns_of_seven_are_dealt() -> None:
    for seed in range(20):
        columns = deal(seed).position()["columns"]
        assert [len(column) for column in columns] == [7, 7, 7, 7, 7]
        assert is_a_deal(columns)


def test_the_cards_are_shuffled() -> None:
    """Each card is free at the start of some deal, and no column has favourites."""
    ends = [[column[-1] for column in deal(seed).position()["columns"]] for seed in range(150)]
    assert {card for free in ends for card in free} == set(DECK)
    assert all(len({free[column] for free in ends}) > 15 for column in range(5))


def test_each_player_has_20_dollars_and_the_wild() -> None:
    dealt = deal(seed=3).position()
    assert dealt["money"] == [20, 20]
    assert dealt["wilds"] == [True, True]
    assert dealt["stocks"] == [[], []]
    assert dealt["sold"] == 0


@pytest.mark.parametrize("starter", [0, 1])
def test_the_option_starter_names_the_first_player(starter: int) -> None:
    for seed in range(8):
        state = deal(seed, starter=starter)
        assert state.turn == starter
        assert state.position()["starter"] == starter


def test_else_the_first_player_is_random() -> None:
    states = [deal(seed) for seed in range(60)]
    firsts = [state.turn for state in states]
    assert 15 <= firsts.count(0) <= 45
    assert set(firsts) == {0, 1}
    assert [state.position()["starter"] for state in states] == firsts


def test_a_deal_gives_every_option_its_default() -> None:
    assert deal(seed=1).position()["options"] == DEFAULTS


def test_options_keep_the_order_of_the_rules_however_they_are_given() -> None:
    made = deal(seed=1, starter=1, open_money=True, rounds=5, series="total").position()["options"]
    assert list(made.items()) == [("series", "total"), ("rounds", 5), ("open_money", True), ("starter", 1)]


@pytest.mark.parametrize("series", ["single", "best_of", "total"])
def test_a_fresh_deal_is_the_whole_starting_position(series: str) -> None:
    state = deal(seed=5, series=series, rounds=7, starter=1)
    dealt = state.position()
    options = {"series": series, "rounds": 7, "open_money": False, "starter": 1}
    assert as_json(dealt) == as_json(set_up(options, dealt["columns"], starter=1))
    assert dealt["series"]["rounds"] == (1 if series == "single" else 7)


@pytest.mark.parametrize(("series", "rounds"), [("best_of", 1), ("best_of", 9), ("total", 1), ("total", 20)])
def test_the_bounds_of_rounds_are_allowed(series: str, rounds: int) -> None:
    assert deal(seed=1, series=series, rounds=rounds).position()["series"]["rounds"] == rounds


def test_the_same_seed_deals_the_same_game_and_another_seed_another() -> None:
    assert as_json(deal(seed=7).position()) == as_json(deal(seed=7).position())
    assert deal(seed=7).position()["columns"] != deal(seed=8).position()["columns"]


def test_the_full_columns_of_these_tests_are_the_deck() -> None:
    assert is_a_deal(FULL_COLUMNS)
