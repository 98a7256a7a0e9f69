"""The shuffle stream once more, in plain Python: whole numbers and SHA-256, nothing of Kibitz.

Anybody can check a deal with these few lines. Follows docs/shuffle.md.
"""

import hashlib
from collections.abc import Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")

NUMBERS = 2**32


# The key


def framed(part: bytes) -> bytes:
    """A part with its length before it, in four bytes, the greatest first."""
    return len(part).to_bytes(4, "big") + part


def key_of(seed: int | bytes, words: Sequence[str] = ()) -> bytes:
    """The 32 bytes of the key: a hash of the seed or secret and of the seats' words."""
    if isinstance(seed, int):
        told = b"kibitz/seed/" + str(seed).encode("ascii")
    else:
        told = b"kibitz/secret/" + framed(seed)
    for said in words:
        told += framed(said.encode("utf-8"))
    return hashlib.sha256(told).digest()


# ChaCha20 (RFC 8439)


def little_endian_words(data: bytes) -> list[int]:
    return [int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data), 4)]


def turned_left(number: int, bits: int) -> int:
    return (number << bits) % NUMBERS | number >> (32 - bits)


def quarter_round(x: list[int], a: int, b: int, c: int, d: int) -> None:
    for one, other, third, bits in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        x[one] = (x[one] + x[other]) % NUMBERS
        x[third] = turned_left(x[third] ^ x[one], bits)


def block(key: bytes, counter: int) -> list[int]:
    """The 16 numbers of a block; the nonce is zero."""
    start = [*little_endian_words(b"expand 32-byte k"), *little_endian_words(key), counter, 0, 0, 0]
    x = list(start)
    for _ in range(10):
        for column in range(4):
            quarter_round(x, column, column + 4, column + 8, column + 12)
        for diagonal in range(4):
            quarter_round(
                x,
                diagonal,
                4 + (diagonal + 1) % 4,
                8 + (diagonal + 2) % 4,
                12 + (diagonal + 3) % 4,
            )
    return [(after + before) % NUMBERS for after, before in zip(x, start, strict=True)]


def stream(key: bytes) -> Iterator[int]:
    """All numbers, block after block from block 0."""
    counter = 0
    while True:
        yield from block(key, counter)
        counter += 1


# Drawing and shuffling


def below(numbers: Iterator[int], bound: int) -> int:
    """A number from 0 to bound - 1; numbers from the last multiple of the bound on are passed over."""
    return next(number for number in numbers if number < NUMBERS // bound * bound) % bound


def shuffled(numbers: Iterator[int], cards: Sequence[Item]) -> list[Item]:
    """Fisher-Yates, from the last place down to the second."""
    deck = list(cards)
    for place in reversed(range(1, len(deck))):
        other = below(numbers, place + 1)
        deck[place], deck[other] = deck[other], deck[place]
    return deck


# A deal


def kaching_columns(numbers: Iterator[int]) -> list[list[str]]:
    """Card n of the shuffled deck goes to column n // 7, place n % 7."""
    deck = shuffled(numbers, [f"{colour}{value}" for colour in "RYGBP" for value in (2, 2, 3, 3, 4, 5, 6)])
    return [deck[column * 7 : column * 7 + 7] for column in range(5)]


def kaching_deal(
    seed: int | bytes, said: Sequence[str] = (), starter: int | None = None
) -> tuple[int, list[list[str]]]:
    """Who begins, and the five columns."""
    numbers = stream(key_of(seed, said))
    first = below(numbers, 2) if starter is None else starter
    return first, kaching_columns(numbers)
