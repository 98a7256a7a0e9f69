"""What bots know about Kazink!: which spaces are worth a crown, and what a stack on its way to one is worth.

A move is rated only by what its seat can know: its own hand and what lies open. Who looks ahead rates moves
and boards by what was learned (`kazink_boards`); an easy bot has rules of thumb, and so has everybody on the
smaller board.
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.bots.heuristics import Heuristics, kazink_boards
from kibitz.bots.heuristics.kazink_boards import NUM_PLACES, WORTHS
from kibitz.core.common import frozen
from kibitz.core.kernel import kernel, wide
from kibitz.core.layout import AnyRecord, Moves
from kibitz.games.kazink import board, rules


def _possible_rows() -> list[list[int]]:
    """All threes of spaces that could become a row."""
    return [
        [(file + i * right) + (rank + i * down) * board.NUM_FILES for i in range(board.ROW_LENGTH)]
        for right, down in ((1, 0), (0, 1), (1, 1), (-1, 1))
        for rank in range(board.NUM_RANKS)
        for file in range(board.NUM_FILES)
        if 0 <= file + right * (board.ROW_LENGTH - 1) < board.NUM_FILES
        and rank + down * (board.ROW_LENGTH - 1) < board.NUM_RANKS
    ]


def _set_of(spaces: Any) -> int:
    return sum(1 << int(space) for space in set(spaces))


POSSIBLE_ROWS = frozen(_possible_rows())
NUM_POSSIBLE_ROWS = len(POSSIBLE_ROWS)
REACH = frozen(  # by space: the others that could be in a row with it
    [
        _set_of([other for row in _possible_rows() if space in row for other in row if other != space])
        for space in range(board.NUM_SPACES)
    ]
)
ROWS_THROUGH = frozen([sum(space in row for row in _possible_rows()) for space in range(board.NUM_SPACES)])

# What a chip is worth to its owner, in crowns
MADE = 1.0  # a crown
SECOND = 0.42  # two on top
FIRST = 0.18
COVERED = 0.12  # to cover another's chip
COVERED_PAIR = 0.75
NEAR = 0.06  # for each own crown in reach; and for each of another's in reach of a chip that is covered
CENTRAL = 0.01  # for each possible row through a space
ROW = 4.0
LAST_ROW = 100.0
KEPT = frozen([0, 0, 0, 0, 0, 0.25, 0.3, 0.5], np.float64)  # by card: what it may be good for later
SWAPPED = 1000.0  # always: a dead card is good for nothing

# How far a space has come on its way to a crown: empty, another's, one own chip, two, crown
EMPTY, OTHERS, ONE, TWO, ALL = 0.16, 0.1, 0.3, 0.5, 1.0
CROWN_ALONE = 0.02  # beside what it does for rows: most crowns may decide
ROW_DONE = 1.6
SCALE = 0.5  # a lead of this size is clear
CLEAR = 0.96  # a game that goes on is never quite decided


@kernel
def rate(state: AnyRecord, move: int) -> float:
    """How good a move looks to the seat in turn, in crowns."""
    chosen = int(move)
    if chosen < rules.CROWN:
        card = chosen // board.NUM_SPACES + 1
        return rate_chip(state, chosen % board.NUM_SPACES, False) - KEPT[card if card == rules.WILD else 0]
    if chosen < rules.DOUBLE_UP:
        return rate_chip(state, chosen - rules.CROWN, True) - KEPT[rules.CROWN_CARD]
    if chosen == rules.DOUBLE_UP:
        return rate_double_up(state)
    if chosen < rules.PLACE:
        return 0.0 if chosen == rules.STAY else rate_shift(state, chosen - rules.SHIFT)
    if chosen < rules.SWAP:
        return rate_chip(state, chosen - rules.PLACE, False)
    return SWAPPED if chosen < rules.DISCARD else 0.0


@kernel
def rate_chip(state: AnyRecord, space: int, is_crown: bool) -> float:
    """A crown, a step towards one, or a chip in another's way."""
    own = rules.colour_of(state, state.turn)
    bit = 1 << space
    is_pair = (state.pairs & bit) != 0
    rating = NEAR * board.number_of(REACH[space] & wide(state.crowns[own])) + CENTRAL * ROWS_THROUGH[space]
    if state.tops[own] & bit:
        if is_crown or is_pair:
            return rating + rate_crown(state, space, own)
        return rating + SECOND
    rating += rate_crown(state, space, own) if is_crown else FIRST
    for other in range(board.NUM_COLOURS):
        if state.tops[other] & bit:
            rating += NEAR * board.number_of(REACH[space] & wide(state.crowns[other]))
            rating += COVERED_PAIR if is_pair else COVERED
            if is_pair:
                rating += rate_crown(state, space, other) - MADE
    return rating


@kernel
def rate_crown(state: AnyRecord, space: int, colour: int) -> float:
    """A crown is worth the more the more rows it completes."""
    rows = board.new_rows(wide(state.crowns[colour]), space)
    if rows > 0 and state.rows[colour] + rows >= rules.rows_to_win(state):
        return LAST_ROW
    return MADE + ROW * rows


@kernel
def rate_double_up(state: AnyRecord) -> float:
    """As good as the best that it can bring: a crown by shifting, if there are chips for it."""
    own = wide(state.tops[rules.colour_of(state, state.turn)])
    pairs = own & wide(state.pairs)
    can_crown = pairs != 0 and own & (own - 1) != 0
    return (MADE if can_crown else FIRST) - KEPT[rules.DOUBLE_UP_CARD]


@kernel
def rate_shift(state: AnyRecord, number: int) -> float:
    """What becomes of the goal, less what the start was."""
    own = rules.colour_of(state, state.turn)
    start, goal, count = rules.SHIFT_START[number], rules.SHIFT_GOAL[number], rules.SHIFT_COUNT[number]
    lost = SECOND if wide(state.pairs) >> start & 1 else FIRST
    if count == 1 and not wide(state.pairs) >> goal & 1:
        return SECOND - FIRST - lost
    return NEAR * board.number_of(REACH[goal] & wide(state.crowns[own])) + rate_crown(state, goal, own) - lost


@kernel
def rate_all(state: AnyRecord, moves: Moves, count: int, ratings: npt.NDArray[np.float64]) -> None:
    """How good moves look to who looks ahead: by what was learned, where it was."""
    if kazink_boards.is_known(state):
        looks, places = np.empty(board.NUM_SPACES, np.int8), np.empty(NUM_PLACES, np.int32)
        kazink_boards.rate_all(state, WORTHS, moves, count, looks, places, ratings)
    else:
        for i in range(count):
            ratings[i] = rate(state, moves[i])


@kernel
def appraise(view: AnyRecord, state: AnyRecord, seat: int) -> float:
    """What a board is worth to a seat, from 0 to 1: the win, or how much nearer to rows than the others."""
    own = rules.colour_of(state, seat)
    if state.phase == rules.Phase.OVER:
        return appraise_end(state, own)
    if kazink_boards.is_known(state):
        return kazink_boards.chance_of(state, WORTHS, seat)
    mine = prospects(state, own)
    best = -math.inf
    for other in range(board.NUM_COLOURS if state.players == board.NUM_COLOURS else 2):
        if other != own:
            best = max(best, prospects(state, other))
    return 0.5 + 0.5 * CLEAR * math.tanh((mine - best) / SCALE)


@kernel
def appraise_end(state: AnyRecord, own: int) -> float:
    """A win is all; a shared one is half of it."""
    if state.winners[own] == 0:
        return 0.0
    for other in range(min(wide(state.players), board.NUM_COLOURS)):
        if rules.colour_of(state, other) != own and state.winners[other]:
            return 0.5
    return 1.0


@kernel
def prospects(state: AnyRecord, colour: int) -> float:
    """Every three in a line that can still become a row counts by how far its spaces have come."""
    crowns = wide(state.crowns[colour])
    lost = board.crowned(state) & ~crowns | ~board.usable(state)
    come = np.zeros(board.NUM_SPACES)
    for space in range(board.NUM_SPACES):
        come[space] = progress(state, colour, space, crowns, lost)
    total = CROWN_ALONE * board.number_of(crowns) + ROW_DONE * state.rows[colour]
    for i in range(NUM_POSSIBLE_ROWS):
        worth = 1.0
        for j in range(board.ROW_LENGTH):
            worth *= come[POSSIBLE_ROWS[i, j]]
        total += worth
    return total


@kernel
def progress(state: AnyRecord, colour: int, space: int, crowns: int, lost: int) -> float:
    """How far a space has come on its way to a crown of a colour."""
    bit = 1 << space
    if lost & bit:
        return 0.0
    if crowns & bit:
        return ALL
    if state.tops[colour] & bit:
        return TWO if state.pairs & bit else ONE
    return OTHERS if (state.tops[0] | state.tops[1] | state.tops[2]) & bit else EMPTY


HEURISTICS = Heuristics(
    rate=rate,
    appraise=appraise,
    rate_all=rate_all,
    side_by_side=True,
    nodes={"medium": 48, "hard": 400},
    horizon=10,  # then the board is appraised as it stands
    width=8,
    boldness=1.0,
)
