"""Leases: of several nodes one does a thing, and if it dies another takes over.

Alone, nobody is asked. A lease only spares work: even two that both believe to hold one make one move, by the
store's conditional append.
"""

import asyncio
import time
from contextlib import suppress

from kibitz.server.nodes.bus import Bus
from kibitz.server.stores.store import Store, StoreFailed

LEASE_SECONDS = 3.0  # until a node that says nothing more has lost it
RENEW_SECONDS = 1.0


class Leases:
    """The leases of this node."""

    def __init__(self, store: Store, bus: Bus) -> None:
        self.store = store
        self.node = bus.node
        self.needed = bus.far

    def lease(self, name: str) -> "Lease":
        """A lease that can be taken: `async with` tells whether this node has it."""
        return Lease(self, name)

    async def release_all(self) -> None:
        """Let others go on at once."""
        if self.needed:
            with suppress(StoreFailed):
                await self.store.release(self.node)


class Lease:
    """Held inside `async with`, and for a moment after, so that the next use needn't ask."""

    def __init__(self, leases: Leases, name: str) -> None:
        self._leases = leases
        self._name = name
        self._taken = float("-inf")  # when it was last taken
        self._renewing: asyncio.Task[None] | None = None

    async def __aenter__(self) -> bool:
        if not self._leases.needed:
            return True
        if time.monotonic() > self._taken + RENEW_SECONDS and not await self._take():
            return False
        self._renewing = asyncio.create_task(self._keep())
        return True

    async def __aexit__(self, *error: object) -> None:
        if self._renewing is not None:
            self._renewing.cancel()
            self._renewing = None

    async def _take(self) -> bool:
        asked = time.monotonic()
        mine = await self._leases.store.lease(self._name, self._leases.node, LEASE_SECONDS)
        if mine:
            self._taken = asked
        return mine

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            with suppress(StoreFailed):
                await self._take()

    async def release(self) -> None:
        """Let another have it at once."""
        if self._leases.needed and self._taken > float("-inf"):
            await self._leases.store.release(self._leases.node, self._name)
