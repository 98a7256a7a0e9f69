"""What a viewer was shown, as typed events: the one stream that page, terminal, replay and bots read.

Events are made from the journal's rows. What the viewer may not know is taken out first, by allow-list:
a row's value stays only if everybody or this viewer may see it.
"""

from collections.abc import Sequence
from typing import Protocol

import msgspec
import numpy as np

from kibitz.core.journal import EVERYBODY, SEEN_BY, VALUE, Journal, Note
from kibitz.core.layout import HIDDEN, NOBODY
from kibitz.core.sentences import Seat, Sentence

UNKNOWN = -1  # a value that was taken out


class Event(msgspec.Struct, frozen=True, tag_field="event"):
    """Something that happened and that this viewer was shown."""


class Moved(Event, frozen=True, tag="move"):
    """A seat made a move."""

    seat: int
    move: str


class MoneyChanged(Event, frozen=True, tag="money"):
    """A seat paid (below zero) or received money."""

    seat: int
    amount: int


class Drew(Event, frozen=True, tag="draw"):
    """A seat drew a card."""

    seat: int
    card: str


class Revealed(Event, frozen=True, tag="reveal"):
    """A card was turned up."""

    card: str


class Took(Event, frozen=True, tag="take"):
    """A seat took an open card, or a card from another seat."""

    seat: int
    card: str
    source: int | None


class Passed(Event, frozen=True, tag="pass"):
    """A seat handed a card to another."""

    seat: int
    card: str
    to: int


class Offered(Event, frozen=True, tag="offer"):
    """A card would go from a seat to another if an offer is accepted; `open` if it lies on the table."""

    seat: int
    card: str
    to: int
    open: bool


class Lost(Event, frozen=True, tag="lose"):
    """A seat lost a card to the discard pile."""

    seat: int
    card: str


class Skipped(Event, frozen=True, tag="skip"):
    """A seat's turn came and was lost."""

    seat: int


class Reshuffled(Event, frozen=True, tag="reshuffle"):
    """The discards became a new deck."""

    cards: int


class RoundBegan(Event, frozen=True, tag="round"):
    """A round was dealt."""

    round: int
    starter: int


class PhaseBegan(Event, frozen=True, tag="phase"):
    """A part of the round with rules of its own began."""

    phase: str


class Gained(Event, frozen=True, tag="gain"):
    """In mid-round, a step of a seat's score grew."""

    seat: int
    step: str
    amount: int


class ScoreStep(msgspec.Struct, frozen=True):
    """One step of a seat's score: what it counts for, and how much."""

    name: str
    amount: int


class SeatScore(msgspec.Struct, frozen=True):
    """What a seat's score was made of, with the cards it laid open."""

    seat: int
    cards: tuple[str, ...]
    steps: tuple[ScoreStep, ...]


class RoundScored(Event, frozen=True, tag="score"):
    """A round ended and was scored."""

    round: int
    reason: str
    seats: tuple[SeatScore, ...]


class GameEnded(Event, frozen=True, tag="over"):
    """The game ended."""

    reason: str


AnyEvent = (
    Moved
    | MoneyChanged
    | Drew
    | Revealed
    | Took
    | Passed
    | Offered
    | Lost
    | Skipped
    | Reshuffled
    | RoundBegan
    | PhaseBegan
    | Gained
    | RoundScored
    | GameEnded
)


class Vocabulary(Protocol):
    """How a game words what its rules tell in numbers."""

    PHASES: tuple[str, ...]
    STEPS: tuple[str, ...]
    ENDINGS: tuple[str, ...]
    MASKS: tuple[str, ...]

    def card_text(self, card: int) -> str: ...

    def move_text(self, move: int) -> str: ...


def seen(journal: Journal, seat: int) -> Journal:
    """The rows as a seat may know them (NOBODY: a spectator): what it may not know is not in the result.

    Rows without secrets are themselves the result.
    """
    seen_by = journal[:, SEEN_BY]
    if seen_by.tolist().count(EVERYBODY) == len(journal):  # for a few rows much faster than NumPy's own way
        return journal
    own_bit = (1 << seat) if seat >= 0 else 0
    shown = journal.copy()
    shown[:, VALUE] = np.where((seen_by == EVERYBODY) | (seen_by & own_bit != 0), journal[:, VALUE], UNKNOWN)
    shown[:, SEEN_BY] = EVERYBODY
    return shown


def events(journal: Journal, words: Vocabulary) -> tuple[AnyEvent, ...]:
    """The events that rows made ready by `seen` tell of."""
    told: list[AnyEvent] = []
    scores: list[tuple[int, int, int, int]] = []
    for kind, seat, value, amount, _ in journal.tolist():
        if kind in (Note.SHOW, Note.STEP):
            scores.append((kind, seat, value, amount))
        elif kind == Note.SCORED:
            told.append(RoundScored(amount, words.ENDINGS[value], _seat_scores(scores, words)))
            scores = []
        else:
            told.append(_event(kind, seat, value, amount, words))
    return tuple(told)


def _event(kind: int, seat: int, value: int, amount: int, words: Vocabulary) -> AnyEvent:
    match kind:
        case Note.MOVE:
            return Moved(seat, words.MASKS[amount] if value == UNKNOWN else words.move_text(value))
        case Note.MONEY:
            return MoneyChanged(seat, amount)
        case Note.DRAW:
            return Drew(seat, _card(value, words))
        case Note.REVEAL:
            return Revealed(_card(value, words))
        case Note.TAKE:
            return Took(seat, _card(value, words), source=None if amount == NOBODY else amount)
        case Note.PASS:
            return Passed(seat, _card(value, words), to=amount)
        case Note.OFFER | Note.OFFER_OPEN:
            return Offered(seat, _card(value, words), to=amount, open=kind == Note.OFFER_OPEN)
        case Note.LOSE:
            return Lost(seat, _card(value, words))
        case Note.SKIP:
            return Skipped(seat)
        case Note.RESHUFFLE:
            return Reshuffled(amount)
        case Note.ROUND:
            return RoundBegan(amount, starter=seat)
        case Note.PHASE:
            return PhaseBegan(words.PHASES[value])
        case Note.OVER:
            return GameEnded(words.ENDINGS[value])
        case Note.GAIN:
            return Gained(seat, words.STEPS[value], amount)
        case _:
            raise AssertionError(f"a journal row of kind {kind} stands alone")


def _seat_scores(rows: Sequence[tuple[int, int, int, int]], words: Vocabulary) -> tuple[SeatScore, ...]:
    return tuple(
        SeatScore(
            seat,
            tuple(_card(value, words) for kind, of, value, _ in rows if (kind, of) == (Note.SHOW, seat)),
            tuple(
                ScoreStep(words.STEPS[value], amount)
                for kind, of, value, amount in rows
                if (kind, of) == (Note.STEP, seat)
            ),
        )
        for seat in sorted({of for _, of, _, _ in rows})
    )


def _card(value: int, words: Vocabulary) -> str:
    return HIDDEN if value == UNKNOWN else words.card_text(value)


# In words


def turns(log: Sequence[AnyEvent], steps: Sequence[str] = ()) -> list[list[AnyEvent]]:
    """The log in paragraphs, each a move with what it caused; what came before the first move is one, too.

    A move whose first word is in `steps` is only a step: what its seat does next belongs to the same turn.
    """
    paragraphs: list[list[AnyEvent]] = []
    last = None
    for event in log:
        if isinstance(event, Moved):
            if last is None or not _goes_on(last, event, steps):
                paragraphs.append([])
            last = event
        elif not paragraphs:
            paragraphs.append([])
        paragraphs[-1].append(event)
    return paragraphs


def _goes_on(last: Moved, move: Moved, steps: Sequence[str]) -> bool:
    return last.seat == move.seat and last.move.split(" ")[0] in steps


def common_sentences(event: AnyEvent) -> list[Sentence]:
    """The lines for what happens in every game."""
    match event:
        case RoundBegan(number, starter):
            return [Sentence("log.round", {"round": number, "seat": Seat(starter)})]
        case RoundScored(number, reason, _):
            return [Sentence("log.scored", {"round": number}), Sentence(f"ending.{reason}", {})]
        case GameEnded():
            return [Sentence("log.over", {})]
        case Reshuffled(cards):
            return [Sentence("log.reshuffle", {"count": cards})]
        case _:
            return []
