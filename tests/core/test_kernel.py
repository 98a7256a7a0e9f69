"""Compiled rules: the disk cache notices what it must, and only that; plain Python does the same."""

import importlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import BuiltinFunctionType
from typing import Any

import numpy as np
import platformdirs
import pytest

import kibitz
from kibitz.bots import search
from kibitz.bots.lookahead import heuristics_of
from kibitz.core import kernel
from tests.conftest import GAMES
from tests.core import sample_games

ROOT = Path(__file__).parent.parent.parent

RULES = """
from kibitz.core.kernel import kernel
from outsiders import numbers
from outsiders.numbers import NUMBER

@kernel
def double(number):
    return 2 * number + NUMBER
"""
NUMBERS = "NUMBER = 3\n"
TEMPLATES = """
from kibitz.core.kernel import specialise
from outsiders import rules

def once(number):
    return double(number)

def twice(number):
    return once(once(number))

kernels = specialise((once, twice), "outsiders", double=rules.double)
"""
USE = """
import json
from outsiders import rules, templates

answer = templates.kernels.twice(rules.double(1))
stats = [rules.double.stats, templates.kernels.twice.stats]
print(json.dumps({
    "answer": answer,
    "hits": sum(sum(each.cache_hits.values()) for each in stats),
    "misses": sum(sum(each.cache_misses.values()) for each in stats),
}))
"""


@pytest.fixture
def outsiders(tmp_path: Path) -> Path:
    """The folder of a package with a kernel, a module that it imports, and one that it doesn't."""
    package = tmp_path / "here" / "outsiders"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "rules.py").write_text(RULES)
    (package / "numbers.py").write_text(NUMBERS)
    (package / "templates.py").write_text(TEMPLATES)
    (package / "elsewhere.py").write_text("NUMBER = 5\n")
    return package.parent


def run(code: str, *folders: Path, **environment: str) -> str:
    """What a fresh process prints."""
    keep = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "KIBITZ_"))}
    paths = os.pathsep.join(map(str, (*folders, ROOT)))
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(
        command, env={**keep, "PYTHONPATH": paths, **environment}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def use(folder: Path, cache: Path) -> dict[str, Any]:
    """What the outsiders' kernels answer in a fresh process, and how often the disk had them."""
    answer: dict[str, Any] = json.loads(run(USE, folder, KIBITZ_CACHE=str(cache)))
    return answer


# The cache


def test_a_second_process_loads_kernels_from_the_disk_and_an_edit_is_noticed(
    outsiders: Path, tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    first = use(outsiders, cache)
    assert first == {"answer": 29, "hits": 0, "misses": 2}
    assert use(outsiders, cache) == {"answer": 29, "hits": 2, "misses": 0}

    moved = tmp_path / "moved"
    shutil.copytree(outsiders, moved)
    (moved / "outsiders" / "elsewhere.py").write_text("NUMBER = 6\n")
    os.utime(moved / "outsiders" / "rules.py", (1, 1))
    assert use(moved, cache) == {"answer": 29, "hits": 2, "misses": 0}

    (moved / "outsiders" / "numbers.py").write_text("NUMBER = 4\n")
    assert use(moved, cache) == {"answer": 36, "hits": 0, "misses": 2}
    assert use(outsiders, cache) == {"answer": 29, "hits": 2, "misses": 0}


STEPS_OF_ALL_GAMES = """
import json
import kibitz
from kibitz.bots.lookahead import heuristics_of, kernels
from kibitz.warmup import steps
from tests import tiny
from tests.conftest import GAMES

kibitz.register(tiny.GAME)
loaded = {}
for name in GAMES:
    for step in steps(name):
        step()
    game = kibitz.game(name)
    used = {verb: getattr(game.rules, verb) for verb in ("set_up", "score", "imagine")}
    used |= vars(game.verbs.kernels)
    search = "compare" if heuristics_of(name).side_by_side else "grow"
    used[search] = getattr(kernels(name), search)
    for verb, kernel in used.items():
        hits, misses = kernel.stats.cache_hits, kernel.stats.cache_misses
        loaded[f"{name} {verb}"] = sum(hits.values()), sum(misses.values())
print(json.dumps(loaded))
"""


def test_a_second_process_compiles_nothing_of_any_game() -> None:
    """In the usual cache, which the first process fills if it has to."""
    chosen = {key: value for key in ("KIBITZ_CACHE",) if (value := os.environ.get(key))}
    loaded = json.loads(run(STEPS_OF_ALL_GAMES, **chosen))
    if any(misses for _, misses in loaded.values()):
        loaded = json.loads(run(STEPS_OF_ALL_GAMES, **chosen))
    for name in GAMES:
        assert any(kernel.startswith(f"{name} ") for kernel in loaded)
    for kernel_of_game, (hits, misses) in loaded.items():
        assert hits >= 1, kernel_of_game
        assert misses == 0, kernel_of_game


# Its folder's name


@pytest.fixture
def importable(outsiders: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The outsiders' folder, found by imports for the length of a test."""
    monkeypatch.syspath_prepend(outsiders)
    yield outsiders
    forget()


def forget() -> None:
    """As if nothing of the outsiders had been looked at yet."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "outsiders"]:
        del sys.modules[name]
    importlib.invalidate_caches()
    for cached in (kernel.digest, kernel.sources, kernel._imports, kernel._is_module):
        cached.cache_clear()


def digest_of_rules() -> str:
    forget()
    return kernel.digest(("outsiders.rules",))


def test_sources_are_the_module_and_what_it_imports_of_kibitz_and_its_own_project(importable: Path) -> None:
    forget()
    found = kernel.sources("outsiders.rules")
    assert {name for name in found if not name.startswith("kibitz")} == {
        "outsiders",
        "outsiders.rules",
        "outsiders.numbers",
    }
    assert "kibitz.core.kernel" in found
    assert "kibitz.core.chance" not in found


def test_an_edit_in_an_imported_module_changes_the_digest(importable: Path) -> None:
    before = digest_of_rules()
    (importable / "outsiders" / "numbers.py").write_text("NUMBER = 4\n")
    assert digest_of_rules() != before
    (importable / "outsiders" / "numbers.py").write_text(NUMBERS)
    assert digest_of_rules() == before


def test_what_a_module_has_learned_is_a_source_of_it(importable: Path) -> None:
    before = digest_of_rules()
    (importable / "outsiders" / "numbers.npz").write_bytes(b"learned")
    learned = digest_of_rules()
    (importable / "outsiders" / "numbers.npz").write_bytes(b"learned anew")
    assert len({before, learned, digest_of_rules()}) == 3


def test_an_edit_elsewhere_does_not(importable: Path) -> None:
    before = digest_of_rules()
    (importable / "outsiders" / "elsewhere.py").write_text("NUMBER = 6\n")
    assert digest_of_rules() == before


def test_the_digest_does_not_depend_on_paths(
    importable: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = digest_of_rules()
    shutil.copytree(importable, tmp_path / "there")
    monkeypatch.syspath_prepend(tmp_path / "there")
    assert digest_of_rules() == before
    (tmp_path / "there" / "outsiders" / "numbers.py").write_text("NUMBER = 4\n")
    assert digest_of_rules() != before


def test_another_cpu_or_version_has_another_digest(importable: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = digest_of_rules()
    monkeypatch.setattr(kernel, "_cpu", lambda: "another")
    other_cpu = digest_of_rules()
    monkeypatch.setattr(np, "__version__", "0")
    assert len({before, other_cpu, digest_of_rules()}) == 3


@pytest.mark.parametrize("name", GAMES)
def test_an_edit_in_one_game_recompiles_no_other(name: str) -> None:
    others = {other for other in GAMES if other != name}
    rules: Any = kibitz.game(name).rules
    modules = [rules.__name__, heuristics_of(name).rate.__module__, search.__name__]
    behind = {part for module in modules for source in kernel.sources(module) for part in source.split(".")}
    assert name in behind
    assert not behind & others


# Its home


def test_the_cache_is_where_the_user_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path / "mine"))
    assert kernel.cache_home() == tmp_path / "mine" / "kernels"


def test_else_it_is_in_the_users_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KIBITZ_CACHE", raising=False)
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda name: tmp_path / "of-the-user" / name)
    assert kernel.cache_home() == tmp_path / "of-the-user" / "kibitz" / "kernels"


def test_and_in_a_temporary_one_if_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a-file").touch()
    monkeypatch.delenv("KIBITZ_CACHE", raising=False)
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda name: tmp_path / "a-file" / name)
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path / "temporary"))
    home = kernel.cache_home()
    assert home is not None
    assert home.is_relative_to(tmp_path / "temporary")
    assert str(os.getuid()) in home.parts[-2]  # another user's is another


def test_what_others_could_have_written_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a folder that others may write to, nor another user's, nor a link to one: once, it is said."""
    for number, spoil in enumerate((make_writable, make_foreign, make_link)):
        chosen = tmp_path / str(number)
        (chosen / "kernels").mkdir(parents=True)
        spoil(chosen / "kernels", monkeypatch)
        monkeypatch.setenv("KIBITZ_CACHE", str(chosen))
        with pytest.warns(RuntimeWarning, match=f"{chosen} can't be written, or not by you alone"):
            assert kernel.cache_home() is None
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert kernel.cache_home() is None


def make_writable(home: Path, _: pytest.MonkeyPatch) -> None:
    home.chmod(0o777)


def make_foreign(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getuid", lambda: home.lstat().st_uid + 1)


def make_link(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    home.rename(home.with_name("elsewhere"))
    home.symlink_to(home.with_name("elsewhere"))


def test_the_cache_folder_is_the_users_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path / "mine"))
    home = kernel.cache_home()
    assert home is not None
    assert home.stat().st_mode & 0o777 == 0o700


def test_without_a_cache_folder_kernels_are_compiled_and_run(outsiders: Path, tmp_path: Path) -> None:
    (tmp_path / "a-file").touch()
    quiet = "import warnings\nwarnings.simplefilter('ignore')\n"  # the children take a warning for an error
    found = run(quiet + USE, outsiders, KIBITZ_CACHE=str(tmp_path / "a-file"))
    assert json.loads(found)["answer"] == 29


# Compiled and interpreted


def test_plain_python_plays_the_same_games_to_the_byte_and_so_do_its_bots() -> None:
    assert kernel.JIT
    ours = sample_games.sample()
    code = "import runpy; runpy.run_module('tests.core.sample_games', run_name='__main__')"
    theirs = run(code, NUMBA_DISABLE_JIT="1").splitlines()
    assert theirs == ours
    assert len(ours) == 4 * len(GAMES)


# Playing on while others compile


@contextmanager
def interpreting() -> Iterator[None]:
    """Whatever isn't loaded is plain Python in here."""
    kernel.interpret()
    try:
        yield
    finally:
        kernel.stop_interpreting()


def played(name: str, interpreted: range) -> tuple[str, list[str]]:
    """A game by chance, some of its moves interpreted: its hash, and what an easy bot would do."""
    game = kibitz.game(name)
    vars(game).pop("verbs", None)  # once they are machine code, they stay it
    chooser = np.random.default_rng(7)
    state = game.deal(seed=7)
    moves: list[str] = []
    for number in range(60):
        if state.turn is None:
            break
        with interpreting() if number in interpreted else nullcontext():
            moves.append(str(kibitz.bot("easy", game, seed=number).choose(state.observation(state.turn))))
            state.play(state.legal_moves[chooser.integers(len(state.legal_moves))])
    return state.hash, moves


@pytest.mark.skipif(not kernel.JIT, reason="nothing is compiled")
@pytest.mark.parametrize("name", GAMES)
def test_interpreted_moves_are_the_compiled_ones(name: str) -> None:
    assert played(name, range(20)) == played(name, range(0))


@pytest.mark.skipif(not kernel.JIT, reason="nothing is compiled")
def test_verbs_are_machine_code_after_their_first_call() -> None:
    game = kibitz.game("tiny")
    state = game.deal(seed=7)
    state.play(state.legal_moves[0])
    assert isinstance(game.verbs.play_in, BuiltinFunctionType)
    with interpreting():
        state.play(state.legal_moves[0])
    assert len(state.history) == 2


def twice(number: int) -> int:
    """What is compiled, below."""
    return 2 * number


def compiled(function: Any) -> Any:
    """A kernel of it, as new: nothing of it is on the disk."""
    with kernel.passing():
        return kernel._compile(function, ("kibitz.core.kernel",))


@pytest.mark.skipif(not kernel.JIT, reason="nothing is compiled")
def test_a_kernel_is_compiled_into_others_once_and_only_what_python_calls_becomes_machine_code() -> None:
    inner = compiled(twice)
    constants = {"inner": inner, "np": np}
    exec(
        "def calling(number):\n return inner(1) + inner(2) + inner(number) + inner(np.int8(number))",
        constants,
    )
    outer = compiled(constants["calling"])
    assert outer(5) == 2 + 4 + 10 + 10
    assert (len(outer.overloads), len(inner.overloads), len(inner.callee.overloads)) == (1, 0, 1)
    assert inner(5) == 10
    assert (len(inner.overloads), len(inner.callee.overloads)) == (1, 1)
    again = type(inner)._rebuild(**{**inner._reduce_states(), "uuid": "another"})  # as another process would
    assert again(5) == 10


def countdown(number: int) -> int:
    """What calls itself, below; each compiled form means its own."""
    return 0 if number == 0 else 1 + countdown(number - 1)


@pytest.mark.skipif(not kernel.JIT, reason="nothing is compiled")
def test_a_kernel_that_calls_itself_is_compiled_into_others(monkeypatch: pytest.MonkeyPatch) -> None:
    itself = compiled(countdown)
    monkeypatch.setitem(globals(), "countdown", itself)
    calling = {"inner": itself}
    exec("def calling(number):\n return inner(number) + inner(3)", calling)
    assert compiled(calling["calling"])(4) == 7
    assert itself(6) == 6


@pytest.mark.skipif(not kernel.JIT, reason="nothing is compiled")
def test_what_is_loaded_is_called_compiled_while_the_rest_is_interpreted() -> None:
    one, other = (compiled(twice) for _ in range(2))
    with interpreting():
        with kernel.loading():
            assert one(3) == 6
        assert (one(3), other(3)) == (6, 6)
        assert (len(one.overloads), len(other.overloads)) == (1, 0)
    assert other(3) == 6
    assert len(other.overloads) == 1, "compiled when it is called"
