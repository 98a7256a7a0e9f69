"""Misreadings of the rules: the naive twin with one sentence changed.

A comparison of the twins that can't fail proves nothing. A mutant is written as a part of the twin's text and
what stands there instead; nothing is compiled, so that each costs no more than the games until it is noticed.
"""

from pathlib import Path
from random import Random
from types import ModuleType

import pytest

# By what is misread, with the ruling if there is one: a part of the twin's text, and what it is changed into.
Mutants = dict[str, tuple[str, str]]

MOST_GAMES = 500


def changed(twin: ModuleType, text: str, instead: str) -> ModuleType:
    """The twin, with its text changed in this one place."""
    assert twin.__file__ is not None
    source = Path(twin.__file__).read_text(encoding="utf-8")
    assert source.count(text) == 1, f"{source.count(text)} times in {twin.__name__}: {text}"
    mutant = ModuleType(twin.__name__)
    exec(compile(source.replace(text, instead), twin.__file__, "exec"), vars(mutant))
    return mutant


def expect_notice(monkeypatch: pytest.MonkeyPatch, comparison: ModuleType, mutant: tuple[str, str]) -> None:
    """The comparison, a game's test_twin, disagrees with the mutant in one of its odd positions."""
    misread = changed(comparison.naive, *mutant)
    for seed in range(MOST_GAMES):
        first = comparison.odd_position(Random(seed))
        with monkeypatch.context() as patch:
            patch.setattr(comparison, "naive", misread)
            try:
                comparison.play_on(first, seed)
            except (AssertionError, ValueError, LookupError):
                return
    raise AssertionError(f"{MOST_GAMES} games, and nobody noticed")
