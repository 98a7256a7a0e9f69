"""Who watches a table, and who is there."""

import asyncio
import time
from collections import deque

import msgspec

from kibitz.server.background import Background
from kibitz.server.limits import Limits, Rate
from kibitz.server.nodes.bus import ToldAt
from kibitz.server.nodes.neighbours import Neighbours
from kibitz.server.protocol import Nudged, Report, Reported
from kibitz.server.readiness import Tell
from kibitz.server.stores.store import Guest
from kibitz.server.tables import commands
from kibitz.server.tables.live_tables import LiveTable, LiveTables, Watcher
from kibitz.server.tables.rests import Rests
from kibitz.server.tables.table_view import viewer_of
from kibitz.server.turns import Turns

encode = msgspec.json.Encoder().encode

REPORTS = 50  # that are kept for the host's desk, until a restart
PRESENCE_SECONDS = 0.1  # between two times that watchers are told who is there


class Watching:
    """Connections come to tables and leave them; the others are told who is there."""

    def __init__(
        self,
        tables: LiveTables,
        neighbours: Neighbours,
        rests: Rests,
        background: Background,
        drawing: Turns,
        limits: Limits,
    ) -> None:
        self._tables = tables
        self._neighbours = neighbours
        self._rests = rests
        neighbours.on_presence = self._tell_presence_soon
        neighbours.on_told = self._told_elsewhere
        self.nudges = Rate(limits.nudges, limits.nudge_seconds)
        self.has_desk = False  # whether whoever hosts the house can look at reports
        self.reports: deque[tuple[float, Reported]] = deque(maxlen=REPORTS)  # and when; the latest
        self._background = background
        self._drawing = drawing
        tables.on_change(self._note_seats)

    def _note_seats(self, live: LiveTable) -> None:
        """Who sits down doesn't look on any longer."""
        if live.watchers and live.table.reseated == live.table.number > 0:
            self._tell_presence_soon(live)

    async def watch(self, watcher: Watcher, id: str, tell: Tell) -> None:
        """Show a table from now on."""
        async with self._drawing.turn(watcher.asker):
            pass  # others have theirs before the next, and nobody waits for a turn at a table that is held
        async with self._tables.hold(id, tell) as live:
            guest = watcher.guest.id
            await self._tables.catch_up(live)
            commands.looking_on(live.table, guest)
            if not live.watchers:
                self._neighbours.ask(live)
            if watcher not in live.watchers:
                live.here[guest] = live.here.get(guest, 0) + 1
            live.show_all(watcher)
            if live.spectators:
                watcher.send(live.presence(viewer_of(live.table, guest)))
            if live.here[guest] == 1:
                self._neighbours.tell(live)
                seated = live.table.seat_of(guest) is not None
                self._tell_presence_soon(live, but=watcher if seated and not live.spectators else None)
            self._tables.show(live)
            if live.resting:
                self._rests.tell(live)

    def leave(self, watcher: Watcher, id: str) -> None:
        """Show it no longer."""
        live = self._tables.find(id)
        if live is None or live.watchers.pop(watcher, None) is None:
            return
        guest = watcher.guest.id
        live.here[guest] -= 1
        if live.here[guest] == 0:
            del live.here[guest]
            self._neighbours.tell(live)
            self._rests.left(live, guest)
            if not live.loaded or live.table.seat_of(guest) is not None:
                live.left[guest] = time.monotonic()
            self._tell_presence_soon(live)
        self._tables.let_rest(live)

    async def nudge(self, guest: Guest, id: str, tell: Tell) -> None:
        """Tell whoever has to decide at a table that the others wait."""
        async with self._tables.hold(id, tell) as live:
            waited_for = commands.nudge(live.table, guest, live.absence, live.idle)
            self.nudges.take(guest.id)
            by = commands.name_at(live.table, guest, live.names)
            self._tell_guest(live, waited_for, Nudged(live.id, by))

    def _tell_guest(self, live: LiveTable, guest: str, message: Nudged | Reported) -> None:
        """Tell somebody at a table, at whatever node."""
        self._tell_here(live, guest, message)
        self._neighbours.tell_guest(live.id, guest, message)

    def _tell_here(self, live: LiveTable, guest: str, message: Nudged | Reported) -> None:
        told = encode(message)
        for watcher in live.watchers:
            if watcher.guest.id == guest:
                watcher.send(told)

    def _told_elsewhere(self, news: ToldAt) -> None:
        if isinstance(news.message, Reported):
            self._note(news.message)
        live = self._tables.find(news.table)
        if live is not None:
            self._tell_here(live, news.guest, news.message)

    async def report(self, guest: Guest, command: Report, tell: Tell) -> None:
        """Tell the host what was said at a table; the desk at every node hears of it, too."""
        async with self._tables.hold(command.table, tell) as live:
            table = live.table
            said = commands.report(table, guest, command.number, live.absence, self.has_desk)
            self.nudges.take(guest.id)
            name = commands.name_at(live.table, guest, live.names)
            told = Reported(live.id, name, said.text, said.name, said.preset)
            self._note(told)
            hidden = guest.id == table.host or commands.said_by_host(table, command.number)
            self._tell_guest(live, "" if hidden else table.host, told)

    def _note(self, told: Reported) -> None:
        self.reports.append((time.time(), told))

    def renamed(self, guest: str, name: str) -> None:
        """A guest is called otherwise now."""
        for live in self._tables.naming(guest):
            live.names[guest] = name
            self._tell_presence_soon(live)

    def _tell_presence_soon(self, live: LiveTable, but: Watcher | None = None) -> None:
        """Tell those who watch who is there; what happens in quick succession is told at once."""
        live.knows_presence = but
        if not live.presence_due:
            live.presence_due = True
            self._background.start(self._tell_presence(live))

    async def _tell_presence(self, live: LiveTable) -> None:
        await asyncio.sleep(PRESENCE_SECONDS)
        live.presence_due = False
        if live.watchers:
            async with self._tables.hold(live.id):
                live.show_presence()
        live.knows_presence = None
