"""Every game carries the same evidence: nobody has to remember what a new game needs."""

import ast
import importlib
import importlib.util
import re
from pathlib import Path

import pytest

import kibitz
from kibitz.core.words import LANGUAGES

ROOT = Path(kibitz.__file__).parent.parent
TESTS = Path(__file__).parent.parent / "games"
NAMES = kibitz.games()

# What every game's tests consist of, under these names; the chapters between setting up and the end differ.
EVIDENCE = (
    "positions.py",  # positions written out by what is special about them
    "naive.py",  # the twin
    "bad_input.py",  # cases for tests/games/test_bad_input.py
    "playthrough.txt",
    "test_setup.py",
    "test_end.py",
    "test_rulings.py",
    "test_views.py",
    "test_position.py",  # with positions for tests/games/test_position.py
    "test_bad_input.py",
    "test_twin.py",
    "test_mutants.py",
    "test_rulebook.py",
    "test_drawing.py",
)

# A ruling in a rulebook: **K1**
RULING = re.compile(r"\*\*([A-Z]{1,3}\d+)\*\*")


def folder_of(name: str) -> Path:
    """A game's own folder."""
    found = importlib.util.find_spec(kibitz.game(name).package)
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent


def rule_tests(name: str) -> list[Path]:
    return sorted((TESTS / name).glob("test_*.py"))


def functions(file: Path) -> list[str]:
    return [node.name for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.FunctionDef)]


def test_games_are_listed_in_the_order_of_the_box() -> None:
    order = ("kaching", "kazink", "cash", "assets", "match")
    dealt_with = [name for name in NAMES if name in order]
    assert dealt_with == [name for name in order if name in NAMES]


@pytest.mark.parametrize("name", NAMES)
def test_a_games_tests_have_the_usual_files(name: str) -> None:
    """docs/adding-a-game.md says what belongs into each."""
    assert [file for file in EVIDENCE if not (TESTS / name / file).exists()] == []


def test_every_folder_of_tests_is_that_of_a_game_and_none_changes_how_they_run() -> None:
    folders = {folder.name for folder in TESTS.iterdir() if folder.is_dir()} - {"__pycache__"}
    assert folders == set(NAMES)
    assert list(TESTS.rglob("conftest.py")) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_game_has_rule_tests_named_as_sentences(name: str) -> None:
    tests = [test for file in rule_tests(name) for test in functions(file) if test.startswith("test_")]
    assert len(tests) >= 40
    assert all(len(test.split("_")) >= 4 for test in tests)


@pytest.mark.parametrize("name", NAMES)
def test_a_game_has_a_naive_twin_that_knows_nothing_of_the_engine(name: str) -> None:
    twin = TESTS / name / "naive.py"
    assert {"legal_moves", "play", "score", "view"} <= set(functions(twin))
    tree = ast.parse(twin.read_text())
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)} | {
        alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
    }
    assert not {str(module).partition(".")[0] for module in modules} & {"kibitz", "numba", "numpy"}
    assert any("naive" in file.read_text() for file in rule_tests(name))


@pytest.mark.parametrize("name", NAMES)
def test_a_game_has_a_playthrough(name: str) -> None:
    assert len((TESTS / name / "playthrough.txt").read_text(encoding="utf-8").splitlines()) >= 50


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_a_game_has_a_rulebook_and_words_in_every_language(name: str, language: str) -> None:
    rulebook = (folder_of(name) / f"rulebook.{language}.md").read_text(encoding="utf-8")
    assert rulebook.startswith(f"# {kibitz.game(name).title}\n")
    assert len(rulebook) > 3000
    assert (folder_of(name) / f"words.{language}.json").exists()


@pytest.mark.parametrize("name", NAMES)
def test_the_rulebooks_have_the_same_rulings_and_the_same_shape(name: str) -> None:
    """As many headings of each depth, the same rulings, and the same pictures, some in each language."""
    books = [
        (folder_of(name) / f"rulebook.{language}.md").read_text(encoding="utf-8") for language in LANGUAGES
    ]
    for pattern in (r"^#+", r"\]\((pictures/[^).]+)(?:\.[a-z]{2})?\.svg\)", RULING.pattern):
        found = [re.findall(pattern, book, re.MULTILINE) for book in books]
        assert all(each == found[0] for each in found), pattern
        assert found[0], pattern


@pytest.mark.parametrize("name", NAMES)
def test_every_ruling_of_the_rulebook_is_named_by_a_test(name: str) -> None:
    rulebook = (folder_of(name) / "rulebook.en.md").read_text(encoding="utf-8")
    rulings = set(RULING.findall(rulebook))
    assert rulings
    tests = "\n".join(file.read_text(encoding="utf-8") for file in rule_tests(name))
    assert sorted(ruling for ruling in rulings if f"[{ruling}]" not in tests) == []


@pytest.mark.parametrize("name", NAMES)
def test_every_ruling_of_the_rulebook_is_misread_by_a_mutant(name: str) -> None:
    """And the comparison with the naive twin notices: so it says whether the ruling holds."""
    rulebook = (folder_of(name) / "rulebook.en.md").read_text(encoding="utf-8")
    mutants = importlib.import_module(f"tests.games.{name}.test_mutants").MUTANTS
    named = {ruling for mutant in mutants for ruling in re.findall(r"\[(\w+)\]", mutant)}
    assert named == set(RULING.findall(rulebook))


@pytest.mark.parametrize("name", NAMES)
def test_every_ruling_that_the_rules_or_words_cite_is_in_the_rulebook(name: str) -> None:
    rulings = set(RULING.findall((folder_of(name) / "rulebook.en.md").read_text(encoding="utf-8")))
    files = [*folder_of(name).glob("*.py"), *folder_of(name).glob("words.*.json")]
    cited = {ruling for file in files for ruling in re.findall(r"\[([A-Z]{1,3}\d+)\]", file.read_text())}
    assert cited
    assert cited <= rulings


@pytest.mark.parametrize("name", NAMES)
def test_every_picture_of_the_rulebook_is_there(name: str) -> None:
    for language in LANGUAGES:
        book = (folder_of(name) / f"rulebook.{language}.md").read_text(encoding="utf-8")
        for picture in re.findall(r"\]\((pictures/[^)]+)\)", book):
            assert (folder_of(name) / picture).exists(), picture


@pytest.mark.parametrize("name", NAMES)
def test_a_games_rules_are_told_under_the_rulebooks_headings(name: str) -> None:
    headings = re.findall(r"^# (\d)\. (.+)$", (folder_of(name) / "rules.py").read_text(), re.MULTILINE)
    assert headings == [
        ("1", "In the box"),
        ("2", "The table"),
        ("3", "What a player may do"),
        ("4", "Setting up"),
        ("5", "A turn"),
        ("6", "The end"),
        ("7", "What each player sees"),
        ("8", "Imagining what is hidden"),
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_games_bots_have_a_heuristic_of_its_own(name: str) -> None:
    assert importlib.util.find_spec(f"kibitz.bots.heuristics.{name}") is not None


@pytest.mark.parametrize("name", NAMES)
def test_most_rule_tests_of_a_game_run_interpreted_too(name: str) -> None:
    marked = [file for file in rule_tests(name) if "pytest.mark.interpreted" in file.read_text()]
    assert len(marked) > len(rule_tests(name)) / 2
