"""What a node counts of its own work, for whoever hosts it: cheap enough to be counted always."""

import logging
import time
from bisect import bisect_left

BOUNDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)  # seconds


class Tally:
    """Counts since the start."""

    def __init__(self) -> None:
        self.started = time.time()
        self.rows = 0
        self.seconds = 0.0  # that rows took until they were synced, all together
        self.within = [0] * (len(BOUNDS) + 1)  # how many took how long
        self.refused = 0
        self.thoughts = 0  # moves that bots have thought of
        self.conflicts = 0  # rows that another node's was before
        self.errors = ErrorCount()

    def appended(self, seconds: float) -> None:
        """A row is in the log."""
        self.rows += 1
        self.seconds += seconds
        self.within[bisect_left(BOUNDS, seconds)] += 1


class ErrorCount(logging.Handler):
    """Counts what the log complains about."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.count = 0
        logging.getLogger("kibitz").addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """One more."""
        self.count += 1
