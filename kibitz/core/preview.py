"""What a move would surely do, by what its seat knows.

The move is played in many states that all fit the seat's view. What happens alike in every one of them, up to
the first thing that chance or a hidden card decides, is sure; nothing after that is told.
"""

from typing import TYPE_CHECKING

from kibitz.core.events import AnyEvent, events, seen
from kibitz.core.journal import KIND, Journal, Note
from kibitz.core.layout import Rng, blank
from kibitz.core.secret import bot_generator

if TYPE_CHECKING:
    from kibitz.core.move import Move
    from kibitz.core.state import Memory, Observation

WORLDS = 64

# Where chance decides, or hidden cards are laid open.
UNKNOWN_BEFORE = frozenset(
    (Note.DRAW, Note.REVEAL, Note.RESHUFFLE, Note.ROUND, Note.SHOW, Note.STEP, Note.SCORED)
)


def preview(observation: "Observation", move: "Move") -> tuple[AnyEvent, ...]:
    """The events that a legal move causes in every state that fits the view, up to the first unknown one."""
    game, observer = observation.game, int(observation.fields().observer)
    sure: Journal | None = None
    for world in observation.worlds:
        played = world.copy()
        played.play(move)
        rows = _until_unknown(seen(played.news, observer))
        sure = rows if sure is None else _alike(sure, rows)
        if len(sure) == 1:  # the move itself: nothing else is left to compare
            break
    assert sure is not None
    return events(sure, game.text)


def worlds(observation: "Observation") -> list["Memory"]:
    """States that fit an observation: the same ones for equal views, since the view's bytes are the seed."""
    rng = generator(observation)
    return [imagined(observation, rng) for _ in range(WORLDS)]


def generator(observation: "Observation", number: int = 0) -> Rng:
    """A generator of states that fit an observation: the same for equal views."""
    return bot_generator(number, observation.fields().tobytes())


def imagined(observation: "Observation", rng: Rng) -> "Memory":
    """A state that fits an observation, as an array of one record."""
    world = blank(observation.game.rules.STATE)
    observation.game.rules.imagine(observation.fields(), rng, world[0])
    return world


def _until_unknown(rows: Journal) -> Journal:
    for number, kind in enumerate(rows[:, KIND].tolist()):
        if kind in UNKNOWN_BEFORE:
            return rows[:number]
    return rows


def _alike(one: Journal, other: Journal) -> Journal:
    """The rows with which both begin."""
    for number, (mine, others) in enumerate(zip(one.tolist(), other.tolist(), strict=False)):
        if mine != others:
            return one[:number]
    return one[: len(other)]
