"""What a view costs, and what imagining the rest of it costs, inside the kernels."""

import random
from typing import TYPE_CHECKING, Any

import numpy as np

import kibitz
from bench.measure import Contender, Measurement, Progress, side_by_side
from kibitz.core.kernel import specialise
from kibitz.core.layout import AnyRecord, Rng
from kibitz.core.secret import bot_generator

if TYPE_CHECKING:
    from kibitz.bots.verbs import imagine

    def observe(state: AnyRecord, observer: int, view: AnyRecord) -> None:
        """Build a seat's view."""


METHOD = (
    "From a position in the middle of a random game, for the seat in turn. `observe` builds the seat's view "
    "from the state; `imagine` fills a whole state that fits the view, dealing anew what the seat can't see."
)
MIDDLE = 12  # moves


def observations(state: AnyRecord, seat: int, view: AnyRecord, times: int) -> int:
    """Build the same view many times."""
    for _ in range(times):
        observe(state, seat, view)
    return times


def imaginations(view: AnyRecord, rng: Rng, state: AnyRecord, times: int) -> int:
    """Imagine many states behind one view."""
    for _ in range(times):
        imagine(view, rng, state)
    return times


def measure(rounds: int, progress: Progress) -> Measurement:
    """Views and imagined states a second."""
    contenders = [contender for name in kibitz.games() for contender in of_a_game(name)]
    rows = side_by_side(contenders, rounds, progress)
    return Measurement("views", "Views and imagined states on one core", "calls/s", rows, METHOD)


def of_a_game(name: str) -> tuple[Contender, Contender]:
    """A game's two contenders."""
    game = kibitz.game(name)
    rules = game.rules
    loops = specialise((observations, imaginations), name, observe=rules.observe, imagine=rules.imagine)
    state = middle_of_a_game(name)
    seat = state.turn
    memory, view = state.fields(), state.observation(seat).fields()
    seen, imagined = np.zeros(1, game.rules.VIEW)[0], np.zeros(1, game.rules.STATE)[0]
    rng = bot_generator(1, name)

    return (
        Contender(
            f"{game.title}: observe", lambda times: loops.observations(memory, seat, seen, times), True
        ),
        Contender(
            f"{game.title}: imagine", lambda times: loops.imaginations(view, rng, imagined, times), True
        ),
    )


def middle_of_a_game(name: str) -> Any:
    """A state after some random moves."""
    chooser = random.Random(1)
    state = kibitz.game(name).deal(seed=1)
    for _ in range(MIDDLE):
        state.play(chooser.choice(state.legal_moves))
    return state
