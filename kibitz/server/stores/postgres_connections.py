"""Connections to PostgreSQL that outlive it: what fails because a server went away is tried again.

All that is asked for here may be asked for twice: reading, and writing that its keys make exact. So a restart
or a standby's promotion is a pause, and nobody is told of it.

A server that dies may leave its connections open and never answer. So an answer that is overdue makes a node
look for the primary anew, at all addresses at once; if that one isn't at work on the question, it is asked
again. (psycopg's own pool tries one address after the other, and waits longer and longer in between.)
"""

import asyncio
import logging
import os
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, nullcontext
from typing import Any, LiteralString, TypeVar

from kibitz.core.extras import needing
from kibitz.server.stores.postgres_opening import settings_of
from kibitz.server.stores.store import StoreFailed

with needing("postgres"):
    import psycopg
    from psycopg import errors, waiting

log = logging.getLogger("kibitz.store")

MOST = 4  # connections of a node, beside the one that writes
OVERDUE_SECONDS = 1.0  # after which a node looks whether its question is still worked on
CONNECT_SECONDS = 3.0  # for which a server that can be written to is looked for
PATIENCE = 20.0  # seconds for which a database that is away is waited for
PAUSE = 0.2  # seconds between two attempts
WAKE_SECONDS = 1.0  # after which psycopg looks for an answer by itself; with 0 it would do nothing else

T = TypeVar("T")
GONE = (
    psycopg.OperationalError,  # the connection is lost, the server shuts down, two waited for each other …
    psycopg.InterfaceError,
    errors.ReadOnlySqlTransaction,  # it was the primary
    TimeoutError,
)
FULL = (errors.DiskFull, errors.OutOfMemory, errors.TooManyConnections)

# A plan is kept while what it reads grows: it takes indexes from the first row on.
BEGIN = """
SELECT pid, backend_start FROM set_config('enable_seqscan', 'off', false), pg_stat_activity
WHERE pid = pg_backend_pid()
"""
AT_WORK = "SELECT 1 FROM pg_stat_activity WHERE pid = %s AND backend_start = %s AND state NOT LIKE 'idle%%'"


class AsyncConnection(psycopg.AsyncConnection[Any]):
    """A connection on which somebody looks after an answer that is overdue."""

    process: tuple[Any, ...] = ()  # which process answers, of all there are at all servers
    on_overdue: "Callable[[AsyncConnection], Coroutine[Any, Any, None]] | None" = None
    _looking: "asyncio.Task[None] | None" = None

    async def wait(self, gen: Any, interval: float = WAKE_SECONDS, *rest: Any, **more: Any) -> Any:
        """Wait for an answer; who no longer waits ends the connection at once.

        (psycopg's own then asks the server to stop, and waits for that, 5 s each.)
        """
        timer = asyncio.get_running_loop().call_later(OVERDUE_SECONDS, self._look)
        try:
            return await waiting.wait_async(gen, self.pgconn.socket, interval, *rest, **more)
        except asyncio.CancelledError:
            self.pgconn.finish()
            raise
        finally:
            timer.cancel()
            if self._looking is not None:
                self._looking.cancel()
                self._looking = None

    def _look(self) -> None:
        if self.on_overdue is not None:
            self._looking = asyncio.create_task(self.on_overdue(self))

    async def fetch(self, query: LiteralString, values: Any = None) -> list[tuple[Any, ...]]:
        """What a statement finds or returns; nothing if it doesn't."""
        cursor = await self.execute(query, values, prepare=True)
        return await cursor.fetchall() if cursor.description else []

    def hang_up(self) -> None:
        """Let whoever waits for an answer find that the connection is lost."""
        with socket.socket(fileno=os.dup(self.pgconn.socket)) as ours:
            ours.shutdown(socket.SHUT_RDWR)


class Connections:
    """A few connections, opened when they are needed."""

    def __init__(self, address: str, most: int = MOST) -> None:
        self._servers = servers_of(settings_of(address))
        self._free = asyncio.Semaphore(most)
        self._idle: list[AsyncConnection] = []

    async def ask(self, work: Callable[[AsyncConnection], Awaitable[T]], at_once: bool = False) -> T:
        """Do something that may be done twice, on a connection; wait for a database that is away."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                async with nullcontext() if at_once else self._free, self._lent() as connection:
                    return await work(connection)
            except FULL as error:
                raise failure(error) from error
            except GONE as error:
                if time.monotonic() > until:
                    raise failure(error) from error
                log.warning("the database is away (%s): trying again", told(error))
            await self.close()  # the others lead nowhere, too
            await asyncio.sleep(PAUSE)

    @asynccontextmanager
    async def _lent(self) -> AsyncIterator[AsyncConnection]:
        connection = await self.fresh() if not self._idle else self._idle.pop()
        connection.on_overdue = self._look_after
        try:
            yield connection
        except (psycopg.IntegrityError, psycopg.DataError):
            self._idle.append(connection)
            raise
        except BaseException:
            await connection.close()
            raise
        self._idle.append(connection)

    # Overdue answers

    async def _look_after(self, connection: AsyncConnection) -> None:
        """Hang up when nobody works on an answer, or nobody has found one for long."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and await self._may_answer(connection):
            await asyncio.sleep(OVERDUE_SECONDS)
        connection.hang_up()

    async def _may_answer(self, connection: AsyncConnection) -> bool:
        """Whether the primary, as it is found now, works on what was asked; or none is found."""
        try:
            async with await self.fresh() as other, asyncio.timeout(OVERDUE_SECONDS):
                return bool(await other.fetch(AT_WORK, connection.process))
        except GONE:
            return True

    # Connecting

    async def fresh(self) -> AsyncConnection:
        """A connection of one's own, to the first server found that can be written to."""
        knocks = [asyncio.create_task(reached(server)) for server in self._servers]
        waited_for = set(knocks)
        try:
            while waited_for:
                done, waited_for = await asyncio.wait(waited_for, return_when=asyncio.FIRST_COMPLETED)
                for knock in done:
                    if knock.exception() is None:
                        return knock.result()
            return knocks[0].result()  # why there is none
        finally:
            for knock in knocks:
                knock.cancel()

    async def close(self) -> None:
        """Let go of all that nobody uses."""
        idle, self._idle = self._idle, []
        for connection in idle:
            await connection.close()


def servers_of(settings: dict[str, Any]) -> list[dict[str, Any]]:
    """How to connect to each of the servers that an address names; of several one is the primary."""
    named = {
        name: settings[name].split(",")
        for name in ("host", "hostaddr", "port")
        if "," in settings.get(name, "")
    }
    return [
        settings | dict(zip(named, values)) | {"target_session_attrs": "read-write"}
        for values in zip(*named.values())
    ] or [settings]


async def reached(server: dict[str, Any]) -> AsyncConnection:
    """A connection to one server, which may be on its way back, or about to become the primary."""
    until = time.monotonic() + CONNECT_SECONDS
    while True:
        try:
            async with asyncio.timeout(until - time.monotonic()):
                return await connected(server)
        except FULL:
            raise
        except GONE:
            if time.monotonic() + PAUSE > until:
                raise
        await asyncio.sleep(PAUSE)


async def connected(server: dict[str, Any]) -> AsyncConnection:
    """A connection to one server, now."""
    connection = await AsyncConnection.connect(**server, autocommit=True, prepare_threshold=1)
    try:
        connection.process = await (await connection.execute(BEGIN)).fetchone() or ()
    except BaseException:
        await connection.close()
        raise
    return connection


def failure(error: Exception) -> StoreFailed:
    """What those are told who asked."""
    log.error("the database doesn't answer: %s. Players are told.", told(error))
    return StoreFailed("store-away", "The server's database doesn't answer. Try again soon.")


def told(error: Exception) -> str:
    """An error in a line."""
    return str(error).split("\n")[0] or "no answer"
