"""Bots at live tables: they think in threads beside the loop, within a time, and always come to a move.

A bot gets an Observation and nothing else. One that fails, or takes too long, is replaced by chance for that
move, and the row says so. While a game isn't compiled yet, no bot searches: it would see next to nothing.
"""

import asyncio
import logging
import os
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from kibitz.bots.player import LEVELS, Bot, bot, without_search
from kibitz.bots.programs import ProgramFailed
from kibitz.core.game import Game
from kibitz.core.move import Move
from kibitz.core.state import Observation
from kibitz.server.limits import Limits
from kibitz.server.turns import NOBODY, Asker, Turns

log = logging.getLogger("kibitz.bots")

SECONDS = 1.5  # for which a bot searches at most; less when others wait
LEAST_SECONDS = 0.03
PATIENCE = 5.0  # seconds until chance takes over
TABLES = 1 << 20  # whose bots may wait: all
LIVE_NODES = {"hard": 10_000}  # a live table may think longer than an arena

MakeBot = Callable[[str, Game, float], Bot]


def live_bot(level: str, game: Game, seconds: float) -> Bot:
    """A bot as it plays at live tables."""
    return bot(level, game, nodes=LIVE_NODES.get(level), seconds=seconds)


class Thinkers:
    """Threads in which some bots think; households have their turns one after the other."""

    def __init__(self, threads: int, of_household: int | None = None) -> None:
        self.pool = ThreadPoolExecutor(threads, "kibitz-bot")
        self.turns = Turns(threads, TABLES, of_household)
        self.threads = threads
        self.waiting = 0

    async def begin(self, asker: Asker, seconds: float) -> None:
        """Wait for a turn, but not longer than this."""
        self.waiting += 1
        try:
            async with asyncio.timeout(seconds):
                await self.turns.begin(asker)
        finally:
            self.waiting -= 1


class LiveBots:
    """Our own bots think in as many threads as the machine has processors.

    Programs of the host's think in others, one of a household at a time: one that hangs holds up no bot.
    """

    def __init__(
        self,
        make_bot: MakeBot = live_bot,
        patience: float = PATIENCE,
        is_ready: Callable[[str], bool] = lambda game: True,
        limits: Limits | None = None,
    ) -> None:
        self._make_bot = make_bot
        self._is_ready = is_ready
        self._patience = patience
        self._ours = Thinkers(max(2, os.cpu_count() or 1))
        self._programs = Thinkers((limits or Limits()).programs, of_household=1)

    async def choose(
        self,
        level: str,
        observation: Observation,
        seconds: float = SECONDS,
        seed: int | None = None,
        asker: Asker = NOBODY,
    ) -> tuple[Move, str | None]:
        """A move, found in this time, and why it was left to chance if it was: `error` or `slow`.

        With a seed it is always the same move, however long it takes; chance never helps out.
        """
        if seed is not None:
            return await self._decide(asker, level, observation, seconds, seed), None
        try:
            return await self._decide(asker, level, observation, seconds, None), None
        except TimeoutError:
            log.warning("the %s bot for %s is too slow", level, observation.game.name)
            return secrets.choice(observation.legal_moves), "slow"
        except ProgramFailed as failure:
            log.warning("the program %s for %s failed: %s", level, observation.game.name, failure.reason)
            return secrets.choice(observation.legal_moves), "error"
        except Exception:
            log.exception("the %s bot for %s failed", level, observation.game.name)
            return secrets.choice(observation.legal_moves), "error"

    async def _decide(
        self, asker: Asker, level: str, observation: Observation, seconds: float, seed: int | None
    ) -> Move:
        thinkers = self._thinkers(level)
        seconds = max(LEAST_SECONDS, min(SECONDS, seconds) / (1 + thinkers.waiting / thinkers.threads))
        await thinkers.begin(asker, 2 * self._patience)
        loop = asyncio.get_running_loop()
        thinking = loop.run_in_executor(thinkers.pool, self._think, level, observation, seconds, seed)
        thinking.add_done_callback(lambda done: _release(thinkers, asker, done))
        async with asyncio.timeout(self._patience):
            move = await asyncio.shield(thinking)
        if move not in observation.legal_moves:
            raise AssertionError(f"{move} is not legal")
        return move

    def _thinkers(self, level: str) -> Thinkers:
        return self._ours if level in LEVELS else self._programs

    def _think(self, level: str, observation: Observation, seconds: float, seed: int | None) -> Move:
        if seed is not None:
            return bot(level, observation.game, seed).choose(observation)
        if not self._is_ready(observation.game.name):
            level = without_search(level)
        return self._make_bot(level, observation.game, seconds).choose(observation)

    def close(self) -> None:
        """Begin no further thought."""
        for thinkers in (self._ours, self._programs):
            thinkers.pool.shutdown(wait=False, cancel_futures=True)


def _release(thinkers: Thinkers, asker: Asker, thinking: asyncio.Future[Move]) -> None:
    thinkers.turns.end(asker)
    if not thinking.cancelled():
        thinking.exception()  # looked at, so that a late one isn't complained about
