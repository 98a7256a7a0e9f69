"""Deals and reshuffles are what docs/shuffle.md says: here the twin plays with a stream of its own."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import kibitz
from tests.core import shuffle_twin
from tests.games.cash import naive
from tests.games.cash.naive import DECK, Chance, Deal
from tests.games.cash.positions import DEFAULTS
from tests.games.cash.test_twin import choice

pytestmark = pytest.mark.interpreted


def deal(words: Iterator[int], players: int, advanced: bool, starter: int) -> Deal:
    """Licenses first; the rest is shuffled and dealt from the top, card by card, from the starter on."""
    deck = shuffle_twin.shuffled(words, DECK if advanced else DECK[players:])
    hands: list[list[str]] = [[] for _ in range(players)]
    for turn in range(7 * players):
        hands[(starter + turn) % players].append(deck.pop())
    return Deal(hands, deck)


@pytest.mark.parametrize("players", [2, 5, 8])
@pytest.mark.parametrize("options", [{}, {"advanced": True}, {"starter": 1, "trading": False}], ids=str)
def test_a_game_can_be_foretold_from_its_seed(players: int, options: dict[str, Any]) -> None:
    chosen = DEFAULTS | options | {"rounds": 2}
    state = kibitz.game("cash").deal(players=players, seed=players, **chosen)
    words = shuffle_twin.stream(shuffle_twin.key_of(players))
    starter = shuffle_twin.below(words, players) if chosen["starter"] == "random" else chosen["starter"]
    starters = iter([starter, (starter + 1) % players])
    chance = Chance(
        deal=lambda: deal(words, players, chosen["advanced"], next(starters)),
        shuffled=lambda cards: shuffle_twin.shuffled(words, cards),
    )
    twin = naive.set_up(chosen, players, chance.deal(), starter)
    rng = Random(players)
    assert state.position() == twin
    while not twin["over"]:
        legal = [move for move in naive.legal_moves(twin) if move != "play stop" or twin["moves"] > 600]
        move = choice(rng, twin, legal or naive.legal_moves(twin))
        state.play(move)
        twin = naive.play(twin, move, chance)
        assert state.position() == twin
