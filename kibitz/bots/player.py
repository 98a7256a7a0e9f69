"""Players for any game. A bot is given an Observation, nothing else, and answers with a Move."""

import math
import time
from abc import ABC, abstractmethod
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

import numpy as np

from kibitz.bots import heuristics, search
from kibitz.bots.heuristics import Heuristics, any_game
from kibitz.core import registry
from kibitz.core.chance import chance, pick
from kibitz.core.errors import BadOptions, KibitzError, UnknownBot
from kibitz.core.game import Game
from kibitz.core.kernel import specialise
from kibitz.core.move import Move
from kibitz.core.numbers import at_least
from kibitz.core.secret import bot_generator
from kibitz.core.state import Observation

SECONDS = 10.0  # the longest a bot thinks, whatever its budget of nodes
DESCENTS_BETWEEN_LOOKS = 64  # at the clock
DEPTH = 400  # of the tree at most
IMAGINED = 8  # states a greedy bot looks at


@cache
def heuristics_of(name: str) -> Heuristics:
    """What bots know about a game: that of the module of its name, or what holds for any game."""
    module = f"{heuristics.__name__}.{name}"
    known = import_module(module) if find_spec(module) else any_game
    told: Heuristics = known.HEURISTICS
    return told


@cache
def kernels(name: str) -> SimpleNamespace:
    """The search, compiled for a game."""
    rules = registry.game(name).rules
    known = heuristics_of(name)
    return specialise(
        search.TEMPLATES,
        name,
        search.PARTS,
        set_up=rules.set_up,
        legal_moves=rules.legal_moves,
        play=rules.play,
        is_over=rules.is_over,
        imagine=known.imagine or rules.imagine,
        rate=known.rate,
        appraise=known.appraise,
        candidates=known.candidates or rules.legal_moves,
        EXPLORATION=known.exploration,
        BOLDNESS=known.boldness,
        HORIZON=known.horizon,
        TRUST=known.trust,
        WIDTH=known.width,
    )


class Bot(ABC):
    """A player that is no person."""

    remark: str | None = None  # a catalogue's key for what it has to say about its last move

    def __init__(self, game: Game, seed: int | None = None) -> None:
        self.game = game
        self.rng = bot_generator(seed, game.name, type(self).__name__)

    def choose(self, observation: Observation) -> Move:
        """The move to make; only a seat that decides is asked."""
        if not observation.legal_moves:
            raise KibitzError("nothing-to-decide", "This seat isn't asked to decide now.")
        move = self._choose(observation)
        remark = heuristics_of(self.game.name).remark
        self.remark = remark(str(move)) if remark else None
        return move

    @abstractmethod
    def _choose(self, observation: Observation) -> Move: ...


class RandomBot(Bot):
    """Any legal move, all alike."""

    def _choose(self, observation: Observation) -> Move:
        return observation.legal_moves[pick(self.rng, len(observation.legal_moves))]


class GreedyBot(Bot):
    """The move that looks best at once by the game's heuristic, over a few imagined states, and a blur."""

    def _choose(self, observation: Observation) -> Move:
        known = heuristics_of(self.game.name)
        blur = IMAGINED * known.blur
        state = np.zeros(1, self.game.rules.STATE)[0]
        view = observation.fields()
        numbers = np.array([move.id for move in observation.legal_moves], np.int16)  # as a search has them
        ratings = np.zeros(len(observation.legal_moves))
        for _ in range(IMAGINED):
            self.game.rules.imagine(view, self.rng, state)
            ratings += [known.rate(state, number) for number in numbers]
        if blur:
            ratings += [blur * chance(self.rng) for _ in observation.legal_moves]
        return observation.legal_moves[int(ratings.argmax())]


class SearchBot(Bot):
    """The move most looked into by a tree search over imagined states, within a budget of descents."""

    def __init__(self, game: Game, seed: int | None, nodes: int, seconds: float | None = None) -> None:
        super().__init__(game, seed)
        self.nodes = nodes
        self.seconds = SECONDS if seconds is None else seconds

    def _choose(self, observation: Observation) -> Move:
        if len(observation.legal_moves) == 1 and not heuristics_of(self.game.name).poker_face:
            return observation.legal_moves[0]
        if len(promising := self._promising(observation)) == 1 < len(observation.legal_moves):
            return promising[0]
        return self.look_into(promising, observation)

    def _deadline(self) -> float:
        """When to stop thinking, asked after the first look: that one may have had to be compiled."""
        return time.monotonic() + self.seconds

    def _promising(self, observation: Observation) -> list[Move]:
        """The moves worth looking into, by the game's heuristics."""
        candidates = heuristics_of(self.game.name).candidates
        if candidates is None:
            return list(observation.legal_moves)
        state = np.zeros(1, self.game.rules.STATE)[0]
        moves = np.zeros(self.game.num_moves, np.int16)
        self.game.rules.imagine(observation.fields(), self.rng, state)
        count = kernels(self.game.name).keep_best(state, moves, candidates(state, moves))
        return [self.game.moves[move] for move in moves[:count].tolist()]

    def look_into(self, promising: list[Move], observation: Observation) -> Move:
        """The most visited move of the tree."""
        tree = self.grow_tree(observation)
        child = tree[0].first_child
        best = child
        while child != search.NONE:
            if tree[child].visits > tree[best].visits:
                best = child
            child = tree[child].next_sibling
        return self.game.moves[int(tree[best].move)]

    def grow_tree(self, observation: Observation) -> search.Nodes:
        """Look into the moves, within the budget of descents and seconds."""
        grow = kernels(self.game.name).grow
        view = observation.fields()
        tree = np.zeros(self.nodes + 1, search.NODE)
        states = np.zeros(1, self.game.rules.STATE)
        moves = np.zeros(self.game.num_moves, np.int16)
        path = np.zeros(DEPTH, np.int32)
        deadline = math.inf
        used, left = 1, self.nodes
        while left > 0 and time.monotonic() < deadline:
            descents = min(left, DESCENTS_BETWEEN_LOOKS)
            used = grow(view, tree, used, states, moves, path, self.rng, descents)
            left -= descents
            deadline = min(deadline, self._deadline())
        return tree


class ComparingBot(SearchBot):
    """The move that does best where all were tried: in steps the worse half drops out, down to one."""

    def look_into(self, promising: list[Move], observation: Observation) -> Move:
        """Share the budget among the steps, and each step's part among the moves that are left."""
        view = observation.fields()
        chosen = np.array([move.id for move in promising], np.int16)
        sums = np.zeros(len(chosen))
        states = np.zeros(2, self.game.rules.STATE)
        moves = np.zeros(self.game.num_moves, np.int16)
        steps = max(1, (len(chosen) - 1).bit_length())
        deadline = math.inf
        for _ in range(steps):
            left = max(1, self.nodes // (steps * len(chosen)))
            at_once = max(1, DESCENTS_BETWEEN_LOOKS // len(chosen))
            while left > 0 and time.monotonic() < deadline:
                worlds = min(left, at_once)
                kernels(self.game.name).compare(view, chosen, sums, states, moves, self.rng, worlds)
                left -= worlds
                deadline = min(deadline, self._deadline())
            better = np.argsort(-sums, kind="stable")[: (len(chosen) + 1) // 2]
            chosen, sums = chosen[better], sums[better]
        return self.game.moves[int(chosen[0])]


LEVELS = ("random", "easy", "medium", "hard")


def bot(
    level: str,
    game: Game | str,
    seed: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
) -> Bot:
    """A bot of a level. With a seed and a budget of nodes it always plays the same; `seconds` is a cap."""
    game = registry.game(game) if isinstance(game, str) else game
    nodes = None if nodes is None else at_least(1, "nodes", nodes)
    seconds = None if seconds is None else _checked_seconds(seconds)
    match level:
        case "random":
            return RandomBot(game, seed)
        case "easy":
            return GreedyBot(game, seed)
        case "medium" | "hard":
            known = heuristics_of(game.name)
            kind = ComparingBot if known.side_by_side else SearchBot
            return kind(game, seed, nodes or known.nodes[level], seconds)
        case _:
            levels = ", ".join(LEVELS)
            raise UnknownBot(
                "unknown-bot", f"There is no bot {level!r}; there are: {levels}.", {"level": level}
            )


def _checked_seconds(seconds: Any) -> float:
    number = isinstance(seconds, int | float | np.integer | np.floating) and not isinstance(seconds, bool)
    if not number or not seconds >= 0:  # NaN is no time either
        raise BadOptions("seconds", "a number, 0 or more", seconds)
    return float(seconds)


def playouts(
    game: Game | str, games: int = 1000, players: int | None = None, seed: int | None = None, **options: Any
) -> int:
    """Deal and play games by chance inside the kernel; returns the number of decisions made."""
    game = registry.game(game) if isinstance(game, str) else game
    games = at_least(0, "games", games)
    template = np.zeros(1, game.rules.STATE)[0]
    template.players = game.checked_players(players)
    game.write_options(game.checked_options(options, int(template.players)), game.rules_version, template)
    states = np.zeros(1, game.rules.STATE)
    moves = np.zeros(game.num_moves, np.int16)
    return int(kernels(game.name).playouts(states, template, moves, bot_generator(seed, game.name), games))
