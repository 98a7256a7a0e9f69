"""Sockets as they are: frames in pieces, silence, and proxies. Raw bytes where no client would send them."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from kibitz.server.net.websocket import TRY_LATER
from kibitz.server.protocol import FRAME_BYTES, PROTOCOL
from tests.server.client import Client, all_gone
from tests.server.conftest import Start
from tests.server.serving import Server, in_loop

TEXT, CONTINUED, CLOSE, PING, PONG = 0x1, 0x0, 0x8, 0x9, 0xA
FINAL, MASKED = 0x80, 0x80
KEY = b"\x01\x02\x03\x04"
PROTOCOL_ERROR, NOT_UTF8, TOO_BIG = 1002, 1007, 1009


def frame(kind: int, body: bytes, final: bool = True) -> bytes:
    """A masked frame."""
    if len(body) < 126:
        length = bytes((MASKED | len(body),))
    else:
        length = bytes((MASKED | 126,)) + len(body).to_bytes(2)
    masked = bytes(byte ^ KEY[place % 4] for place, byte in enumerate(body))
    return bytes(((FINAL if final else 0) | kind,)) + length + KEY + masked


def said(**fields: Any) -> bytes:
    """A message as the body of a frame."""
    return json.dumps(fields).encode()


HELLO = said(type="hello", protocol=PROTOCOL)


class Raw:
    """A WebSocket without a library: what goes out and what comes in, byte by byte."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def send(self, *pieces: bytes) -> None:
        """Send each piece by itself."""
        for piece in pieces:
            self._writer.write(piece)
            await self._writer.drain()
            await asyncio.sleep(0.002)

    async def frame(self) -> tuple[int, bytes]:
        """The next frame: its kind and its body."""
        async with asyncio.timeout(10):
            kind, length = await self._reader.readexactly(2)
            if length == 126:
                length = int.from_bytes(await self._reader.readexactly(2))
            return kind & 0x0F, await self._reader.readexactly(length)

    async def message(self) -> Any:
        """The next message; a ping may come before it."""
        while (told := await self.frame())[0] == PING:
            pass
        kind, body = told
        assert kind == TEXT, (kind, body)
        return json.loads(body)

    async def closing(self) -> int:
        """The code with which the server closes."""
        while (told := await self.frame())[0] != CLOSE:
            pass
        return int.from_bytes(told[1][:2])


@asynccontextmanager
async def raw(server: Server) -> AsyncIterator[Raw]:
    """A raw WebSocket that has not said anything yet."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(
        b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    answer = await reader.readuntil(b"\r\n\r\n")
    assert b" 101 " in answer.partition(b"\r\n")[0]
    try:
        yield Raw(reader, writer)
    finally:
        writer.close()


# Frames


@in_loop
async def test_a_frame_may_come_byte_by_byte(server: Server) -> None:
    async with raw(server) as socket:
        whole = frame(TEXT, HELLO) + frame(TEXT, said(type="ping"))
        await socket.send(*(whole[place : place + 1] for place in range(len(whole))))
        assert (await socket.message())["type"] == "welcome"
        assert (await socket.message())["type"] == "pong"


@in_loop
async def test_many_frames_may_come_at_once_and_the_last_in_two_pieces(server: Server) -> None:
    async with raw(server) as socket:
        whole = frame(TEXT, HELLO) + 5 * frame(TEXT, said(type="ping"))
        await socket.send(whole[:-7], whole[-7:])
        kinds = [(await socket.message())["type"] for _ in range(6)]
        assert kinds == ["welcome"] + 5 * ["pong"]


@in_loop
async def test_a_message_in_fragments_with_a_ping_between_them_is_one_message(server: Server) -> None:
    async with raw(server) as socket:
        await socket.send(
            frame(TEXT, HELLO[:9], final=False),
            frame(PING, b"still there?"),
            frame(CONTINUED, HELLO[9:20], final=False),
            frame(CONTINUED, HELLO[20:]),
        )
        assert await socket.frame() == (PONG, b"still there?")
        assert (await socket.message())["type"] == "welcome"
        await socket.send(frame(TEXT, said(type="ping")))
        assert (await socket.message())["type"] == "pong"


@in_loop
async def test_a_long_message_is_understood(server: Server) -> None:
    async with raw(server) as socket:
        await socket.send(frame(TEXT, HELLO), frame(TEXT, said(type="ping") + b" " * 5000))
        assert (await socket.message())["type"] == "welcome"
        assert (await socket.message())["type"] == "pong"


ODD_FRAMES = {
    "a whole text amid fragments": (frame(TEXT, HELLO, final=False) + frame(TEXT, HELLO), PROTOCOL_ERROR),
    "not masked": (bytes((FINAL | TEXT, len(HELLO))) + HELLO, PROTOCOL_ERROR),
    "reserved bit": (bytes((0x40 | FINAL | TEXT,)) + frame(TEXT, HELLO)[1:], PROTOCOL_ERROR),
    "unknown kind": (frame(0x3, b"?"), PROTOCOL_ERROR),
    "not UTF-8": (frame(TEXT, b"\xff\xfe"), NOT_UTF8),
    "longer than allowed": (frame(TEXT, b" " * (FRAME_BYTES + 1)), TOO_BIG),
    "length in 8 bytes": (bytes((FINAL | TEXT, MASKED | 127)) + (1 << 40).to_bytes(8) + KEY, TOO_BIG),
}


@pytest.mark.parametrize("name", ODD_FRAMES)
@pytest.mark.parametrize("size", [1, 10_000])
def test_an_odd_frame_ends_the_connection_with_its_code_however_it_comes(
    server: Server, name: str, size: int
) -> None:
    @in_loop
    async def send() -> None:
        whole, code = ODD_FRAMES[name]
        if len(whole) > 1000 and size == 1:
            whole = whole[:20]  # its head is enough
        async with raw(server) as socket:
            await socket.send(*(whole[place : place + size] for place in range(0, len(whole), size)))
            assert await socket.closing() == code

    send()


@in_loop
async def test_what_follows_a_close_is_not_heard(server: Server) -> None:
    async with raw(server) as socket:
        await socket.send(frame(CLOSE, (1000).to_bytes(2)) + frame(TEXT, HELLO))
        assert await socket.frame() == (CLOSE, (1000).to_bytes(2))
        with pytest.raises(asyncio.IncompleteReadError):
            await socket.frame()


# Silence


@in_loop
async def test_the_server_answers_a_ping_with_the_same(server: Server) -> None:
    async with raw(server) as socket:
        await socket.send(frame(PING, b"anybody?"))
        assert await socket.frame() == (PONG, b"anybody?")


@in_loop
async def test_who_answers_pings_stays(start: Start) -> None:
    server = start(ping_seconds=3.0)  # time enough to answer, on a machine with much else to do
    async with raw(server) as socket:
        await socket.send(frame(TEXT, HELLO))
        assert (await socket.message())["type"] == "welcome"
        for _ in range(2):
            assert await socket.frame() == (PING, b"")
            await socket.send(frame(PONG, b""))
        await socket.send(frame(TEXT, said(type="ping")))
        assert (await socket.message())["type"] == "pong"


@in_loop
async def test_who_is_silent_from_one_ping_to_the_next_is_gone(start: Start) -> None:
    server = start(ping_seconds=1.0)
    async with raw(server) as socket:
        await socket.send(frame(TEXT, HELLO))
        assert (await socket.message())["type"] == "welcome"
        assert await socket.frame() == (PING, b"")
        with pytest.raises((asyncio.IncompleteReadError, ConnectionResetError)):
            await socket.frame()


# Proxies


@asynccontextmanager
async def from_address(server: Server, *forwarded: str, local: str = "127.0.0.1") -> AsyncIterator[Client]:
    """A connection that a proxy, or somebody at another address, has made."""
    async with connect(
        f"ws://127.0.0.1:{server.port}/ws",
        additional_headers=[("X-Forwarded-For", value) for value in forwarded],
        local_addr=(local, 0),
        compression=None,
    ) as socket:
        yield Client(socket)


async def is_let_in(socket: ClientConnection) -> bool:
    """Whether the server listens; else it has said to try later."""
    try:
        await socket.send(HELLO.decode())
        return bool(json.loads(await socket.recv())["type"] == "welcome")
    except ConnectionClosed:
        pass
    assert socket.close_code == TRY_LATER
    return False


async def let_in(stack: AsyncExitStack, server: Server, *forwarded: str, local: str = "127.0.0.1") -> bool:
    """Whether one more connection is let in; those before it stay."""
    client = await stack.enter_async_context(from_address(server, *forwarded, local=local))
    return await is_let_in(client.socket)


@in_loop
async def test_behind_a_proxy_each_address_has_its_own_limit(start: Start) -> None:
    server = start(limits={"address_connections": 2})
    async with AsyncExitStack() as stack:
        assert await let_in(stack, server, "192.0.2.7")
        assert await let_in(stack, server, "192.0.2.7")
        assert not await let_in(stack, server, "192.0.2.7")
        assert await let_in(stack, server, "192.0.2.8")
        assert all([await let_in(stack, server) for _ in range(4)])  # this machine's own aren't counted


@in_loop
async def test_who_leaves_makes_room_for_another_of_the_address(start: Start) -> None:
    server = start(limits={"address_connections": 1})
    for _ in range(3):
        async with from_address(server, "192.0.2.7") as client:
            assert await is_let_in(client.socket)
        await all_gone(server.port)


@in_loop
async def test_of_what_is_forwarded_only_the_proxys_own_word_counts(start: Start) -> None:
    server = start(limits={"address_connections": 1})
    async with AsyncExitStack() as stack:
        assert await let_in(stack, server, "203.0.113.1, 192.0.2.7")
        assert not await let_in(stack, server, "203.0.113.2, 192.0.2.7")
        assert not await let_in(stack, server, "203.0.113.3", "192.0.2.7")  # two lines: the last one


@in_loop
async def test_what_another_machine_says_of_its_address_is_not_believed(start: Start) -> None:
    server = start(limits={"address_connections": 1})
    async with AsyncExitStack() as stack:
        assert await let_in(stack, server, "192.0.2.7", local="127.0.0.2")
        assert not await let_in(stack, server, "192.0.2.8", local="127.0.0.2")
        assert await let_in(stack, server, "192.0.2.7", local="127.0.0.3")


@in_loop
async def test_a_proxy_on_another_machine_is_believed_if_the_host_says_so(start: Start) -> None:
    limits = {"address_connections": 1, "address_sockets": 3}
    server = start(limits=limits, proxies="192.0.2.1, 127.0.0.2/32")
    async with AsyncExitStack() as stack:
        for guest in range(5):  # more than an address may have sockets
            assert await let_in(stack, server, f"192.0.2.{guest}", local="127.0.0.2")
        assert not await let_in(stack, server, "192.0.2.4", local="127.0.0.2")
        assert await let_in(stack, server, "192.0.2.9", local="127.0.0.3")
        assert not await let_in(stack, server, "192.0.2.8", local="127.0.0.3")


@in_loop
async def test_new_guests_are_counted_by_the_forwarded_address(start: Start) -> None:
    server = start(limits={"address_guests": 1})
    async with from_address(server, "192.0.2.7") as ann, from_address(server, "192.0.2.7") as bob:
        assert await is_let_in(ann.socket)
        await bob.say("hello", protocol=PROTOCOL)
        assert (await bob.hear())["code"] == "too-many-connections"
