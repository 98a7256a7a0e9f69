"""Timing side by side, on one core, and what comes of it."""

import os
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

CORES = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else {0}  # before any choice among them
SLICE = 0.4  # seconds that a contender is timed for in a round
TRIAL = 0.05  # seconds that a trial must take to tell how much work fills a slice

Progress = Callable[[float], None]  # is told which share of a measurement is done
Clock = Callable[[], float]  # seconds


class Skipped(Exception):
    """Something can't be measured here; says why."""


@dataclass(frozen=True)
class Contender:
    """Something that is timed: `run(amount)` works off that many pieces and says how much it got done."""

    label: str
    run: Callable[[int], float]
    ours: bool = False  # Kibitz itself, or what it is measured against
    aim: float | None = None  # how many times as fast the first contender should be


@dataclass(frozen=True)
class Row:
    """One line of a table and one bar of a chart. Its value is the median of the samples."""

    label: str
    samples: tuple[float, ...]
    ours: bool = True
    ratio: float | None = None  # how many times as fast as this the first row is; only beside others
    aim: float | None = None  # and should be
    most: float | None = None  # the value that it shouldn't exceed

    @property
    def value(self) -> float:
        """The median."""
        return statistics.median(self.samples)

    @property
    def middle_half(self) -> tuple[float, float] | None:
        """Between which bounds the middle half of the samples lies; None for a single sample."""
        if len(self.samples) == 1:
            return None
        low, _, high = statistics.quantiles(self.samples, n=4, method="inclusive")
        return low, high


@dataclass(frozen=True)
class Measurement:
    """What one file of this folder measured."""

    name: str
    title: str
    unit: str  # `/s` at its end: more is better
    rows: tuple[Row, ...]
    method: str  # how it was measured, in sentences


def use_one_core() -> None:
    """Stay on one core, where the system lets a process choose; child processes stay there too."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(CORES)})


@contextmanager
def using(cores: set[int]) -> Iterator[None]:
    """Child processes that are started here stay on these cores."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def side_by_side(
    contenders: Sequence[Contender], rounds: int, progress: Progress, clock: Clock = time.perf_counter
) -> tuple[Row, ...]:
    """Time all contenders in turns, so that whatever else the machine does hits all alike.

    Whoever works alone on one core may be timed by `time.process_time`, which others hardly change.
    """
    amounts = [_amount_for_a_slice(contender, clock) for contender in contenders]
    rates: list[list[float]] = [[] for _ in contenders]
    for round_number in range(rounds):
        for place in range(len(contenders)):
            which = (round_number + place) % len(contenders)  # each round another begins
            rates[which].append(_rate(contenders[which], amounts[which], clock))
            progress((round_number * len(contenders) + place + 1) / (rounds * len(contenders)))
    return tuple(
        Row(
            contender.label,
            tuple(own),
            contender.ours,
            None if contender.ours else _ratio(rates[0], own),
            contender.aim,
        )
        for contender, own in zip(contenders, rates)
    )


def _ratio(first: Sequence[float], other: Sequence[float]) -> float:
    """The median of the rounds' ratios: the two were timed within a few seconds of each other."""
    return statistics.median(one / another for one, another in zip(first, other))


def _rate(contender: Contender, amount: int, clock: Clock) -> float:
    started = clock()
    done = contender.run(amount)
    return done / (clock() - started)


def _amount_for_a_slice(contender: Contender, clock: Clock) -> int:
    contender.run(1)  # loads and compiles what there is to load and compile
    amount, seconds = 1, 0.0
    while seconds < TRIAL:
        amount *= 2
        started = clock()
        contender.run(amount)
        seconds = clock() - started
    return max(1, round(amount * SLICE / seconds))
