"""A real server to test with: the tiny game beside the others, any limits, and mutants to catch.

`python -m tests.server.entry '{"data": "..."}'` runs one; with `zygote` instead it imports everything once
and then forks a server for each line of settings on its standard input, so that restarts take no time.
"""

import asyncio
import logging
import os
import resource
import signal
import sys
import threading
import time
from ctypes import CDLL
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from uvicorn.protocols.http.flow_control import FlowControl

import kibitz
from kibitz import warmup
from kibitz.bots.player import Bot, RandomBot
from kibitz.core import description
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.move import Move
from kibitz.core.secret import source
from kibitz.core.state import Observation, State
from kibitz.server import complaints, turns
from kibitz.server.addressed import open_bus, open_store
from kibitz.server.app import Parts, create_app
from kibitz.server.complaints import set_up_log
from kibitz.server.limits import ROWS, Limits
from kibitz.server.live_bots import LiveBots, live_bot
from kibitz.server.net import answers, http, pacing, pages, sockets, websocket
from kibitz.server.net.addresses import networks
from kibitz.server.net.pages import Host
from kibitz.server.nodes import leases
from kibitz.server.readiness import Readiness
from kibitz.server.serve import listen, server
from kibitz.server.stores import store_file, writing
from kibitz.server.stores.store import Addition
from kibitz.server.tables import (
    clock,
    commands,
    daily,
    daily_deal,
    late,
    listing,
    live_tables,
    lobby,
    opening,
    table_view,
    watching,
)
from tests.tiny import GAME as TINY

kibitz.register(TINY)


class Settings(msgspec.Struct, forbid_unknown_fields=True):
    """What a test asks for."""

    data: str
    store: str | None = None
    host_secret: str | None = None
    bus: str | None = None
    drain: float = 0.5  # seconds between SIGTERM and the end, at a store for several nodes
    port: int = 0
    games: tuple[str, ...] = ("tiny",)
    limits: dict[str, Any] = {}
    bots: str = "usual"
    public_url: str | None = None
    proxies: str = ""
    leaderboard: bool = True
    secret: str | None = None  # of every deal
    mutant: str | None = None
    small_caches: bool = False  # soon full: what grows on is a leak
    quiet_seconds: float = live_tables.QUIET_SECONDS
    talkative: bool = False  # whether everything goes to the log, whatever is logged usually
    files: int | None = None  # that the process may have open
    checkpoint_pages: int = store_file.CHECKPOINT_PAGES
    disk: dict[str, str] = {}  # to be observed: see power.py
    rows: int = ROWS  # of a log, after which nobody moves
    absent_seconds: float = commands.ABSENT_SECONDS
    idle_seconds: float = commands.IDLE_SECONDS
    nudge_seconds: float = commands.NUDGE_SECONDS
    least_seconds: int = clock.SECONDS[0]
    round_seconds: float = clock.ROUND_SECONDS
    ping_seconds: float = websocket.PING_SECONDS
    word_seconds: float = 0.0  # before a deal that nobody has to say


def replace(owner: object, name: str, value: object) -> None:
    """Put something else in the place of what the server has."""
    assert hasattr(owner, name)
    setattr(owner, name, value)


def run(settings: Settings) -> None:
    """Serve until killed; the first line of output is the port."""
    set_up_log("json" if settings.talkative else "lines")
    if settings.talkative:
        logging.getLogger().setLevel(logging.DEBUG)
        complains_each_time()
    if settings.disk:
        observe(**settings.disk)
    if settings.files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (settings.files, settings.files))
    if settings.mutant:
        MUTANTS[settings.mutant]()
    if settings.small_caches:
        keep_little()
    replace(live_tables, "QUIET_SECONDS", settings.quiet_seconds)
    replace(store_file, "CHECKPOINT_PAGES", settings.checkpoint_pages)
    if settings.secret:
        secret = bytes.fromhex(settings.secret)
        replace(lobby, "source", lambda seed: source(secret))
        replace(daily, "dealt", deal_of_the_day(secret))
    replace(commands, "ROWS", settings.rows)
    replace(commands, "ABSENT_SECONDS", settings.absent_seconds)
    replace(commands, "IDLE_SECONDS", settings.idle_seconds)
    replace(commands, "NUDGE_SECONDS", settings.nudge_seconds)
    replace(commands, "SECONDS", range(settings.least_seconds, clock.SECONDS.stop))
    replace(clock, "ROUND_SECONDS", settings.round_seconds)
    replace(opening, "WORD_SECONDS", settings.word_seconds)
    replace(websocket, "PING_SECONDS", settings.ping_seconds)
    listening = listen("127.0.0.1", settings.port)
    port = listening.getsockname()[1]
    store = open_store(settings.store, Path(settings.data))
    parts = Parts(
        store=store,
        bus=open_bus(settings.bus, settings.store, store.key),
        readiness=Readiness(settings.games, compile=lambda games, report: None),
        bots=BOTS[settings.bots](),
        host=Host(local=True, url=f"http://127.0.0.1:{port}"),
        limits=Limits(**settings.limits),
        public_url=settings.public_url,
        proxies=networks(settings.proxies),
        leaderboard=settings.leaderboard,
        page=Path(settings.data) / "page",
        secret=settings.host_secret,
    )
    print(msgspec.json.encode({"port": port, "pid": os.getpid()}).decode(), flush=True)
    server(create_app(parts), settings.drain if settings.store else 0.0).run(sockets=[listening])


def observe(record: str, root: str, limit: str) -> None:
    """Have what happens on the disk written down, by the library that was loaded before all others."""
    CDLL(None).observe_disk(record.encode(), root.encode(), limit.encode())


def deal_of_the_day(secret: bytes) -> Any:
    """Deals with that secret, whatever the day."""
    usual, commitment = daily_deal.dealt, source(secret).commitment

    def dealt(*asked: Any) -> Any:
        return msgspec.structs.replace(usual(*asked), secret=secret.hex(), commitment=commitment)

    return dealt


def keep_little() -> None:
    """Make everything small that is kept only to be quick."""
    replace(writing, "ENDS", 50)
    replace(store_file, "PAGE_CACHE", 100)
    replace(table_view, "happening", lru_cache(50)(table_view.happening.__wrapped__))
    replace(description, "KEPT", 50)


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
    usual = writing.WritingThread.ask

    def ask(self: Any, write: Any) -> Any:
        future = usual(self, write)
        if not isinstance(write, Addition):
            return future
        early = future.get_loop().create_future()
        early.set_result(write.row)
        return early

    replace(writing.WritingThread, "ask", ask)
    usual_commit = writing.WritingThread.commit

    def commit(self: Any, jobs: Any) -> None:
        time.sleep(0.02)
        usual_commit(self, jobs)

    replace(writing.WritingThread, "commit", commit)


def synchronous_normal() -> None:
    """Commits without waiting for the disk."""
    replace(store_file, "SYNCHRONOUS", "NORMAL")


def synchronous_off() -> None:
    """Never syncs at all."""
    replace(store_file, "SYNCHRONOUS", "OFF")


def folders_unsynced() -> None:
    """Makes its folder without waiting until the disk knows of it."""
    replace(store_file, "sync_folder", lambda folder: None)


def made_in_place() -> None:
    """Makes a new file under its own name, step by step."""
    usual = store_file._create

    def create(path: Path) -> None:
        store_file.touch(path)
        usual(path)

    replace(store_file, "_create", create)


def log_never_emptied() -> None:
    """Leaves the write-ahead log as long as it is."""
    replace(writing.WritingThread, "_empty_the_log", lambda self: False)
    replace(writing.WritingThread, "_mind_the_room", lambda self: None)


def complains_each_time() -> None:
    """Tells every failure in its log, however many there are."""
    replace(complaints.Seldom, "filter", lambda self, record: True)


def tables_unchecked() -> None:
    """Serves whatever the file says."""
    replace(live_tables, "whole", lambda rows, last=None: rows)


def every_message_kept() -> None:
    """Forgets nothing that it has sent."""
    kept: list[bytes] = []
    usual = table_view.table_message

    def table_message(*facts: Any) -> bytes:
        kept.append(usual(*facts))
        return kept[-1]

    replace(live_tables, "table_message", table_message)


def open_events() -> None:
    """Tells everybody every event."""
    replace(table_view, "seen", lambda notes, seat: notes)


def open_views() -> None:
    """Shows everybody the whole position."""
    replace(State, "view_json", lambda self, seat: msgspec.json.encode(self.position()))


def late_too_soon() -> None:
    """Shows all hands a move sooner than the table says."""
    replace(late.LateTable, "_shown", lambda self: self._moves[-1] if self._open else len(self._now.told))


def open_legal_moves() -> None:
    """Tells everybody what the seat in turn may do."""
    usual = table_view.table_message

    def table_message(lines: Any, table: Any, viewer: Any, *rest: Any) -> bytes:
        message = msgspec.json.decode(usual(lines, table, viewer, *rest))
        if table.state is not None:
            message["legal"] = [str(move) for move in table.state.legal_moves]
        return msgspec.json.encode(message)

    replace(live_tables, "table_message", table_message)


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


# Servers that strangers can stop


def control_frames_are_free() -> None:
    """Counts only what is text."""
    usual = websocket.WebSocket.on_ws_frame

    def on_ws_frame(self: Any, transport: Any, frame: Any) -> None:
        if frame.msg_type is not websocket.TEXT:
            self._counted -= 1
        usual(self, transport, frame)

    replace(websocket.WebSocket, "on_ws_frame", on_ws_frame)


def takes_all_at_once() -> None:
    """Reads a whole flood in one turn of its loop, and counts only what is text."""
    control_frames_are_free()
    replace(websocket, "READ_BYTES", 1 << 23)


def reads_while_writing_waits() -> None:
    """Goes on reading from one who takes nothing."""
    usual = websocket.WebSocket.hold

    def hold(self: Any, reason: str) -> None:
        if reason != "writing":
            usual(self, reason)

    replace(websocket.WebSocket, "hold", hold)


def listens_after_the_end() -> None:
    """Reads on for as long as somebody sends, though the connection is closed."""
    replace(websocket, "AFTER_CLOSE_BYTES", 1 << 60)
    replace(websocket, "CLOSE_SECONDS", 3600.0)


def reads_on_while_answering() -> None:
    """Takes further requests while there are some to answer, and while nobody takes the answers."""
    replace(FlowControl, "pause_reading", lambda self: None)


def keeps_half_closed() -> None:
    """Keeps sockets whose other side will say nothing more."""
    for protocol in (http.HttpProtocol, websocket.FrameReader):
        replace(protocol, "eof_received", lambda self: True)


def no_limit_of_sockets() -> None:
    """Lets everybody in."""
    replace(sockets.Sockets, "admit", lambda self, socket, address: True)


def nobody_gives_way() -> None:
    """Keeps silent sockets and turns the others away."""
    replace(sockets.Sockets, "_make_room", lambda self, address: False)


class NoLocks(dict[str, Any]):
    """Gives everybody a lock of one's own."""

    def setdefault(self, key: str, value: Any = None) -> Any:
        """The new one."""
        return value


def first_come_first_served() -> None:
    """Lets all wait in one queue, whoever they are."""
    usual = turns.Turns.begin
    replace(turns.Turns, "begin", lambda self, asker, again=False: usual(self, turns.NOBODY, again))
    end = turns.Turns.end
    replace(turns.Turns, "end", lambda self, asker: end(self, turns.NOBODY))


def latest_are_shown() -> None:
    """Shows everybody the tables that were listed last, whoever listed them."""
    replace(listing, "in_turns", lambda tables: [one for _, one in tables])


def reads_all_at_once() -> None:
    """Reads whatever has come before it does anything else."""
    replace(pacing, "SHARE", 3600.0)


def draws_all_at_once() -> None:
    """Lets nobody wait for a turn."""

    async def begin(self: Any, asker: Any, again: bool = False) -> None:
        pass

    replace(turns.Turns, "begin", begin)
    replace(turns.Turns, "end", lambda self, asker: None)


def answers_wait_for_ever() -> None:
    """Keeps answers for as long as nobody takes them, and as many."""
    replace(http.HttpProtocol, "_mind_taking", lambda self, before: None)
    replace(sockets.Sockets, "owes", lambda self, socket: None)


def counts_beside_each_other() -> None:
    """Counts open tables for several commands at once."""
    replace(lobby, "WeakValueDictionary", NoLocks)


def bare_answers() -> None:
    """Answers what no route takes without the headers that all answers have."""
    replace(answers, "HEADERS", {})
    replace(http, "HEADERS", {})


def presence_at_once() -> None:
    """Tells everybody of each coming and going."""

    def tell(self: Any, live: Any, but: Any = None) -> None:
        if live.loaded:
            live.show_presence()

    replace(watching.Watching, "_tell_presence_soon", tell)


def names_are_trusted() -> None:
    """Takes any name for a file's."""
    usual = pages.Pages._found

    def found(self: Any, path: str) -> Any:
        (self._folder / path).stat()
        return usual(self, path)

    replace(pages.Pages, "_found", found)


def postgres_acknowledges_before_commit() -> None:
    """Answers first, writes later; but tables are there once they are opened."""
    from kibitz.server.stores import postgres_sharing, postgres_writing

    usual = postgres_sharing.SharedWork._do

    async def write(self: Any, batch: Any) -> None:
        if self._work is postgres_writing.written and all(piece.asked.row.number for piece in batch):
            for piece in batch:
                piece.answer.set_result(piece.asked.row)
            await asyncio.sleep(0.05)
        await usual(self, batch)

    replace(postgres_sharing.SharedWork, "_do", write)


def postgres_takes_any_row() -> None:
    """Adds whatever comes at the end of a log, whoever was before: no conditional append."""
    from kibitz.server.stores import postgres_writing

    anyhow = postgres_writing.ADD.replace(postgres_writing.FOLLOWS, "")
    replace(postgres_writing, "ADD", anyhow.replace("new.number,", NEXT_NUMBER))


def leases_are_ignored() -> None:
    """Every node plays the bots of every table that it shows."""

    async def mine(self: Any) -> bool:
        return True

    replace(leases.Lease, "__aenter__", mine)


def news_is_trusted() -> None:
    """Believes that it hears of every row, and never looks at the store by itself."""

    async def no_look(self: Any) -> None:
        """Hear, and do nothing else."""

    async def no_more(self: Any, live: Any) -> bool:
        return False

    replace(live_tables.LiveTables, "_look", no_look)
    replace(live_tables.LiveTables, "catch_up", no_more)


NEXT_NUMBER = "(SELECT max(number) + 1 FROM rows WHERE log = new.log),"


MUTANTS = {
    "postgres-acknowledges-before-commit": postgres_acknowledges_before_commit,
    "postgres-takes-any-row": postgres_takes_any_row,
    "leases-are-ignored": leases_are_ignored,
    "news-is-trusted": news_is_trusted,
    "control-frames-are-free": control_frames_are_free,
    "takes-all-at-once": takes_all_at_once,
    "reads-while-writing-waits": reads_while_writing_waits,
    "listens-after-the-end": listens_after_the_end,
    "reads-on-while-answering": reads_on_while_answering,
    "keeps-half-closed": keeps_half_closed,
    "no-limit-of-sockets": no_limit_of_sockets,
    "nobody-gives-way": nobody_gives_way,
    "first-come-first-served": first_come_first_served,
    "latest-are-shown": latest_are_shown,
    "reads-all-at-once": reads_all_at_once,
    "draws-all-at-once": draws_all_at_once,
    "answers-wait-for-ever": answers_wait_for_ever,
    "counts-beside-each-other": counts_beside_each_other,
    "bare-answers": bare_answers,
    "presence-at-once": presence_at_once,
    "names-are-trusted": names_are_trusted,
    "open-events": open_events,
    "open-views": open_views,
    "open-legal-moves": open_legal_moves,
    "telling-errors": telling_errors,
    "late-too-soon": late_too_soon,
    "acknowledge-before-commit": acknowledge_before_commit,
    "synchronous-normal": synchronous_normal,
    "synchronous-off": synchronous_off,
    "folders-unsynced": folders_unsynced,
    "made-in-place": made_in_place,
    "every-message-kept": every_message_kept,
    "log-never-emptied": log_never_emptied,
    "complains-each-time": complains_each_time,
    "tables-unchecked": tables_unchecked,
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
