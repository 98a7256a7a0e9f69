"""How likely seats of MATCH! win, by what was learned from games of bots with themselves.

What a seat knows, once it has moved and before it draws, is told by some forty signs, of one or a few in each
group: how a colour looks (which numbers are in the hand, the own top card and the one beneath, the next
player's), how a number does, what is asked for and who may have it, how big the hands are, who leads. All
colours share their signs. Each sign adds its row of numbers to a hidden layer, which is weighed up to the
chance to win: a network with one hidden layer. A move is rated by what its seat knows after it.

So is a state that a search has imagined, for a seat that has just moved. One network is for two players, one
for more.

The numbers are in `match_worths.npz`; `python -m bench.match_worths` learns them.
"""

import math
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.np.arrayobj import make_array

from kibitz.bots.heuristics.match_signs import (
    FEWEST_PLAYERS,
    MOST_SIGNS,
    SCENE,
    STEP,
    Signs,
    find_signs,
    foresee,
    survey,
)
from kibitz.core.common import frozen
from kibitz.core.kernel import instructions, kernel, wide
from kibitz.core.layout import AnyRecord, Moves
from kibitz.games.match.rules import NUM_MOVES, legal_moves

Rows = npt.NDArray[Any]  # of each sign: what it adds to the layer
Layer = npt.NDArray[np.float32]
Weights = npt.NDArray[np.float32]  # of the layer, and what is added

FILE = Path(__file__).with_suffix(".npz")
HIDDEN = 32
UNIT = 1 / 512  # of the rows' numbers
LEAK = 0.1  # how much of what is below zero passes the hidden layer

MOST_AHEAD = 45  # between two rounds
LEADS = 2 * MOST_AHEAD + 1
AWAYS = 12  # steps that the target is away
NUM_TOTALS = LEADS * AWAYS


# Chances


def sum_up(rows: Rows, signs: Signs, count: int, layer: Layer) -> None:
    """The hidden layer: the sum of the signs' rows; of what is below zero a part, but the first is kept."""
    total = rows[signs[:count]].sum(axis=0, dtype=np.float32)
    layer[:] = np.maximum(total, np.float32(LEAK) * total)
    layer[0] = total[0]


@instructions(sum_up, lambda rows, signs, count, layer: types.none)
def _sum_up(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """All numbers of a row at once: a loop over them takes ten times as long."""
    kinds = signature.args
    number, size = context.get_data_type(kinds[0].dtype), int(np.dtype(str(kinds[0].dtype)).itemsize)
    whole = isinstance(kinds[0].dtype, types.Integer)
    real = ir.VectorType(ir.FloatType(), HIDDEN)
    sums = ir.VectorType(ir.IntType(32), HIDDEN) if whole else real
    first, places, _, layer = (
        make_array(kind)(context, builder, array).data if isinstance(kind, types.Array) else array
        for kind, array in zip(kinds, arguments, strict=True)
    )
    index = ir.IntType(64)
    before, loop = builder.block, builder.append_basic_block("rows")
    behind = builder.append_basic_block("behind")
    last = builder.sub(context.cast(builder, arguments[2], kinds[2], types.int64), index(1))
    builder.branch(loop)
    builder.position_at_end(loop)
    place, total = builder.phi(index), builder.phi(sums)
    sign = builder.sext(builder.load(builder.gep(places, [place])), index)
    start = builder.gep(first, [builder.mul(sign, index(HIDDEN))])
    row = builder.load(builder.bitcast(start, ir.VectorType(number, HIDDEN).as_pointer()), align=size)
    told = builder.add(total, builder.sext(row, sums)) if whole else builder.fadd(total, row)
    for phi, at_first, then in (place, index(0), builder.add(place, index(1))), (total, sums(None), told):
        phi.add_incoming(at_first, before)
        phi.add_incoming(then, loop)
    builder.cbranch(builder.icmp_signed("<", place, last), loop, behind)
    builder.position_at_end(behind)
    if whole:
        told = builder.sitofp(told, real)
    part = builder.fmul(told, real([LEAK if j else 1.0 for j in range(HIDDEN)]))
    passed = builder.select(builder.fcmp_ordered(">", told, real([0.0] * HIDDEN)), told, part)
    builder.store(passed, builder.bitcast(layer, real.as_pointer()), align=4)
    return context.get_dummy_value()


def odds(weights: Weights, layer: Layer) -> float:
    """The logarithm of the odds to win."""
    return float(weights[:HIDDEN] @ layer + weights[HIDDEN])


@instructions(odds, lambda weights, layer: types.float64)
def _odds(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    real = ir.VectorType(ir.FloatType(), HIDDEN)
    starts = [
        make_array(kind)(context, builder, array).data
        for kind, array in zip(signature.args, arguments, strict=True)
    ]
    weights, layer = (builder.load(builder.bitcast(start, real.as_pointer()), align=4) for start in starts)
    added = builder.load(builder.gep(starts[0], [ir.IntType(64)(HIDDEN)]))
    kind = ir.FunctionType(ir.FloatType(), (ir.FloatType(), real))
    add = cgutils.get_or_insert_function(builder.module, kind, f"llvm.vector.reduce.fadd.v{HIDDEN}f32")
    total = builder.call(add, [added, builder.fmul(weights, layer)], fastmath=("reassoc",))
    return builder.fpext(total, ir.DoubleType())


@kernel
def chance_by(total: float) -> float:
    """The logarithm of odds as a chance."""
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


@kernel
def totals_place(state: AnyRecord, seat: int) -> int:
    """Where it is looked up what totals are worth to a seat between two rounds."""
    best = wide(-(10**6))
    for other in range(wide(state.players)):
        if other != seat:
            best = max(best, wide(state.scores[other]))
    own = wide(state.scores[seat])
    ahead = min(MOST_AHEAD, max(-MOST_AHEAD, own - best)) + MOST_AHEAD
    away = max(0, wide(state.target) - max(own, best))
    return ahead * AWAYS + min(AWAYS - 1, away // STEP)


# What was learned


def load(name: str, kind: Any) -> list[npt.NDArray[Any]]:
    """Some of the numbers, for two players and for more."""
    with np.load(FILE) as kept:
        return [frozen(kept[f"{name}_{players}"], kind) for players in ("two", "more")]


ROWS, ROWS_OF_MORE = load("rows", np.int16)
WEIGHTS, WEIGHTS_OF_MORE = load("weights", np.float32)
TOTALS = frozen(np.load(FILE)["totals"], np.uint8)  # by players, lead and how far the target is
CERTAIN = 255


@kernel
def rate_all(state: AnyRecord, moves: Moves, count: int, ratings: npt.NDArray[np.float64]) -> None:
    """How likely the seat in turn wins after each move, by what it knows."""
    scene, then = np.empty(SCENE, np.int64), np.empty(SCENE, np.int64)
    signs, layer = np.empty(MOST_SIGNS, np.int32), np.empty(HIDDEN, np.float32)
    seat = wide(state.turn)
    survey(state, seat, scene)
    for i in range(count):
        then[:] = scene
        foresee(state, then, wide(moves[i]))
        found = find_signs(state, seat, then, signs)
        if state.players == FEWEST_PLAYERS:
            sum_up(ROWS, signs, found, layer)
            ratings[i] = chance_by(odds(WEIGHTS, layer))
        else:
            sum_up(ROWS_OF_MORE, signs, found, layer)
            ratings[i] = chance_by(odds(WEIGHTS_OF_MORE, layer))


@kernel
def chance_of(state: AnyRecord, seat: int) -> float:
    """How likely a seat wins: in turn by its best move, else what the one in turn leaves of that to each."""
    moves = np.empty(NUM_MOVES, np.int16)
    count = legal_moves(state, moves)
    ratings = np.empty(count)
    rate_all(state, moves, count, ratings)
    best = ratings.max()
    return best if seat == state.turn else (1.0 - best) / (state.players - 1)


@kernel
def chance_between(state: AnyRecord, seat: int) -> float:
    """How likely a seat wins as the next round begins."""
    return TOTALS[wide(state.players) - FEWEST_PLAYERS, totals_place(state, seat)] / CERTAIN
