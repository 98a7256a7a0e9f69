"""Programs of the host's at live tables: `kibitz serve --bot NAME=COMMAND`.

They are strangers to the server: each move has a process of its own, with little time and memory, an empty
folder and no settings of the server's, under another user where the server may choose one.
"""

import os
import pwd
import re
import resource
from collections.abc import Iterable
from dataclasses import replace

from kibitz.bots.player import LEVELS, Bot
from kibitz.bots.programs import Confinement, ProgramBot, ProgramFailed, try_out
from kibitz.core.errors import BadOptions
from kibitz.core.game import Game
from kibitz.core.move import Move
from kibitz.core.state import Observation
from kibitz.server.live_bots import live_bot

READY_SECONDS = 2.0
FIRST_READY_SECONDS = 10.0  # when nothing of it is in memory yet
USER = os.environ.get("KIBITZ_BOT_USER", "nobody")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _.-]{0,23}")

MEMORY = 1 << 30  # bytes
LIMITS = {
    "RLIMIT_DATA": MEMORY,
    "RLIMIT_CPU": 10,  # seconds
    "RLIMIT_FSIZE": 1 << 24,
    "RLIMIT_NOFILE": 64,
    "RLIMIT_CORE": 0,
}
PROCESSES = 256  # of the user they run as


class HostedPrograms:
    """The programs that a server seats, by the names that tables know them by."""

    def __init__(self) -> None:
        self.commands: dict[str, str] = {}

    def add(self, given: Iterable[str]) -> None:
        """Each as NAME=COMMAND."""
        for one in given:
            name, _, command = one.partition("=")
            if not command or not NAME.fullmatch(name) or name in LEVELS:
                raise BadOptions("bot", "NAME=COMMAND, the name of letters and digits and none of ours", one)
            self.commands[name] = command

    def check(self) -> None:
        """Start each as a table would: a wrong name or path shows now, not in somebody's game."""
        for name, command in self.commands.items():
            try:
                try_out(command, FIRST_READY_SECONDS, replace(confinement(), heard=True))
            except ProgramFailed as failure:
                expected = (
                    "a program that answers, started in an empty folder, so that files are named by their "
                    f"whole path ({failure.data['what']})"
                )
                raise BadOptions("bot", expected, f"{name}={command}") from failure

    def __contains__(self, name: object) -> bool:
        return name in self.commands

    def make(self, level: str, game: Game, seconds: float) -> Bot:
        """A bot of a level, or one of the programs."""
        if level not in self.commands:
            return live_bot(level, game, seconds)
        return OneMove(
            game,
            self.commands[level],
            seconds=seconds,
            confinement=confinement(),
            ready_seconds=READY_SECONDS,
        )


class OneMove(ProgramBot):
    """A program that is started for one move, told the whole game, and ended."""

    def choose(self, observation: Observation) -> Move:
        """The move to make."""
        try:
            return super().choose(observation)
        finally:
            self.close()


def confinement() -> Confinement:
    """The limits; and another user, which only root can choose."""
    known = {name: most for name, most in LIMITS.items() if hasattr(resource, name)}
    if os.geteuid() != 0:
        return Confinement(known)
    try:
        found = pwd.getpwnam(USER)
    except KeyError as error:
        raise BadOptions("KIBITZ_BOT_USER", "a user of this machine", USER) from error
    return Confinement({**known, "RLIMIT_NPROC": PROCESSES}, (found.pw_uid, found.pw_gid))


PROGRAMS = HostedPrograms()
