"""The games that somebody has finished: remembered when their logs have long been forgotten."""

import hmac

from kibitz.server.protocol import PastGame, RegularName, Statistics
from kibitz.server.stores.store import Finished, Store
from kibitz.server.tables.statistics import rivals, statistics

REMEMBERED = 1000  # games told at once
DIGITS = 12  # of a name that tells people apart, and nothing else


class Results:
    """What became of a guest's games."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def of(self, guest: str) -> list[PastGame]:
        """A guest's finished games, the latest first, with everybody as they are called now."""
        games = await self._store.results(guest, REMEMBERED)
        people = {seat.guest for one in games for seat in one.standing.seats if seat.guest}
        names = await self._store.names(sorted(people))
        return [self._told(one, names) for one in games]

    async def statistics(self, guest: str, game: str) -> Statistics:
        """What a guest did in all games of a kind."""
        games = [one for one in await self._store.results(guest, REMEMBERED) if one.standing.game == game]
        return statistics(game, games, await self._store.names(rivals(games)))

    def _told(self, one: Finished, names: dict[str, str]) -> PastGame:
        standing = one.standing
        return PastGame(
            table=one.table,
            game=standing.game,
            time=one.time,
            seat=one.seat,
            left=standing.seats[one.seat].guest is None,
            names=[names.get(seat.guest or "", seat.name) for seat in standing.seats],
            people=[self._mark(seat.guest) if seat.guest else "" for seat in standing.seats],
            winners=list(standing.winners),
            scores=list(standing.scores),
            reason=standing.reason,
            daily=standing.daily,
            regular=RegularName(standing.regular, standing.title) if standing.regular else None,
        )

    def _mark(self, guest: str) -> str:
        return hmac.digest(self._store.key, f"person/{guest}".encode(), "sha256").hex()[:DIGITS]
