"""What more nodes bring where there are cores for them: each has a part of a core, so that nodes are scarce.

The parts are given by the system's control groups; without the right to make some, this is left out.
"""

import asyncio
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bench.cluster import NODES, Nodes, database, house, rates, side, times_as_fast
from bench.measure import Measurement, Progress, Row, Skipped
from bench.server_moves import TABLES, Side, sockets, window
from bench.serving import Server
from scripts.engines import Postgres, here

GROUPS = Path("/sys/fs/cgroup")
RATION, PERIOD = 0.2, 20_000  # of a core; microseconds
AIM = 1.6  # times as many moves with two nodes as with one


def measure(rounds: int, progress: Progress) -> Measurement:
    """Moves a second with more and more nodes, each with its ration."""
    if not here("initdb", "pg_ctl"):
        raise Skipped("PostgreSQL is not here")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        postgres = stack.enter_context(database())
        rations = stack.enter_context(shared_out())
        nodes = stack.enter_context(house(folder, postgres))
        for node in (*nodes[1], *nodes[NODES[-1]]):
            rations.put(node.pid)
        sides = sides_of(nodes, postgres)
        asyncio.run(play(sides, rounds, progress))
    return compared(sides)


def sides_of(nodes: Mapping[int, Sequence[Server]], postgres: Postgres) -> list[Side]:
    """One node; several, with both players of a table at one, and with each at another."""
    sides = [side("one node", Nodes(nodes[1], postgres))]
    for apart, where in ((False, "both players of a table at one"), (True, "at different ones")):
        for many in NODES[1:]:
            sides.append(side(f"{many} nodes, {where}", Nodes(nodes[many], postgres, apart)))
    return sides


async def play(sides: Sequence[Side], rounds: int, progress: Progress) -> None:
    """Windows at each in turn; the first ones aren't counted."""
    for one in sides:
        one.pairs = [await one.sit_down(one.tally) for _ in range(TABLES)]
    for number in range(1 + rounds):
        for place in range(len(sides)):
            one = sides[(number + place) % len(sides)]
            one.busy.append(await window(one))
            progress((number * len(sides) + place + 1) / ((1 + rounds) * len(sides)))
    for one in sides:
        del one.busy[0]
        for socket in sockets(one):
            socket.close()


def compared(sides: Sequence[Side]) -> Measurement:
    """How many times as many moves as one node makes."""
    first = rates(sides[0])
    rows = []
    for one in sides:
        more = times_as_fast(rates(one), first)
        label = one.label if one is sides[0] else f"{one.label}: {more:.2f}x"
        rows.append(Row(label, rates(one)))
    method = (
        f"Each node has {RATION:.0%} of a core, so that the cores are enough for nodes, database and client. "
        f"Two nodes should make {AIM:g}x the moves of one."
    )
    return Measurement(
        "growth", "Moves of nodes that have a part of a core each", "moves/s", tuple(rows), method
    )


class Rations:
    """Control groups of the system, each with so much of a core."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._made: list[Path] = []

    def put(self, pid: int) -> None:
        """Give a process its ration."""
        group = self._root / f"kibitz-bench-{pid}"
        group.mkdir()
        self._made.append(group)
        quota = round(PERIOD * RATION)
        if (group / "cpu.max").exists():
            (group / "cpu.max").write_text(f"{quota} {PERIOD}")
        else:
            (group / "cpu.cfs_period_us").write_text(str(PERIOD))
            (group / "cpu.cfs_quota_us").write_text(str(quota))
        (group / "cgroup.procs").write_text(str(pid))

    def close(self) -> None:
        """Leave nothing behind; the processes have ended."""
        for group in self._made:
            group.rmdir()


@contextmanager
def shared_out() -> Iterator[Rations]:
    """Rations of cores, where the system lets us make them."""
    root = GROUPS / "cpu" if (GROUPS / "cpu").exists() else GROUPS
    if not os.access(root / "cgroup.procs", os.W_OK):
        raise Skipped("no control groups can be made here")
    rations = Rations(root)
    try:
        yield rations
    finally:
        rations.close()
