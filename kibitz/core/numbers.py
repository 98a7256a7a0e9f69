"""Whole numbers from outside: Python's and NumPy's alike. `True` and `1.0` are none."""

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
    return None


def at_least(least: int, key: str, value: Any) -> int:
    """A whole number of that size or more, of those that a kernel can count to; or BadOptions."""
    number = whole(value)
    if number is None or number < least:
        raise BadOptions(key, f"{least} or more", value)
    if number > MOST:
        raise BadOptions(key, f"{MOST} at most", value)
    return number


def checked_seed(value: Any) -> int:
    """A whole number, or BadOptions."""
    number = whole(value)
    if number is None:
        raise BadOptions("seed", "a whole number", value)
    return number
