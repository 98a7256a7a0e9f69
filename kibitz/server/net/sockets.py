"""How many sockets are open, in all and from each address. Who hasn't asked for anything gives way."""

import resource
from collections import OrderedDict
from typing import Protocol

from kibitz.server.limits import Limits
from kibitz.server.net.addresses import counted

SPARE_FILES = 64  # for the store, the page's files, and what else a process opens
UNLIMITED = 1 << 20


class Socket(Protocol):
    """A socket that can be closed."""

    @property
    def untaken(self) -> int:
        """Bytes of answers that the other side hasn't taken yet."""
        ...

    def drop(self) -> None:
        """Close at once."""
        ...


class Sockets:
    """Lets sockets in, up to the limits; one that asks for nothing is closed when another needs its place."""

    def __init__(self, limits: Limits) -> None:
        self._most = min(limits.sockets, most_files() - SPARE_FILES)
        self._most_of_address = limits.address_sockets
        self._most_untaken = limits.address_untaken
        self._open: dict[Socket, str] = {}
        self._owing: dict[str, dict[Socket, None]] = {}  # of an address, with answers that aren't taken yet
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

    def owes(self, socket: Socket) -> None:
        """Not all of an answer is taken: of an address only so much may wait, the latest first."""
        address = self._open.get(socket)
        if address is None or not counted(address):
            return
        owing = self._owing[address] = {
            one: None for one in (*self._owing.get(address, ()), socket) if one.untaken
        }
        while sum(one.untaken for one in owing) > self._most_untaken:
            first = next(iter(owing))
            del owing[first]
            first.drop()

    def release(self, socket: Socket) -> None:
        """It is closed."""
        address = self._open.pop(socket, None)
        self._idle.pop(socket, None)
        if address is not None:
            self._owing.get(address, {}).pop(socket, None)
            if not self._owing.get(address, True):
                del self._owing[address]
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
