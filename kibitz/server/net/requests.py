"""Who sends a request, and what is sent along with it, within bounds."""

import asyncio

from starlette.requests import ClientDisconnect, Request

from kibitz.server.net.addresses import LOOPBACK, household
from kibitz.server.tables.refusals import NotAllowed
from kibitz.server.turns import Asker

DIGITS = 3


def asker_of(request: Request, guest: str = "") -> Asker:
    """Who sends it, as far as can be known: a household, and perhaps a guest."""
    return Asker(household(request.client.host if request.client else LOOPBACK[0]), guest)


def small_number(text: str) -> int | None:
    """A number of a few digits, as somebody has put it into an address; None if it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= DIGITS else None


async def content_of(request: Request, most: int, seconds: float) -> bytes:
    """What was sent along; refused if it is too long, or takes too long to arrive."""
    content = b""
    try:
        async with asyncio.timeout(seconds):
            async for part in request.stream():
                content += part
                if len(content) > most:
                    raise NotAllowed("too-large", most=most)
    except TimeoutError:
        raise NotAllowed("too-slow") from None
    except ClientDisconnect:
        raise NotAllowed("too-slow") from None
    return content
