"""WebSockets for a client that makes load: little work a message, so that the server is what is measured."""

import asyncio
import base64
import os
from collections.abc import Callable

Take = Callable[[bytes], None]  # is called with each text that comes

TEXT, CLOSE, PING, PONG = 0x1, 0x8, 0x9, 0xA
FINAL, MASKED, LENGTH = 0x80, 0x80, 0x7F
SHORT, LONG = 126, 127  # the length follows in 2 or 8 bytes
KEY = bytes.fromhex("4b696269")  # every frame is masked, as clients must; unguessable it needn't be here
LONG_KEY = int.from_bytes(KEY * 1024)  # longer than any frame that is sent
KEY_BITS = 8 * len(KEY) * 1024


class Socket(asyncio.Protocol):
    """One WebSocket. Frames that come are whole: neither server splits a message."""

    def __init__(self, path: str, host: str, take: Take) -> None:
        self.take = take
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.lost = False
        self._path = path
        self._host = host
        self._buffer = b""
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        asked = (
            f"GET {self._path} HTTP/1.1",
            f"Host: {self._host}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
        )
        transport.write(("\r\n".join(asked) + "\r\n\r\n").encode())

    def connection_lost(self, error: Exception | None) -> None:
        self.lost = True
        if not self.opened.done():
            self.opened.set_exception(error or ConnectionError("the server closed the connection"))

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer + data if self._buffer else data
        if not self.opened.done():
            head, end, buffer = buffer.partition(b"\r\n\r\n")
            if not end:
                self._buffer = head
                return
            self._open(head)
        self._buffer = buffer[self._take_frames(buffer) :]

    def _open(self, head: bytes) -> None:
        status = head.partition(b"\r\n")[0].decode()
        if " 101 " in status:
            self.opened.set_result(None)
        else:
            self.opened.set_exception(ConnectionError(f"no WebSocket: {status}"))

    def _take_frames(self, buffer: bytes) -> int:
        """Take all frames that are whole; returns where the rest begins."""
        start, size = 0, len(buffer)
        while size - start >= 2:
            length, body = buffer[start + 1] & LENGTH, start + 2
            if length >= SHORT:
                body += 2 if length == SHORT else 8
                if size < body:
                    break
                length = int.from_bytes(buffer[start + 2 : body])
            end = body + length
            if size < end:
                break
            self._take_frame(buffer[start] & 0x0F, buffer[body:end])
            start = end
        return start

    def _take_frame(self, kind: int, body: bytes) -> None:
        if kind == TEXT:
            self.take(body)
        elif kind == PING:
            self._send(PONG, body)

    def send(self, text: bytes) -> None:
        """Send a text."""
        self._send(TEXT, text)

    def _send(self, kind: int, body: bytes) -> None:
        length = len(body)
        if length < SHORT:
            head = bytes((FINAL | kind, MASKED | length))
        else:
            head = bytes((FINAL | kind, MASKED | SHORT)) + length.to_bytes(2)
        key = LONG_KEY >> (KEY_BITS - 8 * length)
        self._transport.write(head + KEY + (int.from_bytes(body) ^ key).to_bytes(length))

    def close(self) -> None:
        """Leave."""
        self._transport.abort()


async def connect(port: int, path: str, take: Take) -> Socket:
    """A WebSocket to a server on this machine."""
    loop = asyncio.get_running_loop()
    host = f"127.0.0.1:{port}"
    _, socket = await loop.create_connection(lambda: Socket(path, host, take), "127.0.0.1", port)
    await socket.opened
    return socket
