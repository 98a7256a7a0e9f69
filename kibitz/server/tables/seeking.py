"""Tables at which bots take the seats that are still open after a while, if they were opened so.

And tables that are full but not dealt: somebody may add a word to the shuffle first, or the server that would
have done so was stopped just before.
"""

import time

from kibitz.server.background import Background
from kibitz.server.stores.store import StoreFailed
from kibitz.server.tables.appender import Appender
from kibitz.server.tables.commands import SUBSTITUTE, Draft
from kibitz.server.tables.live_tables import LiveTable, LiveTables
from kibitz.server.tables.opening import deals_at
from kibitz.server.tables.refusals import NotAllowed
from kibitz.server.tables.rows import BOT, OPEN, Chair, Seated
from kibitz.server.tables.table import Table
from kibitz.server.tables.timers import Timers

BOTS_AFTER = range(5, 601)  # seconds


def due_in(table: Table) -> float | None:
    """Seconds until bots take the open seats, or cards are dealt to all; None: that never happens."""
    if (dealt := deals_at(table)) is not None:
        return dealt - time.time()
    after = table.created.bots_after
    if after is None or table.begun:
        return None
    return table.told[0].row.time + after - time.time()


class Seeking:
    """Sets a timer for each such table, by the time it was opened."""

    def __init__(self, tables: LiveTables, appender: Appender, background: Background) -> None:
        self._tables = tables
        self._appender = appender
        self._timers = Timers(background, self._fill)
        tables.on_change(self._set)

    def _set(self, live: LiveTable) -> None:
        seconds = due_in(live.table)
        if seconds is None:
            self._timers.stop(live.id)
        else:
            self._timers.set(live.id, seconds)

    async def _fill(self, id: str) -> None:
        """Bots sit down, if anybody still waits."""
        try:
            async with self._tables.hold(id) as live:
                while live.watchers and not live.table.full:
                    await self._seat_a_bot(live)
                await self._appender.deal(live)
                if live.watchers:
                    self._tables.show(live)
        except (NotAllowed, StoreFailed):
            pass  # the table is gone, or can't change now; whoever looks at it sets the timer anew

    async def _seat_a_bot(self, live: LiveTable) -> None:
        seat = [chair.kind for chair in live.table.chairs].index(OPEN)
        draft = Draft("seat", Seated(seat, Chair(BOT, level=SUBSTITUTE), "replace"), standing=True)
        await self._appender.append(live, f"bot/{seat}", f"bot/seat/{live.table.number + 1}", b"", draft)

    def close(self) -> None:
        """Stop all timers."""
        self._timers.close()
