"""Which games are compiled yet: in a child process, the game asked for first.

Until then a game is played all the same, interpreted (`kibitz.core.kernel.interpret`): no first move waits.
"""

import asyncio
import gc
import logging
import threading
import time
from collections.abc import Callable, Sequence

import msgspec

from kibitz import warmup
from kibitz.core.errors import KibitzError
from kibitz.core.kernel import interpret, loading, stop_interpreting
from kibitz.server.tables.refusals import NotAllowed

log = logging.getLogger("kibitz.readiness")

RETRY_SECONDS = 10.0  # before a game that failed is tried again
YOUNG = 20_000  # objects before the collector looks at them: hardly any garbage here needs it

Tell = Callable[[str, int, int], None]  # so many of a game's steps of so many are done
Compile = Callable[[Sequence[str], warmup.Report], object]


def silent(game: str, done: int, total: int) -> None:
    """Tell nobody."""


class Progress(msgspec.Struct):
    """How far a game is."""

    done: int = 0
    total: int = 1
    ready: bool = False
    failed: bool = False


class Readiness:
    """Prepares the games in a thread of its own, and tells those who wait."""

    def __init__(self, games: Sequence[str], compile: Compile = warmup.warm_up) -> None:
        self.progress = {game: Progress() for game in games}
        self._compile = compile
        self._wanted: list[str] = []  # asked for, the latest last
        self._told: dict[str, set[Tell]] = {game: set() for game in games}  # who hears of the progress
        self._compiled = {game: asyncio.Event() for game in games}  # or failed to
        self._todo = list(games)
        self._failed: dict[str, float] = {}  # games, and when they did
        self._loop: asyncio.AbstractEventLoop | None = None
        self._running = False
        self._closing = False

    def start(self) -> None:
        """Begin to prepare."""
        self._loop = asyncio.get_running_loop()
        self._go_on()

    def _go_on(self) -> None:
        """Have the thread do what is to be done; in the loop."""
        if self._todo and not self._running and not self._closing:
            self._running = True
            interpret()
            threading.Thread(target=self._run, name="kibitz-readiness", daemon=True).start()

    def stop(self) -> None:
        """Begin no further game."""
        self._closing = True

    @property
    def all_ready(self) -> bool:
        """Whether there is nothing left to wait for, with any game."""
        return not self._told and not self._failed

    def is_ready(self, game: str) -> bool:
        """Whether a game is compiled: bots search as they can."""
        return self.progress[game].ready

    def want(self, game: str, tell: Tell) -> None:
        """A game is to be played now, compiled or not: it is the next to be compiled. Hear of the progress.

        A game that failed is refused; it is tried again when it is asked for, but not at once.
        """
        if game not in self.progress:
            raise NotAllowed("unknown-game", name=game)
        if self.progress[game].failed and time.monotonic() - self._failed[game] > RETRY_SECONDS:
            self._try_again(game)
        progress = self.progress[game]
        if progress.failed:
            raise NotAllowed("game-unavailable")
        if progress.ready:
            return
        if game not in self._wanted[-1:]:
            self._wanted.append(game)
        if tell not in self._told[game]:
            self._told[game].add(tell)
            tell(game, progress.done, progress.total)

    async def wait(self, game: str, tell: Tell) -> None:
        """Return when the game is compiled; hear of the progress until then."""
        self.want(game, tell)
        await self._compiled[game].wait()
        if self.progress[game].failed:
            raise NotAllowed("game-unavailable")

    def _try_again(self, game: str) -> None:
        self.progress[game] = Progress()
        self._told[game] = set()
        self._compiled[game].clear()
        del self._failed[game]
        self._todo.append(game)
        self._go_on()

    # In the thread

    def _run(self) -> None:
        while self._todo and not self._closing:
            game = self._next(self._todo)
            self._todo.remove(game)
            try:
                self._prepare(game)
            except Exception:
                log.exception("%s can't be played", game)
                self._in_loop(self._finish, game, False)
            else:
                self._in_loop(self._finish, game, True)
        stop_interpreting()
        spare_the_collector()
        self._in_loop(self._end_run)

    def _next(self, todo: Sequence[str]) -> str:
        """The game that was asked for last, or else the first."""
        return next((game for game in reversed(self._wanted) if game in todo), todo[0])

    def _prepare(self, game: str) -> None:
        """Compile in a child process, then load; what the child can't do is compiled here."""
        if not warmup.is_warm(game):
            try:
                self._compile([game], lambda *step: self._in_loop(self._note, *step))
            except KibitzError as error:
                log.warning("%s", error.reason)
        with loading():
            for step in warmup.steps(game):
                step()

    def _in_loop(self, call: Callable[..., None], *arguments: object) -> None:
        assert self._loop is not None
        try:
            self._loop.call_soon_threadsafe(call, *arguments)
        except RuntimeError:  # the loop is closed
            self._closing = True

    # In the loop

    def _note(self, game: str, done: int, total: int) -> None:
        """So many of the child's steps are done; the last of all is to load what it has compiled."""
        self.progress[game].done, self.progress[game].total = done, total + 1
        for tell in self._told[game]:
            tell(game, done, total + 1)

    def _finish(self, game: str, ready: bool) -> None:
        progress = self.progress[game]
        progress.ready, progress.failed = ready, not ready
        if not ready:
            self._failed[game] = time.monotonic()
        progress.done = progress.total
        for tell in self._told.pop(game):
            tell(game, progress.done, progress.total)
        self._compiled[game].set()

    def _end_run(self) -> None:
        self._running = False
        self._go_on()  # with what has come meanwhile


def spare_the_collector() -> None:
    """What is there by now stays: looking through it for garbage again and again would hold everybody up."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, 10, 10)
