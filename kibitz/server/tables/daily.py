"""The deals of the day: opened for each guest, and compared."""

from bisect import bisect_right

from kibitz.core import registry
from kibitz.server.limits import Limits, Rate
from kibitz.server.protocol import AskDaily, DailyDeal, DailyResult, DailyResults, Done
from kibitz.server.readiness import Readiness, Tell
from kibitz.server.stores.store import Finished, Guest, Store, daily_file
from kibitz.server.tables.appender import Acknowledge
from kibitz.server.tables.daily_deal import dealt, ends, known_day, today
from kibitz.server.tables.lobby import Lobby, table_id

TOLD = 200  # results of a day, the best first
READ = 5000  # of them, to find the best

Rank = tuple[bool, int]


class Daily:
    """Opens the deals of the day, and compares what became of them."""

    def __init__(self, lobby: Lobby, store: Store, readiness: Readiness, limits: Limits) -> None:
        self._lobby = lobby
        self._store = store
        self._readiness = readiness
        self._rate = Rate(limits.lists, limits.list_seconds)

    async def open(self, guest: Guest, command: DailyDeal, acknowledge: Acknowledge, tell: Tell) -> None:
        """Lead a guest to the table with today's deal; everybody has one, and only one."""
        await self._readiness.wait(command.game, tell)
        game = registry.game(command.game)
        day = today()
        id = table_id(self._store.key, "daily", game.name, day, guest.id)
        if not await self._store.ends([id]):
            await self._lobby.open(id, guest, command.id, b"", dealt(self._store.key, game, day, guest))
        acknowledge(Done(command.id, id, 0))

    async def results(self, guest: Guest, asked: AskDaily) -> DailyResults:
        """How a day's deal of a game went for everybody who has finished it in time."""
        self._rate.take(guest.id)
        game = registry.game(asked.game)
        day = today() if asked.day is None else known_day(asked.day)
        found = await self._store.filed_results(daily_file(game.name, day), READ)
        in_time = [one for one in found if one.time < ends(day) and one.standing.seats[one.seat].guest]
        in_time.sort(key=rank, reverse=True)
        mine = [one for one in in_time if one.standing.seats[one.seat].guest == guest.id]
        shown = in_time[:TOLD] + [one for one in mine if one not in in_time[:TOLD]]
        worst_first = sorted(map(rank, in_time))
        names = await self._store.names([one.standing.seats[one.seat].guest or "" for one in shown])
        return DailyResults(
            game=game.name,
            day=day,
            ends=ends(day),
            table=table_id(self._store.key, "daily", game.name, day, guest.id) if mine else None,
            players=len(in_time),
            results=[told(one, worst_first, names, guest) for one in shown],
        )


# Comparing


def rank(one: Finished) -> Rank:
    """What makes a result better than another: to win, then by how much."""
    standing = one.standing
    others = [score for seat, score in enumerate(standing.scores) if seat != one.seat]
    return one.seat in standing.winners, standing.scores[one.seat] - max(others)


def told(one: Finished, worst_first: list[Rank], names: dict[str, str], guest: Guest) -> DailyResult:
    """A line of the comparison; equals share a place."""
    standing = one.standing
    holder = standing.seats[one.seat].guest
    return DailyResult(
        name=names.get(holder or "", standing.seats[one.seat].name),
        you=holder == guest.id,
        place=1 + len(worst_first) - bisect_right(worst_first, rank(one)),
        seat=one.seat,
        winners=list(standing.winners),
        scores=list(standing.scores),
        reason=standing.reason,
    )
