"""Money is written in one way: in full in sentences, in thousands or millions on small cards and marks."""

import re
from pathlib import Path

import msgspec
import pytest

import kibitz
from kibitz.core.words import LANGUAGES, Message, catalogue
from tests.core.test_words import FOLDERS, forms, messages

ROOT = Path(kibitz.__file__).parent.parent
# Amounts in full and in short, for Python and for the page: `web/tests/money.test.ts` reads the same.
AMOUNTS = msgspec.json.decode(
    (ROOT / "web/tests/money.json").read_bytes(), type=dict[str, list[tuple[int, str, str]]]
)
PAGE = [*FOLDERS, ROOT / "web/src", ROOT / "web/src/games/default"]
FULL = r"\$(\{\w+\}|[1-9]\d{0,2}(,\d{3})*|0)(?![\d,.]*[\dkKM])(?! mil\b)"
SHORT = {"en": r"\$(\{amount\}|\d+)[kM]", "es": r"\$(\{amount\}|\d+) (mil|M)"}
WHERE_SHORT = ("mini.", "money.thousands", "money.millions")


def badly_written(text: str, form: str) -> list[str]:
    """What follows a dollar sign and isn't of a form, or has its minus in the wrong place."""
    dollars = [text[found.start() :][:20] for found in re.finditer(r"\$", text)]
    wrong = [rest for rest in dollars if not re.match(form, rest)]
    return wrong + re.findall(r"-\$|\$[-−]", text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_amounts_have_one_form_in_full_and_one_in_short(language: str) -> None:
    words = catalogue(language)
    for amount, full, short in AMOUNTS[language]:
        assert (words.money(amount), words.short_money(amount)) == (full, short)


@pytest.mark.parametrize("language", LANGUAGES)
def test_scores_in_dollars_are_written_as_dollars(language: str) -> None:
    for game in ("cash", "assets"):
        assert catalogue(language, f"kibitz.games.{game}").signed("points", -110_000) == "−$110,000"
    assert catalogue(language, "kibitz.games.match").signed("points", -13) == "−13"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("folder", PAGE, ids=lambda folder: folder.name)
def test_every_message_writes_money_so(folder: Path, language: str) -> None:
    found: dict[str, Message] = messages(folder, language)
    for key, message in found.items():
        form = SHORT[language] if key.startswith(WHERE_SHORT) else FULL
        assert [badly_written(text, form) for text in forms(message)] == [[]] * len(forms(message)), key


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", kibitz.games())
def test_every_rulebook_writes_money_so(game: str, language: str) -> None:
    text = (ROOT / f"kibitz/games/{game}/rulebook.{language}.md").read_text(encoding="utf-8")
    assert badly_written(text, FULL) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rulebook_of_cash_writes_its_thousands_out(language: str) -> None:
    text = (ROOT / f"kibitz/games/cash/rulebook.{language}.md").read_text(encoding="utf-8")
    assert [amount for amount in re.findall(r"\$([\d,]+)", text) if "," not in amount] == []


@pytest.mark.parametrize("wrong", ["$-110,000", "-$110,000", "$1,000k", "$5k", "$50 mil", "$1000", "$1.5M"])
def test_what_is_wrong_is_found(wrong: str) -> None:
    assert badly_written(f"That makes {wrong} in all.", FULL)
