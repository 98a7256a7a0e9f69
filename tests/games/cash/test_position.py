"""Positions and moves as text and JSON: what only this game has."""

import pytest

import kibitz
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


def test_the_keys_come_in_their_order() -> None:
    state = start("cash-5 stop")
    assert list(state.position()) == KEYS
    assert list(state.position()["options"]) == list(DEFAULTS)
    assert list(state.position()["firms"][0]) == FIRM_KEYS
    assert list(played(state, "trade p1")["offer"]) == OFFER_KEYS
    assert list(played(start("crash stop"), "discard crash")["passing"]) == PASSING_KEYS


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


def test_moves_count_every_decision_of_the_round() -> None:
    state = start("crash cash-5 stop", others=["settlement"], moves=10)
    after = played(state, "trade p1", "give cash-5", "propose", "decline", "discard crash", "pass stop")
    assert after["moves"] == 16
