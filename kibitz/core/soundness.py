"""Bytes from outside, checked before the rules see them: kernels trust what they are given.

Three checks, each of which makes the next one safe: every field is within its declared bounds; the state can
be described as a position that reads back to the same fields, so it is one that `from_position` takes; and
what a position doesn't tell, what seats surely know, is true.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kibitz.core.errors import BadPosition, KibitzError
from kibitz.core.layout import AnyRecord

if TYPE_CHECKING:
    from kibitz.core.game import Game

Check = Callable[[AnyRecord], bool]  # whether what a field holds can be so

GENERATOR = ("key", "drawn")  # any numbers will do


def checked_memory(game: "Game", data: Any) -> np.ndarray[Any, Any]:
    """The state that the bytes hold, as an array of one record; BadPosition if they hold none."""
    kind = game.rules.STATE
    if not isinstance(data, bytes | bytearray | memoryview) or memoryview(data).nbytes != kind.itemsize:
        raise BadPosition("bytes", f"{kind.itemsize} bytes of {game.title}", data)
    memory = np.frombuffer(bytearray(data), kind)
    check_bounds(game, memory[0])
    _check_by_position(game, memory[0])
    for name, true in game.known.items():
        if not true(memory[0]):
            raise BadPosition(f"bytes.{name}", "what seats can know", memory[0][name].tolist())
    return memory


def check_bounds(game: "Game", record: AnyRecord) -> None:
    """Every field of a state is within its bounds."""
    for field in game.layout.fields:
        values = np.asarray(record[field.name])
        if (values < field.least).any() or (values > field.greatest).any():
            expected = f"numbers from {field.least} to {field.greatest}"
            raise BadPosition(f"bytes.{field.name}", expected, values.tolist())


def _check_by_position(game: "Game", record: AnyRecord) -> None:
    """The state is the one that its own position reads as, but for the generator and what seats know."""
    try:
        again = game.from_position(game.in_its_version(record), 0).fields()
    except (KibitzError, ArithmeticError, AssertionError, LookupError, TypeError, ValueError) as error:
        raise BadPosition("bytes", f"a state of {game.title} ({error})", record.tobytes()) from error
    for name in record.dtype.names:
        got, expected = record[name], again[name]
        if name not in GENERATOR and name not in game.known and got.tobytes() != expected.tobytes():
            raise BadPosition(f"bytes.{name}", f"{expected.tolist()}, by the rest of the state", got.tolist())


# What seats know


def not_in_deck(copies: npt.ArrayLike) -> Check:
    """`outside[seat]`: with 1 in front, how many of each card a seat knows not to be in the deck."""
    box = np.asarray(copies)

    def true(state: AnyRecord) -> bool:
        deck = np.bincount(state.deck[: state.deck_size], minlength=len(box))
        knows, counts = state.outside[:, 0] == 1, state.outside[:, 1:]
        told = state.outside[:, 0] <= 1
        possible = told[:, None] & (counts <= np.where(knows[:, None], (box - deck)[1:], 0))
        return bool(possible.all() and not state.outside[state.players :].any())

    return true


def in_hands(state: AnyRecord) -> bool:
    """`known[observer, seat]`: how many of each card an observer knows to be in a seat's hand."""
    there = (state.known <= state.hands).all() and not state.known[state.players :].any()
    return bool(there)


def anything(_: AnyRecord) -> bool:
    """Bounds are all there is to check."""
    return True
