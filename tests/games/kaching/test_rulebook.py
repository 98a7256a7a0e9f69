"""What this game's rulebook must hold, beside what every rulebook must: test_rulebooks.py."""

from __future__ import annotations

import re

import pytest

from tests.games.rulebooks import LANGUAGES, folder_of, rulebook


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("fact", ["$20", "200", "100", "$130", "0.3 %", "2, 2, 3, 3, 4, 5"])
def test_the_figures_of_the_rules_are_there(language: str, fact: str) -> None:
    assert fact in rulebook("kaching", language)


@pytest.mark.parametrize(
    ("language", "cards", "purse"),
    [
        (
            "en",
            "29 money cards**: ten of $1, five of $2, six of $5 and eight of $10",
            "five of $1, one of $5 and one of $10",
        ),
        (
            "es",
            "29 cartas de dinero**: diez de $1, cinco de $2, seis de $5 y ocho de $10",
            "cinco de $1, una de $5 y una de $10",
        ),
    ],
    ids=LANGUAGES,
)
def test_the_money_cards_are_told_though_money_is_a_number(language: str, cards: str, purse: str) -> None:
    box = rulebook("kaching", language).split("\n## ")[2]
    assert cards in box
    assert purse in box
    assert "(K4)" in box


def test_pictures_hold_no_words_and_no_references() -> None:
    for file in (folder_of("kaching") / "pictures").glob("*.svg"):
        drawing = file.read_text(encoding="utf-8")
        for label in re.findall(r"<text[^>]*>([^<]*)</text>", drawing):
            assert re.fullmatch(r"[RYGBPW]|\$?\d+|\u00d7|=", label), f"{file.name}: {label}"
        assert not re.search(r"href|url\(|\bid=|<style|<script", drawing), file.name
