"""Is everything here that Kibitz needs? And if not, what to do."""

import importlib
import importlib.metadata
import platform
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.console import Console

import kibitz

OLDEST_PYTHON = (3, 11)
PACKAGES = ("click", "msgspec", "numba", "numpy", "platformdirs", "rich")  # if it isn't known which ones
COMFORTABLE = (80, 24)  # the terminal's width and height from which on a whole table fits


@dataclass(frozen=True)
class Finding:
    """One thing looked at: whether it is in order, what was found, and if need be what to do."""

    name: str
    ok: bool
    found: str
    advice: str = ""
    necessary: bool = True


NO_CACHE = "Set KIBITZ_CACHE to a folder that you alone may write into."


def examine(console: Console) -> Iterator[Finding]:
    """Everything, in the order in which it is needed."""
    yield python()
    for package in packages():
        yield installed(package)
    yield careful("compiler", compiler, "Reinstall numba: pip install --force-reinstall numba")
    yield careful("cache", cache_folder, NO_CACHE)
    for game in kibitz.games():
        yield careful(f"kernels of {game}", partial(kernels, game), "See what is missing above.")
    yield from terminal(console)


def healthy(findings: Iterable[Finding]) -> bool:
    """Whether all that is necessary is in order."""
    return all(finding.ok for finding in findings if finding.necessary)


def careful(name: str, look: Callable[[], Finding], advice: str) -> Finding:
    """A look that may fail altogether, since what it needs may be broken."""
    try:
        return look()
    except Exception as error:  # whatever it is, it is a finding
        return Finding(name, False, f"{type(error).__name__}: {error}", advice)


def python() -> Finding:
    """Python itself."""
    oldest = ".".join(map(str, OLDEST_PYTHON))
    ok = sys.version_info[:2] >= OLDEST_PYTHON
    return Finding(
        "python", ok, platform.python_version(), "" if ok else f"Install Python {oldest} or newer."
    )


def packages() -> list[str]:
    """What Kibitz is built on: what its installation asks for, without what is optional."""
    try:
        asked = importlib.metadata.requires("kibitz") or []
    except importlib.metadata.PackageNotFoundError:  # run from a source tree that isn't installed
        return list(PACKAGES)
    return sorted(re.split(r"[^\w.-]", each, maxsplit=1)[0] for each in asked if "extra ==" not in each)


def installed(package: str) -> Finding:
    """A package that Kibitz is built on."""
    try:
        return Finding(package, True, importlib.metadata.version(package))
    except importlib.metadata.PackageNotFoundError:
        return Finding(package, False, "missing", f"Install it: pip install {package}")


def compiler() -> Finding:
    """Whether numba turns Python into machine code here."""
    import numba

    if numba.config.DISABLE_JIT:
        advice = "Unset NUMBA_DISABLE_JIT: the rules run as plain Python, and bots are slow."
        return Finding("compiler", False, "switched off", advice, necessary=False)
    assert numba.njit(lambda number: number + 1)(1) == 2
    return Finding("compiler", True, "works")


def cache_folder() -> Finding:
    """Where machine code is kept, whether that can be written, and its size."""
    from kibitz.core.kernel import cache_home

    home = cache_home()
    if home is None:
        return Finding("cache", False, "none", NO_CACHE)
    megabytes = sum(file.stat().st_size for file in home.rglob("*") if file.is_file()) / 1e6
    return Finding("cache", True, f"{_shown(home)} ({megabytes:.1f} MB)")


def _shown(path: Path) -> str:
    """A path, with the home folder as ~."""
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)


def kernels(game: str) -> Finding:
    """Whether a game is compiled."""
    from kibitz.warmup import is_warm

    ok = is_warm(game)
    advice = (
        ""
        if ok
        else f"Nothing to worry about: the first game takes longer. To do it now: kibitz warmup {game}"
    )
    return Finding(
        f"kernels of {game}", ok, "compiled" if ok else "not compiled yet", advice, necessary=False
    )


def terminal(console: Console) -> Iterator[Finding]:
    """What the terminal can show."""
    colours = console.color_system or "none"
    reason = "NO_COLOR is set." if console.no_color else "Letters and shapes tell the suits all the same."
    seen = console.color_system is not None and not console.no_color
    yield Finding("colours", seen, colours, "" if seen else reason, necessary=False)
    unicode = console.encoding.startswith("utf")
    advice = "" if unicode else "Set PYTHONUTF8=1, or a UTF-8 locale such as LANG=C.UTF-8."
    yield Finding("unicode", unicode, console.encoding, advice, necessary=False)
    roomy = console.width >= COMFORTABLE[0] and console.height >= COMFORTABLE[1]
    wish = (
        "" if roomy else f"A table fits into {COMFORTABLE[0]} x {COMFORTABLE[1]}; a smaller window scrolls."
    )
    yield Finding("size", roomy, f"{console.width} x {console.height}", wish, necessary=False)
