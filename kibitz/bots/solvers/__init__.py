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


@dataclass(frozen=True)
class Weighed:
    """What a move leads to, with best play of both from there on, as far as a solver went."""

    move: int
    margin: int
    chance: float  # that it wins the game, by how such positions ended
    line: tuple[int, ...]  # the move, and the best ones of both after it, as far as they are known


class Solver(Protocol):
    """Solves states of one game: nothing hidden, and no chance until the round is over."""

    per_node: int  # positions that a bot looks into for each node of its budget
    weighed_per_node: int  # … and an analysis, which looks into every move as closely as into the best

    def knows_enough(self, view: AnyRecord) -> bool:
        """Whether whoever has this view knows all that counts."""
        ...

    def why_not(self, state: AnyRecord) -> str | None:
        """Why a state can't be solved at all; None if it can."""
        ...

    def look(self, state: AnyRecord, nodes: int, tick: Tick) -> Outlook:
        """Look deeper and deeper, until it is solved or so many positions are looked into."""
        ...

    def weigh(self, state: AnyRecord, nodes: int, tick: Tick) -> tuple[Weighed, ...] | None:
        """All moves, the best first; None where the end of the round doesn't decide the game."""
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
