"""News between nodes over NATS: `--bus nats://…`."""

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any

from kibitz.core.errors import KibitzError
from kibitz.core.extras import needing
from kibitz.server.nodes.bus import FarBus, Missed
from kibitz.server.settings import shown

with needing("nats"):
    import nats
    from nats.errors import Error as NatsError

log = logging.getLogger("kibitz.bus")

CONNECT_SECONDS = 2
RETRY_SECONDS = 0.5
KEPT_BYTES = 1 << 20  # of news while NATS is away: more would be old


def subject_of(key: bytes) -> str:
    """Where the nodes of one store talk; other houses may use the same NATS."""
    return f"kibitz.{hashlib.sha256(b'news' + key).hexdigest()[:16]}"


class NatsBus(FarBus):
    """A NATS server, or several."""

    def __init__(self, address: str, key: bytes) -> None:
        super().__init__()
        self._servers = address.split(",")
        self._subject = subject_of(key)
        self._client: Any = None
        self._connecting: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Connect; if nobody answers go on without, and try again and again."""
        self._connecting = asyncio.create_task(self._connect())
        await asyncio.wait([self._connecting], timeout=CONNECT_SECONDS)

    async def _connect(self) -> None:
        while self._client is None:
            try:
                self._client = await self._subscribed()
            except (NatsError, OSError, TimeoutError) as error:
                log.warning(
                    "there is no NATS at %s (%s): news is late", shown(",".join(self._servers)), error
                )
                await asyncio.sleep(RETRY_SECONDS)

    async def _subscribed(self) -> Any:
        client = await connected(self._servers, self._on_return)
        try:
            await client.subscribe(self._subject, cb=self._on_message)
            await client.flush(CONNECT_SECONDS)
        except BaseException:  # or it would go on by itself, and bring all news once more
            await client.close()
            raise
        return client

    async def _on_message(self, message: Any) -> None:
        self.heard(message.data)

    async def _on_return(self) -> None:
        self.tell(Missed())

    async def _send(self, message: bytes) -> None:
        if self._client is not None and self._client.pending_data_size < KEPT_BYTES:
            await self._client.publish(self._subject, message)

    async def close(self) -> None:
        """Say what is still to be said, then let go."""
        await super().close()
        if self._connecting is not None:
            self._connecting.cancel()
        if self._client is not None:
            with suppress(Exception):  # it may be away just now
                await asyncio.wait_for(self._client.flush(), CONNECT_SECONDS)
            with suppress(Exception):
                await self._client.close()


async def connected(servers: Sequence[str], on_return: Callable[[], Awaitable[None]]) -> Any:
    """A connection that comes back by itself."""
    return await nats.connect(
        servers=list(servers),
        no_echo=True,
        connect_timeout=CONNECT_SECONDS,
        max_reconnect_attempts=-1,
        reconnect_time_wait=RETRY_SECONDS,
        ping_interval=5,
        max_outstanding_pings=2,
        error_cb=_quietly,
        reconnected_cb=on_return,
    )


async def _quietly(error: Exception) -> None:
    log.info("NATS: %s", error)


async def check(address: str) -> None:
    """Raise if there is no NATS at an address."""
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            client = await nats.connect(
                servers=address.split(","),
                allow_reconnect=False,
                connect_timeout=CONNECT_SECONDS,
                error_cb=_quietly,
            )
    except (NatsError, OSError, TimeoutError) as error:
        raise KibitzError(
            "no-bus", f"There is no NATS server at {shown(address)}: {str(error) or 'it does not answer'}."
        ) from error
    await client.close()
