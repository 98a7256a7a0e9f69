"""What happened in a game, counted for statistics: it is small, and kept when the game's log is forgotten."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from kibitz.core.events import AnyEvent, RoundScored, Took, turns

# A seat; what is counted: `round.2`, `seat.0`, a key of the catalogues; how much.
Count = tuple[int, str, int]
Counting = Callable[[Sequence[AnyEvent]], Iterator[Count]]  # of one move and what it caused
Tally = dict[str, tuple[dict[str, int], ...]]  # by kind and seat, so much of each

ROUND, SEAT = "round.", "seat."
SUM = "sum"  # the step of a score that only tells what the others come to


def tally(kinds: Mapping[str, Counting], log: Sequence[AnyEvent], players: int) -> Tally:
    """All that a game counts, from what everybody was shown."""
    found: Tally = {kind: tuple({} for _ in range(players)) for kind in kinds}
    for turn in turns(log):
        for kind, counting in kinds.items():
            for seat, key, amount in counting(turn):
                counts = found[kind][seat]
                counts[key] = counts.get(key, 0) + amount
    return found


def rounds(turn: Sequence[AnyEvent]) -> Iterator[Count]:
    """What each round brought."""
    for event in turn:
        if isinstance(event, RoundScored):
            for score in event.seats:
                steps = [step.amount for step in score.steps if step.name != SUM]
                yield score.seat, f"{ROUND}{event.round}", sum(steps)


def steals(turn: Sequence[AnyEvent]) -> Iterator[Count]:
    """Cards taken from a rival."""
    for event in turn:
        if isinstance(event, Took) and event.source is not None:
            yield event.seat, f"{SEAT}{event.source}", 1
