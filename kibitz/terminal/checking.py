"""Verifying a record: what was checked, and what didn't hold."""

from dataclasses import dataclass
from pathlib import Path

from kibitz.core.errors import BadRecord

CHECKS = ("record", "commitment", "beginning", "moves", "result", "hash")  # in the order of a game
# Any other key tells how the game began
CHECK_OF_KEY = {
    "seed": "commitment",
    "secret": "commitment",
    "commitment": "commitment",
    "moves": "moves",
    "result": "result",
    "hash": "hash",
}


@dataclass(frozen=True)
class Verdict:
    """Which checks a record passed, and the reason why one failed."""

    file: str
    passed: tuple[str, ...]
    failed: str | None
    reason: str | None

    @property
    def valid(self) -> bool:
        """Whether everything the record says is so."""
        return self.failed is None


def verified(file: Path) -> Verdict:
    """Check a record's file."""
    from kibitz.core.record import Record

    try:
        record = Record.load(file)
    except BadRecord as error:
        return Verdict(str(file), (), "record", error.reason)
    try:
        record.verify()
    except BadRecord as error:
        failed = _check_of(error.key)
        return Verdict(str(file), CHECKS[: CHECKS.index(failed)], failed, error.reason)
    return Verdict(str(file), CHECKS, None, None)


def _check_of(key: str) -> str:
    """The check that a key of the record belongs to."""
    return CHECK_OF_KEY.get(key.partition("[")[0], "beginning")
