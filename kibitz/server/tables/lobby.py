"""Opening tables, and what is told of those that are there: a guest's list, a game's record."""

import asyncio
import hmac
import re
import secrets
import time
import unicodedata
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from typing import Any
from weakref import WeakValueDictionary

import msgspec
import numpy as np

from kibitz.core import registry
from kibitz.core.game import Game
from kibitz.core.options import ANY_SEAT
from kibitz.core.record import Record
from kibitz.core.secret import source
from kibitz.server.limits import Limits
from kibitz.server.people.ratings import pool_of
from kibitz.server.protocol import CODE_LENGTH, Create, Done, Rematch, Seek, Sit, Stand, Summary
from kibitz.server.readiness import Readiness, Tell, silent
from kibitz.server.stores.store import Conflict, Guest, Listed, Store, next_row
from kibitz.server.tables import commands
from kibitz.server.tables.appender import Acknowledge, Appender, fingerprint, known_row
from kibitz.server.tables.commands import PACES
from kibitz.server.tables.daily_deal import sealed
from kibitz.server.tables.listing import Listing
from kibitz.server.tables.live_tables import LiveTables, whole
from kibitz.server.tables.refusals import NotAllowed
from kibitz.server.tables.rows import BOT, GUEST, OPEN, Chair, Created, Regular
from kibitz.server.tables.seeking import BOTS_AFTER
from kibitz.server.tables.table import Table
from kibitz.server.texts import clean
from kibitz.server.turns import Asker

encode = msgspec.json.Encoder().encode

ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # none that are taken for each other
ID_LENGTH = 8
CARRIED = 40  # lines of talk that go on to the next game's table
STARTS = ("host", "full")  # when the cards are dealt
MOST_SEATS = 10_000  # of a guest
TITLE_LENGTH = 40  # of what people call a table they come back to
SUFFIX = 5  # letters of chance in its name: nobody finds one by trying
LATE_MOVES = range(1, 101)  # by which those who look on see all hands
LISTED = 100  # tables in a guest's list


class Lobby:
    """Opens tables and lists them."""

    def __init__(
        self, tables: LiveTables, appender: Appender, store: Store, readiness: Readiness, limits: Limits
    ) -> None:
        self._tables = tables
        self._appender = appender
        self._store = store
        self._readiness = readiness
        self._limits = limits
        self.listing = Listing(store, limits)
        self._opening: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # of each guest

    # Opening

    async def create(
        self, guest: Guest, command: Create, acknowledge: Acknowledge, tell: Tell, household: str
    ) -> None:
        """Open a table; the same command always means the same one."""
        self._readiness.want(command.game, tell)
        created = new_table(guest, command)
        async with self._opening.setdefault(guest.id, asyncio.Lock()):  # a limit is counted one at a time
            id = await self._opened(guest, command, created, household)
        acknowledge(Done(command.id, id, 0))

    async def seek(
        self, guest: Guest, command: Seek, acknowledge: Acknowledge, tell: Tell, household: str
    ) -> None:
        """To the table of somebody who looks for players, too; or to a new one, where others will come."""
        self._readiness.want(command.game, tell)
        created = sought_table(guest, command)
        async with self._opening.setdefault(f"seek/{command.game}", asyncio.Lock()):
            id = await self._joined(guest, command)
            id = id or await self._opened(guest, command, created, household)
        acknowledge(Done(command.id, id, 0))

    async def _joined(self, guest: Guest, command: Seek) -> str | None:
        """A table at which somebody looks for players now; the longest-waiting first."""
        for one in reversed(await self.listing.tables()):
            standing = one.standing
            if standing.game != command.game or not standing.seeking:
                continue
            if command.players not in (None, len(standing.seats)):
                continue
            mine = any(seat.guest == guest.id for seat in standing.seats)
            if mine or await self._sat_down(one.table, guest, command.id):
                return one.table
        return None

    async def _sat_down(self, id: str, guest: Guest, command: str) -> bool:
        """Whether there was a seat, and somebody waiting."""
        async with self._tables.hold(id) as live:
            if live.table.begun or all(live.absence(each) is not None for each in live.table.guests):
                return False
        sit = Sit(id=f"bot/seek/{command}", table=id)
        try:
            await self._appender.carry_out(guest, sit, lambda done: None, silent)
        except NotAllowed:
            return False
        return True

    async def find(self, code: str) -> str:
        """The table that waits for players and has this code."""
        beginning = "".join(code.split()).upper()
        if len(beginning) < CODE_LENGTH or not set(beginning) <= set(ALPHABET):
            raise NotAllowed("bad-code", count=CODE_LENGTH)
        found = await self._store.waiting_tables(beginning)
        if len(found) != 1:
            raise NotAllowed("no-such-code")
        return found[0]

    async def _opened(self, guest: Guest, command: Create | Seek, created: Created, household: str) -> str:
        """The table that a command has opened, now or before."""
        asked = fingerprint(guest.id, command)
        attempt = 0
        while True:
            id = table_id(self._store.key, guest.id, command.id, attempt)
            first = whole((await self._store.rows(id))[:1])
            if not first and not await self._store.expired(id):
                if await self._store.open_tables(guest.id) >= self._limits.open_tables:
                    raise NotAllowed("too-many-tables", most=self._limits.open_tables)
                async with self._place_in_list(id, created, Asker(household, guest.id)):
                    await self.open(id, guest, command.id, asked, created)
                continue
            if first and (first[0].actor, first[0].command) != (guest.id, command.id):
                attempt += 1  # by chance another table has this name
                continue
            if first and first[0].fingerprint != asked:
                raise NotAllowed("same-id")
            return id

    def _place_in_list(self, id: str, created: Created, asker: Asker) -> AbstractAsyncContextManager[None]:
        return self.listing.listed(asker, id) if created.listed else nullcontext()

    async def open(self, id: str, guest: Guest, command: str, asked: bytes, created: Created) -> None:
        """Begin a table's log, unless it has been."""
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
        if table.deals_itself:
            async with self._tables.hold(id) as live:
                await self._appender.deal(live)

    async def rematch(
        self,
        guest: Guest,
        command: Rematch,
        acknowledge: Acknowledge,
        tell: Tell,
        belongs: bool = False,
    ) -> None:
        """The same again; whoever asks, and however often, it is the same new table.

        Only who had a seat may ask, or (`belongs`) somebody known at the regular table it belongs to.
        """
        asked = fingerprint(guest.id, command)
        async with self._tables.hold(command.table, tell) as live:
            known_row(live.table, guest.id, command.id, asked)
            if not belongs:
                commands.own_seat(live.table, guest)
            while live.table.rematch is None:
                commands.rematch(live.table)
                new = table_id(self._store.key, "rematch", live.id, 0)
                await self.open(new, guest, f"rematch/{live.id}", b"", again(live.table, guest, live.names))
                await self._appender.append(live, guest.id, command.id, asked, commands.rematched(new))
            new = live.table.rematch
            self._tables.show(live)
        await self._accept(new, guest, command.id, tell)
        acknowledge(Done(command.id, new, 0))

    async def _accept(self, id: str, guest: Guest, command: str, tell: Tell) -> None:
        """Who accepts sits down, if the seat is still kept."""
        async with self._tables.hold(id, tell) as live:
            invited = live.table.kept_for(guest.id) is not None and live.table.seat_of(guest.id) is None
        if invited:
            sit = Sit(id=f"bot/rematch/{command}", table=id)
            with suppress(NotAllowed):
                await self._appender.carry_out(guest, sit, lambda done: None, tell)

    async def leave_all(self, guest: Guest, command: str) -> None:
        """Give up all seats: others are there, and nobody will come back to this one."""
        for one in await self._store.tables_of(guest.id, MOST_SEATS):
            if not one.standing.over and guest.id in [seat.guest for seat in one.standing.seats]:
                stand = Stand(id=f"bot/forget/{command}", table=one.table)
                with suppress(NotAllowed):
                    await self._appender.carry_out(guest, stand, lambda done: None, silent)

    # Telling

    def seats_of(self, game: str, players: int | None) -> int:
        """How many seats a table of a game has: so many, or the fewest."""
        return registry.game(game).checked_players(players)

    async def tables_of(self, guest: str) -> list[Summary]:
        """The tables at which a guest has a seat."""
        listed = await self._store.tables_of(guest, LISTED)
        ids = {seat.guest for one in listed for seat in one.standing.seats if seat.guest is not None}
        names = await self._store.names(sorted(ids))
        return [summary(one, guest, names) for one in listed]

    async def record(self, id: str) -> Record | None:
        """The record of a game that is over; None while it isn't. That of a day's deal stays sealed."""
        async with self._tables.hold(id) as live:
            table = live.table
            if table.state is None or not table.over:
                return None
            if sealed(table.created):
                raise NotAllowed("sealed")
            return table.state.record(tuple(table.names_of(live.names)))


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
    game = registry.game(command.game)
    players = game.checked_players(len(command.seats))
    options = game.checked_options(command.options, players)
    if command.pace not in PACES:
        raise NotAllowed("bad-pace")
    if command.start not in STARTS:
        raise NotAllowed("bad-start")
    awaited = OPEN in command.seats
    if command.rated:
        _require_rateable(guest, command, game.name, players)
    return _created(
        game=game.name,
        rules=game.rules_version,
        options=options,
        players=players,
        seats=_chairs(guest, command.seats),
        names=[guest.name if seat == "me" else "" for seat in command.seats],
        pace=command.pace,
        clock=commands.known_clock(command.clock),
        spectators=commands.known_spectators(command.spectators),
        late_moves=known_late_moves(command),
        whole=command.whole,
        advice=commands.known_advice("off" if command.rated else command.advice),
        rated=command.rated,
        position=_position(game, command, players),
        creator=guest.id,
        waits=True,
        fills=awaited and command.start == "full",
        listed=awaited and command.listed,
        regular=new_regular(command.regular),
    )


def _require_rateable(guest: Guest, command: Create, game: str, players: int) -> None:
    """A rated game is dealt as usual, to people with a passphrase and bots that are rated."""
    if "me" in command.seats:
        commands.rateable(guest)
    for level in set(command.seats) - {"me", OPEN}:
        commands.rated_bot(pool_of(game, players), level)
    if command.position is not None:
        raise NotAllowed("rated-position")


def known_late_moves(command: Create) -> int:
    """How late hands are shown; at a rated table they never are."""
    if command.late_moves not in LATE_MOVES:
        raise NotAllowed("bad-late-moves", least=LATE_MOVES[0], most=LATE_MOVES[-1])
    if command.spectators == "late" and command.rated:
        raise NotAllowed("rated-late")
    return command.late_moves


def sought_table(guest: Guest, command: Seek) -> Created:
    """A table for whoever looks for players: the usual game, dealt when it is full."""
    if command.bots_after is not None and command.bots_after not in BOTS_AFTER:
        raise NotAllowed("bad-bots-after", least=BOTS_AFTER[0], most=BOTS_AFTER[-1])
    game = registry.game(command.game)
    players = game.checked_players(command.players or game.players[0])
    return _created(
        game=game.name,
        rules=game.rules_version,
        options=game.checked_options({}, players),
        players=players,
        seats=[Chair(GUEST, guest.id), *[Chair()] * (players - 1)],
        names=[guest.name, *[""] * (players - 1)],
        pace="normal",
        creator=guest.id,
        waits=True,
        listed=True,
        seeking=True,
        bots_after=command.bots_after,
    )


def new_regular(title: str) -> Regular | None:
    """A name for the address, made of what people call the table; None: it has no name, so it is none."""
    title = clean(title, TITLE_LENGTH)
    if not title:
        return None
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    words = re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or "table"
    chance = "".join(secrets.choice(ALPHABET) for _ in range(SUFFIX)).lower()
    return Regular(f"{words}-{chance}", title)


def _position(game: Game, command: Create, players: int) -> dict[str, Any] | None:
    """The position a table begins with, the cards that nobody had drawn shuffled anew."""
    if command.position is None:
        return None
    if "open" in command.seats:
        raise NotAllowed("position-bots")
    state = game.from_position(command.position)
    if state.players != players or state.over:
        raise NotAllowed("position-bots")
    fields = state.fields()
    if "deck" in (game.rules.STATE.names or ()):
        undrawn = fields.deck[: int(fields.deck_size)]
        undrawn[:] = np.random.default_rng(secrets.randbits(128)).permutation(undrawn)
    return game.describe(fields)


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


def again(table: Table, guest: Guest, names: Mapping[str, str]) -> Created:
    """The same settings and seats, each kept open for who had it; whoever begins moves on by one."""
    settings = msgspec.structs.asdict(table.created)
    seats = _invited(table.chairs, guest)
    for name in ("secret", "commitment"):
        del settings[name]
    settings |= {"seats": seats, "creator": guest.id, "rematch_of": table.id, "options": _moved_on(table)}
    settings |= {"waits": True, "fills": False, "listed": False, "seeking": False, "bots_after": None}
    settings |= {"wins": table.wins, "games": table.created.games + 1, "talk": table.talk[-CARRIED:]}
    settings["names"] = _names_at(seats, guest, names)
    return _created(**settings)


def anew(created: Created, people: Sequence[str | None], guest: Guest, names: Mapping[str, str]) -> Created:
    """The same settings, for a table whose log is gone: the guest sits there, the others are invited."""
    chairs = [
        Chair(GUEST, who) if who else Chair(BOT, level=chair.level or commands.SUBSTITUTE)
        for who, chair in zip(people, created.seats, strict=True)
    ]
    chairs = _invited(chairs, guest)
    settings = msgspec.structs.asdict(created)
    for name in ("secret", "commitment", "rematch_of"):
        del settings[name]
    settings |= {"seats": chairs, "creator": guest.id, "waits": True, "fills": True, "listed": False}
    settings["talk"] = []
    settings["names"] = _names_at(chairs, guest, names)
    return _created(**settings)


def _invited(chairs: Sequence[Chair], guest: Guest) -> list[Chair]:
    """Who asks sits there, bots come along, and whoever else had a seat is invited to it.

    Who asks without having had one takes a bot's.
    """
    invited = [
        Chair(each.kind, each.guest, each.level)
        if each.guest in (None, guest.id)
        else Chair(former=each.guest)
        for each in chairs
    ]
    bots = [seat for seat, chair in enumerate(invited) if chair.kind == BOT]
    if bots and guest.id not in [chair.guest for chair in invited]:
        invited[bots[0]] = Chair(GUEST, guest.id)
    return invited


def _names_at(chairs: Sequence[Chair], guest: Guest, names: Mapping[str, str]) -> list[str]:
    known = {**names, guest.id: guest.name}
    return [known.get(chair.guest or chair.former or "", "") for chair in chairs]


def _moved_on(table: Table) -> dict[str, Any]:
    """The options, with the next seat beginning or dealing."""
    options = dict(table.created.options)
    position = table.state.position() if table.state else {}
    for option in table.game.options:
        if ANY_SEAT in option.accepts and isinstance(before := position.get(option.name), int):
            options[option.name] = (before + 1) % table.created.players
    return options


def _created(**settings: Any) -> Created:
    deal = source(None)
    assert deal.secret is not None
    assert deal.commitment is not None
    return Created(**settings, secret=deal.secret.hex(), commitment=deal.commitment)


def summary(listed: Listed, guest: str, names: dict[str, str]) -> Summary:
    """A line of a guest's list."""
    standing = listed.standing
    guests = [seat.guest for seat in standing.seats]
    seat = guests.index(guest) if guest in guests else None
    return Summary(
        table=listed.table,
        game=standing.game,
        time=listed.time,
        seats=[names.get(seat.guest or "", seat.name) for seat in standing.seats],
        seat=seat,
        your_turn=seat is not None and seat == listed.turn,
        due=listed.due if seat is not None and seat == listed.turn else None,
        clock=standing.clock,
        kept=guest in [seat.left for seat in standing.seats],
        begun=standing.begun,
        over=standing.over,
        winners=list(standing.winners),
        regular=standing.title,
        regular_name=standing.regular,
    )
