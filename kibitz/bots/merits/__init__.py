"""What can be said for a seat as the table stands, for advice: a module for each game tells it.

A merit is a sentence that is good for its `seat`, whoever reads it. Those that a player would name first come
first. What is better by degrees is told step by step (each pair that can be sold, not the best one): so what
holds after one move and not after another always speaks for the first.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from kibitz.core.sentences import Sentence

Position = dict[str, Any]  # with all hands open


@dataclass(frozen=True)
class Merits:
    """What a game's module tells."""

    merits: Callable[[Position], Iterator[Sentence]]
    chores: frozenset[str] = frozenset()  # messages of the log that are nothing to be glad of


NOTHING = Merits(lambda position: iter(()))


@cache
def merits_of(name: str) -> Merits:
    """Those of the module of its name, if there is one."""
    module = f"{__name__}.{name}"
    if not find_spec(module):
        return NOTHING
    told: Merits = import_module(module).MERITS
    return told
