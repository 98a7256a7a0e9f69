"""What Escape, Back and the arrow keys do at a table, whatever its game."""

from playwright.sync_api import Page, expect

from tests.web.browsing import DESKTOP, PHONE, Guest, focused, has_focus, my_turn, press


def at_my_turn(guest: Guest) -> Page:
    page = guest.sit(guest.create("me", "easy", game="kaching", starter=0), DESKTOP)
    assert my_turn(page)
    return page


def test_escape_closes_what_is_topmost_and_then_lets_the_choice_go(guest: Guest) -> None:
    page = at_my_turn(guest)
    chosen = page.locator(".hand .card.chosen")
    page.locator(".hand .card").first.click()
    expect(chosen).to_have_count(1)
    press(page, "r")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    press(page, "Escape")
    expect(dialog).to_have_count(0)
    expect(chosen).to_have_count(1)
    press(page, "Escape")
    expect(chosen).to_have_count(0)


def test_back_closes_the_sheet_and_then_leaves_the_table(guest: Guest) -> None:
    page = guest.enter("/", PHONE)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    table = guest.create("me", "easy", game="kaching", starter=0)
    page.goto(f"/t/{table}")
    assert my_turn(page)
    page.get_by_role("button", name="Menu").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Rules").click()  # one sheet takes the place of another
    expect(dialog).to_contain_text("Rules of")
    page.go_back()
    expect(dialog).to_have_count(0)
    expect(page).to_have_url(f"{guest.server}/t/{table}")
    page.get_by_role("button", name="Menu").click()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)
    page.wait_for_function("() => history.state === null")
    page.go_back()
    expect(page).to_have_url(f"{guest.server}/")


def test_arrow_keys_lead_to_the_table_at_once(guest: Guest) -> None:
    page = at_my_turn(guest)
    assert not has_focus(page)
    press(page, "ArrowRight")
    expect(focused(page, ".table [data-row]")).to_have_count(1)


def test_the_heading_of_what_was_on_its_way_has_the_focus(guest: Guest) -> None:
    """Before, that of what is on its way had it."""
    table = guest.create("me", "easy", game="kaching", starter=0)
    page = guest.enter("/")
    page.locator("h1").wait_for()
    for path, title in ((f"/t/{table}", "Ka-Ching!"), (f"/review/{table}", "Ka-Ching!: looked at again")):
        page.evaluate(
            "path => { history.pushState(null, '', path); dispatchEvent(new Event('popstate')) }", path
        )
        expect(focused(page, "h1")).to_have_text(title)
        if path.startswith("/t/"):
            guest.tell("resign", "done", id="resign", table=table)
    press(page, "Tab")
    expect(focused(page, "header *")).to_have_count(1)
