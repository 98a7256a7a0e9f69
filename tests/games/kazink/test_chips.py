"""Whose chips they are: partners divide those of their colour, or draw on one pool."""

import pytest

from tests.games.kazink.positions import crowned, moves, played, position, start, state_of

pytestmark = pytest.mark.interpreted

HANDS = ["W", "W", "W"]
HALF = {"a1": "YB" * 18}  # of yellow and of blue


def test_a_placed_chip_is_one_of_the_seats_own() -> None:
    state = start("W", others=HANDS)
    for move, left in [
        ("W a1", [17, 18, 18, 18]),
        ("W b1", [17, 17, 18, 18]),
        ("W c1", [17, 17, 17, 18]),
        ("W d1", [17, 17, 17, 17]),
    ]:
        assert played(state, move)["seat_chips"] == left


def test_chips_stays_the_sum_of_what_partners_have() -> None:
    after = played(start("W", HALF, others=HANDS, seat_chips=[3, 10, 15, 8]), "W b1")
    assert after["seat_chips"] == [2, 10, 15, 8]
    assert after["chips"] == {"Y": 17, "B": 18}


@pytest.mark.parametrize("card", ["S", "W", "K"])
def test_every_card_that_places_a_chip_takes_it_from_the_own_ones(card: str) -> None:
    after = played(start(card, others=HANDS), f"{card} a1")
    assert after["seat_chips"] == [17, 18, 18, 18]


def test_a_shift_moves_chips_on_the_board_and_costs_none() -> None:
    state = start("U", {"a1": "YY", "b1": "YB", "c1": "Y"}, others=HANDS, seat_chips=[15, 17, 17, 18])
    assert played(state, "U")["seat_chips"] == [15, 17, 17, 18]
    assert played(state, "shift a1 c1 2")["seat_chips"] == [15, 17, 17, 18]
    assert played(state, "place d1")["seat_chips"] == [14, 17, 17, 18]


def test_chips_that_a_partner_placed_are_shifted_and_cost_none() -> None:
    """Seat 2 has placed nothing yet."""
    state = start("S", {"a1": "YY", "c1": "Y"}, others=["S", "U", "S"], turn=2, seat_chips=[15, 18, 18, 18])
    assert played(state, "U", "shift a1 c1 1")["seat_chips"] == [15, 18, 18, 18]


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_out_of_chips_is_judged_by_the_chips_of_the_seat_in_turn(seat: int) -> None:
    """The partner still has all 18. [Z7]"""
    left = [18 * (other % 2 == seat % 2 and other != seat) for other in range(4)]
    left = [chips if other % 2 == seat % 2 else 9 for other, chips in enumerate(left)]
    hands = ["S W K U" if other == seat else "S" for other in range(4)]
    state = start(hands[0], HALF, others=hands[1:], turn=seat, seat_chips=left)
    assert moves(state) == {"discard S", "discard W", "discard K", "U"}


def test_a_partner_who_has_chips_plays_on() -> None:
    state = start("S", HALF, others=["S", "S", "S"], seat_chips=[0, 9, 18, 9])
    state.play("discard S")
    state.play(state.legal_moves[0])
    assert moves(state) >= {"S b2", "S d3"}
    assert "discard S" not in moves(state)


def test_without_chips_of_ones_own_a_double_up_brings_no_place_though_the_partner_has_some() -> None:
    """[Z7]"""
    board = HALF | {"b1": "YB"}
    state = start("U", board, others=["S", "S", "S"], deck="H", seat_chips=[0, 9, 17, 8])
    state.play("U")
    assert moves(state) == {"stay"}
    after = played(state, "stay")
    assert (after["turn"], after["phase"], after["idle"]) == (1, "turn", 1)
    assert after["seat_chips"] == [0, 9, 17, 8]


def test_the_last_chip_of_ones_own_is_placed_as_any_other() -> None:
    after = played(start("W", HALF, others=HANDS, seat_chips=[1, 9, 17, 9]), "W b1")
    assert after["seat_chips"] == [0, 9, 17, 9]
    assert (after["idle"], after["turn"]) == (0, 1)


def test_without_chips_of_ones_own_a_playable_double_up_does_not_forbid_a_discard() -> None:
    """[Z16]"""
    state = start("K U", HALF, others=HANDS, seat_chips=[0, 9, 18, 9])
    assert moves(state) == {"discard K", "U"}
    after = played(state, "discard K")
    assert (after["crowns"], after["chips"]["Y"]) == ({}, 18)


def test_a_swap_is_offered_also_without_chips_of_ones_own() -> None:
    """[Z15]"""
    board = crowned("a1 d3 b6") | crowned("b2 a4 c5", "B") | {"b1": "YB" * 9}
    made = position("S D", board, others=HANDS, seat_chips=[0, 9, 18, 9])
    assert moves(state_of(made)) == {"swap S", "discard S", "discard D"}


def test_turns_without_a_chip_end_the_game_though_partners_have_some() -> None:
    """All four are idle: two are out of chips, two have dead cards alone. [Z13] [Z17]"""
    board = crowned("a1 d3 b6") | crowned("b2 a4 c5", "B") | {"b1": "YB" * 9}
    state = start("S", board, others=["S", "S", "S"], seat_chips=[0, 18, 18, 0], deck="S S S S")
    for idle in (1, 2, 3):
        after = played(state, "discard S")
        assert (after["idle"], after["over"]) == (idle, False)
    after = played(state, "discard S")
    assert (after["idle"], after["over"]) == (4, True)
    assert after["chips"] == {"Y": 18, "B": 18}


@pytest.mark.parametrize("pool", ["divided", "shared"])
@pytest.mark.parametrize("players", [2, 3])
def test_with_two_and_three_players_the_pool_changes_nothing(players: int, pool: str) -> None:
    others = ["W"] * (players - 1)
    after = played(start("W", others=others, options={"pool": pool}), "W a1", "W b1")
    assert after["seat_chips"] == [35, 35, 36][:players]
    assert list(after["chips"].values()) == after["seat_chips"]


def test_everybody_sees_how_many_chips_each_seat_has() -> None:
    state = start("W", HALF, others=HANDS, seat_chips=[3, 10, 15, 8])
    for seat in (0, 1, 2, 3, None):
        assert state.view(seat)["seat_chips"] == [3, 10, 15, 8]
