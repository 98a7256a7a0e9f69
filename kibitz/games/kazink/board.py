"""The board of Kazink!: its spaces, the chips stacked on them, crowns, and rows of crowns.

A set of spaces is a number with a bit for each, the first space's the lowest.
"""

from kibitz.core.common import frozen
from kibitz.core.kernel import inlined, kernel, lowest_bit, wide
from kibitz.core.layout import AnyRecord, Moves

FILES = "abcd"
PRINTED = ("SHDC", "HSCD", "CDHS", "SHDC", "DCSH", "HSCD")  # the suits of the spaces, row 1 first
NUM_FILES, NUM_RANKS = len(FILES), len(PRINTED)
SMALL_BOARD = 5  # ranks of the smaller board
NUM_SPACES = NUM_FILES * NUM_RANKS  # a1 b1 c1 d1 a2 …
ALL_SPACES = (1 << NUM_SPACES) - 1

COLOURS = "YBR"
NUM_COLOURS = len(COLOURS)
CHIPS = 36  # of a colour
ALL_CHIPS = NUM_COLOURS * CHIPS
CROWN_HEIGHT = 3  # chips of a colour on top
ROW_LENGTH = 3  # crowns


# Sets of spaces


@kernel
def usable(state: AnyRecord) -> int:
    """The bordered spaces, the last rank, exist for three or four players only. [Z10]"""
    ranks = wide(state.ranks) - (1 if state.players == 2 else 0)
    return (1 << NUM_FILES * ranks) - 1


@kernel
def crowned(state: AnyRecord) -> int:
    """All crowned spaces."""
    return wide(state.crowns[0] | state.crowns[1] | state.crowns[2])


@kernel
def uncrowned(state: AnyRecord) -> int:
    """The spaces of this game where a chip can still be placed."""
    return usable(state) & ~crowned(state)


@kernel
def topped(state: AnyRecord) -> int:
    """All spaces with chips that aren't crowned."""
    return wide(state.tops[0] | state.tops[1] | state.tops[2])


@kernel
def number_of(spaces: int) -> int:
    """How many spaces are in a set."""
    count = 0
    while spaces:
        spaces &= spaces - 1
        count += 1
    return count


@kernel
def add_spaces(moves: Moves, count: int, first: int, spaces: int) -> int:
    """Offer a move for each space of a set, `first` for the first space; returns how many are offered now."""
    while spaces:
        moves[count] = first + lowest_bit(spaces)
        spaces &= spaces - 1
        count += 1
    return count


# Stacks

CHIP_BITS = 2  # a chip in a stack's numbers: 1 + its colour, 0 where there is none
CHIPS_IN_A_NUMBER = 16
NUMBERS = -(-ALL_CHIPS // CHIPS_IN_A_NUMBER)  # a stack may hold all chips there are [Z3]


@kernel
def chip_at(state: AnyRecord, space: int, place: int) -> int:
    """The colour of a chip in a stack; the bottom one has place 0."""
    number = wide(state.stacks[space, place // CHIPS_IN_A_NUMBER])
    return ((number >> CHIP_BITS * (place % CHIPS_IN_A_NUMBER)) & 3) - 1


@inlined
def push(state: AnyRecord, space: int, colour: int) -> None:
    """Put a chip on a stack."""
    height = wide(state.heights[space])
    number = wide(state.stacks[space, height // CHIPS_IN_A_NUMBER])
    chip = (colour + 1) << CHIP_BITS * (height % CHIPS_IN_A_NUMBER)
    state.stacks[space, height // CHIPS_IN_A_NUMBER] = number | chip
    state.heights[space] = height + 1
    bit = 1 << space
    state.pairs = (state.pairs & ~bit) | (state.tops[colour] & bit)
    for other in range(NUM_COLOURS):
        state.tops[other] &= ~bit
    state.tops[colour] |= bit


@kernel
def pop(state: AnyRecord, space: int) -> None:
    """Take a chip off a stack; what lies beneath it is on top now."""
    height = wide(state.heights[space]) - 1
    colour = chip_at(state, space, height)
    number = wide(state.stacks[space, height // CHIPS_IN_A_NUMBER])
    chip = (colour + 1) << CHIP_BITS * (height % CHIPS_IN_A_NUMBER)
    state.stacks[space, height // CHIPS_IN_A_NUMBER] = number - chip
    state.heights[space] = height
    bit = 1 << space
    state.tops[colour] &= ~bit
    state.pairs &= ~bit
    if height > 0:
        top = chip_at(state, space, height - 1)
        state.tops[top] |= bit
        if height > 1 and chip_at(state, space, height - 2) == top:
            state.pairs |= bit


@kernel
def has_three(state: AnyRecord, space: int) -> bool:
    """Three chips of a colour on top make a crown; those beneath them don't matter. [Z3]"""
    height = wide(state.heights[space])
    if height < CROWN_HEIGHT:
        return False
    top = chip_at(state, space, height - 1)
    return chip_at(state, space, height - 2) == top and chip_at(state, space, height - 3) == top


@kernel
def lock(state: AnyRecord, space: int, colour: int) -> None:
    """Nothing is placed on a crown or moved from it."""
    bit = 1 << space
    state.tops[colour] &= ~bit
    state.pairs &= ~bit
    state.crowns[colour] |= bit


# Rows of crowns


def _rows_in(crowns: int) -> int:
    """A straight run of n crowns is (n - 1) // 2 rows: two rows share one space at most. [Z6]"""
    return sum((len(run) - 1) // 2 for run in f"{crowns:b}".split("0") if run)


ROWS_IN = frozen([_rows_in(crowns) for crowns in range(1 << NUM_RANKS)])  # by the crowns of a line, as bits
NO_SPACE = NUM_SPACES  # behind the end of a line: never crowned


def _line(space: int, right: int, down: int) -> list[int]:
    """All spaces of the straight line through a space, in their order."""
    file, rank = space % NUM_FILES, space // NUM_FILES
    return [
        (file + i * right) + (rank + i * down) * NUM_FILES
        for i in range(-NUM_RANKS, NUM_RANKS + 1)
        if 0 <= file + i * right < NUM_FILES and 0 <= rank + i * down < NUM_RANKS
    ]


DIRECTIONS = ((1, 0), (0, 1), (1, 1), (-1, 1))  # across, down, both diagonals
_LINES = [[_line(space, right, down) for right, down in DIRECTIONS] for space in range(NUM_SPACES)]
LINES = frozen([[line + [NO_SPACE] * (NUM_RANKS - len(line)) for line in lines] for lines in _LINES])


@kernel
def new_rows(crowns: int, space: int) -> int:
    """The rows that a new crown completes on the four lines through it, which count separately. [Z6]"""
    rows = 0
    for direction in range(len(DIRECTIONS)):
        rows += rows_on(crowns | 1 << space, space, direction) - rows_on(crowns, space, direction)
    return rows


@kernel
def rows_on(crowns: int, space: int, direction: int) -> int:
    """The rows on the line through a space."""
    line = 0
    for i in range(NUM_RANKS):
        line |= (crowns >> LINES[space, direction, i] & 1) << i
    return wide(ROWS_IN[line])
