"""The application: the parts put together, one WebSocket, a few addresses."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.routing import BaseRoute, WebSocketRoute
from starlette.types import Receive, Scope, Send

import kibitz
from kibitz.server.bus import Bus, LocalBus
from kibitz.server.connections import TRY_LATER, Connection
from kibitz.server.limits import Limits
from kibitz.server.live_bots import LiveBots
from kibitz.server.origins import allowed
from kibitz.server.pages import PAGE, Host, Pages
from kibitz.server.readiness import Readiness
from kibitz.server.session import Sessions
from kibitz.server.sqlite import SqliteStore
from kibitz.server.store import Store
from kibitz.server.tables import Tables

log = logging.getLogger("kibitz.app")

SWEEP_SECONDS = 3600.0


class Parts(msgspec.Struct, frozen=True, kw_only=True):
    """What a server is made of; a test may put in others."""

    store: Store
    bus: Bus
    readiness: Readiness
    bots: LiveBots
    host: Host
    limits: Limits = Limits()
    public_url: str | None = None
    page: Path = PAGE


def usual_parts(data: Path, host: Host, public_url: str | None = None) -> Parts:
    """One process and SQLite."""
    return Parts(
        store=SqliteStore(data),
        bus=LocalBus(),
        readiness=Readiness(kibitz.games()),
        bots=LiveBots(),
        host=host,
        public_url=public_url,
    )


def create_app(parts: Parts) -> Starlette:
    """The server as an ASGI application."""
    tables = Tables(parts.store, parts.bus, parts.readiness, parts.bots, parts.limits)
    sessions = Sessions(parts.store, tables, parts.readiness, parts.limits)
    pages = Pages(sessions, parts.host, parts.page)
    socket = WebSocketRoute("/ws", Socket(sessions, parts.public_url))
    routes: list[BaseRoute] = [socket, *pages.routes]

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        parts.readiness.start()
        broom = asyncio.create_task(sweep(tables))
        yield
        broom.cancel()
        parts.readiness.stop()
        sessions.close()
        await tables.close()
        parts.bots.close()
        await parts.store.close()

    return Starlette(routes=routes, lifespan=life)


async def sweep(tables: Tables) -> None:
    """Forget old tables, now and every hour."""
    while True:
        try:
            if gone := await tables.sweep():
                log.info("%d tables have expired", len(gone))
        except Exception:
            log.exception("old tables could not be swept away")
        await asyncio.sleep(SWEEP_SECONDS)


class Socket:
    """The WebSocket's address."""

    def __init__(self, sessions: Sessions, public_url: str | None) -> None:
        self._sessions = sessions
        self._public_url = public_url

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a connection in, or turn it away before the upgrade."""
        await receive()  # `websocket.connect`
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        if not allowed(headers.get(b"origin"), headers.get(b"host", ""), self._public_url):
            await send({"type": "websocket.close"})  # before the upgrade: 403
            return
        address = str((scope.get("client") or ("unknown", 0))[0])
        await send({"type": "websocket.accept"})
        if not self._sessions.admits(address):
            await send({"type": "websocket.close", "code": TRY_LATER})
            return
        asgi_send: Any = send
        await self._sessions.serve(Connection(asgi_send, address, self._sessions.limits), receive)
