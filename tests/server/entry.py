"""A real server to test with: the tiny game beside the others, any limits, and mutants to catch.

`python -m tests.server.entry '{"data": "..."}'` runs one; with `zygote` instead it imports everything once
and then forks a server for each line of settings on its standard input, so that restarts take no time.
"""

import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import msgspec

import kibitz
from kibitz import warmup
from kibitz.bots.player import Bot, RandomBot
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.move import Move
from kibitz.core.secret import source
from kibitz.core.state import Observation, State
from kibitz.server import commands, connections, showing, sqlite, tables
from kibitz.server.app import Parts, create_app
from kibitz.server.bus import LocalBus
from kibitz.server.limits import Limits
from kibitz.server.live_bots import LiveBots, live_bot
from kibitz.server.pages import Host
from kibitz.server.readiness import Readiness
from kibitz.server.serve import listen, server
from kibitz.server.sqlite import SqliteStore
from tests.tiny import GAME as TINY

kibitz.register(TINY)


class Settings(msgspec.Struct, forbid_unknown_fields=True):
    """What a test asks for."""

    data: str
    port: int = 0
    games: tuple[str, ...] = ("tiny",)
    limits: dict[str, Any] = {}
    bots: str = "usual"
    public_url: str | None = None
    secret: str | None = None  # of every deal
    mutant: str | None = None
    absent_seconds: float = commands.ABSENT_SECONDS
    ping_seconds: float = connections.PING_SECONDS


def replace(owner: object, name: str, value: object) -> None:
    """Put something else in the place of what the server has."""
    assert hasattr(owner, name)
    setattr(owner, name, value)


def run(settings: Settings) -> None:
    """Serve until killed; the first line of output is the port."""
    if settings.mutant:
        MUTANTS[settings.mutant]()
    if settings.secret:
        secret = bytes.fromhex(settings.secret)
        replace(tables, "source", lambda seed: source(secret))
    replace(commands, "ABSENT_SECONDS", settings.absent_seconds)
    replace(connections, "PING_SECONDS", settings.ping_seconds)
    listening = listen("127.0.0.1", settings.port)
    port = listening.getsockname()[1]
    parts = Parts(
        store=SqliteStore(Path(settings.data)),
        bus=LocalBus(),
        readiness=Readiness(settings.games, compile=lambda games, report: None),
        bots=BOTS[settings.bots](),
        host=Host(local=True, url=f"http://127.0.0.1:{port}"),
        limits=Limits(**settings.limits),
        public_url=settings.public_url,
        page=Path(settings.data) / "page",
    )
    print(msgspec.json.encode({"port": port, "pid": os.getpid()}).decode(), flush=True)
    server(create_app(parts)).run(sockets=[listening])


# Bots that fail


class RaisingBot(Bot):
    """A bot with a bug."""

    def _choose(self, observation: Observation) -> Move:
        raise RuntimeError("a bug in a bot")


class SleepingBot(Bot):
    """A bot that falls asleep."""

    def _choose(self, observation: Observation) -> Move:
        time.sleep(1.0)
        return observation.legal_moves[0]


class CheatingBot(Bot):
    """A bot that answers with an illegal move."""

    def _choose(self, observation: Observation) -> Move:
        return next(move for move in self.game.moves if move not in observation.legal_moves)


def _bots(kind: type[Bot]) -> LiveBots:
    def make(level: str, game: Game, seconds: float) -> Bot:
        return kind(game)

    return LiveBots(make, patience=0.2)


BOTS = {
    "usual": lambda: LiveBots(live_bot),
    "random": lambda: LiveBots(lambda level, game, seconds: RandomBot(game)),
    "raising": lambda: _bots(RaisingBot),
    "sleeping": lambda: _bots(SleepingBot),
    "cheating": lambda: _bots(CheatingBot),
}


# Servers that break their promises


def acknowledge_before_commit() -> None:
    """Answers first, writes later."""
    usual = sqlite.Writer.ask

    def ask(self: Any, write: Any) -> Any:
        future = usual(self, write)
        if not isinstance(write, sqlite.Addition):
            return future
        early = future.get_loop().create_future()
        early.set_result(write.row)
        return early

    replace(sqlite.Writer, "ask", ask)
    usual_commit = sqlite.Writer.commit

    def commit(self: Any, jobs: Any) -> None:
        time.sleep(0.02)
        usual_commit(self, jobs)

    replace(sqlite.Writer, "commit", commit)


def synchronous_normal() -> None:
    """Commits without waiting for the disk."""
    replace(sqlite, "SYNCHRONOUS", "NORMAL")


def synchronous_off() -> None:
    """Never syncs at all."""
    replace(sqlite, "SYNCHRONOUS", "OFF")


def open_events() -> None:
    """Tells everybody every event."""
    replace(showing, "seen", lambda notes, seat: notes)


def open_views() -> None:
    """Shows everybody the whole position."""
    replace(State, "view_json", lambda self, seat: msgspec.json.encode(self.position()))


def open_legal_moves() -> None:
    """Tells everybody what the seat in turn may do."""
    usual = showing.table_message

    def table_message(shown: Any, table: Any, viewer: Any, *rest: Any) -> bytes:
        message = msgspec.json.decode(usual(shown, table, viewer, *rest))
        if table.state is not None:
            message["legal"] = [str(move) for move in table.state.legal_moves]
        return msgspec.json.encode(message)

    replace(tables, "table_message", table_message)


def telling_errors() -> None:
    """Refuses with words that depend on another's hand."""
    usual = commands.own_seat

    def own_seat(table: Any, guest: Any) -> int:
        try:
            return usual(table, guest)
        except KibitzError as error:
            hidden = "" if table.state is None else table.state.position()["hidden"]
            raise KibitzError(error.code, f"{error.reason} {hidden}") from error

    replace(commands, "own_seat", own_seat)


MUTANTS = {
    "open-events": open_events,
    "open-views": open_views,
    "open-legal-moves": open_legal_moves,
    "telling-errors": telling_errors,
    "acknowledge-before-commit": acknowledge_before_commit,
    "synchronous-normal": synchronous_normal,
    "synchronous-off": synchronous_off,
}


# Many servers from one import


def zygote() -> None:
    """Fork a server for each line of settings; its first line of output names its port and process."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the dead need no farewell
    for step in warmup.steps(TINY.name):
        step()
    for line in sys.stdin:
        settings = msgspec.json.decode(line, type=Settings)
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
            devnull = os.open(os.devnull, os.O_RDONLY)
            os.dup2(devnull, 0)
            run(settings)
            os._exit(0)


def _end_with(parent: int) -> None:
    """A test that is cut short leaves no server behind."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


if __name__ == "__main__":
    if sys.argv[1] == "zygote":
        zygote()
    else:
        run(msgspec.json.decode(sys.argv[1], type=Settings))
