"""No sequence of calls of the public API crashes the interpreter, compiled kernels and all.

`KIBITZ_FUZZ` is how many cases are tried in all games together, `KIBITZ_FUZZ_SEED` where they begin.
"""

import os
import subprocess
import sys

import pytest

import kibitz

CASES = int(os.environ.get("KIBITZ_FUZZ", "10000"))
SEED = int(os.environ.get("KIBITZ_FUZZ_SEED", "1"))


@pytest.mark.parametrize("name", kibitz.games())
def test_whatever_is_passed_is_answered(name: str) -> None:
    share = -(-CASES // len(kibitz.games()))
    command = [sys.executable, "-m", "tests.core.fuzz", name, str(SEED), str(share)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    last = run.stdout.strip().rpartition("\n")[2]
    assert (run.returncode, last) == (0, "done"), f"{last}: ended with {run.returncode}\n{run.stderr[-3000:]}"
