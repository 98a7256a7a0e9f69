"""The log beside a table."""

import re

from playwright.sync_api import FloatRect, Page, Route, ViewportSize, expect

from tests.web.browsing import DESKTOP, PHONE, SIZES, Guest, box, move, my_turn, play_until


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


@SIZES
def test_a_rivals_last_move_stays_at_its_seat_until_mine_and_covers_no_name(
    guest: Guest, size: ViewportSize
) -> None:
    page = guest.sit(guest.create("me", *["easy"] * 5, game="match", starter=0), size)
    bubbles = page.locator("[data-bubble]")
    assert my_turn(page)
    expect(bubbles).to_have_count(0)
    with move(page):
        page.locator(".hand .card").first.click()
        if page.get_by_role("group", name="Call").count():  # a joker
            page.locator(".calls button").first.click()
    assert my_turn(page)
    expect(bubbles).to_have_count(5)
    expect(bubbles.first).to_contain_text(re.compile("plays|collects|joker"))
    names = [box(name) for name in page.locator(".seat .name").all()]
    assert [name for name in names for bubble in bubbles.all() if overlap(name, box(bubble))] == []


def test_on_a_phone_a_bubble_has_four_lines_at_most_and_goes_while_a_hint_is_open(guest: Guest) -> None:
    def with_long_names(route: Route) -> None:
        words = route.fetch().json()
        route.fulfill(json={key: LONG if key.startswith("card.") else said for key, said in words.items()})

    def prepare(page: Page) -> None:
        page.route("**/words.en.json", with_long_names)

    table = guest.create("me", *["easy"] * 3, game="cash")
    page = guest.enter(f"/t/{table}", PHONE, prepare=prepare)
    bubbles = page.locator("[data-bubble]")
    named = bubbles.filter(has_text=LONG)

    def act(page: Page) -> None:
        seen = guest.look(table)
        number, first = seen["number"], seen["legal"][0]
        guest.tell("move", "done", id=f"move {number}", table=table, number=number, move=first)
        page.locator(f".stage:not([data-number='{number}'])").wait_for()

    play_until(page, named.count, act, most=30)
    lines = [box(bubble)["height"] / LINE for bubble in bubbles.all()]
    assert max(lines) < 5, lines
    page.keyboard.press("h")
    expect(page.get_by_role("status", name="What Kibitz would do").locator("li").first).to_be_visible()
    expect(bubbles).to_have_count(0)


LONG = "insurance against whatever a long name in a narrow place can do to what lies below it"
LINE = 17  # pixels, at a bubble's size of letters


def overlap(one: FloatRect, other: FloatRect) -> bool:
    across = one["x"] < other["x"] + other["width"] and other["x"] < one["x"] + one["width"]
    down = one["y"] < other["y"] + other["height"] and other["y"] < one["y"] + one["height"]
    return across and down


def test_what_the_others_do_is_shown_at_my_pace_and_can_be_skipped(guest: Guest) -> None:
    page = guest.sit(guest.create("me", "easy", "easy", "easy", game="match", starter=1))
    assert my_turn(page)
    page.get_by_role("button", name="Menu").click()
    page.get_by_label("Pace of what others do").select_option("slow")
    page.keyboard.press("Escape")
    page.locator(".hand .card").first.click()
    skip = page.get_by_role("button", name="Skip to my turn")
    expect(skip).to_be_visible()
    skip.click()
    assert my_turn(page)
    expect(skip).to_have_count(0)
    expect(page.locator("[data-bubble]")).to_have_count(3)
