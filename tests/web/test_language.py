"""Everything a player reads, in English and Spanish."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.browsing import ROOT, Visit, play_against

SOURCES = ROOT / "web" / "src"
FIRST, LATER = "words", "screens"  # catalogues: of home and tables, and of screens that are fetched later
OF_GAMES = ("games", "cards")  # their words are in the games' own catalogues
IMPORT = re.compile(r'^ *import (?!type )(?:[^"]*? from )?"(\.[^"]+)";', re.MULTILINE)


def catalogue(name: str, language: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((SOURCES / f"{name}.{language}.json").read_text(encoding="utf-8"))
    return read


def words(language: str) -> dict[str, Any]:
    return catalogue(FIRST, language) | catalogue(LATER, language)


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
    prefix = "host." if source.parent.name == "host" else ""  # as the host's desk says it
    assert [key for key in said if prefix + key not in words("en")] == []


def test_no_sentence_is_left_over() -> None:
    sources = [path for path in SOURCES.rglob("*") if path.suffix in (".svelte", ".ts")]
    assert unsaid(words("en"), sources) == []


def test_what_is_said_only_later_is_fetched_later() -> None:
    packs = SOURCES.glob("games/*/pack.ts")
    first = imported([SOURCES / "main.ts", SOURCES / "shuffle" / "DealCheck.svelte", *packs])
    assert unsaid(catalogue(FIRST, "en"), first) == []
    text = "".join(source.read_text(encoding="utf-8") for source in first)
    # A bare word may be anything in the sources
    later = [key for key in catalogue(LATER, "en") if "." in key]
    assert [key for key in later if f'"{key}"' in text] == []
    beginnings = tuple(re.findall(r"`([a-z][\w.-]*\.)\$\{", text))  # of keys that are put together
    assert [key for key in later if key.startswith(beginnings)] == []


def unsaid(keys: Iterable[str], sources: Iterable[Path]) -> list[str]:
    """Those that none of the sources names, nor puts together from a part that says something."""
    text = "".join(path.read_text(encoding="utf-8") for path in sources)
    built = [
        re.compile(re.sub(r"\\\$\\\{.*?\\\}", ".+", re.escape(key)))
        for key in re.findall(r"`([\w.${}\[\]-]+)`", text)
        if len(re.sub(r"\$\{.*?\}", "", key)) > 2
    ]
    return [key for key in keys if f'"{key}"' not in text and not any(one.fullmatch(key) for one in built)]


def imported(sources: list[Path]) -> set[Path]:
    """These, and all that they import, and so on."""
    found: set[Path] = set()
    while sources:
        source = sources.pop()
        if source in found:
            continue
        found.add(source)
        for name in IMPORT.findall(source.read_text(encoding="utf-8")):
            files = [(source.parent / f"{name}{ending}").resolve() for ending in ("", ".ts", ".svelte")]
            files.append((source.parent / name / "index.ts").resolve())
            sources += [file for file in files if file.is_file() and file.suffix in (".ts", ".svelte")]
    return found


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
