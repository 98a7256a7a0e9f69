"""How long players wait after each kind of fault: `python -m bench.faults [COUNT]`.

A campaign of `tests.server.faults`: three nodes behind HAProxy, PostgreSQL with a standby, NATS; players go
on while all of it dies and comes back. It fails if a promise is broken. Kept in results/faults.md.
"""

import sys
import time
from pathlib import Path

import kibitz
from bench.machine import facts
from tests.server.faults import Outcome, every_fault, run, told
from tests.tiny import GAME as TINY

RESULTS = Path(__file__).parent / "results" / "faults.md"
USUAL = 200
PIECE = 25  # faults of one house; then another is built, and what was found so far is written down
TEXT = """# Faults

How long it took after a fault until at every table somebody's move was acknowledged again.

{outcome}

{minutes:.0f} minutes. {about}.
"""


def main() -> None:
    """Run it, and write down what came of it."""
    kibitz.register(TINY)
    count = int(sys.argv[1]) if len(sys.argv) > 1 else USUAL
    about = facts(f"python -m bench.faults {count}")
    described = "; ".join(f"{name}: {value}" for name, value in about.items())
    began = time.monotonic()
    outcome: Outcome | None = None
    faults = every_fault(count)
    for start in range(0, count, PIECE):
        piece = run(faults[start : start + PIECE])
        outcome = outcome.and_then(piece) if outcome else piece
        minutes = (time.monotonic() - began) / 60
        RESULTS.write_text(TEXT.format(outcome=told(outcome), minutes=minutes, about=described))
        print(told(outcome), flush=True)
        if not outcome.sound:
            sys.exit("A promise was broken.")


if __name__ == "__main__":
    main()
