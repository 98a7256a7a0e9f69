"""The application: the parts put together, one WebSocket, a few addresses."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware

import kibitz
from kibitz.server.addressed import open_bus, open_store
from kibitz.server.bus import Bus
from kibitz.server.expiry import keep_expiring
from kibitz.server.host_pages import host_routes
from kibitz.server.http import Entrance, RequestRate
from kibitz.server.limits import Limits
from kibitz.server.live_bots import LiveBots
from kibitz.server.pages import PAGE, Host, Pages, http_failure, http_refusal
from kibitz.server.programs import PROGRAMS
from kibitz.server.readiness import Readiness
from kibitz.server.session import Sessions
from kibitz.server.settings import HostSettings
from kibitz.server.store import Store
from kibitz.server.tables import Tables


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
    secret: str | None = None  # of the host


def parts_for(settings: HostSettings, data: Path, host: Host) -> Parts:
    """What a host has asked for: by default one process and SQLite."""
    store = open_store(settings.store, data)
    return Parts(
        store=store,
        bus=open_bus(settings.bus, settings.store, store.key),
        readiness=Readiness(kibitz.games()),
        bots=LiveBots(PROGRAMS.make),
        host=host,
        limits=settings.limits,
        public_url=settings.public_url,
        secret=settings.secret,
    )


def create_app(parts: Parts) -> Starlette:
    """The server as an ASGI application."""
    tables = Tables(parts.store, parts.bus, parts.readiness, parts.bots, parts.limits)
    sessions = Sessions(parts.store, parts.bus, tables, parts.readiness, parts.limits)
    pages = Pages(sessions, parts.host, parts.page, parts.public_url)

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        await parts.bus.open()
        tables.start()
        parts.readiness.start()
        keepers = [
            asyncio.create_task(keep_expiring(parts.store, tables.live)),
            asyncio.create_task(tables.clocks.keep_going()),
        ]
        yield
        for keeper in keepers:
            keeper.cancel()
        parts.readiness.stop()
        sessions.close()
        await tables.close()
        parts.bots.close()
        await parts.bus.close()
        await parts.store.close()

    app = Starlette(
        routes=[*host_routes(sessions, parts.store, parts.secret), *pages.routes],
        lifespan=life,
        middleware=[Middleware(RequestRate, limits=parts.limits)],
        exception_handlers={HTTPException: http_refusal, Exception: http_failure},
    )
    app.state.sessions = sessions
    app.state.http = Entrance(sessions, parts.public_url)  # what uvicorn is to make of a socket
    return app
