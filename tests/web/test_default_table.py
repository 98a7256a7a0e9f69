"""The plain table in a real browser: it draws and plays any game from its view and its legal moves alone."""

from playwright.sync_api import Locator, Page, ViewportSize, WebSocketRoute, expect

from tests.web.browsing import (
    DESKTOP,
    PHONE,
    SIZES,
    Guest,
    axe,
    box,
    has_focus,
    is_over,
    looks,
    move,
    my_turn,
    my_turns,
    needs_no_scrolling_sideways,
    press,
    tab_to,
)

MANY = 20  # turns: more than a tiny game has


def at_tiny(guest: Guest) -> str:
    return guest.create("me", "easy", "easy", game="tiny")


def section(page: Page, heading: str) -> Locator:
    return page.locator(".things section").filter(has=page.get_by_role("heading", name=heading))


def seat(page: Page, heading: str, name: str) -> Locator:
    """What a seat has under a heading."""
    return section(page, heading).locator(".seat").filter(has=page.get_by_text(name, exact=True))


def moves(page: Page) -> Locator:
    return page.locator(".moves button")


def names(guest: Guest, table: str) -> list[str]:
    return [seat["name"] for seat in guest.look(table)["seats"]]


@SIZES
def test_a_whole_game_by_mouse_or_finger(guest: Guest, size: ViewportSize) -> None:
    page = guest.sit(at_tiny(guest), size)
    for turn in my_turns(page, MANY):
        assert turn > 0 or axe(page) == []
        with move(page):
            moves(page).last.click()
    expect(is_over(page)).to_be_visible()
    assert axe(page) == []


def test_a_whole_game_by_keyboard_alone(guest: Guest) -> None:
    page = guest.sit(at_tiny(guest))
    assert my_turn(page)
    tab_to(page, ".moves button")
    for _ in my_turns(page, MANY):
        expect(page.locator(".moves button:focus")).to_have_count(1)
        with move(page):
            press(page, "ArrowRight", "Enter")
        assert has_focus(page)
    expect(is_over(page)).to_be_visible()


def test_cards_are_cards_and_hidden_ones_backs(guest: Guest) -> None:
    table = at_tiny(guest)
    page = guest.sit(table)
    assert my_turn(page)
    view = guest.look(table)["view"]
    me, other, _ = names(guest, table)
    assert seat(page, "Hands", me).locator(".unseen").all_inner_texts() == view["hands"][0]
    assert seat(page, "Hands", other).locator(".unseen").all_inner_texts() == ["hidden card"] * 2
    expect(seat(page, "Hands", other).locator("svg.back")).to_have_count(2)


def test_my_things_come_last_nearest_to_me(guest: Guest) -> None:
    table = at_tiny(guest)
    page = guest.sit(table, PHONE)
    me, other, _ = names(guest, table)
    assert box(seat(page, "Hands", me))["y"] > box(seat(page, "Hands", other))["y"]


def test_a_card_chosen_shows_only_the_moves_with_it(guest: Guest) -> None:
    page = guest.sit(at_tiny(guest))
    assert my_turn(page)
    card = page.locator(".seat.mine .card button").first
    value = card.locator(".unseen").inner_text()
    card.click()
    assert all(value in move.split() for move in moves(page).all_inner_texts())
    card.click()
    expect(card).to_have_attribute("aria-pressed", "false")


def test_who_looks_on_is_asked_nothing(guest: Guest) -> None:
    table = at_tiny(guest)
    player = guest.sit(table)
    assert my_turn(player)
    page = guest.another().sit(table)
    expect(page.locator(".asked")).to_have_count(0)
    assert set(section(page, "Hands").locator(".unseen").all_inner_texts()) == {"hidden card"}


def test_in_spanish(guest: Guest) -> None:
    page = guest.sit(at_tiny(guest), language="es")
    expect(page.get_by_role("heading", name="Tus jugadas")).to_be_visible()
    expect(page.get_by_role("heading", name="Manos")).to_be_visible()


@looks(desktop="dark", phone="dark")
def test_axe_finds_nothing_in_the_dark(guest: Guest, size: ViewportSize, theme: str) -> None:
    page = guest.sit(at_tiny(guest), size, theme=theme)
    assert my_turn(page)
    assert axe(page) == []


# A game that it was not made for


def disguised(guest: Guest, size: ViewportSize = DESKTOP) -> Page:
    """A table of Ka-Ching! that comes to the page as a game nobody has drawn yet."""

    def pass_on(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda text: socket.send(str(text).replace('"game":"kaching"', '"game":"plain"')))

    table = guest.create("me", "easy", game="kaching", starter=0)
    page = guest.enter("/", size)
    page.route_web_socket("**/ws", pass_on)
    page.route("**/api/games/plain/words.*", lambda route: route.fulfill(json={"title": "Plain"}))
    page.goto(f"/t/{table}")
    page.locator(".things").wait_for()
    return page


def test_any_view_is_drawn(guest: Guest) -> None:
    page = disguised(guest)
    assert my_turn(page)
    expect(section(page, "Columns").locator("svg.face")).to_have_count(35)
    expect(section(page, "Columns").locator(".number")).to_have_text(["1", "2", "3", "4", "5"])
    expect(section(page, "Money").locator(".value")).to_have_text(["20", "?"])
    expect(section(page, "Wilds").locator(".value")).to_have_text(["yes", "yes"])
    expect(section(page, "Series").locator("dt").first).to_have_text("Kind")
    assert axe(page) == []


def test_many_moves_can_be_filtered_and_the_only_one_left_is_played_by_enter(guest: Guest) -> None:
    page = disguised(guest)
    field = page.get_by_label("Find a move")
    for _ in range(12):
        assert my_turn(page)
        if field.count():
            break
        with move(page):
            moves(page).first.click()
    held = page.locator(".seat.mine .card").count()
    field.fill("buy")
    assert all(move.startswith("buy") for move in moves(page).all_inner_texts())
    only = moves(page).first.inner_text()
    field.fill(only)
    expect(moves(page)).to_have_count(1)
    field.press("Enter")
    expect(page.locator(".seat.mine .card")).to_have_count(held + 1)


def test_any_game_fits_a_phones_width(guest: Guest) -> None:
    page = disguised(guest, PHONE)
    assert my_turn(page)
    assert needs_no_scrolling_sideways(page)
