"""Sockets from their first byte on: HTTP by uvicorn, upgrades to WebSockets, deadlines and limits.

All that can be asked of a stranger before the application sees a request is asked here.
"""

import asyncio
import base64
import binascii
from contextlib import suppress
from http import HTTPStatus
from typing import Any

import h11
import msgspec
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from kibitz.server.limits import Limits, Rate
from kibitz.server.net.addresses import LOOPBACK, Network, among, counted, household
from kibitz.server.net.answers import HEADERS, told_to_wait
from kibitz.server.net.connections import Connection, Service
from kibitz.server.net.origins import allowed
from kibitz.server.net.pacing import LoopShare
from kibitz.server.net.sockets import Sockets
from kibitz.server.net.websocket import upgrade

PATH = b"/ws"
KEY_BYTES = 16
WEBSOCKET_VERSION = "13"
EXPECT = "kibitz.expect"  # in a request's state: how an endless answer says how long a piece may take
REFUSAL_SECONDS = 2.0  # for a refusal to be taken
TOO_LONG = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
IGNORED_BYTES = 1 << 18  # that may still come then
NO_MORE = Response(status_code=HTTPStatus.TOO_MANY_REQUESTS, headers={**HEADERS, "Connection": "close"})


class Entrance:
    """What all sockets share."""

    def __init__(self, service: Service, public_url: str | None, proxies: tuple[Network, ...] = ()) -> None:
        self.service = service
        self.public_url = public_url
        self.proxies = proxies
        self.limits = service.limits
        self.sockets = Sockets(service.limits)
        self.pace = LoopShare()
        self._requests = Rate(service.limits.requests, service.limits.request_seconds)
        self._refusals = Rate(service.limits.refusals, service.limits.request_seconds)

    def wait(self, address: str) -> float:
        """Count a request of an address, or return for how many seconds it has to wait."""
        wait = self._requests.wait(address) if counted(address) else 0.0
        if wait:
            self._refusals.wait(address)
        return wait

    def turns_away(self, address: str) -> bool:
        """Whether an address has to wait, and was told so often enough: nobody talks to it until then."""
        return counted(address) and bool(self._requests.left(address) and self._refusals.left(address))

    def __call__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> "HttpProtocol":
        """What uvicorn asks for when a socket is accepted."""
        return HttpProtocol(self, config, server_state, app_state, _loop)


class Requests(h11.Connection):
    """What a socket sends, as requests. `h11` measures only heads that aren't whole yet; here all is."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(h11.SERVER, limits.head_bytes)
        self._limits = limits
        self._bytes = self._parts = 0  # of what comes with a request
        self.status = HTTPStatus.BAD_REQUEST  # of the answer to what can't be taken

    def next_event(self) -> Any:
        """The next part of a request; raises `RemoteProtocolError` for what can't be taken."""
        try:
            if self.their_state is h11.IDLE:
                self._count_lines()
            event = super().next_event()
            if isinstance(event, h11.Request):
                self._bytes = self._parts = 0
                if head_bytes(event) > self._limits.head_bytes:
                    raise h11.RemoteProtocolError("the head is too long", TOO_LONG)
            elif isinstance(event, h11.Data):
                self._measure(len(event.data))
        except h11.RemoteProtocolError as error:
            self.status = HTTPStatus(error.error_status_hint)
            raise
        return event

    def _count_lines(self) -> None:
        """Before they are read: a head of nothing but short lines takes long."""
        came, _ = self.trailing_data
        end = came.find(b"\r\n\r\n")
        if came.count(b"\n", 0, end if end >= 0 else len(came)) > self._limits.head_lines:
            raise h11.RemoteProtocolError("the head has too many lines", TOO_LONG)

    def _measure(self, size: int) -> None:
        limits = self._limits
        self._bytes += size
        self._parts += 1
        parts = self._parts - self._bytes // limits.part_bytes
        if self._bytes > limits.body_bytes or parts > limits.body_parts:
            raise h11.RemoteProtocolError("too much comes along", HTTPStatus.REQUEST_ENTITY_TOO_LARGE)


def head_bytes(request: h11.Request) -> int:
    """How long a request's head is, as it is usually written."""
    line = len(request.method) + len(request.target) + len("  HTTP/1.1\r\n")
    return line + sum(len(name) + len(value) + len(": \r\n") for name, value in request.headers)


class HttpProtocol(H11Protocol):
    """One socket, until it is upgraded or closed."""

    def __init__(self, entrance: Entrance, *uvicorns: Any) -> None:
        super().__init__(*uvicorns)
        self.conn = self._requests = Requests(entrance.limits)
        self._entrance = entrance
        self._deadline: asyncio.TimerHandle | None = None
        self._streams = False  # an answer is sent that has no end of its own
        self._ignored: int | None = None  # bytes that came after a refusal

    # Its life

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """There is a socket; a request has to follow soon."""
        super().connection_made(transport)
        if self.client and among(self.client[0], self._entrance.proxies):
            self.client = LOOPBACK[0], self.client[1]  # believed like a proxy on this machine
        address = household(self._peer)
        if not self._entrance.turns_away(address) and self._entrance.sockets.admit(self, address):
            self._expect(self._entrance.limits.head_seconds)
        else:
            self.drop()

    def connection_lost(self, exc: Exception | None) -> None:
        """The socket is closed."""
        self._expect(None)
        self._entrance.sockets.release(self)
        super().connection_lost(exc)

    def drop(self) -> None:
        """Close at once."""
        self.transport.abort()

    def _expect(self, seconds: float | None) -> None:
        """Something has to happen in this time; None: nothing has to."""
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None if seconds is None else self.loop.call_later(seconds, self.drop)

    # A request and its answer

    @property
    def _is_answering(self) -> bool:
        return bool(self.cycle) and not self.cycle.response_complete  # uvicorn begins with None

    def data_received(self, data: bytes) -> None:
        """Take a part of a request."""
        if self._ignored is not None:
            self._ignore(data)
            return
        if not self._is_answering and self._deadline is None:
            self._expect(self._entrance.limits.head_seconds)
        super().data_received(data)

    def handle_events(self) -> None:
        """Understand what has come: now, or when it is this socket's turn, and until then read no more."""
        pace = self._entrance.pace
        if pace.has_time:
            pace.now(self._understand)
        else:
            self.transport.pause_reading()
            pace.later(household(self._peer), self._understand_later)

    def _understand_later(self) -> None:
        upgraded = self.transport.get_protocol() is not self
        if not upgraded and self._ignored is None and not self.transport.is_closing():
            if not self.flow.read_paused:
                self.transport.resume_reading()
            self._understand()

    def _understand(self) -> None:
        super().handle_events()
        self._note_request()

    def on_response_complete(self) -> None:
        """An answer is sent; another request may wait already."""
        self._expect(None)
        self._entrance.sockets.idle(self)
        if self.untaken:
            self._entrance.sockets.owes(self)
            self.loop.call_later(self._entrance.limits.answer_seconds, self._mind_taking, self.untaken)
        super().on_response_complete()

    def _note_request(self) -> None:
        if self._is_answering:
            self._entrance.sockets.busy(self)
            self._expect(self._entrance.limits.answer_seconds)
            self.cycle.scope["state"][EXPECT] = self._expect_piece

    def _expect_piece(self, seconds: float | None) -> None:
        """An answer without end: each piece of it has to be taken in this time."""
        self._streams = True
        self._expect(seconds)

    def shutdown(self) -> None:
        """The server stops; what would never end is ended."""
        super().shutdown()
        if self._streams and self._is_answering:
            self.drop()

    @property
    def untaken(self) -> int:
        """Bytes of answers that the other side hasn't taken yet."""
        return self.transport.get_write_buffer_size()

    def _mind_taking(self, before: int) -> None:
        """Who takes nothing is let go; who is slow isn't."""
        if self.transport.get_protocol() is not self:
            return  # it has become a WebSocket
        if 0 < before <= self.untaken and not self.transport.is_closing():
            self.drop()
        elif self.untaken:
            self.loop.call_later(self._entrance.limits.answer_seconds, self._mind_taking, self.untaken)

    # WebSockets

    def _should_upgrade_to_ws(self) -> bool:
        return True

    def _unsupported_upgrade_warning(self) -> None:
        """Strangers may ask for any protocol there is: not worth a line in the log."""

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Let a connection in, or turn it away before the upgrade."""
        headers = Fields(self.headers)
        refusal = self._why_no_upgrade(event, headers)
        if refusal is not None:
            self.refuse(*refusal)
            return
        self._expect(None)
        self._entrance.sockets.busy(self)
        self.connections.discard(self)
        rest, _ = self.conn.trailing_data
        connection = Connection(
            self._entrance.service,
            self._address(headers),
            self.server_state,
            closed=lambda: self._entrance.sockets.release(self),
        )
        upgrade(self.transport, headers.one("sec-websocket-key"), rest, connection)

    def _why_no_upgrade(self, event: h11.Request, headers: "Fields") -> tuple[int, str] | None:
        if event.method != b"GET" or not is_key(headers.one("sec-websocket-key")):
            return 400, "This is no request for a WebSocket."
        if headers.one("sec-websocket-version") != WEBSOCKET_VERSION:
            return 426, "Only version 13 of WebSockets is spoken here."
        if event.target.partition(b"?")[0] != PATH:
            return 403, "There is no WebSocket at this address."
        if not allowed(headers.all("origin"), headers.one("host"), self._entrance.public_url):
            return 403, "Pages of other sites may not connect."
        address = self._address(headers)
        if self._entrance.wait(address):
            return 429, "This address connects too often: wait half a minute."
        return None

    @property
    def _peer(self) -> str:
        return self.client[0] if self.client else LOOPBACK[0]

    def _address(self, headers: "Fields") -> str:
        """Where the request comes from; a proxy on this machine, or of the host's, is believed."""
        forwarded = headers.all("x-forwarded-for")
        if forwarded and not counted(self._peer):
            return household(forwarded[-1].rpartition(",")[2].strip())
        return household(self._peer)

    # Refusing

    def send_400_response(self, msg: str) -> None:
        """What came isn't HTTP, or is too long."""
        if self._is_answering:
            self.drop()
        elif self.conn.our_state is h11.DONE:  # it belongs to a request that has been answered
            self._hear_out()
        elif self._requests.status == TOO_LONG:
            self.refuse(self._requests.status, "The head of the request is too long.")
        else:
            self.refuse(self._requests.status, "This is no request that could be understood.")

    def refuse(self, status: int, reason: str) -> None:
        """Answer without asking the application, and close."""
        body = msgspec.json.encode({"code": "bad-request", "reason": reason})
        fields = {
            **HEADERS,
            "Cache-Control": "no-store",
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            "Connection": "close",
        }
        if status == HTTPStatus.UPGRADE_REQUIRED:
            fields["Sec-WebSocket-Version"] = WEBSOCKET_VERSION
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        line = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n"
        self.transport.write(f"{line}{head}\r\n".encode() + body)
        self._hear_out()

    def _hear_out(self) -> None:
        """Let the other side say the rest, so that it takes the answer; but not for ever."""
        self._ignored = 0
        self._expect(REFUSAL_SECONDS)
        with suppress(OSError):  # the other side may be gone
            self.transport.write_eof()

    def _ignore(self, data: bytes) -> None:
        assert self._ignored is not None
        self._ignored += len(data)
        if self._ignored > IGNORED_BYTES:
            self.drop()


class RequestRate:
    """Before the application: so many requests of an address in so long."""

    def __init__(self, app: ASGIApp, entrance: Entrance) -> None:
        self._app = app
        self._entrance = entrance

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or say to wait; who was told often enough is told in short, and let go."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        address = household(scope["client"][0]) if scope.get("client") else LOOPBACK[0]
        heard, wait = self._entrance.turns_away(address), self._entrance.wait(address)
        if wait:
            await (NO_MORE if heard else told_to_wait(wait))(scope, receive, send)
        else:
            await self._app(scope, receive, send)


class Fields:
    """The headers of a request."""

    def __init__(self, fields: list[tuple[bytes, bytes]]) -> None:
        self._fields = fields

    def all(self, name: str) -> list[str]:
        """All values of a header."""
        return [value.decode("latin-1") for key, value in self._fields if key == name.encode()]

    def one(self, name: str) -> str:
        """The first value; nothing if there is none."""
        return next(iter(self.all(name)), "")


def is_key(key: str) -> bool:
    """Whether a browser could have made this for a WebSocket."""
    try:
        return len(base64.b64decode(key, validate=True)) == KEY_BYTES
    except (binascii.Error, ValueError):
        return False
