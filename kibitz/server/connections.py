"""One WebSocket: what is sent waits in a queue with a limit and a deadline; nobody waits for the slow.

A connection that can't keep up is let go; when it comes back it is shown everything.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from kibitz.server.limits import Limits
from kibitz.server.protocol import FromServer
from kibitz.server.store import Guest

log = logging.getLogger("kibitz.connections")

encode = msgspec.json.Encoder().encode

POLICY, TEXT_ONLY, GOING_AWAY, TRY_LATER = 1008, 1003, 1001, 1013

Send = Callable[[dict[str, Any]], Awaitable[None]]


class Connection:
    """A page or program that is connected."""

    guest: Guest

    def __init__(self, send: Send, address: str, limits: Limits) -> None:
        self.address = address
        self.limits = limits
        self.watching: set[str] = set()
        self.tasks: set[asyncio.Task[None]] = set()
        self._send = send
        self._queue: deque[bytes] = deque()
        self._bytes = 0
        self._wake = asyncio.Event()
        self._closing: int | None = None
        self._window = time.monotonic()
        self._received = 0

    # Sending

    def tell(self, message: FromServer) -> None:
        """Send a message to this connection alone."""
        self.send(encode(message))

    def send(self, message: bytes) -> None:
        """Put an encoded message into the queue; if too much waits in it already, let the connection go."""
        if self._closing is not None:
            return
        if self._bytes > self.limits.queue_bytes:
            log.info("a connection from %s doesn't keep up", self.address)
            self._queue.clear()
            self.close(TRY_LATER)
            return
        self._queue.append(message)
        self._bytes += len(message)
        self._wake.set()

    def close(self, code: int) -> None:
        """Send what waits, then close."""
        if self._closing is None:
            self._closing = code
            self._wake.set()

    async def write(self) -> None:
        """Send what is in the queue until the connection closes or takes nothing for too long."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            async with asyncio.timeout(self.limits.send_seconds):
                while self._queue:
                    message = self._queue.popleft()
                    await self._send({"type": "websocket.send", "text": message.decode()})
                    self._bytes -= len(message)
                if self._closing is not None:
                    await self._send({"type": "websocket.close", "code": self._closing})
                    return

    # Receiving

    def too_fast(self) -> bool:
        """Count a message; whether they are too many."""
        now = time.monotonic()
        if now - self._window > self.limits.message_seconds:
            self._window, self._received = now, 0
        self._received += 1
        return self._received > self.limits.messages
