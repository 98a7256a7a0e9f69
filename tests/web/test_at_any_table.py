"""What holds at every game's table: the fullest with the longest names, and what the reader chose there."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, WebSocketRoute, expect

import kibitz
from tests.web.browsing import PHONE, Guest, looks, my_turn, needs_no_scrolling_sideways

LONGEST = "M" * 24

# Names that reach out of their seat, or lie over another name.
SPILLED = """() => {
    const names = [...document.querySelectorAll(".table .name")].filter(each => each.offsetWidth > 0);
    const box = each => each.getBoundingClientRect();
    const apart = (one, other) =>
        one.right <= other.left || other.right <= one.left ||
        one.bottom <= other.top || other.bottom <= one.top;
    const spills = each => box(each).right > box(each.closest(".seat, [data-place]")).right + 1;
    const covers = each => names.some(other => other !== each && !apart(box(each), box(other)));
    return names.filter(each => spills(each) || covers(each)).map(each => each.outerHTML);
}"""


# Chances whose number is cut off, or that lie out of sight.
CUT = """() => [...document.querySelectorAll("ul[aria-label='Chances to win'] li")]
    .filter(each => each.scrollWidth > each.clientWidth || each.getBoundingClientRect().right > innerWidth)
    .map(each => each.innerText)"""


def renamed(chances: tuple[float, ...] = ()) -> Callable[[Page], None]:
    """Everybody at the table is called by the longest name there is; these are told to be their chances."""

    def change(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def tell(heard: str | bytes) -> None:
            message = json.loads(heard)
            for seat in message.get("seats") or []:
                if isinstance(seat, dict) and "name" in seat:
                    seat["name"] = LONGEST
            if message["type"] == "chance":
                message["chances"] = chances
            route.send(json.dumps(message))

        server.on_message(tell)

    return lambda page: page.route_web_socket("**/ws", change)


@pytest.mark.parametrize("game", kibitz.games())
def test_the_fullest_table_holds_the_longest_names_on_a_phone(guest: Guest, game: str) -> None:
    table = guest.create("me", *["easy"] * (kibitz.game(game).players[-1] - 1), game=game)
    page = guest.enter(f"/t/{table}", PHONE, prepare=renamed())
    page.get_by_text(LONGEST).first.wait_for()
    assert my_turn(page)
    assert needs_no_scrolling_sideways(page)
    assert page.evaluate(SPILLED) == []


def test_every_chance_is_told_beside_the_longest_name_on_a_phone(guest: Guest) -> None:
    table = guest.create("me", *["easy"] * 7, game="cash")
    page = guest.enter(f"/t/{table}", PHONE, prepare=renamed((0.94, 0.01, 0.01, 0.02, 0, 0, 0, 0.02)))
    assert my_turn(page)
    expect(show_chances(page).get_by_text("94")).to_be_visible()
    assert page.evaluate(CUT) == []


def show_chances(page: Page) -> Locator:
    """The bar of chances beside the table."""
    page.get_by_role("button", name="Menu").click()
    page.get_by_label("Chances to win beside the table").click()
    page.keyboard.press("Escape")
    return page.get_by_role("list", name="Chances to win")


@looks(desktop="light", phone="dark")
def test_a_team_has_one_chance(guest: Guest, size: ViewportSize, theme: str) -> None:
    table = guest.create("me", "easy", "easy", "easy", game="kazink")
    page = guest.enter(f"/t/{table}", size, theme=theme, prepare=renamed((0.65, 0.45, 0.65, 0.45)))
    assert my_turn(page)
    told = show_chances(page).get_by_role("listitem")
    expect(told).to_have_text([re.compile(rf"{LONGEST} and {LONGEST}.+59"), re.compile("41")])


def test_the_volume_and_silence_are_remembered(guest: Guest) -> None:
    table = guest.create("me", "easy", game="kaching", starter=0)
    page = guest.visit(f"/t/{table}")
    menu = page.get_by_role("button", name="Menu")
    menu.click()
    page.get_by_label("Volume").fill("0.3")
    page.get_by_role("button", name="Sounds").click()
    expect(page.get_by_label("Volume")).to_be_disabled()
    page.reload()
    menu.click()
    expect(page.get_by_label("Volume")).to_be_disabled()
    expect(page.get_by_label("Volume")).to_have_value("0.3")
    page.get_by_role("button", name="Sounds").click()
    expect(page.get_by_label("Volume")).to_be_enabled()
