"""Bots against each other: who takes which share of the points."""

import math
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from typing import Any

from kibitz.bots.entrants import Entrant, name_of, seated
from kibitz.bots.forgiving import Failures, forgiving, note_failure
from kibitz.bots.lookahead import kernels
from kibitz.bots.player import Bot
from kibitz.core import registry
from kibitz.core.errors import BadOptions
from kibitz.core.game import Game
from kibitz.core.numbers import at_least, checked_seed

Shares = list[float]  # of a game's point, by listed bot

Z95 = 1.959964  # standard deviations that hold 95 % of a normal distribution


@dataclass(frozen=True)
class Outcome:
    """What an arena found: for each listed bot its share of the points, and the 95 % interval of that."""

    bots: tuple[str, ...]
    games: int
    points: tuple[float, ...]
    intervals: tuple[tuple[float, float], ...]
    failures: tuple[tuple[str, str, int], ...] = ()  # bot, what was wrong, how often: chance moved instead


def arena(
    game: Game | str,
    bots: Sequence[Entrant],
    games: int = 200,
    seed: int = 1,
    nodes: int | None = None,
    report: Callable[[int, int], None] | None = None,
    **options: Any,
) -> Outcome:
    """Play games among the bots, one seat each. Every deal is played once in each rotation of the seats.

    A bot is a level, a `Bot`, a function from an observation to a move, or one that makes a player from a
    game and a seed, or a command line. One that fails is told in the outcome; chance moves in its place.
    Ctrl-C ends it at once, with what was played so far.
    """
    game = registry.game(game) if isinstance(game, str) else game
    if len(bots) not in game.players:
        raise BadOptions("bots", f"as many as the players of {game.title}", len(bots))
    games = at_least(1, "games", games)
    seed = checked_seed(seed)
    for entrant in bots:
        seated(entrant, game, nodes=nodes)
    kernels(game.name)  # compiled once, before the threads start
    at_once = 1 if any(isinstance(entrant, Bot) for entrant in bots) else os.cpu_count()  # one generator each
    stop = threading.Event()
    failures = Failures()
    with ThreadPoolExecutor(at_once) as pool:
        played = [
            pool.submit(play_one, game, bots, number, seed, nodes, options, stop, failures)
            for number in range(games)
        ]
        try:
            for done, one in enumerate(as_completed(played), 1):
                one.result()
                if report:
                    report(done, games)
        except BaseException as reason:
            stop.set()
            pool.shutdown(cancel_futures=True)
            if not isinstance(reason, KeyboardInterrupt) or not _finished(played):
                raise
    return _outcome(bots, _finished(played), failures)


def _finished(played: Sequence[Future[Shares | None]]) -> list[Shares]:
    """What came of the games that were played to their end."""
    over = [one for one in played if one.done() and not one.cancelled()]
    results = [one.result() for one in over if one.exception() is None]
    return [result for result in results if result is not None]


def _outcome(bots: Sequence[Entrant], results: Sequence[Shares], failures: Failures) -> Outcome:
    games = len(results)
    failed = tuple((name_of(bots[index]), what, times) for (index, what), times in sorted(failures.items()))
    points = tuple(sum(shares) / games for shares in zip(*results, strict=True))
    return Outcome(
        tuple(map(name_of, bots)), games, points, tuple(interval(point, games) for point in points), failed
    )


def play_one(
    game: Game,
    bots: Sequence[Entrant],
    number: int,
    seed: int,
    nodes: int | None,
    options: dict[str, Any],
    stop: threading.Event | None = None,
    failures: Failures | None = None,
) -> Shares | None:
    """One game; returns each listed bot's share of its point, or None if it was stopped."""
    deal, rotation = divmod(number, len(bots))
    state = game.deal(len(bots), seed=_game_seed(seed, deal), **options)
    sitting = [(index + rotation) % len(bots) for index in range(len(bots))]  # seat -> listed bot
    failures = Failures() if failures is None else failures
    players = [
        forgiving(
            seated(bots[index], game, _game_seed(seed, number, seat), nodes),
            _game_seed(seed, number, seat),
            partial(note_failure, failures, index),
        )
        for seat, index in enumerate(sitting)
    ]
    while state.turn is not None:
        if stop and stop.is_set():
            return None
        state.play(players[state.turn](state.observation(state.turn)))
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
