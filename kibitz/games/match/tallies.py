"""What is counted in MATCH! for statistics."""

from collections.abc import Iterator, Sequence

from kibitz.core.events import AnyEvent, Moved
from kibitz.core.tallies import Count, rounds


def collected(turn: Sequence[AnyEvent]) -> Iterator[Count]:
    """Cards put aside, by colour."""
    for event in turn:
        if isinstance(event, Moved) and event.move.startswith("collect "):
            yield event.seat, f"colour.{event.move.split()[1][0]}", 1


TALLIES = {"rounds": rounds, "collected": collected}
