"""What bots know about a game of which nobody has told them anything: only how it is scored."""

import math

from kibitz.bots.heuristics import Heuristics
from kibitz.core.kernel import kernel
from kibitz.core.layout import AnyRecord


@kernel
def rate(state: AnyRecord, move: int) -> float:
    """All moves look alike."""
    return 0.0


@kernel
def appraise(view: AnyRecord, state: AnyRecord, seat: int) -> float:
    """What the round has brought a seat beyond the best of the others, in terms of what it brought all."""
    mine = float(state.scores[seat] - view.scores[seat])
    best = -math.inf
    size = 1.0
    for other in range(state.players):
        gained = float(state.scores[other] - view.scores[other])
        size = max(size, abs(gained))
        if other != seat:
            best = max(best, gained)
    return 0.5 + 0.5 * (mine - best) / (2 * size)


HEURISTICS = Heuristics(
    rate=rate,
    appraise=appraise,
)
