"""What the other nodes of a house know, told and heard: who is at which table, and what has been counted.

All of it is told when it changes, and again now and then, since news may be lost; what a node said is
believed for a while only, since a node may be.
"""

import asyncio
import time
from collections.abc import Callable, Mapping

from kibitz.server.limits import Rate
from kibitz.server.nodes.bus import Bus, Connected, CountedOnce, Here, News, ToldAt, WhoIsHere
from kibitz.server.protocol import Nudged, Reported
from kibitz.server.tables.live_tables import BELIEVED_SECONDS, LiveTable, LiveTables

SAY_SECONDS = 10.0  # between two times that all is said again
TABLES_TOGETHER = 50  # in one piece of news
MANY = 3  # connections of a guest from which on the others hear of them


class Neighbours:
    """Tells other nodes who is here, and believes what they tell."""

    def __init__(self, bus: Bus, tables: LiveTables) -> None:
        self._bus = bus
        self._tables = tables
        self._rates: dict[str, Rate] = {}
        self._connections: dict[str, dict[str, tuple[float, int]]] = {}  # of guests, at nodes
        self.on_presence: Callable[[LiveTable], None] = lambda live: None
        self.on_told: Callable[[ToldAt], None] = lambda news: None
        if bus.far:
            bus.subscribe(self._on_news)

    # Telling

    def share(self, rates: Mapping[str, Rate]) -> None:
        """Have these counted by all nodes together."""
        if self._bus.far:
            self._rates |= rates
            for what, rate in rates.items():
                rate.on_count = self._counter(what)

    def _counter(self, what: str) -> Callable[[str], None]:
        return lambda who: self._bus.publish(CountedOnce(self._bus.node, what, who))

    def ask(self, live: LiveTable) -> None:
        """Who is at a table that is looked at here now?"""
        if self._bus.far:
            self._bus.publish(WhoIsHere(self._bus.node, live.id, live.table.number))

    def tell(self, *tables: LiveTable) -> None:
        """Who is here, at some tables."""
        if self._bus.far:
            self._bus.publish(Here(self._bus.node, {live.id: list(live.here) for live in tables}))

    def tell_guest(self, table: str, guest: str, message: Nudged | Reported) -> None:
        """Something for a guest alone, who may be at another node."""
        if self._bus.far:
            self._bus.publish(ToldAt(table, guest, message))

    def connected(self, guest: str, count: int) -> None:
        """A guest has so many connections here."""
        if self._bus.far and count >= MANY:
            self._bus.publish(Connected(self._bus.node, guest, count))

    async def keep_telling(self) -> None:
        """Say all again now and then."""
        while True:
            await asyncio.sleep(SAY_SECONDS)
            watched = self._tables.watched
            for start in range(0, len(watched), TABLES_TOGETHER):
                self.tell(*watched[start : start + TABLES_TOGETHER])
            for guest in [guest for guest in self._connections if not self.elsewhere(guest)]:
                del self._connections[guest]

    # Hearing

    def elsewhere(self, guest: str) -> int:
        """How many connections a guest has to other nodes, as far as is known."""
        believed = time.monotonic() - BELIEVED_SECONDS
        return sum(count for told, count in self._connections.get(guest, {}).values() if told > believed)

    def _on_news(self, news: News) -> None:
        match news:
            case Here():
                for table, guests in news.tables.items():
                    self._believe(news.node, table, frozenset(guests))
            case WhoIsHere():
                live = self._tables.find(news.table)
                if live is not None and live.here:
                    self.tell(live)
            case CountedOnce():
                if rate := self._rates.get(news.what):
                    rate.count(news.who)
            case Connected():
                self._connections.setdefault(news.guest, {})[news.node] = (time.monotonic(), news.count)
            case ToldAt():
                self.on_told(news)

    def _believe(self, node: str, table: str, guests: frozenset[str]) -> None:
        live = self._tables.find(table)
        if live is None:
            return
        _, before = live.elsewhere.get(node, (0.0, frozenset[str]()))
        live.elsewhere[node] = (time.monotonic(), guests)
        for guest in before - guests:
            live.left[guest] = time.monotonic()
        if guests != before:
            self.on_presence(live)

    def close(self) -> None:
        """Nobody is here any more."""
        if self._bus.far:
            for live in self._tables.watched:
                self._bus.publish(Here(self._bus.node, {live.id: []}))
            self._bus.unsubscribe(self._on_news)
