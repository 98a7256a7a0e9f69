"""What this game's rulebook must hold, beside what every rulebook must: test_rulebooks.py."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import kibitz
from tests.games.cash.naive import CARD_ORDER, COPIES
from tests.games.rulebooks import LANGUAGES, folder_of, rulebook

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
@pytest.mark.parametrize(
    "fact",
    [
        *("216", "$1,000,000", "10 %", " 5,000 ", " 100 ", "−$110,000", "$25,000", "$75,000", "$150,000"),
        "$200,000 − $10,000 + $5,000 = $195,000",
    ],
)
def test_the_figures_of_the_rules_are_there(language: str, fact: str) -> None:
    assert fact in rulebook("cash", language)


def test_pictures_hold_no_words_and_no_references() -> None:
    for file in (folder_of("cash") / "pictures").glob("*.svg"):
        drawing = file.read_text(encoding="utf-8")
        for label in re.findall(r"<text[^>]*>([^<]*)</text>", drawing):
            assert re.fullmatch(r"\u2212?\d+", label), f"{file.name}: {label}"
        assert not re.search(r"href|url\(|\bid=|<style|<script", drawing), file.name
