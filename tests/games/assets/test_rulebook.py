"""The rulebook that players read: the same in both languages, complete, and in our own words."""

import re
from pathlib import Path

import pytest

from tests.games.assets.naive import FIRST

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "kibitz" / "games" / "assets"
PRINTED = ROOT.parent / "shared" / "rulebooks" / "assets.txt"
LANGUAGES = ("en", "es")
RULINGS = [f"A{i}" for i in range(1, 13)]
LONGEST_SHARED_RUN = 7  # words in a row; longer runs would be copying


def rulebook(language: str) -> str:
    return (FOLDER / f"rulebook.{language}.md").read_text(encoding="utf-8")


def runs_of_words(text: str, length: int) -> set[tuple[str, ...]]:
    words = re.findall(r"[^\W_]+", text.lower())
    return {tuple(words[i : i + length]) for i in range(len(words) - length + 1)}


def test_the_headings_are_parallel_in_both_languages() -> None:
    english, spanish = (re.findall(r"^(#+) \S", rulebook(one), re.MULTILINE) for one in LANGUAGES)
    assert english == spanish
    assert english.count("#") == 1
    assert len(english) > 10


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_ruling_is_an_item_in_order(language: str) -> None:
    assert re.findall(r"^- \*\*(A\d+)\*\* \S", rulebook(language), flags=re.MULTILINE) == RULINGS


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_is_listed_with_its_value_and_copies(language: str) -> None:
    for card, (value, copies) in FIRST.items():
        assert re.search(rf"\| `{card}` \| \${value:,} \| {copies} \|", rulebook(language)), card
    for figure in ("110", "104", "$1,000,000", "2,000", "100"):
        assert figure in rulebook(language)


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
    assert [word for word in moves + options if f"`{word}`" not in rulebook(language)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_picture_exists_and_is_told_in_words(language: str) -> None:
    pictures = re.findall(r"!\[([^\]]*)\]\(([^)]*)\)", rulebook(language))
    assert pictures
    for alt, path in pictures:
        assert alt.strip()
        assert (FOLDER / path).is_file(), path


def test_both_languages_show_every_picture_in_the_same_order() -> None:
    english, spanish = (re.findall(r"\]\((pictures/[^)]+)\)", rulebook(one)) for one in LANGUAGES)
    assert english == spanish
    assert sorted(english) == sorted(f"pictures/{file.name}" for file in (FOLDER / "pictures").iterdir())


def test_pictures_hold_no_words_and_no_references() -> None:
    for file in (FOLDER / "pictures").glob("*.svg"):
        drawing = file.read_text(encoding="utf-8")
        for label in re.findall(r"<text[^>]*>([^<]*)</text>", drawing):
            assert re.fullmatch(r"\$?\d+", label), f"{file.name}: {label}"
        assert not re.search(r"href|url\(|\bid=|<style|<script", drawing), file.name


@pytest.mark.skipif(not PRINTED.is_file(), reason="the printed rulebook is not beside this checkout")
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_is_copied_from_the_printed_rulebook(language: str) -> None:
    length = LONGEST_SHARED_RUN + 1
    printed = runs_of_words(PRINTED.read_text(encoding="utf-8"), length)
    copied = runs_of_words(rulebook(language), length) & printed
    assert printed
    assert sorted(" ".join(run) for run in copied) == []
