"""Everything a player reads exists in every language, and everything that is asked for exists."""

import ast
import inspect
import re
import string
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

import kibitz
from kibitz.core import game as core_game
from kibitz.core import state as core_state
from kibitz.core.game import Game
from kibitz.core.words import LANGUAGES, Message, Words, catalogue, users_language
from tests import tiny

PACKAGES = [Path(kibitz.__file__).parent, Path(tiny.__file__).parent]
FOLDERS = sorted(file.parent for package in PACKAGES for file in package.rglob("words.en.json"))
CORE = Path(kibitz.__file__).parent / "core"
ALWAYS_GIVEN = {"move", "game"}  # to the words of a refusal, beside its own data


def messages(folder: Path, language: str) -> dict[str, Message]:
    return msgspec.json.decode((folder / f"words.{language}.json").read_bytes(), type=dict[str, Message])


def forms(message: Message) -> list[str]:
    return [message] if isinstance(message, str) else list(message.values())


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def named(folder: Path) -> str:
    return folder.name


# The catalogues


def test_core_and_every_game_have_words() -> None:
    assert {"core", *kibitz.games()} <= {folder.name for folder in FOLDERS}


@pytest.mark.parametrize("folder", FOLDERS, ids=named)
def test_all_languages_have_the_same_keys_in_the_same_order(folder: Path) -> None:
    english = list(messages(folder, "en"))
    for language in LANGUAGES:
        assert list(messages(folder, language)) == english
    assert {file.name for file in folder.glob("words.*.json")} == {
        f"words.{language}.json" for language in LANGUAGES
    }


@pytest.mark.parametrize("folder", FOLDERS, ids=named)
def test_a_message_names_the_same_things_in_all_languages(folder: Path) -> None:
    for key, english in messages(folder, "en").items():
        expected = set().union(*map(placeholders, forms(english)))
        for language in LANGUAGES:
            message = messages(folder, language)[key]
            assert set().union(*map(placeholders, forms(message))) == expected, (key, language)


@pytest.mark.parametrize("folder", FOLDERS, ids=named)
def test_a_message_says_something_and_asks_for_plain_names_only(folder: Path) -> None:
    for language in LANGUAGES:
        for key, message in messages(folder, language).items():
            for text in forms(message):
                assert text.strip(), (key, language)
                assert all(name.isidentifier() for name in placeholders(text)), (key, language)


@pytest.mark.parametrize("folder", FOLDERS, ids=named)
def test_a_message_that_counts_has_one_and_other(folder: Path) -> None:
    for language in LANGUAGES:
        for key, message in messages(folder, language).items():
            if isinstance(message, dict):
                assert set(message) == {"one", "other"}, (key, language)
                assert "count" in placeholders(message["other"]), (key, language)


@pytest.mark.parametrize("folder", FOLDERS, ids=named)
def test_sentences_are_translated(folder: Path) -> None:
    """A line of several words that is the same in both languages was forgotten."""
    spanish = messages(folder, "es")
    for key, message in messages(folder, "en").items():
        for text in forms(message):
            words = [word for word in text.split() if word.isalpha()]
            if len(words) >= 3 and key != "title":
                assert text not in forms(spanish[key]), key


@pytest.mark.parametrize("folder", FOLDERS, ids=named)
def test_who_acts_is_spoken_to_in_the_log(folder: Path) -> None:
    """Else a hint would call its reader by name."""
    english = messages(folder, "en")
    told = [
        key for key in english if key.startswith("log.") and not key.endswith((".you", ".to-you", ".short"))
    ]
    for key in told:
        assert f"{key}.you" in english or "seat" not in placeholders(forms(english[key])[0]), key


def test_readers_of_spanish_are_not_taken_for_men() -> None:
    page = PACKAGES[0].parent / "web" / "src"
    files = [*PACKAGES[0].rglob("words.es.json"), *page.glob("*.es.json")]
    assert len(files) > 8
    for file in files:
        found = re.findall(r"\b(?:estoy|estás|estés) \w*(?<!nd)o\b(?<!bajo)", file.read_text(), re.IGNORECASE)
        assert found == [], file


# What a game asks for


def words_of(game: Game) -> list[Words]:
    return [game.words(language) for language in LANGUAGES]


def test_every_game_has_a_title_and_a_tagline(game: Game) -> None:
    for words in words_of(game):
        assert words("title")
        assert words("tagline")
    assert game.words("en")("title") == game.title


def test_every_phase_step_and_ending_has_words(game: Game) -> None:
    keys = [
        *(f"phase.{phase}" for phase in game.text.PHASES),
        *(f"step.{step}" for step in game.text.STEPS),
        *(f"ending.{ending}" for ending in game.text.ENDINGS[1:]),  # the first is: none yet
    ]
    for words in words_of(game):
        assert [key for key in keys if key not in words] == []


def test_every_option_and_each_of_its_named_values_has_words(game: Game) -> None:
    for option in game.options:
        values = [value for value in option.accepts if isinstance(value, str)]
        for words in words_of(game):
            assert f"option.{option.name}" in words
            assert [value for value in values if f"option.{option.name}.{value}" not in words] == []


def test_an_option_that_others_restrict_says_what_it_takes(game: Game) -> None:
    refused = [option.name for option in game.options if option.agrees]
    for words in words_of(game):
        assert [name for name in refused if f"option.{name}.refused" not in words] == []


def folder_of(game: Game) -> Path:
    assert isinstance(game.text, ModuleType)
    return Path(str(game.text.__file__)).parent


def source_of(game: Game) -> str:
    """All that a game is made of."""
    return "\n".join(file.read_text(encoding="utf-8") for file in sorted(folder_of(game).glob("*.py")))


def calls(source: str, name: str) -> Iterator[ast.Call]:
    """The calls of a function of that name in a source."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
            yield node


def refusals(source: str) -> dict[str, set[str]]:
    """Each code that a source refuses moves or sheets with, and the names of the data it always gives."""
    found: dict[str, set[str]] = {}
    for call in [*calls(source, "Refusal"), *calls(source, "BadSheet")]:
        code = call.args[0]
        assert isinstance(code, ast.Constant), "a refusal's code is written out"
        given = {keyword.arg for keyword in call.keywords if keyword.arg}
        given |= {"where"} if isinstance(call.func, ast.Name) and call.func.id == "BadSheet" else set()
        found[str(code.value)] = found.get(str(code.value), given) & given
    return found


def test_every_refusal_has_words_and_gives_what_they_name(game: Game) -> None:
    core = "\n".join(map(inspect.getsource, (core_game, core_state)))
    found = refusals(source_of(game)) | refusals(core)
    assert found
    for words in words_of(game):
        for code, given in found.items():
            for form in forms(words[f"refusal.{code}"]):
                assert placeholders(form) <= given | ALWAYS_GIVEN, code


def test_no_words_are_kept_for_refusals_that_no_longer_exist(game: Game) -> None:
    kept = {
        key.removeprefix("refusal.") for key in messages(folder_of(game), "en") if key.startswith("refusal.")
    }
    assert kept <= refusals(source_of(game)).keys()


def test_every_line_of_the_log_has_words_and_gives_what_they_name(game: Game) -> None:
    """Lines whose key is put together are met by playing, in test_events."""
    for call in calls(source_of(game), "Sentence"):
        key, data = call.args
        if not isinstance(key, ast.Constant):
            continue
        assert isinstance(data, ast.Dict)
        given = {node.value for node in data.keys if isinstance(node, ast.Constant)}
        for words in words_of(game):
            for form in forms(words[str(key.value)]):
                assert placeholders(form) <= given, key.value


def test_every_line_that_is_kept_is_told(game: Game) -> None:
    source = source_of(game)
    for key in (
        messages(folder_of(game), "en").keys() - messages(CORE, "en").keys()
    ):  # a game may word the core's anew
        if key.startswith("log."):
            form = key.removesuffix(".short").removesuffix(".many")
            told = form.removesuffix(".you").removesuffix(".to-you")
            start, _, _ = told.rpartition(".")
            assert f'"{told}"' in source or f'f"{start}.{{' in source, key


# Asking


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Words:
    """Words of a package that overrides one of the core's."""
    package = tmp_path / "sample_words"
    package.mkdir()
    (package / "__init__.py").touch()
    own = {
        "cards": {"one": "{count} card for {seat}", "other": "{count} cards for {seat}"},
        "log.over": "That's it.",
        "braces": "“{move}”",
    }
    (package / "words.en.json").write_bytes(msgspec.json.encode(own))
    monkeypatch.syspath_prepend(tmp_path)
    return Words("en", "kibitz.core", "sample_words")


@pytest.mark.parametrize(
    ("count", "sentence"), [(0, "0 cards for Ada"), (1, "1 card for Ada"), (2, "2 cards for Ada")]
)
def test_a_message_counts(sample: Words, count: int, sentence: str) -> None:
    assert sample("cards", count=count, seat="Ada") == sentence


def test_a_packages_words_stand_before_the_cores(sample: Words) -> None:
    assert sample("log.over") == "That's it."
    assert sample("refusal.over") == "The game is over."


def test_data_is_put_in_as_it_is_whatever_it_looks_like(sample: Words) -> None:
    assert sample("braces", move="{move} {0} {seat.x}") == "“{move} {0} {seat.x}”"


def test_a_message_that_is_not_there_is_an_error_not_an_empty_line(sample: Words) -> None:
    with pytest.raises(KeyError, match=r"no\.such\.message"):
        sample("no.such.message")
    with pytest.raises(KeyError, match="seat"):
        sample("cards", count=1)


def test_words_can_be_listed(sample: Words) -> None:
    assert "cards" in sample
    assert "title" not in sample
    assert len(sample) == len(list(sample)) == len(set(sample))
    assert sample["log.over"] == "That's it."


def test_spanish_is_spanish() -> None:
    assert catalogue("es")("log.over") == "La partida ha terminado."
    assert catalogue("es")("log.reshuffle", count=1) == "1 carta se baraja como nuevo mazo."


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "es_MX.UTF-8"}, "es"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "es_ES"}, "es"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "es_ES"}, "es"),
        ({"LC_ALL": "es_ES", "KIBITZ_LANGUAGE": "en"}, "en"),
        ({"LANG": "es_ES", "LC_ALL": ""}, "es"),
    ],
)
def test_the_environment_says_which_language_the_user_reads(
    environment: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("KIBITZ_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert users_language() == language
