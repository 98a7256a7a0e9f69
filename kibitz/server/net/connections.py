"""One page or program that is connected: an inbox that is read in order, a queue with a limit.

A connection that can't keep up is let go; when it comes back it is shown everything.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import Protocol

import msgspec
from uvicorn.server import ServerState

from kibitz.server.limits import Limits
from kibitz.server.net.websocket import RESTART, TRY_LATER, WebSocket
from kibitz.server.protocol import FromServer, Preparing
from kibitz.server.stores.store import Guest
from kibitz.server.turns import Asker, asker_at

log = logging.getLogger("kibitz.connections")

encode = msgspec.json.Encoder().encode

INBOX = 32  # messages that wait to be answered before the socket isn't read further


class TooMany(Exception):
    """More has come than is allowed."""


class Service(Protocol):
    """Who lets connections in and holds the dialogue with them."""

    limits: Limits

    def admits(self, address: str) -> bool:
        """Whether an address may have one more connection."""
        ...

    async def serve(self, connection: "Connection") -> None:
        """Hold the dialogue until either side ends it."""
        ...


class Connection(WebSocket):
    """A page or program that is connected."""

    guest: Guest
    token_hash: bytes  # of the token that it has shown
    figures = False  # whether it is shown what follows from views
    rounds = False  # whether it says when the score of a round has been read

    def __init__(
        self, service: Service, address: str, server: ServerState, closed: Callable[[], None]
    ) -> None:
        super().__init__(service.limits)
        self.address = address
        self.watching: set[str] = set()
        self.tasks: set[asyncio.Task[None]] = set()
        self._service = service
        self._server = server
        self._closed = closed
        self._inbox: deque[str | TooMany | None] = deque()
        self._listening: asyncio.Future[None] | None = None

    @property
    def asker(self) -> Asker:
        """With whom it waits for its turn."""
        return asker_at(self.address, self.guest.id)

    # Its beginning and end

    def on_open(self) -> None:
        """Begin the dialogue, or say to try later."""
        self._server.connections.add(self)  # type: ignore[arg-type]
        if not self._service.admits(self.address):
            self.close(TRY_LATER)
            return
        task = asyncio.create_task(self._service.serve(self))
        self._server.tasks.add(task)
        task.add_done_callback(self._server.tasks.discard)

    def shutdown(self) -> None:
        """The server stops."""
        self.close(RESTART)
        self.disconnect()

    def on_end(self) -> None:
        """Nothing more will come."""
        self._inbox.clear()
        self._awake()

    def on_lost(self) -> None:
        """The socket is closed."""
        self._server.connections.discard(self)
        self._closed()

    # Sending

    def tell(self, message: FromServer) -> None:
        """Send a message to this connection alone."""
        self.send(encode(message))

    def tell_progress(self, game: str, done: int, total: int) -> None:
        """So many of a game's steps of so many are done."""
        self.tell(Preparing(game, done, total))

    def on_slow(self) -> None:
        """It takes too little of what is sent."""
        log.info("a connection from %s doesn't keep up", self.address)

    # Receiving

    async def receive(self) -> str | None:
        """The next message, None if it isn't text; raises TooMany, or EOFError when no more will come."""
        while not self._inbox:
            if self.ended:
                raise EOFError
            self._listening = asyncio.get_running_loop().create_future()
            await self._listening
        message = self._inbox.popleft()
        if not self._inbox:
            self.release("inbox")
        if isinstance(message, TooMany):
            raise message
        return message

    def on_message(self, text: str | None) -> None:
        """Keep a message until it is received."""
        self._inbox.append(text)
        self._awake()
        if len(self._inbox) == INBOX:
            self.hold("inbox")

    def on_too_many(self) -> None:
        """Tell so when all that came before is received."""
        self._inbox.append(TooMany())
        self._awake()

    def _awake(self) -> None:
        if self._listening is not None and not self._listening.done():
            self._listening.set_result(None)
