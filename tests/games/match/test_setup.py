"""Setting up."""

from collections import Counter
from typing import Any

import pytest

import kibitz
from kibitz.core.events import Reshuffled, Revealed
from kibitz.core.state import State
from tests.games.match.naive import COLOURS, DECK, Deal, is_a_deal, set_up
from tests.games.match.positions import as_json

pytestmark = pytest.mark.interpreted

DEFAULTS = {"target": 50, "rounds": None, "starter": "random"}


def deal(seed: int, players: int = 2, **options: Any) -> State:
    return kibitz.game("match").deal(players=players, seed=seed, **options)


def all_cards(dealt: dict[str, Any]) -> list[str]:
    return [card for pile in (*dealt["hands"], dealt["deck"], dealt["discard"]) for card in pile]


def test_the_game_is_for_two_to_six() -> None:
    game = kibitz.game("match")
    assert list(game.players) == [2, 3, 4, 5, 6]
    assert game.title == "MATCH!"
    assert game.deal(seed=1).players == 2


def test_these_are_rules_version_1() -> None:
    assert kibitz.game("match").rules_version == 1


def test_there_are_60_number_cards_and_four_jokers() -> None:
    counts = Counter(all_cards(deal(seed=1).position()))
    assert counts.total() == 64
    assert counts.pop("W") == 4
    assert counts == {f"{colour}{number}": 2 for colour in COLOURS for number in range(6)}


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_everybody_gets_five_cards_and_one_is_turned_up(players: int) -> None:
    for seed in range(10):
        dealt = deal(seed, players).position()
        assert [len(hand) for hand in dealt["hands"]] == [5] * players
        assert len(dealt["discard"]) == 1
        assert len(dealt["deck"]) == 64 - 5 * players - 1
        assert dealt["collections"] == [{}] * players
        assert is_a_deal(players, Deal(dealt["hands"], dealt["deck"], dealt["discard"][0]))


def test_a_joker_that_is_turned_up_goes_back_and_another_card_is_turned() -> None:
    went_back = 0
    for seed in range(120):
        state = deal(seed)
        turned = [event for event in state.log(None) if isinstance(event, Revealed | Reshuffled)]
        assert turned[-1] == Revealed(state.position()["discard"][0])
        assert turned[:-1] == [Revealed("W"), Reshuffled(54)] * (len(turned) // 2)
        assert state.position()["discard"] != ["W"]
        assert state.position()["called"] is None
        went_back += len(turned) > 1
    assert 1 <= went_back <= 25


def test_the_cards_are_shuffled() -> None:
    """Each number card begins the discard pile of some deal, and each card is in some hand."""
    deals = [deal(seed).position() for seed in range(250)]
    assert {dealt["discard"][0] for dealt in deals} == set(DECK) - {"W"}
    assert {card for dealt in deals for card in dealt["hands"][0]} == set(DECK)


def test_hands_are_in_card_order() -> None:
    for seed in range(20):
        for hand in deal(seed, 6).position()["hands"]:
            assert hand == sorted(hand, key=DECK.index)


@pytest.mark.parametrize("starter", [0, 1, 2])
def test_the_option_starter_names_the_first_player(starter: int) -> None:
    for seed in range(5):
        state = deal(seed, 3, starter=starter)
        assert state.turn == state.position()["starter"] == starter


def test_else_the_first_player_is_random() -> None:
    states = [deal(seed, 3) for seed in range(90)]
    firsts = Counter(state.turn for state in states)
    assert set(firsts) == {0, 1, 2}
    assert min(firsts.values()) >= 15
    assert all(state.position()["starter"] == state.turn for state in states)


def test_a_deal_gives_every_option_its_default() -> None:
    assert deal(seed=1).position()["options"] == DEFAULTS


def test_options_keep_the_order_of_the_rules_however_they_are_given() -> None:
    made = deal(seed=1, starter=1, rounds=5, target=80).position()["options"]
    assert list(made.items()) == [("target", 80), ("rounds", 5), ("starter", 1)]


@pytest.mark.parametrize("options", [{"target": 10}, {"target": 500}, {"rounds": 1}, {"rounds": 100}])
def test_the_bounds_of_the_options_are_allowed(options: dict[str, int]) -> None:
    assert deal(seed=1, **options).position()["options"] == DEFAULTS | options


def test_a_fresh_deal_is_the_whole_starting_position() -> None:
    dealt = deal(seed=5, players=4, starter=3, target=70, rounds=2).position()
    options = {"target": 70, "rounds": 2, "starter": 3}
    made = Deal(dealt["hands"], dealt["deck"], dealt["discard"][0])
    assert as_json(dealt) == as_json(set_up(options, 4, made, starter=3))


def test_the_same_seed_deals_the_same_game_and_another_seed_another() -> None:
    assert as_json(deal(seed=7).position()) == as_json(deal(seed=7).position())
    assert deal(seed=7).position()["deck"] != deal(seed=8).position()["deck"]
