"""How long players wait after each kind of fault: `python -m bench faults --rounds 20`.

A campaign of `tests.server.faults`: three nodes behind HAProxy, PostgreSQL with a standby, NATS; players go
on while all of it dies and comes back. It fails if a promise is broken. The table is kept in
results/faults.md, what was found so far in build/: a run that was ended goes on, if the code is the same.
`python -m bench.faults 200 --minutes 4` begins no new house after that time; the next call goes on.
`--about "takes over"`: only of the kinds whose name says so.
"""

import hashlib
import time
from pathlib import Path

import click
import msgspec

import kibitz
from bench.machine import facts
from bench.measure import CORES, Measurement, Progress, Row, Skipped, using
from kibitz.bots.kept import KeptLines
from scripts.engines import here
from tests.server.faults import FAULTS, Outcome, every_fault, run, told
from tests.tiny import GAME as TINY

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "bench" / "results" / "faults.md"
KEPT = ROOT / "build"
PIECE = 20  # faults of one house; then another is built
FAILOVERS, MOST = "the standby takes over", 5.0  # seconds
METHOD = (
    "Three nodes behind HAProxy, PostgreSQL, NATS; four tables of two people, two of one and a bot. From the "
    "fault until at every table somebody's move is acknowledged again. The run fails if anything "
    "acknowledged is lost or carried out twice, if a log is no whole chain, or if anybody's view "
    "differs from that of one who comes anew."
)
TEXT = """# Faults

How long it took after a fault until at every table somebody's move was acknowledged again.

{outcome}

{count} faults in {minutes:.0f} minutes. {about}.
"""


class Asked(msgspec.Struct):
    """What a campaign is of."""

    faults: int
    code: str


class Piece(msgspec.Struct):
    """What came of the faults in one house."""

    outcome: Outcome
    minutes: float


def measure(rounds: int, progress: Progress) -> Measurement:
    """As many faults of each kind as there are rounds."""
    if not here("initdb", "pg_ctl", "nats-server", "haproxy"):
        raise Skipped("PostgreSQL, NATS or HAProxy is not here")
    waits = suffer(rounds * len(FAULTS), progress).waits
    rows: list[Row] = []
    for kind, times in waits.items():
        rows.append(Row(kind, tuple(times)))
        if FAILOVERS in kind:
            rows.append(Row("… at worst", (max(times),), most=MOST))
    return Measurement("faults", "Until play goes on after a fault", "s", tuple(rows), METHOD)


def suffer(count: int, progress: Progress, minutes: float = float("inf"), about: str = "") -> Outcome:
    """Let so many faults happen, or as many as there is time for."""
    kibitz.register(TINY)
    asked = Asked(count, code(about))
    path = KEPT / f"faults-{asked.faults}-{asked.code}.jsonl"
    path.parent.mkdir(exist_ok=True)
    kept = KeptLines(path, asked, Piece)
    pieces, faults, began = kept.before, every_fault(count, about), time.monotonic()
    machine = facts(f"python -m bench.faults {count}" + (f' --about "{about}"' if about else ""))
    while len(pieces) * PIECE < count and time.monotonic() - began < 60 * minutes:
        pieces.append(piece(faults[len(pieces) * PIECE :][:PIECE]))
        kept.add(pieces[-1])
        write_down(pieces, machine)
        progress(min(1.0, len(pieces) * PIECE / count))
        if not pieces[-1].outcome.sound:
            raise SystemExit(f"A promise was broken.\n{told(pieces[-1].outcome)}")
    kept.close()
    if len(pieces) * PIECE >= count:
        path.unlink()
    return together(pieces)


def code(about: str) -> str:
    """What tells this code, and what is asked of it, from another."""
    found = hashlib.sha256(about.encode())
    for folder in ("kibitz/server", "tests/server"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            found.update(path.read_bytes())
    return found.hexdigest()[:16]


def piece(faults: list[str]) -> Piece:
    """These faults in a new house."""
    began = time.monotonic()
    with using(CORES):
        outcome = run(faults)
    return Piece(outcome, (time.monotonic() - began) / 60)


def together(pieces: list[Piece]) -> Outcome:
    """All of them as one campaign."""
    whole = pieces[0].outcome
    for one in pieces[1:]:
        whole = whole.and_then(one.outcome)
    return whole


def write_down(pieces: list[Piece], machine: dict[str, str]) -> None:
    """The table as far as it is known."""
    outcome = together(pieces)
    text = TEXT.format(
        outcome=told(outcome),
        count=sum(map(len, outcome.waits.values())),
        minutes=sum(one.minutes for one in pieces),
        about="; ".join(f"{name}: {value}" for name, value in machine.items()),
    )
    RESULTS.write_text(text)


@click.command()
@click.argument("count", default=200)
@click.option("--minutes", default=float("inf"), help="After which no new house is built.")
@click.option("--about", default="", help="Only kinds whose name says so.")
def main(count: int, minutes: float, about: str) -> None:
    """Let COUNT faults happen, or some of them."""
    print(told(suffer(count, lambda done: None, minutes, about)))


if __name__ == "__main__":
    main()
