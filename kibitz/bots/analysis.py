"""What a kibitzer thinks of a moment: every move's chance to win, what most likely follows, what is hidden.

It knows what the seat knows and nothing else: the same observation, seed and budget give the same analysis.
"""

import math
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from importlib import resources
from typing import Any

import msgspec
import numpy as np

from kibitz.bots import search
from kibitz.bots.clues import likely_worlds
from kibitz.bots.lookahead import Budget, Look, add_up, look_ahead, promising
from kibitz.core.errors import KibitzError, of_kind
from kibitz.core.move import Move
from kibitz.core.numbers import above_zero, at_least
from kibitz.core.secret import bot_generator
from kibitz.core.state import Observation

NODES = 2000  # descents, unless told otherwise
IMAGINED = 200  # states that a belief is counted over
LINE = 6  # moves of a continuation at most
HIDDEN = "?"
SHARPNESS = resources.files(__package__) / "sharpness.json"


@dataclass(frozen=True)
class Prospect:
    """What a move leads to."""

    move: Move
    chance: float  # to be among the winners; never more than that of a better move
    margin: float  # by how much the score would be ahead of the best rival's at the end; below 0: behind
    error: float  # the standard error of the chance
    visits: int  # how often the search tried it


@dataclass(frozen=True)
class Analysis:
    """What was found, and how sure it is."""

    seat: int
    prospects: tuple[Prospect, ...]  # of the moves that were looked into, the best first
    line: tuple[Move, ...]  # the best move, and what most likely follows
    belief: dict[str, dict[str, float]]  # where cards are hidden, how many of each are expected there

    @property
    def best(self) -> Prospect:
        """The move to make."""
        return self.prospects[0]

    def of(self, move: Move) -> Prospect | None:
        """What was found about a move; None if it wasn't worth a look."""
        return next((found for found in self.prospects if found.move == move), None)


def analyse(
    observation: Observation,
    seconds: float | None = None,
    nodes: int | None = None,
    threads: int = 1,
    seed: int | None = None,
    *,
    sensible: bool = False,
) -> Analysis:
    """Look into the moves of a seat that decides, for so long or so many descents (2,000 unless told).

    With a seed, a budget of nodes and one thread, the same observation has the same analysis. `sensible`:
    only the moves that a bot would look into, as a hint needs them; in CASH no offers that lead nowhere.
    """
    of_kind(Observation, "observation", "an Observation, as `State.observation(seat)` gives it", observation)
    if not observation.legal_moves or observation.seat is None:
        raise KibitzError("nothing-to-decide", "This seat isn't asked to decide now.")
    seconds = None if seconds is None else above_zero("seconds", seconds)
    nodes = at_least(1, "nodes", nodes) if nodes is not None else None if seconds is not None else NODES
    threads = at_least(1, "threads", threads)
    share = None if nodes is None else max(1, nodes // threads)
    budget = Budget(share, math.inf if seconds is None else seconds)
    chosen = list(observation.legal_moves)
    if sensible:
        chosen = promising(observation, bot_generator(seed, observation.game.name, "promising"))
    with ThreadPoolExecutor(threads) as pool:
        look = partial(_look, observation, chosen, budget, seed)
        looks = list(pool.map(look, range(threads)))
    finds = sum_of([found for _, found in looks])
    together = add_up([look for look, _ in looks])
    moves = observation.game.moves
    chances = in_order([finds[move] for move in together.ranking])
    return Analysis(
        observation.seat,
        tuple(
            _prospect(observation, moves[move], finds[move], chance, together.visits[move])
            for move, chance in zip(together.ranking, chances, strict=True)
        ),
        tuple(moves[move] for move in together.line[:LINE]),
        belief(observation, seed),
    )


def _look(
    observation: Observation, moves: list[Move], budget: Budget, seed: int | None, thread: int
) -> tuple[Look, search.Finds]:
    finds = np.zeros(observation.game.num_moves, search.FIND)
    rng = bot_generator(seed, observation.game.name, "analysis", thread)
    return look_ahead(observation, moves, budget, rng, finds), finds


def sum_of(finds: list[search.Finds]) -> search.Finds:
    """What several searches found, added up."""
    total = np.zeros_like(finds[0])
    for name in total.dtype.names or ():
        total[name] = np.sum([found[name] for found in finds], axis=0)
    return total


def chance_of(find: Any) -> float:
    """How many of the games were won."""
    return float(find["wins"]) / max(1, int(find["games"]))


def error_of(find: Any) -> float:
    """The standard error of that; a chance that was always or never taken is no certainty."""
    games = int(find["games"])
    likely = (float(find["wins"]) + 1) / (games + 2)
    return math.sqrt(likely * (1 - likely) / max(1, games))


def in_order(finds: list[Any]) -> list[float]:
    """The chances of moves, the best first: none is told a higher one than a move before it.

    A search ranks by more than its whole games tell: the margin, and what it saw on the way. Neighbours whose
    chances contradict it are told what they won together.
    """
    pools: list[tuple[float, int, int]] = []  # wins, games, moves
    for find in finds:
        pool = (float(find["wins"]), max(1, int(find["games"])), 1)
        while pools and pool[0] / pool[1] > pools[-1][0] / pools[-1][1]:
            wins, games, count = pools.pop()
            pool = (wins + pool[0], games + pool[1], count + pool[2])
        pools.append(pool)
    return [wins / games for wins, games, count in pools for _ in range(count)]


def _prospect(observation: Observation, move: Move, find: Any, chance: float, visits: int) -> Prospect:
    margin = float(find["margins"]) / max(1, int(find["games"]))
    tell = partial(sharpened, players=int(observation.fields().players), by=sharpness(observation.game.name))
    error = error_of(find)
    spread = tell(min(1.0, chance + error)) - tell(max(0.0, chance - error))
    return Prospect(move, tell(chance), margin, spread / 2, visits)


# How sure it is


def sharpened(chance: float, players: int, by: float) -> float:
    """A chance further from an even one: its odds, beside those of an even chance, to a power."""
    if chance in (0.0, 1.0):
        return chance
    odds = ((players - 1) * chance / (1 - chance)) ** by / (players - 1)
    return float(odds / (1 + odds))


@cache
def sharpness(name: str) -> float:
    """By how much a game's searches are surer than the share of their games that was won.

    A tree tries poor moves as well, and so told chances too near to even ones. The figures are fitted to how
    games of bots ended that followed the advice: `python -m bench.calibration`.
    """
    kept: dict[str, float] = msgspec.json.decode(SHARPNESS.read_bytes())
    return kept.get(name, 1.0)


# What is hidden


def belief(
    observation: Observation, seed: int | None = None, states: int = IMAGINED
) -> dict[str, dict[str, float]]:
    """Where cards are hidden from a seat (`hands/1`, say), and how many of each it may expect there."""
    game = observation.game
    expected: dict[str, Counter[str]] = {}
    for world in likely_worlds(observation, states, bot_generator(seed, game.name, "belief")):
        _compare(observation.view, game.describe(world), "", expected)
    return {
        place: {card: count / states for card, count in counted.most_common()}
        for place, counted in expected.items()
        if counted
    }


def _compare(view: Any, position: Any, place: str, expected: dict[str, Counter[str]]) -> None:
    """Walk through a view beside a position, and count what stands where the view has a `?`."""
    if isinstance(view, dict) and isinstance(position, dict):
        for key, seen in view.items():
            if key in position:
                _compare(seen, position[key], f"{place}/{key}" if place else key, expected)
    elif isinstance(view, list) and isinstance(position, list):
        if HIDDEN in view:
            shown = Counter(item for item in view if isinstance(item, str) and item != HIDDEN)
            there = Counter(item for item in position if isinstance(item, str))
            expected.setdefault(place, Counter()).update(there - shown)
            return
        for number, (seen, there_too) in enumerate(zip(view, position, strict=False)):
            _compare(seen, there_too, f"{place}/{number}", expected)
    elif view == HIDDEN and isinstance(position, str):
        expected.setdefault(place, Counter())[position] += 1
