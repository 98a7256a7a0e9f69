"""Money is written in one way: `$25k`, `$1M`, and `$20` where it is less; in Spanish `$25 mil` and `$1 M`."""

import re
from pathlib import Path

import msgspec
import pytest

import kibitz
from kibitz.core.words import LANGUAGES, Message, catalogue
from tests.core.test_words import FOLDERS, forms, messages

ROOT = Path(kibitz.__file__).parent.parent
# Amounts as they are written, for Python and for the page: `web/tests/money.test.ts` reads the same.
AMOUNTS = msgspec.json.decode(
    (ROOT / "web/tests/money.json").read_bytes(), type=dict[str, list[tuple[int, str]]]
)
PAGE = [*FOLDERS, ROOT / "web/src", ROOT / "web/src/games/default"]
# No thousand and more dollars are written out; a hole is filled with an amount in this very form.
UNIT = {"en": "[kM]", "es": "\N{NO-BREAK SPACE}(mil|M)"}
MONEY = {
    one: rf"\$(\d{{1,3}}(\.\d+)?{unit}|\d{{1,3}})(?![\d.,]*\d)(?! ?(mil|[kM])\b)"
    for one, unit in UNIT.items()
}


def badly_written(text: str, language: str) -> list[str]:
    """What follows a dollar sign and isn't of the form, or has its minus in the wrong place."""
    form = rf"{MONEY[language]}|\$\{{\w+\}}"
    dollars = [text[found.start() :][:20] for found in re.finditer(r"\$", text)]
    wrong = [rest for rest in dollars if not re.match(form, rest)]
    return wrong + re.findall(r"-\$|\$[-−]", text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_amounts_have_one_form(language: str) -> None:
    for amount, told in AMOUNTS[language]:
        assert catalogue(language).money(amount) == told
        assert badly_written(told, language) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_scores_in_dollars_are_written_as_dollars(language: str) -> None:
    for game in ("cash", "assets"):
        words = catalogue(language, f"kibitz.games.{game}")
        assert words("points", amount=-110_000) == words.money(-110_000)
    assert catalogue(language, "kibitz.games.match")("points", amount=-13) == "−13"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_dollar_sign_before_a_value_makes_it_money(language: str) -> None:
    words = catalogue(language, "kibitz.games.cash")
    told = words("refusal.over-limit", total=150_000, card="x", limit=25_000)
    assert words.money(150_000) in told
    assert words.money(25_000) in told
    assert "$? " in words("refusal.over-limit", total="?", card="x", limit=25_000)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("folder", PAGE, ids=lambda folder: folder.name)
def test_every_message_writes_money_so(folder: Path, language: str) -> None:
    found: dict[str, Message] = messages(folder, language)
    for key, message in found.items():
        assert [badly_written(text, language) for text in forms(message)] == [[]] * len(forms(message)), key


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", kibitz.games())
def test_every_rulebook_writes_money_so(game: str, language: str) -> None:
    text = (ROOT / f"kibitz/games/{game}/rulebook.{language}.md").read_text(encoding="utf-8")
    assert badly_written(text, language) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_card_of_cash_is_called_what_it_is_worth(language: str) -> None:
    words = catalogue(language, "kibitz.games.cash")
    for thousands in (5, 10, 25, 50, 75, 150):
        assert words(f"card.cash-{thousands}") == words.money(1000 * thousands)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rulebook_of_cash_forgets_no_thousand(language: str) -> None:
    text = (ROOT / f"kibitz/games/cash/rulebook.{language}.md").read_text(encoding="utf-8")
    assert re.findall(r"\$\d+(?![\d\N{NO-BREAK SPACE}kM])", text) == []


@pytest.mark.parametrize("wrong", ["$-110k", "-$110k", "$1,000k", "$50,000", "$50 mil", "$1000", "$50 k"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_wrong_is_found(wrong: str, language: str) -> None:
    assert badly_written(f"That makes {wrong} in all.", language)
