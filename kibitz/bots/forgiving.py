"""Players that may fail: chance moves in their place, and what was wrong is told at the end."""

from collections.abc import Callable
from typing import Any

from kibitz.bots.entrants import Chooser
from kibitz.core.chance import pick
from kibitz.core.errors import KibitzError
from kibitz.core.move import Move
from kibitz.core.secret import bot_generator
from kibitz.core.state import Observation


def forgiving(chooser: Chooser, seed: int, note: Callable[[str], Any]) -> Callable[[Observation], Move]:
    """The same player; if it raises an error, or its move isn't legal, that is noted and chance decides."""
    rng = bot_generator(seed, "in its place")

    def choose(observation: Observation) -> Move:
        try:
            move = observation.game.move(chooser(observation))
            if move in observation.legal_moves:
                return move
            note(f"{move} isn't legal")
        except KibitzError as error:
            note(error.reason)
        except Exception as error:
            note(f"{type(error).__name__}: {error}")
        return observation.legal_moves[pick(rng, len(observation.legal_moves))]

    return choose
