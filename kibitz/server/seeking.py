"""Tables at which bots take the seats that are still open after a while, if they were opened so."""

import asyncio
import time

from kibitz.server.appender import Appender
from kibitz.server.background import Background
from kibitz.server.commands import SUBSTITUTE, Draft
from kibitz.server.live_tables import LiveTable, LiveTables
from kibitz.server.refusals import NotAllowed
from kibitz.server.rows import BOT, OPEN, Chair, Seated
from kibitz.server.store import StoreFailed
from kibitz.server.table import Table

BOTS_AFTER = range(5, 601)  # seconds
SOONEST = 0.05


def bots_in(table: Table) -> float | None:
    """Seconds until bots take the open seats; None: they never do."""
    after = table.created.bots_after
    if after is None or table.begun:
        return None
    return table.told[0].row.time + after - time.time()


class Seeking:
    """Sets a clock for each such table, by the time it was opened."""

    def __init__(self, tables: LiveTables, appender: Appender, background: Background) -> None:
        self._tables = tables
        self._appender = appender
        self._background = background
        self._clocks: dict[str, asyncio.TimerHandle] = {}
        tables.on_change(self._set)

    def _set(self, live: LiveTable) -> None:
        self._stop(live.id)
        left = bots_in(live.table)
        if left is not None:
            clock = asyncio.get_running_loop().call_later(max(left, SOONEST), self._fire, live.id)
            self._clocks[live.id] = clock

    def _stop(self, id: str) -> None:
        clock = self._clocks.pop(id, None)
        if clock is not None:
            clock.cancel()

    def _fire(self, id: str) -> None:
        self._stop(id)
        self._background.start(self._fill(id))

    async def _fill(self, id: str) -> None:
        """Bots sit down, if anybody still waits."""
        try:
            async with self._tables.hold(id) as live:
                while live.watchers and not live.table.begun:
                    await self._seat_a_bot(live)
                if live.watchers:
                    self._tables.show(live)
        except (NotAllowed, StoreFailed):
            pass  # the table is gone, or can't change now; whoever looks at it sets the clock anew

    async def _seat_a_bot(self, live: LiveTable) -> None:
        seat = [chair.kind for chair in live.table.chairs].index(OPEN)
        draft = Draft("seat", Seated(seat, Chair(BOT, level=SUBSTITUTE), "replace"), standing=True)
        await self._appender.append(live, f"bot/{seat}", f"bot/seat/{live.table.number + 1}", b"", draft)

    def close(self) -> None:
        """Stop all clocks."""
        for id in list(self._clocks):
            self._stop(id)
