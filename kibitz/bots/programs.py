"""Bots that are programs of any language: they read and write lines of text. See docs/programs.md.

A program is told what its seat sees, and nothing else. One that crashes, hangs, talks nonsense or too much is
ended and raises ProgramFailed; asked again, it is started anew and told the whole game.
"""

import contextlib
import os
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from kibitz.bots.player import Bot
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.move import Move
from kibitz.core.state import Observation

PROTOCOL = 1
READY_SECONDS = 30.0  # until a program is ready: it may have a model to load
MOVE_SECONDS = 1.0  # that a program is told to think
GRACE = 1.0  # seconds that it may be late
MOST_CHARACTERS = 1 << 20  # that it may say for one answer
STARTS = 3  # of a program that failed, in one game
SHOWN = 200  # characters of what it said, in an error

# Run by this Python in the program's place, before it: limits, and another user.
LAUNCHER = """
import json, os, resource, sys, warnings  # all, before there is a user who may not read them
asked = json.loads(sys.argv[1])
for name, most in asked["limits"].items():
    resource.setrlimit(getattr(resource, name), (most, most))
if asked["user"]:
    os.setgroups([]); os.setgid(asked["user"][1]); os.setuid(asked["user"][0])
try:
    os.execvp(sys.argv[2], sys.argv[2:])
except OSError as error:
    sys.exit(f"{sys.argv[2]}: {error.strerror}")
"""


class ProgramFailed(KibitzError):
    """A program that plays didn't answer as the protocol asks; the reason says how."""

    def __init__(self, command: str, what: str) -> None:
        super().__init__("program-failed", f"{command}: {what}", {"command": command, "what": what})


@dataclass(frozen=True)
class Confinement:
    """What a program may use; nothing said, all that its starter may."""

    limits: Mapping[str, int] = field(default_factory=dict)  # by the names of the module `resource`
    user: tuple[int, int] | None = None  # ids of a user and a group
    heard: bool = False  # whether what it writes to standard error is shown

    @property
    def needed(self) -> bool:
        """Whether there is anything to confine."""
        return bool(self.limits or self.user)


def is_command(text: str) -> bool:
    """Whether a text means a program: it has arguments or a path, or is one that can be found."""
    return any(mark in text for mark in (" ", os.sep)) or shutil.which(text) is not None


class Program:
    """One running program, and the lines between it and us."""

    def __init__(self, command: str, confinement: Confinement | None = None) -> None:
        self.command = command
        self.told: list[str] = []  # what it says of itself
        self._unread = b""
        self._left = MOST_CHARACTERS
        self._folder = tempfile.mkdtemp(prefix="kibitz-bot-")
        self._process = self._start(confinement or Confinement())
        self._end = weakref.finalize(self, _end, self._process, self._folder)

    def _start(self, confinement: Confinement) -> subprocess.Popen[bytes]:
        try:
            parts = shlex.split(self.command)
        except ValueError as error:
            raise ProgramFailed(self.command, f"this is no command line: {error}") from error
        if not parts:
            raise ProgramFailed(self.command, "this is no command line: it is empty")
        folder, environment = os.getcwd(), dict(os.environ)
        if confinement.needed:
            asked = {"limits": dict(confinement.limits), "user": confinement.user}
            parts = [sys.executable, "-IS", "-c", LAUNCHER, msgspec.json.encode(asked).decode(), *parts]
            folder = self._folder
            environment = {"PATH": os.environ.get("PATH", os.defpath), "HOME": folder, "LANG": "C.UTF-8"}
            if confinement.user:
                os.chown(folder, *confinement.user)
        try:
            return subprocess.Popen(
                parts,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL if confinement.needed and not confinement.heard else None,
                cwd=folder,
                env=environment,
                start_new_session=True,  # it is ended with all that it has started
            )
        except OSError as error:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise ProgramFailed(self.command, f"it can't be started: {error.strerror}") from error

    def shake_hands(self, seconds: float = READY_SECONDS) -> None:
        """Tell the protocol's version, and hear who it is."""
        deadline = time.monotonic() + seconds
        self.send([f"kibitz {PROTOCOL}"], deadline)
        while (line := self.receive(deadline, "`ready`, on a line that is flushed,")) != "ready":
            self.told.append(line)

    def send(self, lines: Sequence[str], deadline: float) -> None:
        """Write lines; a program that doesn't read them in time has failed."""
        assert self._process.stdin is not None
        data = memoryview("".join(f"{line}\n" for line in lines).encode())
        pipe = self._process.stdin.fileno()
        os.set_blocking(pipe, False)
        while data:
            ready = select.select([], [pipe], [], max(0.0, deadline - time.monotonic()))[1]
            if not ready:
                raise ProgramFailed(self.command, "it doesn't read what it is told")
            try:
                data = data[os.write(pipe, data) :]
            except BlockingIOError:
                continue
            except OSError:
                raise ProgramFailed(self.command, self._last_words()) from None

    def waits_until(self, deadline: float) -> bool:
        """Whether something is there to be read before that time."""
        assert self._process.stdout is not None
        wait = max(0.0, deadline - time.monotonic())
        return b"\n" in self._unread or bool(select.select([self._process.stdout], [], [], wait)[0])

    def has_begun_a_line(self) -> bool:
        """Whether it has written anything that wasn't read yet, be it half a line."""
        return bool(self._unread) or self.waits_until(0.0)

    def allow(self) -> None:
        """A new answer begins: it may say so much again."""
        self._left = MOST_CHARACTERS

    def receive(self, deadline: float, expected: str) -> str:
        """The next line it writes."""
        assert self._process.stdout is not None
        while b"\n" not in self._unread:
            wait = max(0.0, deadline - time.monotonic())
            if not select.select([self._process.stdout], [], [], wait)[0]:
                begun = f", not {self._unread[:SHOWN].decode(errors='replace')!r} without an end of line"
                what = f"it took too long; {expected} was expected{begun if self._unread else ''}"
                raise ProgramFailed(self.command, what)
            piece = os.read(self._process.stdout.fileno(), 65536)
            if not piece:
                raise ProgramFailed(self.command, f"{self._last_words()}; {expected} was expected")
            self._unread += piece
            self._left -= len(piece)
            if self._left < 0:
                raise ProgramFailed(self.command, f"it said more than {MOST_CHARACTERS} characters at once")
        line, _, self._unread = self._unread.partition(b"\n")
        try:
            return line.decode().rstrip("\r")
        except UnicodeDecodeError:
            raise ProgramFailed(self.command, f"it wrote no UTF-8: {line[:SHOWN]!r}") from None

    def _last_words(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)
        code = self._process.poll()
        if code is None:
            return "it closed its pipes"
        return f"it was ended by {signal.Signals(-code).name}" if code < 0 else f"it ended with code {code}"

    def wait(self, seconds: float) -> bool:
        """Whether it ends within that time."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def close(self) -> None:
        """End it, with all that it has started."""
        self._end()


def _end(process: subprocess.Popen[bytes], folder: str) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe:
            with contextlib.suppress(OSError):
                pipe.close()
    shutil.rmtree(folder, ignore_errors=True)


def try_out(command: str, seconds: float = READY_SECONDS, confinement: Confinement | None = None) -> None:
    """Start a program and let it go: a wrong name or path shows now, not in a game."""
    program = Program(command, confinement)
    try:
        program.shake_hands(seconds)
    finally:
        program.close()


class ProgramBot(Bot):
    """A program on a seat: it is started with the first decision, and ended with the game."""

    def __init__(
        self,
        game: Game,
        command: str,
        seed: int | None = None,
        seconds: float = MOVE_SECONDS,
        confinement: Confinement | None = None,
        ready_seconds: float = READY_SECONDS,
        nodes: int | None = None,
        bank: float | None = None,
    ) -> None:
        """`nodes`: how far it is told to look; `bank`: the seconds that it has for the whole game."""
        super().__init__(game, seed)
        self.command = command
        self.seconds = seconds
        self.nodes = nodes
        self.bank = bank
        self.program: Program | None = None
        self._confinement = confinement
        self._ready_seconds = ready_seconds
        self._seed = seed
        self._told = 0  # events
        self._failures = 0

    def _choose(self, observation: Observation) -> Move:
        if self._failures >= STARTS:
            raise ProgramFailed(self.command, f"it has failed {STARTS} times, and isn't asked again")
        try:
            return self._ask(observation)
        except ProgramFailed:
            self._failures += 1
            self.close()
            raise

    def _ask(self, observation: Observation) -> Move:
        if self.program is None:
            self.program = Program(self.command, self._confinement)
            self.program.shake_hands(self._ready_seconds)
            self.program.send([self._new_game(observation)], time.monotonic() + GRACE)
            self._told = 0
        if self.bank is not None and self.bank <= 0:
            raise ProgramFailed(self.command, "its time for the game is over")
        self._hear_the_rest(self.program)
        began = time.monotonic()
        until = began + min(self.seconds, self.bank if self.bank is not None else self.seconds)
        self.program.allow()
        self.program.send([*self._news(observation), *self._decision(observation)], until + GRACE)
        self._told = len(observation.log)
        try:
            return self._legal(self._best_move(self.program, until), observation)
        finally:
            if self.bank is not None:
                self.bank -= time.monotonic() - began

    def _hear_the_rest(self, program: Program) -> None:
        """What it still wrote after its last move: it may tell something, but not move again."""
        while program.has_begun_a_line():
            line = program.receive(time.monotonic() + GRACE, "`info`")
            if line.partition(" ")[0] != "info":
                raise ProgramFailed(self.command, f"it wrote {line[:SHOWN]!r} before it was asked")

    def _best_move(self, program: Program, until: float) -> str:
        """What it answers; when its time is over it is told to stop, and has a moment to say what it has."""
        stopped = False
        while True:
            if not stopped and not program.waits_until(until):
                program.send(["stop"], until + GRACE)
                stopped = True
            word, _, rest = program.receive(until + GRACE, "`bestmove`").partition(" ")
            if word == "bestmove":
                return rest
            if word != "info":
                said = f"{word} {rest}"[:SHOWN]
                raise ProgramFailed(self.command, f"it wrote {said!r}, which is neither info nor bestmove")

    def tell_end(self, observation: Observation) -> None:
        """The game is over: tell how, and let it go."""
        if self.program is None:
            return
        over = {key: observation.view[key] for key in ("winners", "scores")}
        lines = [*self._news(observation), f"gameover {msgspec.json.encode(over).decode()}", "quit"]
        with contextlib.suppress(ProgramFailed):
            self.program.send(lines, time.monotonic() + GRACE)
            self.program.wait(GRACE)
        self.close()

    def _legal(self, text: str, observation: Observation) -> Move:
        found = next((move for move in observation.legal_moves if str(move) == text.strip()), None)
        if found is None:
            raise ProgramFailed(self.command, f"{text[:SHOWN]!r} isn't one of the legal moves")
        return found

    def _new_game(self, observation: Observation) -> str:
        view = observation.view
        seed = "" if self._seed is None else f" seed={self._seed % 2**31}"
        options = msgspec.json.encode(view["options"]).decode()
        return (
            f"newgame game={self.game.name} rules={self.game.version_of(observation.fields())}"
            f" seat={observation.seat} players={view['players']}{seed} options={options}"
        )

    def _news(self, observation: Observation) -> list[str]:
        return [
            *(f"event {msgspec.json.encode(event).decode()}" for event in observation.log[self._told :]),
            f"position {msgspec.json.encode(observation.view).decode()}",
        ]

    def _decision(self, observation: Observation) -> list[str]:
        nodes = "" if self.nodes is None else f" nodes={self.nodes}"
        clock = "" if self.bank is None else f" clock={max(1, round(1000 * self.bank))}"
        return [
            *(f"legal {move}" for move in observation.legal_moves),
            f"go movetime={round(1000 * self.seconds)}{nodes}{clock}",
        ]

    def close(self) -> None:
        """End the program."""
        if self.program:
            self.program.close()
            self.program = None
