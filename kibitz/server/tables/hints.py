"""What a kibitzer tells a guest at a live table, by what the guest knows: best moves, chances, beliefs."""

import asyncio

import msgspec

from kibitz.server.limits import Limits, Rate
from kibitz.server.protocol import Advised, Believed, Chances, Hinted
from kibitz.server.readiness import Readiness, Tell, silent
from kibitz.server.stores.store import Guest
from kibitz.server.study.analyst import Task
from kibitz.server.study.analysts import Analysts
from kibitz.server.tables import commands
from kibitz.server.tables.live_tables import LiveTables, Watcher
from kibitz.server.tables.refusals import NotAllowed
from kibitz.server.tables.table import Table

LOADING = 10.0  # seconds in which a game that is compiled already is surely loaded


class Hints:
    """Asked of analysts, who get what the guest's seat knows; a table's option says whether they may be."""

    def __init__(self, tables: LiveTables, analysts: Analysts, readiness: Readiness, limits: Limits) -> None:
        self._tables = tables
        self._readiness = readiness
        self._analysts = analysts
        self.rate = Rate(limits.hints, limits.hint_seconds)

    async def hint(self, by: Watcher, id: str, tell: Tell) -> Hinted:
        """The best moves for the guest, who must be in turn."""
        async with self._tables.hold(id, tell) as live:
            task, number = _task("advise", live.table, by.guest), live.table.number
            commands.decision_of(live.table, by.guest)
        await self._compiled(live.table.game.name)
        self.rate.take(by.guest.id)
        found = msgspec.json.decode(await self._analysts.ask(by.asker, task), type=list[Advised])
        return Hinted(id, number, found[0].move, found[0].sentences, found)

    async def beliefs(self, by: Watcher, id: str, tell: Tell) -> Believed:
        """How many of which cards are likely where the guest can't see them."""
        task, number = await self._ask_at("beliefs", by.guest, id, tell)
        found = msgspec.json.decode(
            await self._analysts.ask(by.asker, task), type=dict[str, dict[str, float]]
        )
        return Believed(id, number, found)

    async def chances(self, by: Watcher, id: str, tell: Tell) -> Chances:
        """How likely each seat wins, as far as the guest can know."""
        task, number = await self._ask_at("chances", by.guest, id, tell)
        found = await self._analysts.ask(by.asker, task)
        return Chances(id, number, msgspec.json.decode(found, type=list[float]))

    async def _ask_at(self, kind: str, guest: Guest, id: str, tell: Tell) -> tuple[Task, int]:
        async with self._tables.hold(id, tell) as live:
            task, number = _task(kind, live.table, guest), live.table.number
        await self._compiled(live.table.game.name)
        self.rate.take(guest.id)
        return task, number

    async def _compiled(self, game: str) -> None:
        """No search without compiled rules: what is only being loaded is waited for."""
        try:
            async with asyncio.timeout(LOADING):
                await self._readiness.wait(game, silent)
        except TimeoutError:
            raise NotAllowed("warming-up") from None


def _task(kind: str, table: Table, guest: Guest) -> Task:
    seat = commands.own_seat(table, guest)
    commands.playing(table)
    if refusal := commands.why_no_advice(table):
        raise NotAllowed(refusal)
    assert table.state is not None
    return Task(kind=kind, record=table.state.record().json(), at=seat)
