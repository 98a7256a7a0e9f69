"""CASH's table in a real browser: by mouse and keyboard, the trade desk, and a deal of two people."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from kibitz.core.state import State
from tests.web.browsing import (
    PHONE,
    SIZES,
    Guest,
    axe,
    drag,
    has_focus,
    is_focused,
    looks,
    move,
    my_turn,
    my_turns,
    needs_no_scrolling,
    next_frame,
    number,
    press,
    reached,
    tab_to,
    too_small_to_touch,
    unworded,
    walk_to,
)

EIGHT = ("me", *["easy"] * 7)
FOUR = EIGHT[:4]
MANY = 50  # deals: enough for any card to come
SAFE = ":not([data-place^='stop']):not([data-place^='bankruptcy'])"  # cards that ask nothing back


def at_table(guest: Guest, seats: tuple[str, ...] = FOUR, **options: Any) -> str:
    """A table at which I begin."""
    return guest.create(*seats, game="cash", **{"rounds": 1, "starter": 0, **options})


def hand(page: Page) -> Locator:
    return page.locator(".hand .card")


def choice(page: Page, move: str) -> Locator:
    """A button that makes this move."""
    return page.locator(f".table .button[data-place='{move}']")


def close_summary(page: Page) -> None:
    """The last round's summary lies over the table until it is closed."""
    if (read := page.locator(".stage .panel").get_by_role("button", name="Close")).count():
        read.click()


def act(page: Page) -> None:
    """Decline, pass, trim and be done when asked to; else do the first thing a card can do."""
    close_summary(page)
    with move(page):
        for answer in ("decline", "done", "again"):
            if choice(page, answer).count():
                choice(page, answer).click()
                return
        before = number(page)
        page.locator(f".hand .card.lit{SAFE}").first.click()
        next_frame(page)
        if page.locator(".uses button").count():  # trimmed and passed cards go at once
            assert number(page) == before
            page.locator(".uses button").first.click()


@looks(desktop="light", phone="dark")
def test_twenty_decisions_by_mouse_or_finger(guest: Guest, size: ViewportSize, theme: str) -> None:
    """Before each axe would find nothing: now and then it looks."""
    page = guest.sit(at_table(guest, rounds=9), size, theme=theme)
    for turn in my_turns(page, 20):
        if turn in (0, 8):
            close_summary(page)
            assert axe(page) == []
            page.locator(f".hand .card{SAFE}").first.click()
            assert axe(page) == []
            press(page, "Escape")
        act(page)
    expect(page.get_by_role("log")).to_contain_text("You")


def test_turns_by_keyboard_alone(guest: Guest) -> None:
    page = guest.sit(at_table(guest, rounds=9))
    for _ in my_turns(page, 10):
        with move(page):
            act_by_keyboard(page)
        assert has_focus(page)


def act_by_keyboard(page: Page) -> None:
    """Numbers choose cards, the arrow up leads to what they can do; `d` is done, `n` declines."""
    for key, answer in {"n": "decline", "d": "done"}.items():
        if choice(page, answer).count():
            press(page, key)
            return
    cards = hand(page).evaluate_all(
        "cards => cards.map(card => card.matches('.lit') ? card.dataset.place : '')"
    )
    place = next(place for place, card in enumerate(cards) if card and not card.startswith(("stop", "bankr")))
    before = number(page)
    press(page, str(place + 1))
    next_frame(page)
    if page.locator(".uses button").count() and number(page) == before:
        tab_to(page, "[data-place]")
        press(page, "ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp")
        walk_to(page, ".uses button", ["ArrowDown"] * 3)
        if is_focused(page, "[data-place='why']"):
            press(page, "ArrowLeft")
        press(page, "Enter")


def table_where(guest: Guest, wanted: Callable[[list[str]], bool], seats: tuple[str, ...] = FOUR) -> str:
    """A table at which I begin, and may do this at once."""
    for _ in range(MANY):
        table = at_table(guest, seats, rounds=9)
        if wanted(guest.look(table)["legal"]):
            return table
    raise AssertionError("it was never dealt")


@SIZES
def test_to_stop_trading_is_asked_first_and_the_rounds_score_is_told_in_words_and_fits(
    guest: Guest, size: ViewportSize
) -> None:
    page = guest.sit(table_where(guest, lambda legal: "play stop" in legal, EIGHT[:2]), size)
    assert my_turn(page)
    page.locator(".hand [data-place^='stop']").first.click()
    choice(page, "play stop").click()
    expect(page.get_by_role("dialog")).to_contain_text("Stop trading now?")
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    choice(page, "play stop").click()
    with move(page):
        page.get_by_role("dialog").get_by_role("button", name="Play").click()
    sheet = page.locator(".stage .panel .scroll")
    expect(sheet).to_contain_text("Points")
    assert not re.search(r"(cash|cover|probe|clear)-", sheet.inner_text())
    assert sheet.evaluate("each => each.scrollWidth <= each.clientWidth")
    amounts = [row.locator("td").all_inner_texts() for row in sheet.locator("tbody tr:not(.sum)").all()]
    assert ["0", "0"] not in amounts[:-1]  # the last row is the totals


def test_a_card_that_cannot_be_played_says_why(guest: Guest) -> None:
    def can_only_be_discarded(legal: list[str]) -> bool:
        return "discard settlement" in legal and "play settlement" not in legal

    page = guest.sit(table_where(guest, can_only_be_discarded))
    assert my_turn(page)
    page.locator(".hand [data-place^='settlement']").first.click()
    page.get_by_role("button", name="Can't be played now: why?").click()
    expect(page.get_by_role("alert")).to_contain_text("A settlement can only be played under investigation")


# Trading


def test_an_offer_is_put_together_at_the_trade_desk(guest: Guest) -> None:
    page = guest.sit(at_table(guest))
    assert my_turn(page)
    press(page, "t")
    desk = page.get_by_role("region", name="Trade desk")
    expect(desk.get_by_role("combobox", name="Trade with whom?")).to_be_focused()
    expect(desk.get_by_role("button", name="Propose")).to_be_disabled()
    hand(page).first.click()
    expect(hand(page).first).to_have_class(re.compile("given"))
    desk.get_by_role("button", name="take out").click()
    expect(page.locator(".given")).to_have_count(0)
    hand(page).first.click()
    desk.get_by_role("combobox", name="Ask for a hand card").select_option("venture")
    desk.get_by_role("button", name="Ask", exact=True).click()
    with move(page):
        desk.get_by_role("button", name="Propose").click()
    expect(page.get_by_role("log")).to_contain_text("You offer")
    assert has_focus(page)


@SIZES
def test_cards_are_dragged_onto_the_trade_desk_and_off_it(guest: Guest, size: ViewportSize) -> None:
    page = guest.sit(at_table(guest), size)
    assert my_turn(page)
    choice(page, "desk").click()
    give = page.locator("[data-place=give]")
    drag(page, hand(page).nth(1), give)
    expect(give.locator(".card")).to_have_count(1)
    expect(hand(page).nth(1)).to_have_class(re.compile("given"))
    drag(page, give.locator(".card"), page.locator(".hand"))
    expect(give.locator(".card")).to_have_count(0)
    expect(page.locator(".given")).to_have_count(0)


def test_cards_of_both_firms_are_dragged_onto_the_trade_desk(guest: Guest) -> None:
    page = guest.sit(at_table(guest, EIGHT), at=reached("cash", 8, is_rich))
    choice(page, "desk").click()
    firms = page.locator(".desk .firms > div")
    for firm, side in zip(firms.all(), ("give", "want"), strict=True):
        offered = page.locator(f"[data-place={side}]")
        drag(page, firm.locator(".pick").first, offered)
        expect(offered.locator(".card")).to_have_count(1)


def test_an_offer_in_the_making_is_there_after_a_reload(guest: Guest) -> None:
    page = guest.sit(at_table(guest))
    assert my_turn(page)
    choice(page, "desk").click()
    hand(page).first.click()
    page.get_by_role("button", name="Ask", exact=True).click()
    page.reload()
    expect(page.get_by_role("region", name="Trade desk").locator(".offer .card")).to_have_count(2)
    page.get_by_role("button", name="Drop the offer").click()
    page.reload()
    expect(choice(page, "desk")).to_be_visible()
    expect(page.get_by_role("region", name="Trade desk")).to_have_count(0)


def test_an_offer_that_is_refused_can_be_mended(guest: Guest) -> None:
    page = guest.sit(at_table(guest))
    assert my_turn(page)
    choice(page, "desk").click()
    hand(page).first.click()
    desk = page.get_by_role("region", name="Trade desk")
    desk.get_by_role("button", name="Propose").click()
    page.get_by_role("dialog").get_by_role("button", name="Propose").click()
    expect(page.get_by_role("alert")).to_contain_text("more than 7 hand cards")
    expect(desk).to_be_visible()
    desk.get_by_role("button", name="Ask", exact=True).click()
    desk.get_by_role("button", name="Propose").click()
    expect(page.get_by_role("log")).to_contain_text("You offer")


def test_an_offer_that_was_left_half_built_can_be_dropped(guest: Guest) -> None:
    table = at_table(guest)
    number = guest.look(table)["number"]
    guest.tell("move", "done", id="trade", table=table, number=number, move="trade p1")
    page = guest.sit(table)
    expect(page.get_by_role("region", name="Offer")).to_be_visible()
    with move(page):
        choice(page, "drop").click()
    expect(choice(page, "desk")).to_be_visible()


@pytest.mark.parametrize("answer", ["accept", "counter"])
def test_a_deal_between_two_people(guest: Guest, answer: str) -> None:
    table = at_table(guest, ("me", "open"))
    other = guest.another()
    other.take_seat(table)
    mine, theirs = (who.look(table)["view"] for who in (guest, other))
    assert set(theirs["hands"][0]) == set(mine["hands"][1]) == {"?"}
    given = mine["hands"][0][0]
    wanted = next(card for card in theirs["hands"][1] if card != given)

    page, opposite = guest.sit(table), other.sit(table)
    onlooker = guest.another().sit(table)
    assert my_turn(page)
    choice(page, "desk").click()
    page.locator(f".hand [data-place^='{given}#']").first.click()
    page.get_by_role("combobox", name="Ask for a hand card").select_option(wanted)
    page.get_by_role("button", name="Ask", exact=True).click()
    page.get_by_role("button", name="Propose").click()

    offer = opposite.get_by_role("region", name="Offer")
    expect(offer.get_by_role("heading", level=2)).to_contain_text("offers you: ")
    expect(offer.locator(".card")).to_have_count(2)
    expect(onlooker.get_by_role("region", name="Offer")).to_contain_text("a card for a card")
    choice(opposite, answer).click()

    expect(choice(page, "desk")).to_be_visible()
    if answer == "accept":
        expect(page.locator(f".hand [data-place^='{wanted}#']").first).to_be_visible()
        expect(opposite.locator(f".hand [data-place^='{given}#']").first).to_be_visible()
    else:
        expect(page.get_by_role("log")).to_contain_text("declines")
    if answer == "counter":
        act(page)
        while page.locator(".status.mine").count():
            act(page)
        assert my_turn(opposite)
        opposite.reload()
        expect(choice(opposite, "desk")).to_have_text("Counter-offer")
        choice(opposite, "desk").click()
        expect(opposite.get_by_role("region", name="Trade desk").locator(".offer .card")).to_have_count(2)


# What is seen


def test_in_spanish(guest: Guest) -> None:
    page = guest.sit(at_table(guest), language="es")
    assert my_turn(page)
    expect(page.get_by_role("group", name="Tu mano")).to_be_visible()
    expect(choice(page, "desk")).to_have_text("Mesa de negociación")
    page.locator(f".hand .card.lit{SAFE}").first.click()
    expect(page.locator(".uses button").first).to_have_text(re.compile("^\\s*(Jugar|Descartar)"))
    assert unworded(page) == []
    press(page, "Escape", "t")
    expect(page.get_by_role("button", name="Proponer")).to_be_visible()
    assert unworded(page) == []


# For everybody


@SIZES
def test_axe_finds_nothing_at_the_trade_desk(guest: Guest, size: ViewportSize) -> None:
    page = guest.sit(at_table(guest), size)
    assert my_turn(page)
    choice(page, "desk").click()
    hand(page).first.click()
    assert axe(page) == []


@pytest.mark.parametrize("seats", [EIGHT[:2], EIGHT], ids=len)
def test_a_phone_needs_no_scrolling(guest: Guest, seats: tuple[str, ...]) -> None:
    page = guest.sit(at_table(guest, seats, rounds=9), PHONE)
    for _ in range(4):
        assert my_turn(page)
        assert needs_no_scrolling(page)
        act(page)
    assert my_turn(page)
    page.locator(".rival .tile").first.click()
    expect(page.locator(".opened")).to_be_visible()
    assert needs_no_scrolling(page)


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_phone_keeps_the_hand_in_reach_at_the_trade_desk_and_of_offers(guest: Guest, language: str) -> None:
    table = at_table(guest, EIGHT)
    page = guest.sit(table, PHONE, language, at=reached("cash", 8, is_rich))
    choice(page, "desk").click()
    hand(page).first.click()
    assert needs_no_scrolling(page)
    expect(page.locator(".desk .primary")).to_be_in_viewport(ratio=1)
    expect(hand(page).last).to_be_in_viewport(ratio=1)
    page = guest.sit(table, PHONE, language, at=reached("cash", 8, is_asked))
    assert needs_no_scrolling(page)
    expect(choice(page, "decline")).to_be_in_viewport(ratio=1)


def is_rich(state: State) -> bool:
    """At my turn I have much on my firm, and scores are high."""
    cash = state.view(0)["firms"][0]["cash"]
    return state.turn == 0 and state.round > 1 and len(cash) > 3 and "trade p1" in map(str, state.legal_moves)


def is_asked(state: State) -> bool:
    """I am offered something for more than two cards."""
    offer = state.view(0)["offer"]
    return state.phase == "answer" and state.turn == 0 and len(offer["want"]) > 2


def test_what_can_be_touched_is_big_enough(guest: Guest) -> None:
    page = guest.sit(at_table(guest, EIGHT), PHONE)
    assert my_turn(page)
    assert too_small_to_touch(page) == []
