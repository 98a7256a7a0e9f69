"""A table as it was: shown to a guest as it was shown to that guest then."""

import asyncio

from msgspec.structs import replace

from kibitz.server.limits import Limits, Rate
from kibitz.server.live_tables import REPLAYED_AT_ONCE, LiveTables
from kibitz.server.protocol import Recalled
from kibitz.server.readiness import Tell
from kibitz.server.refusals import NotAllowed
from kibitz.server.store import Guest
from kibitz.server.table import Table, Told
from kibitz.server.table_view import LogLines, table_view, viewer_of


class Past:
    """Tables as they were after their rows."""

    def __init__(self, tables: LiveTables, limits: Limits) -> None:
        self._tables = tables
        self._rate = Rate(limits.recalls, limits.recall_seconds)

    async def recall(self, guest: Guest, id: str, number: int, figures: bool, tell: Tell) -> Recalled:
        """The table after a row, from where the guest then looked: nothing of it is new to the guest."""
        self._rate.take(guest.id)
        async with self._tables.hold(id, tell) as live:
            told = live.table.told[: number + 1]
            names = live.names
        if number < 0 or len(told) <= number:
            raise NotAllowed("no-such-row")
        then = await _folded(told)
        viewer = viewer_of(then, guest.id)
        shown = table_view(LogLines(then), then, viewer, number, names, lambda guest: None, figures)
        return Recalled(replace(shown, time=None))


async def _folded(told: list[Told]) -> Table:
    table = Table(told[0].row)
    for each in told[1:]:
        table.apply(each.row, each.body)
        if each.row.number % REPLAYED_AT_ONCE == 0:
            await asyncio.sleep(0)  # others have their turn
    return table
