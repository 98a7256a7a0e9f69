"""A client of the server, as a program would write it."""

import asyncio
import itertools
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from http.client import HTTPConnection
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from kibitz.server.protocol import PROTOCOL

Message = dict[str, Any]

_numbers = itertools.count(1)


def fresh_id() -> str:
    """An id that no other command has, and whose end can be told from whatever follows in a file."""
    return f"{random.getrandbits(64):016x}/{next(_numbers)}."


async def until(true: Callable[[], object], seconds: float = 30.0) -> None:
    """Wait until it is true; how long that takes is the machine's affair."""
    async with asyncio.timeout(seconds):
        while not true():
            await asyncio.sleep(0.01)


class Client:
    """One connection, greeted."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.welcome: Message = {}
        self.received: list[str] = []  # every text that came

    async def say(self, type: str, **fields: Any) -> None:
        """Send a message."""
        await self.socket.send(msgspec.json.encode({"type": type, **fields}).decode())

    async def hear(self, *types: str, seconds: float = 30.0, **fields: Any) -> Message:
        """The next message of one of these types (without, of any) with these fields; others are skipped."""
        async with asyncio.timeout(seconds):
            while True:
                text = await self.socket.recv()
                assert isinstance(text, str)
                self.received.append(text)
                message: Message = msgspec.json.decode(text)
                if types and message["type"] not in types:
                    continue
                if all(message.get(key) == value for key, value in fields.items()):
                    return message

    async def ask(self, type: str, **fields: Any) -> Message:
        """Give a command and return its answer."""
        id = fields.setdefault("id", fresh_id())
        await self.say(type, **fields)
        return await self.hear("done", "refused", "device-code", "signed-in", id=id)

    async def do(self, type: str, **fields: Any) -> Message:
        """Give a command that must be carried out."""
        answer = await self.ask(type, **fields)
        assert answer["type"] != "refused", answer
        return answer

    async def code(self, type: str, **fields: Any) -> str:
        """Give a command that must be refused, and return the code."""
        answer = await self.ask(type, **fields)
        assert answer["type"] == "refused", answer
        assert answer["reason"]
        code: str = answer["code"]
        return code

    async def watch(self, table: str) -> Message:
        """Watch a table; returns it whole."""
        await self.say("watch", table=table)
        return await self.hear("table", table=table, since=None)

    async def create(
        self, *seats: str, game: str = "tiny", pace: str = "fast", start: str = "full", **options: Any
    ) -> str:
        """Open a table; the usual one begins when all seats are taken."""
        done = await self.do("create", game=game, seats=list(seats), pace=pace, options=options, start=start)
        table: str = done["table"]
        return table


async def fetch(
    port: int, path: str, content: bytes | None = None, headers: dict[str, str] | None = None
) -> tuple[int, dict[str, str], bytes]:
    """An answer over plain HTTP: status, headers, content. What has content is a POST."""
    return await asyncio.to_thread(_fetch, port, path, content, headers or {})


def _fetch(
    port: int, path: str, content: bytes | None, sent: dict[str, str]
) -> tuple[int, dict[str, str], bytes]:
    connection = HTTPConnection("127.0.0.1", port, timeout=180)
    try:
        connection.request("GET" if content is None else "POST", path, content, sent)
        response = connection.getresponse()
        headers = {name.lower(): value for name, value in response.getheaders()}
        return response.status, headers, response.read()
    finally:
        connection.close()


async def connections(port: int) -> int:
    """How many the server counts."""
    count: int = msgspec.json.decode((await fetch(port, "/healthz"))[2])["connections"]
    return count


async def all_gone(port: int) -> None:
    """Wait until the server counts no connection any more."""
    while await connections(port):
        await asyncio.sleep(0.01)


@asynccontextmanager
async def connected(
    port: int, token: str | None = None, local: str = "127.0.0.1", **hello: Any
) -> AsyncIterator[Client]:
    """A connection that has said hello."""
    address = f"ws://127.0.0.1:{port}/ws"
    async with connect(
        address, compression=None, max_queue=None, local_addr=(local, 0), open_timeout=60.0
    ) as socket:
        client = Client(socket)
        await client.say("hello", protocol=PROTOCOL, token=token, **hello)
        client.welcome = await client.hear("welcome", "failed")
        yield client
