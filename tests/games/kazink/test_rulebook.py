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


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_move_and_option_is_explained(language: str) -> None:
    moves = ["S b2", "W b3", "K b3", "U", "shift a1 b2 2", "stay", "place c3", "swap S", "discard S"]
    options = ["board", "24", "20", "dealer", "random", "0", "3", "hand", "pool", "divided", "shared"]
    assert [word for word in moves + options if f"`{word}`" not in rulebook("kazink", language)] == []


def test_pictures_hold_no_words_and_no_references() -> None:
    for file in (folder_of("kazink") / "pictures").glob("*.svg"):
        drawing = file.read_text(encoding="utf-8")
        for label in re.findall(r"<text[^>]*>([^<]*)</text>", drawing):
            assert re.fullmatch(r"[SHDCWUKYBRabcd]|\d+", label), f"{file.name}: {label}"
        assert not re.search(r"href|url\(|\bid=|<style|<script", drawing), file.name
