"""Views as JSON, put together from the texts of their keys.

A game's `describe` gives the keys of a position or a view. Made as a `Description`, it also says from which
fields of the record each key is made; then the text of a key is kept by the bytes of those fields, and the
next view, or another seat's, in which they are the same has it at once. What isn't in a view's record can't
come into its text.
"""

import struct
from collections.abc import Callable, Sequence
from itertools import islice
from operator import itemgetter
from typing import Any

import msgspec
import numpy as np

from kibitz.core.layout import OVER

encode = msgspec.json.Encoder().encode

KEPT = 512  # texts of a key

Part = Callable[..., Any]  # a key's value, from the fields that its parameters name
Place = tuple[np.dtype[Any], int]  # what is there, and where it begins in the bytes of a record
Kept = dict[Any, bytes]


class Each:
    """A key whose value is a list: an entry for each row of the fields that the function names.

    The text of an entry is kept by itself. `for_seats`: the rows are the seats', of which some may be empty.
    """

    def __init__(self, entry: Part, for_seats: bool = False) -> None:
        self.entry = entry
        self.fields = fields_of(entry)
        self.for_seats = for_seats

    def __call__(self, players: int, *rows: Sequence[Any]) -> list[Any]:
        """The whole list."""
        count = players if self.for_seats else None
        return [self.entry(*row) for row in islice(zip(*rows, strict=True), count)]


class Description:
    """The keys of a game's positions and views, each made from the fields that its function names.

    `observer` is None in a position, which has no such field.
    """

    def __init__(self, **parts: Part | Each) -> None:
        self.parts = parts
        self._fields = [(key, part, fields_of(part)) for key, part in parts.items()]

    def __call__(self, fields: Any) -> dict[str, Any]:
        """All keys, from the fields of a state or a view."""
        value = vars(fields).get
        return {key: part(*map(value, names)) for key, part, names in self._fields}


def all_is_shown(phase: int, observer: int | None) -> bool:
    """Whether nothing is hidden: in a position, and when the game is over."""
    return observer is None or phase == OVER


def fields_of(part: Part | Each) -> tuple[str, ...]:
    """The fields that a function names."""
    if isinstance(part, Each):
        return ("players", *part.fields)
    code = part.__code__
    return code.co_varnames[: code.co_argcount]


class Writer:
    """Writes the views of one game."""

    def __init__(self, view: np.dtype[np.record], common: Part, description: Description) -> None:
        self._texts = [_keys(view, fields_of(common), common)]
        for key, part in description.parts.items():
            if isinstance(part, Each):
                self._texts.append(_list(view, key, part))
            else:
                self._texts.append(
                    _keys(view, fields_of(part), lambda *values, k=key, p=part: {k: p(*values)})
                )

    def write(self, data: bytes) -> bytes:
        """The keys and values of a view, with commas between them, from the bytes of its record."""
        return b",".join([text.of(data) for text in self._texts])


class _Text:
    """A piece of JSON, made from some fields or rows of them; its texts are kept by their bytes."""

    def __init__(self, places: list[Place], make: Callable[[bytes], bytes], kept: Kept) -> None:
        self._cut = itemgetter(*_joined(sorted((start, start + kind.itemsize) for kind, start in places)))
        self._make = make
        self._kept = kept

    def of(self, data: bytes) -> bytes:
        """The text, from the bytes of a record."""
        cut = self._cut(data)
        text = self._kept.get(cut)
        if text is None:
            if len(self._kept) >= KEPT:
                self._kept.clear()
            text = self._kept[cut] = self._make(data)
        return text


def _keys(view: np.dtype[np.record], fields: tuple[str, ...], describe: Part) -> _Text:
    """Some keys with their values."""
    places = [_place(view, name) for name in fields]
    value = _value(places, describe)
    return _Text(places, lambda data: encode(value(data))[1:-1], {})


def _list(view: np.dtype[np.record], key: str, each: Each) -> _Text:
    """A key whose value is a list, put together from the texts of the entries."""
    places = [_place(view, name) for name in each.fields]
    kept: Kept = {}
    entries = []
    for number in range(places[0][0].shape[0]):
        rows = [_row(place, number) for place in places]
        value = _value(rows, each.entry)
        entries.append(_Text(rows, lambda data, value=value: encode(value(data)), kept))  # type: ignore[misc]
    players = _place(view, "players")
    count = _reader(*players) if each.for_seats else lambda data: None

    def make(data: bytes) -> bytes:
        return b'"%b":[%b]' % (key.encode(), b",".join([entry.of(data) for entry in entries[: count(data)]]))

    return _Text([players, *places], make, {})


# Where things are in the bytes of a record


def _place(view: np.dtype[np.record], name: str) -> Place:
    assert view.fields is not None
    kind, start = view.fields[name][:2]
    return kind, start


def _row(place: Place, number: int) -> Place:
    kind, start = place
    row = np.dtype((kind.base, kind.shape[1:]))
    return row, start + number * row.itemsize


def _joined(cuts: list[tuple[int, int]]) -> list[slice]:
    """The cuts as slices, those that touch as one."""
    slices: list[slice] = []
    for start, stop in cuts:
        if slices and slices[-1].stop == start:
            slices[-1] = slice(slices[-1].start, stop)
        else:
            slices.append(slice(start, stop))
    return slices


def _value(places: list[Place], describe: Part) -> Callable[[bytes], Any]:
    """What a function makes of the values at some places."""
    readers = [_reader(*place) for place in places]
    return lambda data: describe(*[read(data) for read in readers])


def _reader(kind: np.dtype[Any], start: int) -> Callable[[bytes], Any]:
    """What takes a value out of a record's bytes, in Python's own numbers, tuples and lists."""
    letter: Any = kind.base.char
    if len(kind.shape) > 1:
        stop, shape = start + kind.itemsize, list(kind.shape)
        return lambda data: memoryview(data)[start:stop].cast(letter, shape).tolist()
    count = kind.shape[0] if kind.shape else 1
    unpack = struct.Struct(f"{count}{letter}").unpack_from
    if kind.shape:
        return lambda data: unpack(data, start)
    return lambda data: unpack(data, start)[0]
