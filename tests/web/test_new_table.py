"""The form for a new table: options that act, what they take, and why a combination is refused."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.browsing import Visit, middle

ROUNDS = re.compile("Rounds|Rondas")


def form(visit: Visit, locale: str = "en-US") -> Page:
    """The form, unfolded."""
    page = visit("/new/kaching", locale=locale)
    page.locator(".more summary").click()
    return page


def choose_series(page: Page, series: str) -> None:
    page.get_by_label(re.compile("^Serie")).select_option(series)


def test_an_option_without_effect_is_not_asked_for(visit: Visit) -> None:
    page = form(visit)
    expect(page.get_by_label("Series")).to_be_visible()
    expect(page.get_by_label(ROUNDS)).to_have_count(0)
    choose_series(page, "Total profit of several rounds")
    expect(page.get_by_label(ROUNDS)).to_have_value("3")


def test_what_was_chosen_for_an_option_without_effect_is_not_sent(visit: Visit) -> None:
    page = form(visit)
    choose_series(page, "Total profit of several rounds")
    page.get_by_label(ROUNDS).fill("4")
    choose_series(page, "Best of several rounds")
    choose_series(page, "One round")
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator(".table")).to_be_visible()
    expect(page.locator(".series")).to_have_count(0)


@pytest.mark.parametrize(
    ("locale", "open_table", "reason"),
    [
        ("en-US", "Open the table", "odd number of rounds"),
        ("es-ES", "Abrir la mesa", "número impar de rondas"),
    ],
)
def test_a_bad_combination_is_refused_in_the_readers_language(
    visit: Visit, locale: str, open_table: str, reason: str
) -> None:
    page = form(visit, locale)
    choose_series(page, "best_of")
    page.get_by_label(ROUNDS).fill("4")
    page.get_by_role("button", name=open_table).click()
    expect(page.get_by_text(reason)).to_be_visible()
    expect(page.get_by_label(ROUNDS)).to_have_value("4")


def test_what_contradicts_can_not_be_chosen_together(visit: Visit) -> None:
    page = form(visit)
    onlookers, advice = page.get_by_label("Who may look on"), page.get_by_label("When Kibitz may advise")
    late = onlookers.locator("option[value=late]")
    onlookers.select_option("late")
    page.get_by_label("Rated:").check()
    expect(onlookers).to_have_value("end")
    expect(late).to_have_count(0)
    expect(page.get_by_label("How many moves late")).to_have_count(0)
    expect(advice).to_be_disabled()
    page.get_by_label("Rated:").uncheck()
    expect(late).to_have_count(1)
    expect(advice).to_be_enabled()
    listed = page.get_by_label("Public:")
    listed.check()
    expect(page.locator("#seat-1")).to_have_value("open")
    page.locator("#seat-1").select_option("easy")
    expect(listed).not_to_be_checked()  # nobody could come


def with_options(*options: dict[str, Any]) -> dict[str, Any]:
    """A game of 2 to 8 with these options."""
    return {
        "name": "kaching",
        "title": "Ka-Ching!",
        "players": [2, 3, 4, 5, 6, 7, 8],
        "best_with": 5,
        "minutes": 20,
        "tagline": {"en": "", "es": ""},
        "options": [{"seats": False, "only_with": None, **option} for option in options],
        "ready": True,
    }


def test_a_limit_of_which_there_may_be_none_is_a_number_or_left_empty(visit: Visit) -> None:
    facts = with_options(
        {"name": "rounds", "default": None, "choices": [{"value": None}, {"from": 1, "to": 100}]},
        {"name": "target", "default": 1_000_000, "choices": [{"from": 1, "to": 100_000_000}]},
    )
    page = visit()
    page.route("**/api/games", lambda route: route.fulfill(json=[facts]))
    sent: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))
    page.goto("/new/kaching")
    expect(page.get_by_role("radio", name="5", exact=True)).to_be_checked()  # it is best with five
    page.locator(".more summary").click()
    rounds, target = page.locator("form input[type=number]").all()
    expect(rounds).to_have_value("")
    expect(rounds).to_have_attribute("placeholder", "none")
    expect(target).to_have_value("1000000")
    rounds.fill("7")
    rounds.fill("")
    target.fill("50")
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("button", name="Close")).to_be_visible()  # Ka-Ching! knows no target
    (order,) = (frame for frame in sent if '"create"' in frame)
    assert '"options":{"target":50}' in order


def test_the_second_of_two_fast_clicks_opens_no_table_and_what_is_chosen_can_be_read(page: Page) -> None:
    card = page.locator("article[data-game=match] .primary")
    card.scroll_into_view_if_needed()
    page.mouse.move(*middle(card))
    page.mouse.down()
    page.mouse.up()
    level = page.get_by_role("button", name="Medium bot")
    page.mouse.move(*middle(level))
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    chosen = page.locator(".players .chosen")
    page.locator(".players label").nth(3).click()
    expect(chosen).to_have_text("5")
    seen = """async each => {
        await Promise.all(each.getAnimations().map(one => one.finished));
        return [getComputedStyle(each).color, getComputedStyle(each).backgroundColor];
    }"""
    under_the_pointer = chosen.evaluate(seen)
    page.mouse.move(0, 0)
    assert chosen.evaluate(seen) == under_the_pointer
    assert len(set(under_the_pointer)) == 2
    level.click()
    expect(page.locator(".stage")).to_be_visible()
