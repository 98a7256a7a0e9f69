"""Whatever can sit on a seat, as one kind of thing: a function from an Observation to a move."""

import inspect
from collections.abc import Callable, Sequence
from typing import Any, TypeGuard

from kibitz.bots.player import LEVELS, Bot, bot
from kibitz.bots.programs import ProgramBot, ProgramFailed, is_command, try_out
from kibitz.core.errors import BadOptions
from kibitz.core.game import Game
from kibitz.core.move import GivenMove
from kibitz.core.state import Observation

Chooser = Callable[[Observation], GivenMove]
Factory = Callable[[Game, int | None], Bot | Chooser]
Entrant = str | Bot | Chooser | Factory

EXPECTED = (
    f"a level ({', '.join(LEVELS)}), a Bot, a function of an observation, "
    "one of a game and a seed, or a command line"
)


def listed(bots: Any) -> Sequence[Entrant]:
    """The bots that were given, if they are a list."""
    if isinstance(bots, str) or not isinstance(bots, Sequence):
        raise BadOptions("bots", f"a list, each of them {EXPECTED}", bots)
    return bots


def name_of(entrant: Entrant) -> str:
    """What it is called in results."""
    if isinstance(entrant, str):
        return entrant
    return getattr(entrant, "__name__", type(entrant).__name__)


def is_program(entrant: Entrant) -> TypeGuard[str]:
    """Whether it is the command line of a program."""
    return isinstance(entrant, str) and entrant not in LEVELS and is_command(entrant)


def try_programs(entrants: Sequence[Entrant], key: str = "bots") -> None:
    """Refuse a program that doesn't answer at all, before anything is played."""
    for command in filter(is_program, entrants):
        try:
            try_out(command)
        except ProgramFailed as failure:
            raise BadOptions(key, f"a program that answers ({failure.data['what']})", command) from failure


def seated(
    entrant: Entrant, game: Game, seed: int | None = None, nodes: int | None = None, key: str = "bots"
) -> Chooser:
    """What chooses the moves of a seat. Levels and factories make a bot for each game, with the seed.

    `key`: the argument that errors name.
    """
    if is_program(entrant):
        return ProgramBot(game, entrant, seed, nodes=nodes).choose
    if isinstance(entrant, str):
        return bot(entrant, game, seed, nodes).choose
    if isinstance(entrant, Bot):
        return entrant.choose
    if not callable(entrant):
        raise BadOptions(key, EXPECTED, entrant)
    if _makes_players(entrant):
        player: Any = entrant(game, seed)  # type: ignore[call-arg, arg-type]
        chooser: Chooser = player.choose if isinstance(player, Bot) else player
        if not callable(chooser):
            raise BadOptions(key, f"a Bot or a function of an observation from {name_of(entrant)}", player)
        return chooser
    return entrant  # type: ignore[return-value]


def _makes_players(entrant: Callable[..., Any]) -> bool:
    """Whether it is called with a game and a seed: a class of bots, or what can't be called with less."""
    if isinstance(entrant, type):
        return True
    try:
        inspect.signature(entrant).bind(None)
    except TypeError:
        return True
    except ValueError:  # written in C, it doesn't say
        return False
    return False


def tell_the_end(chooser: Chooser, observation: Observation) -> None:
    """A program hears how its game ended; all others have nothing to be told."""
    player = getattr(chooser, "__self__", None)
    if isinstance(player, ProgramBot):
        player.tell_end(observation)
