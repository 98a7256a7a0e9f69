"""News between nodes over the database that they share: PostgreSQL's LISTEN and NOTIFY."""

import asyncio
import logging
from contextlib import suppress

from kibitz.core.extras import needing
from kibitz.server.nodes.bus import NODE_LENGTH, FarBus, Missed
from kibitz.server.stores.postgres_connections import GONE, PAUSE, AsyncConnection, Connections

with needing("postgres"):
    import psycopg  # noqa: F401

log = logging.getLogger("kibitz.bus")

CHANNEL = "kibitz"
MOST_BYTES = 7999  # of a notification
LISTEN_SECONDS = 2.0  # between two times that it is asked whether the server is still there
ANSWER_SECONDS = 3.0  # for which an answer is waited for
TELL = f"SELECT pg_notify('{CHANNEL}', %s), set_config('synchronous_commit', 'off', true)"


class PostgresBus(FarBus):
    """The database as a bus: enough for a few nodes without another engine."""

    most_bytes = MOST_BYTES - NODE_LENGTH

    def __init__(self, address: str) -> None:
        super().__init__()
        self._connections = Connections(address, most=1)
        self._telling: AsyncConnection | None = None
        self._listening: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Begin to listen."""
        ready = asyncio.Event()
        self._listening = asyncio.create_task(self._listen(ready))
        with suppress(TimeoutError):
            await asyncio.wait_for(ready.wait(), ANSWER_SECONDS)

    async def _listen(self, ready: asyncio.Event) -> None:
        """Listen, again and again: connections end."""
        while True:
            with suppress(*GONE):
                async with await self._connections.fresh() as connection:
                    async with asyncio.timeout(ANSWER_SECONDS):
                        await connection.execute(f"LISTEN {CHANNEL}")
                    if ready.is_set():
                        self.tell(Missed())
                    ready.set()
                    while True:
                        async for told in connection.notifies(timeout=LISTEN_SECONDS):
                            self.heard(told.payload.encode())
                        async with asyncio.timeout(ANSWER_SECONDS):
                            await connection.execute("SELECT")
            await asyncio.sleep(PAUSE)

    async def _send(self, message: bytes) -> None:
        """A transaction that needn't be synced."""
        if self._telling is None:
            self._telling = await self._connections.fresh()
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await self._telling.execute(TELL, (message.decode(),))
        except BaseException:
            await self._telling.close()
            self._telling = None
            raise

    async def close(self) -> None:
        """Say what is still to be said, then let go."""
        await super().close()
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)
        if self._telling is not None:
            await self._telling.close()
