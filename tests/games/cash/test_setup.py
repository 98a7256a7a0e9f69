"""The box and the deal."""

from collections import Counter
from typing import Any

import pytest

import kibitz
from kibitz.core.events import Drew, RoundBegan
from tests.games.cash.naive import CARD_ORDER, COPIES, DECK
from tests.games.cash.positions import DEFAULTS, KEYS, all_cards, moves, start

pytestmark = pytest.mark.interpreted

PLAYERS = [2, 3, 4, 5, 6, 7, 8]
FRESH: dict[str, Any] = {
    "license": True,
    "probe": None,
    "cash": [],
    "insured": [],
    "venture": 0,
    "taxman": 0,
}


def test_the_box_has_216_cards_of_30_kinds() -> None:
    assert len(DECK) == 216
    assert len(CARD_ORDER) == 30
    found = Counter(all_cards(kibitz.game("cash").deal(players=8, seed=1).position()))
    assert found == COPIES


def test_two_to_eight_can_play() -> None:
    assert list(kibitz.game("cash").players) == PLAYERS


@pytest.mark.parametrize("players", PLAYERS)
def test_everybody_gets_a_license_and_seven_cards_and_the_starter_has_drawn(players: int) -> None:
    dealt = kibitz.game("cash").deal(players=players, seed=3, starter=1).position()
    assert [len(hand) for hand in dealt["hands"]] == [8 if seat == 1 else 7 for seat in range(players)]
    assert dealt["firms"] == [FRESH] * players
    assert len(dealt["deck"]) == 216 - players - 7 * players - 1
    assert all_cards(dealt) == DECK


@pytest.mark.parametrize("players", PLAYERS)
def test_in_the_advanced_game_nobody_gets_a_license(players: int) -> None:
    dealt = kibitz.game("cash").deal(players=players, seed=3, advanced=True).position()
    assert [firm["license"] for firm in dealt["firms"]] == [False] * players
    assert len(dealt["deck"]) == 216 - 7 * players - 1
    assert all_cards(dealt) == DECK


def test_a_deal_leaves_everything_else_at_its_beginning() -> None:
    dealt = kibitz.game("cash").deal(players=3, seed=5).position()
    assert list(dealt) == KEYS
    rest = {key: dealt[key] for key in ("round", "phase", "scores", "over", "winners", "moves", "discard")}
    assert rest == {
        "round": 1,
        "phase": "action",
        "scores": [0, 0, 0],
        "over": False,
        "winners": [],
        "moves": 0,
        "discard": [],
    }
    assert dealt["lost"] == [0, 0, 0]
    assert dealt["acted"] is dealt["extra"] is False
    assert dealt["offers"] == 0
    assert dealt["offer"] is dealt["passing"] is None
    assert dealt["turn"] == dealt["starter"]


def test_hands_are_in_the_order_of_the_card_table() -> None:
    for hand in kibitz.game("cash").deal(players=8, seed=2).position()["hands"]:
        assert hand == sorted(hand, key=CARD_ORDER.index)


def test_the_first_player_is_random_or_named() -> None:
    game = kibitz.game("cash")
    starters = {game.deal(players=4, seed=seed).position()["starter"] for seed in range(60)}
    assert starters == {0, 1, 2, 3}
    for seat in range(4):
        dealt = game.deal(players=4, seed=1, starter=seat).position()
        assert dealt["starter"] == dealt["turn"] == seat


def test_the_marker_moves_left_each_round() -> None:
    """A named starter too."""
    for option in ("random", 2):
        state = start("stop", options={"starter": option}, others=["cash-5"] * 3, starter=2)
        state.play("play stop")
        assert (state.round, state.turn, state.position()["starter"]) == (2, 3, 3)
    state = start("stop", others=["cash-5"] * 3, starter=3)
    state.play("play stop")
    assert state.turn == state.position()["starter"] == 0


def test_everything_is_gathered_and_reshuffled_for_a_new_round() -> None:
    """Totals run over rounds, firms do not. [C1]"""
    tabled = "cash-50 cover-25:cash-25 venture taxman"
    state = start(
        "stop license", tabled, their=["probe-crime cash-5"], discard="broker crash", scores=[7000, -500]
    )
    state.play("play stop")
    after = state.position()
    assert after["firms"] == [FRESH, FRESH]
    assert after["discard"] == []
    assert sorted(map(len, after["hands"])) == [7, 8]
    assert all_cards(after) == DECK
    assert after["scores"] == [7000 + 150_000 + 500, -500 + 4500]


def test_a_new_round_starts_without_lost_turns_extra_turns_or_offers() -> None:
    """[C34]"""
    state = start("stop", lost=[0, 2], offers=5, starter=1)
    state.play("play stop")
    after = state.position()
    assert (after["round"], after["lost"], after["extra"], after["offers"]) == (2, [0, 0], False, 0)
    assert (after["moves"], after["acted"], after["phase"]) == (0, False, "action")


def test_a_new_round_of_the_advanced_game_has_no_licenses_either() -> None:
    state = start("stop", options={"advanced": True})
    state.play("play stop")
    assert [firm["license"] for firm in state.position()["firms"]] == [False, False]


def test_each_round_is_shuffled_anew() -> None:
    decks = set()
    for seed in range(3):
        state = kibitz.game("cash").deal(players=2, seed=seed)
        decks.add(tuple(state.position()["deck"]))
    assert len(decks) == 3


def test_the_options_have_their_defaults_in_their_order() -> None:
    options = kibitz.game("cash").deal(seed=1).position()["options"]
    assert list(options.items()) == list(DEFAULTS.items())


@pytest.mark.parametrize(
    "options",
    [
        {"target": 500_000},
        {"advanced": True},
        {"recession": 50},
        {"tax": "transfer"},
        {"trading": False},
        {"rounds": 1},
        {"rounds": 100},
        {"starter": 1},
    ],
    ids=str,
)
def test_every_option_can_be_set(options: dict[str, Any]) -> None:
    assert kibitz.game("cash").deal(seed=1, **options).position()["options"] == DEFAULTS | options


def test_a_deal_is_told_as_a_round_that_begins() -> None:
    state = kibitz.game("cash").deal(players=2, seed=1, starter=1)
    log = state.log(None)
    assert RoundBegan(1, 1) in log
    assert sum(isinstance(event, Drew) for event in log) == 15


def test_on_the_first_turn_everything_but_done_may_be_chosen() -> None:
    state = kibitz.game("cash").deal(players=2, seed=1, starter=0)
    assert "trade p1" in moves(state)
    assert "done" not in moves(state)
