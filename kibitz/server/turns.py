"""Work of which only so much is done at a time: who waits is served in turn, so that nobody starves."""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

from kibitz.server.net.addresses import counted
from kibitz.server.tables.refusals import NotAllowed

LATER = 5  # seconds after which somebody who is turned away may ask again


class Asker(NamedTuple):
    """Who asks for work: a household (an address, as far as limits count it), and a guest there."""

    household: str
    guest: str = ""


NOBODY = Asker("")


def asker_at(address: str, guest: str) -> Asker:
    """Who asks from an address; on the server's own machine everybody is a household."""
    return Asker(address if counted(address) else guest, guest)


Waiting = dict[str, deque[asyncio.Future[None]]]  # by guest, the next one first


class Turns:
    """So much at a time; the households have their turns one after the other, and in each its guests.

    When too many wait, whoever has most of them gives one up: one household can't keep the others out.
    """

    def __init__(self, at_once: int, waiting: int, of_household: int | None = None) -> None:
        self._free = at_once
        self._most = waiting
        self._of_household = of_household or at_once  # at once, of one household
        self._busy: Counter[str] = Counter()
        self._waiting: dict[str, Waiting] = {}  # by household, the next one first
        self._queued = 0

    @asynccontextmanager
    async def turn(self, asker: Asker, again: bool = False) -> AsyncIterator[None]:
        """Wait for a turn, or be refused; it ends with the block, and all else goes on before the next.

        Who has begun and wants another turn, to go on, isn't refused.
        """
        await self.begin(asker, again)
        try:
            yield
        finally:
            asyncio.get_running_loop().call_soon(self.end, asker)

    async def begin(self, asker: Asker, again: bool = False) -> None:
        """Wait for a turn, or be refused; whoever gets one has to end it."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(asker.household, {}).setdefault(asker.guest, deque()).append(turn)
        self._queued += 1
        self._go_on()
        if self._queued > self._most and not again:
            self._turn_away()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                self.end(asker)
            raise

    def _go_on(self) -> None:
        """Let those begin whose turn it is."""
        while self._free and (household := self._next()) is not None:
            turn = _first(self._waiting, household)
            self._queued -= 1
            if not turn.done():  # who waited may be gone
                self._free -= 1
                self._busy[household] += 1
                turn.set_result(None)

    def _next(self) -> str | None:
        return next((one for one in self._waiting if self._busy[one] < self._of_household), None)

    def end(self, asker: Asker) -> None:
        """It is the next one's turn."""
        self._free += 1
        self._busy[asker.household] -= 1
        if not self._busy[asker.household]:
            del self._busy[asker.household]
        self._go_on()

    def _turn_away(self) -> None:
        """Whoever has most waiting gives up the last one."""
        greedy = max(reversed(self._waiting), key=lambda household: _count(self._waiting[household]))
        guests = self._waiting[greedy]
        guest = max(reversed(guests), key=lambda guest: len(guests[guest]))
        turn = guests[guest].pop()
        self._queued -= 1
        if not guests[guest]:
            del guests[guest]
        if not guests:
            del self._waiting[greedy]
        if not turn.done():
            turn.set_exception(NotAllowed("slow-down", count=LATER))


def _count(guests: Waiting) -> int:
    return sum(map(len, guests.values()))


def _first(waiting: dict[str, Waiting], household: str) -> asyncio.Future[None]:
    """Take out the next of a household; it and its guest go to the end of their queues."""
    guests = waiting.pop(household)
    guest = next(iter(guests))
    turns = guests.pop(guest)
    turn = turns.popleft()
    if turns:
        guests[guest] = turns
    if guests:
        waiting[household] = guests
    return turn
