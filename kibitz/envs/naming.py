"""What environments are called: the game, and the version of its rules."""

import re
from collections.abc import Iterator

from kibitz.core import registry
from kibitz.core.game import Game
from kibitz.core.versions import FIRST


def named(module: str) -> tuple[Game, int]:
    """The game and rules version of a module such as `match_v1`."""
    found = re.fullmatch(r"(\w+)_v(\d+)", module.rpartition(".")[2])
    assert found, module
    return registry.game(found[1]), int(found[2])


def all_versions() -> Iterator[tuple[Game, int]]:
    """Every game that is here, by each version of its rules up to that of new games."""
    for name in registry.games():
        game = registry.game(name)
        for version in range(FIRST, game.rules_version + 1):
            yield game, version


def agent(seat: int) -> str:
    """What PettingZoo calls a seat."""
    return f"player_{seat}"
