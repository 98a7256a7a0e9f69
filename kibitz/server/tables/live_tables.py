"""The tables in memory: each is a cache of its log, and is forgotten when it has been quiet.

Nobody owns a table: the store's conditional append decides, and a table whose log turns out to be longer is
read again.
"""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Protocol
from weakref import WeakKeyDictionary

import msgspec

from kibitz.server.background import Background
from kibitz.server.nodes.bus import Appended, Bus, Missed, News, WhoIsHere
from kibitz.server.protocol import Gone, Presence, TableView
from kibitz.server.readiness import Readiness, Tell, silent
from kibitz.server.stores.store import Guest, Row, Store, StoreFailed, first_broken
from kibitz.server.tables import commands
from kibitz.server.tables.late import LATE, LateTable, sees_late
from kibitz.server.tables.refusals import NotAllowed
from kibitz.server.tables.rows import FORGOTTEN, body_of, people_of
from kibitz.server.tables.table import Table
from kibitz.server.tables.table_view import (
    LogLines,
    Viewer,
    alike,
    seats,
    speakers,
    table_message,
    viewer_of,
)
from kibitz.server.turns import NOBODY, Asker

log = logging.getLogger("kibitz.live_tables")

encode = msgspec.json.Encoder().encode

QUIET_SECONDS = 60.0  # for which a table stays in memory while nothing happens there
QUIET_TABLES = 1500  # such tables at most
INTERPRETED_ROWS = 40  # of a log, replayed while its game isn't compiled: a move may take 5 ms
REPLAYED_AT_ONCE = 200  # rows of a log, before others have their turn
LOOK_SECONDS = 5.0  # between two looks at the store for rows of which no news came
LOOKED_AT_ONCE = 500  # tables
BELIEVED_SECONDS = 30.0  # for which a node is believed who is there, unless it says so again


def whole(rows: Sequence[Row], last: Row | None = None) -> Sequence[Row]:
    """A log, or what follows its last row; a table is refused if a row isn't what was once written."""
    broken = first_broken(rows, last)
    if broken is not None:
        log.error(
            "table %s is damaged from row %s on; kibitz verify-store tells more",
            rows[0].table,
            rows[broken].number,
        )
        raise NotAllowed("table-damaged")
    return rows


class Watcher(Protocol):
    """A connection that watches tables."""

    guest: Guest
    figures: bool  # whether it is shown what follows from views
    rounds: bool  # whether it says when the score of a round has been read

    @property
    def asker(self) -> Asker:
        """With whom it waits for its turn."""
        ...

    def send(self, message: bytes) -> None:
        """Put a message into its queue."""
        ...


class Rest:
    """After a round: those whom the bots still wait for, with their seats."""

    def __init__(self, number: int, awaited: dict[str, int]) -> None:
        self.number = number  # of the row that ended the round
        self.awaited = awaited
        self.deadline: float | None = None
        self.over = asyncio.Event()

    @property
    def seconds_left(self) -> float | None:
        """For how long it may last; None: for as long as it takes."""
        return None if self.deadline is None else max(0.0, self.deadline - time.monotonic())


class LiveTable:
    """Those who watch a table; and, while something happens there, the table itself."""

    def __init__(self, id: str, started: float) -> None:
        self.id = id
        self._started = started  # when the server did
        self.lock = asyncio.Lock()  # held from the check to the end of the append
        self.users = 0
        self.watchers: dict[Watcher, int] = {}  # each with the last row it was shown
        self.here: dict[str, int] = {}  # connections of each guest
        self.elsewhere: dict[str, tuple[float, frozenset[str]]] = {}  # guests at other nodes, told when
        self.left: dict[str, float] = {}  # when a guest's last connection left
        self.opened = time.monotonic()
        self.names: dict[str, str] = {}
        self.presence_due = False  # the watchers will be told who is here
        self.knows_presence: Watcher | None = None  # but for this one, who has just been shown
        self.bots: asyncio.Task[None] | None = None  # at their turns
        self.pace: str | None = None  # of the bots, if it isn't the one the table was made with
        self.rest: Rest | None = None  # after the latest round that ended here
        self.read: dict[int, set[str]] = {}  # who has read a score elsewhere, by the row that ended the round
        self.rested = 0.0  # when a rest was last over
        self._table: Table | None = None
        self._lines: LogLines | None = None
        self._late: LateTable | None = None
        self._late_shown: WeakKeyDictionary[Watcher, int] = WeakKeyDictionary()  # the last row of it

    @property
    def loaded(self) -> bool:
        """Whether the log has been read."""
        return self._table is not None

    @property
    def table(self) -> Table:
        """The table, once it is loaded."""
        assert self._table is not None
        return self._table

    def set_table(self, table: Table) -> None:
        """The log has been read."""
        self._table = table
        self._lines = LogLines(table)

    def forget(self) -> None:
        """What is in memory may differ from the log: read it again before the next use."""
        self._table = self._lines = self._late = None

    def absence(self, guest: str) -> float | None:
        """For how many seconds a guest has been away; None: it is here."""
        if self.here.get(guest) or self.is_elsewhere(guest):
            return None
        return time.monotonic() - self.left.get(guest, self.opened)

    def is_elsewhere(self, guest: str) -> bool:
        """Whether another node has said that a guest is there."""
        believed = time.monotonic() - BELIEVED_SECONDS
        return any(guest in guests and told > believed for told, guests in self.elsewhere.values())

    def idle(self) -> float:
        """For how many seconds the seat in turn has been deciding; while no server ran, it couldn't.

        Nor need it during a rest.
        """
        if self.resting:
            return 0.0
        return time.time() - max(self.table.told[self.table.changed].row.time, self._started, self.rested)

    @property
    def asker(self) -> Asker:
        """For whom its bots think: who watches; those at tables that nobody watches share one turn."""
        return next((watcher.asker for watcher in self.watchers), NOBODY)

    @property
    def resting(self) -> bool:
        """Whether the score of a round is being read: bots wait, and no time of a decision runs."""
        return self.rest is not None and not self.rest.over.is_set()

    # What its watchers are sent

    def message(
        self, viewer: Viewer, since: int | None, figures: bool, shared: TableView | None = None
    ) -> bytes:
        """The table as a viewer may see it; `shared` is what all of them see alike."""
        assert self._lines is not None
        return table_message(
            self._lines, self.table, viewer, since, self.names, self.absence, figures, shared
        )

    def show_all(self, watcher: Watcher) -> None:
        """Send somebody the whole table."""
        guest = watcher.guest.id
        if sees_late(self.table, guest):
            late = self._late_table()
            self.watchers[watcher] = late.then.number
            self._late_shown[watcher] = late.latest
            watcher.send(late.message(guest, None, self.names, self.absence, watcher.figures))
        else:
            self.watchers[watcher] = self.table.number
            viewer = viewer_of(self.table, guest)._replace(voice=guest)
            watcher.send(self.message(viewer, None, watcher.figures))

    def show(self) -> None:
        """Send everybody what is new to them, made once for all who see the same."""
        made: dict[tuple[Viewer, int | None, bool], bytes] = {}
        table = self.table
        number = table.number
        open_to_all = table.created.spectators == "open"
        shared: TableView | None = None
        spoke: dict[int | None, frozenset[str]] = {}
        for watcher, shown in self.watchers.items():
            if shown == number:
                continue
            guest = watcher.guest.id
            since: int | None = shown
            if not open_to_all:
                if not self.may_look(guest):
                    continue
                if sees_late(table, guest):
                    self._show_late(watcher, shown)
                    continue
                since = self._known(guest, shown)
            if since not in spoke:
                spoke[since] = speakers(table, since)
            viewer = viewer_of(table, guest)
            if guest in spoke[since]:
                viewer = viewer._replace(voice=guest)
            key = (viewer, since, watcher.figures)
            if key not in made:
                shared = shared or alike(table)
                made[key] = self.message(*key, shared)
            self.watchers[watcher] = number
            watcher.send(made[key])

    def _known(self, guest: str, shown: int) -> int | None:
        """The last row that a guest knows; None where hands lay open, late, until now: another view."""
        late = self.table.created.spectators == LATE
        return None if late and self.table.over and not self.table.has_sat(guest) else shown

    def _show_late(self, watcher: Watcher, since: int) -> None:
        late = self._late_table()
        if since > late.then.number:  # the cards have just been dealt: until now it was another view
            self.show_all(watcher)
        elif self._late_shown.get(watcher) != late.latest:
            self.watchers[watcher] = late.then.number
            self._late_shown[watcher] = late.latest
            told = late.message(watcher.guest.id, since, self.names, self.absence, watcher.figures)
            watcher.send(told)

    def _late_table(self) -> LateTable:
        if self._late is None:
            self._late = LateTable(self.table)
        self._late.catch_up()
        return self._late

    def may_look(self, guest: str) -> bool:
        """Whether the table is shown to a guest."""
        return commands.may_look_on(self.table, guest)

    @property
    def spectators(self) -> int:
        """How many people look on."""
        return sum(self.table.seat_of(guest) is None and self.may_look(guest) for guest in self.here)

    def show_presence(self) -> None:
        """Send everybody who is connected."""
        made: dict[Viewer, bytes] = {}
        for watcher in self.watchers:
            if watcher is self.knows_presence:
                continue
            viewer = viewer_of(self.table, watcher.guest.id)
            if viewer not in made:
                made[viewer] = self.presence(viewer)
            watcher.send(made[viewer])

    def presence(self, viewer: Viewer) -> bytes:
        """Who is connected, for a viewer."""
        sitting = seats(self.table, viewer, self.names, self.absence)
        return encode(Presence(self.id, sitting, self.spectators))


class Hold:
    """A table while somebody holds it: it is loaded, and nobody else changes it meanwhile."""

    __slots__ = ("_live", "_tables", "_tell")

    def __init__(self, tables: "LiveTables", live: LiveTable, tell: Tell) -> None:
        self._tables = tables
        self._live = live
        self._tell = tell

    async def __aenter__(self) -> LiveTable:
        live = self._live
        live.users += 1
        try:
            if not (live.loaded and self._tables.all_ready):
                await self._tables.prepare(live, self._tell)
            await live.lock.acquire()
        except BaseException:
            self._tables.release(live)
            raise
        try:
            if not live.loaded:
                await self._tables.load(live)
        except BaseException:
            await self.__aexit__()
            raise
        return live

    async def __aexit__(self, *error: object) -> None:
        self._live.lock.release()
        self._tables.release(self._live)


class LiveTables:
    """All tables in memory. Those who want to know when one has changed can listen."""

    def __init__(self, store: Store, bus: Bus, readiness: Readiness, background: Background) -> None:
        self._store = store
        self._bus = bus
        self._readiness = readiness
        self._background = background
        self._started = time.time()
        self._tables: dict[str, LiveTable] = {}
        self._quiet: OrderedDict[LiveTable, float] = OrderedDict()  # loaded, but not in use since then
        self._timer: asyncio.TimerHandle | None = None
        self._listeners: list[Callable[[LiveTable], None]] = []
        bus.subscribe(self._on_news)

    def __len__(self) -> int:
        return len(self._tables)

    @property
    def ids(self) -> list[str]:
        """Which tables are in memory."""
        return list(self._tables)

    def find(self, id: str) -> LiveTable | None:
        """A table, if it is in memory."""
        return self._tables.get(id)

    @property
    def watched(self) -> list[LiveTable]:
        """The tables that somebody watches."""
        return [live for live in self._tables.values() if live.watchers]

    def naming(self, guest: str) -> list[LiveTable]:
        """The tables that show a guest's name."""
        return [live for live in self._tables.values() if guest in live.names]

    @property
    def all_ready(self) -> bool:
        """Whether every game is compiled."""
        return self._readiness.all_ready

    async def compiled(self, game: str) -> None:
        """Wait until a game is compiled."""
        await self._readiness.wait(game, silent)

    # Holding one

    def hold(self, id: str, tell: Tell = silent) -> Hold:
        """Hold a table: `async with`."""
        live = self._tables.get(id)
        if live is None:
            live = self._tables[id] = LiveTable(id, self._started)
        self._quiet.pop(live, None)
        return Hold(self, live, tell)

    def release(self, live: LiveTable) -> None:
        """Somebody holds it no longer."""
        live.users -= 1
        self.let_rest(live)

    async def prepare(self, live: LiveTable, tell: Tell) -> None:
        """Have the table's game compiled; what takes long to replay has to wait for it."""
        if self.all_ready:
            return
        if live.loaded:
            self._readiness.want(live.table.game.name, tell)
            return
        rows = whole(await self._store.rows(live.id))
        if len(rows) > INTERPRETED_ROWS:
            await self._readiness.wait(body_of(rows[0]).game, tell)
        elif rows:
            self._readiness.want(body_of(rows[0]).game, tell)

    async def load(self, live: LiveTable) -> None:
        """Read the log."""
        rows = whole(await self._store.rows(live.id))
        if not rows:
            raise NotAllowed("gone")
        people = people_of(rows)
        known = await self._store.names(sorted(people))
        table = Table(rows[0], frozenset(people - set(known)))
        for row in rows[1:]:
            table.apply(row)
            if row.number % REPLAYED_AT_ONCE == 0:
                await asyncio.sleep(0)
        if table.closed:
            raise NotAllowed("closed")
        live.names = {guest: known.get(guest, FORGOTTEN) for guest in table.guests}
        live.set_table(table)
        await self.note_ratings(live)

    async def table_of(self, live: LiveTable) -> Table:
        """The table that somebody holds; read again if that was asked for meanwhile."""
        if not live.loaded:
            await self.load(live)
        return live.table

    async def note_ratings(self, live: LiveTable) -> None:
        """How well those play who sit at a rated table, and what a game that is over has changed."""
        table = live.table
        if not table.created.rated:
            return
        if not table.begun:
            table.skills = {guest: await self._store.skill_of(table.pool, guest) for guest in table.guests}
        elif table.over and not table.rating_changes:
            table.rating_changes = await self._store.rating_changes(live.id)

    def forget_names(self, guest: str) -> None:
        """Nobody knows a guest any more: tables that show the name are read again when nobody holds them."""
        for live in self.naming(guest):
            self._background.start(self._read_again_in_turn(live.id))

    # Keeping up with the log

    def show(self, live: LiveTable) -> None:
        """Something has changed: show it to those who watch, and tell those who listen."""
        live.show()
        for listener in self._listeners:
            listener(live)

    def on_change(self, listener: Callable[[LiveTable], None]) -> None:
        """Call this whenever a table has been shown."""
        self._listeners.append(listener)

    async def read_again(self, live: LiveTable) -> None:
        """The log is longer than was known; whoever calls holds the table."""
        live.forget()
        await self.load(live)
        self.show(live)

    async def _read_again_in_turn(self, id: str) -> None:
        async with self.hold(id) as live:
            await self.read_again(live)

    def read_again_soon(self, live: LiveTable) -> None:
        """What is in memory can't be trusted: forget it now, read it when it is free; the caller holds it."""
        live.forget()
        self._background.start(self._show_afresh(live))

    async def catch_up(self, live: LiveTable) -> bool:
        """Read what other nodes may have added to the log; whoever calls holds the table.

        A third node may not know it either: whoever added it may have died before it could tell.
        """
        if not self._bus.far or not await self._read_on(live):
            return False
        self._bus.publish(Appended(live.id, live.table.number))
        self.show(live)
        return True

    async def _show_afresh(self, live: LiveTable) -> None:
        async with self.hold(live.id) as held:  # another one, if this has left the memory meanwhile
            self.show(held)

    def _on_news(self, news: News) -> None:
        """Another node has a row, or this one, which then knows it; or nothing was heard for a while."""
        match news:
            case Appended() | WhoIsHere():
                self._note_end(news.table, news.number)
            case Missed():
                self._background.start(self._look())

    async def keep_looking(self) -> None:
        """Look at the store now and then: news may be lost."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            await self._look()

    async def _look(self) -> None:
        watched = [live.id for live in self.watched]
        for start in range(0, len(watched), LOOKED_AT_ONCE):
            try:
                ends = await self._store.ends(watched[start : start + LOOKED_AT_ONCE])
            except StoreFailed:
                continue
            for table, number in ends.items():
                self._note_end(table, number)

    def _note_end(self, table: str, number: int) -> None:
        live = self._tables.get(table)
        if live is not None and (live.table.number < number if live.loaded else live.watchers):
            self._background.start(self._catch_up(live))

    async def _catch_up(self, live: LiveTable) -> None:
        try:
            async with self.hold(live.id) as held:
                await self._read_on(held)
                self.show(held)
        except NotAllowed as refusal:
            if refusal.code != "closed":
                raise
            self.shut(live)

    async def _read_on(self, live: LiveTable) -> bool:
        """Take in what the log has more than is known; returns whether that was anything."""
        table = live.table
        rows = whole(await self._store.rows(table.id, table.number), table.last)
        try:
            for row in rows:
                table.apply(row)
        except BaseException:
            live.forget()
            raise
        if table.closed:
            self.shut(live)
            raise NotAllowed("closed")
        if any(row.kind != "move" for row in rows):  # somebody may have come, or be called otherwise
            live.names |= await self._store.names(table.guests)
        if rows:
            await self.note_ratings(live)
        return bool(rows)

    def shut(self, live: LiveTable) -> None:
        """Whoever hosts the house has closed the table: tell those who watch, and show it no more."""
        told = encode(Gone(live.id, "closed"))
        for watcher in live.watchers:
            watcher.send(told)
        live.watchers.clear()
        live.here.clear()
        live.forget()

    # Forgetting the quiet

    def let_rest(self, live: LiveTable) -> None:
        """If nobody uses a table, let it leave the memory; not at once, for soon somebody may move."""
        if live.users or live.bots is not None:
            return
        if live.loaded:
            self._quiet.setdefault(live, time.monotonic())
            if len(self._quiet) > QUIET_TABLES:
                self._forget(next(iter(self._quiet)))
            if self._timer is None:
                self._timer = asyncio.get_running_loop().call_later(QUIET_SECONDS, self._forget_quiet)
        elif not live.watchers and self._tables.get(live.id) is live:
            del self._tables[live.id]

    def _forget_quiet(self) -> None:
        """Forget the tables at which nothing has happened for long."""
        self._timer = None
        while self._quiet:
            live, since = next(iter(self._quiet.items()))
            if (left := since + QUIET_SECONDS - time.monotonic()) > 0:
                self._timer = asyncio.get_running_loop().call_later(left, self._forget_quiet)
                break
            self._forget(live)

    def _forget(self, live: LiveTable) -> None:
        del self._quiet[live]
        live.forget()
        self.let_rest(live)

    def close(self) -> None:
        """Hear no more news."""
        self._bus.unsubscribe(self._on_news)
        if self._timer is not None:
            self._timer.cancel()
