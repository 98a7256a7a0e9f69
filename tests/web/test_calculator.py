"""The score calculator for people with real cards."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from kibitz.core.words import catalogue
from kibitz.games.cash.sheets import score_rounds
from tests.web.browsing import PHONE, SIZES, Visit, axe

MONEY = catalogue("en").money

PARTS = {
    "tabled": "Cash on the firm, not insured",
    "insured": "Insured cash",
    "firm": "Other cards on the firm",
    "hand": "Cash in hand",
    "bears": "Other cards in hand",
}
ROUNDS: list[dict[str, Any]] = [
    {
        "players": [
            {"tabled": {"cash-25": 3}, "insured": {"cash-50": 1}, "venture": 1},
            {"hand": {"cash-75": 1}, "recession": 1, "venture_held": 1},
            {"tabled": {"cash-150": 1}, "taxman": 1},
        ]
    },
    {"players": [{"hand": {"cash-5": 2}}, {"tabled": {"cash-150": 1}, "venture": 1}, {"crash": 2}]},
]
OTHERS = {
    "venture": ("firm", "venture capital"),
    "taxman": ("firm", "taxman"),
    "crash": ("bears", "market crash"),
    "recession": ("bears", "recession"),
    "venture_held": ("bears", "venture capital"),
}


def field(page: Page, part: str, label: str) -> Locator:
    return page.get_by_role("group", name=PARTS[part], exact=True).get_by_label(label, exact=True)


def cash(page: Page, part: str, thousands: int) -> Locator:
    return field(page, part, MONEY(1000 * thousands))


def enter(page: Page, player: dict[str, Any]) -> None:
    for key, value in player.items():
        if isinstance(value, dict):
            for card, count in value.items():
                cash(page, key, int(card.partition("-")[2])).fill(str(count))
        else:
            field(page, *OTHERS[key]).fill(str(value))


def one_more(page: Page, part: str, label: str) -> Locator:
    return page.get_by_role("group", name=PARTS[part], exact=True).get_by_role(
        "button", name=f"One more: {label}", exact=True
    )


def enter_rounds(page: Page) -> None:
    page.get_by_role("button", name="Add a player").click()
    for number, name in enumerate(("Ana", "Bea", "Cid")):
        page.get_by_role("textbox", name=f"Player {number + 1}").fill(name)
    for number, sheet in enumerate(ROUNDS):
        if number:
            page.get_by_role("button", name="Next round").click()
        for seat, player in enumerate(sheet["players"]):
            if seat:
                page.get_by_role("button", name=re.compile("^Next: ")).click()
            enter(page, player)


def totals(page: Page) -> Locator:
    return page.get_by_role("region", name="Totals").get_by_role("listitem")


def expect_totals(page: Page, *expected: int) -> None:
    names = ("Ana", "Bea", "Cid")
    expect(totals(page)).to_have_text(
        [
            re.compile(rf"{name}\s+{re.escape(MONEY(total))}$")
            for name, total in zip(names, expected, strict=True)
        ]
    )


def test_two_rounds_are_counted_kept_and_undone(visit: Visit) -> None:
    page = visit()
    page.get_by_role("link", name="Score calculator for CASH").click()
    enter_rounds(page)
    answers = score_rounds(ROUNDS)
    expect_totals(page, *answers[-1]["totals"])
    for number, answer in enumerate(answers):
        rows = page.get_by_role("article").nth(number).locator("tbody tr")
        steps = [
            [player["steps"][step] for player in answer["players"]] for step in answer["players"][0]["steps"]
        ]
        for row, amounts in enumerate(filter(any, steps)):
            expect(rows.nth(row).locator("td")).to_have_text([MONEY(amount) for amount in amounts])
    page.reload()
    expect_totals(page, *answers[-1]["totals"])
    one_more(page, "bears", "market crash").click()
    expect(field(page, "bears", "market crash")).to_have_value("3")
    page.get_by_role("button", name="Undo").click()
    expect(field(page, "bears", "market crash")).to_have_value("2")
    expect_totals(page, *answers[-1]["totals"])
    page.get_by_role("button", name="Delete round 1").click()
    expect_totals(page, *score_rounds(ROUNDS[1:])[-1]["totals"])
    page.reload()
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Edit round 1").click()
    expect(cash(page, "tabled", 25)).to_have_value("3")
    expect_totals(page, *answers[-1]["totals"])


def test_more_cards_than_any_box_holds_are_refused_at_their_place(visit: Visit) -> None:
    page = visit("/score/cash")
    cash(page, "tabled", 150).fill("1")
    expect(totals(page).first).to_contain_text("$150k")
    cash(page, "hand", 150).fill("999")
    refused = cash(page, "hand", 150)
    expect(refused).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_role("alert")).to_contain_text("$150k from 0 to")
    expect(totals(page).first).to_contain_text("$150k")  # the rest is counted all the same
    page.get_by_role("button", name="Next: Player 2").click()
    expect(page.get_by_role("alert")).to_contain_text("Player 1, round 1")
    page.get_by_role("button", name="Show me").click()
    page.get_by_role("button", name="Undo").click()
    expect(totals(page).first).to_contain_text("$150k")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_more_cards_than_our_box_has_are_counted_with_a_warning(visit: Visit) -> None:
    page = visit("/score/cash")
    cash(page, "hand", 150).fill("3")
    warning = page.get_by_role("status").filter(has_text="the box as Kibitz knows it")
    expect(warning).to_have_text(
        "That makes 3 × $150k in all; the box as Kibitz knows it has 2. Counted all the same."
    )
    expect(totals(page).first).to_contain_text("−$450k")
    cash(page, "hand", 150).fill("2")
    expect(warning).to_have_count(0)


def test_whoever_reaches_the_target_alone_has_won(visit: Visit) -> None:
    page = visit("/score/cash")
    page.get_by_label("Dollars to reach").fill("50000")
    cash(page, "tabled", 50).fill("1")
    expect(page.get_by_role("status").filter(has_text="wins")).to_have_text("Player 1 wins with $50k.")
    page.get_by_role("button", name="Next: Player 2").click()
    cash(page, "insured", 50).fill("1")
    expect(page.get_by_text("wins with")).to_have_count(0)


def test_the_calculator_speaks_spanish(visit: Visit) -> None:
    page = visit("/score/cash", locale="es-ES")
    expect(page.get_by_role("heading", level=1)).to_have_text("Calculadora de puntos de CASH")
    expect(page.get_by_role("group", name="Dinero asegurado")).to_be_visible()
    assert "calculator." not in page.locator("main").inner_text()


def test_a_game_without_a_calculator_says_so(visit: Visit) -> None:
    page = visit("/score/kaching")
    expect(page.get_by_role("heading", name="This game needs no calculator")).to_be_visible()


@SIZES
def test_the_calculator_is_accessible(visit: Visit, size: ViewportSize) -> None:
    page = visit("/score/cash", viewport=size, reduced_motion="reduce")
    enter_rounds(page)
    expect(page.get_by_role("article")).to_have_count(2)
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        assert axe(page) == [], theme


def test_a_phone_never_scrolls_sideways_here(visit: Visit) -> None:
    page = visit("/score/cash", viewport=PHONE)
    for _ in range(6):
        page.get_by_role("button", name="Add a player").click()
    page.get_by_role("textbox", name="Player 8").fill("M" * 24)
    expect(totals(page)).to_have_count(8)
    expect(page.get_by_role("article").locator("thead th")).to_have_count(8)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_only_the_score_is_printed(visit: Visit) -> None:
    page = visit("/score/cash")
    expect(page.get_by_role("article")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.get_by_role("button", name="Next: Player 2")).to_be_hidden()
    expect(page.get_by_role("banner")).to_be_hidden()
    expect(page.get_by_role("article")).to_be_visible()


@pytest.mark.parametrize("key", ["ArrowUp", "2"])
def test_counts_are_entered_by_keys(visit: Visit, key: str) -> None:
    page = visit("/score/cash")
    cash(page, "tabled", 5).focus()
    page.keyboard.press(key)
    expect(cash(page, "tabled", 5)).to_have_value("1" if key == "ArrowUp" else key)
    page.keyboard.press("Tab")
    expect(cash(page, "tabled", 10)).to_be_focused()
