"""Everything a player reads, in English and Spanish."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.browsing import ROOT, Visit, play_against

SOURCES = ROOT / "web" / "src"
CATALOGUES = {language: SOURCES / f"words.{language}.json" for language in ("en", "es")}
OF_GAMES = ("games", "cards")  # their words are in the games' own catalogues


def words(language: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(CATALOGUES[language].read_text(encoding="utf-8"))
    return read


def holes(message: Any) -> set[str]:
    return set(re.findall(r"{(\w+)}", json.dumps(message)))


def test_both_languages_say_the_same_things() -> None:
    english, spanish = words("en"), words("es")
    assert list(english) == list(spanish)
    for key in english:
        assert holes(english[key]) == holes(spanish[key]), key
        assert isinstance(english[key], dict) == isinstance(spanish[key], dict), key


@pytest.mark.parametrize("source", sorted(SOURCES.rglob("*.svelte")), ids=lambda path: path.name)
def test_a_sentence_that_the_page_says_is_in_its_catalogue(source: Path) -> None:
    if source.relative_to(SOURCES).parts[0] in OF_GAMES:
        return
    said = re.findall(r'\bsay\(\s*"([^"]+)"', source.read_text(encoding="utf-8"))
    own = source.parent / "words.en.json"  # of a screen that comes later
    known = words("en") | (json.loads(own.read_text(encoding="utf-8")) if own.exists() else {})
    assert [key for key in said if key not in known] == []


def test_no_sentence_is_left_over() -> None:
    text = "".join(
        path.read_text(encoding="utf-8") for path in SOURCES.rglob("*") if path.suffix in (".svelte", ".ts")
    )
    built = [
        re.compile(re.sub(r"\\\$\\\{.*?\\\}", ".+", re.escape(key)))
        for key in re.findall(r"`([\w.${}\[\]-]+)`", text)
    ]

    def used(key: str) -> bool:
        return f'"{key}"' in text or any(pattern.fullmatch(key) for pattern in built)

    assert [key for key in words("en") if not used(key)] == []


def test_the_browsers_language_is_spoken(visit: Visit) -> None:
    page = visit(locale="es-ES")
    expect(page.get_by_role("heading", name="¿A qué jugamos?")).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "es"


def test_the_language_changes_at_once_and_stays(page: Page) -> None:
    page.get_by_role("button", name="Español").click()
    expect(page.get_by_role("heading", name="¿A qué jugamos?")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="¿A qué jugamos?")).to_be_visible()


def test_at_a_table_the_log_changes_its_language_too(visit: Visit) -> None:
    page = visit()
    play_against(page)
    expect(page.get_by_role("log")).to_contain_text("Round 1 begins")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Español").click()
    expect(page.get_by_role("log")).to_contain_text("Empieza la ronda 1")


def test_the_rulebook_comes_in_the_language_chosen(visit: Visit) -> None:
    page = visit("/rules/kaching", locale="es-ES")
    expect(page.get_by_role("heading", level=1, name="Ka-Ching!")).to_be_visible()
    expect(page.locator(".rulebook")).to_contain_text("comodín")
