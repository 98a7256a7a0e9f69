"""Connections to PostgreSQL that outlive it: what fails because a server went away is tried again.

All that is asked for here may be asked for twice: reading, and writing that its keys make exact. So a restart
or a standby's promotion is a pause, and nobody is told of it. (psycopg's own pool waits longer and longer
between two attempts; a new primary has to be found within a second.)
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from kibitz.core.extras import needing
from kibitz.server.stores.postgres_opening import settings_of
from kibitz.server.stores.store import StoreFailed

with needing("postgres"):
    import psycopg
    from psycopg import errors

log = logging.getLogger("kibitz.store")

MOST = 4  # connections of a node, beside the one that writes
ANSWER_SECONDS = 3.5  # for which an answer is waited for; a dying primary never gives one
PATIENCE = 20.0  # seconds for which a database that is away is waited for
PAUSE = 0.2  # seconds between two attempts

T = TypeVar("T")
AsyncConnection = psycopg.AsyncConnection[Any]
GONE = (
    psycopg.OperationalError,  # the connection is lost, the server shuts down, two waited for each other …
    psycopg.InterfaceError,
    errors.ReadOnlySqlTransaction,  # it was the primary
    TimeoutError,
)
FULL = (errors.DiskFull, errors.OutOfMemory, errors.TooManyConnections)


class Connections:
    """A few connections, opened when they are needed."""

    def __init__(self, address: str, most: int = MOST) -> None:
        self._settings = settings_of(address)
        self._free = asyncio.Semaphore(most)
        self._idle: list[AsyncConnection] = []

    async def ask(self, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """Do something that may be done twice, on a connection; wait for a database that is away."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                async with self._free, asyncio.timeout(ANSWER_SECONDS), self._lent() as connection:
                    return await work(connection)
            except FULL as error:
                raise failure(error) from error
            except GONE as error:
                if time.monotonic() > until:
                    raise failure(error) from error
                log.warning("the database is away (%s): trying again", str(error).split("\n")[0])
            await asyncio.sleep(PAUSE)

    @asynccontextmanager
    async def _lent(self) -> AsyncIterator[AsyncConnection]:
        connection = await self.fresh() if not self._idle else self._idle.pop()
        try:
            yield connection
        except (psycopg.IntegrityError, psycopg.DataError):
            self._idle.append(connection)
            raise
        except BaseException:
            await connection.close()
            raise
        self._idle.append(connection)

    async def fresh(self) -> AsyncConnection:
        """A connection of one's own.

        A plan is kept while what it reads grows: it takes indexes from the first row on.
        """
        connection = await psycopg.AsyncConnection.connect(
            **self._settings, autocommit=True, prepare_threshold=1
        )
        try:
            await connection.execute("SET enable_seqscan = off")
        except BaseException:
            await connection.close()
            raise
        return connection

    async def close(self) -> None:
        """Let go of all."""
        for connection in self._idle:
            await connection.close()
        self._idle.clear()


def failure(error: Exception) -> StoreFailed:
    """What those are told who asked."""
    log.error("the database doesn't answer: %s. Players are told.", str(error).split("\n")[0])
    return StoreFailed("store-away", "The server's database doesn't answer. Try again soon.")
