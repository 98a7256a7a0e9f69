"""What somebody did in all games of a kind, beside the others, from what each game counted when it ended."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from kibitz.core.tallies import ROUND, SEAT
from kibitz.server.protocol import Average, Statistics, Taken
from kibitz.server.stores.store import Finished

MOST_PEOPLE = 5  # told by name; all others, and bots, are told together


def statistics(game: str, games: Sequence[Finished], names: dict[str, str]) -> Statistics:
    """Averages of what is counted, and who took from whom."""
    counted = [one for one in games if one.standing.tally]
    met = rivals(games)
    kinds = dict.fromkeys(kind for one in counted for kind in one.standing.tally)
    takings = {kind: found for kind in kinds if (found := _takings(kind, counted, met))}
    return Statistics(
        game=game,
        games=len(counted),
        people=["", *(names.get(guest, "") for guest in met), ""],
        counts={kind: _counts(kind, counted) for kind in kinds if kind not in takings},
        takings=takings,
    )


def rivals(games: Sequence[Finished]) -> list[str]:
    """The guests met most often."""
    met = Counter(
        seat.guest
        for one in games
        for number, seat in enumerate(one.standing.seats)
        if seat.guest and number != one.seat
    )
    return [guest for guest, _ in met.most_common(MOST_PEOPLE)]


def _counts(kind: str, games: Sequence[Finished]) -> list[Average]:
    found = [(one.seat, one.standing.tally[kind]) for one in games if kind in one.standing.tally]
    keys = {key for _, seats in found for counts in seats for key in counts if not key.startswith(SEAT)}
    return [_averages(key, found) for key in sorted(keys, key=_order)]


def _averages(key: str, found: Sequence[tuple[int, tuple[dict[str, int], ...]]]) -> Average:
    """Of mine and of each other seat's; a round counts only where it was played."""
    if key.startswith(ROUND):
        found = [(seat, seats) for seat, seats in found if any(key in counts for counts in seats)]
    mine = [seats[seat].get(key, 0) for seat, seats in found]
    others = [
        counts.get(key, 0) for seat, seats in found for other, counts in enumerate(seats) if other != seat
    ]
    return Average(key, sum(mine) / len(mine), sum(others) / max(1, len(others)), len(found))


def _order(key: str) -> tuple[int, str]:
    """Rounds in their order, all else by name."""
    return (int(key.removeprefix(ROUND)), "") if key.startswith(ROUND) else (0, key)


def _takings(kind: str, games: Sequence[Finished], met: Sequence[str]) -> list[Taken]:
    total: defaultdict[tuple[int, int], int] = defaultdict(int)
    for one in games:
        for who, whom, amount in _taken(one.standing.tally.get(kind, ())):
            total[_place(one, who, met), _place(one, whom, met)] += amount
    return [Taken(who, whom, amount) for (who, whom), amount in sorted(total.items())]


def _taken(seats: Sequence[dict[str, int]]) -> Iterator[tuple[int, int, int]]:
    for who, counts in enumerate(seats):
        for key, amount in counts.items():
            if key.startswith(SEAT):
                yield who, int(key.removeprefix(SEAT)), amount


def _place(one: Finished, seat: int, met: Sequence[str]) -> int:
    """Where in the list of people a seat's is: mine, a rival's, or that of all others."""
    guest = one.standing.seats[seat].guest
    if seat == one.seat:
        return 0
    return 1 + (met.index(guest) if guest in met else len(met))
