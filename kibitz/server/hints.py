"""What a kibitzer tells a guest at a live table, by what the guest knows: best moves, chances, beliefs."""

import msgspec

from kibitz.server import commands
from kibitz.server.analyst import Task
from kibitz.server.analysts import Analysts
from kibitz.server.limits import Limits, Rate
from kibitz.server.live_tables import LiveTables
from kibitz.server.protocol import Advised, Believed, Chances, Hinted
from kibitz.server.readiness import Tell
from kibitz.server.refusals import NotAllowed
from kibitz.server.store import Guest
from kibitz.server.table import Table

SECONDS = 60.0  # for an answer; seldom more than one


class Hints:
    """Asked of analysts, who get what the guest's seat knows; a table's option says whether they may be."""

    def __init__(self, tables: LiveTables, analysts: Analysts, limits: Limits) -> None:
        self._tables = tables
        self._analysts = analysts
        self.rate = Rate(limits.hints, limits.hint_seconds)

    async def hint(self, guest: Guest, id: str, tell: Tell) -> Hinted:
        """The best moves for the guest, who must be in turn."""
        async with self._tables.hold(id, tell) as live:
            task, number = _task("advise", live.table, guest), live.table.number
            commands.decision_of(live.table, guest)
        self.rate.take(guest.id)
        found = msgspec.json.decode(await self._analysts.ask(task, seconds=SECONDS), type=list[Advised])
        return Hinted(id, number, found[0].move, found[0].sentences, found)

    async def beliefs(self, guest: Guest, id: str, tell: Tell) -> Believed:
        """How many of which cards are likely where the guest can't see them."""
        task, number = await self._ask_at("beliefs", guest, id, tell)
        found = msgspec.json.decode(
            await self._analysts.ask(task, seconds=SECONDS), type=dict[str, dict[str, float]]
        )
        return Believed(id, number, found)

    async def chances(self, guest: Guest, id: str, tell: Tell) -> Chances:
        """How likely each seat wins, as far as the guest can know."""
        task, number = await self._ask_at("chances", guest, id, tell)
        return Chances(
            id, number, msgspec.json.decode(await self._analysts.ask(task, seconds=SECONDS), type=list[float])
        )

    async def _ask_at(self, kind: str, guest: Guest, id: str, tell: Tell) -> tuple[Task, int]:
        async with self._tables.hold(id, tell) as live:
            task, number = _task(kind, live.table, guest), live.table.number
        self.rate.take(guest.id)
        return task, number


def _task(kind: str, table: Table, guest: Guest) -> Task:
    seat = commands.own_seat(table, guest)
    commands.playing(table)
    if refusal := commands.why_no_advice(table):
        raise NotAllowed(refusal)
    assert table.state is not None
    return Task(kind=kind, record=table.state.record().json(), at=seat)
