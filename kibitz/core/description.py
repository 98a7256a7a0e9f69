"""Positions and views as JSON: written key by key from the fields of a record, and read into them.

Most keys follow from the forms of a game's fields; the others are its own (`Own`). The text of a view is put
together from the texts of its keys. A key's text is kept by the bytes of the fields that it is made from: the
next view, or another seat's, in which they are the same has it at once. What isn't in a view's record can't
come into its text.
"""

import struct
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from operator import itemgetter
from typing import Any

import msgspec
import numpy as np

from kibitz.core.forms import EachRow, OneForm, Own, Place
from kibitz.core.layout import AnyRecord, Field, Layout, Seen
from kibitz.core.reader import Reader

encode = msgspec.json.Encoder().encode

KEPT = 512  # texts of a key

Found = dict[str, Sequence[int]]  # cards that were read, by the paths of their keys
Spot = tuple[np.dtype[Any], int]  # what is there, and where it begins in the bytes of a record
Kept = dict[Any, bytes]


@dataclass(frozen=True)
class KeyPart:
    """What makes some JSON from the values of some fields: a key's value, or one entry of it for each row."""

    make: Callable[..., Any]
    fields: tuple[str, ...]  # for a list: those of which an entry gets its row
    others: tuple[str, ...] = ()  # for a list: those that every entry gets
    rows: bool = False
    for_seats: bool = False

    def value(self, fields: Mapping[str, Any]) -> Any:
        """The value, from all fields of a record."""
        given = [fields[name] for name in self.fields]
        others = [fields[name] for name in self.others]
        if not self.rows:
            return self.make(*given, *others)
        count = fields["players"] if self.for_seats else None
        return [self.make(*row, *others) for row in islice(zip(*given, strict=True), count)]


def _plain(field: Field) -> KeyPart:
    """A key that follows from the form of its field."""
    rows = field.form if isinstance(field.form, EachRow) else None
    form = rows.form if rows else field.form
    assert isinstance(form, OneForm)
    fields = (field.name, form.size) if form.size else (field.name,)
    return KeyPart(form.write, fields, rows=rows is not None, for_seats=rows is not None and rows.for_seats)


def _own(own: Own, fields: Sequence[Field]) -> KeyPart:
    """A key whose form is the game's own: its function gets the fields by their names."""
    names = tuple(field.name for field in fields)
    given = (*names, *own.others)
    make = own.make
    return KeyPart(
        lambda *values: make(**dict(zip(given, values, strict=True))),
        names,
        own.others,
        rows=own.each_seat,
        for_seats=own.each_seat,
    )


def _leaving_out(part: KeyPart, names: Collection[str]) -> KeyPart:
    """A key whose value is an object, without some of what is in it."""
    make = part.make

    def fewer(*values: Any) -> Any:
        made = make(*values)
        return made and {name: value for name, value in made.items() if name not in names}

    return replace(part, make=fewer)


class Description:
    """The keys of a game's positions and views, in their order, `without` some: `offer`, `offer.counter`."""

    def __init__(self, layout: Layout, own: Mapping[str, Own], without: Collection[str] = ()) -> None:
        self.layout = layout
        self.parts: dict[str, KeyPart] = {}
        for key in layout.keys:
            if key in without:
                continue
            fields = layout.fields_of(key)
            part = _own(own[key], fields) if key in own else _plain(fields[0])
            inner = [path.removeprefix(f"{key}.") for path in without if path.startswith(f"{key}.")]
            self.parts[key] = _leaving_out(part, inner) if inner else part

    def write(self, fields: Any) -> dict[str, Any]:
        """All keys, from the fields of a state or a view."""
        values = vars(fields)
        return {key: part.value(values) for key, part in self.parts.items()}

    def read(self, reader: Reader, record: AnyRecord) -> Found:
        """Fill a state or view with the keys that follow from forms; returns the cards of each."""
        in_view = "observer" in record.dtype.names
        found: Found = {}
        for field in self.layout.declared:
            if field.form is None:
                continue
            key = field.key or field.name
            place = Place(field, record, reader.path(key), hidden=in_view and field.seen != Seen.BY_ALL)
            if isinstance(field.form, EachRow):
                found |= field.form.read(reader.raw(key), place)
            elif isinstance(field.form, OneForm):
                found[key] = field.form.read(reader.raw(key), place)
        return found


# Texts of views


class ViewTexts:
    """Writes the views of one game as JSON, from the texts of their keys."""

    def __init__(self, view: np.dtype[np.record], common: KeyPart, parts: Mapping[str, KeyPart]) -> None:
        self._texts = [_keys(view, common, common.make)]
        for key, part in parts.items():
            if part.rows:
                self._texts.append(_list(view, key, part))
            else:
                self._texts.append(_keys(view, part, lambda *values, k=key, m=part.make: {k: m(*values)}))

    def write(self, data: bytes) -> bytes:
        """The keys and values of a view, with commas between them, from the bytes of its record."""
        return b",".join([text.of(data) for text in self._texts])


class _Text:
    """A piece of JSON, made from some fields or rows of them; its texts are kept by their bytes."""

    def __init__(self, spots: list[Spot], make: Callable[[bytes], bytes], kept: Kept) -> None:
        self._cut = itemgetter(*_joined(sorted((start, start + kind.itemsize) for kind, start in spots)))
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


def _keys(view: np.dtype[np.record], part: KeyPart, make: Callable[..., dict[str, Any]]) -> _Text:
    """Some keys with their values."""
    spots = [_spot(view, name) for name in (*part.fields, *part.others)]
    value = _value(spots, make)
    return _Text(spots, lambda data: encode(value(data))[1:-1], {})


def _list(view: np.dtype[np.record], key: str, part: KeyPart) -> _Text:
    """A key whose value is a list, put together from the texts of the entries."""
    spots = [_spot(view, name) for name in part.fields]
    others = [_spot(view, name) for name in part.others]
    kept: Kept = {}
    entries = []
    for number in range(spots[0][0].shape[0]):
        rows = [*(_row(spot, number) for spot in spots), *others]
        value = _value(rows, part.make)
        entries.append(_Text(rows, lambda data, value=value: encode(value(data)), kept))  # type: ignore[misc]
    players = _spot(view, "players")
    count = _reader(*players) if part.for_seats else lambda data: None

    def make(data: bytes) -> bytes:
        return b'"%b":[%b]' % (key.encode(), b",".join([entry.of(data) for entry in entries[: count(data)]]))

    return _Text([players, *spots, *others], make, {})


# Where things are in the bytes of a record


def _spot(view: np.dtype[np.record], name: str) -> Spot:
    assert view.fields is not None
    kind, start = view.fields[name][:2]
    return kind, start


def _row(spot: Spot, number: int) -> Spot:
    kind, start = spot
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


def _value(spots: list[Spot], make: Callable[..., Any]) -> Callable[[bytes], Any]:
    """What a function makes of the values at some spots."""
    readers = [_reader(*spot) for spot in spots]
    return lambda data: make(*[read(data) for read in readers])


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
