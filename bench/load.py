"""How long the first steps take in a fresh process, with and without compiled kernels on disk."""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.measure import Measurement, Progress, Row

ROOT = Path(__file__).parent.parent
STEPS = (
    "import kibitz",
    'kibitz.game("kaching")',
    "first deal",
    "first playouts",
    "first move of hard",
    "Python's own start and end",
    "in all",
)
WARM_RUNS = 5  # at most: they take seconds each
METHOD = (
    "Wall time of a fresh Python process. Cold: nothing is compiled yet, neither kernels nor Python's "
    "bytecode, once. Warm: both are loaded from disk, where the cold process left them. The game brings "
    "Numba along, and the first deal wakes it up. SciPy, which only OpenSpiel needs, is kept out."
)


def measure(rounds: int, progress: Progress) -> Measurement:
    """Seconds of each first step, warm and cold."""
    runs = 1 + min(rounds, WARM_RUNS)
    times = []
    with tempfile.TemporaryDirectory() as folder:
        for run in range(runs):
            times.append(seconds_a_step(Path(folder)))
            progress((run + 1) / runs)
    cold, *warm = times
    rows = [
        *(Row(f"warm: {step}", samples) for step, samples in zip(STEPS, zip(*warm))),
        *(Row(f"cold: {step}", (seconds,), ours=False) for step, seconds in zip(STEPS, cold)),
    ]
    return Measurement("load", "From nothing to a bot's first move, Ka-Ching!", "s", tuple(rows), METHOD)


def seconds_a_step(folder: Path) -> tuple[float, ...]:
    """The seconds of each step in a fresh process that keeps what it compiles in a folder."""
    environment = {**os.environ, "KIBITZ_CACHE": str(folder), "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    started = time.perf_counter()
    answer = subprocess.run(
        [sys.executable, "-m", "bench.first_steps"],
        env=environment,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        check=True,
    )
    in_all = time.perf_counter() - started
    steps = json.loads(answer.stdout)
    return (*steps, in_all - sum(steps), in_all)
