"""What this game's rulebook must hold, beside what every rulebook must: test_rulebooks.py."""

import re

import pytest

from tests.games.assets.naive import FIRST
from tests.games.rulebooks import LANGUAGES, folder_of, rulebook


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_is_listed_with_its_value_and_copies(language: str) -> None:
    for card, (value, copies) in FIRST.items():
        assert re.search(rf"\| `{card}` \| \${value:,} \| {copies} \|", rulebook("assets", language)), card
    for figure in ("110", "104", "$1,000,000", "2,000", "100"):
        assert figure in rulebook("assets", language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_move_and_option_is_explained(language: str) -> None:
    moves = [
        "pair home home",
        "pair home gold",
        "take home with gold",
        "take gold with home",
        "discard piggy",
    ]
    moves += ["steal p2 with home", "defend with silver", "press with home", "yield", "draw", "forget"]
    options = [
        "target",
        "rounds",
        "hand",
        "deck",
        "dealer",
        "forgetful",
        "first",
        "second",
        "random",
        "4",
        "5",
        "1",
    ]
    assert [word for word in moves + options if f"`{word}`" not in rulebook("assets", language)] == []


def test_pictures_hold_no_words_and_no_references() -> None:
    for file in (folder_of("assets") / "pictures").glob("*.svg"):
        drawing = file.read_text(encoding="utf-8")
        for label in re.findall(r"<text[^>]*>([^<]*)</text>", drawing):
            assert re.fullmatch(r"\$?\d+", label), f"{file.name}: {label}"
        assert not re.search(r"href|url\(|\bid=|<style|<script", drawing), file.name
