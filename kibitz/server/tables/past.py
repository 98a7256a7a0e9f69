"""A table as it was: shown to a guest as it was shown to that guest then."""

import asyncio

from msgspec.structs import replace

from kibitz.server.limits import Limits, Rate
from kibitz.server.protocol import Recall, Recalled
from kibitz.server.readiness import Tell
from kibitz.server.tables import commands
from kibitz.server.tables.live_tables import REPLAYED_AT_ONCE, LiveTables, Watcher
from kibitz.server.tables.refusals import NotAllowed
from kibitz.server.tables.table import Table, Told
from kibitz.server.tables.table_view import LogLines, Viewer, table_view, viewer_of
from kibitz.server.turns import Turns


class Past:
    """Tables as they were after their rows."""

    def __init__(self, tables: LiveTables, drawing: Turns, limits: Limits) -> None:
        self._tables = tables
        self._drawing = drawing
        self._rate = Rate(limits.recalls, limits.recall_seconds)

    async def recall(self, by: Watcher, asked: Recall, tell: Tell) -> Recalled:
        """The table after a row, from where the guest then looked: nothing of it is new to the guest."""
        guest = by.guest
        self._rate.take(guest.id)
        number = asked.number
        async with self._tables.hold(asked.table, tell) as live:
            commands.looking_on(live.table, guest.id)
            then = live.table.from_the_beginning()
            shows_all = live.table.over and live.table.created.spectators == "end"
            told = live.table.told[: number + 1]
            names = live.names
        if number < 0 or len(told) <= number:
            raise NotAllowed("no-such-row")
        async with self._drawing.turn(by.asker):
            await _fold(then, told)
            viewer = viewer_of(then, guest.id)
            if asked.seat is not None:
                commands.known_seat(then, asked.seat)
                if not shows_all:
                    raise NotAllowed("hands-stay-hidden")
                viewer = Viewer(asked.seat)
            shown = table_view(LogLines(then), then, viewer, number, names, lambda guest: None, by.figures)
        return Recalled(replace(shown, time=None))


async def _fold(table: Table, told: list[Told]) -> None:
    for each in told[1:]:
        table.apply(each.row, each.body)
        if each.row.number % REPLAYED_AT_ONCE == 0:
            await asyncio.sleep(0)  # others have their turn
