"""The host's desk: opened by a secret, and what players see of what is done there."""

from playwright.sync_api import Page, ViewportSize, expect

from tests.web.browsing import (
    PHONE,
    ROOT,
    Guest,
    axe,
    looks,
    needs_no_scrolling_sideways,
    too_small_to_touch,
)
from tests.web.server_with_tiny import SECRET


def opened(guest: Guest, size: ViewportSize, theme: str, language: str) -> Page:
    """The desk, after a wrong secret."""
    page = guest.enter("/host", size, language, theme)
    for secret in ("a wrong secret", SECRET):
        page.locator("input[type=password]").fill(secret)
        page.keyboard.press("Enter")
        if secret != SECRET:
            expect(page.get_by_role("alert")).to_be_visible()
    expect(page.locator("dl")).to_be_visible()
    return page


@looks("light", "dark")
def test_the_desk_is_used(guest: Guest, size: ViewportSize, theme: str) -> None:
    language = "es" if size == PHONE else "en"

    def say(english: str, spanish: str) -> str:
        return english if language == "en" else spanish

    player = guest.another()
    table = player.create("me", "easy", game="kaching")
    seat = player.sit(table)
    page = opened(guest, size, theme, language)
    assert SECRET not in page.url
    assert page.evaluate("JSON.stringify([localStorage, sessionStorage])").count(SECRET) == 0
    row = page.locator("li.table").filter(has_text=table)
    expect(row).to_be_visible()
    folder = ROOT / "build" / "samples"
    folder.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=folder / f"host-{size['width']}-{theme}.png", full_page=True)
    assert needs_no_scrolling_sideways(page)
    assert axe(page) == []
    assert size != PHONE or too_small_to_touch(page) == []

    rude = player.create("me", "open", "open", game="tiny")
    bob, eve = guest.another(), guest.another()
    for each in (bob, eve):
        each.tell("sit", "done", id=f"sit {each.token}", table=rude)
    said = bob.tell("chat", "done", id="chat", table=rude, text="", preset="hurry")["number"]
    eve.tell("report", "done", id="report", table=rude, number=said)
    told = page.locator("li.panel", has_text=say("Your move…", "Te toca…"))
    expect(told.get_by_role("link", name=rude)).to_be_visible()

    page.get_by_label(say("A notice to everybody", "Un aviso para todos")).fill("Until nine")
    page.keyboard.press("Enter")
    expect(seat.get_by_text("Until nine")).to_be_visible()
    seat.screenshot(path=folder / f"notice-{size['width']}.png")
    page.get_by_role("button", name=say("Take it back", "Retirarlo")).click()
    expect(seat.get_by_text("Until nine")).not_to_be_visible()

    row.get_by_role("button", name=say("Close the table", "Cerrar la mesa")).click()
    row.get_by_role("button", name=say("Close it for good", "Cerrarla del todo")).click()
    expect(row).not_to_be_visible()
    expect(seat.get_by_role("heading", name="This table was closed")).to_be_visible()

    again = player.create("me", "easy", game="kaching")
    row = page.locator("li.table").filter(has_text=again)
    row.get_by_role("button", name=say("Ban", "Vetar"), exact=True).click()
    row.locator(".danger").click()
    expect(seat.get_by_text("doesn't let you in any more").first).to_be_visible()
    seat.reload()
    expect(seat.locator("main")).to_contain_text("doesn't let you in any more")  # not: One moment…
    seat.goto("/")
    expect(seat.get_by_text("doesn't let you in any more")).to_be_visible()
    expect(seat.get_by_text("Connecting…")).not_to_be_visible()
    page.get_by_role("button", name=say("Let in again", "Dejar entrar")).first.click()
    expect(page.get_by_role("heading", name=say("Banned", "Vetados"))).not_to_be_visible()
