"""Tables at which a bot plays on by itself for somebody who takes too long, if the table was opened so."""

import asyncio

from kibitz.server import commands
from kibitz.server.appender import Appender
from kibitz.server.background import Background
from kibitz.server.live_tables import LiveTable, LiveTables
from kibitz.server.refusals import NotAllowed
from kibitz.server.store import StoreFailed

SOONEST = 0.05  # seconds: a clock that is set again fires no sooner


class Patience:
    """Sets a clock for each decision of a person, by the times in the log: a restart sets it anew."""

    def __init__(self, tables: LiveTables, appender: Appender, background: Background) -> None:
        self._tables = tables
        self._appender = appender
        self._background = background
        self._clocks: dict[str, asyncio.TimerHandle] = {}
        tables.on_change(self._set)

    def _set(self, live: LiveTable) -> None:
        self._stop(live.id)
        left = commands.patience_left(live.table, live.idle)
        if left is not None:
            clock = asyncio.get_running_loop().call_later(max(left, SOONEST), self._fire, live.id)
            self._clocks[live.id] = clock

    def _stop(self, id: str) -> None:
        clock = self._clocks.pop(id, None)
        if clock is not None:
            clock.cancel()

    def _fire(self, id: str) -> None:
        self._stop(id)
        self._background.start(self._play_on(id))

    async def _play_on(self, id: str) -> None:
        try:
            async with self._tables.hold(id) as live:
                left = commands.patience_left(live.table, live.idle)
                if left is not None and left <= 0:
                    seat = live.table.turn
                    assert seat is not None
                    draft = commands.played_on(live.table, seat, live.names)
                    command = f"bot/patience/{live.table.number + 1}"
                    await self._appender.append(live, f"bot/{seat}", command, b"", draft)
                self._tables.show(live)
        except (NotAllowed, StoreFailed):
            pass  # the table is gone, or can't change now; whoever looks at it sets the clock anew

    def close(self) -> None:
        """Stop all clocks."""
        for id in list(self._clocks):
            self._stop(id)
