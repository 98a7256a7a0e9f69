"""Compiled rules: one decorator, one disk cache, and templates that are compiled anew for each game.

Rules are plain Python functions over one `np.record`. `@kernel` compiles them with Numba; with
`NUMBA_DISABLE_JIT=1` they stay plain Python, for tests and debugging.

Numba's own disk cache doesn't notice edits in *other* files, and depends on paths and file times. Here
a kernel's cache folder is named by a hash of every source it can depend on: its module and all modules
of this project that it imports, directly or not.

Compiling takes minutes. Who can't wait plays on meanwhile with the same functions as plain Python.
"""

import ast
import hashlib
import importlib.util
import os
import platform
import stat
import tempfile
import threading
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any, TypeVar

import llvmlite.binding
import numba
import numpy as np
import platformdirs
from numba import types
from numba.core import caching, cgutils
from numba.core.registry import CPUDispatcher
from numba.extending import lower_builtin, type_callable
from numba.np.arrayobj import make_array

from kibitz.core import callee

Lent = TypeVar("Lent")
Function = TypeVar("Function", bound=Callable[..., Any])

JIT = not numba.config.DISABLE_JIT


def kernel(function: Function) -> Function:
    """Compile a rule: it runs without the GIL, and its machine code is kept on disk."""
    return _compile(function, (function.__module__,))


def inlined(function: Function) -> Function:
    """Compile a rule into every kernel that calls it: for what nearly every move goes through.

    A call that passes an array costs as much as all the rest of a short kernel. What is rare is called all
    the same: it would only be compiled once more for each of its callers.
    """
    return _compile(function, (function.__module__,), inline=True)


def specialise(
    templates: Iterable[Callable[..., Any]],
    game: str,
    parts: Collection[Callable[..., Any]] = (),
    nogil: bool = True,
    **verbs: Any,
) -> SimpleNamespace:
    """Compile functions that are written once for any game with one game's verbs as their globals.

    Each template may call the verbs and the templates before it; a verb with a template's name takes its
    place. A closure would do the same, but misses the disk cache at every start. With a verb that isn't
    compiled, all stay plain Python.

    Templates that are among the `parts` are compiled only into those that call them: each kernel is optimised
    with all that it calls, the rules' whole `play` too, so that a few big ones take half as long as many.

    Without `nogil` they keep the interpreter's lock, which takes less time than to give it away for a moment.
    """
    names: dict[str, Any] = dict(verbs)
    modules = {verb.__module__ for verb in verbs.values() if callable(verb)}
    plain = any(isinstance(verb, FunctionType) for verb in verbs.values())
    for template in templates:
        if template.__name__ in verbs:
            continue
        assert isinstance(template, FunctionType)
        name = f"{template.__name__}_{game}"
        twin = FunctionType(template.__code__, {**template.__globals__, **names}, name)
        twin.__qualname__ = name
        twin.__module__ = template.__module__
        origins = (template.__module__, *sorted(modules))
        names[template.__name__] = (
            twin if plain else _compile(twin, origins, part=template in parts, nogil=nogil)
        )
    return SimpleNamespace(**{template.__name__: names[template.__name__] for template in templates})


def _compile(
    function: Function,
    modules: tuple[str, ...],
    inline: bool = False,
    part: bool = False,
    nogil: bool = True,
) -> Function:
    if not JIT:
        return function
    function.kernel_digest = digest(modules)  # type: ignore[attr-defined]
    into_callers = "always" if part else "never"
    options = {"nopython": True, "nogil": nogil, "forceinline": inline, "inline": into_callers}
    dispatcher = _Kernel(function, {}, options)
    if not _passing.get() and cache_home() is not None:
        dispatcher._cache = _KernelCache(function)
        dispatcher.callee._cache = _CalleeCache(function)
    compiled: Function = dispatcher
    return compiled


def machine_code(kernel: Callable[..., Any]) -> Callable[..., Any] | None:
    """A kernel as Python calls it soonest: Numba no longer looks which types the arguments have.

    That takes longer than a short kernel. They must have the types of the calls before. None: it isn't
    compiled, or for several types.
    """
    compiled = list(getattr(kernel, "overloads", {}).values())
    return compiled[0].entry_point if len(compiled) == 1 else None


_passing: ContextVar[bool] = ContextVar("passing", default=False)


@contextmanager
def passing() -> Iterator[None]:
    """What is compiled in here isn't kept on disk: kernels whose numbers their sources don't tell."""
    token = _passing.set(True)
    try:
        yield
    finally:
        _passing.reset(token)


# Playing on while others compile


class _Kernel(CPUDispatcher):  # type: ignore[misc]
    """A kernel as Python calls it; kernels call its `callee`."""

    loaded = False  # whether it was called within `loading`

    def __init__(self, function: Any, locals: Any, targetoptions: dict[str, Any]) -> None:
        super().__init__(function, locals, targetoptions)
        self.callee = callee.Callee(function, targetoptions)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """For calls by kernels."""
        return self.callee.get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        """The same."""
        return self.callee.get_overload(sig)

    @property
    def is_compiling(self) -> bool:
        """Whether a call of it, by itself, has to wait for its type."""
        return bool(super().is_compiling or self.callee.is_compiling)


class _Meanwhile:
    """How many want kernels to be interpreted, and which of them a thread has loaded for all."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.interpreters = 0
        self.thread = threading.local()

    @property
    def called(self) -> list[_Kernel] | None:
        """The kernels that this thread is loading; None: it isn't."""
        return getattr(self.thread, "called", None)


_meanwhile = _Meanwhile()


def interpret() -> None:
    """From now on kernels that aren't loaded run as plain Python, instead of being compiled when called.

    All that they compute is the same, a hundred times slower. Calls cost more until `stop_interpreting`;
    then it is as if this had never been.
    """
    with _meanwhile.lock:
        _meanwhile.interpreters += 1
        _Kernel.__call__ = _call_what_is_there


def stop_interpreting() -> None:
    """The end of one `interpret`; after the last, kernels are compiled again when they are called."""
    with _meanwhile.lock:
        _meanwhile.interpreters -= 1
        if not _meanwhile.interpreters:
            del _Kernel.__call__  # so that the one of Numba's, in C, is called at once


@contextmanager
def loading() -> Iterator[None]:
    """What this thread calls in here is loaded or compiled, and at the end there for everybody.

    Not before: an interpreted rule passes other types than a compiled one, and a kernel that is loaded would
    be compiled for those.
    """
    called = _meanwhile.thread.called = []
    try:
        yield
    finally:
        del _meanwhile.thread.called
    for kernel in called:
        kernel.loaded = True


def _call_what_is_there(self: _Kernel, *arguments: Any) -> Any:
    called = _meanwhile.called
    if called is not None:
        called.append(self)
    if called is not None or self.loaded:
        return CPUDispatcher.__call__(self, *arguments)
    return self.py_func(*arguments)


# What compiled code does by itself


def instructions(function: Callable[..., Any], answer: Callable[..., Any]) -> Callable[[Function], Function]:
    """Compiled code does by instructions of its own what a function does; `answer` tells the type it returns.

    With Numba's `overload` a function would be compiled for each kind of arguments.
    """

    def register(generate: Function) -> Function:
        type_callable(function)(lambda context: answer)
        lower_builtin(function, types.VarArg(types.Any))(generate)
        return generate

    return register


def borrowed(arrays: Lent) -> Lent:
    """The same array, or tuple of arrays, for whoever won't keep it: the caller does, as long as it is used.

    Compiled code counts the users of an array at every call it is passed to, and a count costs as much as
    all the rest of a short kernel. A borrowed array isn't counted.
    """
    return arrays


@instructions(borrowed, lambda arrays: arrays)
def _uncounted(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return _without_counter(context, builder, signature.return_type, arguments[0])


def _without_counter(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    if isinstance(kind, types.BaseTuple):
        parts = zip(kind, cgutils.unpack_tuple(builder, value))
        return context.make_tuple(
            builder, kind, [_without_counter(context, builder, *part) for part in parts]
        )
    if isinstance(kind, types.Array):
        array = make_array(kind)(context, builder, value)
        array.meminfo = cgutils.get_null_value(array.meminfo.type)
        return array._getvalue()
    return value


def lowest_bit(word: int) -> int:
    """The place of the lowest bit that is set: of a set of places, the first."""
    return (int(word) & -int(word)).bit_length() - 1


@instructions(lowest_bit, lambda word: types.int64)
def _zeros_below(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    word = context.cast(builder, arguments[0], signature.args[0], types.int64)
    return builder.cttz(word, context.get_constant(types.boolean, True))


# Where machine code is kept


def cache_home() -> Path | None:
    """Where machine code is kept: `KIBITZ_CACHE`, else the user's cache folder, else a temporary one.

    Machine code that is loaded is run, so it is a folder that nobody else can write to or could have made.
    None: there is no such folder, and kernels are compiled anew at every start.
    """
    if chosen := os.environ.get("KIBITZ_CACHE"):
        folders = [Path(chosen)]
    else:
        temporary = Path(tempfile.gettempdir()) / f"kibitz-{os.getuid()}"
        folders = [platformdirs.user_cache_path("kibitz"), temporary]
    for folder in folders:
        if _is_private(folder / "kernels"):
            return folder / "kernels"
    _complain(str(folders[0]))
    return None


@cache
def _is_private(home: Path) -> bool:
    """Make a folder, unless it is there, of which only this user has the say, as of the one it lies in."""
    try:
        home.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        home.mkdir(mode=0o700, exist_ok=True)
        if not all(_is_own(folder.lstat()) for folder in (home.parent, home)):
            return False
        home.chmod(0o700)
        return os.access(home, os.W_OK | os.X_OK)
    except OSError:
        return False


def _is_own(folder: os.stat_result) -> bool:
    written_by_others = folder.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return stat.S_ISDIR(folder.st_mode) and folder.st_uid == os.getuid() and not written_by_others


@cache
def _complain(folder: str) -> None:
    warnings.warn(
        f"Kibitz compiles its kernels anew at every start: {folder} can't be written, or not by you alone. "
        "Set KIBITZ_CACHE to a folder of your own.",
        RuntimeWarning,
        stacklevel=2,
    )


@cache
def digest(modules: tuple[str, ...]) -> str:
    """A hash of all that the machine code of kernels in `modules` depends on."""
    told = hashlib.sha256()
    for part in (numba.__version__, np.__version__, platform.python_version(), _cpu()):
        told.update(f"{part}\n".encode())
    for name in sorted(set().union(*map(sources, modules))):
        file = _file_of(name)
        told.update(f"{name}\n".encode() + file.read_bytes())
        if (numbers := file.with_suffix(".npz")).exists():  # what the module has learned
            told.update(numbers.read_bytes())
    return told.hexdigest()[:20]


@cache
def sources(module: str) -> frozenset[str]:
    """The module and what it imports, directly or not, of Kibitz and of its own project.

    A package that modules are imported from is one of them, but what it imports itself is not.
    """
    found: set[str] = set()
    packages: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            modules, around = _imports(name, frozenset({"kibitz", module.partition(".")[0]}))
            waiting.extend(modules)
            packages.update(around)
    return frozenset(found | packages)


@cache
def _imports(module: str, roots: frozenset[str]) -> tuple[list[str], list[str]]:
    """The modules that a module takes something from, and the packages that it takes modules from."""
    names: list[str] = []
    packages: list[str] = []
    for node in ast.walk(ast.parse(_file_of(module).read_bytes())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            there = _ours(inner, roots)
            names += there
            (packages if len(there) == len(inner) else names).append(node.module)
    return _ours(names, roots), _ours(packages, roots)


def _ours(names: Iterable[str], roots: Collection[str]) -> list[str]:
    return [name for name in names if name.partition(".")[0] in roots and _is_module(name)]


@cache
def _is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # its parent is a module, not a package
        return False


def _file_of(module: str) -> Path:
    spec = importlib.util.find_spec(module)
    assert spec is not None, module
    assert spec.origin is not None, module
    return Path(spec.origin)


@cache
def _cpu() -> str:
    return f"{llvmlite.binding.get_host_cpu_name()} {llvmlite.binding.get_host_cpu_features().flatten()}"


class _Locator(caching._CacheLocator):  # type: ignore[misc]
    """Puts a kernel's files into the folder named by its digest, wherever its source lies."""

    def __init__(self, function: Any, file: str) -> None:
        self._py_file = file  # Numba's own warnings ask for it
        self._line = function.__code__.co_firstlineno
        self._digest: str = function.kernel_digest

    def get_cache_path(self) -> str:
        home = cache_home()
        assert home is not None  # or there would be no cache
        return str(home / self._digest)

    def get_source_stamp(self) -> str:
        return self._digest

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> "_Locator":
        return cls(py_func, py_file)


class _KernelCacheImpl(caching.CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_Locator,)


class _KernelCache(caching.FunctionCache):  # type: ignore[misc]
    _impl_class = _KernelCacheImpl


class _CalleeCacheImpl(_KernelCacheImpl):
    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        return f"callee.{super().get_filename_base(fullname, abiflags)}"

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        return callee.rebuilt(target_context, *payload)


class _CalleeCache(caching.FunctionCache):  # type: ignore[misc]
    _impl_class = _CalleeCacheImpl


# Numbers


@kernel
def wide(number: Any) -> int:
    """A number of a few bits as one that has room to count with."""
    return int(np.int64(number))
