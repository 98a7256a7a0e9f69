"""Kazink!'s table in a real browser: games by mouse, finger and keyboard, and what is seen."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from kibitz.core.state import State
from tests.web.browsing import (
    PHONE,
    SIZES,
    Guest,
    axe,
    box,
    drag,
    has_focus,
    is_over,
    looks,
    move,
    my_turn,
    my_turns,
    needs_no_scrolling,
    next_frame,
    number,
    play_until,
    press,
    reached,
    tab_to,
    too_small_to_touch,
    unworded,
    walk_to,
)

MANY = 150  # decisions: more than a game of two has


def at_table(guest: Guest, players: int = 2, **options: Any) -> str:
    """A table at which I begin, with a small board."""
    given = {"board": "20", "hand": 3, "dealer": players - 1, **options}
    return guest.create("me", *["easy"] * (players - 1), game="kazink", **given)


def playable(page: Page) -> Locator:
    """Cards of the hand that can be played."""
    return page.locator(".hand .card.lit")


def double_up(page: Page) -> Locator:
    return page.locator(".hand [data-place^='U#']")


def lit(page: Page) -> Locator:
    return page.locator(".space.lit")


def actions(page: Page) -> Locator:
    return page.locator(".table .actions button")


def stay(page: Page) -> Locator:
    return page.get_by_role("button", name=re.compile("Stay|Quedarse"))


def act(page: Page) -> None:
    """The double-up as soon as possible; else a card, then a lit space, or what else the card can do."""
    page.mouse.move(0, 0)  # nothing is pointed at
    with move(page):
        if stay(page).count():
            shift(page)
        elif page.locator(".steps").count():
            lit(page).first.click()
        else:
            held = double_up(page) if double_up(page).count() else playable(page)
            held.first.click()
            (actions(page) if actions(page).count() else lit(page)).first.click()


def shift(page: Page) -> None:
    """From a lit space to a lit space, one chip or two as may be; stay if there is nothing to shift."""
    if lit(page).count() == 0:
        stay(page).click()
        return
    before = number(page)
    lit(page).first.click()
    lit(page).first.click()
    next_frame(page)
    if actions(page).count() > 1 and number(page) == before:
        actions(page).first.click()


def until(page: Page, what: Locator) -> None:
    """Play on until something is there at my turn."""
    play_until(page, what.count, act, MANY)


# Whole games


@looks(desktop="light", phone="dark")
def test_a_whole_game_by_mouse_or_finger(guest: Guest, size: ViewportSize, theme: str) -> None:
    """From start to end axe finds nothing."""
    page = guest.sit(at_table(guest), size, theme=theme)
    for turn in my_turns(page, MANY):
        if turn in (0, 8):
            assert axe(page) == []
        if turn in (1, 3) and playable(page).count():
            playable(page).first.click()
            assert axe(page) == []
            press(page, "Escape")
        act(page)
    expect(is_over(page)).to_be_visible()
    assert axe(page) == []
    expect(page.locator(".tally").first).to_have_text(re.compile(r"Rows: \d · Crowns: \d"))


def test_turns_by_keyboard_alone(guest: Guest) -> None:
    page = guest.sit(at_table(guest))
    for _ in my_turns(page, 12):
        act_by_keyboard(page)
        assert has_focus(page)


def act_by_keyboard(page: Page) -> None:
    """Numbers choose cards, arrows lead to a lit space, Enter takes it; `k` stays."""
    with move(page):
        if stay(page).count():
            press(page, "k")
            return
        if not page.locator(".steps").count():
            held = double_up(page) if double_up(page).count() else playable(page)
            thing = held.first.get_attribute("data-place")
            place = page.locator(".hand .card").evaluate_all(
                "(cards, thing) => cards.findIndex(card => card.dataset.place === thing)", thing
            )
            press(page, str(place + 1))
            if actions(page).count():
                rove_to(page, ".table .actions button")
                press(page, "Enter")
                return
        rove_to(page, ".space.lit")
        press(page, "Enter")


def rove_to(page: Page, selector: str) -> None:
    """Arrows, from the top left of the board row by row to the hand, until one of these has the focus."""
    row = ["ArrowRight"] * 3 + ["ArrowLeft"] * 5 + ["ArrowDown"]
    tab_to(page, "[data-place]")
    walk_to(page, selector, ["ArrowUp"] * 7 + ["ArrowLeft"] * 4 + row * 6)


# Single moves


def test_a_space_first_then_a_card_that_fits_it(guest: Guest) -> None:
    page = guest.sit(at_table(guest))
    until(page, page.locator(".hand [data-place^='W#'], .hand [data-place^='H#']"))
    page.locator(".space[data-place=b1]").click()
    expect(page.locator(".space.chosen")).to_have_attribute("data-place", "b1")
    with move(page):
        page.locator(".hand .card.lit:not([data-place^='U#'])").first.click()
    expect(page.get_by_role("button", name=re.compile("b1, hearts: .*yellow"))).to_be_visible()


def test_a_card_dragged_onto_a_space_is_played_there(guest: Guest) -> None:
    page = guest.sit(at_table(guest))
    until(page, page.locator(".hand .card.lit:not([data-place^='U#'])"))
    card = page.locator(".hand .card.lit:not([data-place^='U#'])").first
    card.hover()
    space = page.locator(f".space[data-place={lit(page).first.get_attribute('data-place')}]")
    with move(page):
        drag(page, card, space)
    expect(space).to_have_accessible_name(re.compile("yellow"))


@SIZES
def test_a_double_up_is_guided_step_by_step_and_moves_nothing_else(guest: Guest, size: ViewportSize) -> None:
    table = at_table(guest, hand=5)
    while "U" not in guest.look(table)["view"]["hands"][0]:
        table = at_table(guest, hand=5)
    page = guest.sit(table, size)
    assert my_turn(page)
    board = box(page.locator(".space").first)
    step = page.locator("[aria-current=step]")
    double_up(page).first.click()
    expect(actions(page).first).to_be_visible()
    assert box(page.locator(".space").first) == board
    with move(page):
        page.get_by_role("button", name="Play the double-up").click()
    expect(step).to_have_text("Shift")
    assert box(page.locator(".space").first) == board
    with move(page):
        press(page, "k")
    expect(step).to_have_text("Place")
    assert box(page.locator(".space").first) == board
    with move(page):
        lit(page).first.click()
    assert my_turn(page)
    assert box(page.locator(".space").first) == board


def test_a_refused_placement_names_the_rule(guest: Guest) -> None:
    page = guest.sit(at_table(guest))
    until(page, page.locator(".hand [data-place^='S#'], .hand [data-place^='H#']"))
    suit = page.locator(".hand [data-place^='S#'], .hand [data-place^='H#']").first
    suit.click()
    page.locator(".space[data-place=c1]").click()
    expect(page.get_by_role("alert")).to_contain_text("Space c1 is of suit")
    page.get_by_role("alert").get_by_role("button", name="Rules").click()
    expect(page.locator(".rulebook")).to_be_visible()


# What is seen


@SIZES
def test_a_partner_sits_opposite_and_is_marked(guest: Guest, size: ViewportSize) -> None:
    page = guest.sit(at_table(guest, 4), size)
    expect(page.locator(".other.top")).to_contain_text("your partner")
    assert page.get_by_text("your partner").count() == 1
    expect(page.get_by_text("your partner")).to_be_visible()
    mine, partners = (page.locator(f"{side} .chips") for side in (".mine", ".other.top"))
    expect(partners).to_contain_text("Chips: 18")
    expect(mine).to_contain_text("Chips: 18")
    playable(page).first.click()
    lit(page).first.click()
    expect(mine).to_contain_text("Chips: 17")


def test_hidden_cards_never_reach_the_page(guest: Guest) -> None:
    table = at_table(guest, 4)
    page = guest.sit(table)
    assert my_turn(page)
    view = guest.look(table)["view"]
    assert view["hands"][1:] == [["?"] * 3] * 3
    assert set(view["deck"]) == {"?"}
    expect(page.locator(".other .facts")).to_contain_text(["Hand: 3"] * 3)


def test_in_spanish(guest: Guest) -> None:
    page = guest.sit(at_table(guest, 4), language="es")
    assert my_turn(page)
    expect(page.get_by_role("group", name="Tu mano")).to_be_visible()
    expect(page.get_by_role("button", name="a1, picas: vacía")).to_be_visible()
    expect(page.locator(".other.top")).to_contain_text("tu pareja")
    playable(page).first.click()
    assert unworded(page) == []


# For everybody


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_phone_needs_no_scrolling(guest: Guest, players: int) -> None:
    page = guest.sit(at_table(guest, players, board="24", hand=5), PHONE)
    for _ in range(5):
        assert my_turn(page)
        assert needs_no_scrolling(page)
        act(page)


@pytest.mark.parametrize(("players", "language"), [(2, "es"), (3, "en"), (4, "es")])
def test_a_phone_needs_no_scrolling_in_the_middle_of_a_double_up(
    guest: Guest, players: int, language: str
) -> None:
    state = reached("kazink", players, can_shift_two, board="24")
    page = guest.sit(at_table(guest, players), PHONE, language, at=state)
    for space in shifts_of_two(state)[0].split()[1:3]:
        page.locator(f".space[data-place={space}]").click()
    expect(actions(page)).to_have_count(3)
    assert needs_no_scrolling(page)


def can_shift_two(state: State) -> bool:
    return state.turn == 0 and len(shifts_of_two(state)) > 0


def shifts_of_two(state: State) -> list[str]:
    return [move for move in map(str, state.legal_moves) if move.startswith("shift") and move.endswith(" 2")]


def test_what_can_be_touched_is_big_enough(guest: Guest) -> None:
    page = guest.sit(at_table(guest, 4, board="24"), PHONE)
    assert my_turn(page)
    assert too_small_to_touch(page) == []


def test_who_looks_on_sees_the_backs_of_a_hand(guest: Guest) -> None:
    page = guest.another().sit(guest.create("me", "easy", game="kazink"))
    hand = page.get_by_role("group", name="hand")
    expect(hand.locator(".back").first).to_be_visible()
    expect(hand.get_by_role("button")).to_have_count(0)
    expect(page.get_by_role("group", name="Your hand")).to_have_count(0)
