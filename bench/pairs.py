"""Two players at a table who play game after game as fast as the server answers, and what they notice."""

import asyncio
import random
import time
from abc import ABC, abstractmethod
from collections import deque

from bench.sockets import Socket

STOCK = 6  # tables that wait for a pair before a window begins


class Tally:
    """What all pairs at a server notice."""

    def __init__(self) -> None:
        self.playing = False
        self.pause = 0.0  # seconds that a player thinks, in the mean
        self.latencies: list[float] = []  # seconds from a move to its acknowledgement
        self.acknowledged = 0  # moves, since the beginning
        self.troubles: list[str] = []


class Pair(ABC):
    """Two players, one WebSocket each. A move goes out when the one before is acknowledged to its player
    and seen by the next one: a closed loop with one move under way at each table.
    """

    def __init__(self, tally: Tally, sockets: tuple[Socket, Socket]) -> None:
        self.tally = tally
        self.sockets = sockets
        self.stock: deque[str] = deque()  # tables to play at next
        self.rng = random.Random(1)
        self.waiting = False  # for an acknowledgement
        self.mover = 0  # who waits
        self._next: tuple[int, bytes] | None = None
        self._over = True
        self._sent = 0.0

    @abstractmethod
    async def open_table(self) -> str:
        """Open a table at which both have a seat."""

    @abstractmethod
    def go_to(self, table: str) -> None:
        """Both leave the table at which they are, and are shown this one."""

    async def stock_up(self) -> None:
        """Open tables until there are enough for a window."""
        while len(self.stock) < STOCK:
            self.stock.append(await self.open_table())

    def go_on(self) -> None:
        """Play."""
        if self._over:
            self._begin()
        elif self._next:
            self._play()

    # Told by those who know a server's messages

    def may_play(self, seat: int, move: bytes) -> None:
        """A seat has seen that it is its turn, and would send this."""
        self._next = seat, move
        if not self.waiting:
            self._play()

    def acknowledged(self) -> None:
        """The server has taken the move."""
        if not self.waiting:
            return
        self.waiting = False
        self.tally.acknowledged += 1
        self.tally.latencies.append(time.perf_counter() - self._sent)
        if self._over:
            self._begin()
        elif self._next:
            self._play()

    def ended(self) -> None:
        """The game is over."""
        self._over = True
        if not self.waiting:
            self._begin()

    # Playing

    def _begin(self) -> None:
        if not self.tally.playing:
            return
        if not self.stock:
            self.tally.troubles.append("a pair has run out of tables: raise STOCK")
            return
        self._over, self._next = False, None
        self.go_to(self.stock.popleft())

    def _play(self) -> None:
        if not self.tally.playing:
            return
        assert self._next
        self.mover, move = self._next
        self._next = None
        self.waiting = True
        if self.tally.pause:
            pause = self.rng.uniform(0, 2 * self.tally.pause)
            asyncio.get_running_loop().call_later(pause, self._send, move)
        else:
            self._send(move)

    def _send(self, move: bytes) -> None:
        self._sent = time.perf_counter()
        self.sockets[self.mover].send(move)
