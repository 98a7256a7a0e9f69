"""The tables that wait for players, whoever they are: how many somebody may list, and which are shown.

Everybody who has a table there is shown with one before anybody is with two: nobody can fill the list.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from itertools import chain, zip_longest
from weakref import WeakValueDictionary

from kibitz.server.limits import Limits
from kibitz.server.protocol import PublicTable
from kibitz.server.stores.store import Listed, Store
from kibitz.server.tables.refusals import NotAllowed
from kibitz.server.turns import Asker

LOOKED_AT = 500  # listed tables, the latest
SHOWN = 100  # of them


class Listing:
    """The list that everybody is shown. Which household a table is from is known where it was listed."""

    def __init__(self, store: Store, limits: Limits) -> None:
        self._store = store
        self._limits = limits
        self._households: dict[str, str] = {}  # by table
        self._asking: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # by household

    async def tables(self) -> list[Listed]:
        """The listed tables, the latest first."""
        known = set(self._households)
        found = await self._store.listed_tables(LOOKED_AT)
        for gone in known - {one.table for one in found}:
            self._households.pop(gone, None)
        return found

    @asynccontextmanager
    async def listed(self, asker: Asker, table: str) -> AsyncIterator[None]:
        """List a table in this block, or be refused: a guest and a household list only so many at once."""
        async with self._asking.setdefault(asker.household, asyncio.Lock()):  # they are counted one at a time
            others = [one for one in await self.tables() if one.table != table]
            if sum(one.standing.creator == asker.guest for one in others) >= self._limits.listed:
                raise NotAllowed("too-many-listed", most=self._limits.listed)
            if sum(self._origin(one) == asker.household for one in others) >= self._limits.address_listed:
                raise NotAllowed("too-many-listed", most=self._limits.address_listed)
            yield
            self._households[table] = asker.household

    def _origin(self, one: Listed) -> str:
        return self._households.get(one.table, one.standing.creator)

    async def public_tables(self) -> list[PublicTable]:
        """The list, as it is shown."""
        found = await self.tables()
        shown = {one.table for one in in_turns((self._origin(one), one) for one in found)[:SHOWN]}
        listed = [one for one in found if one.table in shown]
        ids = {seat.guest for one in listed for seat in one.standing.seats if seat.guest is not None}
        names = await self._store.names(sorted(ids))
        return [
            PublicTable(
                table=one.table,
                game=one.standing.game,
                time=one.time,
                seats=[names.get(seat.guest or "", seat.name) for seat in one.standing.seats],
                options=one.standing.options,
                clock=one.standing.clock,
                seeking=one.standing.seeking,
                rated=one.standing.rated,
            )
            for one in listed
        ]


def in_turns(tables: Iterable[tuple[str, Listed]]) -> list[Listed]:
    """The first table of everybody, then the second of those who have two, and so on."""
    of_each: dict[str, list[Listed]] = {}
    for origin, one in tables:
        of_each.setdefault(origin, []).append(one)
    return [one for one in chain.from_iterable(zip_longest(*of_each.values())) if one is not None]
