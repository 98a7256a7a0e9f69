"""Sockets without a library: bytes as a stranger might send them."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from kibitz.server.protocol import PROTOCOL

TEXT, BINARY, CONTINUED, CLOSE, PING, PONG = 0x1, 0x2, 0x0, 0x8, 0x9, 0xA
FINAL, MASKED = 0x80, 0x80
KEY = b"\x01\x02\x03\x04"
HELLO = f'{{"type":"hello","protocol":{PROTOCOL}}}'.encode()
UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
CHUNK = 1 << 15


def frame(kind: int, body: bytes = b"", final: bool = True) -> bytes:
    """A masked frame."""
    if len(body) < 126:
        length = bytes((MASKED | len(body),))
    else:
        length = bytes((MASKED | 126,)) + len(body).to_bytes(2)
    masked = bytes(byte ^ KEY[place % 4] for place, byte in enumerate(body))
    return bytes(((FINAL if final else 0) | kind,)) + length + KEY + masked


@asynccontextmanager
async def stranger(
    port: int, local: str = "127.0.0.1"
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A socket that has said nothing yet."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(local, 0))
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, CHUNK)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


async def rest(reader: asyncio.StreamReader, seconds: float = 30.0) -> bytes:
    """All that comes until the other side closes."""
    content = b""
    with suppress(ConnectionError):
        async with asyncio.timeout(seconds):
            while part := await reader.read(CHUNK):
                content += part
    return content


async def request(
    port: int, content: bytes, local: str = "127.0.0.1", seconds: float = 180.0
) -> tuple[int, dict[str, str], bytes]:
    """Send bytes as they are; the status, headers and content of the first answer."""
    async with stranger(port, local) as (reader, writer):
        writer.write(content)
        async with asyncio.timeout(seconds):
            head = await reader.readuntil(b"\r\n\r\n")
            line, *lines = head.decode("latin-1").strip().split("\r\n")
            headers = {name.lower(): value for name, value in (each.split(": ", 1) for each in lines)}
            return int(line.split()[1]), headers, await reader.readexactly(int(headers["content-length"]))
