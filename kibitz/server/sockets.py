"""How many sockets are open, in all and from each address. Who hasn't asked for anything gives way."""

import resource
from collections import OrderedDict
from typing import Protocol

from kibitz.server.addresses import counted
from kibitz.server.limits import Limits

SPARE_FILES = 64  # for the store, the page's files, and what else a process opens
UNLIMITED = 1 << 20


class Socket(Protocol):
    """A socket that can be closed."""

    def drop(self) -> None:
        """Close at once."""
        ...


class Sockets:
    """Lets sockets in, up to the limits; one that asks for nothing is closed when another needs its place."""

    def __init__(self, limits: Limits) -> None:
        self._most = min(limits.sockets, most_files() - SPARE_FILES)
        self._most_of_address = limits.address_sockets
        self._open: dict[Socket, str] = {}
        self._of_address: dict[str, int] = {}
        self._idle: OrderedDict[Socket, None] = OrderedDict()  # those that ask for nothing, longest first

    def admit(self, socket: Socket, address: str) -> bool:
        """Whether one more may come from an address."""
        if counted(address) and self._of_address.get(address, 0) >= self._most_of_address:
            if not self._make_room(address):
                return False
        elif len(self._open) >= self._most and not self._make_room(None):
            return False
        self._open[socket] = address
        self._of_address[address] = self._of_address.get(address, 0) + 1
        self._idle[socket] = None
        return True

    def _make_room(self, address: str | None) -> bool:
        """Close the socket that has been idle for longest, of that address or of all."""
        for socket in self._idle:
            if address is None or self._open[socket] == address:
                self.release(socket)
                socket.drop()
                return True
        return False

    def busy(self, socket: Socket) -> None:
        """It has asked for something: nobody takes its place."""
        self._idle.pop(socket, None)

    def idle(self, socket: Socket) -> None:
        """It asks for nothing any more."""
        if socket in self._open:
            self._idle[socket] = None

    def release(self, socket: Socket) -> None:
        """It is closed."""
        address = self._open.pop(socket, None)
        self._idle.pop(socket, None)
        if address is not None:
            self._of_address[address] -= 1
            if not self._of_address[address]:
                del self._of_address[address]


def most_files() -> int:
    """How many files the process may have open; as many as the system lets it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = UNLIMITED if hard == resource.RLIM_INFINITY else hard
    if soft != resource.RLIM_INFINITY and soft < most:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        except (OSError, ValueError):
            most = soft
    return most
