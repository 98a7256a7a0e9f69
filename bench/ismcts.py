"""OpenSpiel's own `ISMCTSBot`, its Python one, as an entrant of an arena: random rollouts, compiled."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts

from kibitz.core.game import Game
from kibitz.core.state import Observation
from kibitz.envs import openspiel

EXPLORATION = 2.0  # as in OpenSpiel's own examples


def player(game: Game, seed: int | None, simulations: int) -> Callable[[Observation], int]:
    """Chooses moves by so many simulations each."""
    bot, state_for = searcher(game, seed, simulations)
    return lambda observation: int(bot.step(state_for(observation)))


def searcher(
    game: Game, seed: int | None, simulations: int
) -> tuple[Any, Callable[[Observation], openspiel.SpielState]]:
    """OpenSpiel's bot, and what makes the states that it thinks in."""
    luck = np.random.RandomState((seed or 0) % 2**32)
    bot = ismcts.ISMCTSBot(None, openspiel.Rollouts(1, seed), EXPLORATION, simulations, random_state=luck)
    bot.set_resampler(openspiel.resampler(seed))
    return bot, lambda observation: spiel_state(game, observation, int(luck.randint(2**31)))


def spiel_state(game: Game, observation: Observation, seed: int) -> openspiel.SpielState:
    """A state of OpenSpiel's that the seat can't tell from the true one, with the log it was shown."""
    players = int(observation.fields().players)
    loaded = pyspiel.load_game(f"python_kibitz_{game.name}", {"players": players})
    state: openspiel.SpielState = loaded.new_initial_state()
    log = openspiel._lines(observation.log)
    state.held = openspiel.Held(observation.imagine(seed), (log,) * (players + 1))
    return state
