"""The desk of whoever hosts the house: how all nodes are, which tables there are, and what a host can do.

Tables are closed by a row in their log; bans and notices are laid down in the store: any node may be asked.
"""

import asyncio
import os
import shutil
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

import kibitz
from kibitz.server.net.session import Sessions
from kibitz.server.nodes.bus import Bus, News, NodeFigures
from kibitz.server.nodes.house import House
from kibitz.server.stores.store import Listed, Store
from kibitz.server.tables.commands import Draft
from kibitz.server.tables.refusals import NotAllowed
from kibitz.server.tables.rows import Closed

COUNT_SECONDS = 2.0  # between two counts, and two times that other nodes are told
COUNTS = 31  # from which the moves a second are: the last minute
BELIEVED_SECONDS = 10.0  # for which a node that says nothing more is shown
TABLES = 100  # that are shown


class HostDesk:
    """Figures and acts."""

    def __init__(self, sessions: Sessions, store: Store, bus: Bus) -> None:
        self._sessions = sessions
        self._store = store
        self._bus = bus
        self._counts: deque[tuple[float, int]] = deque(maxlen=COUNTS)
        self._others: dict[str, tuple[float, dict[str, Any]]] = {}
        bus.subscribe(self._on_news)

    @property
    def house(self) -> House:
        """What is laid down."""
        return self._sessions.house

    # Looking

    async def overview(self) -> dict[str, Any]:
        """Everything that is shown: this node's figures, all nodes', tables, reports, bans, the notice."""
        mine = self.figures()
        tables = await self._store.latest_tables(TABLES)
        ids = {seat.guest for one in tables for seat in one.standing.seats if seat.guest}
        ids |= {guest for one in tables for guest in self._around(one.table)}
        names = await self._store.names(sorted(ids))
        return mine | {
            "nodes": [mine, *self._neighbours()],
            "store_bytes": await self._store.size(),
            "tables_open": [self._shown(one, names) for one in tables],
            "reports": [
                {"time": when, **msgspec.structs.asdict(told)}
                for when, told in reversed(self._sessions.tables.watching.reports)
            ],
            "notice": self.house.notice,
            "bans": [
                {"guest": guest, "name": ban.name, "time": ban.time} for guest, ban in self.house.bans.items()
            ],
        }

    def figures(self) -> dict[str, Any]:
        """The figures of this node in short."""
        sessions = self._sessions
        tally = sessions.tables.appender.tally
        folder = getattr(self._store, "folder", None)
        return {
            "node": self._bus.node,
            "process": os.getpid(),
            "version": kibitz.__version__,
            "seconds": round(time.time() - tally.started),
            "connections": len(sessions.connections),
            "tables": len(sessions.tables.live),
            "rows": tally.rows,
            "rows_a_second": self._lately(tally.rows),
            "refusals": tally.refused,
            "thoughts": tally.thoughts,
            "errors": tally.errors.count,
            "free_bytes": shutil.disk_usage(folder).free if folder else None,
            "draining": sessions.draining,
        }

    def _lately(self, rows: int) -> float:
        if not self._counts:
            return 0.0
        then, before = self._counts[0]
        return round((rows - before) / max(1.0, time.monotonic() - then), 2)

    def _neighbours(self) -> list[dict[str, Any]]:
        believed = time.monotonic() - BELIEVED_SECONDS
        return [figures for told, figures in self._others.values() if told > believed]

    def _shown(self, one: Listed, names: dict[str, str]) -> dict[str, Any]:
        seated = [
            {"guest": seat.guest, "name": names.get(seat.guest or "", seat.name)}
            for seat in one.standing.seats
        ]
        sitting = {seat["guest"] for seat in seated}
        around = [
            {"guest": guest, "name": names.get(guest, "")} for guest in self._around(one.table) - sitting
        ]
        return {
            "table": one.table,
            "game": one.standing.game,
            "begun": one.standing.begun,
            "time": one.time,
            "seats": seated,
            "spectators": around,
        }

    def _around(self, table: str) -> set[str]:
        """The guests who look at a table, here or at another node that told so."""
        live = self._sessions.tables.live.find(table)
        if live is None:
            return set()
        elsewhere = (guests for _, guests in live.elsewhere.values())
        return set(live.here).union(*(there for there in elsewhere))

    # Counting, telling and hearing

    async def keep_telling(self) -> None:
        """Count now and then, and tell the other nodes."""
        while True:
            self._counts.append((time.monotonic(), self._sessions.tables.appender.tally.rows))
            if self._bus.far:
                self._bus.publish(NodeFigures(self._bus.node, self.figures()))
            await asyncio.sleep(COUNT_SECONDS)

    def _on_news(self, news: News) -> None:
        if type(news) is NodeFigures:
            self._others[news.node] = (time.monotonic(), news.figures)

    # Acts

    async def act(self, name: str, asked: bytes) -> None:
        """Do what the host asks for."""
        acts: dict[str, tuple[str, Callable[[str], Awaitable[None]]]] = {
            "close": ("table", self.close_table),
            "ban": ("guest", self.house.ban),
            "lift-ban": ("guest", self.house.lift_ban),
            "notice": ("text", self.house.tell),
        }
        if name not in acts:
            raise NotAllowed("bad-message", problem=f"there is no act {name[:40]!r}")
        about, carry_out = acts[name]
        try:
            order = msgspec.json.decode(asked, type=dict[str, str])
        except (msgspec.MsgspecError, UnicodeError) as error:
            raise NotAllowed("bad-message", problem=str(error)[:200]) from error
        if order.keys() != {about}:
            raise NotAllowed("bad-message", problem=f"it has to have {about!r}, and nothing else")
        await carry_out(order[about])

    async def close_table(self, table: str) -> None:
        """Close a table for good; whoever watches is told, at every node."""
        tables = self._sessions.tables
        row = None
        while row is None:
            async with tables.live.hold(table) as live:
                row = await tables.appender.append(
                    live, "host", "host/close", b"", Draft("close", Closed(), standing=True)
                )
                if row is not None:
                    tables.live.shut(live)

    def close(self) -> None:
        """Hear no more news."""
        self._bus.unsubscribe(self._on_news)
