"""Between two rounds bots wait until the people at the table have read the score.

A rest isn't logged. It delays bots only: who is in turn may move at once. No time of a decision runs
meanwhile (`LiveTable.idle`); where there are clocks, which the log alone sets, it lasts no longer than what
they leave free after a round.
"""

import asyncio
import time
from contextlib import suppress

import msgspec

from kibitz.core.journal import Note
from kibitz.server.background import Background
from kibitz.server.limits import Limits
from kibitz.server.nodes.bus import Bus, News, RoundRead
from kibitz.server.protocol import Continue, Resting
from kibitz.server.readiness import Tell
from kibitz.server.stores.store import Guest
from kibitz.server.tables import commands
from kibitz.server.tables.live_tables import LiveTable, LiveTables, Rest
from kibitz.server.tables.table import Table, kinds

encode = msgspec.json.Encoder().encode


class Rests:
    """Begins a rest when a round ends, and ends it when all have read, or it has lasted long enough."""

    def __init__(self, tables: LiveTables, bus: Bus, background: Background, limits: Limits) -> None:
        self._tables = tables
        self._bus = bus
        self._background = background
        self._seconds = limits.rest_seconds
        tables.on_change(self._look)
        if bus.far:
            bus.subscribe(self._on_news)

    async def go_on(self, guest: Guest, asked: Continue, tell: Tell) -> None:
        """Somebody has read the score of the round that ended with this row."""
        async with self._tables.hold(asked.table, tell) as live:
            commands.own_seat(live.table, guest)
            if live.rest is not None and live.rest.number == asked.number:
                self._has_read(live, live.rest, guest.id)

    def left(self, live: LiveTable, guest: str) -> None:
        """Somebody has gone: not for long, perhaps."""
        if live.rest is not None and guest in live.rest.awaited:
            self._limit(live, live.rest)

    def tell(self, live: LiveTable) -> None:
        """Tell those who watch whom the bots wait for."""
        rest = live.rest
        if rest is not None:
            told = encode(Resting(live.id, rest.number, sorted(rest.awaited.values()), rest.seconds_left))
            for watcher in live.watchers:
                if watcher.rounds:
                    watcher.send(told)

    def _look(self, live: LiveTable) -> None:
        """A round may have ended, or somebody who was to read its score has moved."""
        table, rest = live.table, live.rest
        if rest is None or rest.number < table.changed:
            if rest is not None:
                self._go_on_by_moving(live, rest)
            if ends_round(table):
                self._begin(live)

    def _begin(self, live: LiveTable) -> None:
        table = live.table
        reading = {watcher.guest.id for watcher in live.watchers if watcher.rounds}
        away = {guest for guest in table.guests if live.is_elsewhere(guest)} - live.read.get(
            table.changed, set()
        )
        seats = {guest: seat for guest in reading | away if (seat := table.seat_of(guest)) is not None}
        for guest in live.here.keys() - reading:
            self._publish(live, table.changed, guest)
        live.read = {}
        if live.rest is not None:
            self._end(live, live.rest)
        live.rest = Rest(table.changed, seats)
        if not seats:
            self._end(live, live.rest)
            return
        among_people = len(table.guests) > 1 or bool(away)  # news that somebody has read may be lost
        if among_people or table.times is not None:
            self._limit(live, live.rest)
        self.tell(live)

    def _go_on_by_moving(self, live: LiveTable, rest: Rest) -> None:
        seat = getattr(live.table.told[live.table.changed].body, "seat", None)
        for guest in [guest for guest, of in rest.awaited.items() if of == seat]:
            self._has_read(live, rest, guest)

    def _has_read(self, live: LiveTable, rest: Rest, guest: str) -> None:
        if rest.awaited.pop(guest, None) is None:
            return
        if guest in live.here:
            self._publish(live, rest.number, guest)
        if not rest.awaited:
            self._end(live, rest)
        self.tell(live)

    def _publish(self, live: LiveTable, number: int, guest: str) -> None:
        if self._bus.far:
            self._bus.publish(RoundRead(live.id, guest, number))

    def _on_news(self, news: News) -> None:
        """Somebody has read elsewhere; perhaps before it was known here that the round is over."""
        live = self._tables.find(news.table) if isinstance(news, RoundRead) else None
        if live is None or not isinstance(news, RoundRead):
            return
        if live.rest is not None and live.rest.number == news.number:
            self._has_read(live, live.rest, news.guest)
        else:
            live.read.setdefault(news.number, set()).add(news.guest)

    def _limit(self, live: LiveTable, rest: Rest) -> None:
        """From now on it lasts only so long."""
        if rest.deadline is None and not rest.over.is_set():
            rest.deadline = time.monotonic() + self._seconds
            self._background.start(self._end_in_time(live, rest))

    async def _end_in_time(self, live: LiveTable, rest: Rest) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(self._seconds):
                await rest.over.wait()
                return
        rest.awaited.clear()
        self._end(live, rest)
        self.tell(live)

    def _end(self, live: LiveTable, rest: Rest) -> None:
        if not rest.over.is_set():
            live.rested = time.time()
            rest.over.set()


def ends_round(table: Table) -> bool:
    """Whether the latest change of the game ended a round, and another follows."""
    notes = table.told[table.changed].notes
    return not table.over and notes is not None and Note.SCORED in kinds(notes)
