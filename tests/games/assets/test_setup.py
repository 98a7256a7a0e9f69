"""In the box, and setting up."""

from collections import Counter
from typing import Any

import pytest

import kibitz
from kibitz.core.events import Drew
from kibitz.core.state import State
from tests.core import shuffle_twin
from tests.games.assets.naive import DECKS, cards_of, set_up
from tests.games.assets.positions import DEFAULTS, all_cards, as_json, position, state_of
from tests.games.assets.test_twin import undealt

pytestmark = pytest.mark.interpreted


def deal(players: int = 2, seed: int = 1, **options: Any) -> State:
    return kibitz.game("assets").deal(players, seed=seed, **options)


def test_the_game_is_for_two_to_six() -> None:
    assert list(kibitz.game("assets").players) == [2, 3, 4, 5, 6]


def test_these_are_rules_version_1() -> None:
    assert kibitz.game("assets").rules_version == 1


@pytest.mark.parametrize(("deck", "size"), [("first", 110), ("second", 104)])
def test_the_deck_has_the_cards_of_its_edition(deck: str, size: int) -> None:
    cards = all_cards(deal(3, deck=deck).position())
    assert len(cards) == size
    assert Counter(cards) == {card: copies for card, (_, copies) in DECKS[deck].items()}


@pytest.mark.parametrize("deck", ["first", "second"])
def test_every_card_counts_the_value_of_its_edition(deck: str) -> None:
    """A set of two of each asset, and one with each wild."""
    for card, (value, _) in DECKS[deck].items():
        other = "auto" if card in ("silver", "gold") else card
        made = position(
            ["", "jewels"], [f"{other} {card}", ""], turn=1, deck="", options={"deck": deck, "rounds": 1}
        )
        state = state_of(made)
        state.play("discard jewels")
        assert state.scores == (value + DECKS[deck][other][0], 0)


@pytest.mark.parametrize("hand", [4, 5])
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_each_is_dealt_4_or_5_cards_and_one_is_turned_up(players: int, hand: int) -> None:
    dealt = deal(players, hand=hand).position()
    assert [len(cards) for cards in dealt["hands"]] == [hand] * players
    assert len(dealt["discard"]) == 1
    assert len(dealt["deck"]) == 110 - hand * players - 1
    assert dealt["limits"] == [hand] * players
    assert dealt["stacks"] == [[]] * players
    assert dealt["duel"] is None


def test_cards_are_dealt_one_by_one_from_the_dealers_left() -> None:
    """The order of the deal in docs/shuffle.md: only the hands' order is lost by sorting."""
    state = deal(3, dealer=0)
    drawn = [(event.seat, event.card) for event in state.log(1) if isinstance(event, Drew)]
    assert [seat for seat, _ in drawn] == [1, 2, 0] * 4
    assert sorted(card for seat, card in drawn if seat == 1) == sorted(state.position()["hands"][1])
    assert {card for seat, card in drawn if seat != 1} == {"?"}


@pytest.mark.parametrize("deck", ["first", "second"])
@pytest.mark.parametrize(("players", "hand", "dealer"), [(4, 4, "random"), (3, 5, 1)])
def test_the_dealer_is_drawn_first_then_the_deck_is_shuffled_from_the_tables_order(
    players: int, hand: int, dealer: int | str, deck: str
) -> None:
    options = DEFAULTS | {"rounds": 2, "hand": hand, "dealer": dealer, "deck": deck}
    state = deal(players, seed=7, **options)
    words = shuffle_twin.stream(shuffle_twin.key_of(7))
    dealing = shuffle_twin.below(words, players) if isinstance(dealer, str) else dealer
    shuffled = shuffle_twin.shuffled(words, cards_of(deck))
    assert as_json(state.position()) == as_json(set_up(options, players, dealing, shuffled))
    while state.round == 1:
        state.play(state.legal_moves[0])
    shuffled = shuffle_twin.shuffled(words, cards_of(deck))
    again = set_up(options, players, (dealing + 1) % players, shuffled)
    assert state.position() == again | {"round": 2, "scores": list(state.scores)}


def test_a_fresh_deal_is_the_whole_starting_position() -> None:
    for players in (2, 6):
        options = DEFAULTS | {"hand": 5, "deck": "second", "dealer": 1, "target": 7}
        dealt = deal(players, **options).position()
        assert as_json(dealt) == as_json(set_up(options, players, 1, undealt(dealt)))


def test_the_seat_left_of_the_dealer_starts() -> None:
    for dealer in range(4):
        state = deal(4, dealer=dealer)
        assert state.turn == (dealer + 1) % 4
        assert state.position()["dealer"] == dealer


def test_else_the_first_dealer_is_random() -> None:
    dealers = Counter(deal(3, seed=seed).position()["dealer"] for seed in range(90))
    assert set(dealers) == {0, 1, 2}
    assert min(dealers.values()) > 12


def test_the_deal_moves_left_each_round() -> None:
    state = state_of(position(["auto", ""], deck="", options={"rounds": 3}, dealer=1))
    state.play("discard auto")
    assert (state.round, state.position()["dealer"], state.turn) == (2, 0, 1)


def test_a_new_round_is_dealt_from_the_whole_deck() -> None:
    state = state_of(position(["auto", ""], ["home home", "bank bank | auto gold"], deck=""))
    state.play("discard auto")
    after = state.position()
    assert after["moves"] == 0
    assert after["stacks"] == [[], []]
    assert sorted(all_cards(after)) == sorted(cards_of("first"))
    assert len(after["discard"]) == 1
    assert after["scores"] == [40000, 85000]


def test_a_deal_gives_every_option_its_default() -> None:
    assert as_json(deal().position()["options"]) == as_json(DEFAULTS)


def test_options_keep_the_order_of_the_rules_however_they_are_given() -> None:
    made = deal(forgetful=True, dealer=1, deck="second", hand=5, rounds=2, target=5).position()["options"]
    assert list(made) == list(DEFAULTS)


def test_the_same_seed_deals_the_same_game_and_another_seed_another() -> None:
    assert as_json(deal(seed=7).position()) == as_json(deal(seed=7).position())
    assert deal(seed=7).position()["hands"] != deal(seed=8).position()["hands"]
