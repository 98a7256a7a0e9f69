"""The log beside a table."""

import re

from playwright.sync_api import expect

from tests.web.browsing import DESKTOP, Guest, my_turn


def test_a_turn_of_several_steps_is_one_entry(guest: Guest) -> None:
    """A double-up of Kazink! is three moves."""
    for _ in range(40):  # deals: one in three gives the starter a double-up
        page = guest.sit(guest.create("me", "easy", game="kazink", hand=5, dealer=1), DESKTOP)
        assert my_turn(page)
        expect(page.locator(".hand .card").first).to_be_visible()
        card = page.locator(".hand .card", has_text=re.compile("double-up"))
        if card.count():
            break
        page.context.close()
    card.first.click()
    page.get_by_role("button", name="Play the double-up").click()
    page.get_by_role("button", name="Stay").click()
    page.locator(".space.lit").first.click()
    entry = page.locator(".lines li", has_text="You play a double-up")
    expect(entry).to_contain_text("You place a chip")
    expect(entry).to_have_count(1)
