"""Every catalogue of the package says the same things in every language."""

import json
import re
from pathlib import Path

import pytest

import kibitz
from kibitz.core.words import LANGUAGES
from kibitz.terminal.play import CHOICES, COMMANDS

PACKAGE = Path(kibitz.__file__).parent
FOLDERS = sorted({file.parent for file in PACKAGE.rglob("words.*.json")})


def messages(folder: Path, language: str) -> dict[str, str | dict[str, str]]:
    read: dict[str, str | dict[str, str]] = json.loads((folder / f"words.{language}.json").read_text("utf-8"))
    return read


def names_in(message: str | dict[str, str]) -> set[str]:
    text = message if isinstance(message, str) else " ".join(message.values())
    return set(re.findall(r"\{(\w+)", text))


def test_there_are_catalogues() -> None:
    assert {PACKAGE / "core", PACKAGE / "terminal", PACKAGE / "games" / "kaching"} <= set(FOLDERS)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_message_is_there_in_every_language(folder: Path) -> None:
    english = messages(folder, "en")
    for language in LANGUAGES:
        assert messages(folder, language).keys() == english.keys()


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_no_message_asks_for_data_that_the_english_one_does_not_have(folder: Path) -> None:
    english = messages(folder, "en")
    for language in LANGUAGES:
        for key, message in messages(folder, language).items():
            assert names_in(message) <= names_in(english[key]), key


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_message_that_counts_has_both_forms(folder: Path) -> None:
    for language in LANGUAGES:
        for message in messages(folder, language).values():
            assert isinstance(message, str) or message.keys() == {"one", "other"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_commands_share_a_word(language: str) -> None:
    words = messages(PACKAGE / "terminal", language)
    assert len({str(words[f"terminal.command.{name}"]) for name in COMMANDS}) == len(COMMANDS)
    assert len({str(words[f"terminal.choice.{name}"])[0] for name in CHOICES}) == len(CHOICES)
