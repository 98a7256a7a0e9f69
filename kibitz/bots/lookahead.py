"""Looking ahead from what a seat knows: which moves are best, and what came of each.

A bot looks until its budget is spent and takes the first of the ranking. An analysis uses the same search,
and has every game played to its end (`finds`).
"""

import math
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

import numpy as np

from kibitz.bots import heuristics, search
from kibitz.bots.heuristics import Heuristics, any_game
from kibitz.bots.solvers import Weighed, solver_of
from kibitz.core import registry
from kibitz.core.chance import fresh_key, mix, pick
from kibitz.core.kernel import kernel, specialise
from kibitz.core.layout import AnyRecord, Moves, Rng
from kibitz.core.move import Move
from kibitz.core.secret import bot_generator
from kibitz.core.state import Observation

DESCENTS_BETWEEN_LOOKS = 64  # at the clock
DEPTH = 400  # of the tree at most
MOST_NODES = 1 << 19  # of a tree that only the clock bounds
NO_FINDS = np.zeros(0, search.FIND)


_instead: ContextVar[Heuristics | None] = ContextVar("instead", default=None)


def heuristics_of(name: str) -> Heuristics:
    """What bots know about a game."""
    return _instead.get() or known_of(name)


@cache
def known_of(name: str) -> Heuristics:
    """That of the module of its name, or what holds for any game."""
    told: Heuristics = import_module(module_of(name)).HEURISTICS
    return told


def module_of(name: str) -> str:
    """The module that says what bots know about a game."""
    module = f"{heuristics.__name__}.{name}"
    return module if find_spec(module) else any_game.__name__


@contextmanager
def knowing(known: Heuristics) -> Iterator[None]:
    """Bots that think in here, in this thread, know this instead."""
    token = _instead.set(known)
    try:
        yield
    finally:
        _instead.reset(token)


def kernels(name: str) -> SimpleNamespace:
    """The search, compiled for a game."""
    return _specialised(name, heuristics_of(name), whole_games=False)


def analysing_kernels(name: str) -> SimpleNamespace:
    """The same as an analysis needs it: whole games are played."""
    return _specialised(name, heuristics_of(name), whole_games=True)


def verbs_of(name: str, known: Heuristics) -> dict[str, Any]:
    """What every template is compiled with: a game's verbs, and who plays it on."""
    rules = registry.game(name).rules
    at_once = {"rate_all": known.rate_all} if known.rate_all else {}
    return at_once | {
        "set_up": rules.set_up,
        "legal_moves": rules.legal_moves,
        "play": rules.play,
        "is_over": rules.is_over,
        "imagine": known.imagine or rules.imagine,
        "reshuffle": shuffle_deck if "deck" in (rules.STATE.names or ()) else change_luck,
        "rate": known.rate,
        "BOLDNESS": known.boldness,
        "PLAYS_ON_BOLDLY": known.boldness if known.plays_on is None else known.plays_on,
        "PLAYS_ON_BY_RATE": known.plays_on is not None,
    }


@cache
def _specialised(name: str, known: Heuristics, whole_games: bool) -> SimpleNamespace:
    rules = registry.game(name).rules
    return specialise(
        search.TEMPLATES,
        f"{name}_whole" if whole_games else name,
        search.PARTS,
        **verbs_of(name, known),
        appraise=known.appraise,
        candidates=known.candidates or rules.legal_moves,
        WHOLE_GAMES=whole_games,
        EXPLORATION=known.exploration,
        HORIZON=known.horizon,
        LAPS=known.laps,
        TRUST=known.trust,
        WIDTH=known.width,
    )


@kernel
def change_luck(state: AnyRecord, rng: Rng) -> None:
    """Whatever chance will decide from now on is open again."""
    fresh_key(state, rng)


@kernel
def shuffle_deck(state: AnyRecord, rng: Rng) -> None:
    """The cards that nobody has drawn yet are shuffled anew, and so is all that comes later."""
    fresh_key(state, rng)
    mix(rng, state.deck, state.deck_size)


def _kernels_for(name: str, finds: search.Finds) -> SimpleNamespace:
    return kernels(name) if finds is NO_FINDS else analysing_kernels(name)


@dataclass(frozen=True)
class Budget:
    """How much may be looked into: so many descents, or what is done of them in so many seconds."""

    nodes: int | None
    seconds: float

    def deadline(self) -> float:
        """When to stop, asked after the first look: that one may have had to be compiled."""
        return time.monotonic() + self.seconds


@dataclass(frozen=True)
class Look:
    """What looking ahead has found."""

    ranking: tuple[int, ...]  # the moves looked into, the best first
    visits: dict[int, int]  # how often each was tried
    line: tuple[int, ...]  # the best move, and what most likely follows, as far as the search went
    weighed: bool = False  # by a solver: every move as closely as the best


def look_ahead(
    observation: Observation,
    moves: list[Move],
    budget: Budget,
    rng: Rng,
    finds: search.Finds = NO_FINDS,
) -> Look:
    """Rank moves by a tree search, or side by side where that is better known to work.

    An analysis, which has `finds`, asks the game's solver first.
    """
    if finds is not NO_FINDS and (weighed := weigh_moves(observation, moves, budget, rng, finds)):
        return weighed
    if heuristics_of(observation.game.name).side_by_side:
        return compare_moves(observation, moves, budget, rng, finds)
    return read_tree(grow_tree(observation, budget, rng, finds))


def weigh_moves(
    observation: Observation, moves: list[Move], budget: Budget, rng: Rng, finds: search.Finds
) -> Look | None:
    """Rank moves by the game's solver; None if there is none, or it can't tell chances here.

    What it found counts as so many games as the descents would have been that it took the time of.
    """
    game = observation.game
    found = weigh(observation, budget, rng)
    if found is None:
        return None
    chosen = [each for each in found if game.moves[each.move] in moves]
    games = max(1, (MOST_NODES if budget.nodes is None else budget.nodes) // len(chosen))
    for each in chosen:
        find = finds[each.move]
        find.games, find.wins = games, games * each.chance
        find.margins, find.squares = games * each.margin, games * each.margin**2
    ranking = tuple(each.move for each in chosen)
    return Look(ranking, dict.fromkeys(ranking, games), chosen[0].line, weighed=True)


def weigh(observation: Observation, budget: Budget, rng: Rng) -> tuple[Weighed, ...] | None:
    """All moves by the game's solver, if the seat knows enough for that."""
    game, view = observation.game, observation.fields()
    solver = solver_of(game.name)
    if solver is None or not solver.knows_enough(view):
        return None
    state = imagined(observation, rng)
    if solver.why_not(state):
        return None
    nodes = MOST_NODES if budget.nodes is None else budget.nodes
    deadline = budget.deadline()
    return solver.weigh(state, solver.weighed_per_node * nodes, lambda _: time.monotonic() < deadline)


def solved_chances(observation: Observation, nodes: int, rng: Rng) -> tuple[float, ...] | None:
    """Each seat's chance by the game's solver, if it can tell; there are two."""
    found = weigh(observation, Budget(nodes, math.inf), rng)
    if found is None:
        return None
    mine = found[0].chance
    return (mine, 1 - mine) if observation.turn == 0 else (1 - mine, mine)


def look_together(
    observation: Observation, moves: list[Move], budget: Budget, rng: Rng, threads: int
) -> Look:
    """The same by several threads that share the nodes, each with luck of its own; their visits are added."""
    if threads == 1:
        return look_ahead(observation, moves, budget, rng)
    share = Budget(None if budget.nodes is None else max(1, budget.nodes // threads), budget.seconds)
    generators = [bot_generator(pick(rng, 1 << 31), thread) for thread in range(threads)]
    with ThreadPoolExecutor(threads) as pool:
        looks = list(pool.map(lambda own: look_ahead(observation, moves, share, own), generators))
    return add_up(looks)


def add_up(looks: list[Look]) -> Look:
    """What several have found: the moves by how often all tried them; among equals the first one's order."""
    visits: Counter[int] = Counter()
    for look in looks:
        visits.update(look.visits)
    places = {move: place for place, move in enumerate(looks[0].ranking)}
    order = sorted(visits, key=lambda move: (-visits[move], places.get(move, len(places))))
    line = next((look.line for look in looks if look.line[0] == order[0]), (order[0],))
    return Look(tuple(order), dict(visits), line, weighed=looks[0].weighed)


def imagined(observation: Observation, rng: Rng) -> AnyRecord:
    """A state that agrees with what a seat knows, as the rules' own record."""
    rules = observation.game.rules
    state = np.zeros(1, rules.STATE)[0]
    rules.imagine(observation.fields(), rng, state)
    return state


def promising(observation: Observation, rng: Rng) -> list[Move]:
    """The moves worth looking into, by the game's heuristics."""
    game, known = observation.game, heuristics_of(observation.game.name)
    if known.candidates is None and len(observation.legal_moves) <= known.width:
        return list(observation.legal_moves)
    candidates = known.candidates or game.rules.legal_moves
    moves = np.zeros(game.num_moves, np.int16)
    state = imagined(observation, rng)
    count = kernels(game.name).keep_best(state, moves, candidates(state, moves))
    return [game.moves[move] for move in moves[:count].tolist()]


def in_sight(observation: Observation, rng: Rng) -> list[Move]:
    """The moves that somebody sees who overlooks what doesn't look good by rules of thumb."""
    known = heuristics_of(observation.game.name)
    if len(observation.legal_moves) <= known.sees:
        return promising(observation, rng)
    state = imagined(observation, rng)
    by_rating = sorted(observation.legal_moves, key=lambda move: -known.rate(state, np.int16(move.id)))
    return by_rating[: known.sees]


def without_a_look(observation: Observation, rng: Rng) -> Move | None:
    """The move that the game's heuristics make at once here, if any."""
    game, known = observation.game, heuristics_of(observation.game.name)
    if known.decided is None:
        return None
    move = int(known.decided(imagined(observation, rng), np.zeros(game.num_moves, np.int16)))
    return None if move < 0 else game.moves[move]


def grow_tree(
    observation: Observation, budget: Budget, rng: Rng, finds: search.Finds = NO_FINDS
) -> search.Nodes:
    """Look into the moves by a tree."""
    game = observation.game
    grow = _kernels_for(game.name, finds).grow
    view = observation.fields()
    left = MOST_NODES if budget.nodes is None else budget.nodes
    tree = np.zeros(left + 1, search.NODE)
    states = np.zeros(1, game.rules.STATE)
    moves = np.zeros(game.num_moves, np.int16)
    path = np.zeros(DEPTH, np.int32)
    deadline = math.inf
    used = 1
    while left > 0 and time.monotonic() < deadline:
        descents = min(left, DESCENTS_BETWEEN_LOOKS)
        used = grow(view, tree, used, states, moves, path, rng, descents, finds)
        left -= descents
        deadline = min(deadline, budget.deadline())
    return tree


def read_tree(tree: search.Nodes) -> Look:
    """The moves of a tree, the most visited first."""
    children = _by_visits(tree, 0)
    line = []
    node = children[0]
    while node != search.NONE:
        line.append(int(tree[node].move))
        node = next(iter(_by_visits(tree, node)), search.NONE)
    return Look(
        tuple(int(tree[child].move) for child in children),
        {int(tree[child].move): int(tree[child].visits) for child in children},
        tuple(line),
    )


def _by_visits(tree: search.Nodes, parent: int) -> list[int]:
    children = []
    child = int(tree[parent].first_child)
    while child != search.NONE:
        children.append(child)
        child = int(tree[child].next_sibling)
    return sorted(children, key=lambda child: -int(tree["visits"][child]))


def first_impressions(observation: Observation, chosen: Moves, nodes: int, rng: Rng) -> search.Sums:
    """What moves begin with, before any is tried: what they seem worth, counted as some tries."""
    known, worths = heuristics_of(observation.game.name), np.zeros(len(chosen))
    if known.first_look is not None:
        known.first_look(imagined(observation, rng), chosen, len(chosen), worths)
    return worths * min(known.first_share * nodes, known.first_tries)


def compare_moves(
    observation: Observation, moves: list[Move], budget: Budget, rng: Rng, finds: search.Finds = NO_FINDS
) -> Look:
    """Try all moves in the same imagined states; in steps the worse half drops out, down to one.

    The budget is shared among the steps, and each step's part among the moves that are left. A first
    impression counts as tries, as many as all others at most.
    """
    game = observation.game
    compare = _kernels_for(game.name, finds).compare
    view = observation.fields()
    chosen = np.array([move.id for move in moves], np.int16)
    sums = np.zeros(len(chosen))
    visits = dict.fromkeys(chosen.tolist(), 0)
    dropped: list[int] = []
    states = np.zeros(2, game.rules.STATE)
    room = np.zeros(game.num_moves, np.int16)
    steps = max(1, (len(chosen) - 1).bit_length())
    nodes = budget.nodes
    deadline = math.inf
    if nodes is None:
        compare(view, chosen, sums, states, room, rng, 1, finds)  # the first may have to be compiled
        began = time.monotonic()
        compare(view, chosen, sums, states, room, rng, 1, finds)
        nodes = max(1, int(len(chosen) * budget.seconds / max(time.monotonic() - began, 1e-6)))
    sums += first_impressions(observation, chosen, nodes, rng)
    for _ in range(steps):
        left = max(1, nodes // (steps * len(chosen)))
        at_once = max(1, DESCENTS_BETWEEN_LOOKS // len(chosen))
        while left > 0 and time.monotonic() < deadline:
            worlds = min(left, at_once)
            compare(view, chosen, sums, states, room, rng, worlds, finds)
            left -= worlds
            for move in chosen.tolist():
                visits[move] += worlds
            deadline = min(deadline, budget.deadline())
        order = np.argsort(-sums, kind="stable")
        better = (len(chosen) + 1) // 2
        dropped = [*chosen[order[better:]].tolist(), *dropped]
        chosen, sums = chosen[order[:better]], sums[order[:better]]
    ranking = (*chosen.tolist(), *dropped)
    return Look(ranking, visits, ranking[:1])
