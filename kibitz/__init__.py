"""Kibitz: Ka-Ching!, Kazink!, CASH, Cover Your Assets and MATCH!, to play, host, replay and build on."""

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
    from kibitz.bots.arena import arena
    from kibitz.bots.player import bot, playouts

__all__ = [
    "BadOptions",
    "BadPosition",
    "BadRecord",
    "GameOver",
    "IllegalMove",
    "KibitzError",
    "NotYourTurn",
    "NothingToUndo",
    "UnknownBot",
    "UnknownGame",
    "arena",
    "bot",
    "game",
    "games",
    "playouts",
    "register",
]


def __getattr__(name: str) -> Any:
    """Bots are loaded when they are first asked for: they bring the compiler along."""
    if name in ("bot", "playouts"):
        from kibitz.bots import player

        return getattr(player, name)
    if name == "arena":
        from kibitz.bots.arena import arena

        return arena
    raise AttributeError(f"module 'kibitz' has no attribute {name!r}")
