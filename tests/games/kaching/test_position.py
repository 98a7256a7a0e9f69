"""Positions and moves as text and JSON: what only this game has."""

from random import Random

import pytest

import kibitz
from tests.games.kaching.positions import (
    KEYS,
    OPTION_KEYS,
    SERIES_KEYS,
    as_json,
    cards_in_play,
    finished,
    last_decision,
    last_sale,
    position,
    start,
    state_of,
)

pytestmark = pytest.mark.interpreted

POSITIONS = [
    position(),
    position(stocks=[["R2", "R2", "Y6"], ["G4", "P5"]], wilds=[False, True], turn=1, starter=1, moves=12),
    position(
        options={"series": "best_of", "rounds": 5}, round=4, series={"wins": [2, 1], "totals": [12, -9]}
    ),
    position(options={"series": "total", "rounds": 20, "starter": 1, "open_money": True}, starter=1, turn=1),
    position(options={"starter": 0}, money=[0, 150]),
    last_sale(stocks=[["R4", "R5"], []], turn=1),
    last_decision(),
    finished((31, 17)),
    finished((20, 20), columns=[["R6"], ["Y6"], ["G6"], [], []]),
]


def test_the_keys_come_in_the_order_of_the_rules() -> None:
    made = start().position()
    assert list(made) == KEYS
    assert list(made["options"]) == OPTION_KEYS
    assert list(made["series"]) == SERIES_KEYS


def test_columns_stocks_unused_wilds_and_sold_are_37_at_each_step() -> None:
    for seed in range(5):
        rng = Random(seed)
        state = kibitz.game("kaching").deal(seed=seed, series="total", rounds=2)
        while not state.over:
            given = state.position()
            assert cards_in_play(given) + given["sold"] == 37
            state.play(rng.choice(state.legal_moves))
        given = state.position()
        assert cards_in_play(given) + given["sold"] == 37
        assert given["sold"] > 0


def test_what_the_rules_do_not_forbid_may_be_given() -> None:
    """Cards leave in pairs, but a position need not have come from play."""
    made = position(columns=[["R6"], ["Y6"], ["G6"], [], []], wilds=[True, True])
    assert made["sold"] % 2 == 0
    odd = position(columns=[["R6"], ["Y6"], ["G6"], [], []], wilds=[True, False])
    assert odd["sold"] % 2 == 1
    assert as_json(state_of(odd).position()) == as_json(odd)


def test_the_history_is_what_was_played() -> None:
    state = start(stocks=[["R4", "R5"], []])
    assert list(state.history) == []
    played = ["sell R4 R5", "buy 1", "buy 3"]
    for move in played:
        state.play(move, seat=state.turn)
    assert [str(move) for move in state.history] == played
    state.undo()
    assert [str(move) for move in state.history] == played[:2]


def test_undo_takes_one_move_back() -> None:
    state = start(stocks=[["R4", "R5"], []])
    trail = []
    for move in ["sell R4 W", "buy 1", "buy 3"]:
        trail.append((bytes(state), as_json(state.position())))
        state.play(move)
    for saved, before in reversed(trail):
        state.undo()
        assert bytes(state) == saved
        assert as_json(state.position()) == before
