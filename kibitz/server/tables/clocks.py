"""The clocks of tables, set by the times in the log: a restart sets them anew. What happens at zero."""

import asyncio
import logging
import math
import time

from kibitz.server.background import Background
from kibitz.server.live_bots import LiveBots
from kibitz.server.stores.store import Store, StoreFailed
from kibitz.server.tables import commands
from kibitz.server.tables.appender import Appender
from kibitz.server.tables.commands import Draft
from kibitz.server.tables.live_tables import LiveTable, LiveTables
from kibitz.server.tables.refusals import NotAllowed
from kibitz.server.tables.rows import GUEST
from kibitz.server.tables.table import Table
from kibitz.server.tables.timers import Timers

log = logging.getLogger("kibitz.clocks")

EVERY_SECONDS = 15.0  # a look at what is due at tables that nobody watches, and a note that a server runs
AT_ONCE = 1000  # tables woken at one look
THINKING = 1.0  # seconds that a bot has for a decision that somebody didn't make


class Clocks:
    """Sets a clock for each decision of a person at a table that has one."""

    def __init__(
        self, tables: LiveTables, appender: Appender, store: Store, bots: LiveBots, background: Background
    ) -> None:
        self._tables = tables
        self._appender = appender
        self._store = store
        self._bots = bots
        self._background = background
        self._timers = Timers(background, self._at_zero)
        self._away: tuple[float, float] | None = None  # from when to when no server ran
        self._noted = False  # that a server runs; from the first clock on ...
        self._looked = asyncio.Event()  # ... and then it is known for how long none did
        tables.on_change(self._set)

    # Tables that nobody watches

    async def keep_going(self) -> None:
        """Note that a server runs, and wake what is due; for ever."""
        while True:
            try:
                await self._look()
            except StoreFailed:
                pass  # the store speaks for itself
            except Exception:
                log.exception("what is due at tables could not be found")
            await asyncio.sleep(EVERY_SECONDS)

    async def _look(self) -> None:
        if not await self._store.due(math.inf, 1):
            return  # a store without clocks is left in peace
        self._noted = True
        now = time.time()
        noted = await self._store.alive(now)
        if noted is not None and now - noted > 2 * EVERY_SECONDS:
            self._away = noted, now
            self._timers.fire_all()
        self._looked.set()
        for id in await self._store.due(now + EVERY_SECONDS, AT_ONCE):
            if id not in self._timers:
                self._background.start(self._wake(id))

    async def _wake(self, id: str) -> None:
        async with self._tables.hold(id) as live:
            self._tables.show(live)

    # Tables in memory

    def _set(self, live: LiveTable) -> None:
        table = live.table
        if table.times is None or table.turn is None or table.chairs[table.turn].kind != GUEST:
            self._timers.stop(live.id)
            return
        left = 0.0 if self._owed(table) > 0 else table.times.end(table.turn) - time.time()
        if not self._noted:
            self._noted = True
            self._background.start(self._look())
        self._timers.set(live.id, left)

    async def _at_zero(self, id: str) -> None:
        await self._looked.wait()
        try:
            async with self._tables.hold(id) as live:
                await self._forgive(live)
                if commands.time_over(live.table, time.time()):
                    await self._act(live)
                self._tables.show(live)
        except (NotAllowed, StoreFailed):
            pass  # the table is gone, or can't change now; the next look wakes it

    async def _forgive(self, live: LiveTable) -> None:
        """Nobody is charged for the time in which no server ran; each node would say the same of it."""
        seconds = self._owed(live.table)
        if seconds > 0 and self._away is not None:
            await self._append(live, f"bot/away/{self._away[0]}", commands.resumed(seconds))

    def _owed(self, table: Table) -> float:
        """How many of the seconds in which no server ran are still charged for this decision."""
        if self._away is None or table.times is None or table.turn is None:
            return 0.0
        began, back = self._away
        if f"bot/away/{began}" in table.commands or table.last.time >= back:
            return 0.0
        return back - max(began, table.times.since)

    async def _act(self, live: LiveTable) -> None:
        table = live.table
        seat = table.turn
        assert seat is not None
        assert table.times is not None
        assert table.state is not None
        command = f"bot/late/{table.number + 1}"
        if table.times.clock.at_zero != "move":
            await self._append(live, command, commands.late(table, live.names))
            return
        observation = table.state.observation(seat)
        move, fallback = await self._bots.choose(commands.SUBSTITUTE, observation, THINKING, asker=live.asker)
        await self._append(live, command, commands.checked_move(table, seat, str(move), fallback, late=True))

    async def _append(self, live: LiveTable, command: str, draft: Draft) -> None:
        await self._appender.append(live, "bot/clock", command, b"", draft)

    def close(self) -> None:
        """Stop all clocks."""
        self._timers.close()
