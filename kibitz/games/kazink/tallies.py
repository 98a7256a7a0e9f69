"""What is counted in Kazink! for statistics."""

from collections.abc import Iterator, Sequence

from kibitz.core.events import AnyEvent, Gained, Moved
from kibitz.core.tallies import Count
from kibitz.games.kazink.rules import SUITS


def gains(turn: Sequence[AnyEvent]) -> Iterator[Count]:
    """Crowns and rows, as they were made."""
    for event in turn:
        if isinstance(event, Gained):
            yield event.seat, f"step.{event.step}", 1


def suits(turn: Sequence[AnyEvent]) -> Iterator[Count]:
    """Suit cards played onto the board."""
    for event in turn:
        if isinstance(event, Moved) and (card := event.move.split()[0]) in tuple(SUITS):
            yield event.seat, f"suit.{card}", 1


TALLIES = {"gains": gains, "suits": suits}
