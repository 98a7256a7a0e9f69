"""Tests that find more the longer they run: short in `make test`, longer in `make test-long`."""

import os

TIMES = int(os.environ.get("KIBITZ_TIMES", "1"))


def size(usual: int) -> int:
    """How much of something a campaign does: so much, or `KIBITZ_TIMES` as much."""
    return usual * TIMES
