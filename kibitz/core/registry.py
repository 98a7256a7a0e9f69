"""Which games are here. A game is loaded when it is first asked for."""

import importlib
from typing import TYPE_CHECKING, Any

from kibitz.core.errors import KibitzError, UnknownGame, of_kind

if TYPE_CHECKING:
    from kibitz.core.game import Game

_games: dict[str, "Game | str"] = {}


def register_folder(name: str, module: str) -> None:
    """Announce a game whose folder holds a `GAME`."""
    _take(name, module)


def register(game: "Game") -> None:
    """Announce a game that is already made: the way in for games from elsewhere."""
    _take(game.name, game)


def _take(name: str, found: "Game | str") -> None:
    """A name is one game's; to announce the same game again does nothing."""
    known = _games.setdefault(name, found)
    by_folder = isinstance(known, str) or isinstance(found, str)
    if known is not found and not (by_folder and _folder(known) == _folder(found)):
        raise KibitzError("name-taken", f"There is a game {name!r} here already.", {"name": name})


def _folder(found: "Game | str") -> str:
    return found if isinstance(found, str) else found.package


def games() -> tuple[str, ...]:
    """The names of the games that are here."""
    return tuple(_games)


def folders() -> dict[str, str]:
    """The games that are here with their folders; none is loaded for that."""
    return {name: _folder(found) for name, found in _games.items()}


def game(name: str) -> "Game":
    """The game of that name."""
    if name not in games():
        known = ", ".join(_games)
        raise UnknownGame(
            "unknown-game", f"There is no game {name!r} here; there are: {known}.", {"name": name}
        )
    found = _games[name]
    if isinstance(found, str):
        found = _games[name] = importlib.import_module(found).GAME
    return found


def game_of(given: Any) -> "Game":
    """The game that is meant: by its name, or the game itself."""
    from kibitz.core.game import Game

    return game(given) if isinstance(given, str) else of_kind(Game, "game", "a game or its name", given)
