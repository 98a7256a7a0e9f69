"""How long bots think about a move."""

import statistics
import time

import kibitz
from bench.measure import Measurement, Progress, Row
from kibitz.bots.player import LEVELS, Bot
from kibitz.core.state import Observation

GAME = "kaching"
GAMES = 3  # a round takes its positions from
MIDDLE = (0.25, 0.75)  # of a game's moves
METHOD = (
    "Positions from the middle half of games that `medium` bots play, with more than one legal move. Every "
    "bot is asked once about each; levels are budgets of nodes, the same on every machine."
)


def measure(rounds: int, progress: Progress) -> Measurement:
    """Milliseconds a decision of each level; a round takes its positions from games of its own."""
    game = kibitz.game(GAME)
    bots = {level: kibitz.bot(level, game, seed=1) for level in LEVELS}
    times: dict[str, list[float]] = {level: [] for level in LEVELS}
    for done in range(rounds):
        for observation in middle_positions(first_seed=1 + done * GAMES):
            for level, bot in bots.items():
                times[level].append(milliseconds(bot, observation))
        progress((done + 1) / rounds)
    rows = []
    for level in reversed(LEVELS):
        samples = times[level]
        rows.append(Row(f"{level}: median", tuple(samples)))
        rows.append(Row(f"{level}: 99 %", (statistics.quantiles(samples, n=100)[98],), ours=False))
    return Measurement("bots", "Time a bot takes for a decision in Ka-Ching!", "ms", tuple(rows), METHOD)


def middle_positions(first_seed: int) -> list[Observation]:
    """What the seat in turn knows, at every decision in the middle of some games."""
    game = kibitz.game(GAME)
    positions = []
    for seed in range(first_seed, first_seed + GAMES):
        medium = kibitz.bot("medium", game, seed=seed)
        state = game.deal(seed=seed)
        seen = []
        while not state.over:
            observation = state.observation(state.turn)
            seen.append(observation)
            state.play(medium.choose(observation))
        first, last = (round(share * len(seen)) for share in MIDDLE)
        positions += [one for one in seen[first:last] if len(one.legal_moves) > 1]
    return positions


def milliseconds(bot: Bot, observation: Observation) -> float:
    """How long a bot thinks."""
    started = time.perf_counter()
    bot.choose(observation)
    return (time.perf_counter() - started) * 1000
