"""Regular tables: the same address, people, rules and running tally, evening after evening.

A regular table is a row of games, each at a table of its own that was opened as a rematch of the one before.
The store knows the latest; how often everybody has won follows from the results, which outlive the logs.
"""

from collections import Counter
from collections.abc import Sequence

import msgspec

from kibitz.server.limits import Limits, Rate
from kibitz.server.protocol import (
    AskRegular,
    Done,
    RegularGame,
    RegularPlayer,
    RegularTable,
    Rematch,
    VisitRegular,
)
from kibitz.server.readiness import Tell
from kibitz.server.stores.store import Finished, Guest, Store, regular_file
from kibitz.server.tables.appender import Acknowledge
from kibitz.server.tables.live_tables import LiveTables
from kibitz.server.tables.lobby import Lobby, anew, table_id
from kibitz.server.tables.refusals import NotAllowed
from kibitz.server.tables.rows import Created

REMEMBERED = 2000  # results that are counted
TOLD = 50  # games that are told one by one


class Regulars:
    """Leads people to their regular tables."""

    def __init__(self, tables: LiveTables, lobby: Lobby, store: Store, limits: Limits) -> None:
        self._tables = tables
        self._lobby = lobby
        self._store = store
        self._rate = Rate(limits.finds, limits.find_seconds)

    async def visit(self, guest: Guest, command: VisitRegular, acknowledge: Acknowledge, tell: Tell) -> None:
        """To the game that goes on; if it is over, its people begin the next one, and others may look."""
        self._rate.take(guest.id)
        latest, created = await self._found(command.name)
        if await self._store.expired(latest):
            acknowledge(Done(command.id, await self._begun_anew(latest, created, guest, command.id), 0))
            return
        async with self._tables.hold(latest, tell) as live:
            over, seated = live.table.over, live.table.seat_of(guest.id) is not None
        if over and (seated or guest.id in people_of(created, await self._games(created))):
            again = Rematch(id=command.id, table=latest)
            await self._lobby.rematch(guest, again, acknowledge, tell, belongs=True)
        else:
            acknowledge(Done(command.id, latest, 0))

    async def _begun_anew(self, latest: str, created: Created, guest: Guest, command: str) -> str:
        """The table that follows one whose log is gone: with the people of the last finished game."""
        games = await self._games(created)
        seats = [seat.guest or seat.left for seat in games[-1].standing.seats] if games else []
        people = seats or [chair.guest or chair.former for chair in created.seats]
        if guest.id not in people_of(created, games):
            raise NotAllowed("gone")
        new = table_id(self._store.key, "regular", latest)
        names = await self._store.names([each for each in people if each])
        await self._lobby.open(new, guest, command, b"", anew(created, people, guest, names))
        return new

    async def _games(self, created: Created) -> list[Finished]:
        """The games that were finished, the earliest first; each is filed once for each of its people."""
        assert created.regular is not None
        found = await self._store.filed_results(regular_file(created.regular.name), REMEMBERED)
        return list({one.table: one for one in found}.values())

    async def told(self, guest: Guest, asked: AskRegular) -> RegularTable:
        """Who plays there, and how it went."""
        self._rate.take(guest.id)
        latest, created = await self._found(asked.name)
        assert created.regular is not None
        games = await self._games(created)
        people = people_of(created, games)
        names = await self._store.names(sorted(people))
        ended = latest in [one.table for one in games] or await self._store.expired(latest)
        return RegularTable(
            name=created.regular.name,
            title=created.regular.title,
            game=created.game,
            options=created.options,
            table=None if ended else latest,
            belongs=guest.id in people,
            players=tally(games, names, guest),
            games=[told_game(one, names) for one in reversed(games[-TOLD:])],
        )

    async def _found(self, name: str) -> tuple[str, Created]:
        found = await self._store.regular(name)
        if found is None:
            raise NotAllowed("no-such-regular")
        return found[0], msgspec.json.decode(found[1], type=Created)


def people_of(latest: Created, games: Sequence[Finished]) -> set[str]:
    """Who belongs to a regular table: all who have played there, and who is invited now."""
    seated = {seat.guest for one in games for seat in one.standing.seats if seat.guest}
    return seated | {guest for chair in latest.seats for guest in (chair.guest, chair.former) if guest}


def tally(games: Sequence[Finished], names: dict[str, str], guest: Guest) -> list[RegularPlayer]:
    """How many games each of the people has played and won."""
    played: Counter[str] = Counter()
    won: Counter[str] = Counter()
    for one in games:
        for seat, facts in enumerate(one.standing.seats):
            if facts.guest:
                played[facts.guest] += 1
                won[facts.guest] += seat in one.standing.winners
    order = sorted(played, key=lambda each: (-won[each], played[each]))
    return [RegularPlayer(names.get(each, ""), each == guest.id, played[each], won[each]) for each in order]


def told_game(one: Finished, names: dict[str, str]) -> RegularGame:
    """One of the games."""
    standing = one.standing
    called = [names.get(seat.guest or "", seat.name) for seat in standing.seats]
    return RegularGame(one.table, one.time, called, list(standing.winners), list(standing.scores))
