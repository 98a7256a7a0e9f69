"""What all tests share: the tiny game is registered, and `game` stands for every game in turn.

The tiny game's kernels are kept in the usual cache, like those of any game. With `--game kaching`
only the tests of that game run, and those of no game in particular.
"""

import re
from pathlib import Path

import pytest

import kibitz
from kibitz.core.game import Game
from kibitz.core.move import Move
from kibitz.core.state import State
from tests import tiny

GAMES = (*kibitz.games(), tiny.GAME.name)

# Options with which a game ends soon, where it doesn't by default.
BRIEF = {"cash": {"rounds": 1, "trading": False}}


def brief(game: Game, seed: int | bytes, words: tuple[str, ...] = (), players: int | None = None) -> State:
    """A game that ends soon."""
    return game.deal(players, seed, words, **BRIEF.get(game.name, {}))


def some_move(state: State) -> Move:
    """One of the legal moves: another each time, but always the same at the same point of a game."""
    return state.legal_moves[-1 - 5 * len(state.history) % len(state.legal_moves)]


def pytest_addoption(parser: pytest.Parser) -> None:
    """`make quick` asks for one game."""
    parser.addoption("--game", choices=kibitz.games(), help="leave out the tests of all other games")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where tests with a mark are asked for, files without it aren't even imported: half of the time."""
    mark: str = config.getoption("markexpr")
    if not mark.isidentifier() or collection_path.suffix != ".py":
        return None
    return f"pytest.mark.{mark}" not in collection_path.read_text(encoding="utf-8") or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A test is another game's if its folder or its parameters name that game."""
    wanted = config.getoption("--game")
    others = {name for name in kibitz.games() if wanted and name != wanted}
    left_out = [item for item in items if others.intersection(re.findall(r"\w+", item.nodeid))]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


@pytest.fixture(scope="session", autouse=True)
def _tiny_is_registered() -> None:
    kibitz.register(tiny.GAME)


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    """Every game there is, the tiny one too."""
    return kibitz.game(request.param)
