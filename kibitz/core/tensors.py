"""What a seat sees as an array of numbers, from the declarations of a game's fields: for learning programs.

A tensor has the fields of the view, in their order: what everybody sees, and of what only its own seat sees
that seat's row. What is hidden until the end isn't in it, nor what a seat only remembers. A field whose bits
are a set (its bounds are 0 and 2^k - 1, of 16 bits or more), or which is too long for 32 bits, is given bit
by bit, the lowest first. `docs/tensors.md` lists every field of every game.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.core.errors import KibitzError
from kibitz.core.forms import EachRow, Number
from kibitz.core.kernel import kernel
from kibitz.core.layout import NOBODY, Field, Layout, Seen

Octets = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.int32]
Spans = npt.NDArray[np.int64]  # `TensorLayout.spans`

SHOWN = (Seen.BY_ALL, Seen.BY_ITS_SEAT, Seen.BY_RULE)
LEAST_SET = 16  # bits

OFFSET, OWN, WIDTH, BITS, COUNT, START = range(6)  # columns of the spans


@dataclass(frozen=True)
class TensorPart:
    """One field's place in a tensor."""

    name: str
    seen: Seen
    start: int
    shape: tuple[int, ...]
    least: int
    greatest: int
    bits: int  # that one number of the field has here; 0: it is given as it is

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def place(self) -> slice:
        """Where they are."""
        return slice(self.start, self.start + self.size)


class TensorLayout:
    """Where each field of a game's view is in its tensor, and between which bounds."""

    def __init__(self, layout: Layout) -> None:
        assert layout.view.fields is not None
        self.parts: tuple[TensorPart, ...] = tuple(_parts(layout))
        self.size = sum(part.size for part in self.parts)
        self.low = np.concatenate([np.full(part.size, part.least, np.int32) for part in self.parts])
        self.high = np.concatenate([np.full(part.size, part.greatest, np.int32) for part in self.parts])
        self.spans = np.array(_joined([_span(part, layout) for part in self.parts]), np.int64)
        for table in (self.low, self.high, self.spans):
            table.flags.writeable = False

    def of(self, view: npt.NDArray[Any]) -> Numbers:
        """The tensor of a seat's view, an array of one record."""
        observer = int(view["observer"].item())
        if observer == NOBODY:
            raise KibitzError("no-such-seat", "Only a seat's view has a tensor; a spectator has none.")
        numbers = np.empty(self.size, np.int32)
        write_tensor(view.view(np.uint8), observer, self.spans, numbers)
        return numbers

    def part(self, name: str) -> TensorPart:
        """The place of a field."""
        return next(part for part in self.parts if part.name == name)


def _parts(layout: Layout) -> Iterator[TensorPart]:
    start = 0
    for field in layout.view_fields:
        if field.seen not in SHOWN or _remembered(field, layout):
            continue
        shape = field.shape if isinstance(field.shape, tuple) else (field.shape,)
        if field.seen == Seen.BY_ITS_SEAT:
            shape = shape[1:]
        bits = _bits(field)
        least, greatest = (0, 1) if bits else (min(field.least, _hidden(field)), field.greatest)
        shape = (*shape, bits) if bits else shape
        part = TensorPart(field.name, field.seen, start, shape, least, greatest, bits)
        yield part
        start += part.size


def _remembered(field: Field, layout: Layout) -> bool:
    """Whether a view has it as one row of what each seat knows: there it looks like a field for all."""
    return any(known.name == field.name and known.seen == Seen.AS_KNOWN for known in layout.declared)


def _bits(field: Field) -> int:
    length = field.greatest.bit_length()
    is_set = field.least == 0 and field.greatest == 2**length - 1 and length >= LEAST_SET
    return length if is_set or length > 31 else 0


def _hidden(field: Field) -> int:
    """The number that stands for what isn't shown."""
    form = field.form.form if isinstance(field.form, EachRow) else field.form
    return form.hidden if isinstance(form, Number) and form.hidden is not None else field.least


def _span(part: TensorPart, layout: Layout) -> tuple[int, ...]:
    assert layout.view.fields is not None
    kind, offset = layout.view.fields[part.name][:2]
    rows = next(field.rows for field in layout.view_fields if field.name == part.name) if part.seen else 1
    own = kind.itemsize // rows if part.seen == Seen.BY_ITS_SEAT else 0
    return offset, own, kind.base.itemsize, part.bits, part.size // max(part.bits, 1), part.start


def _joined(spans: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Numbers of one kind that lie side by side are copied in one go."""
    joined: list[tuple[int, ...]] = []
    for span in spans:
        last = joined[-1] if joined else None
        alike = last and not last[OWN] and not span[OWN] and last[WIDTH : BITS + 1] == span[WIDTH : BITS + 1]
        if last and alike and last[OFFSET] + last[COUNT] * last[WIDTH] == span[OFFSET]:
            joined[-1] = (*last[:COUNT], last[COUNT] + span[COUNT], last[START])
        else:
            joined.append(span)
    return joined


def returns(players: int, winners: Sequence[int]) -> tuple[float, ...]:
    """What a finished game is worth to each seat, from -1 to 1, all together nothing.

    The winners share a point: of two players one gains what the other loses, a shared win is worth nothing;
    of more, one winner gains 1 and the others lose it in equal parts.
    """
    if not winners:
        return (0.0,) * players
    return tuple((players * (seat in winners) / len(winners) - 1) / (players - 1) for seat in range(players))


@kernel
def write_tensor(source: Octets, observer: int, spans: Spans, numbers: Numbers) -> None:
    """Fill the tensor of a view, given as its bytes."""
    for line in range(len(spans)):
        first = spans[line, OFFSET] + observer * spans[line, OWN]
        count, start = spans[line, COUNT], spans[line, START]
        if spans[line, BITS] > 0:
            write_bits(source, first, spans[line, WIDTH], spans[line, BITS], count, numbers, start)
        elif spans[line, WIDTH] == 1:
            for i in range(count):
                number = np.int32(source[first + i])
                numbers[start + i] = number - ((number & 0x80) << 1)
        else:
            write_wide(source, first, spans[line, WIDTH], count, numbers, start)


@kernel
def write_wide(source: Octets, first: int, width: int, count: int, numbers: Numbers, start: int) -> None:
    """Numbers of two or four bytes, the lowest byte first."""
    sign = np.int64(1) << (8 * width - 1)
    for i in range(count):
        number = np.int64(0)
        for byte in range(width):
            number |= np.int64(source[first + i * width + byte]) << (8 * byte)
        numbers[start + i] = number - ((number & sign) << 1)


@kernel
def write_bits(
    source: Octets, first: int, width: int, bits: int, count: int, numbers: Numbers, start: int
) -> None:
    """Each number as its bits."""
    for i in range(count):
        for bit in range(bits):
            byte = np.int64(source[first + i * width + (bit >> 3)])
            numbers[start + i * bits + bit] = (byte >> (bit & 7)) & 1
