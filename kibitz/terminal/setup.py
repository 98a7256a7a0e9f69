"""What a game in the terminal is begun with."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import kibitz
from kibitz.core.errors import BadOptions, BadRecord
from kibitz.terminal.players import HUMAN, level_of, seated

if TYPE_CHECKING:
    from kibitz.core.game import Game
    from kibitz.core.record import Record
    from kibitz.core.state import State


@dataclass(frozen=True)
class Setup:
    """What a game is begun with, and begun again with for a rematch."""

    game: "Game"
    seats: tuple[str, ...]  # as a record names them
    options: dict[str, Any]
    seed: int | None = None
    rules_version: int | None = None  # that of new games, unless a saved one says another

    def deal(self, rematches: int = 0) -> "State":
        """A new game; a rematch is another deal, but follows from the seed as well."""
        seed = None if self.seed is None else self.seed + rematches
        return self.game.deal(len(self.seats), seed, rules_version=self.rules_version, **self.options)


def new_setup(
    name: str,
    *,
    players: int | None = None,
    seat: int = 0,
    level: str = "medium",
    hotseat: bool = False,
    seed: int | None = None,
    options: Sequence[str] = (),
) -> Setup:
    """From what the command line says."""
    game = kibitz.game(name)
    players = game.checked_players(players)
    if not 0 <= seat < players:
        raise BadOptions("seat", f"a whole number from 0 to {players - 1}", seat)
    return Setup(game, seated(players, seat, level, hotseat), parsed_options(game, options, players), seed)


def setup_of(record: "Record") -> Setup:
    """From a saved game: who sat where, options and rules; where it doesn't say, people sit."""
    seats = record.seats or (HUMAN,) * record.players
    if len(seats) != record.players or all(map(level_of, seats)):
        raise BadRecord("seats", f"{record.players}, a person among them", record.seats)
    return Setup(kibitz.game(record.game), seats, record.options, record.seed, record.rules)


def parsed_options(game: "Game", texts: Sequence[str], players: int) -> dict[str, Any]:
    """Options given as `key=value`."""
    known = {option.name: option for option in game.options}
    options = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if name not in known or not equals:
            raise BadOptions("option", f"key=value with one of the keys {', '.join(known)}", text)
        options[name] = known[name].parse(value, players)
    return options
