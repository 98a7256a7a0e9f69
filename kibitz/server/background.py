"""Work that goes on beside whoever began it."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from kibitz.server.stores.store import StoreFailed
from kibitz.server.tables.refusals import NotAllowed

log = logging.getLogger("kibitz.background")


class Background:
    """Tasks that nobody waits for: they are kept until they end, and what fails is logged.

    Refusals aren't worth a line, and the store speaks for itself.
    """

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Begin something."""
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if (
            task.cancelled()
            or (error := task.exception()) is None
            or isinstance(error, NotAllowed | StoreFailed)
        ):
            return
        log.error("a task in the background failed", exc_info=error)

    async def close(self) -> None:
        """Cancel all that is under way."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
