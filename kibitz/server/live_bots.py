"""Bots at live tables: they think in threads beside the loop, within a time, and always come to a move.

A bot gets an Observation and nothing else. One that fails, or takes too long, is replaced by chance for that
move, and the row says so.
"""

import asyncio
import logging
import os
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from kibitz.bots.player import Bot, bot
from kibitz.core.game import Game
from kibitz.core.move import Move
from kibitz.core.state import Observation

log = logging.getLogger("kibitz.bots")

SECONDS = 1.5  # for which a bot searches at most
PATIENCE = 5.0  # seconds until chance takes over
LIVE_NODES = {"hard": 10_000}  # a live table may think longer than an arena

MakeBot = Callable[[str, Game], Bot]


def live_bot(level: str, game: Game) -> Bot:
    """A bot as it plays at live tables."""
    return bot(level, game, nodes=LIVE_NODES.get(level), seconds=SECONDS)


class LiveBots:
    """The threads in which bots think, as many at a time as the machine has processors."""

    def __init__(self, make_bot: MakeBot = live_bot, patience: float = PATIENCE) -> None:
        self._make_bot = make_bot
        self._patience = patience
        workers = os.cpu_count() or 1
        self._pool = ThreadPoolExecutor(workers, "kibitz-bot")
        self._free = asyncio.Semaphore(workers)

    async def choose(self, level: str, observation: Observation) -> tuple[Move, str | None]:
        """A move, and why it was left to chance if it was: `error` or `slow`."""
        try:
            return await self.advise(level, observation), None
        except TimeoutError:
            log.warning("the %s bot for %s is too slow", level, observation.game.name)
            return secrets.choice(observation.legal_moves), "slow"
        except Exception:
            log.exception("the %s bot for %s failed", level, observation.game.name)
            return secrets.choice(observation.legal_moves), "error"

    async def advise(self, level: str, observation: Observation) -> Move:
        """What a bot would do; raises what it raises, or TimeoutError."""
        async with asyncio.timeout(2 * self._patience):
            await self._free.acquire()
        loop = asyncio.get_running_loop()
        thinking = loop.run_in_executor(self._pool, self._think, level, observation)
        thinking.add_done_callback(self._release)
        async with asyncio.timeout(self._patience):
            move = await asyncio.shield(thinking)
        if move not in observation.legal_moves:
            raise AssertionError(f"{move} is not legal")
        return move

    def _think(self, level: str, observation: Observation) -> Move:
        return self._make_bot(level, observation.game).choose(observation)

    def _release(self, thinking: asyncio.Future[Move]) -> None:
        self._free.release()
        if not thinking.cancelled():
            thinking.exception()  # looked at, so that a late one isn't complained about

    def close(self) -> None:
        """Begin no further thought."""
        self._pool.shutdown(wait=False, cancel_futures=True)
