"""Views as JSON, put together from the texts of their keys.

A game's `describe` gives the keys of a position or a view. Made as a `Description`, it also says from which
fields of the record each key is made; then the text of a key is kept by the bytes of those fields, and the
next view, or another seat's, in which they are the same has it at once. What isn't in a view's record can't
come into its text.
"""

import struct
from collections.abc import Callable
from operator import itemgetter
from typing import Any

import msgspec
import numpy as np

from kibitz.core.layout import OVER

encode = msgspec.json.Encoder().encode

KEPT = 512  # texts of a key

Part = Callable[..., Any]  # a key's value, from the fields that its parameters name


class Description:
    """The keys of a game's positions and views, each made from the fields that its function names.

    `observer` is None in a position, which has no such field.
    """

    def __init__(self, **parts: Part) -> None:
        self.parts = parts
        self._fields = [(key, part, fields_of(part)) for key, part in parts.items()]

    def __call__(self, fields: Any) -> dict[str, Any]:
        """All keys, from the fields of a state or a view."""
        value = vars(fields).get
        return {key: part(*map(value, names)) for key, part, names in self._fields}


def all_is_shown(phase: int, observer: int | None) -> bool:
    """Whether nothing is hidden: in a position, and when the game is over."""
    return observer is None or phase == OVER


def fields_of(part: Part) -> tuple[str, ...]:
    """The fields that a function names."""
    code = part.__code__
    return code.co_varnames[: code.co_argcount]


class Writer:
    """Writes the views of one game."""

    def __init__(self, view: np.dtype[np.record], common: Part, description: Description) -> None:
        self._parts = [_Part(view, fields_of(common), common)]
        for key, part in description.parts.items():
            self._parts.append(_Part(view, fields_of(part), lambda *values, k=key, p=part: {k: p(*values)}))

    def write(self, data: bytes) -> bytes:
        """The keys and values of a view, with commas between them, from the bytes of its record."""
        return b",".join([part.kept.get(part.cut(data)) or part.write(data) for part in self._parts])


class _Part:
    """One or some keys: the fields they are made from, and their texts by the fields' bytes."""

    def __init__(self, view: np.dtype[np.record], fields: tuple[str, ...], describe: Part) -> None:
        self.kept: dict[Any, bytes] = {}
        self._describe = describe
        self._readers = [_reader(view, name) for name in fields]
        self.cut = itemgetter(*_joined(sorted(_place(view, name) for name in fields)))

    def write(self, data: bytes) -> bytes:
        """Make the text, and keep it."""
        text = encode(self._describe(*[read(data) for read in self._readers]))[1:-1]
        if len(self.kept) >= KEPT:
            self.kept.clear()
        self.kept[self.cut(data)] = text
        return text


def _joined(places: list[tuple[int, int]]) -> list[slice]:
    """The places as slices, those that touch as one."""
    slices: list[slice] = []
    for start, stop in places:
        if slices and slices[-1].stop == start:
            slices[-1] = slice(slices[-1].start, stop)
        else:
            slices.append(slice(start, stop))
    return slices


def _place(view: np.dtype[np.record], name: str) -> tuple[int, int]:
    assert view.fields is not None
    kind, start = view.fields[name][:2]
    return start, start + kind.itemsize


def _reader(view: np.dtype[np.record], name: str) -> Callable[[bytes], Any]:
    """What takes a field's value out of a record's bytes, in Python's own numbers and lists."""
    start, stop = _place(view, name)
    kind = view[name]
    letter: Any = kind.base.char
    if kind.shape:
        shape = list(kind.shape)
        return lambda data: memoryview(data)[start:stop].cast(letter, shape).tolist()
    unpack = struct.Struct(f"={letter}").unpack_from
    return lambda data: unpack(data, start)[0]
