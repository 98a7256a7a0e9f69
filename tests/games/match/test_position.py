"""Positions and moves as text and JSON: what only this game has."""

from collections import Counter
from random import Random

import pytest

import kibitz
from tests.games.match.naive import DECK
from tests.games.match.positions import (
    KEYS,
    OPTION_KEYS,
    as_json,
    finished,
    nothing_to_draw,
    position,
    start,
    state_of,
)

pytestmark = pytest.mark.interpreted

POSITIONS = [
    position(),
    position(
        "W W B2", top="R2", own="R3 R5 B0", others=["R0", "Y0 P5"], their=["G1 G1", ""], turn=2, moves=12
    ),
    position(top="W", called="B", beneath="R2 W", deck="Y5 G0"),
    position(top="W", called="3", deck=""),
    position(options={"target": 500, "rounds": 100, "starter": 1}, starter=1, scores=[-30, 499], round=40),
    position("R1", others=["Y1", "G1", "B1", "P1", "W"], turn=5, starter=4),
    nothing_to_draw("G5 R3", "R2"),
    finished((52, 17)),
    finished((50, 50, 3), others=["R0", "W W"], top="W", called="R"),
    finished((3, 17), options={"rounds": 3}),
]


def test_the_keys_come_in_the_order_of_the_rules() -> None:
    made = start().position()
    assert list(made) == KEYS
    assert list(made["options"]) == OPTION_KEYS


def test_the_order_of_a_hand_does_not_matter() -> None:
    made = position("R1 B2 W", own="R3 B4")
    backwards = made | {"hands": [hand[::-1] for hand in made["hands"]]}
    assert as_json(state_of(backwards).position()) == as_json(made)


def test_piles_have_their_top_last() -> None:
    state = start("R1 R5", top="R2", own="B0 B4", deck="Y0 G0", others=["Y3"])
    state.play("match R5")
    assert state.position()["discard"][-1] == "R5"
    state.play("collect Y3")
    after = state.position()
    assert after["deck"] == ["Y0"]
    assert after["hands"][1] == ["G0"]


def test_all_64_cards_are_somewhere_at_each_step() -> None:
    for seed in range(4):
        rng = Random(seed)
        state = kibitz.game("match").deal(players=2 + seed, seed=seed, rounds=1)
        while not state.over:
            state.play(rng.choice(state.legal_moves))
            given = state.position()
            cards = [card for hand in given["hands"] for card in hand] + given["deck"] + given["discard"]
            cards += [card for piles in given["collections"] for pile in piles.values() for card in pile]
            assert Counter(cards) == Counter(DECK)
            assert (given["called"] is None) == (given["discard"][-1] != "W")
            assert all(pile for piles in given["collections"] for pile in piles.values())


def test_there_are_101_moves_each_with_its_notation() -> None:
    game = kibitz.game("match")
    texts = [str(move) for move in game.moves]
    assert len(set(texts)) == game.num_moves == 101
    assert texts[:2] == ["match R0", "match R1"]
    assert {"match R3", "match R3 collection", "collect G5", "wild R", "wild 3"} <= set(texts)


def test_undo_takes_one_move_back_a_reshuffle_and_a_deal_too() -> None:
    ways = [(start("G5 R3", top="R2", deck=""), "collect G5"), (start("R3", top="R2"), "match R3")]
    for state, move in ways:
        saved, before = bytes(state), as_json(state.position())
        state.play(move)
        assert as_json(state.position()) != before
        state.undo()
        assert bytes(state) == saved
        assert as_json(state.position()) == before


def test_hands_of_more_than_five_may_be_given() -> None:
    """A hand never grows in play, but a position need not have come from play."""
    made = position("R0 R1 R2 R3 R4 R5 Y0 Y1 W W", top="G2", others=["B0"])
    state = state_of(made)
    assert as_json(state.position()) == as_json(made)
    state.play("match R2")
    assert len(state.position()["hands"][0]) == 9
