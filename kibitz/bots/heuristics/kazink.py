"""What bots know about Kazink!: which spaces are worth a crown, and what a stack on its way to one is worth.

A move is rated only by what its seat can know: its own hand and what lies open.
"""

from typing import Any

import numpy as np

from kibitz.bots.heuristics import Heuristics
from kibitz.bots.heuristics.kazink_lines import WORTHS, chance_of, possible_rows
from kibitz.core.common import frozen
from kibitz.core.kernel import kernel
from kibitz.core.layout import AnyRecord
from kibitz.games.kazink.rules import (
    CROWN,
    CROWN_CARD,
    DISCARD,
    DOUBLE_UP,
    DOUBLE_UP_CARD,
    NUM_COLOURS,
    NUM_SPACES,
    PLACE,
    SHIFT,
    SHIFT_COUNT,
    SHIFT_GOAL,
    SHIFT_START,
    STAY,
    SWAP,
    WILD,
    Phase,
    colour_of,
    new_rows,
    number_of,
    rows_to_win,
)


def _set_of(spaces: Any) -> int:
    return sum(1 << int(space) for space in set(spaces))


REACH = frozen(  # by space: the others that could be in a row with it
    [
        _set_of([other for row in possible_rows() if space in row for other in row if other != space])
        for space in range(NUM_SPACES)
    ]
)
ROWS_THROUGH = frozen([sum(space in row for row in possible_rows()) for space in range(NUM_SPACES)])

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


@kernel
def rate(state: AnyRecord, move: int) -> float:
    """How good a move looks to the seat in turn, in crowns."""
    chosen = int(move)
    if chosen < CROWN:
        card = chosen // NUM_SPACES + 1
        return rate_chip(state, chosen % NUM_SPACES, False) - KEPT[card if card == WILD else 0]
    if chosen < DOUBLE_UP:
        return rate_chip(state, chosen - CROWN, True) - KEPT[CROWN_CARD]
    if chosen == DOUBLE_UP:
        return rate_double_up(state)
    if chosen < PLACE:
        return 0.0 if chosen == STAY else rate_shift(state, chosen - SHIFT)
    if chosen < SWAP:
        return rate_chip(state, chosen - PLACE, False)
    return SWAPPED if chosen < DISCARD else 0.0


@kernel
def rate_chip(state: AnyRecord, space: int, is_crown: bool) -> float:
    """A crown, a step towards one, or a chip in another's way."""
    own = colour_of(state, state.turn)
    bit = 1 << space
    is_pair = (state.pairs & bit) != 0
    rating = NEAR * number_of(REACH[space] & int(state.crowns[own])) + CENTRAL * ROWS_THROUGH[space]
    if state.tops[own] & bit:
        if is_crown or is_pair:
            return rating + rate_crown(state, space, own)
        return rating + SECOND
    rating += rate_crown(state, space, own) if is_crown else FIRST
    for other in range(NUM_COLOURS):
        if state.tops[other] & bit:
            rating += NEAR * number_of(REACH[space] & int(state.crowns[other]))
            rating += COVERED_PAIR if is_pair else COVERED
            if is_pair:
                rating += rate_crown(state, space, other) - MADE
    return rating


@kernel
def rate_crown(state: AnyRecord, space: int, colour: int) -> float:
    """A crown is worth the more the more rows it completes."""
    rows = new_rows(int(state.crowns[colour]), space)
    if rows > 0 and state.rows[colour] + rows >= rows_to_win(state):
        return LAST_ROW
    return MADE + ROW * rows


@kernel
def rate_double_up(state: AnyRecord) -> float:
    """As good as the best that it can bring: a crown by shifting, if there are chips for it."""
    own = int(state.tops[colour_of(state, state.turn)])
    pairs = own & int(state.pairs)
    can_crown = pairs != 0 and own & (own - 1) != 0
    return (MADE if can_crown else FIRST) - KEPT[DOUBLE_UP_CARD]


@kernel
def rate_shift(state: AnyRecord, number: int) -> float:
    """What becomes of the goal, less what the start was."""
    own = colour_of(state, state.turn)
    start, goal, count = SHIFT_START[number], SHIFT_GOAL[number], SHIFT_COUNT[number]
    lost = SECOND if int(state.pairs) >> start & 1 else FIRST
    if count == 1 and not int(state.pairs) >> goal & 1:
        return SECOND - FIRST - lost
    return NEAR * number_of(REACH[goal] & int(state.crowns[own])) + rate_crown(state, goal, own) - lost


@kernel
def appraise(view: AnyRecord, state: AnyRecord, seat: int) -> float:
    """What a board is worth to a seat, from 0 to 1: the win, or how likely it is."""
    own = colour_of(state, seat)
    if state.phase == Phase.OVER:
        return appraise_end(state, own)
    return chance_of(state, own, WORTHS[state.players])


@kernel
def appraise_end(state: AnyRecord, own: int) -> float:
    """A win is all; a shared one is half of it."""
    if state.winners[own] == 0:
        return 0.0
    for other in range(min(int(state.players), NUM_COLOURS)):
        if colour_of(state, other) != own and state.winners[other]:
            return 0.5
    return 1.0


HEURISTICS = Heuristics(
    rate=rate,
    appraise=appraise,
    nodes={"medium": 150, "hard": 1200},
    exploration=1.0,
    temper=0.3,
    boldness=1.0,
    horizon=0,  # the board is appraised as it stands
)
