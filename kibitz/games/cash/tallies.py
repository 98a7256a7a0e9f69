"""What is counted in CASH for statistics."""

from collections.abc import Iterator, Sequence

from kibitz.core.events import AnyEvent, Moved
from kibitz.core.tallies import Count, rounds, steals


def raids(turn: Sequence[AnyEvent]) -> Iterator[Count]:
    """Cards taken from a rival's firm; what a trade brings was given."""
    match turn:
        case [Moved(_, "accept"), *_]:
            return
    yield from steals(turn)


TALLIES = {"rounds": rounds, "steals": raids}
