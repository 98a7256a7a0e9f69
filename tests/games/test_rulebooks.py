"""Every game's rulebook: the same in both languages, complete, illustrated, and in our own words."""

import re
import subprocess
import sys

import pytest

import kibitz
from tests.games.rulebooks import LANGUAGES, ROOT, folder_of, rulebook

GAMES = pytest.mark.parametrize("game", kibitz.games())
BOTH = pytest.mark.parametrize("language", LANGUAGES)
PRINTED = ROOT.parent / "shared" / "rulebooks"
RULINGS = {
    "kaching": ("K", 9),
    "kazink": ("Z", 18),
    "cash": ("C", 35),
    "assets": ("A", 12),
    "match": ("M", 8),
}
LONGEST_SHARED_RUN = 7  # words in a row; longer runs would be copying


def pictures(text: str) -> list[tuple[str, str]]:
    """What is told of each picture, and where it is."""
    return re.findall(r"!\[([^\]]*)\]\(([^)]*)\)", text)


def runs_of_words(text: str, length: int) -> set[tuple[str, ...]]:
    words = re.findall(r"[^\W_]+", text.lower())
    return {tuple(words[i : i + length]) for i in range(len(words) - length + 1)}


@GAMES
def test_headings_are_parallel_in_both_languages(game: str) -> None:
    english, spanish = (re.findall(r"^(#+) \S", rulebook(game, one), re.MULTILINE) for one in LANGUAGES)
    assert english == spanish
    assert english[0] == "#"
    assert english.count("#") == 1
    assert len(english) > 10


@GAMES
@pytest.mark.parametrize("start", ["> ", "- ", r"\d\. "], ids=["examples", "items", "steps"])
def test_both_languages_have_as_many_examples_items_and_steps(game: str, start: str) -> None:
    english, spanish = (len(re.findall(f"^{start}", rulebook(game, one), re.MULTILINE)) for one in LANGUAGES)
    assert english == spanish


@GAMES
@BOTH
def test_every_ruling_is_an_item_in_order(game: str, language: str) -> None:
    letter, count = RULINGS[game]
    found = re.findall(rf"^- \*\*({letter}\d+)\*\* \S", rulebook(game, language), re.MULTILINE)
    assert found == [f"{letter}{i}" for i in range(1, count + 1)]


@GAMES
def test_both_languages_show_every_picture_in_the_same_order(game: str) -> None:
    english, spanish = ([path for _, path in pictures(rulebook(game, one))] for one in LANGUAGES)
    assert english == spanish
    assert sorted(english) == sorted(
        f"pictures/{file.name}" for file in (folder_of(game) / "pictures").iterdir()
    )


@GAMES
@BOTH
def test_every_picture_is_told_in_words(game: str, language: str) -> None:
    assert [path for told, path in pictures(rulebook(game, language)) if len(told.split()) < 4] == []


@GAMES
def test_pictures_hold_no_references(game: str) -> None:
    """Several pictures may be put into one page."""
    for file in (folder_of(game) / "pictures").glob("*.svg"):
        drawing = file.read_text(encoding="utf-8")
        assert not re.search(r"href|url\(|\bid=|<style|<script", drawing), file.name


def test_the_pictures_are_what_the_script_draws() -> None:
    script = ROOT / "scripts" / "draw_pictures.py"
    done = subprocess.run(
        [sys.executable, str(script), "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(not PRINTED.is_dir(), reason="the printed rulebooks are not beside this checkout")
@GAMES
@BOTH
def test_no_sentence_is_copied_from_the_printed_rulebook(game: str, language: str) -> None:
    length = LONGEST_SHARED_RUN + 1
    printed = runs_of_words((PRINTED / f"{game}.txt").read_text(encoding="utf-8"), length)
    copied = runs_of_words(rulebook(game, language), length) & printed
    assert printed
    assert sorted(" ".join(run) for run in copied) == []
