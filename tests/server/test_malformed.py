"""No input makes the server raise, grow or stop. [P8]"""

import asyncio
import json
import os
import random
import struct
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from kibitz.server import protocol
from tests.server import doors
from tests.server.client import connected, connections, until
from tests.server.conftest import ROOMY, Start
from tests.server.serving import Server, in_loop

MESSAGES = 10_000
FRAMES = 400
BATCH = 250  # messages of one connection
CLOSE_CODES = {1000, 1002, 1003, 1007, 1008, 1009}
MOST_GROWTH = 24 << 20  # bytes

EXAMPLES = [doors.message(type, form) for type, form in doors.forms(doors.Stage()).items()]
ODD: list[Any] = [
    None, True, -1, 2**63, 2**64, -(2**70), 1e308, 0.5, float("nan"), "", "\u0000", "x" * 3000, "😀", "٣",
    "../../etc/passwd", "'; DROP TABLE rows; --", "ABCDEFGH\n", [], [[]], {}, {"a": {"b": []}}, ["me"] * 900,
]  # fmt: skip


def mangled(chooser: random.Random) -> str:
    """A message with something wrong; now and then, by chance, with nothing."""
    message = dict(chooser.choice(EXAMPLES))
    kind = chooser.randrange(8)
    if kind == 0:
        message[chooser.choice(list(message))] = chooser.choice(ODD)
    elif kind == 1:
        message.pop(chooser.choice(list(message)))
    elif kind == 2:
        message[chooser.choice(["extra", "Type", "__proto__", ""])] = chooser.choice(ODD)
    text = json.dumps(message)
    if kind == 3:
        place = chooser.randrange(len(text))
        text = (
            text[:place]
            + chooser.choice(['"', "{", "\\u12", "\x00", "]", "9" * 400, "\\ud800"])
            + text[place + 1 :]
        )
    elif kind == 4:
        text = text[: chooser.randrange(len(text))]
    elif kind == 5:
        text = chooser.choice(["[", "{", '{"type":']) * chooser.randrange(1, 1200)
    elif kind == 6:
        text = text * chooser.randrange(2, 30)
    elif kind == 7:
        text = "".join(
            chr(chooser.choice((chooser.randrange(32, 127), chooser.randrange(0x2000, 0x2FFF))))
            for _ in range(60)
        )
    return text[:2500]


def memory(pid: int) -> int:
    """Bytes in use by a process."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


async def answered(port: int, texts: list[str]) -> None:
    """Send them on one connection; each has a typed answer, or the connection closes with a known code."""
    async with connect(f"ws://127.0.0.1:{port}/ws", compression=None, max_queue=None) as socket:
        await socket.send(f'{{"type":"hello","protocol":{protocol.PROTOCOL}}}')
        decode = msgspec.json.Decoder(protocol.FromServer).decode
        try:
            for text in texts:
                await socket.send(text)
            await socket.send('{"type":"rename","id":"the end","name":"x"}')
            while True:
                answer = decode(await socket.recv())
                if isinstance(answer, (protocol.Done, protocol.Refused)) and answer.id == "the end":
                    return
        except ConnectionClosed as error:
            closed = error.rcvd
    assert closed is not None
    assert closed.code in CLOSE_CODES


def test_ten_thousand_malformed_messages(start: Start) -> None:
    server = start(limits=ROOMY | {"open_tables": 10, "renames": 10**6})

    @in_loop
    async def shower() -> None:
        chooser = random.Random(1)
        await answered(server.port, [mangled(chooser) for _ in range(BATCH)])
        before = memory(server.pid)
        for _ in range(MESSAGES // BATCH):
            await answered(server.port, [mangled(chooser) for _ in range(BATCH)])
        await until(
            lambda: memory(server.pid) - before < MOST_GROWTH
        )  # a passphrase takes 32 MiB for a moment
        async with connected(server.port) as ann:
            await ann.watch(await ann.create("me", "open"))

    shower()


def frame(chooser: random.Random) -> bytes:
    """A frame that breaks WebSocket's own rules, or is cut."""
    opcode = chooser.choice((0x0, 0x1, 0x2, 0x3, 0x7, 0x8, 0x9, 0xA, 0xB, 0xF))
    first = opcode | chooser.choice((0x80, 0x00, 0xC0, 0xF0))
    payload = chooser.randbytes(chooser.randrange(0, 200))
    masked = chooser.choice((0x80, 0x80, 0x00))
    length = chooser.choice((len(payload), 126, 127))
    head = struct.pack("!BB", first, masked | min(length, 127))
    if length == 126:
        head += struct.pack("!H", chooser.randrange(65536))
    elif length == 127:
        head += struct.pack("!Q", chooser.randrange(2**64))
    return head + chooser.randbytes(4) + payload


UPGRADE = (
    "GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


@pytest.mark.unclean  # uvicorn notes invalid UTF-8 with a traceback, and closes with 1007
def test_malformed_frames(start: Start) -> None:
    server = start(limits=ROOMY)

    @in_loop
    async def shower() -> None:
        chooser = random.Random(2)
        before = memory(server.pid)
        for _ in range(FRAMES):
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(UPGRADE.encode())
            await reader.readuntil(b"\r\n\r\n")
            for _ in range(chooser.randrange(1, 4)):
                writer.write(frame(chooser))
            writer.close()
        async with connected(server.port) as ann:
            await ann.watch(await ann.create("me", "open"))
        assert memory(server.pid) - before < MOST_GROWTH
        assert "unhandled" not in server.errors.lower()
        assert "a connection failed" not in server.errors

    shower()


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        (b"\x81\x82\x00\x00\x00\x00\xff\xfe", 1007),
        (b"\x83\x80\x00\x00\x00\x00", 1002),
        (b"\xc1\x80\x00\x00\x00\x00", 1002),
    ],
)
@pytest.mark.unclean
def test_the_close_code_of_a_bad_frame(server: Server, payload: bytes, code: int) -> None:
    @in_loop
    async def ask() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(UPGRADE.encode())
        await reader.readuntil(b"\r\n\r\n")
        writer.write(payload)
        answer = await reader.read()
        writer.close()
        at = answer.rindex(b"\x88")
        assert struct.unpack("!H", answer[at + 2 : at + 4])[0] == code

    ask()


@in_loop
async def test_a_message_in_many_fragments_is_limited_too(server: Server) -> None:
    async with connected(server.port) as ann:
        with suppress(ConnectionClosed):
            await ann.socket.send(["x" * 1000] * 20)
        with pytest.raises(ConnectionClosed) as closed:
            await ann.hear("failed")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009


def text_frame(text: str) -> bytes:
    """A text as a client's frame."""
    length = len(text.encode())
    assert length < 126
    return bytes((0x81, 0x80 | length, 0, 0, 0, 0)) + text.encode()


def test_a_table_larger_than_the_queue_is_shown(start: Start) -> None:
    server = start(limits=ROOMY | {"queue_bytes": 10_000})

    @in_loop
    async def talk() -> None:
        async with connected(server.port) as ann:
            table = await ann.create("me", "open")
            for number in range(100):
                await ann.do("chat", table=table, text=f"{number} " + "x" * 250)
            now = await ann.watch(table)
            assert len(now["lines"]) == 101
            assert len(ann.received[-1]) > 30_000
            await ann.watch(table)

    talk()


def test_a_connection_that_takes_nothing_is_let_go(start: Start) -> None:
    server = start(limits=ROOMY | {"queue_bytes": 100_000, "send_seconds": 1.0})

    @in_loop
    async def stall() -> None:
        async with connected(server.port) as ann:
            table = await ann.create("me", "easy")
            watching = text_frame(f'{{"type":"watch","table":"{table}"}}')
            _, writer = await asyncio.open_connection("127.0.0.1", server.port, limit=1024)
            writer.transport.pause_reading()  # type: ignore[attr-defined]
            writer.write(UPGRADE.encode() + text_frame(f'{{"type":"hello","protocol":{protocol.PROTOCOL}}}'))
            assert await connections(server.port) == 2
            before = memory(server.pid)
            while await connections(server.port) == 2 and not writer.transport.is_closing():
                writer.write(watching * 200)
                await ann.watch(table)
            assert memory(server.pid) - before < MOST_GROWTH
            writer.transport.abort()

    stall()
