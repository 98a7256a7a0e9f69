"""What bots know about the games: a module for each, whose `HEURISTICS` says it."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Kernel = Callable[..., Any]


@dataclass(frozen=True, eq=False)
class Heuristics:
    """What bots know about a game. Only `rate` and `appraise` have to be told; the rest has its defaults."""

    rate: Kernel  # rate(state, move) -> float: how good a move looks to the seat in turn
    appraise: Kernel  # appraise(view, state, seat) -> float: what a round's end, or the horizon, is worth
    # rate_all(state, moves, count, ratings): as searches rate; None: by `rate`
    rate_all: Kernel | None = None

    # Which moves a search looks into, and what it imagines
    candidates: Kernel | None = None  # candidates(state, moves) -> int; None: all legal moves
    # decided(state, moves) -> int: a move that is made without a look, or -1
    decided: Kernel | None = None
    # imagine(view, rng, state), where hands are far from random; None: the rules'
    imagine: Kernel | None = None

    # How it searches
    side_by_side: bool = False  # no tree: all moves in the same imagined states, the worse half drops out
    # … first_look(state, moves, count, worths): what each move seems worth, as `appraise` says it
    first_look: Kernel | None = None
    first_share: float = 1.0  # how large a part of the nodes it counts as, in tries …
    first_tries: float = math.inf  # … but as no more of them than these
    # The levels' budgets
    nodes: Mapping[str, int] = field(default_factory=lambda: {"medium": 150, "hard": 2000})
    exploration: float = 0.7  # how much more than what is known of a move its uncertainty counts
    boldness: float = 0.9  # how often a rollout follows `rate` instead of chance
    horizon: int = 2**31 - 1  # moves that a rollout goes on at most: to the end of the round
    laps: int = 2**31 - 1  # … or until whoever made the move before it is in turn so many times
    trust: float = 0.0  # how often a move further down the tree is the one rated best, not the search's
    width: int = 2**31 - 1  # moves that a node of the tree has at most, the best rated: all

    # How boldly whole games are played on, by `rate` alone; None: as rounds are by searches
    plays_on: float | None = None

    # How it behaves
    blur: float = 0.0  # by how much an easy bot may misjudge a move, in terms of `rate`
    sees: int = 2**31 - 1  # of the moves a medium bot sees those that look best by `rate`: all
    poker_face: bool = False  # thinks as long about a forced move as about a free one: haste would tell
    remark: Callable[[str], str | None] | None = None  # a catalogue's key for what a bot says of a move
