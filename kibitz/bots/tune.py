"""A game's heuristic constants, tuned by self-play. See docs/tuning.md.

The constants are the numbers with a point that a game's heuristics name, `TEMPO = 2.0`, and those of its
search. An evolution strategy (CMA-ES) proposes others; each proposal plays games against the constants as
they are, and its share of the points is all that the strategy learns. In the end what it has settled on is
measured in new games.
"""

import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from types import FunctionType
from typing import Any

import msgspec
import numpy as np

from kibitz.bots.arena import Contest, play_one
from kibitz.bots.crews import Stop, crew
from kibitz.bots.entrants import Chooser
from kibitz.bots.heuristics import Heuristics
from kibitz.bots.kept import KeptLines, path_of
from kibitz.bots.lookahead import kernels, knowing, known_of, module_of
from kibitz.bots.outcomes import ArenaGame, Interval, Outcome
from kibitz.bots.player import bot
from kibitz.bots.selfplay import kibitz_version
from kibitz.core import registry
from kibitz.core.errors import BadOptions
from kibitz.core.extras import needing
from kibitz.core.game import Game
from kibitz.core.kernel import passing, sources
from kibitz.core.numbers import at_least, checked_seed, is_number
from kibitz.core.state import Observation

LEVELS = ("easy", "medium", "hard")
OF_THE_SEARCH = ("exploration", "boldness", "trust")  # by `Heuristics`
MOST_AT_ONCE = 32  # sets of constants that stay compiled
LEAST_POPULATION = 4  # with fewer CMA-ES can learn nothing
LARGEST_SEED = 2**32 - 1  # that NumPy's generator takes

_standing_in = threading.Lock()  # while copies of modules stand in for the originals

Constants = dict[str, float]
Report = Callable[["Trial"], None]


class TuneRun(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked: the first line of the file. With the same, the same is found again."""

    kibitz: str
    cmaes: str
    game: str
    rules: int
    constants: Constants  # as they are: where it begins, and whom all play against
    level: str
    nodes: int | None
    players: int
    games: int  # of each trial
    population: int  # trials of a generation
    spread: float
    seed: int
    options: dict[str, Any]


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """One set of constants and what it was worth: a line of the file."""

    generation: int
    number: int | None  # in its generation; None: the check of what the generations before have settled on
    constants: Constants
    points: float  # its share of the points of its games
    interval: Interval
    games: int


@dataclass(frozen=True)
class Tuning:
    """What tuning found. `trials` is every line of the file; the last one is the check."""

    run: TuneRun
    trials: tuple[Trial, ...]

    @property
    def check(self) -> Trial | None:
        """The last check; None if it was stopped before."""
        return next((trial for trial in reversed(self.trials) if trial.number is None), None)

    @property
    def constants(self) -> Constants:
        """What was settled on; until then what they were."""
        return self.check.constants if self.check else self.run.constants

    def bot(self, level: str | None = None) -> "Tuned":
        """A bot with these constants, for the arena."""
        return Tuned(level or self.run.level, tuple(self.constants.items()), self.run.nodes)


def constants_of(game: Game | str) -> Constants:
    """A game's constants that can be tuned, by name."""
    name = registry.game_of(game).name
    modules = [import_module(part) for part in _parts(module_of(name))]
    read = {word for part in modules for function in _functions(part) for word in function.__code__.co_names}
    named = {
        word: value
        for part in modules
        for word, value in vars(part).items()
        if word.isupper() and isinstance(value, float) and word in read
    }
    return {**named, **{word: getattr(known_of(name), word) for word in OF_THE_SEARCH}}


def _parts(module: str) -> list[str]:
    """A game's heuristics: their module, after those of the same name that it is split into."""
    named = [name for name in sources(module) if name == module or name.startswith(f"{module}_")]
    return sorted(named, key=lambda name: len(sources(name)))


def _functions(module: Any) -> Iterator[FunctionType]:
    """Its own functions, compiled ones too."""
    for value in vars(module).values():
        function = getattr(value, "py_func", value)
        if isinstance(function, FunctionType) and function.__module__ == module.__name__:
            yield function


# A bot with other constants


@dataclass(frozen=True)
class Tuned:
    """A bot of a level with other constants: something that makes players, for the arena."""

    level: str
    constants: tuple[tuple[str, float], ...]
    nodes: int | None = None

    @property
    def __name__(self) -> str:
        return f"tuned {self.level}"

    def __call__(self, game: Game, seed: int | None) -> Chooser:
        """A player for one game."""
        known = heuristics_with(game.name, self.constants)
        with knowing(known):
            player = bot(self.level, game, seed, self.nodes)

        def choose(observation: Observation) -> Any:
            with knowing(known):
                return player.choose(observation)

        return choose


@lru_cache(MOST_AT_ONCE)
def heuristics_with(game: str, constants: tuple[tuple[str, float], ...]) -> Heuristics:
    """What bots would know with other constants: a copy of the modules, in which they are compiled anew."""
    given = dict(constants)
    known_of(game)  # from the original, before copies stand in for it
    with passing():
        copies = _copied(_parts(module_of(game)))
        for copy in copies:
            for name in vars(copy).keys() & given.keys():
                setattr(copy, name, given[name])  # kernels read them when compiled, at their first call
        of_the_search = {name: given[name] for name in OF_THE_SEARCH if name in given}
        known: Heuristics = replace(copies[-1].HEURISTICS, **of_the_search)
        with knowing(known):
            kernels(game)
    return known


def _copied(modules: Sequence[str]) -> list[Any]:
    """Copies of modules that import each other, and not the originals."""
    copies = []
    with _standing_in:
        originals = {name: import_module(name) for name in modules}
        try:
            for name in modules:
                spec = find_spec(name)
                assert spec is not None
                assert spec.loader is not None
                copies.append(module_from_spec(spec))
                sys.modules[name] = copies[-1]
                spec.loader.exec_module(copies[-1])
        finally:
            sys.modules.update(originals)
    return copies


# Tuning


def tune(
    game: Game | str,
    constants: Sequence[str] | None = None,
    generations: int = 20,
    games: int = 100,
    population: int | None = None,
    spread: float = 0.2,
    level: str = "medium",
    nodes: int | None = None,
    players: int | None = None,
    check: int = 1000,
    seed: int = 1,
    jobs: int | None = None,
    ray: str | None = None,
    file: str | Path | None = None,
    report: Report | None = None,
    **options: Any,
) -> Tuning:
    """Look for better constants of a game's heuristics: all of them, or those that are named.

    `games` are played by each trial, `population` trials make a generation; `spread`: by which part of
    itself a constant is varied at first. `level` and `nodes`: the bots that play. `check`: games in which the
    result is measured. `file`: each trial is kept in it, and what is there is not played again. `jobs` and
    `ray` as in the arena; the results are the same. Ctrl-C ends it with what was found so far.
    """
    game = registry.game_of(game)
    run = _run(game, constants, games, population, spread, level, nodes, players, seed, options)
    generations, check = at_least(1, "generations", generations), at_least(1, "check", check)
    workers = crew(jobs, ray)
    kernels(game.name)  # compiled once, before the work is shared
    with closing(KeptLines(file, run, Trial)) as kept:
        evolution = Evolution(run, kept, workers, report)
        try:
            for generation in range(generations):
                evolution.step(generation)
            evolution.check(generations, check)
        except KeyboardInterrupt:
            if not evolution.trials:
                raise
    return Tuning(run, tuple(evolution.trials))


def _run(
    game: Game,
    constants: Sequence[str] | None,
    games: int,
    population: int | None,
    spread: float,
    level: str,
    nodes: int | None,
    players: int | None,
    seed: int,
    options: dict[str, Any],
) -> TuneRun:
    """What is asked, checked."""
    with needing("tune"):
        import cmaes as _  # noqa: F401
    known = constants_of(game)
    for name in constants or ():
        if name not in known:
            raise BadOptions("constants", f"among {', '.join(known)}", name)
    if level not in LEVELS:
        raise BadOptions("level", " or ".join(LEVELS), level)
    if not is_number(spread) or not 0 < spread < 1:
        raise BadOptions("spread", "a number between 0 and 1", spread)
    chosen = {name: known[name] for name in dict.fromkeys(constants or known)}
    seats = game.checked_players(players)
    return TuneRun(
        kibitz=kibitz_version(),
        cmaes=version("cmaes"),
        game=game.name,
        rules=game.rules_version,
        constants=chosen,
        level=level,
        nodes=None if nodes is None else at_least(1, "nodes", nodes),
        players=seats,
        games=at_least(1, "games", games),
        population=usual_population(len(chosen))
        if population is None
        else at_least(LEAST_POPULATION, "population", population),
        spread=spread,
        seed=checked_seed(seed),
        options=game.checked_options(options, seats),
    )


def usual_population(constants: int) -> int:
    """As many trials as CMA-ES usually has for so many numbers."""
    return 4 + int(3 * np.log(constants))


class Evolution:
    """CMA-ES over trials; those that a file has aren't played again, so that it goes on as it would have."""

    def __init__(
        self, run: TuneRun, kept: KeptLines[TuneRun, Trial], workers: Any, report: Report | None
    ) -> None:
        from cmaes import CMA

        self.run, self.kept, self.workers, self.report = run, kept, workers, report
        self.trials: list[Trial] = list(kept.before)
        self.names = list(run.constants)
        self.start = np.array([run.constants[name] for name in self.names])
        self.scale = np.where(self.start == 0, 1.0, np.abs(self.start))
        self.strategy = CMA(
            mean=np.zeros(len(self.names)),
            sigma=run.spread,
            population_size=run.population,
            seed=run.seed % LARGEST_SEED,
        )

    def step(self, generation: int) -> None:
        """One generation: each proposal plays the same deals; other generations play others."""
        proposals = [self.strategy.ask() for _ in range(self.run.population)]
        sets = [self.constants(proposal) for proposal in proposals]
        found = {
            trial.number: trial
            for trial in self.kept.before
            if trial.generation == generation and trial.number is not None
        }
        left = [number for number in range(len(sets)) if number not in found]
        work = partial(play_trial, self.run, sets, generation)
        with closing(self.workers(work, left)) as results:
            for number, played in results:
                if played is not None:
                    found[number] = self.note(generation, number, sets[number], played)
        worth = [-found[number].points for number in range(len(sets))]
        self.strategy.tell(list(zip(proposals, worth)))

    def check(self, generations: int, games: int) -> None:
        """What was settled on, in games of its own; shared among the workers in rotations of the seats."""
        done = (trial for trial in self.kept.before if trial.number is None)
        if any(trial.generation == generations and trial.games >= games for trial in done):
            return
        settled = self.constants(self.strategy.mean)
        share = self.run.players * 5
        parts = range(-(-games // share))
        work = partial(play_part, self.run, settled, generations, games, share)
        with closing(self.workers(work, parts)) as results:
            played = [game for _, part in results if part is not None for game in part]
        self.note(generations, None, settled, played)

    def constants(self, proposal: Any) -> Constants:
        """A proposal as constants: 0 is what they are, 1 as much more as that."""
        return dict(zip(self.names, (self.start + self.scale * proposal).tolist()))

    def note(
        self, generation: int, number: int | None, constants: Constants, played: Sequence[ArenaGame]
    ) -> Trial:
        """Keep what a trial was worth."""
        outcome = Outcome(("tuned", *["as it was"] * (self.run.players - 1)), tuple(played))
        trial = Trial(
            generation=generation,
            number=number,
            constants=constants,
            points=outcome.points[0],
            interval=outcome.intervals[0],
            games=outcome.games,
        )
        self.trials.append(trial)
        self.kept.add(trial)
        if self.report:
            self.report(trial)
        return trial


def play_trial(
    run: TuneRun, sets: Sequence[Constants], generation: int, number: int, stop: Stop
) -> list[ArenaGame] | None:
    """All games of one trial; None if it was stopped."""
    return play_games(run, sets[number], generation, range(run.games), stop)


def play_part(
    run: TuneRun, constants: Constants, generation: int, games: int, share: int, part: int, stop: Stop
) -> list[ArenaGame] | None:
    """A part of the games of a check."""
    numbers = range(part * share, min(games, (part + 1) * share))
    return play_games(run, constants, generation, numbers, stop)


def play_games(
    run: TuneRun, constants: Mapping[str, float], generation: int, numbers: range, stop: Stop
) -> list[ArenaGame] | None:
    """One with these constants among those who have them as they are, in every rotation of the seats."""
    tuned = Tuned(run.level, tuple(constants.items()), run.nodes)
    contest = Contest(
        registry.game(run.game),
        (tuned, *[run.level] * (run.players - 1)),
        run.players,
        run.seed + 1_000_003 * (generation + 1),
        run.nodes,
        run.options,
    )
    played = []
    for number in numbers:
        game = play_one(contest, number, stop)
        if game is None:
            return None
        played.append(game)
    return played


def load(file: str | Path) -> Tuning:
    """What a file of `tune` has found."""
    try:
        first, *others = path_of("file", file).read_bytes().splitlines()
        run = msgspec.json.decode(first, type=TuneRun)
        trials = [msgspec.json.decode(line, type=Trial) for line in others]
    except (OSError, ValueError, msgspec.MsgspecError) as error:
        raise BadOptions("file", f"one that `tune` has made ({error})", str(file)) from error
    return Tuning(run, tuple(trials))
