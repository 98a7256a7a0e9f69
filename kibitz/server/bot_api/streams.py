"""Streams of lines of JSON: what a bot is told as it happens."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

import msgspec
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from kibitz.server.limits import Limits
from kibitz.server.net.answers import HEADERS
from kibitz.server.net.http import EXPECT
from kibitz.server.stores.store import Guest
from kibitz.server.turns import Asker

QUIET_SECONDS = 7.0  # after which an empty line shows that both sides are there
CHAT = ("chat", "reaction")

Lines = Callable[[], AsyncIterator[bytes]]

encode = msgspec.json.Encoder().encode


class Mailbox:
    """What waits to be sent to one stream; as a watcher it is shown a table."""

    figures = False
    rounds = False

    def __init__(self, guest: Guest, asker: Asker, limits: Limits) -> None:
        self.guest = guest
        self.asker = asker
        self._limits = limits
        self._waiting: list[bytes] = []
        self._size = 0
        self._filled = asyncio.Event()
        self.closed = False

    def send(self, message: bytes) -> None:
        """Put a message into the queue; who takes too little is let go."""
        if self.closed:
            return
        self._waiting.append(message)
        self._size += len(message)
        if self._size > self._limits.queue_bytes:
            self.closed = True
        self._filled.set()

    def close(self) -> None:
        """Nothing more will come."""
        self.closed = True
        self._filled.set()

    async def take(self) -> list[bytes]:
        """All that waits; nothing if nothing comes for a while."""
        with suppress(TimeoutError):
            async with asyncio.timeout(QUIET_SECONDS):
                await self._filled.wait()
        self._filled.clear()
        taken, self._waiting, self._size = self._waiting, [], 0
        return taken


class LineStream(Response):
    """An answer that goes on until either side ends it."""

    def __init__(self, lines: Lines, mailbox: Mailbox, end: Callable[[], Any], limits: Limits) -> None:
        super().__init__(None, 200)
        self._lines = lines
        self._mailbox = mailbox
        self._end = end
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send line after line, each within the time that a connection has for taking it."""
        expect = scope["state"].get(EXPECT, lambda seconds: None)
        gone = asyncio.create_task(self._until_gone(receive))
        headers = {**HEADERS, "Content-Type": "application/x-ndjson", "Cache-Control": "no-store"}
        fields = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        try:
            await send({"type": "http.response.start", "status": 200, "headers": fields})
            async for line in self._lines():
                expect(self._limits.send_seconds)
                await send({"type": "http.response.body", "body": line, "more_body": True})
                expect(None)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            gone.cancel()
            self._end()

    async def _until_gone(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._mailbox.close()


async def table_lines(mailbox: Mailbox) -> AsyncIterator[bytes]:
    """A table's messages in a bot's words: `gameFull`, then `gameState` and `chatLine`."""
    while not mailbox.closed:
        for message in (waiting := await mailbox.take()):
            for line in told_as(msgspec.json.decode(message)):
                yield encode(line) + b"\n"
        if not waiting:
            yield b"\n"


def told_as(message: dict[str, Any]) -> list[dict[str, Any]]:
    """What one message of the table's protocol is in a stream; who only talks hasn't changed the game."""
    if message["type"] == "gone":
        return [{"type": "gameGone", "table": message["table"]}]
    if message["type"] != "table":
        return []
    kind = "gameFull" if message.get("since") is None else "gameState"
    said = [line for line in message["lines"] if line["kind"] in CHAT]
    state = {**message, "type": kind, "lines": [line for line in message["lines"] if line not in said]}
    chats = [{"type": "chatLine", "table": message["table"], **_said(line)} for line in said]
    return chats if chats and kind == "gameState" and not state["lines"] else [state, *chats]


def _said(line: dict[str, Any]) -> dict[str, Any]:
    return {key: line[key] for key in ("name", "text", "preset", "seat") if line.get(key) is not None}
