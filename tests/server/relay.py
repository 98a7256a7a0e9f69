"""A wire between two programs that can swallow what one of them says."""

import asyncio
import threading
import time
from contextlib import suppress


class Relay:
    """Passes on what comes to its port, and what is answered; in a thread of its own."""

    def __init__(self, to: int) -> None:
        self.port = 0
        self._to = to
        self._swallows = False
        self._sinks: set[asyncio.StreamWriter] = set()
        self._open = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()))
        self._thread.start()
        self._open.wait()

    async def _serve(self) -> None:
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._pass_on, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._open.set()
        await self._over.wait()
        server.close()
        await self._cut()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            answers, asks = await asyncio.open_connection("127.0.0.1", self._to)
            self._sinks |= {writer, asks}
            await asyncio.gather(self._pump(reader, asks), self._pump(answers, writer, is_answer=True))
        writer.close()

    async def _pump(
        self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, is_answer: bool = False
    ) -> None:
        with suppress(OSError):
            while said := await source.read(1 << 16):
                if not (is_answer and self._swallows):
                    sink.write(said)
        sink.close()
        self._sinks.discard(sink)

    def swallow(self, seconds: float) -> None:
        """Let no answer through for a while; then the wire breaks."""
        self._swallows = True
        time.sleep(seconds)
        asyncio.run_coroutine_threadsafe(self._cut(), self._loop).result()
        self._swallows = False

    async def _cut(self) -> None:
        cut = set(self._sinks)
        for sink in cut:
            sink.transport.abort()
        while cut & self._sinks:
            await asyncio.sleep(0.01)

    def close(self) -> None:
        """End it."""
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join()
