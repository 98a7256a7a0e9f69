"""How much of the loop's time reading takes: many sockets that send at once hold nobody up."""

import asyncio
import time
from collections import deque
from collections.abc import Callable

SHARE = 0.005  # seconds of a round of the loop; a long head takes a millisecond


class LoopShare:
    """Some work is done in a round of the loop; the rest waits, and each household has its turn."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[Callable[[], None]]] = {}  # by household, the next one first
        self._spent = 0.0  # seconds, in this round
        self._goes_on = False

    @property
    def has_time(self) -> bool:
        """Whether more can be done in this round."""
        return not self._waiting and self._spent < SHARE

    def now(self, work: Callable[[], None]) -> None:
        """Do it in this round."""
        began = time.perf_counter()
        try:
            work()
        finally:
            self._spent += time.perf_counter() - began
            self._expect_another_round()

    def later(self, household: str, work: Callable[[], None]) -> None:
        """Do it when it is its turn."""
        self._waiting.setdefault(household, deque()).append(work)
        self._expect_another_round()

    def _expect_another_round(self) -> None:
        if not self._goes_on:
            self._goes_on = True
            asyncio.get_running_loop().call_soon(self._go_on)

    def _go_on(self) -> None:
        self._goes_on = False
        self._spent = 0.0
        while self._waiting and self._spent < SHARE:
            self.now(self._next())

    def _next(self) -> Callable[[], None]:
        """The first of the next household, which then goes to the end."""
        household = next(iter(self._waiting))
        works = self._waiting.pop(household)
        work = works.popleft()
        if works:
            self._waiting[household] = works
        return work
