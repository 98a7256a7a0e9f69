"""Many shuffles counted inside kernels: the true one, and some that look right and are not."""

from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kibitz.core.chance import Block, below, draw_number, fresh_block, pick, shuffle
from kibitz.core.kernel import kernel, specialise
from kibitz.core.layout import AnyRecord, Cards, Field, Rng, record_type
from kibitz.core.secret import source

Counts = npt.NDArray[np.int64]

if TYPE_CHECKING:
    from kibitz.core.chance import shuffle as rearrange  # any shuffle takes its place

# As much of a game's state as a shuffle needs. (Numba takes a record for a kind of another one if that one's
# fields lie at the same places in it, and warns: so they lie elsewhere.)
STREAM = record_type(
    [
        Field("elsewhere", np.uint64, 0, 0),
        Field("key", np.uint32, 0, 2**32 - 1, 8),
        Field("drawn", np.uint32, 0, 2**32 - 1),
    ]
)

SMALL_NUMBER = 64  # so few values that taking the remainder shows


def stream(seed: int) -> Any:
    """A stream at its beginning."""
    record = np.zeros(1, STREAM)[0]
    record.key[:] = source(seed).key()
    return record


# Shuffles


@kernel
def true_shuffle(state: AnyRecord, cards: Cards, block: Block) -> None:
    """The one that deals."""
    shuffle(state, cards, block)


@kernel
def swap_with_any(state: AnyRecord, cards: Cards, block: Block) -> None:
    """Each card changes places with any other: n^n ways don't divide among n! orders."""
    for place in range(len(cards)):
        other = below(state, len(cards), block)
        kept = cards[place]
        cards[place] = cards[other]
        cards[other] = kept


@kernel
def never_stay(state: AnyRecord, cards: Cards, block: Block) -> None:
    """Off by one: no card changes places with itself (Sattolo's algorithm)."""
    for last in range(len(cards) - 1, 0, -1):
        other = below(state, last, block)
        kept = cards[last]
        cards[last] = cards[other]
        cards[other] = kept


@kernel
def remainder_of_small_numbers(state: AnyRecord, cards: Cards, block: Block) -> None:
    """The incomplete last stretch isn't drawn again."""
    for last in range(len(cards) - 1, 0, -1):
        other = (draw_number(state, block) % SMALL_NUMBER) % (last + 1)
        kept = cards[last]
        cards[last] = cards[other]
        cards[other] = kept


@kernel
def last_stays(state: AnyRecord, cards: Cards, block: Block) -> None:
    """The loop ends too early: the last card is never moved."""
    shuffle(state, cards[:-1], block)


# Counting


@kernel
def order_number(cards: Cards) -> int:
    """The rank of an order among all orders of 0 to n - 1."""
    number = 0
    for i in range(len(cards)):
        smaller = 0
        for j in range(i + 1, len(cards)):
            if cards[j] < cards[i]:
                smaller += 1
        number = number * (len(cards) - i) + smaller
    return number


def count_orders(state: AnyRecord, size: int, times: int, counts: Counts) -> None:
    """Counts the orders that shuffles bring about."""
    block = fresh_block()
    for _ in range(times):
        cards = np.arange(size).astype(np.int8)
        rearrange(state, cards, block)
        counts[order_number(cards)] += 1


def count_places(state: AnyRecord, size: int, times: int, counts: Counts) -> None:
    """Counts at which place each card comes to lie."""
    block = fresh_block()
    for _ in range(times):
        cards = np.arange(size).astype(np.int8)
        rearrange(state, cards, block)
        for place in range(size):
            counts[cards[place] * size + place] += 1


@cache
def counters(shuffle_: Any) -> SimpleNamespace:
    """Both counters, compiled for a shuffle."""
    return specialise((count_orders, count_places), shuffle_.__name__, rearrange=shuffle_)


@kernel
def count_below(state: AnyRecord, bound: int, times: int, parts: int, counts: Counts) -> None:
    """Counts in which part of 0 to bound - 1 the numbers lie."""
    block = fresh_block()
    for _ in range(times):
        counts[below(state, bound, block) * parts // bound] += 1


@kernel
def count_picks(rng: Rng, bound: int, times: int, counts: Counts) -> None:
    """Counts a bot's numbers."""
    for _ in range(times):
        counts[pick(rng, bound)] += 1
