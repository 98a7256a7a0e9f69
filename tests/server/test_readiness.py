"""Games that aren't compiled yet: they are prepared beside the server, the one asked for first."""

import asyncio
import threading
from collections.abc import Sequence

import pytest

from kibitz import warmup
from kibitz.core.errors import KibitzError
from kibitz.server import readiness as readiness_module
from kibitz.server.readiness import Readiness
from kibitz.server.refusals import NotAllowed
from tests.server.serving import in_loop


class Compiler:
    """A compiler that waits for a sign before each game."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, broken: str = "") -> None:
        self.order: list[str] = []
        self.sign = threading.Semaphore(0)
        self.broken = broken
        monkeypatch.setattr(warmup, "is_warm", lambda game: False)
        monkeypatch.setattr(warmup, "steps", self.steps)

    def __call__(self, games: Sequence[str], report: warmup.Report) -> None:
        """Compile, telling of two steps."""
        (game,) = games
        self.order.append(game)
        self.sign.acquire()
        report(game, 1, 2)
        report(game, 2, 2)
        if game == self.broken:
            raise KibitzError("warm-up", f"{game} could not be compiled", {})

    def steps(self, game: str) -> list[object]:
        """Loading what was compiled."""

        def load() -> None:
            if game == self.broken:
                raise RuntimeError("a broken kernel")

        return [load]


def playable(readiness: Readiness) -> bool:
    """Whether nothing is left to wait for."""
    return readiness.all_playable


@in_loop
async def test_the_game_asked_for_is_next(monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = Compiler(monkeypatch)
    readiness = Readiness(["a", "b", "c"], compiler)
    readiness.start()
    told: list[tuple[str, int, int]] = []
    waiting = asyncio.create_task(readiness.wait("c", lambda *step: told.append(step)))
    await asyncio.sleep(0.05)
    assert not playable(readiness)
    compiler.sign.release(3)
    await waiting
    assert compiler.order[:2] == ["a", "c"]
    assert told == [("c", 0, 1), ("c", 1, 2), ("c", 2, 2)]
    await readiness.wait("b", lambda *step: None)
    assert compiler.order == ["a", "c", "b"]
    assert playable(readiness)
    await readiness.wait("c", lambda *step: told.append(step))
    assert len(told) == 3, "what is ready needs no waiting"


@in_loop
async def test_a_game_that_fails_to_compile_does_not_stop_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = Compiler(monkeypatch, broken="a")
    readiness = Readiness(["a", "b"], compiler)
    readiness.start()
    compiler.sign.release(2)
    await readiness.wait("b", lambda *step: None)
    with pytest.raises(NotAllowed, match="failed to compile"):
        await readiness.wait("a", lambda *step: None)
    assert not readiness.all_playable


async def tried_again(monkeypatch: pytest.MonkeyPatch, seconds: float) -> list[str]:
    """A game fails and is mended; which games were compiled when it is asked for once more."""
    monkeypatch.setattr(readiness_module, "RETRY_SECONDS", seconds)
    compiler = Compiler(monkeypatch, broken="a")
    readiness = Readiness(["a"], compiler)
    readiness.start()
    compiler.sign.release(2)
    with pytest.raises(NotAllowed, match="failed to compile"):
        await readiness.wait("a", lambda *step: None)
    compiler.broken = ""
    await readiness.wait("a", lambda *step: None)
    assert playable(readiness)
    return compiler.order


@in_loop
async def test_a_game_that_failed_is_tried_again_when_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert await tried_again(monkeypatch, 0.0) == ["a", "a"]
    with pytest.raises(NotAllowed, match="failed to compile"):
        await tried_again(monkeypatch, 3600.0)  # not at once: who asks all the time would keep it compiling


@in_loop
async def test_an_unknown_game_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NotAllowed, match="chess"):
        await Readiness(["a"]).wait("chess", lambda *step: None)
