"""No word is kept for a table that neither the page nor the terminal says."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import kibitz
from tests.web.browsing import ROOT

KINDS = ("table", "kind", "about", "effect")  # words that only tables say
WORD = re.compile(rf"[\"'`]((?:{'|'.join(KINDS)})\.[^\"'`]*)")
FILLED_IN = re.compile(r"\$?\{[^}]*(\}|$)")
ANY = "table." + "@"  # a template that is filled in with a whole name; the name has to be somewhere, too


def sources(game: str) -> Iterator[Path]:
    yield from (ROOT / "web" / "src" / "games" / game).rglob("*.*")
    yield ROOT / "web" / "src" / "games" / "model.svelte.ts"  # what every table says
    yield ROOT / "kibitz" / "terminal" / "drawings" / f"{game}.py"


@pytest.mark.parametrize("game", kibitz.games())
def test_every_word_for_a_table_is_said(game: str) -> None:
    source = "\n".join(file.read_text(encoding="utf-8") for file in sources(game))
    templates = {FILLED_IN.sub("@", word) for word in WORD.findall(source)}
    said = [re.escape(word).replace("@", r"[\w.-]*") for word in templates - {ANY}]
    words = json.loads((ROOT / "kibitz" / "games" / game / "words.en.json").read_text(encoding="utf-8"))
    for key in words:
        if key.split(".")[0] in KINDS:
            named = ANY in templates and f'"{key.removeprefix("table.")}"' in source
            assert named or any(re.fullmatch(word, key) for word in said), key


@pytest.mark.parametrize("language", ["en", "es"])
def test_what_stands_on_a_card_is_a_word_of_its_name(language: str) -> None:
    """It would be another thing on the card than in the log."""
    words = json.loads((ROOT / "kibitz" / "games" / "assets" / f"words.{language}.json").read_text("utf-8"))
    for key, printed in words.items():
        if key.startswith("mini."):
            name = words[key.replace("mini", "card")].casefold().split()
            assert any(word.startswith(printed.casefold()[:4]) for word in name), key
