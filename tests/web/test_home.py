"""The home page: the games, my tables, me."""

import re
import sqlite3
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from kibitz.server.stores.store_file import FILE
from tests.web.browsing import DESKTOP, PHONE, Guest, Visit, play_against

TITLES = ("Ka-Ching!", "Kazink!", "CASH", "Cover Your Assets", "MATCH!")
MARKUP = "<img src=x onerror=x()>"


def test_the_five_games_are_on_the_shelf_each_with_a_real_position(page: Page) -> None:
    for title in TITLES:
        heading = page.get_by_role("heading", name=title, exact=True)
        heading.scroll_into_view_if_needed()
        table = page.locator("article", has=heading).locator(".table")
        expect(table.locator("[data-place]").first).to_be_attached()
        assert table.evaluate("each => each.closest('[inert][aria-hidden=true]') !== null")


def test_two_clicks_lead_to_a_table(page: Page) -> None:
    page.get_by_role("link", name="Ka-Ching!", exact=True).click()
    page.get_by_role("button", name="Medium bot").click()
    expect(page.locator(".stage")).to_be_visible()
    expect(page).to_have_url(re.compile("/t/"))


def test_a_table_is_found_again_from_the_home_page(visit: Visit) -> None:
    page = visit()
    play_against(page)
    address = page.url
    page.goto("/")
    page.get_by_role("region", name="Your tables").get_by_role("link").click()
    expect(page).to_have_url(address)
    expect(page.locator(".stage")).to_be_visible()


def test_a_name_can_be_changed_and_stays(page: Page) -> None:
    page.get_by_role("button", name="Change").click()
    page.get_by_label("Your name").fill("Ana de Armas")
    page.keyboard.press("Enter")
    expect(page.get_by_text("You are Ana de Armas")).to_be_visible()
    page.reload()
    expect(page.get_by_text("You are Ana de Armas")).to_be_visible()


def test_a_name_is_text_and_never_markup(page: Page) -> None:
    page.get_by_role("button", name="Change").click()
    page.get_by_label("Your name").fill(MARKUP)
    page.keyboard.press("Enter")
    expect(page.get_by_text(MARKUP)).to_be_visible()
    assert page.locator("img[src=x]").count() == 0


def test_the_theme_is_chosen_and_stays(page: Page) -> None:
    def background() -> str:
        colour: str = page.evaluate("getComputedStyle(document.body).backgroundColor")
        return colour

    light = background()
    page.get_by_role("button", name="Theme: as the system").click()
    page.get_by_role("button", name="Theme: light").click()
    dark = background()
    page.reload()
    assert background() == dark != light


def test_nothing_comes_from_elsewhere(visit: Visit, server: str) -> None:
    page = visit()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    play_against(page)
    page.goto("/rules/kaching")
    page.get_by_role("heading", name="The idea").wait_for()
    assert asked
    assert [url for url in asked if not url.startswith(server)] == []


@pytest.mark.parametrize("path", ["/", "/new/kaching", "/rules/kaching", "/t/NOWHERE"])
def test_a_phone_never_scrolls_sideways(visit: Visit, path: str) -> None:
    page = visit(path, viewport=PHONE)
    page.locator("h1").wait_for()
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize("path", ["/", "/new/kaching"])
def test_a_finger_finds_every_button(visit: Visit, path: str) -> None:
    page = visit(path, viewport=PHONE)
    page.locator("h1").wait_for()
    page.get_by_text("Ka-Ching!").first.wait_for()
    sizes = page.evaluate(
        """() => [...document.querySelectorAll("button, .button, select, summary, header a")]
        .filter(each => each.checkVisibility())
        .map(each => [each.textContent.trim() || each.ariaLabel, each.getBoundingClientRect().height])"""
    )
    assert sizes
    assert [one for one in sizes if one[1] < 44] == []


def test_an_address_without_a_page_leads_home(visit: Visit) -> None:
    page = visit("/no/such/page")
    page.get_by_role("main").get_by_role("link", name="All games").click()
    expect(page.get_by_role("heading", name="What shall we play?")).to_be_visible()


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_damaged_table_says_so_and_the_others_are_shown(guest: Guest, data: Path, language: str) -> None:
    damaged, sound = (guest.create("me", "open", game="tiny") for _ in range(2))
    with sqlite3.connect(data / FILE) as store:
        log = "SELECT log FROM tables WHERE id = ?"
        store.execute(f"UPDATE rows SET time = time + 1 WHERE log = ({log})", [damaged])
    page = guest.enter(f"/t/{damaged}", PHONE, language)
    heading = {"en": "This table is damaged", "es": "Esta mesa está dañada"}[language]
    expect(page.get_by_role("heading", name=heading)).to_be_visible()
    expect(page.get_by_text("kibitz verify-store")).to_be_visible()
    page.get_by_role("main").get_by_role("link").first.click()
    page.locator(f"a[href='/t/{sound}']").first.click()
    expect(page).to_have_url(re.compile(f"/t/{sound}$"))
    expect(page.get_by_role("heading", name=heading)).to_have_count(0)


def test_a_table_that_is_gone_says_so(visit: Visit) -> None:
    page = visit("/t/NOWHERE")
    expect(page.get_by_role("heading", name="This table is gone")).to_be_visible()


def test_back_leads_back(page: Page) -> None:
    page.get_by_role("link", name="Ka-Ching!", exact=True).click()
    expect(page.get_by_role("button", name="Easy bot")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="What shall we play?")).to_be_visible()


def test_the_keys_are_listed(page: Page) -> None:
    page.get_by_role("heading", name="Ka-Ching!").wait_for()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_desktop_shows_the_whole_shelf_without_scrolling_sideways(visit: Visit) -> None:
    page = visit(viewport=DESKTOP)
    page.get_by_role("heading", name="MATCH!").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= DESKTOP["width"]
