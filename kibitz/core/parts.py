"""What a game is made of, as types: its rules, its texts, and what else it may bring along."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from kibitz.core.description import Found
from kibitz.core.errors import Refusal
from kibitz.core.events import AnyEvent
from kibitz.core.forms import Own
from kibitz.core.journal import Journal
from kibitz.core.layout import AnyRecord, Layout, Moves, Points, Rng
from kibitz.core.reader import Reader
from kibitz.core.sentences import Sentence


class Rules(Protocol):
    """A game's rules: the memory layout and the verbs, all kernels. They trust their input."""

    LAYOUT: Layout
    STATE: np.dtype[np.record]  # of the layout, as the next one
    VIEW: np.dtype[np.record]
    NUM_MOVES: int
    MAX_MOVES: int
    MAX_NOTES: int

    def set_up(self, state: AnyRecord, journal: Journal) -> None: ...
    def legal_moves(self, state: AnyRecord, moves: Moves) -> int: ...
    def play(self, state: AnyRecord, move: int, journal: Journal) -> None: ...
    def is_over(self, state: AnyRecord) -> bool: ...
    def score(self, state: AnyRecord, points: Points) -> None: ...
    def observe(self, state: AnyRecord, observer: int, view: AnyRecord) -> None: ...
    def imagine(self, view: AnyRecord, rng: Rng, state: AnyRecord) -> None: ...


class Text(Protocol):
    """A game's texts: notation, what is special in the JSON of positions and views, reasons of refusals."""

    PHASES: tuple[str, ...]
    STEPS: tuple[str, ...]
    ENDINGS: tuple[str, ...]
    MASKS: tuple[str, ...]
    FORMS: dict[str, Own]  # of the keys that don't follow from a field's form

    def card_text(self, card: int) -> str: ...
    def move_text(self, move: int) -> str: ...
    def parse_move(self, text: str) -> int | Refusal: ...
    def why_illegal(self, state: AnyRecord, move: int) -> Refusal: ...
    def read(self, reader: Reader, record: AnyRecord, found: Found) -> None: ...
    def follow(self, log: Sequence[AnyEvent], view: AnyRecord) -> None: ...
    def sentences(self, turn: Sequence[AnyEvent]) -> list[Sentence]: ...


# From a score sheet as JSON to what everybody has, as JSON; raises a KibitzError for a sheet that can't be.
Calculator = Callable[[Any], dict[str, Any]]


# From a view, its seat (None: a spectator) and that seat's legal moves to what follows from them, as JSON.
Figures = Callable[[Any, int | None, Sequence[str]], Any]


class Wishes(Protocol):
    """What players may wish for while another is in turn: talk at a table, no move."""

    def names(self, options: Mapping[str, Any]) -> Collection[str]: ...
    def sentence(self, seat: int, rival: int, offered: Sequence[str], wanted: Sequence[str]) -> Sentence: ...
