"""Compiling a game's rules and bots ahead of time, in a process of its own.

Compiling holds the interpreter's lock, so a child process does it and fills the disk cache; this process
then only loads. `python -m kibitz.warmup GAME` is that child: it prints one JSON line a step. Who wants to
play at once plays interpreted until then (`meanwhile`, and the server's `readiness`).
"""

import gc
import importlib.util
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING

import msgspec

import kibitz
from kibitz.core.errors import KibitzError

if TYPE_CHECKING:
    from kibitz.core.state import State

STDERR_TAIL = 2000  # characters of a failed child's last words that are handed on
# Objects after which the child looks for those that nobody needs any more. Numba makes many and keeps most:
# looked at as often as Python does by itself, they take 7 % of the time; so half of that.
OBJECTS_BETWEEN_SWEEPS = 50_000

Report = Callable[[str, int, int], None]


# The groups of kernels, and how much of the time each takes, so that progress is true.
PLAYING = {
    "deal": 16,
    "legal moves": 7,
    "views": 3,
    "score": 2,
    "moves": 29,
    "easy": 18,
    "medium": 15,
    "search": 3,
    "hard": 7,
}
FOR_PROGRAMS = {"playouts": 8, "batches": 42}  # nobody who plays needs these
Groups = dict[str, float]  # processor seconds, by the group of kernels that was compiled


class StepDone(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the child: so much of a game's work is done, by the groups' shares."""

    game: str
    done: int
    total: int
    seconds: float = 0.0  # of the processor, for the last one


# Asking for it


def is_warm(game: str, programs: bool = False) -> bool:
    """Whether a game's kernels are on the disk, compiled for this machine from the sources as they are."""
    from kibitz.core.kernel import JIT

    if not JIT:
        return True
    marker = _marker(game, programs)
    return marker is None or marker.exists()  # without a place to keep them, there is nothing to do ahead


def warm_up(games: Sequence[str], report: Report, programs: bool = False) -> dict[str, Groups]:
    """Compile the games' kernels in a child process each; `report(game, done, total)` hears of every step.

    With `programs`, also those that only programs call. Returns what each group of kernels took, by game.
    """
    taken: dict[str, Groups] = {}
    for game in games:
        with tempfile.TemporaryFile() as complaints:
            taken[game] = _run_child(game, report, complaints, programs)
    return taken


@contextmanager
def meanwhile(game: str) -> Iterator[Callable[[], bool]]:
    """Play at once: a child compiles the game, and until it is loaded here it is interpreted.

    Yields what tells whether it is compiled. A child that isn't done when its parent ends stops after the
    step it is at: what it has compiled stays.
    """
    from kibitz.core.kernel import interpret, loading, stop_interpreting

    if is_warm(game):
        yield lambda: True
        return
    compiled = threading.Event()

    def compile_beside() -> None:
        with suppress(KibitzError):  # what can't be compiled stays interpreted
            warm_up([game], lambda *step: None)
            with loading():
                for step in steps(game):
                    step()
            compiled.set()

    interpret()
    threading.Thread(target=compile_beside, name="kibitz-warmup", daemon=True).start()
    try:
        yield compiled.is_set
    finally:
        stop_interpreting()


def _run_child(game: str, report: Report, complaints: IO[bytes], programs: bool) -> Groups:
    seconds: list[float] = []
    command = [sys.executable, "-m", "kibitz.warmup", game, *(["programs"] if programs else [])]
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
    return dict(zip(_groups(programs), seconds[1:], strict=False))


def environment() -> dict[str, str]:
    """The child finds this very package, however this process found it."""
    home = str(Path(kibitz.__file__).parent.parent)
    paths = [home, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


# What tells that it is done


def _marker(game: str, programs: bool) -> Path | None:
    from kibitz.core.kernel import cache_home, digest

    home = cache_home()
    name = f"ready-{game}-programs" if programs else f"ready-{game}"
    return None if home is None else home / digest(_modules(game, programs)) / name


def _modules(game: str, programs: bool) -> tuple[str, ...]:
    """The modules whose kernels a game needs; their digest changes with any source behind them."""
    rules: str = kibitz.game(game).rules.__name__  # type: ignore[attr-defined]
    known = (f"kibitz.bots.heuristics.{game}", f"kibitz.bots.solvers.{game}")
    templates = ("kibitz.bots.search", *(["kibitz.bots.stepping"] if programs else []))
    return (*templates, rules, *filter(importlib.util.find_spec, known))


def _groups(programs: bool) -> dict[str, int]:
    return PLAYING | FOR_PROGRAMS if programs else PLAYING


# The child


def steps(name: str, programs: bool = False) -> list[Callable[[], object]]:
    """What is called once, in this order, so that a game's kernels are compiled: a step for each group."""
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
        choose("easy"),
        choose("medium"),
        look,
        choose("hard"),
    ]
    if programs:
        calls += [lambda: kibitz.playouts(name, games=1, seed=1), lambda: _use_batch(name)]
    assert len(calls) == len(_groups(programs))
    return calls


def _use_batch(name: str) -> None:
    """Call every kernel of a batch."""
    batch = kibitz.batch(name, n=1, seed=1, threads=1)
    batch.step(batch.sample())
    batch.playout("random")


def compile_all(name: str, programs: bool = False) -> None:
    """Take the steps, tell of each, and leave the marker: for the sources as they were at the beginning."""
    marker = _marker(name, programs)
    todo = list(zip(steps(name, programs), _groups(programs).values(), strict=False))
    done, total = 0, sum(share for _, share in todo)
    _tell(StepDone(name, done, total))
    for step, share in todo:
        started = time.process_time()
        step()
        done += share
        _tell(StepDone(name, done, total, round(time.process_time() - started, 2)))
    if marker is not None:
        marker.parent.mkdir(parents=True, exist_ok=True)
        marker.touch()


def _tell(step: StepDone) -> None:
    print(msgspec.json.encode(step).decode(), flush=True)


if __name__ == "__main__":
    gc.freeze()
    gc.set_threshold(OBJECTS_BETWEEN_SWEEPS)
    try:
        compile_all(sys.argv[1], "programs" in sys.argv[2:])
    except KibitzError as error:
        sys.exit(error.reason)
