"""Passphrases, by Argon2: what is kept of one, and whether one is right; beside the loop, few at a time."""

import asyncio
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from kibitz.server.limits import Limits
from kibitz.server.tables.refusals import NotAllowed
from kibitz.server.turns import Asker, Turns

T = TypeVar("T")

LENGTHS = range(8, 201)  # of a passphrase, in characters


class Passphrases:
    """Reckons hashes in threads of its own."""

    def __init__(self, limits: Limits) -> None:
        self._hasher = PasswordHasher(time_cost=3, memory_cost=32 << 10, parallelism=1)
        self._threads = ThreadPoolExecutor(limits.passphrases, "kibitz-passphrases")
        self._turns = Turns(limits.passphrases, limits.waiting_passphrases, of_household=1)

    async def hash(self, asker: Asker, passphrase: str) -> str:
        """What is kept of a passphrase."""
        return await self._reckon(asker, self._hasher.hash, checked(passphrase))

    async def is_right(self, asker: Asker, passphrase: str, hash: str | None) -> bool:
        """Whether a passphrase is the one that was kept; to find that there is none takes as long."""
        return await self._reckon(asker, self._verify, hash, _plain(passphrase))

    def _verify(self, hash: str | None, passphrase: str) -> bool:
        try:
            self._hasher.verify(hash or self._nobodys, passphrase)
        except (VerificationError, InvalidHashError):
            return False
        return hash is not None

    @cached_property
    def _nobodys(self) -> str:
        return self._hasher.hash("nobody's")

    async def _reckon(self, asker: Asker, work: Callable[..., T], *given: object) -> T:
        """One at a time of each household: nobody's sign-ins keep others from theirs."""
        async with self._turns.turn(asker):
            return await asyncio.get_running_loop().run_in_executor(self._threads, work, *given)

    def close(self) -> None:
        """Let the threads go."""
        self._threads.shutdown(wait=False)


def checked(passphrase: str) -> str:
    """A passphrase that can be kept, as it is hashed."""
    plain = _plain(passphrase)
    if len(plain) not in LENGTHS:
        raise NotAllowed("bad-passphrase", least=LENGTHS[0], most=LENGTHS[-1])
    return plain


def _plain(passphrase: str) -> str:
    """The same however a keyboard composes its letters."""
    return unicodedata.normalize("NFKC", passphrase)[: LENGTHS.stop]
