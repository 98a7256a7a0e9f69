"""Games played by chance from a state to their end, inside a kernel: what searches elsewhere are told by."""

from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kibitz.bots.search import playout
from kibitz.bots.stepping import reward
from kibitz.core import registry
from kibitz.core.kernel import borrowed, specialise
from kibitz.core.layout import AnyRecord, Moves, Rng
from kibitz.core.secret import bot_generator
from kibitz.core.state import State

if TYPE_CHECKING:
    from kibitz.bots.verbs import is_over, legal_moves, play  # noqa: F401

Worths = npt.NDArray[np.float64]


def play_out(state: AnyRecord, states: Any, moves: Moves, rng: Rng, games: int, worths: Worths) -> None:
    """Play so many games on from a state by chance; add up what they are worth to each seat."""
    moves, rng = borrowed(moves), borrowed(rng)
    for _ in range(games):
        states[0] = state
        playout(states[0], moves, rng)
        reward(states[0], worths)


@cache
def kernels(name: str) -> SimpleNamespace:
    """The same, compiled for a game."""
    rules = registry.game(name).rules
    return specialise(
        (playout, reward, play_out),
        f"{name}_rollouts",
        (playout, reward),
        legal_moves=rules.legal_moves,
        play=rules.play,
        is_over=rules.is_over,
    )


class RandomGames:
    """Plays games of one kind by chance; with a seed always the same ones."""

    def __init__(self, name: str, seed: int | None = None) -> None:
        game = registry.game(name)
        self._play_out = kernels(name).play_out
        self._states = np.zeros(1, game.rules.STATE)
        self._moves = np.zeros(game.num_moves, np.int16)
        self._rng = bot_generator(seed, name, "rollouts")

    def worth(self, state: State, games: int = 1) -> Worths:
        """What a state is worth to each seat, from -1 to 1: the mean of so many games."""
        worths = np.zeros(state.players)
        self._play_out(state.fields(), self._states, self._moves, self._rng, games, worths)
        return worths / games
