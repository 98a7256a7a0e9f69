"""Answers over plain HTTP: the headers that all have, and the content in the form that the browser takes.

A file of the page comes with its compressed forms, made when the page was built. Other texts are gzipped when
they are asked for; those that stay the same are kept so. A browser that has a text already is told so.
"""

import asyncio
import gzip
import hashlib
import math
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

import msgspec
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from kibitz.core.errors import KibitzError
from kibitz.server.limits import Rate
from kibitz.server.net.addresses import counted
from kibitz.server.tables.refusals import NotAllowed

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self'; "
        "font-src 'self'; media-src 'self'; connect-src 'self'; manifest-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
FRESH = "no-cache"  # asks each time whether it has changed
FOREVER = "public, max-age=31536000, immutable"  # for names that hold a hash of the content
SHARED = "public, no-cache"  # so too; the same for everybody until an upgrade, so its gzipped form is kept

WORTHWHILE = 1000  # bytes: less fits into one packet anyway
TEXTS = ("text/", "application/json", "application/manifest+json", "image/svg+xml")
LEVEL = 6  # of gzip, at run time: 9 is 3 % smaller and takes twice as long
KEPT = 64  # gzipped texts
STATUSES = {"too-large": 413, "too-slow": 408}

Form = Callable[[], bytes]  # a content in one coding, made or read when it is wanted


class Answer(Response):
    """Sent in the coding that the browser likes best, or not at all if the browser has it already."""

    def __init__(
        self,
        content: bytes | str,
        kind: str,
        cache: str = FRESH,
        status: int = 200,
        forms: Mapping[str, Form] | None = None,
    ) -> None:
        super().__init__(content, status, {**HEADERS, "Cache-Control": cache}, kind)
        self._forms = self._usual_forms(kind, cache) if forms is None else forms
        if self._forms:
            self.headers["Vary"] = "Accept-Encoding"
        if status == 200 and cache != FOREVER:
            self.headers["ETag"] = f'W/"{hashlib.blake2b(self.body, digest_size=16).hexdigest()}"'

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        asked = Headers(scope=scope)
        if scope["method"] in ("GET", "HEAD") and self._is_known(asked.get("If-None-Match", "")):
            self.status_code, self.body = 304, b""
            del self.headers["Content-Length"], self.headers["Content-Type"]
        elif coding := liked_best(asked.get("Accept-Encoding", ""), self._forms):
            self.body = await asyncio.to_thread(self._forms[coding])
            self.headers["Content-Encoding"] = coding
            self.headers["Content-Length"] = str(len(self.body))
        await super().__call__(scope, receive, send)

    def _is_known(self, tags: str) -> bool:
        """Whether the browser has what these tags stand for, and that is this."""
        tag = self.headers.get("ETag")
        known = [each.strip().removeprefix("W/") for each in tags.split(",")]
        return tag is not None and (tag.removeprefix("W/") in known or known == ["*"])

    def _usual_forms(self, kind: str, cache: str) -> dict[str, Form]:
        """A text that is long enough, gzipped; kept if it is one that is asked for again."""
        if not kind.startswith(TEXTS) or len(self.body) < WORTHWHILE:
            return {}
        content = bytes(self.body)
        return {"gzip": lambda: kept_gzip(content) if cache == SHARED else gzip.compress(content, LEVEL)}


@lru_cache(KEPT)
def kept_gzip(content: bytes) -> bytes:
    """A text that stays the same, as small as gzip makes it."""
    return gzip.compress(content, 9)


def liked_best(accepted: str, offered: Iterable[str]) -> str | None:
    """Which of the offered codings, the best first, an `Accept-Encoding` asks for; None: as it is.

    `*` stands for all that aren't named; a coding of quality 0 isn't accepted (RFC 9110, 12.5.3).
    """
    qualities = dict(map(_quality, filter(str.strip, accepted.lower().split(","))))
    others = qualities.get("*", 0.0)
    liked = {coding: qualities.get(coding, others) for coding in offered}
    best = max(liked, key=lambda coding: liked[coding], default=None)  # of equals, the first
    if best is None or liked[best] <= 0 or liked[best] < qualities.get("identity", 0.0):
        return None
    return best


def _quality(entry: str) -> tuple[str, float]:
    """A coding and how well it is liked; what can't be read isn't."""
    coding, _, quality = entry.partition(";")
    name, _, number = quality.strip().partition("=")
    try:
        return coding.strip(), float(number) if name.strip() == "q" else 1.0
    except ValueError:
        return coding.strip(), 0.0


def answer(content: bytes | str, kind: str, cache: str = FRESH, status: int = 200) -> Response:
    """A response with the headers that all have."""
    return Answer(content, kind, cache, status)


def json(value: Any, status: int = 200, cache: str = FRESH) -> Response:
    """A response in JSON."""
    return answer(msgspec.json.encode(value), "application/json", cache, status)


def refusal(error: KibitzError, status: int, headers: dict[str, str] | None = None) -> Response:
    """Why something isn't done: for the catalogues, and where it is wrong if that is known."""
    told = {"code": error.code, "key": getattr(error, "key", ""), "data": error.data, "reason": error.reason}
    response = json(told, status)
    response.headers.update(headers or {})
    return response


def not_taken(error: KibitzError) -> Response:
    """Why what was sent along isn't taken; where not all of it has come, the connection ends."""
    late = error.code == "too-slow"
    return refusal(error, STATUSES.get(error.code, 400), {"Connection": "close"} if late else None)


def too_often(rate: Rate, address: str) -> Response | None:
    """What is told to an address that asks too often; None if it may ask."""
    wait = rate.wait(address) if counted(address) else 0.0
    return told_to_wait(wait) if wait else None


def told_to_wait(wait: float) -> Response:
    """What is told to who asks too often."""
    seconds = math.ceil(wait)
    return refusal(NotAllowed("slow-down", count=seconds), 429, {"Retry-After": str(seconds)})
