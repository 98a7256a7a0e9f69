"""Compiling a game's rules and bots ahead of time, in a process of its own.

Compiling holds the interpreter's lock, so a child process does it and fills the disk cache; this process
then only loads. `python -m kibitz.warmup GAME` is that child: it prints one JSON line a step.
"""

import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING

import msgspec

import kibitz
from kibitz.core.errors import KibitzError

if TYPE_CHECKING:
    from kibitz.core.state import State

STDERR_TAIL = 2000  # characters of a failed child's last words that are handed on

Report = Callable[[str, int, int], None]


GROUPS = ("deal", "legal moves", "views", "score", "moves", "playouts", "easy", "medium", "search", "hard")
Groups = dict[str, float]  # processor seconds, by the group of kernels that was compiled


class StepDone(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the child: so many of a game's steps are done."""

    game: str
    done: int
    total: int
    seconds: float = 0.0  # of the processor, for the last one


# Asking for it


def is_warm(game: str) -> bool:
    """Whether a game's kernels are on the disk, compiled for this machine from the sources as they are."""
    from kibitz.core.kernel import JIT

    if not JIT:
        return True
    marker = _marker(game)
    return marker is None or marker.exists()  # without a place to keep them, there is nothing to do ahead


def warm_up(games: Sequence[str], report: Report) -> dict[str, Groups]:
    """Compile the games' kernels in a child process each; `report(game, done, total)` hears of every step.

    Returns what each group of kernels took, by game.
    """
    taken: dict[str, Groups] = {}
    for game in games:
        with tempfile.TemporaryFile() as complaints:
            taken[game] = _run_child(game, report, complaints)
    return taken


def _run_child(game: str, report: Report, complaints: IO[bytes]) -> Groups:
    seconds: list[float] = []
    command = [sys.executable, "-m", "kibitz.warmup", game]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=complaints, env=environment()) as child:
        assert child.stdout is not None
        try:
            for line in child.stdout:
                step = msgspec.json.decode(line, type=StepDone)
                seconds.append(step.seconds)
                report(step.game, step.done, step.total)
        except BaseException:
            child.kill()
            raise
    if child.returncode != 0:
        complaints.seek(0)
        tail = complaints.read().decode(errors="replace").strip()[-STDERR_TAIL:]
        raise KibitzError("warm-up", f"{game} could not be compiled:\n{tail}", {"game": game, "tail": tail})
    return dict(zip(GROUPS, seconds[1:], strict=False))


def environment() -> dict[str, str]:
    """The child finds this very package, however this process found it."""
    home = str(Path(kibitz.__file__).parent.parent)
    paths = [home, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


# What tells that it is done


def _marker(game: str) -> Path | None:
    from kibitz.core.kernel import cache_home, digest

    home = cache_home()
    return None if home is None else home / digest(_modules(game)) / f"ready-{game}"


def _modules(game: str) -> tuple[str, ...]:
    """The modules whose kernels a game needs; their digest changes with any source behind them."""
    rules: str = kibitz.game(game).rules.__name__  # type: ignore[attr-defined]
    known = (f"kibitz.bots.heuristics.{game}", f"kibitz.bots.solvers.{game}")
    return ("kibitz.bots.search", rules, *filter(importlib.util.find_spec, known))


# The child


def steps(name: str) -> list[Callable[[], object]]:
    """What has to be called once, in this order, so that every kernel of a game is compiled."""
    import numpy as np

    from kibitz.bots.lookahead import Budget, look_ahead
    from kibitz.core.secret import bot_generator

    game = kibitz.game(name)

    @cache
    def state() -> "State":
        return game.deal(seed=1)

    def choose(level: str) -> Callable[[], object]:
        return lambda: kibitz.bot(level, game, seed=1, nodes=2).choose(state().observation(state().turn))

    def look() -> object:
        """A bot that sees a single move worth a look doesn't search, and wouldn't have it compiled."""
        seen = state().observation(state().turn)
        return look_ahead(seen, list(seen.legal_moves), Budget(2, 1.0), bot_generator(1))

    calls: list[Callable[[], object]] = [
        state,
        lambda: state().legal_moves,
        lambda: state().observation(state().turn),
        lambda: game.rules.score(state().fields(), np.zeros(state().players, np.int32)),
        lambda: state().copy().play(state().legal_moves[0]),
        lambda: kibitz.playouts(name, games=1, seed=1),
        choose("easy"),
        choose("medium"),
        look,
        choose("hard"),
    ]
    assert len(calls) == len(GROUPS)
    return calls


def compile_all(name: str) -> None:
    """Take the steps, tell of each, and leave the marker: for the sources as they were at the beginning."""
    marker = _marker(name)
    todo = steps(name)
    _tell(StepDone(name, 0, len(todo)))
    for done, step in enumerate(todo, 1):
        started = time.process_time()
        step()
        _tell(StepDone(name, done, len(todo), round(time.process_time() - started, 2)))
    if marker is not None:
        marker.parent.mkdir(parents=True, exist_ok=True)
        marker.touch()


def _tell(step: StepDone) -> None:
    print(msgspec.json.encode(step).decode(), flush=True)


if __name__ == "__main__":
    try:
        compile_all(sys.argv[1])
    except KibitzError as error:
        sys.exit(error.reason)
