"""What this game's rulebook must hold, beside what every rulebook must: test_rulebooks.py."""

from __future__ import annotations

import re

import pytest

from tests.games.rulebooks import LANGUAGES, folder_of, rulebook


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("fact", ["$20", "200", "100", "$130", "0.3 %", "2, 2, 3, 3, 4, 5"])
def test_the_figures_of_the_rules_are_there(language: str, fact: str) -> None:
    assert fact in rulebook("kaching", language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_move_and_option_is_explained(language: str) -> None:
    moves = ["buy 3", "sell R4 R5", "sell R4 W", "pass"]
    options = ["series", "single", "best_of", "total", "rounds", "open_money", "starter", "random", "0", "1"]
    assert [word for word in moves + options if f"`{word}`" not in rulebook("kaching", language)] == []


def test_pictures_hold_no_words_and_no_references() -> None:
    for file in (folder_of("kaching") / "pictures").glob("*.svg"):
        drawing = file.read_text(encoding="utf-8")
        for label in re.findall(r"<text[^>]*>([^<]*)</text>", drawing):
            assert re.fullmatch(r"[RYGBPW]|\$?\d+|\u00d7|=", label), f"{file.name}: {label}"
        assert not re.search(r"href|url\(|\bid=|<style|<script", drawing), file.name
