"""The rulebook that players read: the same in both languages, complete, and in our own words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.games.cash.naive import CARD_ORDER, COPIES

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "kibitz" / "games" / "cash"
PRINTED = ROOT.parent / "shared" / "rulebooks" / "cash.txt"
LANGUAGES = ("en", "es")
RULINGS = [f"C{i}" for i in range(1, 36)]
LONGEST_SHARED_RUN = 7  # words in a row; longer runs would be copying


def rulebook(language: str) -> str:
    return (FOLDER / f"rulebook.{language}.md").read_text(encoding="utf-8")


def heading_levels(text: str) -> list[int]:
    return [len(marks) for marks in re.findall(r"^(#+) \S", text, flags=re.MULTILINE)]


def pictures(text: str) -> list[tuple[str, str]]:
    """Alternative texts and paths."""
    return re.findall(r"!\[([^\]]*)\]\(([^)]*)\)", text)


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
    assert re.findall(r"^- \*\*(C\d+)\*\* \S", rulebook(language), flags=re.MULTILINE) == RULINGS


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_is_in_the_table_with_its_copies(language: str) -> None:
    found: dict[str, int] = {}
    for _, codes, copies in re.findall(
        r"^\| ([^|`]+) \| (`[^|]+`) \| ([^|]+) \|$", rulebook(language), re.MULTILINE
    ):
        names = re.findall(r"`([^`]+)`", codes)
        counts = [int(count) for count in re.findall(r"\d+", copies)]
        found |= dict(zip(names, counts * (len(names) if len(counts) == 1 else 1), strict=True))
    assert list(found) == CARD_ORDER
    assert found == COPIES


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "fact",
    ["216", "$1,000,000", "10 %", "5,000", "100", "200 − 10 + 5 = 195", "−110", " 25 ", " 75 ", " 150 "],
)
def test_the_figures_of_the_rules_are_there(language: str, fact: str) -> None:
    assert fact in rulebook(language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_move_and_option_is_explained(language: str) -> None:
    plays = ["play license", "play stop", "play cash-25", "play cover-50 over cash-10 cash-25"]
    plays += [
        "play probe-crime on p2",
        "play settlement",
        "play venture",
        "play taxman",
        "discard takeover on p2",
    ]
    steps = [
        "done",
        "again",
        "trade p2",
        "give cash-25",
        "give firm cash-50",
        "want venture",
        "want firm taxman",
    ]
    steps += ["propose", "drop", "accept", "decline", "trim stop", "pass cash-5", "discard dividend"]
    options = ["target", "advanced", "recession", "tax", "trading", "rounds", "starter"]
    options += ["1000000", "75", "50", "harsh", "transfer", "random"]
    assert [word for word in plays + steps + options if f"`{word}`" not in rulebook(language)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_picture_exists_and_is_told_in_words(language: str) -> None:
    for alt, path in pictures(rulebook(language)):
        assert (FOLDER / path).is_file(), path
        assert alt.strip(), path


def test_both_languages_show_every_picture_in_the_same_order() -> None:
    english, spanish = ([path for _, path in pictures(rulebook(language))] for language in LANGUAGES)
    assert english == spanish
    assert sorted(english) == sorted(f"pictures/{file.name}" for file in (FOLDER / "pictures").iterdir())


def test_pictures_hold_no_words_and_no_references() -> None:
    for file in (FOLDER / "pictures").glob("*.svg"):
        drawing = file.read_text(encoding="utf-8")
        for label in re.findall(r"<text[^>]*>([^<]*)</text>", drawing):
            assert re.fullmatch(r"[$\u2212]?\d+", label), f"{file.name}: {label}"
        assert not re.search(r"href|url\(|\bid=|<style|<script", drawing), file.name


@pytest.mark.skipif(not PRINTED.is_file(), reason="the printed rulebook is not beside this checkout")
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_is_copied_from_the_printed_rulebook(language: str) -> None:
    length = LONGEST_SHARED_RUN + 1
    printed = runs_of_words(PRINTED.read_text(encoding="utf-8"), length)
    copied = runs_of_words(rulebook(language), length) & printed
    assert printed
    assert sorted(" ".join(run) for run in copied) == []
