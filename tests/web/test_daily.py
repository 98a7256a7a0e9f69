"""The deal of the day in a real browser: found at home, played once, compared, and nothing told too early."""

from playwright.sync_api import expect

from tests.web.browsing import PHONE, Visit, axe, is_over, move, my_turns, needs_no_scrolling_sideways

MANY = 20  # turns: more than a tiny game has


def test_todays_deal_is_played_once_and_compared(visit: Visit) -> None:
    page = visit()
    page.get_by_role("link", name="Today's deals").click()
    page.get_by_role("link", name="Tiny not played yet").click()
    expect(page.get_by_text("Nobody has finished it yet.")).to_be_visible()
    page.get_by_role("button", name="Play", exact=True).click()
    for _ in my_turns(page, MANY):
        with move(page):
            page.locator(".moves button").first.click()
    expect(is_over(page)).to_be_visible()
    expect(page.get_by_text("Record and review open when the day ends")).to_be_visible()
    expect(page.get_by_role("button", name="Play again")).to_have_count(0)
    expect(page.get_by_role("link", name="Save the record")).to_have_count(0)
    page.get_by_role("link", name="Compare with the others").click()
    expect(page.get_by_text("You are the first to finish it.")).to_be_visible()
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_text("Copied")).to_be_visible()
    expect(page.get_by_role("button", name="Play", exact=True)).to_have_count(0)
    assert axe(page) == []


def test_on_a_phone_in_spanish(visit: Visit) -> None:
    page = visit("/daily/match", viewport=PHONE, locale="es-ES")
    expect(page.get_by_role("heading", name="MATCH!")).to_be_visible()
    expect(page.get_by_text("Todavía no lo ha terminado nadie.")).to_be_visible()
    assert needs_no_scrolling_sideways(page)
    assert axe(page) == []
