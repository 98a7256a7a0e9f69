"""The tables in use: each command is checked, appended and synced, acknowledged, then shown to all.

A table in memory is a cache of its log. Nobody owns it: the store's conditional append decides, and a table
whose log turns out to be longer is read again.
"""

import asyncio
import hashlib
import hmac
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Protocol

import msgspec

from kibitz.core.record import Record
from kibitz.core.secret import source
from kibitz.server import commands, showing
from kibitz.server.bus import Bus
from kibitz.server.commands import PACES, Draft, TableCommand
from kibitz.server.limits import Limits, Rate
from kibitz.server.live_bots import LiveBots
from kibitz.server.protocol import Chat, Create, Done, Hinted, Presence, Rematch, Summary
from kibitz.server.readiness import Readiness, Tell
from kibitz.server.refusals import NotAllowed
from kibitz.server.showing import Showing, Viewer, table_message, viewer_of
from kibitz.server.store import Conflict, Guest, Row, Store, next_row
from kibitz.server.table import BODIES, GUEST, OPEN, Chair, Created, Table

log = logging.getLogger("kibitz.tables")

encode = msgspec.json.Encoder().encode

ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # none that are taken for each other
ID_LENGTH = 8
LINGER = 60.0  # seconds for which a table stays in memory while nothing happens there
LINGERING = 1500  # such tables at most
LISTED = 100  # tables in a guest's list
DAY = 86400.0
UNBEGUN_DAYS, OTHER_DAYS = 7, 90  # after which tables expire
RETRY_SECONDS = 1.0  # until a bot tries again after something has failed
BUSY_SECONDS = 5  # after which to ask again for a hint when all bots are busy
THINKING = 0.6  # of a bot's pace it may search at most
REPLAYED_AT_ONCE = 200  # rows of a log, before others have their turn

Acknowledge = Callable[[Done], None]


def silent(game: str, done: int, total: int) -> None:
    """Tell nobody of a game's progress."""


class Watcher(Protocol):
    """A connection that watches tables."""

    guest: Guest

    def send(self, message: bytes) -> None:
        """Put a message into its queue."""
        ...


class Live:
    """Those who watch a table; and, while something happens there, the table itself."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.lock = asyncio.Lock()  # held from the check to the end of the append
        self.users = 0
        self.watchers: dict[Watcher, int] = {}  # each with the last row it was shown
        self.here: dict[str, int] = {}  # connections of each guest
        self.left: dict[str, float] = {}  # when a guest's last connection left
        self.opened = time.monotonic()
        self.names: dict[str, str] = {}
        self.bots: asyncio.Task[None] | None = None
        self._table: Table | None = None
        self.showing: Showing | None = None

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
        self.showing = Showing(table)

    def forget(self) -> None:
        """What is in memory may differ from the log: read it again."""
        self._table = self.showing = None

    def absence(self, guest: str) -> float | None:
        """For how many seconds a guest has been away; None: it is here."""
        if self.here.get(guest):
            return None
        return time.monotonic() - self.left.get(guest, self.opened)

    def message(self, viewer: Viewer, since: int | None) -> bytes:
        """The table as a viewer may see it."""
        assert self.showing is not None
        return table_message(self.showing, self.table, viewer, since, self.names, self.absence)


class _Held:
    """A table while somebody holds it."""

    __slots__ = ("_live", "_tables", "_tell")

    def __init__(self, tables: "Tables", live: Live, tell: Tell) -> None:
        self._tables = tables
        self._live = live
        self._tell = tell

    async def __aenter__(self) -> Live:
        live = self._live
        live.users += 1
        try:
            if not live.loaded:
                await self._tables.prepare(live, self._tell)
            await live.lock.acquire()
        except BaseException:
            self._tables.unused(live)
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
        self._tables.unused(self._live)


class Tables:
    """All tables: those in memory, and through the store those that aren't."""

    def __init__(self, store: Store, bus: Bus, readiness: Readiness, bots: LiveBots, limits: Limits) -> None:
        self._store = store
        self._bus = bus
        self._readiness = readiness
        self._bots = bots
        self._key = store.key
        self._limits = limits
        self._chat_rate = Rate(limits.chats, limits.chat_seconds)
        self._hint_rate = Rate(limits.hints, limits.hint_seconds)
        self._live: dict[str, Live] = {}
        self._quiet: OrderedDict[Live, float] = OrderedDict()  # in memory, but not in use since then
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        bus.subscribe(self._heard)

    @property
    def in_memory(self) -> int:
        """How many tables are in memory."""
        return len(self._live)

    # A table in memory

    def _at(self, id: str, tell: Tell) -> "_Held":
        """Hold a table: it is loaded, and nobody else changes it meanwhile."""
        live = self._live.get(id)
        if live is None:
            live = self._live[id] = Live(id)
        self._quiet.pop(live, None)
        return _Held(self, live, tell)

    def unused(self, live: Live) -> None:
        """Somebody holds it no longer."""
        live.users -= 1
        self._let_go(live)

    async def prepare(self, live: Live, tell: Tell) -> None:
        """Wait until the table's game can be played."""
        if self._readiness.all_playable:
            return
        rows = await self._store.rows(live.id)
        if rows:
            await self._readiness.wait(BODIES["create"].decode(rows[0].body).game, tell)

    async def load(self, live: Live) -> None:
        """Read the log."""
        rows = await self._store.rows(live.id)
        if not rows:
            raise NotAllowed("gone")
        table = Table(rows[0])
        for row in rows[1:]:
            table.apply(row)
            if row.number % REPLAYED_AT_ONCE == 0:
                await asyncio.sleep(0)
        live.names = await self._store.names(table.guests)
        live.set_table(table)

    def _let_go(self, live: Live) -> None:
        """Let a table leave the memory, but not at once: soon somebody may move, or come back."""
        if live.users or live.bots is not None:
            return
        if live.loaded:
            self._quiet.setdefault(live, time.monotonic())
            if len(self._quiet) > LINGERING:
                self._forget(next(iter(self._quiet)))
            if self._timer is None:
                self._timer = asyncio.get_running_loop().call_later(LINGER, self._tidy)
        elif not live.watchers and self._live.get(live.id) is live:
            del self._live[live.id]

    def _tidy(self) -> None:
        """Forget the tables at which nothing has happened for long."""
        self._timer = None
        while self._quiet:
            live, since = next(iter(self._quiet.items()))
            if (left := since + LINGER - time.monotonic()) > 0:
                self._timer = asyncio.get_running_loop().call_later(left, self._tidy)
                break
            self._forget(live)

    def _forget(self, live: Live) -> None:
        del self._quiet[live]
        live.forget()
        self._let_go(live)

    # Commands

    async def command(
        self, guest: Guest, command: TableCommand, acknowledge: Acknowledge, tell: Tell
    ) -> None:
        """Carry a command out, once; acknowledge it when it is on disk, then show everybody."""
        asked = fingerprint(guest.id, command)
        async with self._at(command.table, tell) as live:
            row = known(live.table, guest.id, command.id, asked)
            while row is None:
                if isinstance(command, Chat):
                    keep_measure(self._chat_rate, guest)
                draft = commands.draft(live.table, guest, command, live.absence, live.names)
                if draft.kind == "seat":
                    live.names[guest.id] = guest.name
                    live.left[guest.id] = time.monotonic()
                row = await self._append(live, guest.id, command.id, asked, draft)
            acknowledge(Done(command.id, live.id, row.number))
            self._show(live)

    async def _append(self, live: Live, actor: str, command: str, asked: bytes, draft: Draft) -> Row | None:
        """Add a row to the log and to the table in memory; None if the log had moved on: look again."""
        table = live.table
        row = next_row(
            table.last,
            table=table.id,
            kind=draft.kind,
            actor=actor,
            time=time.time(),
            command=command,
            fingerprint=asked,
            body=encode(draft.body),
        )
        try:
            begun = table.begun
            table.apply(row)
            tell_lists = draft.standing or table.over or table.begun != begun
            standing = table.standing(live.names) if tell_lists else None
            stored = await self._store.append(row, table.turn, standing)
        except Conflict:
            await self._reload(live)
            return None
        except BaseException:
            live.forget()
            self._spawn(self._refresh(live))  # it may be on disk nevertheless
            raise
        if stored is not row:  # another node has carried this command out
            await self._reload(live)
            return known(live.table, actor, command, asked)
        self._bus.publish(live.id, row.number)
        return row

    async def _reload(self, live: Live) -> None:
        live.forget()
        await self.load(live)
        self._show(live)

    async def _refresh(self, live: Live) -> None:
        async with self._at(live.id, silent):
            self._show(live)

    # Showing

    async def watch(self, watcher: Watcher, id: str, tell: Tell) -> None:
        """Show a table from now on."""
        async with self._at(id, tell) as live:
            guest = watcher.guest.id
            if watcher not in live.watchers:
                live.here[guest] = live.here.get(guest, 0) + 1
            live.watchers[watcher] = live.table.number
            watcher.send(live.message(viewer_of(live.table, guest), None))
            if live.here[guest] == 1 and live.table.seat_of(guest) is not None:
                self._show_presence(live, but=watcher)
            self._mind_bots(live)

    def leave(self, watcher: Watcher, id: str) -> None:
        """Show it no longer."""
        live = self._live.get(id)
        if live is None or live.watchers.pop(watcher, None) is None:
            return
        guest = watcher.guest.id
        live.here[guest] -= 1
        if live.here[guest] == 0:
            del live.here[guest]
            if not live.loaded or live.table.seat_of(guest) is not None:
                live.left[guest] = time.monotonic()
                self._spawn(self._tell_presence(live))
        self._let_go(live)

    async def _tell_presence(self, live: Live) -> None:
        if live.watchers:
            async with self._at(live.id, silent):
                self._show_presence(live)

    def _show_presence(self, live: Live, but: Watcher | None = None) -> None:
        made: dict[Viewer, bytes] = {}
        for watcher in live.watchers:
            viewer = viewer_of(live.table, watcher.guest.id)
            if viewer not in made:
                seats = showing.seats(live.table, viewer, live.names, live.absence)
                made[viewer] = encode(Presence(live.id, seats))
            if watcher is not but:
                watcher.send(made[viewer])

    def _show(self, live: Live) -> None:
        """Send everybody what is new to them, made once for all who see the same."""
        made: dict[tuple[Viewer, int], bytes] = {}
        table = live.table
        number = table.number
        for watcher, since in live.watchers.items():
            if since == number:
                continue
            key = (viewer_of(table, watcher.guest.id), since)
            if key not in made:
                made[key] = live.message(*key)
            live.watchers[watcher] = number
            watcher.send(made[key])
        self._mind_bots(live)

    def _heard(self, table: str, number: int) -> None:
        """Another node has appended a row, or this one, which then knows it."""
        live = self._live.get(table)
        if live is not None and (live.table.number < number if live.loaded else live.watchers):
            self._spawn(self._catch_up(live))

    async def _catch_up(self, live: Live) -> None:
        async with self._at(live.id, silent):
            for row in await self._store.rows(live.id, live.table.number):
                live.table.apply(row)
            live.names |= await self._store.names(live.table.guests)
            self._show(live)

    def renamed(self, guest: Guest) -> None:
        """A guest is called otherwise now."""
        for live in self._live.values():
            if guest.id in live.names:
                live.names[guest.id] = guest.name
                self._spawn(self._tell_presence(live))

    # Bots

    def _mind_bots(self, live: Live) -> None:
        """Have the bot in turn think, if anybody could care."""
        cared_for = live.watchers or live.table.guests
        if live.bots is None and cared_for and live.table.bot_in_turn is not None:
            live.bots = self._spawn(self._play_bots(live))

    async def _play_bots(self, live: Live) -> None:
        try:
            while live.watchers or (live.loaded and live.table.guests):
                try:
                    if not await self._play_bot(live):
                        break
                except NotAllowed:
                    break  # the table is gone
                except Exception:
                    log.exception("a bot at table %s could not move", live.id)
                    await asyncio.sleep(RETRY_SECONDS)
        finally:
            live.bots = None
            self._let_go(live)

    async def _play_bot(self, live: Live) -> bool:
        """One bot's move; False if no bot is in turn.

        It comes when the pace says, however soon it is found: the time tells nothing about hidden cards.
        """
        started = time.monotonic()
        async with self._at(live.id, silent):
            table = live.table
            seat = table.bot_in_turn
            if seat is None:
                return False
            assert table.state is not None
            changed, level = table.changed, table.chairs[seat].level
            observation = table.state.observation(seat)
        pace = PACES[table.created.pace]
        move, fallback = await self._bots.choose(level or commands.SUBSTITUTE, observation, THINKING * pace)
        await asyncio.sleep(max(0.0, started + pace - time.monotonic()))
        async with self._at(live.id, silent):
            table = live.table
            if table.changed == changed and table.bot_in_turn == seat:
                await self._move_bot(live, seat, str(move), fallback)
        return True

    async def _move_bot(self, live: Live, seat: int, move: str, fallback: str | None) -> None:
        command = f"bot/{seat}/{live.table.number + 1}"
        draft = commands.checked_move(live.table, seat, move, fallback)
        if await self._append(live, f"bot/{seat}", command, b"", draft):
            self._show(live)

    async def hint(self, guest: Guest, id: str, tell: Tell) -> Hinted:
        """What a strong bot would do in the guest's place, knowing only what the guest knows."""
        async with self._at(id, tell) as live:
            seat = commands.own_seat(live.table, guest)
            commands.playing(live.table)
            if live.table.turn != seat:
                raise NotAllowed("not-your-decision")
            assert live.table.state is not None
            observation = live.table.state.observation(seat)
            number = live.table.number
        keep_measure(self._hint_rate, guest)
        try:
            move = await self._bots.advise("hard", observation)
        except TimeoutError:
            raise NotAllowed("slow-down", count=BUSY_SECONDS) from None
        return Hinted(id, number, str(move))

    # New tables

    async def create(self, guest: Guest, command: Create, acknowledge: Acknowledge, tell: Tell) -> None:
        """Open a table; the same command always means the same one."""
        await self._readiness.wait(command.game, tell)
        created = new_table(guest, command)
        asked = fingerprint(guest.id, command)
        attempt = 0
        while True:
            id = table_id(self._key, guest.id, command.id, attempt)
            first = (await self._store.rows(id))[:1]
            if not first and not await self._store.expired(id):
                if await self._store.open_tables(guest.id) >= self._limits.open_tables:
                    raise NotAllowed("too-many-tables", most=self._limits.open_tables)
                await self._open(id, guest, command.id, asked, created)
                continue
            if first and (first[0].actor, first[0].command) != (guest.id, command.id):
                attempt += 1  # by chance another table has this name
                continue
            if first and first[0].fingerprint != asked:
                raise NotAllowed("same-id")
            acknowledge(Done(command.id, id, 0))
            return

    async def _open(self, id: str, guest: Guest, command: str, asked: bytes, created: Created) -> None:
        row = next_row(
            None,
            table=id,
            kind="create",
            actor=guest.id,
            time=time.time(),
            command=command,
            fingerprint=asked,
            body=encode(created),
        )
        table = Table(row)
        names = await self._store.names([*table.guests, guest.id])
        try:
            await self._store.append(row, table.turn, table.standing(names))
        except Conflict:
            return  # it is there: whoever asks looks again

    async def rematch(self, guest: Guest, command: Rematch, acknowledge: Acknowledge, tell: Tell) -> None:
        """The same again; whoever asks, and however often, it is the same new table."""
        asked = fingerprint(guest.id, command)
        async with self._at(command.table, tell) as live:
            known(live.table, guest.id, command.id, asked)
            while live.table.rematch is None:
                commands.rematch(live.table, guest)
                new = table_id(self._key, "rematch", live.id, 0)
                await self._open(new, guest, f"rematch/{live.id}", b"", again(live.table, guest))
                await self._append(live, guest.id, command.id, asked, commands.rematched(new))
            commands.own_seat(live.table, guest)
            acknowledge(Done(command.id, live.table.rematch, 0))
            self._show(live)

    # Lists, records, the broom

    async def tables_of(self, guest: Guest) -> list[Summary]:
        """The tables at which a guest has a seat."""
        listed = await self._store.tables_of(guest.id, LISTED)
        ids = {seat.guest for one in listed for seat in one.standing.seats if seat.guest is not None}
        names = await self._store.names(sorted(ids))
        return [summary(one.table, one.time, one.turn, one.standing, guest.id, names) for one in listed]

    async def record(self, id: str) -> Record | None:
        """The record of a game that is over; None while it isn't."""
        async with self._at(id, silent) as live:
            table = live.table
            if table.state is None or not table.over:
                return None
            return table.state.record(
                tuple(table.name_of(seat, live.names) for seat in range(len(table.chairs)))
            )

    async def sweep(self) -> list[str]:
        """Forget tables at which nothing has happened for long."""
        now = time.time()
        return await self._store.expire(now - UNBEGUN_DAYS * DAY, now - OTHER_DAYS * DAY, list(self._live))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if (
            not task.cancelled()
            and (error := task.exception()) is not None
            and error.__class__ is not NotAllowed
        ):
            log.error("a task of the tables failed", exc_info=error)

    async def close(self) -> None:
        """Stop the bots; what was asked for before is on disk."""
        self._bus.unsubscribe(self._heard)
        if self._timer is not None:
            self._timer.cancel()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def keep_measure(rate: Rate, guest: Guest) -> None:
    """Count one more of something, or refuse it."""
    if wait := rate.wait(guest.id):
        raise NotAllowed("slow-down", count=max(1, round(wait)))


# The same command


def fingerprint(guest: str, command: Any) -> bytes:
    """What was asked, by whom, in short."""
    return hashlib.sha256(guest.encode() + b"/" + encode(command)).digest()[:16]


def known(table: Table, actor: str, command: str, asked: bytes) -> Row | None:
    """The row that a command has made before; the same id for anything else is refused."""
    row = table.commands.get(command)
    if row is not None and (row.actor, row.fingerprint) != (actor, asked):
        raise NotAllowed("same-id")
    return row


# New tables


def table_id(key: bytes, *parts: object) -> str:
    """A short name that nobody can guess without the store's key; the same parts give the same name."""
    told = msgspec.json.encode([str(part) for part in parts])
    number = int.from_bytes(hmac.digest(key, told, "sha256"))
    letters = []
    for _ in range(ID_LENGTH):
        number, letter = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[letter])
    return "".join(letters)


def new_table(guest: Guest, command: Create) -> Created:
    """What a new table's first row says, with a fresh secret."""
    from kibitz.core import registry

    game = registry.game(command.game)
    players = game.checked_players(len(command.seats))
    options = game.checked_options(command.options, players)
    if command.pace not in PACES:
        raise NotAllowed("bad-pace")
    return _created(
        game=game.name,
        rules=game.rules_version,
        options=options,
        players=players,
        seats=_chairs(guest, command.seats),
        pace=command.pace,
        creator=guest.id,
    )


def _chairs(guest: Guest, seats: Sequence[str]) -> list[Chair]:
    if seats.count("me") > 1:
        raise NotAllowed("bad-seats")
    chairs = []
    for seat in seats:
        if seat == "me":
            chairs.append(Chair(GUEST, guest.id))
        elif seat == "open":
            chairs.append(Chair(OPEN))
        else:
            commands.known_level(seat)
            chairs.append(Chair("bot", level=seat))
    return chairs


def again(table: Table, guest: Guest) -> Created:
    """The same settings with the seats moved on by one, and another secret."""
    settings = msgspec.structs.asdict(table.created)
    chairs = [Chair(chair.kind, chair.guest, chair.level) for chair in table.chairs]
    for name in ("secret", "commitment"):
        del settings[name]
    settings |= {"seats": [chairs[-1], *chairs[:-1]], "creator": guest.id, "rematch_of": table.id}
    return _created(**settings)


def _created(**settings: Any) -> Created:
    deal = source(None)
    assert deal.secret is not None
    assert deal.commitment is not None
    return Created(**settings, secret=deal.secret.hex(), commitment=deal.commitment)


def summary(
    id: str, last: float, turn: int | None, standing: Any, guest: str, names: dict[str, str]
) -> Summary:
    """A line of a guest's list."""
    guests = [seat.guest for seat in standing.seats]
    seat = guests.index(guest) if guest in guests else None
    return Summary(
        table=id,
        game=standing.game,
        time=last,
        seats=[names.get(seat.guest or "", seat.name) for seat in standing.seats],
        seat=seat,
        your_turn=seat is not None and seat == turn,
        begun=standing.begun,
        over=standing.over,
        winners=list(standing.winners),
    )
