"""The memory of a game: a field is declared once, and both records, views and options follow from that.

A game lists its `Field`s; each says its bounds, who sees it, and its key and form in JSON. `Layout` makes two
records of them: the state, and the view, which has what one observer may see. What everybody sees comes first
in both, byte for byte in the same places: copying it is one copy of memory.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.core.options import Option, Value

HIDDEN = "?"  # in JSON: a card, or anything else, that isn't shown
NOBODY = -1  # as a turn: the game is over; as an observer: a spectator
OVER = 0  # the phase of a finished game, in every game

MAX_ROUNDS = 100  # after this round a game is over: the highest total wins

# What kernels are passed. A game's record has fields that no type checker can know.
AnyRecord = Any
Cards = npt.NDArray[np.int8]
Moves = npt.NDArray[np.int16]
Points = npt.NDArray[np.int32]
Rng = npt.NDArray[np.uint32]  # a bot's generator: four words
SeenTable = npt.NDArray[np.int64]  # `Layout.seen`


class Seen(IntEnum):
    """Who sees a field of the state, and so what a view has of it."""

    BY_ALL = 0
    BY_ITS_SEAT = 1  # a row for each seat, seen by that seat; by everybody when the game is over
    AT_THE_END = 2  # by nobody until the game is over
    AS_KNOWN = 3  # a row for each seat: what it knows beyond what it is shown; its view has that row alone
    BY_RULE = 4  # the game's own `observe` says it
    BY_NOBODY = 5  # not even when the game is over
    IN_VIEWS = 6  # not in the state at all: the game's own `observe` finds it


class Form:
    """How a field is written in JSON, and read from it: one of `kibitz.core.forms`."""


@dataclass(frozen=True)
class Field:
    """One field of a record: bounds, how many there are of it, who sees it, and what it is in JSON.

    With a form it is a key of positions and views. With a key alone it is a part of that key, whose form is
    the game's own (`text.FORMS`). With an option it holds what was agreed on.
    """

    name: str
    type: type[np.generic]
    least: int
    greatest: int
    shape: int | tuple[int, ...] = ()
    seen: Seen = Seen.BY_ALL
    form: Form | None = None
    key: str | None = None  # with a form: the field's name, if nothing else is said
    option: Option | None = None

    @property
    def rows(self) -> int:
        """How many rows there are: seats, as a rule."""
        return self.shape if isinstance(self.shape, int) else self.shape[0]

    def one_row(self) -> "Field":
        """The field as a view has it that is given a single row."""
        shape = () if isinstance(self.shape, int) else self.shape[1:]
        return Field(self.name, self.type, self.least, self.greatest, shape)


def record_type(fields: Sequence[Field]) -> np.dtype[np.record]:
    """A record whose fields are read as attributes, compiled and interpreted alike."""
    aligned = np.dtype([(field.name, field.type, field.shape) for field in fields], align=True)
    return np.dtype((np.record, np.dtype(_without_gaps(aligned), align=True)))  # type: ignore[return-value]


def _without_gaps(aligned: np.dtype[Any]) -> list[tuple[Any, ...]]:
    """The same layout with its gaps as fields: NumPy's copies leave garbage in gaps, and bytes must agree."""
    whole: list[tuple[Any, ...]] = []
    end = 0
    for name, (kind, offset, *_) in (aligned.fields or {}).items():
        if offset > end:
            whole.append((f"gap_{end}", np.uint8, offset - end))
        whole.append((name, kind))
        end = offset + kind.itemsize
    if aligned.itemsize > end:
        whole.append((f"gap_{end}", np.uint8, aligned.itemsize - end))
    return whole


def blank(kind: np.dtype[np.record]) -> np.ndarray[Any, Any]:
    """An array of one empty record; `np.zeros` goes through all its fields, and takes five times as long."""
    return np.frombuffer(bytearray(kind.itemsize), kind)


def duplicate(memory: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A copy of an array of records; NumPy's own goes through all fields, and takes twenty times as long."""
    return np.frombuffer(bytearray(memory.tobytes()), memory.dtype)


def plain(record: AnyRecord) -> SimpleNamespace:
    """The record's fields as Python's own numbers and lists: many looks at it then cost little."""
    values = zip(record.dtype.names, record.item(), strict=True)
    return SimpleNamespace(
        **{name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in values}
    )


def public_fields(seats: int) -> list[Field]:
    """What everybody may see in every game; `seats` is the most players it can have."""
    return [
        Field("players", np.int8, 1, seats),
        Field("turn", np.int8, NOBODY, seats - 1),  # the seat that decides now; NOBODY when over
        Field("phase", np.int8, OVER, 127),  # OVER, or one of the game's own
        Field("ending", np.int8, 0, 127),  # why the game ended; 0 until then
        Field("round_number", np.int16, 1, MAX_ROUNDS),  # (a record has a method `round` of its own)
        Field("moves", np.int16, 0, 32767),  # made in this round
        Field("scores", np.int32, -(2**31), 2**31 - 1, seats),  # running totals
        Field("winners", np.int8, 0, 1, seats),  # 1 for each winner; all 0 until over
    ]


def generator_fields() -> list[Field]:
    """What all chance of a state comes from."""
    return [
        Field("key", np.uint32, 0, 2**32 - 1, 8, seen=Seen.BY_NOBODY),  # the deal's ChaCha key
        Field("drawn", np.uint32, 0, 2**32 - 1, seen=Seen.BY_NOBODY),  # how many words of its stream are used
    ]


class Layout:
    """The records of a game, from the fields that its rules declare and those that every game has."""

    def __init__(self, seats: int, fields: Sequence[Field]) -> None:
        declared = [*public_fields(seats), *fields]
        shown = [field for field in declared if field.seen == Seen.BY_ALL]
        hidden = [field for field in declared if field.seen != Seen.BY_ALL]
        observer = Field("observer", np.int8, NOBODY, seats - 1)
        self.fields = (*shown, *generator_fields(), *(f for f in hidden if f.seen != Seen.IN_VIEWS))
        self.view_fields = (*shown, observer, *map(_in_view, (f for f in hidden if f.seen != Seen.BY_NOBODY)))
        self.declared = tuple(fields)
        self.keys = tuple(dict.fromkeys(key for field in fields if (key := _key(field))))
        self.state = record_type(self.fields)
        self.view = record_type(self.view_fields)
        self.seen = self._seen(shown, hidden)
        self.options = tuple(field.option for field in fields if field.option)
        self._options = [(field.name, field.option) for field in fields if field.option]

    def _seen(self, shown: Sequence[Field], hidden: Sequence[Field]) -> SeenTable:
        """What is open, and each field that `see` shows: to whom, where it is, its rows and their bytes."""
        assert self.state.fields is not None
        assert self.view.fields is not None
        kind, start = self.state.fields[shown[-1].name][:2]
        lines = [(int(Seen.BY_ALL), 0, 0, 1, start + kind.itemsize)]
        for field in hidden:
            if field.seen in (Seen.BY_ITS_SEAT, Seen.AT_THE_END, Seen.AS_KNOWN):
                kind, there = self.state.fields[field.name][:2]
                here = self.view.fields[field.name][1]
                lines.append((int(field.seen), there, here, field.rows, kind.itemsize // field.rows))
        table = np.array(lines, np.int64)
        table.flags.writeable = False
        return table

    def fields_of(self, key: str) -> tuple[Field, ...]:
        """The fields that a key of positions and views is made from."""
        return tuple(field for field in self.declared if _key(field) == key)

    def write_options(self, options: Mapping[str, Value], record: AnyRecord) -> None:
        """Put the options into a state or view."""
        for name, option in self._options:
            record[name] = option.code(options[option.name])

    def read_options(self, fields: Any) -> dict[str, Value]:
        """All options of a state or view, in their order, from its fields as Python's own values."""
        return {option.name: option.value(getattr(fields, name)) for name, option in self._options}


def _in_view(field: Field) -> Field:
    return field.one_row() if field.seen == Seen.AS_KNOWN else field


def _key(field: Field) -> str | None:
    return field.key or (field.name if field.form else None)
