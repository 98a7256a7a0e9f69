"""Work of one kind that many ask the database for: what comes in while it answers is done together, next."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

from kibitz.server.stores.postgres_connections import AsyncConnection, Connections

Asked = TypeVar("Asked")
Answer = TypeVar("Answer")
Work = Callable[[AsyncConnection, Sequence[Asked]], Awaitable[Sequence[Answer | Exception]]]

TOGETHER = 256  # pieces of work at once


class Piece(NamedTuple, Generic[Asked, Answer]):
    """What is asked for, and who waits for it."""

    asked: Asked
    answer: "asyncio.Future[Answer]"


class SharedWork(Generic[Asked, Answer]):
    """Does work in batches, one after the other: each piece has its answer, or what went wrong."""

    def __init__(self, connections: Connections, work: Work[Asked, Answer], writes: bool = False) -> None:
        self._connections = connections
        self._work = work
        self._writes = writes  # then it has a connection at once, and a batch gathers all that comes
        self._waiting: list[Piece[Asked, Answer]] = []
        self._task: asyncio.Task[None] | None = None

    def ask(self, asked: Asked) -> "asyncio.Future[Answer]":
        """Have a piece of work done, soon."""
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting.append(Piece(asked, answer))
        if self._task is None:
            self._task = asyncio.create_task(self._do_all())
        return answer

    async def close(self) -> None:
        """Do all that was asked for."""
        if self._task is not None:
            await self._task

    async def _do_all(self) -> None:
        while self._waiting:
            if self._writes:
                await self._gather()
            batch, self._waiting = self._waiting[:TOGETHER], self._waiting[TOGETHER:]
            await self._do(batch)
        self._task = None

    async def _gather(self) -> None:
        """Go on when a moment brings nothing more: fewer syncs for more moves."""
        before = 0
        while before < len(self._waiting) < TOGETHER:
            before = len(self._waiting)
            await asyncio.sleep(0)

    async def _do(self, batch: Sequence[Piece[Asked, Answer]]) -> None:
        asked = [piece.asked for piece in batch]
        outcomes: Sequence[Answer | Exception]
        try:
            outcomes = await self._connections.ask(
                lambda connection: self._work(connection, asked), at_once=self._writes
            )
        except Exception as error:
            outcomes = [error] * len(batch)
        for piece, outcome in zip(batch, outcomes, strict=True):
            if piece.answer.done():  # nobody waits any more
                continue
            if isinstance(outcome, Exception):
                piece.answer.set_exception(outcome)
            else:
                piece.answer.set_result(outcome)
