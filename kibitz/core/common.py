"""What games do alike with the fields that every record has."""

from kibitz.core.journal import Journal, Note, tell
from kibitz.core.kernel import kernel
from kibitz.core.layout import NOBODY, OVER, AnyRecord


@kernel
def copy_public(source: AnyRecord, target: AnyRecord) -> None:
    """Copy what everybody may see in every game, between states and views."""
    target.players = source.players
    target.turn = source.turn
    target.phase = source.phase
    target.ending = source.ending
    target.round_number = source.round_number
    target.moves = source.moves
    for seat in range(len(source.scores)):
        target.scores[seat] = source.scores[seat]
        target.winners[seat] = source.winners[seat]


@kernel
def best_total(state: AnyRecord) -> int:
    """The highest total."""
    best: int = state.scores[0]
    for seat in range(1, state.players):
        best = max(best, state.scores[seat])
    return best


@kernel
def highest_wins(state: AnyRecord, ending: int, journal: Journal) -> None:
    """End the game: the highest total wins; equal totals share the win."""
    best = best_total(state)
    for seat in range(state.players):
        state.winners[seat] = state.scores[seat] == best
    state.phase = OVER
    state.turn = NOBODY
    state.ending = ending
    tell(journal, Note.OVER.value, NOBODY, ending, 0)
