"""What came of games between bots: shares of the points, who beats whom, and ratings."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import msgspec

from kibitz.core.extras import needing

Z95 = 1.959964  # standard deviations that hold 95 % of a normal distribution

Interval = tuple[float, float]


class ArenaGame(msgspec.Struct, frozen=True):
    """One game of an arena: a line of its file."""

    number: int
    sitting: tuple[int, ...]  # which of the listed bots sat on each seat
    winners: tuple[int, ...]  # seats
    scores: tuple[int, ...]  # by seat
    failures: dict[str, int] = {}  # "bot: what was wrong", how often

    def share(self, bot: int) -> float:
        """What part of the game's point a listed bot has got; the winners share it."""
        return sum(self.sitting[seat] == bot for seat in self.winners) / len(self.winners)


@dataclass(frozen=True)
class Rating:
    """An OpenSkill rating (Plackett-Luce): everybody begins at 25; the interval holds 95 %."""

    mu: float
    sigma: float

    @property
    def interval(self) -> Interval:
        """Where the strength is, 95 times of a hundred."""
        return self.mu - Z95 * self.sigma, self.mu + Z95 * self.sigma


@dataclass(frozen=True)
class Pair:
    """Two bots who have met: the share of the first in the points that went to either."""

    first: str
    second: str
    games: int  # at one table
    points: float  # that went to either
    share: float
    interval: Interval


@dataclass(frozen=True)
class Outcome:
    """What an arena found. `played` is every game; all else is counted from it."""

    bots: tuple[str, ...]
    played: tuple[ArenaGame, ...]

    @property
    def games(self) -> int:
        """How many games were played."""
        return len(self.played)

    @property
    def games_of(self) -> tuple[int, ...]:
        """How many games each listed bot has played."""
        sat = Counter(bot for game in self.played for bot in game.sitting)
        return tuple(sat[bot] for bot in range(len(self.bots)))

    @property
    def points(self) -> tuple[float, ...]:
        """For each listed bot its share of the points of its games."""
        return tuple(
            sum(game.share(bot) for game in self.played) / max(1, games)
            for bot, games in enumerate(self.games_of)
        )

    @property
    def intervals(self) -> tuple[Interval, ...]:
        """The 95 % intervals of the points."""
        return tuple(interval(share, games) for share, games in zip(self.points, self.games_of))

    @property
    def failures(self) -> tuple[tuple[str, str, int], ...]:
        """Bot, what was wrong, how often: chance moved instead."""
        counted: Counter[tuple[int, str]] = Counter()
        for game in self.played:
            for told, times in game.failures.items():
                bot, _, what = told.partition(": ")
                counted[int(bot), what] += times
        return tuple((self.bots[bot], what, times) for (bot, what), times in sorted(counted.items()))

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Every two bots that have met."""
        return tuple(
            _pair(self.bots[first], self.bots[second], [(g.share(first), g.share(second)) for g in met])
            for first, second in combinations(range(len(self.bots)), 2)
            if (met := [game for game in self.played if {first, second} <= set(game.sitting)])
        )

    @property
    def ratings(self) -> tuple[Rating, ...]:
        """OpenSkill ratings by listed bot: of each game, who won and who didn't."""
        with needing("terminal"):
            from openskill.models import PlackettLuce

        model = PlackettLuce(tau=0.0)  # a bot's strength doesn't drift
        rated = [model.rating() for _ in self.bots]
        for game in self.played:
            ranks = [float(seat not in game.winners) for seat in range(len(game.sitting))]
            if min(ranks) < max(ranks):
                teams = model.rate([[rated[bot]] for bot in game.sitting], ranks=ranks)
                for bot, (player,) in zip(game.sitting, teams):
                    rated[bot] = player
        return tuple(Rating(player.mu, player.sigma) for player in rated)


def _pair(first: str, second: str, shares: Sequence[tuple[float, float]]) -> Pair:
    ours, theirs = (sum(shares) for shares in zip(*shares))
    points = ours + theirs
    share = ours / points if points else 0.5
    return Pair(first, second, len(shares), points, share, interval(share, points))


def interval(share: float, games: float) -> Interval:
    """Wilson's 95 % interval for a share; of no games, anything."""
    if not games:
        return 0.0, 1.0
    spread = Z95**2 / games
    middle = (share + spread / 2) / (1 + spread)
    half = Z95 / (1 + spread) * math.sqrt(share * (1 - share) / games + spread / (4 * games))
    return max(0.0, middle - half), min(1.0, middle + half)
