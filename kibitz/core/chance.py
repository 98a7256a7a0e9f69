"""Random numbers: one generator that deals, one for bots.

*Deals* come from ChaCha20 (RFC 8439) with a 256-bit key and an all-zero nonce. Key and the number of
words drawn so far lie in the state, so the same key and moves give the same game for ever, and nobody
can foretell a shuffle from the cards seen. `docs/shuffle.md` specifies the stream for independent checks.

*Bots* use xoshiro128++: fast, good, and none of the deal's business.

Both work on 32-bit words held in 64-bit integers and masked, so that plain Python and compiled code agree.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.core.kernel import kernel
from kibitz.core.layout import AnyRecord, Cards, Rng

Word = Any  # 32 bits, in an int or an np.int64
Words = npt.NDArray[np.uint32]

MASK = 0xFFFFFFFF
WORDS_PER_BLOCK = 16
DOUBLE_ROUNDS = 10

CONSTANTS = np.frombuffer(b"expand 32-byte k", dtype="<u4").astype(np.uint32)
CONSTANTS.flags.writeable = False


# The dealing generator


@kernel
def rotate(word: Word, bits: int) -> Word:
    """A 32-bit word turned left."""
    return ((word << bits) | (word >> (32 - bits))) & MASK


@kernel
def quarter_round(x: Words, i: int, j: int, k: int, m: int) -> None:
    """The quarter round of RFC 8439, 2.1, on four words of the block."""
    a, b, c, d = np.int64(x[i]), np.int64(x[j]), np.int64(x[k]), np.int64(x[m])
    a = (a + b) & MASK
    d = rotate(d ^ a, 16)
    c = (c + d) & MASK
    b = rotate(b ^ c, 12)
    a = (a + b) & MASK
    d = rotate(d ^ a, 8)
    c = (c + d) & MASK
    b = rotate(b ^ c, 7)
    x[i], x[j], x[k], x[m] = a, b, c, d


@kernel
def chacha_block(key: Words, number: Word, block: Words) -> None:
    """Fill `block` with the 16 words of block `number` of the key's stream."""
    start = np.zeros(WORDS_PER_BLOCK, np.uint32)
    for i in range(len(CONSTANTS)):
        start[i] = CONSTANTS[i]
    for i in range(len(key)):
        start[4 + i] = key[i]
    start[12] = number
    for i in range(WORDS_PER_BLOCK):
        block[i] = start[i]
    for _ in range(DOUBLE_ROUNDS):
        for i in range(4):
            quarter_round(block, i, 4 + i, 8 + i, 12 + i)
        for i in range(4):
            quarter_round(block, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
    for i in range(WORDS_PER_BLOCK):
        block[i] = (np.int64(block[i]) + np.int64(start[i])) & MASK


@kernel
def fresh_block() -> Words:
    """Room for one block and, behind it, one more than the block's number: none yet."""
    return np.zeros(WORDS_PER_BLOCK + 1, np.uint32)


@kernel
def draw_word(state: AnyRecord, block: Words) -> Word:
    """The next word of the state's stream; `block` keeps the block it came from."""
    number = np.int64(state.drawn) // WORDS_PER_BLOCK
    if block[WORDS_PER_BLOCK] != number + 1:
        chacha_block(state.key, number, block)
        block[WORDS_PER_BLOCK] = number + 1
    word = np.int64(block[np.int64(state.drawn) % WORDS_PER_BLOCK])
    state.drawn += 1
    return word


@kernel
def below(state: AnyRecord, bound: int, block: Words) -> int:
    """An unbiased number from 0 to bound - 1: words of the incomplete last stretch are drawn again."""
    stretch = np.int64(bound)  # which may be a field of a few bits
    word = draw_word(state, block)
    while in_last_stretch(word, stretch):
        word = draw_word(state, block)
    return word % stretch


@kernel
def in_last_stretch(word: Word, stretch: Word) -> bool:
    """Whether a word lies behind the last whole stretch; for most words that needs no division to tell."""
    return word > MASK - stretch and word >= (MASK + 1) - (MASK + 1) % stretch


@kernel
def shuffle(state: AnyRecord, cards: Cards, block: Words) -> None:
    """Fisher-Yates from the last card down: each changes places with itself or one before it."""
    for last in range(len(cards) - 1, 0, -1):
        other = below(state, last + 1, block)
        kept = cards[last]
        cards[last] = cards[other]
        cards[other] = kept


# The bots' generator


@kernel
def next_word(rng: Rng) -> Word:
    """The next 32-bit word of xoshiro128++."""
    s0, s1, s2, s3 = np.int64(rng[0]), np.int64(rng[1]), np.int64(rng[2]), np.int64(rng[3])
    word = (rotate((s0 + s3) & MASK, 7) + s0) & MASK
    shifted = (s1 << 9) & MASK
    s2 ^= s0
    s3 ^= s1
    rng[1] = s1 ^ s2
    rng[0] = s0 ^ s3
    rng[2] = s2 ^ shifted
    rng[3] = rotate(s3, 11)
    return word


@kernel
def pick(rng: Rng, bound: int) -> int:
    """A number from 0 to bound - 1, near enough to uniform for a bot."""
    return (next_word(rng) * bound) >> 32


@kernel
def chance(rng: Rng) -> float:
    """A number from 0 up to, but not including, 1."""
    return next_word(rng) / (MASK + 1)


@kernel
def fresh_key(state: AnyRecord, rng: Rng) -> None:
    """Give an imagined state a stream of its own, unrelated to the true deal's."""
    for i in range(len(state.key)):
        state.key[i] = next_word(rng)
    state.drawn = 0


@kernel
def mix(rng: Rng, cards: Cards, count: int) -> None:
    """Shuffle the first `count` cards with the bots' generator."""
    for last in range(count - 1, 0, -1):
        other = pick(rng, last + 1)
        kept = cards[last]
        cards[last] = cards[other]
        cards[other] = kept
