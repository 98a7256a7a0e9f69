"""Faults under load: players go on through a balancer while nodes, bus and database die and come back.

`python -m tests.server.faults [count]` is the long run; it prints how long players waited after each kind.
"""

import asyncio
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

import kibitz
from kibitz.server.protocol import PROTOCOL
from kibitz.server.stores.store import Row
from kibitz.server.tables.commands import PACES
from scripts.cluster import balancer_config
from scripts.engines import Postgres, Program, answers, engine_folder, free_port, give_away, nats, wait_until
from tests.server.killing import Player, Report
from tests.server.load import UNLIMITED, Heard, decode
from tests.server.relay import Relay
from tests.server.serving import Server, Zygote
from tests.tiny import GAME as TINY

NODES = 3
PAIRS, ALONE = 4, 2  # tables of two people; of one and a bot
PACE = "fast"
BETWEEN = (0.3, 0.8)  # seconds between two faults, by chance
STUCK = 30.0  # seconds after which a table isn't waited for
FROZEN = 2.5  # seconds
SWALLOWED = 0.7  # seconds
FULL_SECONDS = 1.5
DISK_BYTES = 500 << 20
SECRET = "0123456789abcdef"
COUNTED = 3.0  # seconds over which the bots' thoughts are counted
SETTLED = 20.0  # seconds in which all nodes agree when nobody plays any more
THINKING = 1.5  # nodes for each bot, at which more than one thinks
TALK = 0.2  # how often one talks while the other thinks, so that two nodes add to one log at once

FRESH_SECONDS = 10.0  # for which one who comes anew waits for the table
GONE = (OSError, ConnectionClosed, InvalidHandshake, InvalidMessage, EOFError, KeyError, TimeoutError)


class SteadyPlayer(Player):
    """One who looks again when something was refused, talks while the other thinks, and can stop."""

    def __init__(self, house: Any) -> None:
        super().__init__(house)
        self.playing = True
        self._socket: ClientConnection | None = None
        self.heard: Heard | None = None
        self.shown: Any = None  # the table as this one sees it
        self.answers: list[float] = []  # when commands of this one were answered

    def __repr__(self) -> str:
        """Where it hangs."""
        return f"{self.table} waits for {self._unanswered}, last heard {self.heard}"

    async def run(self) -> None:
        """Connect, again and again."""
        while True:
            try:
                address = f"ws://127.0.0.1:{self._server.port}/ws"
                async with connect(address, compression=None, open_timeout=3) as self._socket:
                    await self._play(self._socket)
            except GONE:
                await asyncio.sleep(0.05)

    async def come_anew(self) -> None:
        """Leave, to come back at the node that has the fewest."""
        if self._socket is not None:
            await self._socket.close()

    async def _take(self, socket: ClientConnection, heard: Heard) -> None:
        self.heard = heard
        before, asked = self.answered_at, self._unanswered
        await super()._take(socket, heard)
        if self.answered_at != before and asked and asked["type"] == "chat":
            self.answered_at = before  # it is moves that are waited for
        elif self.answered_at != before:
            self.answers.append(self.answered_at)
        if heard.type in ("refused", "failed") and self.table:
            await asyncio.sleep(0.05)
            await self._send(socket, {"type": "watch", "table": self.table})

    def _heard(self, text: str | bytes) -> Heard:
        heard = super()._heard(text)
        if heard.type == "table" and heard.table == self.table:
            self.shown = msgspec.json.decode(text)
        return heard

    async def _decide(self, socket: ClientConnection, heard: Heard) -> None:
        if not self.playing:
            return
        if not heard.legal and not heard.result and random.random() < TALK:
            await self.order(socket, "chat", table=self.table, text="Well …")
        else:
            await super()._decide(socket, heard)

    async def fresh(self) -> Any:
        """What one sees who comes now."""
        address = f"ws://127.0.0.1:{self._server.port}/ws"
        async with asyncio.timeout(FRESH_SECONDS), connect(address, compression=None) as socket:
            await self._send(socket, {"type": "hello", "protocol": PROTOCOL, "token": self._token})
            await self._send(socket, {"type": "watch", "table": self.table})
            while True:
                text = await socket.recv()
                if decode(text).type == "table":
                    return msgspec.json.decode(text)


class Onlooker(SteadyPlayer):
    """One who only looks on, at one node, and follows to the next game."""

    async def _decide(self, socket: ClientConnection, heard: Heard) -> None:
        if heard.rematch:
            self.table = heard.rematch
            await self._send(socket, {"type": "watch", "table": self.table})


class House:
    """Three nodes, a balancer, NATS, a primary and its standby."""

    def __init__(self, folder: Path, zygote: Zygote, mutant: str | None = None) -> None:
        self.folder = folder
        self.standbys = 0
        self.silent: list[Postgres] = []  # primaries that were, and answer nothing
        self.struck = 0.0  # when the last fault did
        self.disk = folder / "disk"
        self.disk.mkdir()
        self.mounted = mounted(self.disk)
        give_away(self.disk)
        self.primary = Postgres(self.disk / "postgres-0", free_port())
        self.primary.make()
        self.primary.start()
        self.other_port = free_port()
        self.nats = nats(folder, free_port())
        self.nats.start()
        self.wire = Relay(self.nats.port)
        hosts = f"127.0.0.1:{self.primary.port},127.0.0.1:{self.other_port}"
        settings = {
            "data": str(folder),
            "store": f"postgresql://kibitz@{hosts}/postgres?target_session_attrs=read-write",
            "bus": f"nats://127.0.0.1:{self.wire.port}",
            "limits": UNLIMITED,
            "bots": "random",
            "mutant": mutant,
            "host_secret": SECRET,
        }
        self.nodes = [Server(zygote, dict(settings)) for _ in range(NODES)]
        for node in self.nodes:
            node.start()
        self.port = free_port()
        config = folder / "haproxy.cfg"
        config.write_text(balancer_config(self.port, [node.port for node in self.nodes]))
        program = shutil.which("haproxy") or "/usr/sbin/haproxy"
        self.balancer = Program([program, "-f", str(config)], self.port, folder / "haproxy.txt")
        self.balancer.start()

    def rows(self) -> list[Row]:
        """All rows there are, from the database itself."""
        import psycopg

        from kibitz.server.stores.postgres_writing import COLUMNS

        with psycopg.connect(self.primary.address) as connection:
            found = connection.execute(f"SELECT {COLUMNS} FROM rows ORDER BY log, number").fetchall()
        return [Row(*values) for values in found]

    def thoughts(self) -> int:
        """How many moves bots have thought of, at all nodes since they started."""
        told = []
        for node in self.nodes:
            address = f"http://127.0.0.1:{node.port}/host.json"
            with urlopen(Request(address, headers={"Authorization": f"Bearer {SECRET}"})) as answer:
                told.append(msgspec.json.decode(answer.read())["thoughts"])
        return sum(told)

    def thinking(self) -> float:
        """How many nodes think for each bot, over some seconds: one thinks as often as its pace lets it."""
        before, began = self.thoughts(), time.monotonic()
        time.sleep(COUNTED)
        thoughts, seconds = self.thoughts() - before, time.monotonic() - began
        return thoughts * PACES[PACE] / (ALONE * seconds)

    def close(self) -> None:
        """End all."""
        self.balancer.stop()
        for node in self.nodes:
            node.kill()
        self.wire.close()
        self.nats.stop()
        self.primary.stop("immediate")
        for silent in self.silent:
            silent.kill_frozen()
        if self.mounted:
            away = ["umount", str(self.disk)]
            wait_until(lambda: succeeds(away), "the end of what uses the disk")

    # Faults

    def kill_a_node(self) -> None:
        """kill -9, and it comes back."""
        random.choice(self.nodes).restart()

    def stop_a_node(self) -> None:
        """SIGTERM, as in a rolling upgrade, and it comes back."""
        node = random.choice(self.nodes)
        os.kill(node.pid, signal.SIGTERM)
        while Path(f"/proc/{node.pid}").exists():
            time.sleep(0.01)
        node.start()

    def freeze_a_node(self) -> None:
        """It stands still for a while, then goes on as if nothing had been."""
        node = random.choice(self.nodes)
        os.kill(node.pid, signal.SIGSTOP)
        time.sleep(FROZEN)
        os.kill(node.pid, signal.SIGCONT)

    def restart_nats(self) -> None:
        """No news for a while."""
        self.nats.stop()
        time.sleep(0.5)
        self.nats.start()

    def swallow_news(self) -> None:
        """What nodes tell each other is lost for a while, and nobody knows."""
        self.wire.swallow(SWALLOWED)
        self.struck = time.monotonic()

    def cut_connections(self) -> None:
        """The database ends every connection of nodes."""
        cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'kibitz'"
        self.primary.psql(cut)

    def restart_database(self) -> None:
        """It is stopped in the middle, and started."""
        self.primary.restart("fast")

    def crash_database(self) -> None:
        """It stops without a farewell, and recovers from its log."""
        self.primary.restart("immediate")

    def lose_the_primary(self) -> None:
        """The primary is killed for good, and its standby takes over."""
        old, ready = self._with_a_standby()
        old.kill()
        ready.promote()
        shutil.rmtree(old.folder)

    def silence_the_primary(self) -> None:
        """The primary answers nothing any more, and its connections stay open; its standby takes over."""
        old, ready = self._with_a_standby()
        old.freeze()
        ready.promote()
        self.silent.append(old)

    def _with_a_standby(self) -> tuple[Postgres, Postgres]:
        """The primary, and one that has all that was acknowledged and is to be the next."""
        while self.silent:  # so that its port is free
            silent = self.silent.pop()
            silent.kill_frozen()
            shutil.rmtree(silent.folder)
        self.standbys += 1
        old = self.primary
        ready = old.standby(self.disk / f"postgres-{self.standbys}", self.other_port)
        self.primary, self.other_port = ready, old.port
        self.struck = time.monotonic()
        return old, ready

    def fill_the_disk(self) -> None:
        """The database's disk has no room for a while; if it stops over that, it is started again."""
        filling = self.disk / "filling"
        with filling.open("wb") as file, suppress(OSError):
            while True:
                file.write(bytes(1 << 20))
        self.struck = time.monotonic()
        time.sleep(FULL_SECONDS)
        filling.unlink()
        if not answers(self.primary.port):
            self.primary.restart("immediate")


FAULTS: dict[str, Callable[[House], None]] = {
    "a node is killed": House.kill_a_node,
    "a node is stopped (SIGTERM)": House.stop_a_node,
    "a node freezes": House.freeze_a_node,
    "NATS is away": House.restart_nats,
    "news is swallowed": House.swallow_news,
    "connections to the database are cut": House.cut_connections,
    "the database is restarted": House.restart_database,
    "the database crashes": House.crash_database,
    "the primary dies, the standby takes over": House.lose_the_primary,
    "the primary falls silent, the standby takes over": House.silence_the_primary,
    "the database's disk is full": House.fill_the_disk,
}


def mounted(folder: Path) -> bool:
    """A small disk of its own, where the system lets us."""
    return succeeds(["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES},mode=755", "tmpfs", str(folder)])


def succeeds(command: list[str]) -> bool:
    """Whether the system does that."""
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


class Outcome(msgspec.Struct):
    """What came of a campaign."""

    waits: dict[str, list[float]]
    acknowledged: int
    lost: list[Any]
    twice: list[Any]
    broken: list[str]
    differing: list[str]  # tables that somebody saw otherwise than one who came anew
    stuck: list[str]
    thinking: float  # nodes for each bot

    @property
    def sound(self) -> bool:
        """Whether all promises were kept."""
        broken = self.lost or self.twice or self.broken or self.differing or self.stuck
        return not broken and self.thinking < THINKING

    def and_then(self, other: "Outcome") -> "Outcome":
        """This and another campaign as one."""
        kinds = {**self.waits, **other.waits}
        return Outcome(
            {kind: [*self.waits.get(kind, []), *other.waits.get(kind, [])] for kind in kinds},
            self.acknowledged + other.acknowledged,
            [*self.lost, *other.lost],
            [*self.twice, *other.twice],
            [*self.broken, *other.broken],
            [*self.differing, *other.differing],
            [*self.stuck, *other.stuck],
            max(self.thinking, other.thinking),
        )


async def campaign(house: House, faults: list[str]) -> Outcome:
    """Play, and let these faults happen one after the other."""
    groups, onlookers, running = await _seated(house)
    waits: dict[str, list[float]] = {}
    stuck: list[str] = []
    for name in faults:
        await asyncio.sleep(random.uniform(*BETWEEN))
        await _scattered(groups)
        house.struck = time.monotonic()
        await asyncio.to_thread(FAULTS[name], house)
        began = house.struck
        waited = await _recovered(groups, began)
        waits.setdefault(name, []).append(waited)
        if waited >= STUCK:
            stuck += [
                f"{name}: {player}" for group in groups for player in group if player.answered_at < began
            ]
    thinking = await asyncio.to_thread(house.thinking)
    players = [player for group in groups for player in group]
    for player in players:
        player.playing = False
    players += onlookers
    differing = await _differing(players)
    while running:  # who is just connecting may miss that it is told to stop
        for task in running:
            task.cancel()
        running = list((await asyncio.wait(running, timeout=1.0))[1])
    report = Report(players, house.rows(), [0.0])
    return Outcome(
        waits,
        len(report.acknowledged),
        report.lost,
        report.twice,
        report.broken,
        differing,
        stuck,
        thinking,
    )


async def _seated(
    house: House,
) -> tuple[list[list[SteadyPlayer]], list[Onlooker], list[asyncio.Task[None]]]:
    """Those who play, by tables; and one at each node who looks on where a bot plays."""
    running: list[asyncio.Task[None]] = []
    groups = [[SteadyPlayer(house), SteadyPlayer(house)] for _ in range(PAIRS)]
    groups += [[SteadyPlayer(house)] for _ in range(ALONE)]
    onlookers: list[Onlooker] = []
    for first, *others in groups:
        seats = ["me", "open"] if others else ["me", "easy"]
        asked = {"game": "tiny", "seats": seats, "pace": PACE, "start": "full"}
        table = await first.begin(running, "create", **_known(asked))
        first.table = table
        for other in others:
            other.table = table
            await other.begin(running, "sit", table=table)
        if not others:
            there = [Onlooker(node) for node in house.nodes]
            for onlooker in there:
                onlooker.table = table
                running.append(asyncio.create_task(onlooker.run()))
            onlookers += there
    return groups, onlookers, running


async def _scattered(groups: list[list[SteadyPlayer]]) -> None:
    """Let all come anew, one after the other, so that they sit at all nodes, and play."""
    for group in groups:
        for player in group:
            await player.come_anew()
    await _recovered(groups, time.monotonic())


def _known(asked: dict[str, Any]) -> dict[str, Any]:
    from kibitz.server.protocol import Create

    return {name: value for name, value in asked.items() if name in Create.__struct_fields__}


async def _recovered(groups: list[list[SteadyPlayer]], began: float) -> float:
    """How long until at each table somebody's command was answered again."""
    while any(max(one.answered_at for one in group) < began for group in groups):
        if time.monotonic() - began > STUCK:
            return STUCK
        await asyncio.sleep(0.01)
    return (
        max(min(when for one in group for when in one.answers if when >= began) for group in groups) - began
    )


async def _differing(players: list[SteadyPlayer]) -> list[str]:
    """The tables that one who played sees otherwise than one who comes now, at whichever node."""
    differing = list(players)
    until = time.monotonic() + SETTLED
    while differing and time.monotonic() < until:
        await asyncio.sleep(0.2)
        differing = [player for player in differing if not await _agrees(player)]
    return [f"{player.table}: {player!r}" for player in differing]


async def _agrees(player: SteadyPlayer) -> bool:
    try:
        views = [await player.fresh() for _ in range(NODES)]  # the balancer sends each elsewhere
    except GONE:  # a node was just on its way back
        return False
    return player.shown is not None and len({_seen(view) for view in (*views, player.shown)}) == 1


def _seen(view: Any) -> bytes:
    return msgspec.json.encode([view[name] for name in ("number", "view", "legal", "result")])


def told(outcome: Outcome) -> str:
    """The outcome as a table."""
    lines = ["| fault | times | median wait | worst |", "|---|---|---|---|"]
    for name, waits in outcome.waits.items():
        lines.append(f"| {name} | {len(waits)} | {statistics.median(waits):.2f} s | {max(waits):.2f} s |")
    lines.append(
        f"\n{outcome.acknowledged} acknowledged; lost {len(outcome.lost)}, twice {len(outcome.twice)}, "
        f"broken logs {len(outcome.broken)}, differing views {len(outcome.differing)}, "
        f"{outcome.thinking:.2f} nodes think for a bot, "
        f"stuck {outcome.stuck or 'never'}"
    )
    return "\n".join(lines)


def run(faults: list[str], mutant: str | None = None) -> Outcome:
    """A campaign in a house of its own."""
    folder = engine_folder()
    zygote = Zygote(folder / "errors.txt")
    house = None
    try:
        house = House(folder, zygote, mutant)
        return asyncio.run(campaign(house, faults))
    finally:
        if house is not None:
            house.close()
        zygote.close()
        shutil.rmtree(folder, ignore_errors=True)


def every_fault(count: int, about: str = "") -> list[str]:
    """So many faults, of each kind whose name says so in turn; a disk of one's own needs root."""
    names = [name for name in FAULTS if about in name and (os.geteuid() == 0 or "disk" not in name)]
    return [names[number % len(names)] for number in range(count)]


def main() -> None:
    """The long run."""
    kibitz.register(TINY)
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    outcome = run(every_fault(count))
    print(told(outcome))
    sys.exit(not outcome.sound)


if __name__ == "__main__":
    main()
