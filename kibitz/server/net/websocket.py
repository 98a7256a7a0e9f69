"""A WebSocket: whole texts in and out, every frame counted. The only module that knows `picows`.

`picows` reads, unmasks and writes frames in C and calls back for each. It can take over a socket that has
been accepted only through `WSProtocol`, which it doesn't export: its version is pinned. What it leaves to its
users is done here: fragments, reserved bits, closing, limits, and that reading waits while writing does.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Any

from picows import WSFrame, WSListener, WSMsgType, WSTransport
from picows.picows import WSAutoPingStrategy, WSProtocol  # type: ignore[attr-defined]

from kibitz.server.limits import Limits
from kibitz.server.protocol import FRAME_BYTES

log = logging.getLogger("kibitz.websocket")

NORMAL, WRONG_FRAME, TEXT_ONLY, NOT_TEXT, POLICY = 1000, 1002, 1003, 1007, 1008
TOO_BIG, UNEXPECTED, RESTART, TRY_LATER = 1009, 1011, 1012, 1013
PING_SECONDS = 20.0  # between two pings; who is silent from one to the next is gone
CLOSE_SECONDS = 10.0  # for the other side to take the last words
AFTER_CLOSE_BYTES = 1 << 16  # that the other side may still send then
READ_BYTES = 4096  # of the buffer that a connection begins with; it grows to hold the longest frame

TEXT, BINARY, CONTINUATION = WSMsgType.TEXT, WSMsgType.BINARY, WSMsgType.CONTINUATION
PING, PONG, CLOSE = WSMsgType.PING, WSMsgType.PONG, WSMsgType.CLOSE


class WebSocket(WSListener):
    """One WebSocket. What comes is told to `on_message`, `on_too_many` and `on_end`."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.ended = False  # nothing more is taken, or sent
        self._loop = asyncio.get_running_loop()
        self._frames: WSTransport
        self._out: Batch
        self._fragments: list[bytes] | None = None  # of a message that isn't whole yet
        self._is_text = True
        self._holds: set[str] = set()  # why nothing is read now
        self._alive = True  # something came since the last ping
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._allowed = limits.first_frames
        self._window = time.monotonic()
        self._counted = 0

    # What becomes of it is for others to say

    def on_open(self) -> None:
        """Messages can be sent, and will come."""

    def on_message(self, text: str | None) -> None:
        """A message; None if it isn't text."""

    def on_too_many(self) -> None:
        """More frames have come than are allowed; nothing is read any more."""

    def on_slow(self) -> None:
        """The other side takes too little of what is sent."""

    def on_end(self) -> None:
        """Nothing more will come."""

    def on_lost(self) -> None:
        """The socket is closed."""

    # As the library calls it

    def on_ws_connected(self, transport: WSTransport) -> None:
        """The handshake is done."""
        self._frames = transport
        self._out = transport.underlying_transport  # type: ignore[assignment]
        self._after(PING_SECONDS, "ping", self._ping)
        self.on_open()

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Count a frame and take it."""
        self._alive = True
        kind = frame.msg_type
        if self.ended:
            if kind is CLOSE:
                self._out.finish()
            return
        if self._is_one_too_many():
            return
        if frame.rsv1 or frame.rsv2 or frame.rsv3:
            self.close(WRONG_FRAME)
        elif kind is TEXT and frame.fin and self._fragments is None:
            self._take_text(frame.get_payload_as_bytes())
        elif kind is PING:
            self._answer_ping(frame.get_payload_as_bytes())
        elif kind is CLOSE:
            self.close(NORMAL)
            self._out.finish()
        elif kind is not PONG:
            self._take_fragment(kind, frame)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        """The socket is closed."""
        self._end()
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        self.on_lost()

    def on_wrong_frame(self) -> None:
        """The library has found a frame that breaks the rules, and has said so to the other side."""
        if not self.ended:
            self._end()
            self._await_close()

    # Receiving

    def _is_one_too_many(self) -> bool:
        """Count a frame of any kind; whether that was one more than is allowed."""
        now = time.monotonic()
        if now - self._window > self.limits.message_seconds:
            self._window, self._counted = now, 0
        self._counted += 1
        if self._counted <= self._allowed:
            return False
        if self._counted == self._allowed + 1:
            self.hold("too many")
            self.on_too_many()
        return True

    def _take_text(self, content: bytes) -> None:
        try:
            text = content.decode()
        except UnicodeDecodeError:
            self.close(NOT_TEXT)
            return
        self._allowed = self.limits.messages
        self.on_message(text)

    def _take_fragment(self, kind: WSMsgType, frame: WSFrame) -> None:
        """A part of a message, or a message that isn't text."""
        if (kind is CONTINUATION) != (self._fragments is not None):
            self.close(WRONG_FRAME)
            return
        if self._fragments is None:
            self._fragments, self._is_text = [], kind is TEXT
        self._fragments.append(frame.get_payload_as_bytes())
        if sum(map(len, self._fragments)) > FRAME_BYTES or len(self._fragments) > self.limits.fragments:
            self.close(TOO_BIG)
        elif frame.fin:
            content = b"".join(self._fragments)
            self._fragments = None
            if self._is_text:
                self._take_text(content)
            else:
                self.on_message(None)

    # Reading waits

    def hold(self, reason: str) -> None:
        """Read nothing for now."""
        if not self._holds and not self.ended:
            self._out.transport.pause_reading()
        self._holds.add(reason)

    def release(self, reason: str) -> None:
        """Read again, unless there is another reason not to."""
        if reason in self._holds:
            self._holds.discard(reason)
            if not self._holds and not self.ended:
                self._out.transport.resume_reading()

    def pause_writing(self) -> None:
        """Much waits to be sent: from now on it has a deadline, and nothing is read."""
        self.hold("writing")
        self._after(self.limits.send_seconds, "send", self._out.abort)

    def resume_writing(self) -> None:
        """Little waits to be sent."""
        self._cancel("send")
        self.release("writing")

    # Sending

    def send(self, message: bytes) -> None:
        """Send a text, with others of this moment; if too much waits already, let the connection go."""
        if not self.ended and self._has_room():
            self._frames.send(TEXT, message)

    def _has_room(self) -> bool:
        if self._out.waiting <= self.limits.queue_bytes:
            return True
        self.on_slow()
        self.close(TRY_LATER)
        return False

    def _answer_ping(self, content: bytes) -> None:
        if self._has_room():
            self._frames.send_pong(content)

    def _ping(self) -> None:
        if not self._alive and not self._holds:
            self._out.abort()
        elif not self.ended:
            self._alive = False
            self._frames.send_ping()
            self._after(PING_SECONDS, "ping", self._ping)

    # Ending

    def close(self, code: int) -> None:
        """Send what waits, then close."""
        if not self.ended:
            self._frames.send_close(code)  # type: ignore[arg-type]
            self._out.flush()
            self._end()
            self._await_close()

    def disconnect(self) -> None:
        """Send what waits, and wait for nothing."""
        self._out.finish()

    def _end(self) -> None:
        if not self.ended:
            self.ended = True
            self._fragments = None
            self.on_end()

    def _await_close(self) -> None:
        """Wait for the other side to close, but not for ever."""
        self._cancel("ping")
        if self._holds and not self._out.transport.is_closing():
            self._out.transport.resume_reading()
        self._after(CLOSE_SECONDS, "close", self._out.abort)

    def _after(self, seconds: float, name: str, act: Callable[[], None]) -> None:
        self._cancel(name)
        self._timers[name] = self._loop.call_later(seconds, act)

    def _cancel(self, name: str) -> None:
        if name in self._timers:
            self._timers.pop(name).cancel()


class Batch:
    """A transport that sends all that is written in one moment of the loop by one system call."""

    __slots__ = ("_loop", "_unsent", "_unsent_bytes", "get_extra_info", "transport")

    def __init__(self, transport: asyncio.Transport) -> None:
        self.transport = transport
        self.get_extra_info = transport.get_extra_info
        self._loop = asyncio.get_running_loop()
        self._unsent: list[bytes] = []
        self._unsent_bytes = 0

    @property
    def waiting(self) -> int:
        """How many bytes aren't sent yet."""
        return self._unsent_bytes + self.transport.get_write_buffer_size()

    def get_write_buffer_size(self) -> int:
        """More than nothing: else the library would write to the socket itself, once a frame."""
        return 1

    def write(self, data: bytes) -> None:
        """Send this soon."""
        if not self._unsent:
            self._loop.call_soon(self.flush)
        self._unsent.append(data)
        self._unsent_bytes += len(data)

    def writelines(self, parts: list[Any]) -> None:
        """Send these soon; they may be parts of a buffer that is used again."""
        self.write(b"".join(parts))

    def flush(self) -> None:
        """Send all that waits."""
        if self._unsent and not self.transport.is_closing():
            self.transport.write(b"".join(self._unsent))
        self._unsent.clear()
        self._unsent_bytes = 0

    def close(self) -> None:
        """The library would like to close after a wrong frame; too early for the last words to arrive."""

    def finish(self) -> None:
        """Send what waits, then close."""
        self.flush()
        self.transport.close()

    def abort(self) -> None:
        """Close at once."""
        self.transport.abort()


class FrameReader(WSProtocol):  # type: ignore[misc]
    """The library's protocol, minding what it doesn't tell its listener, and what comes after the end."""

    def __init__(self, listener: WebSocket) -> None:
        super().__init__(
            host_port=None,
            ws_path=None,
            is_client_side=False,
            ws_listener_factory=lambda request: listener,
            logger=Quiet(),
            disconnect_on_exception=True,
            websocket_handshake_timeout=None,
            enable_auto_ping=False,
            auto_ping_idle_timeout=PING_SECONDS,
            auto_ping_reply_timeout=PING_SECONDS,
            auto_ping_strategy=WSAutoPingStrategy.PING_WHEN_IDLE,
            enable_auto_pong=False,
            max_frame_size=FRAME_BYTES,
            extra_headers=None,
            read_buffer_init_size=READ_BYTES,
        )
        self._after_close = 0

    def buffer_updated(self, nbytes: int) -> None:
        """Some bytes have come."""
        super().buffer_updated(nbytes)
        if self.transport.is_close_frame_sent:
            self.listener.on_wrong_frame()
            self._after_close += nbytes
            if self._after_close > AFTER_CLOSE_BYTES:
                self.transport.underlying_transport.abort()

    def feed(self, data: bytes) -> None:
        """Take bytes that have come before."""
        while data:
            buffer = self.get_buffer(len(data))
            size = min(len(buffer), len(data))
            buffer[:size] = data[:size]
            data = data[size:]
            self.buffer_updated(size)


class Quiet:
    """A log for the library: what strangers send wrongly isn't worth a line, what we do wrongly is."""

    def isEnabledFor(self, level: int) -> bool:  # noqa: N802
        """Nothing is."""
        return False

    def log(self, *anything: object) -> None:
        """Write nothing."""

    debug = info = warning = error = log

    def exception(self, *anything: object) -> None:
        """Write what has been raised."""
        log.exception("a connection failed")


REQUEST = (
    "GET / HTTP/1.1\r\nHost: kibitz\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
)


def upgrade(transport: asyncio.Transport, key: str, rest: bytes, listener: WebSocket) -> None:
    """Answer a request that was found right, and talk WebSocket from now on; `rest` came after it."""
    reader = FrameReader(listener)
    reader.connection_made(Batch(transport))
    transport.set_protocol(reader)
    reader.feed(REQUEST.format(key=key).encode() + rest)
