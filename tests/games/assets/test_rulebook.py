"""What this game's rulebook must hold, beside what every rulebook must: test_rulebooks.py."""

import re

import pytest

from kibitz.core.words import catalogue
from tests.games.assets.naive import FIRST
from tests.games.rulebooks import LANGUAGES, rulebook


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_is_listed_with_its_value_and_copies(language: str) -> None:
    words = catalogue(language, "kibitz.games.assets")
    for card, (value, copies) in FIRST.items():
        name = words(f"card.{card}")
        row = rf"^\| {name}[^|]* \| {re.escape(words.money(value))} \| {copies} \|$"
        assert re.search(row, rulebook("assets", language), re.MULTILINE), card
    for figure in ("110", "104", words.money(1_000_000), "2,000", "100"):
        assert figure in rulebook("assets", language)


@pytest.mark.parametrize(("language", "printed"), [("en", "printed rules"), ("es", "reglas impresas")])
def test_what_comes_from_outside_the_printed_text_is_told(language: str, printed: str) -> None:
    """Values, copies and players are those of the first edition; that the victim draws is a ruling."""
    book = rulebook("assets", language)
    outside = next(line for line in book.split("\n## ")[2].splitlines() if printed in line.lower())
    assert {"en": "first edition", "es": "primera edición"}[language] in outside
    assert printed in next(line for line in book.splitlines() if line.startswith("- **A1**")).lower()


@pytest.mark.parametrize(
    ("language", "rulings", "forget"), [("en", "Rulings", "forget"), ("es", "Aclaraciones", "olvida")]
)
def test_that_forgetting_is_an_option_is_told_as_a_ruling(language: str, rulings: str, forget: str) -> None:
    assert forget in rulebook("assets", language).split(f"\n## {rulings}\n")[1].split("\n- ")[0]
