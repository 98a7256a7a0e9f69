"""How a seed becomes the key of a deal. Specified in `docs/shuffle.md`."""

import hashlib
import secrets
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from kibitz.core.errors import BadOptions
from kibitz.core.numbers import whole

SECRET_BYTES = 32


class Source(msgspec.Struct, frozen=True):
    """Where a deal's randomness comes from: a number, or a secret; and perhaps words of the seats."""

    seed: int | None
    secret: bytes | None
    words: tuple[str, ...] = ()

    @property
    def commitment(self) -> str | None:
        """What may be shown before the deal: SHA-256 of the secret."""
        return None if self.secret is None else hashlib.sha256(self.secret).hexdigest()

    def key(self) -> npt.NDArray[np.uint32]:
        """The eight numbers of the key."""
        if self.secret is None:
            told = b"kibitz/seed/" + str(self.seed).encode()
        else:
            told = b"kibitz/secret/" + _framed(self.secret)
        for words in self.words:
            told += _framed(words.encode())
        return np.frombuffer(hashlib.sha256(told).digest(), dtype="<u4").astype(np.uint32)


def source(seed: int | bytes | None, words: Sequence[str] = ()) -> Source:
    """The source for what a caller gave as a seed; without one, a fresh secret from the operating system."""
    if not isinstance(words, list | tuple) or not all(map(_is_text, words)):
        raise BadOptions("words", "a list of texts", words)
    if seed is None:
        return Source(None, secrets.token_bytes(SECRET_BYTES), tuple(words))
    if isinstance(seed, bytes):
        return Source(None, seed, tuple(words))
    if (number := whole(seed)) is not None:
        return Source(number, None, tuple(words))
    raise BadOptions("seed", "a whole number, bytes or None", seed)


def bot_generator(seed: int | None, *context: Any) -> npt.NDArray[np.uint32]:
    """A bot's fast generator; the same seed and context give the same numbers, no seed gives fresh ones."""
    if seed is None:
        told = secrets.token_bytes(SECRET_BYTES)
    elif (number := whole(seed)) is not None:
        told = repr((number, *context)).encode()
    else:
        raise BadOptions("seed", "a whole number or None", seed)
    return np.frombuffer(hashlib.sha256(b"kibitz/bot/" + told).digest()[:16], dtype="<u4").astype(np.uint32)


def _is_text(value: Any) -> bool:
    """Whether it is a text, one that UTF-8 can hold."""
    return isinstance(value, str) and value.encode(errors="ignore").decode() == value


def _framed(part: bytes) -> bytes:
    return len(part).to_bytes(4, "big") + part
