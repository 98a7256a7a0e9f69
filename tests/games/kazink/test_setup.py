"""The box, the board and setting up."""

from collections import Counter
from typing import Any

import pytest

import kibitz
from kibitz.core.state import State
from tests.games.kazink.naive import COUNTS, DECK, Deal, in_order, set_up
from tests.games.kazink.positions import DEFAULTS, as_json, moves, start

pytestmark = pytest.mark.interpreted

BOARD = """
S H D C
H S C D
C D H S
S H D C
D C S H
H S C D
"""


def deal(seed: int, players: int = 2, **options: Any) -> State:
    return kibitz.game("kazink").deal(players=players, seed=seed, **options)


def spaces_of(suit: str, rows: int) -> set[str]:
    lines = BOARD.split("\n")[1 : rows + 1]
    return {
        f"{column}{row}"
        for row, line in enumerate(lines, 1)
        for column, printed in zip("abcd", line.split(), strict=True)
        if printed == suit
    }


def test_the_game_is_for_two_to_four() -> None:
    game = kibitz.game("kazink")
    assert list(game.players) == [2, 3, 4]
    assert game.title == "Kazink!"
    assert game.deal(seed=1).players == 2


def test_these_are_rules_version_2() -> None:
    assert kibitz.game("kazink").rules_version == 2
    assert deal(seed=1).rules_version == 2


def test_there_are_54_cards() -> None:
    """Eleven of each suit, four wild, four double-up, two crown."""
    dealt = deal(seed=1).position()
    counts = Counter(card for pile in (*dealt["hands"], dealt["deck"]) for card in pile)
    assert counts == COUNTS
    assert counts.total() == 54


@pytest.mark.parametrize(("players", "colours"), [(2, "YB"), (3, "YBR"), (4, "YB")])
def test_there_are_36_chips_of_each_colour_in_play(players: int, colours: str) -> None:
    dealt = deal(1, players).position()
    assert list(dealt["chips"].items()) == [(colour, 36) for colour in colours]
    assert list(dealt["rows"].items()) == [(colour, 0) for colour in colours]


@pytest.mark.parametrize(("players", "seat", "colour"), [(2, 0, "Y"), (2, 1, "B"), (3, 0, "Y"), (3, 1, "B")])
def test_seat_0_has_yellow_and_seat_1_blue(players: int, seat: int, colour: str) -> None:
    state = start("W", others=["W"] * (players - 1), turn=seat)
    state.play("W a1")
    assert state.position()["board"] == {"a1": colour}


@pytest.mark.parametrize("pool", ["divided", "shared"])
@pytest.mark.parametrize("players", [2, 3])
def test_two_and_three_players_have_36_chips_each(players: int, pool: str) -> None:
    assert deal(1, players, pool=pool).position()["seat_chips"] == [36] * players


def test_partners_divide_their_36_chips_and_each_has_18() -> None:
    dealt = deal(1, 4).position()
    assert dealt["options"]["pool"] == "divided"
    assert dealt["seat_chips"] == [18, 18, 18, 18]
    assert dealt["chips"] == {"Y": 36, "B": 36}


def test_partners_who_share_a_pool_show_the_teams_number_both() -> None:
    """[Z14]"""
    dealt = deal(1, 4, pool="shared").position()
    assert dealt["seat_chips"] == [36, 36, 36, 36]
    assert dealt["chips"] == {"Y": 36, "B": 36}


def test_seat_2_of_three_has_red() -> None:
    state = start(others=["S", "W"], turn=2)
    state.play("W a1")
    assert state.position()["board"] == {"a1": "R"}
    assert state.position()["chips"] == {"Y": 36, "B": 36, "R": 35}


def test_seats_0_and_2_of_four_have_yellow_and_1_and_3_blue() -> None:
    for seat, colour in enumerate("YBYB"):
        state = start("W", others=["W", "W", "W"], turn=seat)
        state.play("W a1")
        assert state.position()["board"] == {"a1": colour}


@pytest.mark.parametrize("suit", "SHDC")
@pytest.mark.parametrize(
    ("board", "players", "rows"),
    [("24", 2, 5), ("24", 3, 6), ("24", 4, 6), ("20", 2, 4), ("20", 3, 5), ("20", 4, 5)],
)
def test_each_suit_has_its_spaces(suit: str, board: str, players: int, rows: int) -> None:
    """The bordered row, the last, is there with three or four players only."""
    state = start(suit, others=["S"] * (players - 1), options={"board": board})
    assert moves(state) == {f"{suit} {space}" for space in spaces_of(suit, rows)}
    assert len(moves(state)) == rows


@pytest.mark.parametrize("hand", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_gets_as_many_cards_as_the_option_hand_says(players: int, hand: int) -> None:
    dealt = deal(3, players, hand=hand).position()
    assert [len(cards) for cards in dealt["hands"]] == [hand] * players
    assert len(dealt["deck"]) == 54 - hand * players
    assert dealt["discard"] == []


def test_three_cards_are_dealt_if_nothing_is_said() -> None:
    assert [len(cards) for cards in deal(seed=1).position()["hands"]] == [3, 3]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_option_dealer_names_the_dealer_and_the_seat_to_the_left_starts(players: int) -> None:
    for dealer in range(players):
        for seed in range(3):
            state = deal(seed, players, dealer=dealer)
            assert state.position()["dealer"] == dealer
            assert state.turn == (dealer + 1) % players


def test_else_the_dealer_is_random() -> None:
    states = [deal(seed, 3) for seed in range(90)]
    dealers = Counter(state.position()["dealer"] for state in states)
    assert set(dealers) == {0, 1, 2}
    assert min(dealers.values()) >= 15
    assert all(state.turn == (state.position()["dealer"] + 1) % 3 for state in states)


def test_the_cards_are_shuffled() -> None:
    deals = [deal(seed).position() for seed in range(150)]
    assert {dealt["deck"][-1] for dealt in deals} == set(DECK)
    assert {card for dealt in deals for card in dealt["hands"][1]} == set(DECK)


def test_hands_are_in_card_order() -> None:
    for seed in range(20):
        for hand in deal(seed, 4, hand=5).position()["hands"]:
            assert hand == in_order(hand)


def test_a_deal_gives_every_option_its_default() -> None:
    assert deal(seed=1).position()["options"] == DEFAULTS


def test_options_keep_the_order_of_the_rules_however_they_are_given() -> None:
    made = deal(seed=1, pool="shared", hand=2, dealer=1, board="20").position()["options"]
    assert list(made.items()) == [("board", "20"), ("dealer", 1), ("hand", 2), ("pool", "shared")]


def test_a_fresh_deal_is_the_whole_starting_position() -> None:
    options = {"board": "20", "dealer": 3, "hand": 4, "pool": "divided"}
    dealt = deal(seed=5, players=4, **options).position()
    made = Deal(3, dealt["hands"], dealt["deck"])
    assert as_json(dealt) == as_json(set_up(options, 4, made))


def test_the_same_seed_deals_the_same_game_and_another_seed_another() -> None:
    assert as_json(deal(seed=7).position()) == as_json(deal(seed=7).position())
    assert deal(seed=7).position()["deck"] != deal(seed=8).position()["deck"]
