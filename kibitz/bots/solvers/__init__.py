"""Games that can be solved: a module for each, whose `SOLVER` does it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol

from kibitz.core.layout import AnyRecord

Tick = Callable[[int], bool]  # told how many positions were looked into; False: stop


@dataclass(frozen=True)
class Outlook:
    """What a solver has found out about a state, as far as it went."""

    best: tuple[int, ...]  # moves: the best so far; all that are best once it is solved
    margin: int  # by which the seat in turn will be ahead with best play; a judgement until it is solved
    line: tuple[int, ...]  # the best moves of both, one after the other
    solved: bool
    depth: int  # moves that were looked ahead
    nodes: int  # positions that were looked into


class Solver(Protocol):
    """Solves states of one game: nothing hidden, and no chance until the round is over."""

    per_node: int  # positions that a bot looks into for each node of its budget

    def knows_enough(self, view: AnyRecord) -> bool:
        """Whether whoever has this view knows all that counts."""
        ...

    def why_not(self, state: AnyRecord) -> str | None:
        """Why a state can't be solved at all; None if it can."""
        ...

    def look(self, state: AnyRecord, nodes: int, tick: Tick) -> Outlook:
        """Look deeper and deeper, until it is solved or so many positions are looked into."""
        ...

    def solve(self, state: AnyRecord, nodes: int, tick: Tick) -> Outlook:
        """The same, then all best moves and the line; not solved if there is no time left for these."""
        ...


@cache
def solver_of(name: str) -> Solver | None:
    """Who solves a game: the module of its name, if there is one."""
    module = f"{__name__}.{name}"
    if not find_spec(module):
        return None
    solver: Solver = import_module(module).SOLVER
    return solver
