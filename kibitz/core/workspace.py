"""What a move is played in: the arrays of one state, passed to its verbs as one.

Python hands them to machine code as they lie there: Numba looks at each array it is passed, and counts its
users, which takes longer than a short kernel. `kibitz.core.edge` reads them by the same names, compiled and
interpreted. A list of legal moves comes back as a tuple of the game's own `Move`s, made by machine code.
"""

import ctypes
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import (
    NativeValue,
    box,
    make_attribute_wrapper,
    models,
    register_model,
    typeof_impl,
    unbox,
)
from numba.np import numpy_support
from numba.np.arrayobj import make_array, populate_array

from kibitz.core.journal import Journal
from kibitz.core.kernel import instructions
from kibitz.core.layout import Moves

if TYPE_CHECKING:
    from kibitz.core.move import Move

Past = npt.NDArray[np.int32]  # a row for each move, laid out like a journal
TOLD, MADE, BEFORE = 0, 1, 2  # its columns: how many rows were told before, the move, the record before
COLUMN_BYTES = 4


class Workspace(NamedTuple):
    """The record of a state, and where its verbs write. They trust it: `State` and `preview` make them."""

    memory: npt.NDArray[Any]  # one record
    moves: Moves  # the numbers of the legal moves, and in the last place how many there are
    journal: Journal
    past: Past
    every: "tuple[Move, ...]"  # all moves of the game, by number


def columns_of_past(record: np.dtype[np.record]) -> int:
    """How many columns a row has that keeps such a record."""
    return BEFORE + -(-record.itemsize // COLUMN_BYTES)


def listed(space: Workspace, count: int) -> "tuple[Move, ...]":
    """The legal moves, of which there are so many."""
    every = space.every
    return tuple([every[number] for number in space.moves[:count].tolist()])


# As machine code sees it

ARRAYS = ("memory", "moves", "journal", "past")
HEAD = object.__basicsize__  # of any object of Python's; behind it an array has the address of its data,
DIMENSIONS = HEAD + 2 * ctypes.sizeof(ctypes.c_void_p)  # how many dimensions, and the address of those


class WorkspaceType(types.Type):  # type: ignore[misc]
    """A workspace with records of one game."""

    def __init__(self, record: types.Type) -> None:
        self.record = record
        super().__init__(name=f"Workspace({record})")

    @property
    def arrays(self) -> tuple[types.Array, ...]:
        """The types of its arrays, in their order."""
        rows = types.Array(types.int32, 2, "C")
        return types.Array(self.record, 1, "C"), types.Array(types.int16, 1, "C"), rows, rows


class ListedType(types.Type):  # type: ignore[misc]
    """Legal moves, on their way to Python."""

    def __init__(self) -> None:
        super().__init__(name="Listed")


LISTED = ListedType()


@typeof_impl.register(Workspace)  # type: ignore[untyped-decorator]
def _typeof_workspace(space: Workspace, context: Any) -> WorkspaceType:
    return WorkspaceType(numpy_support.from_dtype(space.memory.dtype))


@register_model(WorkspaceType)
class _WorkspaceModel(models.StructModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: WorkspaceType) -> None:
        super().__init__(manager, kind, [*zip(ARRAYS, kind.arrays), ("every", types.voidptr)])


@register_model(ListedType)
class _ListedModel(models.StructModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: ListedType) -> None:
        numbers = types.CPointer(types.int16)
        members = [("every", types.voidptr), ("numbers", numbers), ("count", types.intp)]
        super().__init__(manager, kind, members)


for name in ARRAYS:
    make_attribute_wrapper(WorkspaceType, name, name)


@unbox(WorkspaceType)  # type: ignore[untyped-decorator]
def _unbox_workspace(kind: WorkspaceType, given: Any, c: Any) -> NativeValue:
    """The caller keeps the workspace, and it keeps its arrays: nothing is counted."""
    space = cgutils.create_struct_proxy(kind)(c.context, c.builder)
    for place, (name, array) in enumerate(zip(ARRAYS, kind.arrays, strict=True)):
        setattr(space, name, _lent(array, c.pyapi.tuple_getitem(given, place), c))
    space.every = c.pyapi.tuple_getitem(given, len(ARRAYS))
    return NativeValue(space._getvalue())


def _lent(kind: types.Array, given: Any, c: Any) -> Any:
    """An array of NumPy's as machine code uses it; what its type tells isn't looked at."""
    _check_layout()
    number = c.context.get_value_type(types.intp)
    lengths = c.builder.load(_member(given, DIMENSIONS, number.as_pointer(), c))
    shape = [c.builder.load(c.builder.gep(lengths, [number(axis)])) for axis in range(kind.ndim)]
    strides = [number(numpy_support.as_dtype(kind.dtype).itemsize)]
    for length in shape[:0:-1]:
        strides.insert(0, c.builder.mul(strides[0], length))
    lent = make_array(kind)(c.context, c.builder)
    data = c.builder.load(_member(given, HEAD, lent.data.type, c))
    populate_array(lent, data, shape, strides, strides[-1], None)
    return lent._getvalue()


def _member(given: Any, place: int, kind: Any, c: Any) -> Any:
    """Where an object of Python's has a member of that type."""
    start = c.builder.bitcast(given, cgutils.voidptr_t)
    return c.builder.bitcast(c.builder.gep(start, [cgutils.intp_t(place)]), kind.as_pointer())


def _check_layout() -> None:
    """NumPy promises where these are to every program that was compiled for it."""
    array = np.zeros((2, 3), np.int32)
    lengths = ctypes.c_void_p.from_address(id(array) + DIMENSIONS).value
    assert ctypes.c_void_p.from_address(id(array) + HEAD).value == array.ctypes.data
    assert lengths is not None
    assert ctypes.c_ssize_t.from_address(lengths).value == len(array)


@instructions(listed, lambda space, count: LISTED)
def _listed(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    kind, number = signature.args
    given = cgutils.create_struct_proxy(kind)(context, builder, arguments[0])
    found = cgutils.create_struct_proxy(LISTED)(context, builder)
    found.every = given.every
    found.numbers = make_array(kind.arrays[1])(context, builder, given.moves).data
    found.count = context.cast(builder, arguments[1], number, types.intp)
    return found._getvalue()


@box(ListedType)  # type: ignore[untyped-decorator]
def _box_listed(kind: ListedType, value: Any, c: Any) -> Any:
    """A tuple of those moves; the caller still has the workspace."""
    found = cgutils.create_struct_proxy(kind)(c.context, c.builder, value)
    thing, place, number = c.pyapi.pyobj, c.pyapi.py_ssize_t, ir.IntType(32)
    made = _call(c, "PyTuple_New", thing, found.count)
    every = c.builder.bitcast(found.every, thing)
    with (
        cgutils.if_likely(c.builder, cgutils.is_not_null(c.builder, made)),
        cgutils.for_range(c.builder, found.count, intp=place) as loop,
    ):
        which = c.builder.load(c.builder.gep(found.numbers, [loop.index]))
        move = _call(c, "PyTuple_GetItem", thing, every, c.builder.sext(which, place))
        c.pyapi.incref(move)
        _call(c, "PyTuple_SetItem", number, made, loop.index, move)
    return made


def _call(c: Any, name: str, answer: Any, *arguments: Any) -> Any:
    """Call a function of Python's own."""
    kind = ir.FunctionType(answer, [argument.type for argument in arguments])
    return c.builder.call(cgutils.get_or_insert_function(c.builder.module, kind, name), arguments)
