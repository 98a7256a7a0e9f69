"""Processes beside the server that analyse games, so that no analysis ever holds up a move."""

import asyncio
import hashlib
import logging
import sys
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import msgspec

from kibitz.core import registry
from kibitz.core.errors import KibitzError
from kibitz.server.background import Background
from kibitz.server.limits import Limits
from kibitz.server.study.analyst import Task, TaskReport
from kibitz.server.tables.refusals import NotAllowed
from kibitz.server.turns import Asker, Turns
from kibitz.warmup import environment

log = logging.getLogger("kibitz.analysts")

LINE_BYTES = 1 << 25  # of the longest answer
PATIENCE = 15.0  # seconds after which a review that nobody asks about is stopped

Tell = Callable[[int, int], None]


class Analysts:
    """Some processes, begun when they are needed; one that fails or takes too long is replaced."""

    def __init__(
        self, processes: int, waiting: int, seconds: float, of_household: int | None = None, nice: int = 0
    ) -> None:
        self._nice = nice
        self._seconds = seconds  # for a task, its process begun among it
        self._turns = Turns(processes, waiting, of_household)
        self._idle: list[asyncio.subprocess.Process] = []
        self._all: set[asyncio.subprocess.Process] = set()

    async def ask(self, asker: Asker, task: Task, tell: Tell | None = None) -> bytes:
        """What a task comes to, as JSON; raises what was wrong with it, or that too many wait.

        One that takes long lets others have a turn now and then.
        """
        worked = 0.0
        while True:
            async with self._turns.turn(asker, again=bool(task.so_far)):
                began = time.monotonic()
                try:
                    async with asyncio.timeout(self._seconds - worked):
                        report = await self._ask(task, tell)
                except TimeoutError:
                    raise NotAllowed("analysis-too-long") from None
                worked += time.monotonic() - began
            if not report.so_far:
                return bytes(report.found)
            task = msgspec.structs.replace(task, so_far=report.so_far)

    async def _ask(self, task: Task, tell: Tell | None) -> TaskReport:
        process = self._idle.pop() if self._idle else await self._begin()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(msgspec.json.encode(task) + b"\n")
            await process.stdin.drain()
            while True:
                report = msgspec.json.decode(await process.stdout.readline(), type=TaskReport)
                if report.done is None:
                    break
                if tell:
                    tell(report.done, report.total or 1)
        except (OSError, ValueError, msgspec.MsgspecError) as error:
            self._end(process)
            log.error("an analysis failed: %s", error)
            raise NotAllowed("internal") from None
        except BaseException:
            self._end(process)
            raise
        self._idle.append(process)
        if report.code is not None:
            raise KibitzError(report.code, report.reason, report.data)
        return report

    async def _begin(self) -> asyncio.subprocess.Process:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "kibitz.server.study.analyst",
            str(self._nice),
            *(f"{name}={folder}" for name, folder in registry.folders().items()),
            env=environment(),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LINE_BYTES,
        )
        self._all.add(process)
        return process

    def _end(self, process: asyncio.subprocess.Process) -> None:
        self._all.discard(process)
        if process.returncode is None:
            process.kill()

    async def close(self) -> None:
        """End all processes."""
        ending = list(self._all)
        for process in ending:
            self._end(process)
        await asyncio.gather(*(process.wait() for process in ending))


class ReviewProgress(msgspec.Struct):
    """How far a review is; `found` when it is there, `error` when it can't be."""

    review: str
    done: int = 0
    total: int = 1
    found: bytes | None = None
    error: KibitzError | None = None
    asked: float = 0.0  # when somebody last wanted to know


class Reviews:
    """Reviews by what is reviewed: the same record is looked at once, and only as long as somebody waits."""

    def __init__(self, analysts: Analysts, background: Background, limits: Limits) -> None:
        self._analysts = analysts
        self._limits = limits
        self._background = background
        self._kept: OrderedDict[str, ReviewProgress] = OrderedDict()

    def begin(self, asker: Asker, record: str) -> ReviewProgress:
        """A review of this record, begun now or before."""
        key = hashlib.sha256(record.encode()).hexdigest()[:32]
        known = self._kept.get(key)
        if known is None or (known.error is not None and known.error.code == "slow-down"):
            progress = ReviewProgress(key, asked=time.monotonic())
            self._background.start(self._look(asker, progress, record))
            self.keep(progress)
        return self.ask(key)

    def ask(self, key: str) -> ReviewProgress:
        """How far it is."""
        progress = self._kept.get(key)
        if progress is None:
            raise NotAllowed("no-such-review")
        progress.asked = time.monotonic()
        self._kept.move_to_end(key)
        return progress

    def __contains__(self, key: str) -> bool:
        return key in self._kept

    def keep(self, progress: ReviewProgress) -> None:
        """Keep it, and of the others those that were asked for last: so many, and not too much of them."""
        self._kept[progress.review] = progress
        self._kept.move_to_end(progress.review)
        limits = self._limits
        size = sum(len(one.found or b"") for one in self._kept.values())
        for key, one in list(self._kept.items())[:-1]:
            if len(self._kept) <= limits.kept_reviews and size <= limits.kept_review_bytes:
                break
            if one.found is not None or one.error is not None:
                size -= len(one.found or b"")
                del self._kept[key]

    async def _look(self, asker: Asker, progress: ReviewProgress, record: str) -> None:
        task = Task(kind="review", record=record, seconds=self._limits.review_turn_seconds)
        looking = asyncio.create_task(self._analysts.ask(asker, task, _noting(progress)))
        try:
            while not looking.done():
                await asyncio.wait([looking], timeout=1.0)
                if time.monotonic() - progress.asked > PATIENCE:
                    del self._kept[progress.review]
                    return
            progress.found = looking.result()
            self.keep(progress)
        except KibitzError as error:
            progress.error = error
        finally:
            looking.cancel()


def _noting(progress: ReviewProgress) -> Tell:
    def note(done: int, total: int) -> None:
        progress.done, progress.total = done, total

    return note


def progress_of(progress: ReviewProgress) -> dict[str, Any]:
    """What is told of a review that isn't there yet."""
    return {"review": progress.review, "done": progress.done, "total": progress.total}
