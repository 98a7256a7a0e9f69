"""Pairs at a Kibitz server: the real protocol, the moves from the lists of legal ones that it sends."""

import asyncio
import itertools
from typing import Any

import msgspec

from bench.pairs import Pair, Tally
from bench.sockets import Socket, connect
from kibitz.server.protocol import PROTOCOL

GAME = "kaching"

encode = msgspec.json.Encoder().encode
numbers = itertools.count(1)


class Result(msgspec.Struct):
    """How a game ended, which doesn't matter here."""


class Heard(msgspec.Struct):
    """What a player needs of a message."""

    type: str
    id: str = ""
    table: str | None = None
    number: int | None = 0
    legal: list[str] = []
    result: Result | None = None
    reason: str = ""


decode = msgspec.json.Decoder(Heard).decode


class Client:
    """One connection, greeted."""

    def __init__(self, socket: Socket) -> None:
        self.socket = socket
        self._answers: dict[str, asyncio.Future[Heard]] = {}

    def answered(self, key: str, heard: Heard) -> bool:
        """Whether somebody waited for this, under this key."""
        waiting = self._answers.pop(key, None)
        if waiting is not None:
            waiting.set_result(heard)
        return waiting is not None

    async def ask(self, type: str, **fields: Any) -> Heard:
        """Give a command and wait until it is done."""
        id = f"bench/{next(numbers)}"
        self.say(type, id=id, **fields)
        heard = await self._answer(id)
        if heard.type != "done":
            raise RuntimeError(f"{type} was refused: {heard.reason}")
        return heard

    async def watch(self, table: str) -> None:
        """Be shown a table."""
        self.say("watch", table=table)
        await self._answer(table)

    async def _answer(self, key: str) -> Heard:
        self._answers[key] = asyncio.get_running_loop().create_future()
        return await self._answers[key]

    def say(self, type: str, **fields: Any) -> None:
        """Send a message."""
        self.socket.send(encode({"type": type, **fields}))


async def greeted(port: int) -> Client:
    """A new guest."""
    said: asyncio.Queue[bytes] = asyncio.Queue()
    client = Client(await connect(port, "/ws", said.put_nowait))
    client.say("hello", protocol=PROTOCOL)
    heard = decode(await said.get())
    if heard.type != "welcome":
        raise RuntimeError(heard.reason)
    return client


class KibitzPair(Pair):
    """Two guests."""

    def __init__(self, tally: Tally, clients: tuple[Client, Client]) -> None:
        super().__init__(tally, (clients[0].socket, clients[1].socket))
        self.clients = clients
        self.table = ""
        for seat, client in enumerate(clients):
            client.socket.take = lambda text, seat=seat: self._take(seat, text)  # type: ignore[misc]

    async def open_table(self) -> str:
        first, second = self.clients
        table = (await first.ask("create", game=GAME, seats=["me", "open"], start="full")).table
        assert table is not None
        await second.ask("sit", table=table)
        return table

    def go_to(self, table: str) -> None:
        old, self.table = self.table, table
        for client in self.clients:
            if old:
                client.say("unwatch", table=old)
            client.say("watch", table=table)

    def _take(self, seat: int, text: bytes) -> None:
        heard = decode(text)
        answered = self.clients[seat].answered
        if heard.type == "table":
            if heard.table == self.table:
                self._see(seat, heard)
            else:
                answered(heard.table or "", heard)
        elif heard.type == "done":
            if not answered(heard.id, heard):
                self.acknowledged()
        elif heard.type in ("refused", "failed", "gone") and not answered(heard.id, heard):
            self.tally.troubles.append(f"{heard.type}: {heard.reason}")

    def _see(self, seat: int, heard: Heard) -> None:
        if heard.result is not None:
            if seat == 0:
                self.ended()
        elif heard.legal:
            move = {
                "type": "move",
                "id": f"bench/{next(numbers)}",
                "table": self.table,
                "number": heard.number,
                "move": self.rng.choice(heard.legal),
            }
            self.may_play(seat, encode(move))


async def kibitz_pair(port: int, tally: Tally) -> KibitzPair:
    """Two new guests."""
    return KibitzPair(tally, (await greeted(port), await greeted(port)))
