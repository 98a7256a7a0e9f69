"""The other direction: a bot of Kibitz as a program that reads and writes lines. See docs/programs.md."""

import sys
from collections.abc import Callable, Iterable
from typing import IO, Any

import msgspec

from kibitz.bots.lookahead import kernels
from kibitz.bots.player import bot
from kibitz.bots.programs import SHOWN
from kibitz.core import registry
from kibitz.core.errors import KibitzError
from kibitz.core.events import AnyEvent
from kibitz.core.game import Game
from kibitz.core.state import Observation

Choose = Callable[[Observation], object]
Budget = tuple[float, int | None]  # seconds, nodes
MakeChooser = Callable[[Game, int | None, float, int | None], Choose]

MOVES_AHEAD = 30  # that what is left on a clock has to do for


class Dialogue:
    """What a program has heard, and how it answers."""

    def __init__(self, name: str, make: MakeChooser) -> None:
        self.name = name
        self._make = make
        self._game: Game | None = None
        self._seat = 0
        self._seed: int | None = None
        self._log: list[AnyEvent] = []
        self._view: dict[str, Any] = {}

    def answers(self, word: str, rest: str) -> list[str]:
        """What is said to a line."""
        if word == "kibitz":
            return [f"id name {self.name}", "ready"]
        try:
            asked = self._hear(word, rest)
        except (KeyError, ValueError, msgspec.MsgspecError) as error:
            reason = f"This line can't be understood ({error}): {word} {rest[:SHOWN]}"
            raise KibitzError("bad-line", reason) from error
        return [f"bestmove {self._decide(self._game, *asked)}"] if asked and self._game else []

    def _hear(self, word: str, rest: str) -> Budget | None:
        """Note what is told; what there is to think with, if a move is asked for."""
        match word:
            case "newgame":
                self._begin(rest)
            case "event":
                self._log.append(msgspec.json.decode(rest, type=AnyEvent))
            case "position":
                self._view = msgspec.json.decode(rest)
            case "go":
                return _budget(rest)
        return None

    def _begin(self, told: str) -> None:
        facts = _facts(told.partition(" options=")[0])
        self._game, self._seat, self._log = registry.game(facts["game"]), int(facts["seat"]), []
        self._seed = int(facts["seed"]) if "seed" in facts else None
        kernels(self._game.name)  # loaded before there is a clock

    def _decide(self, game: Game, seconds: float, nodes: int | None) -> object:
        choose = self._make(game, self._seed, seconds, nodes)
        return choose(game.observation(self._view, self._log, self._seat))


def speak(name: str, make: MakeChooser, heard: Iterable[str] = sys.stdin, said: IO[str] = sys.stdout) -> None:
    """Be a program that plays, until `quit` or the end of what is heard.

    `make(game, seed, seconds, nodes)` gives what chooses a move from an observation.
    """
    dialogue = Dialogue(name, make)
    for line in heard:
        word, _, rest = line.rstrip("\r\n").partition(" ")
        if word == "quit":
            return
        for answer in dialogue.answers(word, rest):
            print(answer, file=said, flush=True)


def speak_as(level: str) -> None:
    """Be a bot of a level."""
    speak(f"Kibitz {level}", lambda game, seed, seconds, nodes: bot(level, game, seed, nodes, seconds).choose)


def _budget(asked: str) -> Budget:
    facts = _facts(asked)
    seconds = int(facts.get("movetime", 1000)) / 1000
    if "clock" in facts:
        seconds = min(seconds, int(facts["clock"]) / 1000 / MOVES_AHEAD)
    return seconds, int(facts["nodes"]) if "nodes" in facts else None


def _facts(told: str) -> dict[str, str]:
    """`key=value` parts."""
    return dict(part.split("=", 1) for part in told.split() if "=" in part)
