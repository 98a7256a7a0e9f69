"""Views as JSON: what a part of the view reads hasn't changed since it was last written, or is written anew.

A game's `describe` gives the keys of a position or a view. Made as a `Description`, it also says from which
fields of the record each key is made; then the text of a key is kept by the bytes of those fields, and the next
view, or another seat's, in which they are the same has it at once.
"""

import struct
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np

encode = msgspec.json.Encoder().encode

KEPT = 512  # texts of a key

Part = Callable[..., Any]  # a key's value, from the fields that its parameters name


class Description:
    """The keys of a game's positions and views, each made from the fields that its function names.

    `observer` is None in a position, which has no such field.
    """

    def __init__(self, **parts: Part) -> None:
        self.parts = parts

    def __call__(self, fields: Any) -> dict[str, Any]:
        """All keys, from the fields of a state or a view."""
        return {
            key: part(*[getattr(fields, name, None) for name in fields_of(part)])
            for key, part in self.parts.items()
        }


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
        return b",".join(
            [part.kept.get(data[part.start : part.stop]) or part.write(data) for part in self._parts]
        )


class _Part:
    """One or some keys: the fields they are made from, and their texts by the fields' bytes."""

    def __init__(self, view: np.dtype[np.record], fields: tuple[str, ...], describe: Part) -> None:
        self.kept: dict[bytes, bytes] = {}
        self._describe = describe
        self._readers = [_reader(view, name) for name in fields]
        places = [_place(view, name) for name in fields]
        self.start = min(start for start, _ in places)
        self.stop = max(stop for _, stop in places)

    def write(self, data: bytes) -> bytes:
        """Make the text, and keep it."""
        text = encode(self._describe(*[read(data) for read in self._readers]))[1:-1]
        if len(self.kept) >= KEPT:
            self.kept.clear()
        self.kept[data[self.start : self.stop]] = text
        return text


def _place(view: np.dtype[np.record], name: str) -> tuple[int, int]:
    assert view.fields is not None
    kind, start = view.fields[name][:2]
    return start, start + kind.itemsize


def _reader(view: np.dtype[np.record], name: str) -> Callable[[bytes], Any]:
    """What takes a field's value out of a record's bytes, in Python's own numbers and lists."""
    start, stop = _place(view, name)
    kind = view[name]
    letter = kind.base.char
    if kind.shape:
        shape = list(kind.shape)
        return lambda data: memoryview(data)[start:stop].cast(letter, shape).tolist()  # type: ignore[call-overload]
    unpack = struct.Struct(f"={letter}").unpack_from
    return lambda data: unpack(data, start)[0]
