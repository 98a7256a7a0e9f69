"""How well people play, by OpenSkill: what a rated game changes. The same game always changes the same.

A *pool* is a game with a number of players; each has ratings of its own. Bots have ratings that never change
(`anchors.json` tells how they were found): they anchor the scale.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from kibitz.core import registry
from kibitz.server.stores.store import SeatFacts, Standing

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

MIDDLE = 25.0  # OpenSkill's own numbers: where everybody begins, how unsure that is ...
UNSURE = MIDDLE / 3
BETA = MIDDLE / 6  # ... and how much luck there is in a game
SHOWN_MIDDLE = 1500.0  # how people are shown these numbers
SHOWN_STEP = 40.0
VOID = "table.agreed"  # a game that all agreed to end changes nothing
ANCHORS = Path(__file__).parent / "anchors.json"


class Skill(NamedTuple):
    """How well somebody plays, and how unsure that is."""

    mu: float = MIDDLE
    sigma: float = UNSURE

    @property
    def shown(self) -> tuple[int, int]:
        """As people are shown it: 1500 ± 333 to begin with."""
        return round(SHOWN_MIDDLE + SHOWN_STEP * (self.mu - MIDDLE)), round(SHOWN_STEP * self.sigma)


class SkillChange(NamedTuple):
    """What a game has changed for whom."""

    seat: int
    guest: str
    before: Skill
    after: Skill


def pool_of(game: str, players: int) -> str:
    """The name of a pool."""
    return f"{game}/{players}"


@cache
def anchors() -> Mapping[str, Mapping[str, Skill]]:
    """The ratings of bots: of each level in each pool, as far as it was measured."""
    kept = msgspec.json.decode(ANCHORS.read_bytes())["anchors"]
    return {pool: {level: Skill(*one) for level, one in levels.items()} for pool, levels in kept.items()}


def is_rated_bot(pool: str, level: str | None) -> bool:
    """Whether a bot of that level has a rating."""
    return level in anchors().get(pool, {})


@cache
def _model() -> "PlackettLuce":
    from openskill.models import PlackettLuce

    return PlackettLuce(mu=MIDDLE, sigma=UNSURE, beta=BETA)


def people_of(standing: Standing) -> dict[int, str]:
    """Who is rated, by seat; for a bot that plays on, the one who has left."""
    sitting = {seat: facts.guest or facts.left for seat, facts in enumerate(standing.seats)}
    return {seat: guest for seat, guest in sitting.items() if guest is not None}


def counts(standing: Standing) -> bool:
    """Whether what has happened at a table changes ratings."""
    return standing.rated and standing.over and standing.reason != VOID and bool(people_of(standing))


def changes(standing: Standing, before: Mapping[str, Skill]) -> list[SkillChange]:
    """What a rated game that is over changes for the people who played it."""
    pool = pool_of(standing.game, len(standing.seats))
    people = people_of(standing)
    teams = registry.game(standing.game).teams(len(standing.seats))
    skills = {
        seat: before.get(people[seat], Skill()) if seat in people else _anchor(pool, facts)
        for seat, facts in enumerate(standing.seats)
    }
    model = _model()
    rated: Any = model.rate(
        [[model.rating(*skills[seat]) for seat in team] for team in teams],
        ranks=[float(_rank(standing, team)) for team in teams],
    )
    found = []
    for team, ratings in zip(teams, rated):
        for seat, rating in zip(team, ratings):
            if seat in people:
                found.append(SkillChange(seat, people[seat], skills[seat], Skill(rating.mu, rating.sigma)))
    return sorted(found)


def _anchor(pool: str, facts: SeatFacts) -> Skill:
    return anchors().get(pool, {}).get(facts.level or "", Skill())


def _rank(standing: Standing, team: Sequence[int]) -> int:
    """1 for who has won; who has left is behind all who stayed."""
    return 1 + sum(_place(standing, [seat]) < _place(standing, team) for seat in range(len(standing.seats)))


def _place(standing: Standing, team: Sequence[int]) -> tuple[bool, bool, int]:
    left = any(standing.seats[seat].guest is None and standing.seats[seat].left for seat in team)
    won = any(seat in standing.winners for seat in team)
    return left, not won, -max(standing.scores[seat] for seat in team)
