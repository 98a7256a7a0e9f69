"""What whoever hosts the house lays down for all nodes: guests who are banned, a notice to everybody.

It is kept in the store. News only makes the other nodes look there at once; they look by themselves, too.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress

import msgspec

from kibitz.server.background import Background
from kibitz.server.nodes.bus import Bus, HouseChanged, News
from kibitz.server.stores.store import Store, StoreFailed
from kibitz.server.tables.refusals import NotAllowed
from kibitz.server.texts import clean

LOOK_SECONDS = 5.0
BAN = "ban/"
NOTICE = "notice"
NOTICE_LENGTH = 300


class Ban(msgspec.Struct, frozen=True):
    """A guest who may not come in, and since when."""

    name: str
    time: float


class House:
    """Who may not come in, and what everybody is told."""

    def __init__(self, store: Store, bus: Bus) -> None:
        self._store = store
        self._bus = bus
        self._background = Background()
        self._looking = asyncio.Lock()
        self.bans: dict[str, Ban] = {}
        self.notice = ""
        self.on_ban: Callable[[str], None] = lambda guest: None
        self.on_notice: Callable[[str], None] = lambda text: None
        bus.subscribe(self._on_news)

    # Laying down

    async def ban(self, guest: str) -> None:
        """Let a guest in no longer; who is connected is let go."""
        names = await self._store.names([guest])
        if guest not in names:
            raise NotAllowed("no-such-guest")
        await self._lay_down(BAN + guest, msgspec.json.encode(Ban(names[guest], time.time())))

    async def lift_ban(self, guest: str) -> None:
        """Let a guest in again."""
        await self.look()
        if guest not in self.bans:
            raise NotAllowed("no-such-ban")
        await self._lay_down(BAN + guest, None)

    async def tell(self, text: str) -> None:
        """Tell everybody this, now and whoever comes, until there is something else; nothing: no more."""
        told = clean(text, NOTICE_LENGTH)
        await self._lay_down(NOTICE, told.encode() or None)

    async def _lay_down(self, name: str, value: bytes | None) -> None:
        await self._store.lay_down(name, value)
        await self.look()
        self._bus.publish(HouseChanged())

    # Looking

    async def look(self) -> None:
        """Take in what is laid down now, and act on what is new; one after the other, or old news may win."""
        async with self._looking:
            self._take_in(await self._store.house())

    def _take_in(self, laid: dict[str, bytes]) -> None:
        before, was = self.bans, self.notice
        self.bans = {
            name.removeprefix(BAN): msgspec.json.decode(value, type=Ban)
            for name, value in laid.items()
            if name.startswith(BAN)
        }
        self.notice = laid.get(NOTICE, b"").decode()
        for guest in self.bans.keys() - before.keys():
            self.on_ban(guest)
        if self.notice != was:
            self.on_notice(self.notice)

    async def keep_looking(self) -> None:
        """At the start, and now and then: news may be lost."""
        while True:
            with suppress(StoreFailed):
                await self.look()
            await asyncio.sleep(LOOK_SECONDS)

    def _on_news(self, news: News) -> None:
        if type(news) is HouseChanged:
            self._background.start(self.look())

    async def close(self) -> None:
        """Look no more."""
        self._bus.unsubscribe(self._on_news)
        await self._background.close()
