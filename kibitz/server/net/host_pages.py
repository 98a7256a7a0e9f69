"""For whoever hosts: whether a node is ready; its figures and the host's desk, behind the host's secret.

The secret comes as a password or a bearer token, never in an address: addresses end in logs.
"""

import asyncio
import base64
import hmac
import math
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import kibitz
from kibitz.core.errors import KibitzError
from kibitz.core.extras import needing
from kibitz.server.limits import Limits, Rate
from kibitz.server.net.addresses import LOOPBACK, counted, household
from kibitz.server.net.answers import answer, json, not_taken, refusal
from kibitz.server.net.origins import allowed
from kibitz.server.net.requests import content_of
from kibitz.server.net.session import Sessions
from kibitz.server.nodes.host_desk import HostDesk
from kibitz.server.tables.refusals import NotAllowed
from kibitz.server.tally import BOUNDS

ANSWER_SECONDS = 0.3  # in which a store answers usually
STORE_SECONDS = 8.0  # for which it may be away: no other node could do better while a standby takes over
# Of a browser that shows no secret yet it is asked for; the host's page asks by itself.
CHALLENGE = {"WWW-Authenticate": 'Basic realm="Kibitz host"'}

Handler = Callable[[Request], Awaitable[Response]]


def host_routes(
    sessions: Sessions, desk: HostDesk, secret: str | None, public_url: str | None
) -> list[Route]:
    """The addresses; those behind the secret exist only if there is one."""
    pages = HostPages(sessions, desk, public_url)
    routes = [Route("/readyz", pages.ready)]
    sessions.tables.watching.has_desk = secret is not None
    if secret is not None:
        guarded = Guard(secret, sessions.limits).guarded
        routes += [
            Route("/metrics", guarded(pages.metrics)),
            Route("/host.json", guarded(pages.overview)),
            Route("/host/{act}", guarded(pages.act), methods=["POST"]),
        ]
    return routes


class Guard:
    """Answers only to who knows the secret; who guesses wrong has to wait."""

    def __init__(self, secret: str, limits: Limits) -> None:
        self._secret = secret.encode()
        self._wrong = Rate(limits.guesses, limits.guess_seconds)

    def guarded(self, handler: Handler) -> Handler:
        """A page behind the secret."""

        async def answered(request: Request) -> Response:
            shown = shown_secret(request)
            address = household(request.client.host if request.client else LOOPBACK[0])
            right = hmac.compare_digest(shown.encode(), self._secret)
            # Elsewhere even the right one has to wait, or guessing on would find it; here it isn't held up.
            wait = 0.0 if right and not counted(address) else self._wrong.left(address)
            if shown and wait:
                seconds = math.ceil(wait)
                return refusal(NotAllowed("slow-down", count=seconds), 429, {"Retry-After": str(seconds)})
            if right:
                return await handler(request)
            if shown:
                self._wrong.count(address)
            return refusal(NotAllowed("secret-needed"), 401, {} if shown else CHALLENGE)

        return answered


def shown_secret(request: Request) -> str:
    """The password or token that came with a request; nothing if none did."""
    kind, _, told = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return told.strip()
    try:
        return base64.b64decode(told, validate=True).decode().partition(":")[2]
    except ValueError:  # no Base64, or no text
        return ""


class HostPages:
    """What hosts and their programs look at."""

    def __init__(self, sessions: Sessions, desk: HostDesk, public_url: str | None) -> None:
        self._sessions = sessions
        self._store = sessions.store
        self._desk = desk
        self._public_url = public_url
        self._answered = float("-inf")  # when the store last did

    async def ready(self, request: Request) -> Response:
        """Whether new players should be sent to this node."""
        if self._sessions.draining:
            return json({"ready": False, "reason": "This node is about to stop."}, status=503)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await self._store.ends([])
            self._answered = time.monotonic()
        except (KibitzError, TimeoutError):
            if time.monotonic() - self._answered > STORE_SECONDS:
                return json({"ready": False, "reason": "The store doesn't answer."}, status=503)
        return json({"ready": True})

    async def metrics(self, request: Request) -> Response:
        """All figures in the form of Prometheus."""
        with needing("metrics"):
            from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
            from prometheus_client.registry import Collector

        class Figures(Collector):
            def collect(_) -> Iterator[Any]:  # noqa: N805
                yield from self._families()

        registry = CollectorRegistry()
        registry.register(Figures())
        ProcessCollector(registry=registry)  # processor time, memory, open files and how many there may be
        return answer(generate_latest(registry), "text/plain; version=0.0.4")

    def _families(self) -> Iterator[Any]:
        from prometheus_client.core import (
            CounterMetricFamily,
            GaugeMetricFamily,
            HistogramMetricFamily,
            InfoMetricFamily,
        )

        tally = self._sessions.tables.appender.tally
        yield InfoMetricFamily("kibitz_build", "What runs here", {"version": kibitz.__version__})
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
            ("thoughts", "Moves that bots have thought of here", tally.thoughts),
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
        """How the house is: its nodes, tables, bans."""
        return json(await self._desk.overview())

    async def act(self, request: Request) -> Response:
        """Close a table, ban a guest, tell everybody something; answers how the house is then."""
        headers = request.headers
        if not allowed(headers.getlist("Origin"), headers.get("Host", ""), self._public_url):
            return refusal(NotAllowed("other-origin"), 403)
        try:
            limits = self._sessions.limits
            asked = await content_of(request, limits.order_bytes, limits.body_seconds)
            await self._desk.act(request.path_params["act"], asked)
            return await self.overview(request)
        except KibitzError as error:
            return not_taken(error)
