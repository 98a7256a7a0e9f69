"""One WebSocket. What is sent waits with a limit and a deadline; nobody waits for the slow.

A connection that can't keep up is let go; when it comes back it is shown everything. It sits in the loop as
an `asyncio.Protocol` beside the ASGI application, which would cost each message a task and four system calls.
Opening, closing and all odd frames are the work of `websockets`; a text in one frame, as nearly all messages
are, is taken and sent here.
"""

import asyncio
import logging
import time
from collections import deque
from contextlib import suppress
from typing import Protocol, cast

import msgspec
from uvicorn.server import ServerState
from websockets.datastructures import Headers
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import OPEN
from websockets.server import ServerProtocol
from websockets.typing import BytesLike

from kibitz.server.limits import Limits
from kibitz.server.origins import allowed
from kibitz.server.protocol import FRAME_BYTES, FromServer
from kibitz.server.store import Guest

try:
    from websockets.speedups import apply_mask
except ImportError:  # it is in C, and not made for every machine
    from websockets.utils import apply_mask

log = logging.getLogger("kibitz.connections")

encode = msgspec.json.Encoder().encode

PATH = "/ws"
TEXT_ONLY, NOT_TEXT, POLICY, UNEXPECTED, RESTART, TRY_LATER = 1003, 1007, 1008, 1011, 1012, 1013
LOOPBACK = ("127.0.0.1", "::1")
PING_SECONDS = 20.0  # between two pings; who is silent from one to the next is gone
CLOSE_SECONDS = 10.0  # for the other side to take the last words
TEXT = 0x81  # the first byte of a whole text's frame
MASKED = 0x80  # in its second byte, beside the length, or that the length follows:
IN_2_BYTES, IN_8_BYTES = 126, 127
MASK = 4  # bytes before the body
INBOX = 32  # messages that wait to be heard before the socket isn't read further


class Sessions(Protocol):
    """Who holds the dialogues."""

    limits: Limits

    def admits(self, address: str) -> bool:
        """Whether an address may have one more connection."""
        ...

    async def serve(self, connection: "Connection") -> None:
        """Hold the dialogue until either side ends it."""
        ...


class Connection(asyncio.Protocol):
    """A page or program that is connected."""

    guest: Guest
    _transport: asyncio.Transport

    def __init__(self, sessions: Sessions, public_url: str | None, server: ServerState) -> None:
        self.address = "unknown"
        self.limits = sessions.limits
        self.watching: set[str] = set()
        self.tasks: set[asyncio.Task[None]] = set()
        self._sessions = sessions
        self._public_url = public_url
        self._server = server
        self._loop = asyncio.get_running_loop()
        self._frames = ServerProtocol(max_size=FRAME_BYTES, logger=log)
        self._ended = False  # nothing more is heard, or sent
        self._sorts = False  # sorts out frames: after the request, until one is odd
        self._partial = b""  # of a frame
        self._fragments: list[BytesLike] = []
        self._inbox: deque[str | None] = deque()
        self._listening: asyncio.Future[None] | None = None
        self._reading = True
        self._alive = True  # something came since the last ping
        self._unsent: list[bytes] = []
        self._unsent_bytes = 0
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._window = time.monotonic()
        self._received = 0

    # Its beginning and end, as the loop tells of them

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """There is a socket; the request to upgrade follows."""
        self._transport = cast(asyncio.Transport, transport)  # uvloop's are of no such class
        self._server.connections.add(self)  # type: ignore[arg-type]

    def data_received(self, data: bytes) -> None:
        """Take the frames that are whole."""
        self._alive = True
        data = self._partial + data if self._partial else data
        start = 0
        while self._sorts and (places := frame_at(data, start)) is not None:
            body, end = places
            if data[start] == TEXT and body and not self._fragments and self._frames.state is OPEN:
                self._keep(apply_mask(data[body:end], data[body - MASK : body]))
            else:
                self._sorts = body > 0
                self._receive(data[start:end])
            start = end
        self._partial = data[start:] if self._sorts else b""
        if not self._sorts and start < len(data):
            self._receive(data[start:])

    def _receive(self, data: bytes) -> None:
        self._frames.receive_data(data)
        for event in self._frames.events_received():
            if isinstance(event, Frame):
                self._take(event)
            elif isinstance(event, Request):
                self._open(event)
        self._react()

    def _react(self) -> None:
        self._write()
        if not self._ended and self._frames.close_expected():
            self._end()

    def connection_lost(self, error: Exception | None) -> None:
        """The socket is closed."""
        self._end()
        for timer in self._timers.values():
            timer.cancel()
        self._server.connections.discard(self)

    def shutdown(self) -> None:
        """The server stops."""
        self.close(RESTART)
        self._transport.close()

    def _open(self, request: Request) -> None:
        """Let a connection in, or turn it away before the upgrade."""
        headers = request.headers
        known = request.path.partition("?")[0] == PATH
        if not known or not allowed(headers.get("Origin"), headers.get("Host", ""), self._public_url):
            self._frames.send_response(self._frames.reject(403, ""))
            return
        self._frames.send_response(self._frames.accept(request))
        if self._frames.close_expected():
            return
        self.address = _address(self._transport, headers)
        if not self._sessions.admits(self.address):
            self.close(TRY_LATER)
            return
        self._sorts = True
        self._after(PING_SECONDS, "ping", self._ping)
        task = self._loop.create_task(self._sessions.serve(self))
        self._server.tasks.add(task)
        task.add_done_callback(self._server.tasks.discard)

    def _end(self) -> None:
        """Hear and send nothing more, and wait for the other side to close, but not for ever."""
        self._ended = True
        self._awake()
        self._read_on()
        self._after(CLOSE_SECONDS, "close", self._transport.abort)

    def _after(self, seconds: float, name: str, act: object) -> None:
        if name in self._timers:
            self._timers[name].cancel()
        self._timers[name] = self._loop.call_later(seconds, act)  # type: ignore[arg-type]

    def _ping(self) -> None:
        if not self._alive and self._reading:
            self._transport.abort()
        elif not self._ended:
            self._alive = False
            self._frames.send_ping(b"")
            self._write()
            self._after(PING_SECONDS, "ping", self._ping)

    # Sending

    def tell(self, message: FromServer) -> None:
        """Send a message to this connection alone."""
        self.send(encode(message))

    def send(self, message: bytes) -> None:
        """Send an encoded message, with others of this moment; if too much waits already, let it go."""
        if self._ended:
            return
        if self._unsent_bytes + self._transport.get_write_buffer_size() > self.limits.queue_bytes:
            log.info("a connection from %s doesn't keep up", self.address)
            self.close(TRY_LATER)
            return
        if not self._unsent:
            self._loop.call_soon(self._flush)
        self._unsent.append(message)
        self._unsent_bytes += len(message)

    def close(self, code: int) -> None:
        """Send what waits, then close."""
        if not self._ended:
            self._flush()
            self._frames.send_close(code)
            self._write()
            self._inbox.clear()
            self._end()

    def _flush(self) -> None:
        if not self._ended and not self._transport.is_closing():
            self._transport.write(b"".join([part for message in self._unsent for part in framed(message)]))
        self._unsent.clear()
        self._unsent_bytes = 0

    def _write(self) -> None:
        frames = self._frames.data_to_send()
        if not frames or self._transport.is_closing():
            return
        ending = frames[-1] == b""  # the sign for the end
        if data := b"".join(frames):
            self._transport.write(data)
        if ending:
            with suppress(OSError):  # the other side may be gone
                self._transport.write_eof()

    def pause_writing(self) -> None:
        """Much waits to be sent: from now on it has a deadline."""
        self._after(self.limits.send_seconds, "send", self._transport.abort)

    def resume_writing(self) -> None:
        """Little waits to be sent."""
        self._timers.pop("send").cancel()

    # Receiving

    async def hear(self) -> str | None:
        """The next message, None if it isn't text; raises EOFError when there will be no more."""
        while not self._inbox:
            if self._ended:
                raise EOFError
            self._listening = self._loop.create_future()
            await self._listening
        message = self._inbox.popleft()
        if not self._inbox:
            self._read_on()
        return message

    def too_fast(self) -> bool:
        """Count a message; whether they are too many."""
        now = time.monotonic()
        if now - self._window > self.limits.message_seconds:
            self._window, self._received = now, 0
        self._received += 1
        return self._received > self.limits.messages

    def _take(self, frame: Frame) -> None:
        if frame.opcode is Opcode.TEXT or frame.opcode is Opcode.BINARY:
            self._is_text = frame.opcode is Opcode.TEXT
        elif frame.opcode is not Opcode.CONT:
            return
        self._fragments.append(frame.data)
        if frame.fin:
            message = b"".join(self._fragments)
            self._fragments.clear()
            if not self._ended:
                self._keep(message, self._is_text)

    def _keep(self, message: bytes, is_text: bool = True) -> None:
        try:
            self._inbox.append(message.decode() if is_text else None)
        except UnicodeDecodeError:
            if not self._frames.close_expected():
                self._frames.fail(NOT_TEXT)
                self._react()
            return
        self._awake()
        if self._reading and len(self._inbox) >= INBOX:
            self._reading = False
            self._transport.pause_reading()

    def _awake(self) -> None:
        if self._listening is not None and not self._listening.done():
            self._listening.set_result(None)

    def _read_on(self) -> None:
        if not self._reading:
            self._reading = True
            self._transport.resume_reading()


# Frames


def framed(message: bytes) -> tuple[bytes, bytes]:
    """The head of a frame, and the text in it."""
    size = len(message)
    if size < IN_2_BYTES:
        return bytes((TEXT, size)), message
    if size < 1 << 16:
        return bytes((TEXT, IN_2_BYTES)) + size.to_bytes(2), message
    return bytes((TEXT, IN_8_BYTES)) + size.to_bytes(8), message


def frame_at(data: bytes, start: int) -> tuple[int, int] | None:
    """Where the body of the frame at `start` begins and ends; None until all of it is there.

    One that is too long or not masked isn't waited for: it begins at 0 and has all that came.
    """
    came = len(data)
    if came < start + 2:
        return None
    size, body = data[start + 1] - MASKED, start + 2 + MASK
    if size == IN_2_BYTES:
        if came < start + 4:
            return None
        size, body = int.from_bytes(data[start + 2 : start + 4]), body + 2
    if size < 0 or size == IN_8_BYTES or size > FRAME_BYTES:
        return 0, came
    return (body, body + size) if came >= body + size else None


def _address(transport: asyncio.Transport, headers: Headers) -> str:
    """Where it comes from; a proxy on this machine is believed."""
    peer = transport.get_extra_info("peername")
    address = str(peer[0]) if peer else LOOPBACK[0]
    forwarded = headers.get_all("X-Forwarded-For")
    if address in LOOPBACK and forwarded:
        return forwarded[-1].rpartition(",")[2].strip()
    return address
