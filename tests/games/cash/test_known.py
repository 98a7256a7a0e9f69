"""What a seat surely knows beyond its view: cards passed, traded or offered; what a new deck is made of."""

from random import Random
from typing import Any

import msgspec
import numba
import pytest

import kibitz
from kibitz.core.cards import NO_CARD
from kibitz.core.events import AnyEvent
from kibitz.core.state import State
from kibitz.games.cash.box import COPIES, NUM_CARDS, NUMBER
from tests.games.cash.positions import position, state_of

pytestmark = pytest.mark.interpreted

GAMES = 3 if numba.config.DISABLE_JIT else 14


def known(state: State, observer: int, holder: int) -> dict[str, int]:
    counts = state.fields().known[observer, holder]
    return {name: int(counts[card]) for name, card in NUMBER.items() if counts[card]}


def random_games(most: int) -> Any:
    """Random games at every size of table, stopped seldom, so that decks run out and cards go around."""
    for seed in range(GAMES):
        chooser = Random(seed)
        state = kibitz.game("cash").deal(2 + seed % 7, seed, rounds=1, trading=seed % 3 > 0)
        while not state.over and len(state.history) < most:
            legal = [move for move in state.legal_moves if str(move) != "play stop"]
            state.play(chooser.choice(legal))
            yield state


def test_the_truth_agrees_with_all_that_is_known() -> None:
    seen = 0
    for state in random_games(most=600):
        record = state.fields()
        for observer in range(state.players):
            assert (record.known[observer] <= record.hands).all()
            seen += int(record.known[observer].sum())
            if record.outside[observer, NO_CARD]:
                deck = record.deck[: record.deck_size].tolist()
                for card in range(1, NUM_CARDS + 1):
                    assert deck.count(card) <= COPIES[card] - record.outside[observer, card]
    assert seen > 100


def test_the_log_tells_a_bot_from_outside_as_much() -> None:
    """What is kept while the rules act is what can be worked out from the events that a seat was shown."""
    for state in random_games(most=400):
        if len(state.history) % 9 or state.turn is None:
            continue
        inside = state.observation(state.turn)
        log = msgspec.json.decode(msgspec.json.encode(inside.log), type=tuple[AnyEvent, ...])
        outside = state.game.observation(inside.view, log)
        assert outside.fields().tobytes() == inside.fields().tobytes()


def test_who_passes_a_card_knows_where_it_is() -> None:
    state = state_of(position("crash stop", others=["cash-5", "cash-10"]))
    for move in ("discard crash", "pass stop", "pass cash-5", "pass cash-10"):
        state.play(move)
    assert known(state, 0, 2) == {"stop": 1}
    assert known(state, 1, 0) == {"cash-5": 1}
    assert known(state, 2, 1) == {"cash-10": 1}
    assert known(state, 0, 1) == {}


def test_an_offered_card_is_known_to_who_was_asked_though_declined() -> None:
    state = state_of(position("cash-75 stop", others=["cash-5", "cash-10"]))
    for move in ("trade p1", "give cash-75", "want taxman", "propose", "decline"):
        state.play(move)
    assert known(state, 1, 0) == {"cash-75": 1}
    assert known(state, 2, 0) == {}
    assert known(state, 0, 1) == {}


def test_both_sides_of_a_trade_know_what_they_gave() -> None:
    state = state_of(position("cash-75 stop", others=["cash-5", "cash-10"]))
    for move in ("trade p1", "give cash-75", "want cash-5", "propose", "accept"):
        state.play(move)
    assert known(state, 0, 1) == {"cash-75": 1}
    assert known(state, 1, 0) == {"cash-5": 1}
    assert known(state, 2, 0) == known(state, 2, 1) == {}


def test_a_known_card_that_is_seen_to_go_is_known_no_more() -> None:
    state = state_of(position("cash-75 stop", others=["cash-5", "cash-10"]))
    for move in ("trade p1", "give stop", "propose", "decline", "discard stop"):
        state.play(move)
    assert known(state, 1, 0) == {}


def test_a_card_passed_unseen_could_be_any_that_was_known() -> None:
    state = state_of(position("crash cash-75 stop", others=["cash-5", "cash-10"]))
    for move in ("trade p1", "give cash-75", "propose", "decline", "discard crash", "pass stop"):
        state.play(move)
    assert known(state, 1, 0) == {}
