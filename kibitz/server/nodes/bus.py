"""News between the nodes that serve one store. In one process, a list of calls.

News is never more than a hint: a node that hears of a row it doesn't have reads it from the store, and looks
there now and then by itself. What is lost, doubled or late does no harm but delay.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import msgspec

from kibitz.server.protocol import Nudged, Reported

log = logging.getLogger("kibitz.bus")

BREATH_SECONDS = 0.003  # between two messages: what comes in meanwhile goes together
ALONE_SECONDS = 10.0  # after which no other node is there; each says every two seconds how it is


class Appended(msgspec.Struct, frozen=True, tag="row"):
    """A table has a new row, of this number."""

    table: str
    number: int


class Here(msgspec.Struct, frozen=True, tag="here"):
    """Which guests are connected to a node, at each of these tables: all of them."""

    node: str
    tables: dict[str, list[str]]


class WhoIsHere(msgspec.Struct, frozen=True, tag="who"):
    """A node would like to know who is at a table, whose last row it found to be of this number."""

    node: str
    table: str
    number: int = -1


class CalledNow(msgspec.Struct, frozen=True, tag="name"):
    """A guest has another name."""

    guest: str
    name: str


class GuestChanged(msgspec.Struct, frozen=True, tag="guest"):
    """A guest has left devices, has a passphrase now, or is forgotten."""

    guest: str


class CountedOnce(msgspec.Struct, frozen=True, tag="count"):
    """Somebody has done once more what one may do only so often."""

    node: str
    what: str
    who: str


class Connected(msgspec.Struct, frozen=True, tag="connected"):
    """How many connections a guest has to a node."""

    node: str
    guest: str
    count: int


class ToldAt(msgspec.Struct, frozen=True, tag="told"):
    """A guest at a table is reminded that it waits, or told what was said there."""

    table: str
    guest: str
    message: Nudged | Reported


class RoundRead(msgspec.Struct, frozen=True, tag="read"):
    """A guest has read the score of the round that ended with a row, or is shown none."""

    table: str
    guest: str
    number: int


class HouseChanged(msgspec.Struct, frozen=True, tag="house"):
    """Whoever hosts the house has laid something down: look."""


class NodeFigures(msgspec.Struct, frozen=True, tag="figures"):
    """How a node is."""

    node: str
    figures: dict[str, Any]


class Missed(msgspec.Struct, frozen=True, tag="missed"):
    """This node has heard nothing for a while: look. It tells itself."""


News = (
    Appended
    | Here
    | WhoIsHere
    | CalledNow
    | GuestChanged
    | CountedOnce
    | Connected
    | ToldAt
    | RoundRead
    | HouseChanged
    | NodeFigures
    | Missed
)
Listener = Callable[[News], None]


class Bus(Protocol):
    """Tells every node what one of them has to say."""

    far: bool  # whether other processes may be there
    node: str  # what this one is called

    def publish(self, news: News) -> None:
        """Tell everybody else."""
        ...

    def subscribe(self, listener: Listener) -> None:
        """Tell me from now on."""
        ...

    def unsubscribe(self, listener: Listener) -> None:
        """Tell me no longer."""
        ...

    async def open(self) -> None:
        """Begin to listen."""
        ...

    async def close(self) -> None:
        """Say what is still to be said, then let go."""
        ...


class LocalBus:
    """The bus of a single process; what all buses share."""

    far = False

    def __init__(self) -> None:
        self.node = new_node()
        self._listeners: list[Listener] = []

    def subscribe(self, listener: Listener) -> None:
        """Add a listener."""
        self._listeners.append(listener)

    def unsubscribe(self, listener: Listener) -> None:
        """Remove a listener."""
        self._listeners.remove(listener)

    def tell(self, news: News) -> None:
        """Tell the listeners here."""
        for listener in list(self._listeners):
            listener(news)

    def publish(self, news: News) -> None:
        """Tell everybody, who is here."""
        self.tell(news)

    async def open(self) -> None:
        """Nobody is far away."""

    async def close(self) -> None:
        """Nothing to let go of."""


class FarBus(LocalBus):
    """What buses between processes share: news as lines of JSON, many at once, from a task of their own."""

    far = True
    most_bytes = 1 << 16  # of a message

    def __init__(self) -> None:
        super().__init__()
        self._outbox: list[bytes] = []
        self._sending: asyncio.Task[None] | None = None
        self._heard_at = time.monotonic()

    @property
    def alone(self) -> bool:
        """Whether no other node has said anything for a while."""
        return time.monotonic() - self._heard_at > ALONE_SECONDS

    def publish(self, news: News) -> None:
        """Tell all other nodes, soon; of rows nobody is told where nobody is."""
        if type(news) is Appended and self.alone:
            return
        self._outbox.append(msgspec.json.encode(news))
        if self._sending is None:
            self._sending = asyncio.get_running_loop().create_task(self._send_all())

    async def _send_all(self) -> None:
        while self._outbox:
            lines, self._outbox = self._outbox, []
            try:
                for message in together(lines, self.most_bytes):
                    await self._send(self.node.encode() + message)
            except Exception as error:
                log.warning("news for other nodes is lost: %s", error)
            await asyncio.sleep(BREATH_SECONDS)
        self._sending = None

    async def _send(self, message: bytes) -> None:
        raise NotImplementedError

    def heard(self, message: bytes) -> None:
        """Something came; one's own news is none, and what a newer node says may make no sense here."""
        if message.startswith(self.node.encode()):
            return
        self._heard_at = time.monotonic()
        for line in message[NODE_LENGTH:].split(b"\n"):
            if (news := understood(line)) is not None:
                self.tell(news)

    async def close(self) -> None:
        """Say what is still to be said."""
        if self._sending is not None:
            await self._sending


def understood(line: bytes) -> News | None:
    """News, unless it is of a kind that is unknown here."""
    try:
        news: News = decode(line)
    except msgspec.MsgspecError:
        return None
    return news


def together(lines: Sequence[bytes], most_bytes: int) -> Iterator[bytes]:
    """As few messages as hold these lines; a line that is too long is left to be found in the store."""
    message = b""
    for line in lines:
        if len(line) > most_bytes:
            continue
        if message and len(message) + 1 + len(line) > most_bytes:
            yield message
            message = b""
        message = message + b"\n" + line if message else line
    if message:
        yield message


NODE_LENGTH = 8
decode = msgspec.json.Decoder(News).decode


def new_node() -> str:
    """A name that no other node has."""
    return secrets.token_hex(NODE_LENGTH // 2)
