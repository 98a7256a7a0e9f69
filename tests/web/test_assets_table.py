"""Cover Your Assets' table in a real browser: games by mouse, finger and keyboard, and a duel of two."""

import re
from typing import Any

from playwright.sync_api import Locator, Page, ViewportSize, WebSocketRoute, expect

from tests.games.assets.naive import DECKS
from tests.web.browsing import (
    PHONE,
    SIZES,
    Guest,
    axe,
    drag,
    has_focus,
    looks,
    move,
    my_turn,
    my_turns,
    needs_no_scrolling_sideways,
    play_to_the_end,
    play_until,
    press,
    reached,
    too_small_to_touch,
    unworded,
    whose_turn,
)

MANY = 250  # decisions: more than a round of two has
READ_CARDS = "faces => faces.map(face => face.getAttribute('href').replace('#asset-', ''))"


def at_table(guest: Guest, seats: tuple[str, ...] = ("me", "easy"), **options: Any) -> str:
    """A table at which I begin."""
    given = {"rounds": 1, "dealer": len(seats) - 1, **options}
    return guest.create(*seats, game="assets", **given)


def cards(place: Locator) -> list[str]:
    """The codes of the faces in a place."""
    shown: list[str] = place.locator("use").evaluate_all(READ_CARDS)
    return shown


def hand(page: Page) -> list[str]:
    return cards(page.locator(".hand"))


def offer(page: Page, verb: str = "") -> Locator:
    return page.locator(f".offer{'.' + verb if verb else ''}")


# Whole games


@SIZES
def test_a_whole_game_by_mouse_or_finger(guest: Guest, size: ViewportSize) -> None:
    page = guest.sit(at_table(guest), size)
    play_to_the_end(page, act_by_pointer, MANY)


def act_by_pointer(page: Page) -> None:
    """Take the first offer; if there is none, discard the first card."""
    with move(page):
        if offer(page).count():
            offer(page).first.click()
        else:
            page.locator(".hand .card").first.click()
            page.locator(".tray.lit").click()


def test_a_whole_game_by_keyboard_alone(guest: Guest) -> None:
    page = guest.sit(at_table(guest))
    play_to_the_end(page, act_by_keyboard, MANY)


def act_by_keyboard(page: Page) -> None:
    """A number chooses a card, the arrow leads up to what it can do, Enter does it."""
    with move(page):
        if page.locator(".hand .card").count() == 0:
            press(page, *(["Tab"] if not has_focus(page) else []))
            offer(page).first.focus()
        else:
            press(page, "Escape", "1")
            expect(page.locator(".hand .card").first).to_be_focused()
            press(page, "ArrowUp")
        expect(page.locator(".offer:focus")).to_have_count(1)
        press(page, "Enter")
    assert has_focus(page)


# Single moves


def test_a_card_is_discarded_by_dragging_it_to_the_tray(guest: Guest) -> None:
    table = at_table(guest, ("me", "open"))
    guest.another().take_seat(table)
    page = guest.sit(table)
    assert my_turn(page)
    card = hand(page)[2]
    drag(page, page.locator(".hand .card").nth(2), page.locator(".tray"))
    expect(page.locator("[data-place=pile] .one")).to_have_count(2)
    assert cards(page.locator("[data-place=pile]"))[-1] == card


def test_two_cards_that_make_no_pair_are_refused_with_the_rule(guest: Guest) -> None:
    page = guest.sit(at_table(guest))
    for _ in range(MANY):
        assert my_turn(page)
        held = hand(page)
        plain = [place for place, card in enumerate(held) if card not in ("silver", "gold")]
        two = [(i, j) for i in plain for j in plain if held[i] != held[j]]
        if two and not page.locator(".duel").count():
            break
        act_by_pointer(page)
    drag(page, page.locator(".hand .card").nth(two[0][0]), page.locator(".hand .card").nth(two[0][1]))
    expect(page.get_by_role("alert")).to_contain_text("No pair:")
    assert hand(page) == held


def test_a_blocked_steal_says_why(guest: Guest) -> None:
    """Without a set of one's own nothing can be stolen, whatever lies on top elsewhere."""
    table = at_table(guest)
    state = reached("assets", 2, lambda state: state.turn == 0 and is_blocked(state.view(0)))
    page = guest.sit(table, at=state)
    page.locator(".rival .stack").click()
    expect(page.get_by_role("dialog")).to_contain_text("you need a set of your own")
    press(page, "Escape")
    page.locator(".hand .card").first.click()
    page.locator(".rival .stack").click()
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".hand .card").first).to_have_attribute("aria-pressed", "true")


def is_blocked(view: dict[str, Any]) -> bool:
    return view["phase"] == "turn" and not view["stacks"][0] and len(view["stacks"][1]) > 1


def test_deck_pile_and_tray_say_what_they_are(guest: Guest) -> None:
    page = guest.sit(at_table(guest))
    assert my_turn(page)
    said = page.get_by_role("alert")
    page.locator("[data-place=deck]").click()
    expect(said).to_contain_text("cards are left")
    page.locator(".tray").click()
    expect(said).to_contain_text("choose a card of your hand first")


def test_a_stack_is_spread_out_with_the_bottom_set_marked(guest: Guest) -> None:
    page = guest.sit(at_table(guest))
    play_until(page, page.locator(".own .count").count, act_by_pointer, MANY)
    press(page, "Escape")
    page.locator(".own .stack").focus()
    press(page, "Enter")
    sets = page.locator("dialog li")
    expect(sets.first).to_contain_text("can be stolen")
    expect(sets.last).to_contain_text("safe for ever")
    press(page, "Escape")
    expect(page.locator("dialog")).to_have_count(0)
    assert has_focus(page)


# What is seen


def test_the_table_shows_what_the_server_tells_and_no_hidden_card(guest: Guest) -> None:
    table = at_table(guest, ("me", "easy", "easy"))
    page = guest.sit(table)
    for _ in range(8):
        assert my_turn(page)
        act_by_pointer(page)
    assert my_turn(page)
    view = guest.look(table)["view"]
    assert hand(page) == view["hands"][0]
    if view["duel"] is None:  # which takes the pile's place
        assert cards(page.locator("[data-place=pile]"))[-1:] == view["discard"][-1:]
    assert {len(hand) for hand in view["hands"][1:] if set(hand) != {"?"}} <= {0}
    values = DECKS["first"]
    for seat, stack in enumerate(view["stacks"]):
        worth = sum(values[card][0] for card in stack[-1]["cards"]) if stack else None
        tag = page.locator(f"[data-place='stack {seat}'] .tag strong")
        expect(tag).to_have_text(f"${worth // 1000}k") if worth else expect(tag).to_have_count(0)


def test_a_hint_is_pointed_out_and_told_beside_the_table_which_stays_where_it_is(guest: Guest) -> None:
    page = guest.sit(at_table(guest))
    assert my_turn(page)
    before = page.locator(".hand").bounding_box()
    press(page, "h")
    expect(page.locator(".hinted").first).to_be_visible()
    expect(page.get_by_role("complementary").locator(".advice li").first).to_be_visible()
    assert unworded(page) == []
    assert page.locator(".hand").bounding_box() == before


def test_on_a_phone_a_hint_is_told_to_be_on_its_way_and_takes_little_room(guest: Guest) -> None:
    come: list[tuple[WebSocketRoute, str | bytes]] = []

    def hold_the_hint(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        server.on_message(
            lambda heard: come.append((route, heard)) if '"hinted"' in str(heard) else route.send(heard)
        )

    page = guest.enter(
        f"/t/{at_table(guest)}", PHONE, prepare=lambda page: page.route_web_socket("**/ws", hold_the_hint)
    )
    assert my_turn(page)
    press(page, "h")
    advice = page.get_by_role("status", name="What Kibitz would do")
    expect(advice).to_have_text("One moment…")
    while not come:
        page.wait_for_timeout(20)
    for route, hint in come:
        route.send(hint)
    expect(advice.locator("li").locator("visible=true")).to_have_count(1)
    advice.get_by_text("The next two").click()
    expect(advice.locator("li").locator("visible=true")).to_have_count(3)
    assert needs_no_scrolling_sideways(page)


def test_in_spanish(guest: Guest) -> None:
    page = guest.sit(at_table(guest), language="es")
    assert my_turn(page)
    expect(page.get_by_role("group", name="Tu mano")).to_be_visible()
    page.locator(".hand .card").first.click()
    expect(offer(page, "discard")).to_have_accessible_name(re.compile("Descartar "))
    offer(page, "discard").click()
    expect(page.locator("[role=log]")).to_contain_text(re.compile("[Dd]escartas? [A-ZÁÉ]"))


# A duel of two


def test_a_duel_between_two_browsers(guest: Guest) -> None:
    """Both see the same fight; only the one who is asked can answer, and everybody sees who that is."""
    other = guest.another()
    table = at_table(guest, ("me", "open"))
    other.take_seat(table)
    pages = [guest.sit(table), other.sit(table)]
    watching = guest.another().sit(table)
    thief = play_to_a_steal(pages)
    victim = 1 - thief
    offer(pages[thief], "steal").first.click()
    for page in (*pages, watching):
        expect(page.locator(".duel")).to_be_visible()
        expect(page.locator(".duel .pot")).to_contain_text("at stake")
        assert len(cards(page.locator(".duel .thief"))) == 1
        expect(page.locator(".duel .victim.asked")).to_have_count(1)
    expect(pages[victim].locator(".asking.mine")).to_contain_text("Defend")
    expect(pages[thief].locator(".asking")).to_contain_text("Waiting for")
    expect(watching.locator(".asking")).to_contain_text("Waiting for")
    assert offer(pages[thief]).count() == 0
    assert watching.locator(".offer, .hand button").count() == 0
    expect(watching.get_by_role("group", name="hand")).to_have_count(1)
    assert watching.locator(".hand .back").count() > 0
    assert axe(pages[victim]) == []
    offer(pages[victim], "yield").click()
    for page in (*pages, watching):
        expect(page.locator(".duel")).to_have_count(0)
    expect(pages[thief].locator(".own .fresh")).to_have_count(1)


def play_to_a_steal(pages: list[Page]) -> int:
    """Play on until somebody can steal; returns who."""
    for _ in range(MANY):
        page = whose_turn(pages)
        if offer(page, "steal").count():
            return pages.index(page)
        act_by_pointer(page)
    raise AssertionError("nobody could steal")


# For everybody


@looks(desktop="dark", phone="light")
def test_six_fit_and_axe_finds_nothing(guest: Guest, size: ViewportSize, theme: str) -> None:
    page = guest.sit(at_table(guest, ("me", "easy", "easy", "easy", "easy", "easy")), size, theme=theme)
    for turn in my_turns(page, 6):
        if turn in (0, 5) or page.locator(".duel").count():
            assert axe(page) == []
        act_by_pointer(page)
    assert my_turn(page)
    assert needs_no_scrolling_sideways(page)
    assert size != PHONE or too_small_to_touch(page) == []
