"""Kibitz: Ka-Ching!, Kazink!, CASH, Cover Your Assets and MATCH!, to play, host, replay and build on."""

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

import kibitz.games  # noqa: F401  (announces the games that are here)
from kibitz.core.errors import (
    BadOptions,
    BadPosition,
    BadRecord,
    GameOver,
    IllegalMove,
    KibitzError,
    NothingToUndo,
    NotYourTurn,
    UnknownBot,
    UnknownGame,
)
from kibitz.core.registry import game, games, register

try:
    __version__ = version("kibitz")
except PackageNotFoundError:  # run from a source tree that isn't installed
    __version__ = "0"

if TYPE_CHECKING:
    from kibitz.bots.analysis import Analysis, analyse
    from kibitz.bots.arena import arena
    from kibitz.bots.batches import GameBatch, Playout, batch
    from kibitz.bots.player import bot, playouts
    from kibitz.bots.review import Review, review
    from kibitz.bots.solving import Solution, solve
    from kibitz.bots.tune import Tuning, tune
    from kibitz.core.conformance import check_game, check_leaks
    from kibitz.core.game import Game
    from kibitz.core.move import Move
    from kibitz.core.record import Record
    from kibitz.core.state import Observation, State

__all__ = [
    "Analysis",
    "BadOptions",
    "BadPosition",
    "BadRecord",
    "Game",
    "GameBatch",
    "GameOver",
    "IllegalMove",
    "KibitzError",
    "Move",
    "NotYourTurn",
    "NothingToUndo",
    "Observation",
    "Playout",
    "Record",
    "Review",
    "Solution",
    "State",
    "Tuning",
    "UnknownBot",
    "UnknownGame",
    "analyse",
    "arena",
    "batch",
    "bot",
    "check_game",
    "check_leaks",
    "game",
    "games",
    "playouts",
    "register",
    "review",
    "solve",
    "tune",
]


_LATER = {
    "Analysis": "kibitz.bots.analysis",
    "Game": "kibitz.core.game",
    "GameBatch": "kibitz.bots.batches",
    "Move": "kibitz.core.move",
    "Observation": "kibitz.core.state",
    "Playout": "kibitz.bots.batches",
    "Record": "kibitz.core.record",
    "Review": "kibitz.bots.review",
    "Solution": "kibitz.bots.solving",
    "State": "kibitz.core.state",
    "Tuning": "kibitz.bots.tune",
    "analyse": "kibitz.bots.analysis",
    "arena": "kibitz.bots.arena",
    "batch": "kibitz.bots.batches",
    "bot": "kibitz.bots.player",
    "check_game": "kibitz.core.conformance",
    "check_leaks": "kibitz.core.conformance",
    "playouts": "kibitz.bots.player",
    "review": "kibitz.bots.review",
    "solve": "kibitz.bots.solving",
    "tune": "kibitz.bots.tune",
}


def __dir__() -> list[str]:
    """All public names, also those that aren't loaded yet, and none that only this file uses."""
    return sorted([*__all__, *(name for name in globals() if name.startswith("__"))])


def __getattr__(name: str) -> Any:
    """What brings the compiler along is loaded when it is first asked for."""
    if name not in _LATER:
        raise AttributeError(f"module 'kibitz' has no attribute {name!r}")
    return getattr(import_module(_LATER[name]), name)
