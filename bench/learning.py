"""What those who learn worths from self-play have in common."""

import time
from typing import Any, Protocol

import numpy as np

import kibitz
from kibitz.core.layout import AnyRecord

BETWEEN_TRIALS = 60.0  # seconds
TRIED = 2000  # games of a trial


class Learner(Protocol):
    """Worths for a number of players, on their way."""

    games: int  # learned from

    def study(self, left: float) -> None:
        """Play some games and learn from them; `left` is the part of all games that is still to come."""

    def try_out(self) -> str:
        """The share of the points that one seat, or a team, takes by the worths from rules of thumb."""

    def keep(self) -> None:
        """Write what was learned."""


def blank(name: str, players: int, **options: Any) -> AnyRecord:
    """A state of a game, not dealt yet."""
    game = kibitz.game(name)
    template: Any = np.zeros(1, game.rules.STATE)[0]
    template.players = players
    game.write_options(game.checked_options(options, players), game.rules_version, template)
    return template


def learn_on(learner: Learner, games: int) -> None:
    """Go on until so many games were learned from; every minute what was learned is kept and told."""
    told = 0.0
    while learner.games < games:
        learner.study(1 - learner.games / games)
        if time.monotonic() - told > BETWEEN_TRIALS or learner.games >= games:
            told = time.monotonic()
            learner.keep()
            print(f"{learner.games:,} games: {learner.try_out()} against rules of thumb", flush=True)
