"""What this game's rulebook must hold, beside what every rulebook must: test_rulebooks.py."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import kibitz
from kibitz.core.words import catalogue
from tests.games.cash.naive import CARD_ORDER, COPIES
from tests.games.rulebooks import LANGUAGES, rulebook

BUILDERS = Path(kibitz.__file__).parent.parent / "docs" / "notation" / "cash.md"


def test_builders_find_every_card_with_its_copies() -> None:
    found: dict[str, int] = {}
    for codes, copies in re.findall(
        r"^\| [^|`]+ \| (`[^|]+`) \| (\d[^|]*) \|$", BUILDERS.read_text(), re.MULTILINE
    ):
        names = re.findall(r"`([^`]+)`", codes)
        counts = [int(count) for count in re.findall(r"\d+", copies)]
        found |= dict(zip(names, counts * (len(names) if len(counts) == 1 else 1), strict=True))
    assert list(found) == CARD_ORDER
    assert found == COPIES


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_card_is_in_the_table_with_its_copies(language: str) -> None:
    """The same rows as the builders', without codes."""
    told = re.findall(r"^\| [^|]+ \| (\d[^|]*) \|$", rulebook("cash", language), re.MULTILINE)
    built = re.findall(r"^\| [^|]+ \| `[^|]+` \| (\d[^|]*) \|$", BUILDERS.read_text(), re.MULTILINE)
    assert [re.findall(r"\d+", copies) for copies in told] == [re.findall(r"\d+", copies) for copies in built]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_figures_of_the_rules_are_there(language: str) -> None:
    book, money = rulebook("cash", language), catalogue(language).money
    for fact in ("216", "10 %", " 5,000 ", " 100 "):
        assert fact in book
    for amount in (1_000_000, -110_000, 25_000, 75_000, 150_000):
        assert money(amount) in book
    tax = f"{money(200_000)} − {money(10_000)} + {money(5_000)} = {money(195_000)}"
    assert tax in book
