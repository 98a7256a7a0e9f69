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
from kibitz.server.bot_api.api import BotApi
from kibitz.server.limits import Limits
from kibitz.server.live_bots import LiveBots
from kibitz.server.net.addresses import Network, networks
from kibitz.server.net.host_pages import host_routes
from kibitz.server.net.http import Entrance, RequestRate
from kibitz.server.net.pages import PAGE, Host, Pages, http_failure, http_refusal
from kibitz.server.net.session import Sessions
from kibitz.server.nodes.bus import Bus
from kibitz.server.nodes.host_desk import HostDesk
from kibitz.server.programs import PROGRAMS
from kibitz.server.readiness import Readiness
from kibitz.server.settings import HostSettings
from kibitz.server.stores.store import Store
from kibitz.server.tables.expiry import keep_expiring
from kibitz.server.tables.rooms import Tables


class Parts(msgspec.Struct, frozen=True, kw_only=True):
    """What a server is made of; a test may put in others."""

    store: Store
    bus: Bus
    readiness: Readiness
    bots: LiveBots
    host: Host
    limits: Limits = Limits()
    public_url: str | None = None
    proxies: tuple[Network, ...] = ()  # believed when they say where a request comes from
    page: Path = PAGE
    secret: str | None = None  # of the host
    leaderboard: bool = True


def parts_for(settings: HostSettings, data: Path, host: Host) -> Parts:
    """What a host has asked for: by default one process and SQLite."""
    store = open_store(settings.store, data)
    readiness = Readiness(kibitz.games())
    return Parts(
        store=store,
        bus=open_bus(settings.bus, settings.store, store.key),
        readiness=readiness,
        bots=LiveBots(PROGRAMS.make, is_ready=readiness.is_ready, limits=settings.limits),
        host=host,
        limits=settings.limits,
        public_url=settings.public_url,
        proxies=networks(settings.proxies),
        secret=settings.secret,
        leaderboard=settings.leaderboard,
    )


def create_app(parts: Parts) -> Starlette:
    """The server as an ASGI application."""
    tables = Tables(parts.store, parts.bus, parts.readiness, parts.bots, parts.limits)
    sessions = Sessions(
        parts.store, parts.bus, tables, parts.readiness, parts.limits, parts.host.url, parts.leaderboard
    )
    desk = HostDesk(sessions, parts.store, parts.bus)
    pages = Pages(sessions, parts.host, parts.page, parts.public_url)

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        await parts.bus.open()
        tables.start()
        parts.readiness.start()
        keepers = [
            asyncio.create_task(keep_expiring(parts.store, tables.live)),
            asyncio.create_task(tables.clocks.keep_going()),
            asyncio.create_task(sessions.house.keep_looking()),
            asyncio.create_task(desk.keep_telling()),
        ]
        yield
        for keeper in keepers:
            keeper.cancel()
        parts.readiness.stop()
        sessions.close()
        desk.close()
        await sessions.house.close()
        await tables.close()
        parts.bots.close()
        await parts.bus.close()
        await parts.store.close()

    entrance = Entrance(sessions, parts.public_url, parts.proxies)
    app = Starlette(
        routes=[
            *host_routes(sessions, desk, parts.secret, parts.public_url),
            *BotApi(sessions).routes,
            *pages.routes,
        ],
        lifespan=life,
        middleware=[Middleware(RequestRate, entrance=entrance)],
        exception_handlers={HTTPException: http_refusal, Exception: http_failure},
    )
    app.state.sessions = sessions
    app.state.http = entrance  # what uvicorn is to make of a socket
    return app
