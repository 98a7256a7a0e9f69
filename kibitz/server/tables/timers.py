"""Something that is due at tables: a timer each."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from kibitz.server.background import Background

SOONEST = 0.05  # seconds: a timer that is set again fires no sooner


class Timers:
    """Timers by table; one that is set anew takes the place of the one before."""

    def __init__(self, background: Background, due: Callable[[str], Coroutine[Any, Any, None]]) -> None:
        self._background = background
        self._due = due
        self._set_for: dict[str, asyncio.TimerHandle] = {}

    def __contains__(self, id: str) -> bool:
        return id in self._set_for

    def set(self, id: str, seconds: float) -> None:
        """Do what is due at a table in so many seconds."""
        self.stop(id)
        timer = asyncio.get_running_loop().call_later(max(seconds, SOONEST), self._fire, id)
        self._set_for[id] = timer

    def stop(self, id: str) -> None:
        """Nothing is due there any more."""
        timer = self._set_for.pop(id, None)
        if timer is not None:
            timer.cancel()

    def fire_all(self) -> None:
        """Do now what is due at some time."""
        for id in list(self._set_for):
            self._fire(id)

    def close(self) -> None:
        """Stop all of them."""
        for id in list(self._set_for):
            self.stop(id)

    def _fire(self, id: str) -> None:
        self.stop(id)
        self._background.start(self._due(id))
