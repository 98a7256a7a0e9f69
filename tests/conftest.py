"""What all tests share: the tiny game is registered, and `game` stands for every game in turn.

The tiny game's kernels are kept in the usual cache, like those of any game.
"""

import pytest

import kibitz
from kibitz.core.game import Game
from tests import tiny

GAMES = (*kibitz.games(), tiny.GAME.name)


@pytest.fixture(scope="session", autouse=True)
def _tiny_is_registered() -> None:
    kibitz.register(tiny.GAME)


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    """Every game there is, the tiny one too."""
    return kibitz.game(request.param)
