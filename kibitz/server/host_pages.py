"""For whoever hosts: whether a node is ready, and its figures behind the host's secret.

The secret comes as a password or a bearer token, never in an address: addresses end in logs.
"""

import asyncio
import base64
import binascii
import hmac
import shutil
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import kibitz
from kibitz.core.errors import KibitzError
from kibitz.core.extras import needing
from kibitz.server.answers import answer, json
from kibitz.server.session import Sessions
from kibitz.server.store import Store
from kibitz.server.tally import BOUNDS

STORE_SECONDS = 3.0  # in which a store has to answer for a node to be ready
CHALLENGE = {"WWW-Authenticate": 'Basic realm="Kibitz host"'}

Handler = Callable[[Request], Awaitable[Response]]


def host_routes(sessions: Sessions, store: Store, secret: str | None) -> list[Route]:
    """The addresses; those behind the secret exist only if there is one."""
    pages = HostPages(sessions, store)
    routes = [Route("/readyz", pages.ready)]
    if secret is not None:
        routes += [
            Route("/metrics", guarded(pages.metrics, secret)),
            Route("/host.json", guarded(pages.overview, secret)),
        ]
    return routes


def guarded(handler: Handler, secret: str) -> Handler:
    """Answer only to who knows the secret."""

    async def answered(request: Request) -> Response:
        if not hmac.compare_digest(shown_secret(request).encode(), secret.encode()):
            response = json({"code": "secret-needed", "reason": "This is the host's: show the secret."}, 401)
            response.headers.update(CHALLENGE)
            return response
        return await handler(request)

    return answered


def shown_secret(request: Request) -> str:
    """The password or token that came with a request; nothing if none did."""
    kind, _, told = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return told.strip()
    try:
        return base64.b64decode(told, validate=True).decode().partition(":")[2]
    except (binascii.Error, UnicodeDecodeError):
        return ""


class HostPages:
    """What hosts and their programs look at."""

    def __init__(self, sessions: Sessions, store: Store) -> None:
        self._sessions = sessions
        self._store = store

    async def ready(self, request: Request) -> Response:
        """Whether new players should be sent to this node."""
        if self._sessions.draining:
            return json({"ready": False, "reason": "This node is about to stop."}, status=503)
        try:
            async with asyncio.timeout(STORE_SECONDS):
                await self._store.ends([])
        except (KibitzError, TimeoutError):
            return json({"ready": False, "reason": "The store doesn't answer."}, status=503)
        return json({"ready": True})

    async def metrics(self, request: Request) -> Response:
        """All figures in the form of Prometheus."""
        with needing("metrics"):
            from prometheus_client import CollectorRegistry, generate_latest
            from prometheus_client.registry import Collector

        class Figures(Collector):
            def collect(_) -> Iterator[Any]:  # noqa: N805
                yield from self._families()

        registry = CollectorRegistry()
        registry.register(Figures())
        return answer(generate_latest(registry), "text/plain; version=0.0.4")

    def _families(self) -> Iterator[Any]:
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

        tally = self._sessions.tables.appender.tally
        for name, told, value in (
            ("connections", "Pages and programs that are connected", len(self._sessions.connections)),
            ("tables", "Tables in memory", len(self._sessions.tables.live)),
            ("watched_tables", "Tables that somebody watches", len(self._sessions.tables.live.watched)),
            ("draining", "1 while the node is about to stop", int(self._sessions.draining)),
            ("start_time_seconds", "When the node started", tally.started),
        ):
            yield GaugeMetricFamily(f"kibitz_{name}", told, value=value)
        for name, told, value in (
            ("rows", "Rows added to logs", tally.rows),
            ("conflicts", "Rows before which another node was", tally.conflicts),
            ("refusals", "Commands that were refused", tally.refused),
            ("errors", "Complaints in the log", tally.errors.count),
        ):
            yield CounterMetricFamily(f"kibitz_{name}", told, value=value)
        counts, buckets = 0, []
        for bound, count in zip((*map(str, BOUNDS), "+Inf"), tally.within):
            counts += count
            buckets.append((bound, counts))
        yield HistogramMetricFamily(
            "kibitz_append_seconds", "Until a row was synced", buckets=buckets, sum_value=tally.seconds
        )

    async def overview(self, request: Request) -> Response:
        """The figures of this node in short."""
        sessions = self._sessions
        tally = sessions.tables.appender.tally
        folder = getattr(self._store, "folder", None)
        disk = shutil.disk_usage(folder).free if folder else None
        return json(
            {
                "version": kibitz.__version__,
                "seconds": round(time.time() - tally.started),
                "connections": len(sessions.connections),
                "tables": len(sessions.tables.live),
                "rows": tally.rows,
                "rows_a_second": round(tally.rows / max(1.0, time.time() - tally.started), 3),
                "errors": tally.errors.count,
                "free_bytes": disk,
                "draining": sessions.draining,
            }
        )
