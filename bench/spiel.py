"""Random games of OpenSpiel, driven from Python and by its own C++.

A *decision* is a player's: chance nodes (deals and draws) are sampled, take their time, and aren't counted.
"""

import random
import statistics
from collections.abc import Callable
from itertools import count
from typing import Any

import pyspiel

DEALS = 8  # start states that C++ rollouts begin from, if the game is dealt
COUNTED_GAMES = 8000  # from which the mean number of decisions in a rollout is known to half a percent

rng = random.Random(1)


def driven_from_python(name: str, checked: bool = False) -> Callable[[int], int]:
    """A contender's `run`: plays whole random games the way every script does, and returns the decisions.

    `checked`: each move goes through OpenSpiel's check that it is legal.
    """
    game = pyspiel.load_game(name)

    def run(games: int) -> int:
        return sum(play_out(game.new_initial_state(), checked) for _ in range(games))

    return run


def play_out(state: Any, checked: bool = False) -> int:
    """Play on by chance until the game is over; returns the number of decisions."""
    play = state.apply_action_with_legality_check if checked else state.apply_action
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            sample_chance(state)
        else:
            play(rng.choice(state.legal_actions()))
            decisions += 1
    return decisions


def sample_chance(state: Any) -> None:
    """Let chance decide by its probabilities."""
    outcomes, probabilities = zip(*state.chance_outcomes())
    state.apply_action(rng.choices(outcomes, probabilities)[0])


def driven_by_cpp(name: str, counted: int = COUNTED_GAMES) -> Callable[[int], float]:
    """A contender's `run`: random rollouts in C++ from dealt states, and the decisions made in them.

    OpenSpiel has no call for "n random games", but its `MCTSBot` with a single simulation does nothing
    but evaluate the root, which `RandomRolloutEvaluator` does by n random games to the end, in C++
    throughout. With n in the hundreds the search around them takes less than 1 % of the time.

    The evaluator doesn't say how many decisions its rollouts had. Their mean is estimated for each start
    state by random games from that very state, driven from Python: the same distribution, since both
    choose uniformly among the legal actions and sample chance by its probabilities. Dealing isn't part
    of the rollouts (of Kibitz's playouts it is), which is in OpenSpiel's favour.
    """
    game = pyspiel.load_game(name)
    states = dealt_states(game)
    decisions = [mean_decisions(state, counted // len(states)) for state in states]
    seeds = count(1)

    def run(rollouts: int) -> float:
        done = 0.0
        share = -(-rollouts // len(states))
        for state, mean in zip(states, decisions):
            evaluate(game, state, share, next(seeds))
            done += share * mean
        return done

    return run


def dealt_states(game: Any) -> list[Any]:
    """States at the first decision: several deals, or the one beginning of a game without chance."""
    states = []
    for _ in range(DEALS):
        state = game.new_initial_state()
        if not state.is_chance_node():
            return [state]
        while state.is_chance_node():
            sample_chance(state)
        states.append(state)
    return states


def mean_decisions(state: Any, games: int) -> float:
    """How many decisions a random game from this state has, in the mean."""
    return statistics.fmean(play_out(state.clone()) for _ in range(games))


def evaluate(game: Any, state: Any, rollouts: int, seed: int) -> None:
    """Random games from a state to the end, all in C++."""
    bot = pyspiel.MCTSBot(
        game,
        pyspiel.RandomRolloutEvaluator(rollouts, seed),
        uct_c=1.0,
        max_simulations=1,
        max_memory_mb=1,
        solve=False,
        seed=seed,
        verbose=False,
    )
    root = bot.mcts_search(state)
    assert root.explore_count == 1, "one simulation, all of it at the root"
    assert not root.children
