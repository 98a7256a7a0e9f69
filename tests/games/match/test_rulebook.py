"""What this game's rulebook must hold, beside what every rulebook must: test_rulebooks.py."""

from __future__ import annotations

import re

import pytest

from tests.games.rulebooks import LANGUAGES, folder_of, rulebook


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("fact", ["60", "64", "50", "1000", "100", "4, 3, 0, 3, 5, 4", "21", "13"])
def test_the_figures_of_the_rules_are_there(language: str, fact: str) -> None:
    assert fact in rulebook("match", language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_move_and_option_is_explained(language: str) -> None:
    moves = ["match R3", "match R3 collection", "collect G5", "wild R", "wild 3"]
    options = ["target", "rounds", "null", "starter", "random", "0", "5"]
    assert [word for word in moves + options if f"`{word}`" not in rulebook("match", language)] == []


def test_pictures_hold_no_words_and_no_references() -> None:
    for file in (folder_of("match") / "pictures").glob("*.svg"):
        drawing = file.read_text(encoding="utf-8")
        for label in re.findall(r"<text[^>]*>([^<]*)</text>", drawing):
            assert re.fullmatch(r"[RYGBPW]|\d+|=", label), f"{file.name}: {label}"
        assert not re.search(r"href|url\(|\bid=|<style|<script", drawing), file.name
