"""Positions, moves and states, as every game has them."""

from typing import Any

import msgspec
import pytest

import kibitz
from tests.games.cash.naive import CARD_ORDER
from tests.games.cash.positions import (
    DEFAULTS,
    FIRM_KEYS,
    KEYS,
    OFFER_KEYS,
    PASSING_KEYS,
    UNLICENSED,
    as_json,
    finished,
    firm,
    offered,
    passing,
    played,
    position,
    start,
    state_of,
)

pytestmark = pytest.mark.interpreted

RICH = "cash-5 cash-25 cash-25 cover-50:cash-5,cash-25 cover-50:cash-25 venture taxman"
POSITIONS = [
    position(),
    position("", "", others=["", ""]),
    position(
        "cash-5",
        RICH,
        others=["stop"] * 7,
        their=["probe-crime cash-10", UNLICENSED],
        lost=[0, 1, 2] + [0] * 5,
    ),
    position("cash-5", firm("cover-75:cash-75", license=False), acted=True, offers=5, starter=1, moves=77),
    position("cash-5 stop", RICH, phase="offer", offers=1, offer=offered()),
    position(
        "cash-5 cash-5 stop",
        RICH,
        their=["cash-10"],
        phase="answer",
        turn=1,
        offers=5,
        offer=offered(
            0, 1, give="cash-5 cash-5", give_firm="cash-5 venture", want="taxman stop", want_firm="cash-10"
        ),
    ),
    position(
        "stop", others=["stop"], phase="passing", acted=True, passing=passing(2, 0, False, "taxman", "")
    ),
    position("stop", others=[" ".join(["license"] * 9)], phase="trim", turn=1, acted=True, extra=True),
    position(" ".join(["license"] * 7), phase="again", acted=True, extra=True),
    position("cash-5", deck="", discard="stop crash", round=100, scores=[-5500, 999_500]),
    finished(),
    finished((5, 5), round=100),
]
IDS = [str(number) for number in range(len(POSITIONS))]


@pytest.mark.parametrize("made", POSITIONS, ids=IDS)
def test_a_position_that_was_read_is_given_back_the_same(made: dict[str, Any]) -> None:
    assert as_json(state_of(made).position()) == as_json(made)


@pytest.mark.parametrize("made", POSITIONS, ids=IDS)
def test_a_position_goes_through_json(made: dict[str, Any]) -> None:
    again = msgspec.json.decode(msgspec.json.encode(state_of(made).position()))
    assert as_json(state_of(again).position()) == as_json(made)


@pytest.mark.parametrize("made", POSITIONS, ids=IDS)
def test_the_state_answers_as_its_position_does(made: dict[str, Any]) -> None:
    state = state_of(made)
    assert (state.turn, state.phase, state.round) == (made["turn"], made["phase"], made["round"])
    assert (state.over, list(state.scores), list(state.winners)) == (
        made["over"],
        made["scores"],
        made["winners"],
    )


@pytest.mark.parametrize("made", POSITIONS, ids=IDS)
def test_bytes_read_back_as_they_were_written(made: dict[str, Any]) -> None:
    state = state_of(made)
    assert bytes(kibitz.game("cash").from_bytes(bytes(state))) == bytes(state)


def test_the_keys_come_in_their_order() -> None:
    state = start("cash-5 stop")
    assert list(state.position()) == KEYS
    assert list(state.position()["options"]) == list(DEFAULTS)
    assert list(state.position()["firms"][0]) == FIRM_KEYS
    assert list(played(state, "trade p1")["offer"]) == OFFER_KEYS
    assert list(played(start("crash stop"), "discard crash")["passing"]) == PASSING_KEYS


@pytest.mark.parametrize("option", DEFAULTS)
def test_an_option_that_is_not_given_has_its_default(option: str) -> None:
    made = position(options=DEFAULTS)
    del made["options"][option]
    assert state_of(made).position()["options"] == DEFAULTS


def test_counts_are_integers_and_yes_no_are_booleans() -> None:
    made = state_of(POSITIONS[2]).position()
    assert as_json(made["firms"][0]["venture"]) == b"1"
    assert as_json(made["firms"][0]["license"]) == b"true"
    assert as_json(made["acted"]) == as_json(made["extra"]) == b"false"


def test_the_legal_moves_are_a_tuple_each_once_in_ascending_order_of_their_ids() -> None:
    state = start(" ".join(CARD_ORDER), "cash-5 cash-5 cash-10 cash-25", their=["venture"])
    assert isinstance(state.legal_moves, tuple)
    ids = [move.id for move in state.legal_moves]
    assert ids == sorted(set(ids))
    assert len({str(move) for move in state.legal_moves}) == len(ids)


def test_a_move_may_be_given_as_text_as_a_move_or_as_its_id() -> None:
    made = position(" ".join(CARD_ORDER), "cash-5 cash-25", their=["venture"])
    for move in state_of(made).legal_moves:
        after = []
        for given in (str(move), move, move.id):
            state = state_of(made)
            state.play(given)
            after.append(as_json(state.position()))
        assert after[0] == after[1] == after[2]


def test_the_set_of_moves_is_small_and_every_move_has_one_text() -> None:
    game = kibitz.game("cash")
    texts = [str(move) for move in game.moves]
    assert len(texts) == len(set(texts)) == game.num_moves
    assert all(str(game.move(text)) == text for text in texts)
    assert game.num_moves < 1500
    assert not any("?" in text for text in texts)


def test_undo_takes_one_move_back() -> None:
    state = start("crash cash-5 stop", "cash-25", others=["settlement"])
    trail = []
    steps = [
        "trade p1",
        "give cash-5",
        "propose",
        "accept",
        "discard crash",
        "pass stop",
        "pass settlement",
        "done",
    ]
    for move in steps:
        trail.append((bytes(state), as_json(state.position())))
        state.play(move)
    assert [str(move) for move in state.history] == steps
    for saved, before in reversed(trail):
        state.undo()
        assert bytes(state) == saved
        assert as_json(state.position()) == before


def test_a_copy_goes_its_own_way() -> None:
    state = start("cash-5 stop")
    other = state.copy()
    assert bytes(other) == bytes(state)
    other.play("play cash-5")
    assert state.position()["moves"] == 0
    assert other.position()["moves"] == 1


def test_moves_count_every_decision_of_the_round() -> None:
    state = start("crash cash-5 stop", others=["settlement"], moves=10)
    after = played(state, "trade p1", "give cash-5", "propose", "decline", "discard crash", "pass stop")
    assert after["moves"] == 16
