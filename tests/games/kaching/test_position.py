"""Positions and moves as text and JSON."""

import json
from random import Random
from typing import Any

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


@pytest.mark.parametrize("made", POSITIONS)
def test_a_position_comes_back_as_it_was_given(made: dict[str, Any]) -> None:
    assert as_json(state_of(made).position()) == as_json(made)


@pytest.mark.parametrize("made", POSITIONS)
def test_a_position_is_json(made: dict[str, Any]) -> None:
    given = state_of(made).position()
    assert json.loads(json.dumps(given)) == given


def test_the_keys_come_in_the_order_of_the_rules() -> None:
    made = start().position()
    assert list(made) == KEYS
    assert list(made["options"]) == OPTION_KEYS
    assert list(made["series"]) == SERIES_KEYS


def test_the_order_of_the_keys_given_does_not_matter() -> None:
    made = position(stocks=[["R2"], []])
    backwards = dict(reversed(made.items()))
    backwards["options"] = dict(reversed(made["options"].items()))
    backwards["series"] = dict(reversed(made["series"].items()))
    assert as_json(state_of(backwards).position()) == as_json(made)


def test_a_given_position_is_not_changed_or_kept() -> None:
    made = position(stocks=[["R4", "R5"], []])
    before = as_json(made)
    state = state_of(made)
    state.play("sell R4 R5")
    assert as_json(made) == before
    made["money"][0] = 99
    assert state.position()["money"] == [40, 20]


@pytest.mark.parametrize("made", POSITIONS)
def test_counts_seats_and_money_are_integers_and_yes_and_no_are_booleans(made: dict[str, Any]) -> None:
    state = state_of(made)
    if not state.over:
        state.play(state.legal_moves[0])
    given = state.position()
    series = given["series"]
    numbers = [given[key] for key in ("players", "round", "moves", "sold", "starter", "closing")]
    numbers += [*given["scores"], *given["winners"], *given["money"]]
    numbers += [given["options"]["rounds"], series["rounds"], *series["wins"], *series["totals"]]
    assert {type(number) for number in numbers} == {int}
    assert {type(flag) for flag in [given["over"], given["options"]["open_money"], *given["wilds"]]} == {bool}
    assert type(given["options"]["starter"]) in (str, int)
    assert type(given["turn"]) is (type(None) if given["over"] else int)
    words = [given["game"], given["phase"], series["kind"], given["options"]["series"]]
    words += [card for pile in given["columns"] + given["stocks"] for card in pile]
    assert {type(word) for word in words} == {str}


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


@pytest.mark.parametrize("option", OPTION_KEYS)
def test_an_option_that_is_not_given_has_its_default(option: str) -> None:
    made = position()
    given = made | {"options": {key: value for key, value in made["options"].items() if key != option}}
    assert as_json(state_of(given).position()) == as_json(made)


def test_the_state_answers_as_its_position_does() -> None:
    for made in POSITIONS:
        state = state_of(made)
        assert state.turn == made["turn"]
        assert state.phase == made["phase"]
        assert state.round == made["round"]
        assert state.over is made["over"]
        assert list(state.scores) == made["scores"]
        assert list(state.winners) == made["winners"]


def test_the_legal_moves_are_a_tuple_each_once_in_ascending_order_of_their_ids() -> None:
    state = start(stocks=[["R2", "R2", "R3", "G2", "G3"], []])
    assert isinstance(state.legal_moves, tuple)
    ids = [move.id for move in state.legal_moves]
    assert ids == sorted(set(ids))
    assert len({str(move) for move in state.legal_moves}) == len(ids)


def test_a_move_may_be_given_as_text_as_a_move_or_as_its_id() -> None:
    made = position(stocks=[["R4", "R5"], []])
    for move in state_of(made).legal_moves:
        after = []
        for given in (str(move), move, move.id):
            state = state_of(made)
            state.play(given)
            after.append(as_json(state.position()))
        assert after[0] == after[1] == after[2]


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


def test_a_copy_goes_its_own_way() -> None:
    state = start()
    other = state.copy()
    assert bytes(other) == bytes(state)
    other.play("buy 1")
    assert state.position()["moves"] == 0
    assert state.legal_moves != ()
    assert other.position()["moves"] == 1
