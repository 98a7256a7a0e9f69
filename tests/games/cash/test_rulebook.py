"""What this game's rulebook must hold, beside what every rulebook must: test_rulebooks.py."""

from __future__ import annotations

import re

import pytest

from tests.games.cash.naive import CARD_ORDER, COPIES
from tests.games.rulebooks import LANGUAGES, folder_of, rulebook


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_is_in_the_table_with_its_copies(language: str) -> None:
    found: dict[str, int] = {}
    for _, codes, copies in re.findall(
        r"^\| ([^|`]+) \| (`[^|]+`) \| ([^|]+) \|$", rulebook("cash", language), re.MULTILINE
    ):
        names = re.findall(r"`([^`]+)`", codes)
        counts = [int(count) for count in re.findall(r"\d+", copies)]
        found |= dict(zip(names, counts * (len(names) if len(counts) == 1 else 1), strict=True))
    assert list(found) == CARD_ORDER
    assert found == COPIES


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "fact",
    ["216", "$1,000,000", "10 %", "5,000", "100", "200 − 10 + 5 = 195", "−110", " 25 ", " 75 ", " 150 "],
)
def test_the_figures_of_the_rules_are_there(language: str, fact: str) -> None:
    assert fact in rulebook("cash", language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_move_and_option_is_explained(language: str) -> None:
    plays = ["play license", "play stop", "play cash-25", "play cover-50 over cash-10 cash-25"]
    plays += [
        "play probe-crime on p2",
        "play settlement",
        "play venture",
        "play taxman",
        "discard takeover on p2",
    ]
    steps = [
        "done",
        "again",
        "trade p2",
        "give cash-25",
        "give firm cash-50",
        "want venture",
        "want firm taxman",
    ]
    steps += [
        "propose",
        "drop",
        "accept",
        "decline",
        "counter",
        "spare p1",
        "take",
        "trim stop",
        "pass cash-5",
        "discard dividend",
    ]
    options = ["target", "advanced", "recession", "tax", "trading", "rounds", "starter"]
    options += ["spare", "firm_trades", "any", "licensed", "offers", "10", "counter", "tie", "next", "target"]
    options += ["1000000", "75", "50", "harsh", "transfer", "random"]
    assert [word for word in plays + steps + options if f"`{word}`" not in rulebook("cash", language)] == []


def test_pictures_hold_no_words_and_no_references() -> None:
    for file in (folder_of("cash") / "pictures").glob("*.svg"):
        drawing = file.read_text(encoding="utf-8")
        for label in re.findall(r"<text[^>]*>([^<]*)</text>", drawing):
            assert re.fullmatch(r"[$\u2212]?\d+", label), f"{file.name}: {label}"
        assert not re.search(r"href|url\(|\bid=|<style|<script", drawing), file.name
