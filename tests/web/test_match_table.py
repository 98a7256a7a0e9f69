"""MATCH!'s table in a real browser: everything by mouse, finger, keyboard and dragging, and what is seen."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from kibitz.core.state import State
from tests.web.browsing import (
    PHONE,
    Guest,
    axe,
    drag,
    has_focus,
    is_focused,
    is_over,
    looks,
    move,
    my_turn,
    my_turns,
    needs_no_scrolling,
    play_until,
    press,
    reached,
    tab_to,
    too_small_to_touch,
    walk_to,
)

MANY = 120  # turns: more than a round has
SIX = ("me", *["easy"] * 5)
ALONG_MY_COLLECTION = ["ArrowDown"] * 3 + ["ArrowUp"] + ["ArrowLeft"] * 5 + ["ArrowRight"] * 5


def at_table(guest: Guest, seats: tuple[str, ...] = ("me", "easy"), **options: Any) -> str:
    return guest.create(*seats, game="match", **{"starter": 0, "rounds": 1, **options})


def hand(page: Page) -> Locator:
    return page.locator(".hand .card")


def fitting(page: Page) -> Locator:
    """Number cards of the hand that fit."""
    return page.locator(".hand .match:not([aria-expanded])")


def not_fitting(page: Page) -> Locator:
    return page.locator(".hand .collect")


def jokers(page: Page) -> Locator:
    return page.locator(".hand .card[aria-expanded]")


def binding(page: Page) -> Locator:
    return page.locator(".collection .binding")


def act(page: Page) -> None:
    """Match from the hand if possible, to be done soon; else collect, call, or match from the collection."""
    with move(page):
        if fitting(page).count():
            fitting(page).first.click()
        elif not_fitting(page).count():
            not_fitting(page).first.click()
        elif jokers(page).count():
            jokers(page).first.click()
            page.locator(".call").nth(3).click()
        else:
            binding(page).first.click()


def until(page: Page, what: Locator) -> None:
    """Play on until something is there at my turn; the tables that ask for it have many rounds."""
    play_until(page, what.count, act, MANY)


# Whole games


@looks(desktop="dark", phone="light")
def test_a_whole_game_by_mouse_or_finger(guest: Guest, size: ViewportSize, theme: str) -> None:
    """From start to end axe finds nothing."""
    page = guest.sit(at_table(guest, SIX[:3]), size, theme=theme)
    for turn in my_turns(page, MANY):
        if turn in (0, 4):
            assert axe_with_buried_cards(page) == []
        if jokers(page).count() and turn < 4:
            jokers(page).first.click()
            assert axe(page) == []
            press(page, "Escape")
        act(page)
    expect(is_over(page)).to_be_visible()
    assert axe_with_buried_cards(page) == []
    page.get_by_text("How it was scored").click()
    expect(page.get_by_role("row", name="Collection")).to_be_visible()
    expect(page.get_by_role("row", name="Total")).to_be_visible()


def test_a_whole_game_by_keyboard_alone(guest: Guest) -> None:
    page = guest.sit(at_table(guest))
    assert my_turn(page)
    tab_to(page, ".hand .card, .collection .card, .rival .piles")
    for _ in my_turns(page, MANY):
        assert has_focus(page)
        act_by_keyboard(page)
    expect(is_over(page)).to_be_visible()


def act_by_keyboard(page: Page) -> None:
    """Number keys for the hand, arrows and Enter for a call or the collection."""
    with move(page):
        if fitting(page).count():
            press(page, key_of(fitting(page)))
        elif not_fitting(page).count():
            press(page, key_of(not_fitting(page)))
        elif jokers(page).count():
            press(page, key_of(jokers(page)))
            page.locator(".call").first.wait_for()
            press(page, "ArrowRight", "ArrowDown", "Enter")
        else:
            tab_to(page, ".hand .card, .collection .card, .rival .piles")
            walk_to(page, ".collection .binding", ALONG_MY_COLLECTION)
            press(page, "Enter")


def key_of(cards: Locator) -> str:
    """The number on the card."""
    return cards.first.locator("kbd").inner_text()


# A turn


def test_a_card_dragged_onto_the_pile_is_matched_and_to_the_collection_collected(guest: Guest) -> None:
    page = guest.sit(at_table(guest, target=500, rounds=100))
    until(page, fitting(page))
    held = hand(page).count()
    drag(page, fitting(page).first, page.locator("[data-place=discard]"))
    expect(hand(page)).to_have_count(held - 1)
    until(page, not_fitting(page))
    kept = not_fitting(page).first
    name = kept.locator(".unseen").inner_text().removesuffix(": collect it")
    drag(page, kept, page.locator(".collection .pile").first)
    expect(page.get_by_role("log")).to_contain_text("collect")
    expect(page.get_by_role("group", name="Your collection").get_by_role("button", name=name)).to_be_visible()


def test_a_joker_asks_for_its_call(guest: Guest) -> None:
    page = guest.sit(at_table(guest, target=500, rounds=100))
    until(page, jokers(page))
    jokers(page).first.click()
    expect(page.locator(".call")).to_have_count(11)
    press(page, "Escape")
    expect(page.locator(".call")).to_have_count(0)
    assert is_focused(page, ".hand .card[aria-expanded]")
    press(page, "Enter")
    expect(page.locator(".call").first).to_be_focused()
    page.get_by_role("button", name="green", exact=True).click()
    expect(page.get_by_role("log")).to_contain_text("You play a joker and call green")


def test_a_call_is_shown_beside_the_pile_until_the_joker_is_covered(guest: Guest) -> None:
    page = guest.sit(at_table(guest, target=500, rounds=100))
    until(page, page.locator(".called"))
    expect(page.get_by_role("group", name="The joker asks for")).to_contain_text(
        re.compile("red|yellow|green|blue|purple|[0-5]")
    )


def test_the_duty_to_play_a_fitting_top_card_is_lit_and_its_refusal_names_the_ruling(guest: Guest) -> None:
    page = guest.sit(at_table(guest, target=500, rounds=100))
    until(page, page.locator(".bound").and_(page.locator(":has(~ .hand .idle)")))
    expect(page.locator(".bound")).to_contain_text("you may not collect now.")
    page.locator(".hand .idle").first.click()
    expect(page.get_by_role("alert")).to_contain_text("which fits")
    page.get_by_role("alert").get_by_role("button", name="Rule M1").click()
    expect(page.locator(".rulebook")).to_be_visible()


def test_of_others_piles_only_the_top_card_is_drawn_with_the_number_beneath(guest: Guest) -> None:
    page = guest.sit(at_table(guest, target=500, rounds=100))
    deeper = page.locator(".rival .beneath:not(:empty)")
    until(page, deeper)
    expect(deeper.first).to_have_text(re.compile(r"\+\d"))
    expect(page.locator(".rival .pile").first.locator(".card, .none")).to_have_count(1)
    expect(page.locator(".rival .worth")).to_have_count(0)  # the sum would tell of the cards beneath
    page.locator(".rival .piles").click()
    expect(page.get_by_role("alert")).to_contain_text("only the top cards can be seen")


def test_a_table_may_have_all_piles_drawn(guest: Guest) -> None:
    page = guest.sit(at_table(guest, target=500, rounds=100, whole=True))
    deeper = page.locator(".rival .beneath:not(:empty)")
    until(page, deeper)
    expect(deeper.first).to_have_text(re.compile(r"^[0-5]( [0-5])*$"))
    expect(page.locator(".rival .worth")).to_be_visible()


def test_buried_cards_of_mine_are_shown_on_request(guest: Guest) -> None:
    page = guest.sit(at_table(guest, target=500, rounds=100))
    until(page, page.locator(".collection .more"))
    assert page.locator(".buried").count() == 0
    press(page, "c")
    expect(page.locator(".collection .buried").first).to_be_visible()
    page.get_by_role("button", name="Tops only").click()
    expect(page.locator(".buried")).to_have_count(0)


def test_a_round_that_ended_waits_until_it_is_read(guest: Guest) -> None:
    page = guest.sit(at_table(guest, target=500, rounds=3))
    over = page.get_by_role("dialog", name="Round 1 is over")
    while not over.count():
        page.locator(".status.mine, .go-on").first.wait_for()
        if not over.count():
            act(page)
    expect(over.locator("li")).to_have_count(2)
    expect(over.locator(".why")).to_contain_text(re.compile("(You have|Bruno has) no cards left in hand."))
    over.locator("summary").click()
    for row in ("Collection", "Hand", "Points", "Total"):
        expect(over.get_by_role("row", name=row)).to_be_visible()
    page.reload()
    expect(page.locator(".go-on")).to_be_focused()
    press(page, "Enter")
    expect(over).to_have_count(0)
    assert my_turn(page)
    press(page, "s")
    expect(page.get_by_role("dialog").get_by_role("row", name="Total")).to_be_visible()


# What is seen


def test_hidden_cards_never_reach_the_page(guest: Guest) -> None:
    table = at_table(guest, SIX)
    page = guest.sit(table)
    assert my_turn(page)
    shown = guest.look(table)
    assert shown["view"]["hands"][1:] == [["?"] * 5] * 5
    assert set(shown["view"]["deck"]) == {"?"}
    drawn = [event for line in shown["lines"] for event in line["events"] if event["event"] == "draw"]
    assert {event["card"] == "?" for event in drawn if event["seat"] != 0} == {True}
    expect(page.locator(".rival .held")).to_have_text(["5 cards5"] * 5)


def test_who_looks_on_sees_backs_and_no_moves(guest: Guest) -> None:
    table = at_table(guest)
    assert my_turn(guest.sit(table))
    page = guest.another().sit(table)
    expect(page.locator(".hand .back")).to_have_count(5)
    assert page.locator(".hand button, .collection .binding").count() == 0


def test_in_spanish(guest: Guest) -> None:
    page = guest.sit(at_table(guest, target=500, rounds=100), language="es")
    until(page, not_fitting(page))
    expect(not_fitting(page).first).to_have_accessible_name(re.compile(r"\d \S+: a la colección$"))
    expect(page.locator(".middle")).to_contain_text("Encaja")
    expect(page.get_by_role("group", name="Tu colección")).to_be_visible()


# For everybody


def axe_with_buried_cards(page: Page) -> list[str]:
    """What axe-core finds wrong while buried cards are shown."""
    press(page, "c")
    found = axe(page)
    press(page, "c")
    return found


@pytest.mark.parametrize("players", [2, 6])
def test_a_phone_needs_no_scrolling(guest: Guest, players: int) -> None:
    page = guest.sit(at_table(guest, SIX[:players], target=500, rounds=100), PHONE)
    for _ in range(6):
        assert my_turn(page)
        assert needs_no_scrolling(page)
        act(page)


@pytest.mark.parametrize(("players", "language"), [(2, "es"), (6, "en"), (6, "es")])
def test_a_phone_needs_no_scrolling_with_a_call_a_score_and_cards_that_bind(
    guest: Guest, players: int, language: str
) -> None:
    state = reached("match", players, is_crowded, target=500)
    page = guest.sit(at_table(guest, SIX[:players]), PHONE, language, at=state)
    expect(page.locator(".bound")).to_be_visible()
    expect(page.locator(".called")).to_be_visible()
    assert needs_no_scrolling(page)


def is_crowded(state: State) -> bool:
    binding = [move for move in state.legal_moves if str(move).endswith("collection")]
    piles = state.view(0)["collections"][0].values()
    crowded = state.turn == 0 and state.round > 2 and len(binding) > 0 and max(map(len, piles)) > 1
    return crowded and state.view(0)["called"] in ("P", "Y")


def test_what_can_be_touched_is_big_enough(guest: Guest) -> None:
    page = guest.sit(at_table(guest, SIX), PHONE)
    assert my_turn(page)
    assert too_small_to_touch(page) == []
