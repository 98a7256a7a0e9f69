"""The application: the parts put together, one WebSocket, a few addresses."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
from starlette.applications import Starlette
from uvicorn.config import Config
from uvicorn.server import ServerState

import kibitz
from kibitz.server.bus import Bus, LocalBus
from kibitz.server.connections import Connection
from kibitz.server.limits import Limits
from kibitz.server.live_bots import LiveBots
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
    pages = Pages(sessions, parts.host, parts.page, parts.public_url)

    def connect(config: Config, server_state: ServerState, app_state: dict[str, Any]) -> Connection:
        return Connection(sessions, parts.public_url, server_state)

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

    app = Starlette(routes=pages.routes, lifespan=life)
    app.state.connect = connect  # what uvicorn is to make of a request for a WebSocket
    return app


async def sweep(tables: Tables) -> None:
    """Forget old tables, now and every hour."""
    while True:
        try:
            if gone := await tables.sweep():
                log.info("%d tables have expired", len(gone))
        except Exception:
            log.exception("old tables could not be swept away")
        await asyncio.sleep(SWEEP_SECONDS)
