"""What this game's rulebook must hold, beside what every rulebook must: test_rulebooks.py."""

from __future__ import annotations

import re

import pytest

from tests.games.kazink.naive import PRINTED as BOARD
from tests.games.rulebooks import LANGUAGES, folder_of, rulebook

SUITS = {
    "en": {"spade": "S", "heart": "H", "diamond": "D", "club": "C"},
    "es": {"pica": "S", "corazón": "H", "diamante": "D", "trébol": "C"},
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "fact", ["54", "44", "11", "36", "18", "100", "10,000", "2000", "a1, a2, a3, a4", "(n − 1) / 2"]
)
def test_the_figures_of_the_rules_are_there(language: str, fact: str) -> None:
    assert fact in rulebook("kazink", language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_picture_of_the_board_is_told_as_the_board_is(language: str) -> None:
    words = "|".join(SUITS[language])
    told = [
        SUITS[language][word]
        for word in re.findall(words, rulebook("kazink", language).split("pictures/board")[0])
    ]
    assert "".join(told)[-24:] == "".join(BOARD)


@pytest.mark.parametrize(("language", "chapter"), [("en", "Who wins"), ("es", "Quién gana")])
def test_the_ends_without_enough_rows_are_told_as_rulings(language: str, chapter: str) -> None:
    """When such a game ends, and who wins with equal crowns. [Z17] [Z18]"""
    told = rulebook("kazink", language).split(f"\n## {chapter}\n")[1].split("\n## ")[0]
    as_rulings = {"en": "rulings of Kibitz (Z17 and Z18", "es": "aclaraciones de Kibitz (Z17 y Z18"}
    assert as_rulings[language] in told


def test_pictures_hold_no_words_and_no_references() -> None:
    for file in (folder_of("kazink") / "pictures").glob("*.svg"):
        drawing = file.read_text(encoding="utf-8")
        for label in re.findall(r"<text[^>]*>([^<]*)</text>", drawing):
            assert re.fullmatch(r"[SHDCWUKYBRabcd]|\d+", label), f"{file.name}: {label}"
        assert not re.search(r"href|url\(|\bid=|<style|<script", drawing), file.name
