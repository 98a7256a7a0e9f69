"""What is counted in Ka-Ching! for statistics."""

from collections.abc import Iterator, Sequence

from kibitz.core.events import AnyEvent, MoneyChanged, Moved, RoundScored
from kibitz.core.tallies import ROUND, Count


def sales(turn: Sequence[AnyEvent]) -> Iterator[Count]:
    """What sales brought, by colour; a pair with the wild is of the other card's."""
    match turn:
        case [Moved(seat, move), MoneyChanged(_, amount), *_] if move.startswith("sell"):
            yield seat, f"colour.{move.split()[1][0]}", amount


def profits(turn: Sequence[AnyEvent]) -> Iterator[Count]:
    """The profit of each round."""
    for event in turn:
        if isinstance(event, RoundScored):
            for score in event.seats:
                profit = sum(step.amount for step in score.steps if step.name == "profit")
                yield score.seat, f"{ROUND}{event.round}", profit


TALLIES = {"sales": sales, "rounds": profits}
