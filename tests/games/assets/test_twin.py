"""The naive twin and the engine play the same games."""

from itertools import product
from random import Random
from typing import Any

import numba
import numpy as np
import pytest

import kibitz
from kibitz.core.state import State
from tests.games.assets import naive
from tests.games.assets.naive import Position
from tests.games.assets.positions import DEFAULTS, all_cards, as_json

pytestmark = pytest.mark.interpreted

INTERPRETED = bool(numba.config.DISABLE_JIT)
PLAYERS = [2, 3, 4, 5, 6]
ROUNDS: list[dict[str, Any]] = [{"rounds": 1}, {"rounds": 2}, {"target": 300000}]
SETTINGS = [
    (players, DEFAULTS | rounds | {"deck": deck, "hand": hand, "forgetful": forgetful})
    for players, deck, hand, rounds, forgetful in product(
        PLAYERS, ["first", "second"], [4, 5], ROUNDS, [False, True]
    )
]
GAMES = 1 if INTERPRETED else 4
FULL_GAMES = 0 if INTERPRETED else 4
CLOSE_LOOKS = 0.1  # of the positions: there the views are compared, too


def test_the_settings_make_500_games_in_sum() -> None:
    if not INTERPRETED:
        assert len(SETTINGS) * GAMES + len(PLAYERS) * FULL_GAMES >= 500


def named(value: Any) -> str:
    return "-".join(map(str, value.values())) if isinstance(value, dict) else str(value)


@pytest.mark.parametrize(("players", "options"), SETTINGS, ids=named)
def test_the_twin_plays_the_same_games(players: int, options: dict[str, Any]) -> None:
    if INTERPRETED and options["rounds"] != 1:
        return
    for seed in range(GAMES):
        rng = Random(f"{players} {options} {seed}")
        dealer = rng.choice(["random", *range(players)])
        play_both(players, options | {"dealer": dealer}, seed, rng)


@pytest.mark.parametrize("players", PLAYERS)
def test_the_twin_plays_the_same_full_games(players: int) -> None:
    for seed in range(FULL_GAMES):
        play_both(players, DEFAULTS | {"forgetful": seed % 3 == 0}, seed, Random(seed))


def play_both(players: int, options: dict[str, Any], seed: int, rng: Random) -> None:
    """Play random moves to the end, in the engine and in the twin."""
    state = kibitz.game("assets").deal(players, seed=seed, **options)
    dealt = state.position()
    assert options["dealer"] in ("random", dealt["dealer"])
    twin = naive.set_up(options, players, dealt["dealer"], undealt(dealt))
    compare(state, twin, closely=True)
    while not twin["over"]:
        text = choice(rng, naive.legal_moves(twin))
        state.play(text, seat=twin["turn"])
        after = state.position()
        twin = naive.play(twin, text, next_deck=lambda after=after: undealt(after))  # type: ignore[misc]
        compare(state, twin, closely=twin["over"] or rng.random() < CLOSE_LOOKS)


def choice(rng: Random, legal: list[str]) -> str:
    """Any move; steals and their answers rather than others, so that duels are long and many."""
    bold = [move for move in legal if move.split()[0] in ("steal", "defend", "press")]
    return rng.choice(sorted(bold) if bold and rng.random() < 0.5 else sorted(legal))


def undealt(dealt: Position) -> naive.Deck:
    """The shuffled deck from which this was dealt: hands are sorted, so any order of theirs will do."""
    deck = [*dealt["deck"], *dealt["discard"]]
    hands = [list(hand) for hand in dealt["hands"]]
    first = (dealt["dealer"] + 1) % dealt["players"]
    order = []
    while any(hands):
        for step in range(dealt["players"]):
            hand = hands[(first + step) % dealt["players"]]
            if hand:
                order.append(hand.pop())
    return deck + order[::-1]


def compare(state: State, twin: Position, closely: bool) -> None:
    given = state.position()
    assert given == twin
    legal = [str(move) for move in state.legal_moves]
    assert sorted(legal) == sorted(naive.legal_moves(twin))
    if not closely:
        return
    assert as_json(given) == as_json(twin)
    assert len(set(legal)) == len(legal)
    assert sorted(all_cards(given)) == sorted(naive.cards_of(given["options"]["deck"]))
    for seat in (None, *range(twin["players"])):
        assert as_json(state.view(seat)) == as_json(naive.view(twin, seat))
    assert (state.turn, state.phase, state.round) == (twin["turn"], twin["phase"], twin["round"])
    assert (state.over, list(state.winners)) == (twin["over"], twin["winners"])
    points = np.zeros(6, np.int32)
    state.game.rules.score(state.memory[0], points)
    assert points[: twin["players"]].tolist() == naive.score(twin)
