"""What this game's rulebook must hold, beside what every rulebook must: test_rulebooks.py."""

from __future__ import annotations

import re

import pytest

from tests.games.rulebooks import LANGUAGES, folder_of, rulebook


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("fact", ["60", "64", "50", "1000", "100", "4, 3, 0, 3, 5, 4", "21", "13"])
def test_the_figures_of_the_rules_are_there(language: str, fact: str) -> None:
    assert fact in rulebook("match", language)


@pytest.mark.parametrize(
    ("language", "named"), [("en", "**8 reminder cards**"), ("es", "**8 cartas de recordatorio**")]
)
def test_the_reminder_cards_are_named(language: str, named: str) -> None:
    assert named in rulebook("match", language).split("\n## ")[2]


def test_pictures_hold_no_words_and_no_references() -> None:
    for file in (folder_of("match") / "pictures").glob("*.svg"):
        drawing = file.read_text(encoding="utf-8")
        for label in re.findall(r"<text[^>]*>([^<]*)</text>", drawing):
            assert re.fullmatch(r"[RYGBPW]|\d+|=", label), f"{file.name}: {label}"
        assert not re.search(r"href|url\(|\bid=|<style|<script", drawing), file.name
