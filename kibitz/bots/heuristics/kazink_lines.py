"""What a board of Kazink! is worth to each colour: the learned worths of every three spaces in a line.

How likely a colour is to win follows from a sum of worths, one for each thing that is there: each possible
row by how far its three spaces have come, the crowns, the cards in hand, the rows still needed. The worths
were learned from games of the evaluation with itself (`python -m bench.kazink_worths`).
"""

import math
from enum import IntEnum
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.bots.heuristics.kazink_worths import WORTHS as LEARNED
from kibitz.core.common import frozen
from kibitz.core.kernel import kernel
from kibitz.core.layout import AnyRecord
from kibitz.games.kazink.rules import (
    COLOURS_IN_PLAY,
    DOUBLE_UP_CARD,
    NUM_CARDS,
    NUM_COLOURS,
    NUM_FILES,
    NUM_RANKS,
    NUM_SPACES,
    ROW_LENGTH,
    SEATS,
    SPACES_OF,
    WILD,
    Phase,
    colour_of,
    crowned,
    number_of,
    rows_to_win,
    topped,
    uncrowned,
)

Worths = npt.NDArray[np.float64]
Places = npt.NDArray[np.int32]


def possible_rows() -> list[list[int]]:
    """All threes of spaces that could become a row."""
    return [
        [(file + i * right) + (rank + i * down) * NUM_FILES for i in range(ROW_LENGTH)]
        for right, down in ((1, 0), (0, 1), (1, 1), (-1, 1))
        for rank in range(NUM_RANKS)
        for file in range(NUM_FILES)
        if 0 <= file + right * (ROW_LENGTH - 1) < NUM_FILES and rank + down * (ROW_LENGTH - 1) < NUM_RANKS
    ]


POSSIBLE_ROWS = frozen(possible_rows())
NUM_POSSIBLE_ROWS = len(POSSIBLE_ROWS)


class Come(IntEnum):
    """How far a space has come on its way to a crown; OPEN: it can be covered, as its whole suit is."""

    THEIR_PAIR = 0
    THEIRS = 1
    THEIR_PAIR_OPEN = 2
    THEIRS_OPEN = 3
    EMPTY = 4
    ONE = 5
    ONE_OPEN = 6
    PAIR = 7
    PAIR_HELD = 8  # and the hand has the card that makes it a crown
    PAIR_OPEN = 9
    PAIR_OPEN_HELD = 10
    CROWN = 11


LOST = -1  # another's crown, or not in this game
_SORTED = {three: i for i, three in enumerate(combinations_with_replacement(range(len(Come)), ROW_LENGTH))}
NUM_PATTERNS = len(_SORTED)
_CUBE = [_SORTED[tuple(sorted(three))] for three in product(range(len(Come)), repeat=ROW_LENGTH)]
PATTERN = frozen(np.array(_CUBE).reshape((len(Come),) * ROW_LENGTH))  # by three spaces, in any order

# Where worths stand, for each number of players; `to move` or not is always told apart.
NUM_PHASES = len(Phase)
MOST_CROWNS, MOST_COPIES, MOST_PAIRS, MOST_ONES, MOST_NEEDED = 12, 3, 3, 2, 3  # more count as so many
CROWNED_STEP, CROWNED_STEPS = 4, 6  # crowned spaces of all, in steps
ROWS_AT = 0  # by whether the last row is meant, and pattern
CROWNS_AT = ROWS_AT + 4 * NUM_PATTERNS  # by crowned spaces of all, and own crowns
HAND_AT = CROWNS_AT + CROWNED_STEPS * (MOST_CROWNS + 1)  # by card, and copies
DOUBLE_UP_AT = HAND_AT + 2 * (NUM_CARDS + 1) * (MOST_COPIES + 1)  # in hand: by own pairs and single chips
PHASE_AT = DOUBLE_UP_AT + 2 * (MOST_PAIRS + 1) * (MOST_ONES + 1)
NEEDED_AT = PHASE_AT + 2 * NUM_PHASES  # by rows still needed
NUM_WORTHS = NEEDED_AT + 2 * (MOST_NEEDED + 1)
MOST_FOUND = NUM_POSSIBLE_ROWS + NUM_CARDS + 4

IN_HUNDREDTHS = 100.0
WORTHS = frozen(  # by players: in log-odds
    np.array(
        [[0] * NUM_WORTHS, [0] * NUM_WORTHS, *(LEARNED[players].split() for players in range(2, SEATS + 1))],
        np.float64,
    )
    / IN_HUNDREDTHS,
    np.float64,
)


@kernel
def chance_of(state: AnyRecord, colour: int, worths: Worths) -> float:
    """How likely a colour is to win a game that goes on."""
    found, come = np.zeros(MOST_FOUND, np.int32), np.zeros(NUM_SPACES, np.int64)
    mine = worth_of(state, colour, worths, found, come)
    odds = 1.0
    for other in range(COLOURS_IN_PLAY[state.players]):
        if other != colour:
            odds += math.exp(worth_of(state, other, worths, found, come) - mine)
    return 1.0 / odds


@kernel
def worth_of(state: AnyRecord, colour: int, worths: Worths, found: Places, come: Any) -> float:
    """The sum of all that a colour has."""
    total = 0.0
    for i in range(find(state, colour, found, come)):
        total += worths[found[i]]
    return total


@kernel
def find(state: AnyRecord, colour: int, found: Places, come: Any) -> int:
    """The places among the worths of all that a colour has; returns how many there are."""
    seat = seat_of(state, colour)
    waits = 0 if seat == state.turn else 1
    needed = rows_to_win(state) - int(state.rows[colour])
    see_spaces(state, colour, seat, come)
    count = find_rows(come, ROWS_AT + ((0 if needed <= 1 else 2) + waits) * NUM_PATTERNS, found)
    crowns = min(MOST_CROWNS, number_of(int(state.crowns[colour])))
    step = min(CROWNED_STEPS - 1, number_of(crowned(state)) // CROWNED_STEP)
    found[count] = CROWNS_AT + step * (MOST_CROWNS + 1) + crowns
    found[count + 1] = PHASE_AT + waits * NUM_PHASES + int(state.phase)
    found[count + 2] = NEEDED_AT + waits * (MOST_NEEDED + 1) + min(MOST_NEEDED, needed)
    return find_cards(state, colour, seat, waits, found, count + 3)


@kernel
def seat_of(state: AnyRecord, colour: int) -> int:
    """Who plays for a colour next."""
    if colour_of(state, state.turn) == colour:
        return int(state.turn)
    return colour if state.players == NUM_COLOURS else (int(state.turn) + 1) % int(state.players)


@kernel
def see_spaces(state: AnyRecord, colour: int, seat: int, come: Any) -> None:
    """How far each space has come for a colour."""
    free, covered, pairs = uncrowned(state), topped(state), int(state.pairs)
    full, held = 0, 0
    for card in range(1, WILD):
        suit = int(SPACES_OF[card]) & free
        if suit & ~covered == 0:
            full |= suit
        if state.hands[seat, card] > 0:
            held |= suit
    for space in range(NUM_SPACES):
        is_open, is_pair, is_held = full >> space & 1, pairs >> space & 1, held >> space & 1
        if int(state.crowns[colour]) >> space & 1:
            come[space] = Come.CROWN.value
        elif not free >> space & 1:
            come[space] = LOST
        elif int(state.tops[colour]) >> space & 1:
            come[space] = Come.PAIR.value + 2 * is_open + is_held if is_pair else Come.ONE.value + is_open
        elif covered >> space & 1:
            come[space] = (Come.THEIR_PAIR.value if is_pair else Come.THEIRS.value) + 2 * is_open
        else:
            come[space] = Come.EMPTY.value


@kernel
def find_rows(come: Any, first: int, found: Places) -> int:
    """Every three in a line that can still become a row."""
    count = 0
    for i in range(NUM_POSSIBLE_ROWS):
        a, b, c = come[POSSIBLE_ROWS[i, 0]], come[POSSIBLE_ROWS[i, 1]], come[POSSIBLE_ROWS[i, 2]]
        if min(a, b, c) > LOST:
            found[count] = first + PATTERN[a, b, c]
            count += 1
    return count


@kernel
def find_cards(state: AnyRecord, colour: int, seat: int, waits: int, found: Places, count: int) -> int:
    """The hand, and what a double-up could shift."""
    for card in range(1, NUM_CARDS + 1):
        copies = min(MOST_COPIES, int(state.hands[seat, card]))
        found[count] = HAND_AT + (waits * (NUM_CARDS + 1) + card) * (MOST_COPIES + 1) + copies
        count += 1
    if state.hands[seat, DOUBLE_UP_CARD] == 0:
        return count
    own = int(state.tops[colour])
    pairs = min(MOST_PAIRS, number_of(own & int(state.pairs)))
    ones = min(MOST_ONES, number_of(own & ~int(state.pairs)))
    found[count] = DOUBLE_UP_AT + (waits * (MOST_PAIRS + 1) + pairs) * (MOST_ONES + 1) + ones
    return count + 1
