"""Bots against each other: who takes which share of the points."""

import math
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Any

from kibitz.bots.lookahead import kernels
from kibitz.bots.player import bot
from kibitz.core import registry
from kibitz.core.errors import BadOptions
from kibitz.core.game import Game
from kibitz.core.numbers import at_least, checked_seed

Z95 = 1.959964  # standard deviations that hold 95 % of a normal distribution


@dataclass(frozen=True)
class Outcome:
    """What an arena found: for each listed bot its share of the points, and the 95 % interval of that."""

    bots: tuple[str, ...]
    games: int
    points: tuple[float, ...]
    intervals: tuple[tuple[float, float], ...]


def arena(
    game: Game | str,
    bots: Sequence[str],
    games: int = 200,
    seed: int = 1,
    nodes: int | None = None,
    report: Callable[[int, int], None] | None = None,
    **options: Any,
) -> Outcome:
    """Play games among the bots, one seat each. Every deal is played once in each rotation of the seats."""
    game = registry.game(game) if isinstance(game, str) else game
    if len(bots) not in game.players:
        raise BadOptions("bots", f"as many as the players of {game.title}", len(bots))
    games = at_least(1, "games", games)
    seed = checked_seed(seed)
    for level in bots:
        bot(level, game, nodes=nodes)
    kernels(game.name)  # compiled once, before the threads start
    shares = [0.0] * len(bots)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        played = [pool.submit(play_one, game, bots, number, seed, nodes, options) for number in range(games)]
        for done, _ in enumerate(as_completed(played), 1):
            if report:
                report(done, games)
    for one in played:
        shares = [total + share for total, share in zip(shares, one.result(), strict=True)]
    points = tuple(share / games for share in shares)
    return Outcome(tuple(bots), games, points, tuple(interval(point, games) for point in points))


def play_one(
    game: Game, bots: Sequence[str], number: int, seed: int, nodes: int | None, options: dict[str, Any]
) -> list[float]:
    """One game; returns each listed bot's share of its point."""
    deal, rotation = divmod(number, len(bots))
    state = game.deal(len(bots), seed=_game_seed(seed, deal), **options)
    sitting = [(index + rotation) % len(bots) for index in range(len(bots))]  # seat -> listed bot
    players = [
        bot(bots[index], game, _game_seed(seed, number, seat), nodes) for seat, index in enumerate(sitting)
    ]
    while state.turn is not None:
        state.play(players[state.turn].choose(state.observation(state.turn)))
    shares = [0.0] * len(bots)
    for winner in state.winners:
        shares[sitting[winner]] += 1 / len(state.winners)
    return shares


def _game_seed(*parts: int) -> int:
    seed = 0
    for part in parts:
        seed = seed * 1_000_003 + part
    return seed


def interval(share: float, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval for a share."""
    spread = Z95**2 / games
    middle = (share + spread / 2) / (1 + spread)
    half = Z95 / (1 + spread) * math.sqrt(share * (1 - share) / games + spread / (4 * games))
    return max(0.0, middle - half), min(1.0, middle + half)
