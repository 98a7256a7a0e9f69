"""Positions and moves as text and JSON: what only this game has."""

from collections import Counter
from itertools import product
from random import Random

import pytest

import kibitz
from tests.games.kazink.naive import COUNTS, KEYS, usable
from tests.games.kazink.positions import (
    OPTION_KEYS,
    as_json,
    crowned,
    finished,
    moves,
    patchwork,
    played,
    position,
    rest_of,
    start,
    state_of,
)

pytestmark = pytest.mark.interpreted

POSITIONS = [
    position(),
    position(
        "S W U K", {"a1": "YB", "d5": "BBY"} | crowned("c3", "B"), others=["H", "S D"], turn=2, moves=12
    ),
    position("S", crowned("a1 a2 a3") | {"b6": "BY*"}, others=["H", "S D", "C"], turn=3, dealer=1, idle=3),
    position("S K", {"a1": "YY", "b2": "Y"}, discard="H U", phase="shift", swapped=True),
    position("", {"a1": "YY", "b2": "Y"}, discard="H U", phase="place", moves=1999),
    position(options={"board": "20", "dealer": 1, "hand": 5}, dealer=1, board={"d4": "B"}, deck="W"),
    position(board=patchwork(c3=""), deck="", turn=1, idle=1),
    position("S", {"a1": "YB" * 36}, others=[" ".join(rest_of(["S"]))]),
    position("S H", others=["", "C"]),
    position("S", {"a1": "YB" * 5}, others=["H", "S D", "C"], seat_chips=[18, 13, 13, 18]),
    position("S", {"a1": "YB" * 5}, others=["H", "S D", "C"], options={"pool": "shared"}),
    position("S", {"a1": "YB" * 5}, others=["H", "S D"], options={"pool": "shared"}),
    finished(),
    finished(board=patchwork(), winners=[0, 1]),
    finished(board={}, idle=2, winners=[0, 1]),
    finished(board={}, moves=2000, winners=[0, 1], hand=""),
]


def test_the_keys_come_in_the_order_of_the_rules() -> None:
    made = start().position()
    assert list(made) == KEYS
    assert list(made["options"]) == OPTION_KEYS


def test_the_order_of_a_hand_does_not_matter() -> None:
    made = position("S D W K", others=["S H", "W"])
    backwards = made | {"hands": [hand[::-1] for hand in made["hands"]]}
    assert as_json(state_of(backwards).position()) == as_json(made)


def test_spaces_come_row_by_row_and_colours_as_the_seats() -> None:
    state = start("W", others=["W", "W"])
    after = played(state, "W d2", "W a2", "W b1")
    assert list(after["board"]) == ["b1", "a2", "d2"]
    assert list(after["chips"]) == list(after["rows"]) == ["Y", "B", "R"]
    after = played(start("K", crowned("d4 a5")), "K c2")
    assert list(after["crowns"]) == ["c2", "d4", "a5"]


def test_chips_are_written_from_the_bottom_up() -> None:
    state = start("W", others=["W"])
    assert played(state, "W a1", "W a1")["board"] == {"a1": "YB"}


def test_empty_spaces_are_left_out() -> None:
    after = played(start("U", {"a1": "YY", "b1": "Y"}), "U", "shift a1 b1 2")
    assert "a1" not in after["board"]


def test_piles_have_their_top_last() -> None:
    state = start("S D", others=["S"], deck="H W", discard="C")
    after = played(state, "S a1")
    assert after["deck"] == ["H"]
    assert after["hands"][0] == ["D", "W"]
    assert after["discard"][-2:] == ["C", "S"]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_cards_and_chips_are_somewhere_at_each_step(players: int) -> None:
    rng = Random(players)
    state = kibitz.game("kazink").deal(players=players, seed=players)
    while not state.over:
        state.play(rng.choice(state.legal_moves))
        given = state.position()
        cards = [card for hand in given["hands"] for card in hand] + given["deck"] + given["discard"]
        assert Counter(cards) == COUNTS
        on_board = Counter("".join(given["board"].values()))
        assert all(on_board[colour] + left == 36 for colour, left in given["chips"].items())
        if players == 4:
            first, second, third, fourth = given["seat_chips"]
            assert given["chips"] == {"Y": first + third, "B": second + fourth}
        else:
            assert given["seat_chips"] == list(given["chips"].values())
        assert all(given["board"][space][-1] == colour for space, colour in given["crowns"].items())


def test_every_move_has_its_notation() -> None:
    game = kibitz.game("kazink")
    texts = [str(move) for move in game.moves]
    spaces = usable({"options": {"board": "24"}, "players": 3})
    expected = {f"{card} {space}" for card in "WK" for space in spaces} | {"U", "stay"}
    expected |= {f"place {space}" for space in spaces}
    expected |= {f"shift {a} {b} {count}" for a, b, count in product(spaces, spaces, (1, 2)) if a != b}
    expected |= {f"swap {suit}" for suit in "SHDC"} | {f"discard {card}" for card in "SHDCWK"}
    for suit in "SHDC":
        expected |= moves_of_suit(suit)
    assert len(set(texts)) == len(texts) == game.num_moves
    assert expected <= set(texts)


def moves_of_suit(suit: str) -> set[str]:
    return moves(start(suit, others=["S", "S"]))


def test_undo_takes_one_move_back_a_reshuffle_and_a_crown_too() -> None:
    ways = [
        (start("S H", deck=""), "S a1"),
        (start("K", crowned("a1 a2 a3 a4")), "K a5"),
        (start("S", {"a1": "YY", "b1": "YY"}, discard="U", phase="shift"), "shift a1 b1 2"),
    ]
    for state, move in ways:
        saved, before = bytes(state), as_json(state.position())
        state.play(move)
        assert as_json(state.position()) != before
        state.undo()
        assert bytes(state) == saved
        assert as_json(state.position()) == before


def test_hands_of_more_cards_than_were_dealt_may_be_given() -> None:
    """A hand never grows in play, but a position need not have come from play."""
    made = position("S S S S H H D C W W U K", others=["S"])
    state = state_of(made)
    assert as_json(state.position()) == as_json(made)
    state.play("S a1")
    assert len(state.position()["hands"][0]) == 12
