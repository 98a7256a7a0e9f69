"""What is sent along with a request, within bounds."""

import asyncio

from starlette.requests import ClientDisconnect, Request

from kibitz.server.refusals import NotAllowed


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
