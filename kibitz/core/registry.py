"""Which games are here. A game is loaded when it is first asked for."""

import importlib
from typing import TYPE_CHECKING

from kibitz.core.errors import UnknownGame

if TYPE_CHECKING:
    from kibitz.core.game import Game

_games: dict[str, "Game | str"] = {}


def register_folder(name: str, module: str) -> None:
    """Announce a game whose folder holds a `GAME`."""
    _games[name] = module


def register(game: "Game") -> None:
    """Announce a game that is already made: the way in for games from elsewhere."""
    _games[game.name] = game


def games() -> tuple[str, ...]:
    """The names of the games that are here."""
    return tuple(_games)


def game(name: str) -> "Game":
    """The game of that name."""
    if name not in _games:
        known = ", ".join(_games)
        raise UnknownGame(
            "unknown-game", f"There is no game {name!r} here; there are: {known}.", {"name": name}
        )
    found = _games[name]
    if isinstance(found, str):
        found = _games[name] = importlib.import_module(found).GAME
    return found
