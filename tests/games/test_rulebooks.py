"""Every game's rulebook: the same in both languages, complete, illustrated, and in our own words."""

import json
import re
import subprocess
import sys

import pytest

import kibitz
from kibitz.core.words import catalogue
from tests.core.test_money import MONEY
from tests.games.rulebooks import LANGUAGES, ROOT, beside, folder_of, rulebook

GAMES = pytest.mark.parametrize("game", kibitz.games())
BOTH = pytest.mark.parametrize("language", LANGUAGES)
PRINTED = beside("rulebooks")
EXACT_RULES = beside("rules")
NOTATION = ROOT / "docs" / "notation"
NOTATED = [game for game in kibitz.games() if (NOTATION / f"{game}.md").exists()]
RULINGS = {
    "kaching": ("K", 9),
    "kazink": ("Z", 18),
    "cash": ("C", 35),
    "assets": ("A", 12),
    "match": ("M", 9),
}
LONGEST_SHARED_RUN = 7  # words in a row; longer runs would be copying


def pictures(text: str) -> list[tuple[str, str]]:
    """What is told of each picture, and where it is."""
    return re.findall(r"!\[([^\]]*)\]\(([^)]*)\)", text)


def runs_of_words(text: str, length: int) -> set[tuple[str, ...]]:
    words = re.findall(r"[^\W_]+", text.lower())
    return {tuple(words[i : i + length]) for i in range(len(words) - length + 1)}


@GAMES
def test_a_games_facts_are_of_its_rules(game: str) -> None:
    found = kibitz.game(game)
    assert found.best_with is None or found.best_with in found.players
    assert set(found.answers) <= set(found.text.PHASES)


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
    """One that shows money has a file for each language."""
    english, spanish = ([path for _, path in pictures(rulebook(game, one))] for one in LANGUAGES)
    assert english == [path.replace(".es.svg", ".svg") for path in spanish]
    assert {*english, *spanish} == {
        f"pictures/{file.name}" for file in (folder_of(game) / "pictures").iterdir()
    }


@GAMES
def test_pictures_hold_no_words_but_money_as_their_language_writes_it(game: str) -> None:
    for file in (folder_of(game) / "pictures").glob("*.svg"):
        language = "es" if file.name.endswith(".es.svg") else "en"
        for label in re.findall(r"<text[^>]*>([^<]*)</text>", file.read_text(encoding="utf-8")):
            if "$" in label:
                assert re.fullmatch(rf"−?{MONEY[language]}", label), f"{file.name}: {label}"
            else:
                assert not re.search(r"[^\W\d]{2}", label), f"{file.name}: {label}"


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


@pytest.mark.skipif(not EXACT_RULES.is_dir(), reason="the exact rules are not beside this checkout")
@GAMES
@BOTH
def test_every_ruling_of_the_exact_rules_is_an_item(game: str, language: str) -> None:
    exact = (EXACT_RULES / f"{game}.md").read_text(encoding="utf-8")
    ids = set(re.findall(rf"\b{RULINGS[game][0]}[1-9]\d?\b", exact))
    found = re.findall(r"^- \*\*(\w+)\*\* \S", rulebook(game, language), re.MULTILINE)
    assert len(ids) > 5
    assert sorted(ids - set(found)) == []


# What builders read


def test_every_game_but_one_has_a_page_for_builders() -> None:
    assert set(NOTATED) >= {"kaching", "kazink", "assets", "match"}
    written = {file.stem for file in NOTATION.glob("*.md")} - {"README"}
    assert written == set(NOTATED)


@pytest.mark.parametrize("game", NOTATED)
@BOTH
def test_the_rulebook_knows_no_notation(game: str, language: str) -> None:
    assert "`" not in rulebook(game, language)


@pytest.mark.parametrize("game", NOTATED)
@BOTH
def test_the_rulebook_explains_every_option_by_the_name_that_a_table_gives_it(
    game: str, language: str
) -> None:
    words = catalogue(language, kibitz.game(game).package)
    labels = [words(f"option.{option.name}") for option in kibitz.game(game).options]
    found = re.findall(r"^- \*\*([^*]+)\*\*: \S", rulebook(game, language), re.MULTILINE)
    assert [label for label in found if label in labels] == labels


def chapter(game: str, heading: str) -> str:
    """A chapter of a game's page for builders."""
    text = (NOTATION / f"{game}.md").read_text(encoding="utf-8")
    return text.split(f"\n## {heading}\n")[1].split("\n## ")[0]


@pytest.mark.parametrize("game", NOTATED)
def test_builders_find_every_kind_of_move(game: str) -> None:
    """Each example is a move of the game, and each first word of a move has one."""
    items = re.findall(r"^- (.*)$", chapter(game, "Moves"), re.MULTILINE)
    written = [text for item in items for text in re.findall(r"`([^`]+)`", item)]
    assert [kibitz.game(game).move(text) for text in written if " " in text]
    moves = [str(move) for move in kibitz.game(game).moves]
    assert {move.split(" ")[0] for move in moves} <= {text.split(" ")[0] for text in written}
    assert {move for move in moves if " " not in move} <= set(written)


@pytest.mark.parametrize("game", NOTATED)
def test_builders_find_every_option_in_its_order_with_its_default(game: str) -> None:
    rows = re.findall(r"^\| `(\w+)` \| .* \| `([^`]+)` \|$", chapter(game, "Options"), re.MULTILINE)
    declared = [(option.name, json.dumps(option.default)) for option in kibitz.game(game).options]
    assert rows == declared


@pytest.mark.parametrize("game", NOTATED)
def test_builders_find_every_key_of_a_position_in_its_order_and_every_phase(game: str) -> None:
    rows = re.findall(r"^\| (`.+?`) \|", chapter(game, "Position"), re.MULTILINE)
    keys = [key for row in rows for key in re.findall(r"`(\w+)`", row)]
    assert keys == ["phase", *kibitz.game(game).layout.keys]
    (phases,) = re.findall(r"^\| `phase` \| (.*) \|$", chapter(game, "Position"), re.MULTILINE)
    assert [phase for phase in kibitz.game(game).text.PHASES if f"`{phase}`" not in phases] == []


@pytest.mark.skipif(not PRINTED.is_dir(), reason="the printed rulebooks are not beside this checkout")
@GAMES
@BOTH
def test_no_sentence_is_copied_from_the_printed_rulebook(game: str, language: str) -> None:
    length = LONGEST_SHARED_RUN + 1
    printed = runs_of_words((PRINTED / f"{game}.txt").read_text(encoding="utf-8"), length)
    copied = runs_of_words(rulebook(game, language), length) & printed
    assert printed
    assert sorted(" ".join(run) for run in copied) == []
