"""The rulebook that players read: the same in both languages, complete, illustrated, and in our own words."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.games.kazink.naive import PRINTED as BOARD

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "kibitz" / "games" / "kazink"
PRINTED = ROOT.parent / "shared" / "rulebooks" / "kazink.txt"
LANGUAGES = ("en", "es")
RULINGS = [f"Z{i}" for i in range(1, 17)]
LONGEST_SHARED_RUN = 7  # words in a row; longer runs would be copying
SUITS = {
    "en": {"spade": "S", "heart": "H", "diamond": "D", "club": "C"},
    "es": {"pica": "S", "corazón": "H", "diamante": "D", "trébol": "C"},
}


def rulebook(language: str) -> str:
    return (FOLDER / f"rulebook.{language}.md").read_text(encoding="utf-8")


def heading_levels(text: str) -> list[int]:
    return [len(marks) for marks in re.findall(r"^(#+) \S", text, flags=re.MULTILINE)]


def runs_of_words(text: str, length: int) -> set[tuple[str, ...]]:
    words = re.findall(r"[^\W_]+", text.lower())
    return {tuple(words[i : i + length]) for i in range(len(words) - length + 1)}


def test_the_headings_are_parallel_in_both_languages() -> None:
    english, spanish = (heading_levels(rulebook(language)) for language in LANGUAGES)
    assert english == spanish
    assert english[0] == 1
    assert english.count(1) == 1
    assert len(english) > 10


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_ruling_is_an_item_in_order(language: str) -> None:
    assert re.findall(r"^- \*\*(Z\d+)\*\* \S", rulebook(language), flags=re.MULTILINE) == RULINGS


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "fact", ["54", "44", "11", "36", "100", "10,000", "2000", "a1, a2, a3, a4", "(n − 1) / 2"]
)
def test_the_figures_of_the_rules_are_there(language: str, fact: str) -> None:
    assert fact in rulebook(language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_picture_of_the_board_is_told_as_the_board_is(language: str) -> None:
    words = "|".join(SUITS[language])
    told = [
        SUITS[language][word] for word in re.findall(words, rulebook(language).split("pictures/board")[0])
    ]
    assert "".join(told)[-24:] == "".join(BOARD)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_move_and_option_is_explained(language: str) -> None:
    moves = ["S b2", "W b3", "K b3", "U", "shift a1 b2 2", "stay", "place c3", "swap S", "discard S"]
    options = ["board", "24", "20", "dealer", "random", "0", "3", "hand"]
    assert [word for word in moves + options if f"`{word}`" not in rulebook(language)] == []


def test_both_languages_have_as_many_examples_and_items() -> None:
    for pattern in (r"^> ", r"^- ", r"^\d\. "):
        english, spanish = (
            len(re.findall(pattern, rulebook(language), flags=re.MULTILINE)) for language in LANGUAGES
        )
        assert english == spanish > 0


def test_both_languages_show_every_picture_in_the_same_order() -> None:
    english, spanish = (re.findall(r"!\[[^\]]+\]\(([^)]+)\)", rulebook(language)) for language in LANGUAGES)
    assert english == spanish
    assert sorted(english) == sorted(f"pictures/{file.name}" for file in (FOLDER / "pictures").iterdir())


def test_pictures_hold_no_words_and_no_references() -> None:
    for file in (FOLDER / "pictures").glob("*.svg"):
        drawing = file.read_text(encoding="utf-8")
        for label in re.findall(r"<text[^>]*>([^<]*)</text>", drawing):
            assert re.fullmatch(r"[SHDCWUKYBRabcd]|\d+", label), f"{file.name}: {label}"
        assert not re.search(r"href|url\(|\bid=|<style|<script", drawing), file.name


def test_the_pictures_are_what_the_script_draws() -> None:
    script = ROOT / "scripts" / "draw_pictures.py"
    check = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert check.returncode == 0, check.stderr


@pytest.mark.skipif(not PRINTED.is_file(), reason="the printed rulebook is not beside this checkout")
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_is_copied_from_the_printed_rulebook(language: str) -> None:
    length = LONGEST_SHARED_RUN + 1
    printed = runs_of_words(PRINTED.read_text(encoding="utf-8"), length)
    copied = runs_of_words(rulebook(language), length) & printed
    assert printed
    assert sorted(" ".join(run) for run in copied) == []
