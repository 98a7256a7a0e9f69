"""The memory of a game: one record of fixed size whose first fields are the same in every game."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

NOBODY = -1  # as a turn: the game is over; as an observer: a spectator
OVER = 0  # the phase of a finished game, in every game

MAX_ROUNDS = 100  # after this round a game is over: the highest total wins

# What kernels are passed. A game's record has fields that no type checker can know.
AnyRecord = Any
Cards = npt.NDArray[np.int8]
Moves = npt.NDArray[np.int16]
Points = npt.NDArray[np.int32]
Rng = npt.NDArray[np.uint32]  # a bot's generator: four words


class Field(NamedTuple):
    """One field of a record: its least and greatest value, and how many there are of it."""

    name: str
    type: type[np.generic]
    least: int
    greatest: int
    shape: int | tuple[int, ...] = ()


def record_type(fields: Sequence[Field]) -> np.dtype[np.record]:
    """A record whose fields are read as attributes, compiled and interpreted alike."""
    aligned = np.dtype([(field.name, field.type, field.shape) for field in fields], align=True)
    return np.dtype((np.record, np.dtype(_without_gaps(aligned), align=True)))  # type: ignore[return-value]


def blank(kind: np.dtype[np.record]) -> np.ndarray[Any, Any]:
    """An array of one empty record; `np.zeros` goes through all its fields, and takes five times as long."""
    return np.frombuffer(bytearray(kind.itemsize), kind)


def plain(record: AnyRecord) -> SimpleNamespace:
    """The record's fields as Python's own numbers and lists: many looks at it then cost little."""
    values = zip(record.dtype.names, record.item(), strict=True)
    return SimpleNamespace(
        **{name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in values}
    )


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


def common_fields(seats: int) -> list[Field]:
    """What every state has: the generator, which nobody may see, and what everybody may."""
    return [
        Field("key", np.uint32, 0, 2**32 - 1, 8),  # the deal's ChaCha key
        Field("drawn", np.uint32, 0, 2**32 - 1),  # how many words of its stream are used
        *public_fields(seats),
    ]
