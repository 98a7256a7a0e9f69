"""Players for any game. A bot is given an Observation, nothing else, and answers with a Move."""

import time
from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from kibitz.bots.lookahead import (
    Budget,
    heuristics_of,
    imagined,
    in_sight,
    kernels,
    look_together,
    promising,
    without_a_look,
)
from kibitz.bots.solvers import solver_of
from kibitz.core import registry
from kibitz.core.chance import chance, pick
from kibitz.core.errors import BadOptions, KibitzError, UnknownBot, of_kind
from kibitz.core.game import Game
from kibitz.core.move import Move
from kibitz.core.numbers import at_least, is_number
from kibitz.core.secret import bot_generator
from kibitz.core.state import Observation

SECONDS = 10.0  # the longest a bot thinks, whatever its budget of nodes
IMAGINED = 8  # states a greedy bot looks at


class Bot(ABC):
    """A player that is no person."""

    visits: dict[int, int] | None = None  # of its last search: how often it tried each move, by number
    remark: str | None = None  # a catalogue's key for what it has to say about its last move

    def __init__(self, game: Game, seed: int | None = None) -> None:
        self.game = game
        self.rng = bot_generator(seed, game.name, type(self).__name__)

    def choose(self, observation: Observation) -> Move:
        """The move to make; only a seat that decides is asked."""
        expected = f"an Observation of {self.game.title}, as `State.observation(seat)` gives it"
        if of_kind(Observation, "observation", expected, observation).game is not self.game:
            raise BadOptions("observation", expected, observation)
        if not observation.legal_moves:
            raise KibitzError("nothing-to-decide", "This seat isn't asked to decide now.")
        self.visits = None
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
    """The move that looking ahead in imagined states finds best, within a budget."""

    def __init__(
        self,
        game: Game,
        seed: int | None,
        nodes: int,
        seconds: float | None = None,
        threads: int = 1,
        overlooks: bool = False,
    ) -> None:
        super().__init__(game, seed)
        self.budget = Budget(nodes, SECONDS if seconds is None else seconds)
        self.threads = threads
        self.overlooks = overlooks  # what doesn't look good by rules of thumb

    def _choose(self, observation: Observation) -> Move:
        decided = without_a_look(observation, self.rng)
        if decided is not None:
            return decided
        if len(observation.legal_moves) == 1 and not heuristics_of(self.game.name).poker_face:
            return observation.legal_moves[0]
        moves = (in_sight if self.overlooks else promising)(observation, self.rng)
        if len(moves) == 1 < len(observation.legal_moves):
            return moves[0]
        look = look_together(observation, moves, self.budget, self.rng, self.threads)
        self.visits = look.visits
        return self.game.moves[look.ranking[0]]


class SolvingBot(SearchBot):
    """The move that the game's solver finds best, where this seat knows all that it needs to know."""

    def _choose(self, observation: Observation) -> Move:
        solver = solver_of(self.game.name)
        view = observation.fields()
        if solver is None or not solver.knows_enough(view) or len(observation.legal_moves) == 1:
            return super()._choose(observation)
        state = imagined(observation, self.rng)
        if solver.why_not(state):
            return super()._choose(observation)
        deadline = self.budget.deadline()
        nodes = solver.per_node * (self.budget.nodes or 1)
        found = solver.look(state, nodes, lambda _: time.monotonic() < deadline)
        return self.game.moves[found.best[0]]


LEVELS = ("random", "easy", "medium", "hard", "expert")
SEARCHING = ("medium", "hard", "expert")
EXPERT_THREADS = 2
EXPERT_FACTOR = 200  # times as many nodes as a hard bot, where a game doesn't say


def bot(
    level: str,
    game: Game | str,
    seed: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
) -> Bot:
    """A bot of a level. With a seed and a budget of nodes it always plays the same; `seconds` is a cap."""
    game = registry.game_of(game)
    nodes = None if nodes is None else at_least(1, "nodes", nodes)
    seconds = None if seconds is None else _checked_seconds(seconds)
    match level:
        case "random":
            return RandomBot(game, seed)
        case "easy":
            return GreedyBot(game, seed)
        case "medium":
            return SearchBot(game, seed, nodes or nodes_of(level, game), seconds, overlooks=True)
        case "hard":
            return SolvingBot(game, seed, nodes or nodes_of(level, game), seconds)
        case "expert":
            return SolvingBot(game, seed, nodes or nodes_of(level, game), seconds, EXPERT_THREADS)
        case _:
            levels = ", ".join(LEVELS)
            raise UnknownBot(
                "unknown-bot", f"There is no bot {level!r}; there are: {levels}.", {"level": level}
            )


def without_search(level: str) -> str:
    """The level that plays in another's place while the search isn't compiled: by rules of thumb alone."""
    return "easy" if level in SEARCHING else level


def nodes_of(level: str, game: Game) -> int:
    """How far a level looks in a game; an expert's budget is worth some two seconds on two threads."""
    nodes = heuristics_of(game.name).nodes
    return nodes.get(level) or EXPERT_FACTOR * nodes["hard"]


def _checked_seconds(seconds: Any) -> float:
    if not is_number(seconds) or seconds < 0:
        raise BadOptions("seconds", "a number, 0 or more", seconds)
    return float(seconds)


def playouts(
    game: Game | str, games: int = 1000, players: int | None = None, seed: int | None = None, **options: Any
) -> int:
    """Deal and play games by chance inside the kernel; returns the number of decisions made."""
    game = registry.game_of(game)
    games = at_least(0, "games", games)
    template = np.zeros(1, game.rules.STATE)[0]
    template.players = game.checked_players(players)
    game.write_options(game.checked_options(options, int(template.players)), game.rules_version, template)
    states = np.zeros(1, game.rules.STATE)
    moves = np.zeros(game.num_moves, np.int16)
    return int(kernels(game.name).playouts(states, template, moves, bot_generator(seed, game.name), games))
