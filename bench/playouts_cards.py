"""Random games of the two card games for up to six inside the kernels, beside OpenSpiel's and RLCard's."""

import random
from collections.abc import Callable
from itertools import count

from rlcard.games.uno import Game

import kibitz
from bench.measure import Contender, Measurement, Progress, side_by_side
from bench.playouts import METHOD
from bench.spiel import driven_by_cpp

GAMES = ("match", "assets")


def games_of(name: str) -> Callable[[int], int]:
    """A contender's `run`: plays random games of two players, and returns the decisions."""
    seeds = count(1)
    return lambda games: kibitz.playouts(name, games, seed=next(seeds))


def games_of_uno(games: int) -> int:
    """A contender's `run`: RLCard's rules by themselves, without what its environments add for learning."""
    choose = random.Random(1).choice
    decisions = 0
    for _ in range(games):
        game = Game()
        game.init_game()
        while not game.is_over():
            game.step(choose(game.get_legal_actions()))
            decisions += 1
    return decisions


def measure(rounds: int, progress: Progress) -> tuple[Measurement, ...]:
    """Decisions a second in random games of two players, a measurement a game."""
    return tuple(beside_others(name, rounds, part_of(progress, place)) for place, name in enumerate(GAMES))


def part_of(progress: Progress, place: int) -> Progress:
    """One game's part of the progress."""
    return lambda done: progress((place + done) / len(GAMES))


def beside_others(name: str, rounds: int, progress: Progress) -> Measurement:
    """One game's measurement."""
    game = kibitz.game(name)
    contenders = (
        Contender(f"Kibitz: {game.title}", games_of(name), True),
        Contender("OpenSpiel: crazy_eights, C++ rollouts", driven_by_cpp("crazy_eights"), aim=3),
        Contender("RLCard: uno from Python", games_of_uno, aim=100),
    )
    rows = side_by_side(contenders, rounds, progress)
    title = f"Random playouts of {game.title} on one core"
    method = f"{METHOD} RLCard: the game itself, `get_legal_actions()`, a random choice, `step()`."
    return Measurement(f"playouts_{name}", title, "decisions/s", rows, method)
