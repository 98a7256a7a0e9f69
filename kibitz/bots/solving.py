"""Solving a position: what best play of both leads to, where nothing is hidden and nothing left to chance."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from kibitz.bots.solvers import Outlook, Solver, solver_of
from kibitz.core.errors import KibitzError, of_kind
from kibitz.core.move import Move
from kibitz.core.numbers import above_zero
from kibitz.core.state import State

SECONDS = 60.0
MOST_NODES = 1 << 62

Report = Callable[[int], None]  # told how many positions were looked into


@dataclass(frozen=True)
class Solution:
    """What best play leads to, by the end of the round."""

    seat: int
    margin: int  # by which the seat will be ahead; below 0: behind
    best: tuple[Move, ...]  # all moves that lead there
    line: tuple[Move, ...]  # the first of them, and how both go on
    nodes: int  # positions that were looked into
    seconds: float


def solve(state: State, seconds: float = SECONDS, report: Report | None = None) -> Solution:
    """Solve a position, or raise a KibitzError that says why it can't be, or not in this time."""
    seconds = above_zero("seconds", seconds)
    solver = _solver_for(of_kind(State, "state", "a State", state))
    began = time.monotonic()

    def tick(nodes: int) -> bool:
        if report:
            report(nodes)
        return time.monotonic() - began < seconds

    found = solver.solve(state.fields(), MOST_NODES, tick)
    if not found.solved:
        raise _too_hard(state, found, seconds)
    moves = state.game.moves
    return Solution(
        int(state.fields().turn),
        found.margin,
        tuple(moves[move] for move in found.best),
        tuple(moves[move] for move in found.line),
        found.nodes,
        time.monotonic() - began,
    )


def _solver_for(state: State) -> Solver:
    title = state.game.title
    solver = solver_of(state.game.name)
    if solver is None:
        reason = (
            f"{title} can't be solved: cards are hidden or yet to be drawn. `kibitz.analyse` tells chances."
        )
        raise KibitzError("not-solvable", reason, {"game": state.game.name})
    why_not = solver.why_not(state.fields())
    if why_not:
        raise KibitzError("not-solvable", f"Nothing to solve: {why_not}.", {"game": state.game.name})
    return solver


def _too_hard(state: State, found: Outlook, seconds: float) -> KibitzError:
    move = state.game.moves[found.best[0]]
    reason = (
        f"Not solved within {seconds:g} s ({found.nodes:,} positions, {found.depth} moves ahead). It looks "
        f"like {move}, with {found.margin:+d} in the end. Give it more time, or a later position."
    )
    data = {"move": str(move), "margin": found.margin, "depth": found.depth, "nodes": found.nodes}
    return KibitzError("not-solved", reason, data)
