"""News between the nodes that serve one store: which table has a new row. In one process, a list of calls.

A node that hears of a row it doesn't have reads it from the store; news that is lost or comes twice does no
harm but delay.
"""

from collections.abc import Callable
from typing import Protocol

News = Callable[[str, int], None]  # a table, and the number of its newest row


class Bus(Protocol):
    """Tells every node what one of them has appended."""

    def publish(self, table: str, number: int) -> None:
        """A table has a new row."""
        ...

    def subscribe(self, listener: News) -> None:
        """Tell me from now on."""
        ...

    def unsubscribe(self, listener: News) -> None:
        """Tell me no longer."""
        ...


class LocalBus:
    """The bus of a single process."""

    def __init__(self) -> None:
        self._listeners: list[News] = []

    def publish(self, table: str, number: int) -> None:
        """Tell all listeners."""
        for listener in self._listeners:
            listener(table, number)

    def subscribe(self, listener: News) -> None:
        """Add a listener."""
        self._listeners.append(listener)

    def unsubscribe(self, listener: News) -> None:
        """Remove a listener."""
        self._listeners.remove(listener)
