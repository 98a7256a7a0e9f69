"""What a board of Kazink! is worth to a seat, by what was learned from games of bots with themselves.

To a seat every space looks one of seven ways. Each three in a line, each longer line and each block of four
is a pattern with a worth for every way that its spaces can look together; a suit's spaces have one for each
number of its cards in the hand, too. Two more count special cards in the hand and how far the
game is. The sum of the worths says how likely the seat wins, once its turn is over and before it draws.

A chip changes one space, so that a move is rated by the few patterns that the space is in. The worths are in
`kazink_boards.npz`; `python -m bench.kazink_boards` learns them.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.core.common import frozen
from kibitz.core.kernel import kernel, lowest_bit, wide
from kibitz.core.layout import AnyRecord, Moves
from kibitz.games.kazink import board, rules

Worths = npt.NDArray[Any]  # of all patterns: whole numbers here, others while they are learned
Looks = npt.NDArray[np.int8]  # how each space looks
Places = npt.NDArray[np.int32]  # where in the worths each pattern is looked up

FILE = Path(__file__).with_suffix(".npz")
UNIT = 1 / 64  # of a worth, in the logarithm of the odds
WON, LOST = 1e6, -1e6  # beyond all worths
SWAPPED = 10 * WON  # always: a dead card is good for nothing

# How a space looks to a seat
EMPTY, ONE, TWO, OTHERS_ONE, OTHERS_TWO, CROWNED, LOCKED = range(7)  # own chips on top; others'; crowns
NUM_LOOKS = 7
ALL_APART = tuple(range(NUM_LOOKS))
WHOSE = (0, 1, 1, 2, 2, 3, 3)  # looks that a suit of six spaces tells apart: nobody's, own, others', a crown

FEWEST_PLAYERS = 2
COPIES = 3  # of a card in the hand that are told apart: none, one, more
ROW_COUNTS = 3  # none, one, more
MOST_AHEAD = 6  # crowns
LEADS = 2 * MOST_AHEAD + 1


# The patterns of a board


@dataclass(frozen=True)
class Pattern:
    """Some spaces that are looked at together, and which of their looks are told apart."""

    spaces: tuple[int, ...]
    kinds: tuple[int, ...] = ALL_APART
    variants: int = 1  # of the whole pattern

    @property
    def size(self) -> int:
        """How many ways its spaces can look."""
        return int((max(self.kinds) + 1) ** len(self.spaces))


def lines(ranks: int, length: int) -> Iterator[Pattern]:
    """All straight lines of so many spaces."""
    for right, down in ((1, 0), (0, 1), (1, 1), (-1, 1)):
        for rank in range(ranks - down * (length - 1)):
            for file in range(board.NUM_FILES):
                if 0 <= file + right * (length - 1) < board.NUM_FILES:
                    yield Pattern(
                        tuple(file + i * right + (rank + i * down) * board.NUM_FILES for i in range(length))
                    )


def patterns_of(players: int) -> list[Pattern]:
    """The patterns of a board, the suits' last; with two players it has a rank less."""
    ranks = board.NUM_RANKS - (players == FEWEST_PLAYERS)
    blocks = [
        Pattern((corner, corner + 1, corner + board.NUM_FILES, corner + board.NUM_FILES + 1))
        for corner in range(board.NUM_FILES * (ranks - 1))
        if corner % board.NUM_FILES < board.NUM_FILES - 1
    ]
    columns = list(lines(ranks, ranks)) if players == FEWEST_PLAYERS else []
    kinds = ALL_APART if players == FEWEST_PLAYERS else WHOSE
    suits = [
        Pattern(
            tuple(space for space in range(board.NUM_FILES * ranks) if rules.SUIT_OF[space] == suit + 1),
            kinds,
            COPIES,
        )
        for suit in range(rules.NUM_SUITS)
    ]
    return [*lines(ranks, 3), *lines(ranks, 4), *columns, *blocks, *suits]


PATTERNS = [patterns_of(players) for players in range(FEWEST_PLAYERS, board.NUM_COLOURS + 2)]  # by players
HANDS = COPIES**3  # wilds, double-ups, crown cards
STAGES = ROW_COUNTS**2 * LEADS * (board.NUM_SPACES + 1)
SIZES = [
    sum(pattern.size * pattern.variants for pattern in patterns) + HANDS + STAGES for patterns in PATTERNS
]
MOST_PATTERNS = max(map(len, PATTERNS))


def _first_places() -> list[list[int]]:
    """Where each pattern begins in the worths; behind them the hands and the stages."""
    found = []
    for players, patterns in enumerate(PATTERNS):
        sizes = [pattern.size * pattern.variants for pattern in patterns]
        begin = sum(SIZES[:players])
        firsts = [begin + sum(sizes[:i]) for i in range(len(patterns) + 1)]
        found.append([*firsts[:-1], *[0] * (MOST_PATTERNS - len(patterns)), firsts[-1], firsts[-1] + HANDS])
    return found


def _patterns_through(patterns: list[Pattern], space: int) -> list[tuple[int, list[int]]]:
    """The patterns that a space is in, and by how far each look of it moves on in them."""
    found = []
    for number, pattern in enumerate(patterns):
        if space in pattern.spaces:
            weight = (max(pattern.kinds) + 1) ** pattern.spaces.index(space)
            found.append((number, [weight * kind for kind in pattern.kinds]))
    return found


_THROUGH = [
    [_patterns_through(patterns, space) for space in range(board.NUM_SPACES)] for patterns in PATTERNS
]
MOST_THROUGH = max(len(found) for spaces in _THROUGH for found in spaces)
_NO_PATTERN = (0, [0] * NUM_LOOKS)
_PADDED = [[found + [_NO_PATTERN] * (MOST_THROUGH - len(found)) for found in spaces] for spaces in _THROUGH]

# By players, less two
FIRST = frozen(_first_places(), np.int32)
NUM_PATTERNS = frozen([len(patterns) for patterns in PATTERNS], np.int32)
SUIT_SIZES = frozen([patterns[-1].size for patterns in PATTERNS], np.int32)
NUM_THROUGH = frozen([[len(found) for found in spaces] for spaces in _THROUGH], np.int32)
THROUGH = frozen([[[number for number, _ in found] for found in spaces] for spaces in _PADDED], np.int32)
STEPS = frozen([[[steps for _, steps in found] for found in spaces] for spaces in _PADDED], np.int32)
IN_HAND, STAGE = MOST_PATTERNS, MOST_PATTERNS + 1  # the places behind those of the patterns
NUM_PLACES = MOST_PATTERNS + 2


def load() -> Worths:
    """The worths, learned for each number of players."""
    with np.load(FILE) as kept:
        found = [kept[f"players_{players}"] for players in range(FEWEST_PLAYERS, board.NUM_COLOURS + 2)]
    assert [len(worths) for worths in found] == SIZES, "The worths are those of other patterns: learn anew."
    return np.concatenate(found)


WORTHS = frozen(load(), np.int8)


# Looking a board up


@kernel
def is_known(state: AnyRecord) -> bool:
    """Worths are learned for the usual board."""
    return state.ranks == board.NUM_RANKS


@kernel
def look_of(state: AnyRecord, own: int, space: int) -> int:
    """How a space looks to a colour."""
    bit = 1 << space
    if wide(state.crowns[own]) & bit:
        return CROWNED
    if board.crowned(state) & bit:
        return LOCKED
    two = 1 if wide(state.pairs) & bit else 0
    if wide(state.tops[own]) & bit:
        return ONE + two
    return OTHERS_ONE + two if board.topped(state) & bit else EMPTY


@kernel
def look_up(state: AnyRecord, seat: int, looks: Looks, places: Places) -> None:
    """Find out how all spaces look to a seat, and where each pattern is looked up."""
    own = rules.colour_of(state, seat)
    kind = state.players - FEWEST_PLAYERS
    count = NUM_PATTERNS[kind]
    for pattern in range(count):
        places[pattern] = FIRST[kind, pattern]
    for suit in range(rules.NUM_SUITS):
        places[count - rules.NUM_SUITS + suit] += copies(state, seat, suit + 1) * SUIT_SIZES[kind]
    for space in range(board.NUM_SPACES):
        look = look_of(state, own, space)
        looks[space] = look
        if look != EMPTY:
            for i in range(NUM_THROUGH[kind, space]):
                places[THROUGH[kind, space, i]] += STEPS[kind, space, i, look]
    places[IN_HAND] = hand_place(state, seat, 0)
    places[STAGE] = stage_place(state, own, 0, 0)


@kernel
def copies(state: AnyRecord, seat: int, card: int) -> int:
    """How many of a card a hand has, as far as that is told apart."""
    return min(COPIES - 1, wide(state.hands[seat, card]))


@kernel
def hand_place(state: AnyRecord, seat: int, laid: int) -> int:
    """Where a hand's special cards are looked up, without a card that is laid."""
    place = 0
    for card in range(rules.WILD, rules.CROWN_CARD + 1):
        place = COPIES * place + min(COPIES - 1, wide(state.hands[seat, card]) - (card == laid))
    return FIRST[state.players - FEWEST_PLAYERS, IN_HAND] + place


@kernel
def stage_place(state: AnyRecord, own: int, more_crowns: int, more_rows: int) -> int:
    """Where rows, crowns and free spaces are looked up, with more crowns and rows of a colour."""
    rows, crowns = 0, 0
    for other in range(board.NUM_COLOURS):
        if other != own:
            rows = max(rows, wide(state.rows[other]))
            crowns = max(crowns, board.number_of(wide(state.crowns[other])))
    ahead = board.number_of(wide(state.crowns[own])) + more_crowns - crowns
    place = min(ROW_COUNTS - 1, wide(state.rows[own]) + more_rows) * ROW_COUNTS + min(ROW_COUNTS - 1, rows)
    place = place * LEADS + min(MOST_AHEAD, max(-MOST_AHEAD, ahead)) + MOST_AHEAD
    left = board.number_of(board.uncrowned(state)) - more_crowns
    return FIRST[state.players - FEWEST_PLAYERS, STAGE] + place * (board.NUM_SPACES + 1) + left


@kernel
def sum_up(state: AnyRecord, worths: Worths, places: Places) -> float:
    """The sum of a board's worths."""
    total = float(worths[places[IN_HAND]]) + float(worths[places[STAGE]])
    for pattern in range(NUM_PATTERNS[state.players - FEWEST_PLAYERS]):
        total += worths[places[pattern]]
    return total


@kernel
def chance_by(total: float) -> float:
    """A sum of worths as a chance to win."""
    return 1.0 / (1.0 + math.exp(-UNIT * max(-2000.0, min(2000.0, total))))


# What a move changes


@kernel
def rate_all(
    state: AnyRecord,
    worths: Worths,
    moves: Moves,
    count: int,
    looks: Looks,
    places: Places,
    ratings: npt.NDArray[np.float64],
) -> None:
    """What each move adds to the sum of the worths, for the seat in turn."""
    look_up(state, wide(state.turn), looks, places)
    for i in range(count):
        ratings[i] = rate_move(state, worths, int(moves[i]), looks, places)


@kernel
def rate_move(state: AnyRecord, worths: Worths, move: int, looks: Looks, places: Places) -> float:
    """What a move adds."""
    if move < rules.CROWN:
        card = move // board.NUM_SPACES + 1
        return rate_chip(state, worths, move % board.NUM_SPACES, card, looks, places)
    if move < rules.DOUBLE_UP:
        return rate_chip(state, worths, move - rules.CROWN, rules.CROWN_CARD, looks, places)
    if move == rules.DOUBLE_UP:
        return rate_double_up(state, worths, looks, places)
    if move == rules.STAY:
        return 0.0
    if move < rules.PLACE:
        return rate_shift(state, worths, move - rules.SHIFT, looks, places)
    if move < rules.SWAP:
        return rate_chip(state, worths, move - rules.PLACE, 0, looks, places)
    if move < rules.DISCARD:
        return SWAPPED
    return rate_laying(state, worths, int(rules.DISCARDS[move - rules.DISCARD]), places)


@kernel
def rate_chip(state: AnyRecord, worths: Worths, space: int, card: int, looks: Looks, places: Places) -> float:
    """A chip on a space, by a card or by none after a double-up."""
    old = looks[space]
    look = CROWNED if card == rules.CROWN_CARD or old == TWO else (TWO if old == ONE else ONE)
    rating = rate_look(state, worths, space, look, card, looks, places)
    if look == CROWNED:
        rating += rate_crown(state, worths, space, places)
    return rating + rate_laying(state, worths, card, places) if card >= rules.WILD else rating


@kernel
def rate_look(
    state: AnyRecord, worths: Worths, space: int, look: int, card: int, looks: Looks, places: Places
) -> float:
    """A space that looks otherwise, in all its patterns; the suit's may have a card less in the hand, too."""
    kind = state.players - FEWEST_PLAYERS
    old = looks[space]
    first_suit = NUM_PATTERNS[kind] - rules.NUM_SUITS
    less = SUIT_SIZES[kind] if 0 < card < rules.WILD and state.hands[state.turn, card] < COPIES else 0
    rating = 0.0
    for i in range(NUM_THROUGH[kind, space]):
        pattern = THROUGH[kind, space, i]
        place = places[pattern]
        then = place - STEPS[kind, space, i, old] + STEPS[kind, space, i, look]
        if pattern >= first_suit:
            then -= less
        rating += float(worths[then]) - float(worths[place])
    return rating


@kernel
def rate_laying(state: AnyRecord, worths: Worths, card: int, places: Places) -> float:
    """A hand without a card."""
    if card >= rules.WILD:
        there = hand_place(state, wide(state.turn), card)
        return float(worths[there]) - float(worths[places[IN_HAND]])
    if state.hands[state.turn, card] >= COPIES:
        return 0.0
    kind = state.players - FEWEST_PLAYERS
    place = places[NUM_PATTERNS[kind] - rules.NUM_SUITS + card - 1]
    return float(worths[place - SUIT_SIZES[kind]]) - float(worths[place])


@kernel
def rate_crown(state: AnyRecord, worths: Worths, space: int, places: Places) -> float:
    """A new crown beyond how its space looks: rows, which may win, and the lead."""
    own = rules.colour_of(state, wide(state.turn))
    rows = board.new_rows(wide(state.crowns[own]), space)
    if rows > 0 and state.rows[own] + rows >= rules.rows_to_win(state):
        return WON
    if board.number_of(board.uncrowned(state)) == 1:
        return rate_last_crown(state, own, rows)
    return float(worths[stage_place(state, own, 1, rows)]) - float(worths[places[STAGE]])


@kernel
def rate_last_crown(state: AnyRecord, own: int, rows: int) -> float:
    """The last crown decides by the number of crowns, and then of rows."""
    rating = WON
    for other in range(board.NUM_COLOURS):
        if other != own:
            ahead = board.number_of(wide(state.crowns[own])) + 1 - board.number_of(wide(state.crowns[other]))
            if ahead == 0:
                ahead = wide(state.rows[own]) + rows - wide(state.rows[other])
            rating = min(rating, WON if ahead > 0 else (0.0 if ahead == 0 else LOST))
    return rating


@kernel
def rate_shift(state: AnyRecord, worths: Worths, number: int, looks: Looks, places: Places) -> float:
    """Chips that change places: how the start looks then, and how the goal does beside it."""
    kind = state.players - FEWEST_PLAYERS
    start, goal, count = (
        int(rules.SHIFT_START[number]),
        int(rules.SHIFT_GOAL[number]),
        int(rules.SHIFT_COUNT[number]),
    )
    was = looks[start]
    bared = look_beneath(state, start, count)
    look = min(int(looks[goal]) + count, TWO + 1)
    look = CROWNED if look > TWO else look
    rating = rate_look(state, worths, start, bared, 0, looks, places)
    for i in range(NUM_THROUGH[kind, start]):
        places[THROUGH[kind, start, i]] += STEPS[kind, start, i, bared] - STEPS[kind, start, i, was]
    rating += rate_look(state, worths, goal, look, 0, looks, places)
    for i in range(NUM_THROUGH[kind, start]):
        places[THROUGH[kind, start, i]] -= STEPS[kind, start, i, bared] - STEPS[kind, start, i, was]
    return rating + rate_crown(state, worths, goal, places) if look == CROWNED else rating


@kernel
def look_beneath(state: AnyRecord, space: int, count: int) -> int:
    """How a space looks to the seat in turn once so many chips are taken off it."""
    height = wide(state.heights[space]) - count
    if height == 0:
        return EMPTY
    top = board.chip_at(state, space, height - 1)
    alike = 1
    while alike < min(height, 3) and board.chip_at(state, space, height - 1 - alike) == top:
        alike += 1
    own = top == rules.colour_of(state, wide(state.turn))
    if alike == 3:
        return CROWNED if own else LOCKED
    return (ONE if own else OTHERS_ONE) + alike - 1


@kernel
def rate_double_up(state: AnyRecord, worths: Worths, looks: Looks, places: Places) -> float:
    """As good as its best shift and its best chip, each by itself."""
    own = wide(state.tops[rules.colour_of(state, wide(state.turn))])
    shifted = 0.0
    starts = own
    while starts:
        start = lowest_bit(starts)
        starts &= starts - 1
        goals = own & ~(1 << start)
        while goals:
            goal = lowest_bit(goals)
            goals &= goals - 1
            first = start * rules.SHIFTS_A_START + 2 * (goal - (goal > start))
            for more in range(1 + (wide(state.pairs) >> start & 1)):
                shifted = max(shifted, rate_shift(state, worths, first + more, looks, places))
    placed = LOST
    spaces = board.uncrowned(state)
    while spaces and state.seat_chips[state.turn] > 0:
        space = lowest_bit(spaces)
        spaces &= spaces - 1
        placed = max(placed, rate_chip(state, worths, space, 0, looks, places))
    placed = 0.0 if placed == LOST else placed
    return shifted + placed + rate_laying(state, worths, rules.DOUBLE_UP_CARD, places)


# What a board is worth


@kernel
def chance_of(state: AnyRecord, worths: Worths, seat: int) -> float:
    """How likely a seat, or its team, wins a game that isn't over: by the best move of the seat in turn."""
    room = np.empty(board.NUM_SPACES, np.int8), np.empty(NUM_PLACES, np.int32)
    in_turn = chance_in_turn(state, worths, room[0], room[1])
    if state.players != board.NUM_COLOURS:
        return (
            in_turn if rules.colour_of(state, seat) == rules.colour_of(state, state.turn) else 1.0 - in_turn
        )
    total, own = in_turn, in_turn
    for other in range(board.NUM_COLOURS):
        if other != state.turn:
            look_up(state, other, room[0], room[1])
            chance = chance_by(sum_up(state, worths, room[1]))
            total += chance
            own = chance if other == seat else own
    return own / total


@kernel
def chance_in_turn(state: AnyRecord, worths: Worths, looks: Looks, places: Places) -> float:
    """How likely the seat in turn wins, after its best move."""
    moves = np.empty(rules.NUM_MOVES, np.int16)
    count = rules.legal_moves(state, moves)
    look_up(state, wide(state.turn), looks, places)
    best = LOST
    for i in range(count):
        best = max(best, rate_move(state, worths, int(moves[i]), looks, places))
    return chance_by(sum_up(state, worths, places) + (0.0 if best == SWAPPED else best))
