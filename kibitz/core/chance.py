"""Random numbers: one generator that deals, one for bots.

*Deals* come from ChaCha20 (RFC 8439) with a 256-bit key and an all-zero nonce. The key and how many
numbers were drawn so far lie in the state, so the same key and moves give the same game for ever, and nobody
can foretell a shuffle from the cards seen. `docs/shuffle.md` specifies the stream for independent checks.

*Bots* use xoshiro128++: fast, good, and none of the deal's business.

What is drawn has 32 bits. Sums are made in 64 and masked, so that plain Python and compiled code agree.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.core.kernel import JIT, borrowed, kernel, wide
from kibitz.core.layout import AnyRecord, Cards, Rng
from kibitz.core.options import RANDOM_SEAT

Number = Any  # of 32 bits, in an int or one of NumPy's own
Block = npt.NDArray[np.uint32]

MASK = 0xFFFFFFFF
NUMBERS_PER_BLOCK = 16
DOUBLE_ROUNDS = 10

CONSTANTS = np.frombuffer(b"expand 32-byte k", dtype="<u4").astype(np.uint32)
CONSTANTS.flags.writeable = False

# Several blocks are made at once, which takes compiled code little longer than one: the processor does them
# side by side. So the first numbers of all blocks lie together, then the second ones, and so on.
BLOCKS = 8 if JIT else 1
NUMBERS_AHEAD = NUMBERS_PER_BLOCK * BLOCKS


# The dealing generator


@kernel
def plus(one: Number, other: Number) -> Number:
    """The sum of two numbers, in as many bits."""
    return np.uint32((np.int64(one) + np.int64(other)) & MASK)


@kernel
def rotate(number: Number, bits: int) -> Number:
    """A number turned left."""
    long = np.int64(number)
    return np.uint32(((long << bits) | (long >> (32 - bits))) & MASK)


@kernel
def quarter_round(x: Block, lane: int, i: int, j: int, k: int, m: int) -> None:
    """The quarter round of RFC 8439, 2.1, on four numbers of one block."""
    i, j, k, m = BLOCKS * i + lane, BLOCKS * j + lane, BLOCKS * k + lane, BLOCKS * m + lane
    a, b, c, d = x[i], x[j], x[k], x[m]
    a = plus(a, b)
    d = rotate(d ^ a, 16)
    c = plus(c, d)
    b = rotate(b ^ c, 12)
    a = plus(a, b)
    d = rotate(d ^ a, 8)
    c = plus(c, d)
    b = rotate(b ^ c, 7)
    x[i], x[j], x[k], x[m] = a, b, c, d


@kernel
def double_round(x: Block) -> None:
    """A round down the columns of every block, then one down its diagonals."""
    for lane in range(BLOCKS):  # no loop within: what is inside is done for all blocks at once
        quarter_round(x, lane, 0, 4, 8, 12)
        quarter_round(x, lane, 1, 5, 9, 13)
        quarter_round(x, lane, 2, 6, 10, 14)
        quarter_round(x, lane, 3, 7, 11, 15)
        quarter_round(x, lane, 0, 5, 10, 15)
        quarter_round(x, lane, 1, 6, 11, 12)
        quarter_round(x, lane, 2, 7, 8, 13)
        quarter_round(x, lane, 3, 4, 9, 14)


@kernel
def start_number(state: AnyRecord, i: int, block: int) -> Number:
    """Number `i` of those that a block starts from: constants, the key, which block it is, and no nonce."""
    if i < 4:
        return CONSTANTS[i]
    if i < 12:
        return state.key[i - 4]
    return np.uint32(block if i == 12 else 0)


@kernel
def look_ahead(state: AnyRecord, block: Block) -> None:
    """Fill `block` with blocks of the state's stream, from the one with its next number on."""
    first = wide(state.drawn) // NUMBERS_PER_BLOCK
    for i in range(NUMBERS_PER_BLOCK):
        for lane in range(BLOCKS):
            block[BLOCKS * i + lane] = start_number(state, i, first + lane)
    for _ in range(DOUBLE_ROUNDS):
        double_round(block)
    for i in range(NUMBERS_PER_BLOCK):
        for lane in range(BLOCKS):
            block[BLOCKS * i + lane] = plus(block[BLOCKS * i + lane], start_number(state, i, first + lane))
    block[NUMBERS_AHEAD] = first + BLOCKS


@kernel
def fresh_block() -> Block:
    """Room for some blocks and, behind them, for the number of the first block beyond: none is made yet."""
    return np.zeros(NUMBERS_AHEAD + 1, np.uint32)


@kernel
def draw_number(state: AnyRecord, block: Block) -> Number:
    """The next number of the state's stream; `block` keeps those that were made with it."""
    drawn = np.int64(state.drawn)
    left = np.int64(block[NUMBERS_AHEAD]) - drawn // NUMBERS_PER_BLOCK  # blocks, with the one that is needed
    if not 0 < left <= BLOCKS:
        look_ahead(state, block)
        left = np.int64(BLOCKS)
    state.drawn = drawn + 1
    return np.int64(block[drawn % NUMBERS_PER_BLOCK * BLOCKS + BLOCKS - left])


@kernel
def below(state: AnyRecord, bound: int, block: Block) -> int:
    """An unbiased number from 0 to bound - 1: those of the incomplete last stretch are drawn again."""
    stretch = np.int64(bound)  # which may be a field of a few bits
    number = draw_number(state, block)
    while in_last_stretch(number, stretch):
        number = draw_number(state, block)
    return number % stretch


@kernel
def agreed_seat(state: AnyRecord, option: int, block: Block) -> int:
    """The seat that an option names, or one by chance."""
    return below(state, wide(state.players), block) if option == RANDOM_SEAT else option


@kernel
def in_last_stretch(number: Number, stretch: Number) -> bool:
    """Whether a number lies behind the last whole stretch; for most it needs no division to tell."""
    return number > MASK - stretch and number >= (MASK + 1) - (MASK + 1) % stretch


@kernel
def shuffle(state: AnyRecord, cards: Cards, block: Block) -> None:
    """Fisher-Yates from the last card down: each changes places with itself or one before it."""
    ahead = borrowed(block)
    for last in range(len(cards) - 1, 0, -1):
        number = draw_number(state, ahead)  # as in `below`, whose call would cost more than all that it does
        while in_last_stretch(number, last + 1):
            number = draw_number(state, ahead)
        other = number % (last + 1)
        kept = cards[last]
        cards[last] = cards[other]
        cards[other] = kept


# The bots' generator


@kernel
def next_number(rng: Rng) -> Number:
    """The next number of 32 bits of xoshiro128++."""
    s0, s1, s2, s3 = np.int64(rng[0]), np.int64(rng[1]), np.int64(rng[2]), np.int64(rng[3])
    number = np.int64(plus(rotate(plus(s0, s3), 7), s0))
    shifted = (s1 << 9) & MASK
    s2 ^= s0
    s3 ^= s1
    rng[1] = s1 ^ s2
    rng[0] = s0 ^ s3
    rng[2] = s2 ^ shifted
    rng[3] = rotate(s3, 11)
    return number


@kernel
def pick(rng: Rng, bound: int) -> int:
    """A number from 0 to bound - 1, near enough to uniform for a bot."""
    return (next_number(rng) * bound) >> 32


@kernel
def chance(rng: Rng) -> float:
    """A number from 0 up to, but not including, 1."""
    return next_number(rng) / (MASK + 1)


@kernel
def fresh_key(state: AnyRecord, rng: Rng) -> None:
    """Give an imagined state a stream of its own, unrelated to the true deal's."""
    for i in range(len(state.key)):
        state.key[i] = next_number(rng)
    state.drawn = 0


@kernel
def mix(rng: Rng, cards: Cards, count: int) -> None:
    """Shuffle the first `count` cards with the bots' generator."""
    for last in range(count - 1, 0, -1):
        other = pick(rng, last + 1)
        kept = cards[last]
        cards[last] = cards[other]
        cards[other] = kept
