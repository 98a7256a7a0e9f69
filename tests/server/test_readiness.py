"""Games that aren't compiled yet: that is done beside the server, the one asked for first; all are played."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kibitz import warmup
from kibitz.core.errors import KibitzError
from kibitz.core.kernel import JIT
from kibitz.server import readiness as readiness_module
from kibitz.server.readiness import Readiness
from kibitz.server.tables.refusals import NotAllowed
from scripts.engines import free_port
from tests.server.client import connected, fetch, until
from tests.server.serving import ROOT, in_loop
from tests.server.test_bots import bots_move


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


def all_ready(readiness: Readiness) -> bool:
    """Whether nothing is left to wait for."""
    return readiness.all_ready


@in_loop
async def test_the_game_asked_for_is_next(monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = Compiler(monkeypatch)
    readiness = Readiness(["a", "b", "c"], compiler)
    readiness.start()
    told: list[tuple[str, int, int]] = []
    waiting = asyncio.create_task(readiness.wait("c", lambda *step: told.append(step)))
    await asyncio.sleep(0.05)
    assert not all_ready(readiness)
    compiler.sign.release(3)
    await waiting
    assert compiler.order[:2] == ["a", "c"]
    assert told == [("c", 0, 1), ("c", 1, 3), ("c", 2, 3), ("c", 3, 3)], "the last step is to load it"
    await readiness.wait("b", lambda *step: None)
    assert compiler.order == ["a", "c", "b"]
    assert all_ready(readiness)
    await readiness.wait("c", lambda *step: told.append(step))
    assert len(told) == 4, "what is ready needs no waiting"


@in_loop
async def test_a_game_that_fails_to_compile_does_not_stop_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = Compiler(monkeypatch, broken="a")
    readiness = Readiness(["a", "b"], compiler)
    readiness.start()
    compiler.sign.release(2)
    await readiness.wait("b", lambda *step: None)
    with pytest.raises(NotAllowed, match="failed to compile"):
        await readiness.wait("a", lambda *step: None)
    assert not readiness.all_ready


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
    assert all_ready(readiness)
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


@in_loop
async def test_a_game_is_played_before_it_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = Compiler(monkeypatch)
    readiness = Readiness(["a"], compiler)
    readiness.start()
    told: list[tuple[str, int, int]] = []

    def tell(*step: Any) -> None:
        told.append(step)

    for _ in range(3):
        readiness.want("a", tell)
    assert told == [("a", 0, 1)], "who asks again is told no more often"
    assert not readiness.is_ready("a")
    compiler.sign.release()
    await readiness.wait("a", tell)
    assert readiness.is_ready("a")
    with pytest.raises(NotAllowed, match="chess"):
        readiness.want("chess", tell)


@contextmanager
def cold_server(folder: Path) -> Iterator[int]:
    """The port of a `kibitz serve` that has never compiled anything."""
    port = free_port()
    command = [sys.executable, "-m", "kibitz", "serve", "--port", str(port), "--data", str(folder / "data")]
    server = subprocess.Popen(
        [*command, "--no-browser"],
        env={**os.environ, "KIBITZ_CACHE": str(folder / "cache")},
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        start_new_session=True,  # so that its compiler is ended, too
    )
    try:
        yield port
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_on_a_fresh_machine_first_moves_do_not_wait_for_the_compiler(tmp_path: Path) -> None:
    """With the game that takes longest to compile."""

    @in_loop
    async def play(port: int) -> None:
        await until(lambda: answers(port))
        async with connected(port) as ann:
            table = await ann.create("me", "hard", game="cash")
            bots_line = await bots_move(ann, table)
            assert "table.fallback" not in [sentence["key"] for sentence in bots_line["sentences"]]
            health = msgspec.json.decode((await fetch(port, "/healthz"))[2])
            assert not health["games"]["cash"], "it is still being compiled"
            assert any(msgspec.json.decode(text)["type"] == "preparing" for text in ann.received)
            await ann.say("chances", table=table)
            assert (await ann.hear("failed"))["code"] == "warming-up"
            assert (await fetch(port, "/api/games/cash/lesson.en.json"))[0] == 200

    with cold_server(tmp_path) as port:
        play(port)


def answers(port: int) -> bool:
    """Whether a server listens there."""
    with socket.socket() as caller:
        return caller.connect_ex(("127.0.0.1", port)) == 0
