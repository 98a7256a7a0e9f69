"""Numbers from outside: Python's and NumPy's alike. `True` is none, and `1.0` is no whole one."""

import math
from typing import Any

import numpy as np

from kibitz.core.errors import BadOptions

MOST = 2**31 - 1  # the nodes of a tree are numbered in 32 bits


def whole(value: Any) -> int | None:
    """The number, as Python's own; None if it isn't a whole number."""
    if type(value) is int:
        return value
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return int(value)
    if isinstance(value, np.ndarray) and value.shape == () and np.issubdtype(value.dtype, np.integer):
        return int(value)  # as a network's `predict` answers
    return None


def above_zero(key: str, value: Any) -> float:
    """A number above 0 that isn't endless, or BadOptions."""
    if not is_number(value) or not 0 < value < math.inf:
        raise BadOptions(key, "a number above 0", value)
    return float(value)


def is_number(value: Any) -> bool:
    """Whether it is a number; NaN is none."""
    known = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    return known and not math.isnan(value)


def at_least(least: int, key: str, value: Any) -> int:
    """A whole number of that size or more, of those that a kernel can count to; or BadOptions."""
    number = whole(value)
    if number is None or number < least:
        raise BadOptions(key, f"a whole number, {least} or more", value)
    if number > MOST:
        raise BadOptions(key, f"{MOST} at most", value)
    return number


def seat_or_none(seat: Any, players: int) -> int | None:
    """A seat of so many, or None as it was given; or BadOptions."""
    number = whole(seat)
    if seat is not None and (number is None or not 0 <= number < players):
        raise BadOptions("seat", f"0 to {players - 1}, or None", seat)
    return number


def checked_seed(value: Any) -> int:
    """A whole number, or BadOptions."""
    number = whole(value)
    if number is None:
        raise BadOptions("seed", "a whole number", value)
    return number
