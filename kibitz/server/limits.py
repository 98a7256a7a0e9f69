"""How much one connection, guest or address may ask of the server."""

import time
from collections import deque

import msgspec


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers; a test or a benchmark may choose others."""

    messages: int = 100  # of a connection ...
    message_seconds: float = 20.0  # ... in this time
    queue_bytes: int = 1 << 20  # waiting to be sent to a connection
    send_seconds: float = 10.0  # for which a connection may take nothing of it
    watched: int = 20  # tables a connection watches
    tasks: int = 8  # messages of a connection that wait for something slow
    guest_connections: int = 30
    address_connections: int = 100  # not counted for the server's own machine
    address_guests: int = 60  # new guests of an address ...
    address_guest_seconds: float = 600.0  # ... in this time
    chats: int = 5  # of a guest ...
    chat_seconds: float = 10.0  # ... in this time
    renames: int = 10  # of a guest ...
    rename_seconds: float = 60.0  # ... in this time
    hints: int = 20  # of a guest ...
    hint_seconds: float = 60.0  # ... in this time
    open_tables: int = 50  # of a guest
    sheets: int = 600  # scored for an address ...
    sheet_seconds: float = 60.0  # ... in this time; not counted for the server's own machine
    sheet_bytes: int = 1 << 16


class Rate:
    """So many in so long, for each of many."""

    def __init__(self, most: int, seconds: float) -> None:
        self._most = most
        self._seconds = seconds
        self._times: dict[str, deque[float]] = {}
        self._swept = time.monotonic()

    def wait(self, who: str) -> float:
        """Count one more, or return for how many seconds it has to wait."""
        now = time.monotonic()
        self._sweep(now)
        times = self._times.setdefault(who, deque(maxlen=self._most))
        if len(times) == self._most and times[0] > now - self._seconds:
            return times[0] + self._seconds - now
        times.append(now)
        return 0.0

    def _sweep(self, now: float) -> None:
        if now - self._swept > self._seconds:
            self._swept = now
            old = [who for who, times in self._times.items() if times[-1] < now - self._seconds]
            for who in old:
                del self._times[who]
