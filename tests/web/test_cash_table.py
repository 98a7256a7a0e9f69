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
    box,
    drag,
    has_focus,
    looks,
    move,
    my_turn,
    my_turns,
    needs_no_scrolling,
    next_frame,
    number,
    press,
    reached,
    too_small_to_touch,
    unworded,
)

EIGHT = ("me", *["easy"] * 7)
FOUR = EIGHT[:4]
MANY = 50  # deals: enough for any card to come
USES = ".dock .button:not([data-place=why]):not([data-place=desk])"  # what can be done with what is chosen
HARMLESS = ":is([data-place^=license], [data-place^=cash], [data-place^=cover], [data-place^=clear])"
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


def choose(page: Page, card: Locator) -> None:
    """Where cards overlap, the corner of each can be pressed."""
    card.click(position={"x": 12, "y": 40})


def act(page: Page) -> None:
    """Decline, take, pass on and be done when asked to; else do the first thing that a card can do."""
    close_summary(page)
    with move(page):
        for answer in ("decline", "take", "done", "again"):
            if choice(page, answer).count():
                choice(page, answer).click()
                return
        for card in page.locator(f".hand .card{SAFE}").all():
            choose(page, card)
            next_frame(page)
            if page.locator(USES).count():
                page.locator(USES).first.click()
                return


def end_turn(page: Page) -> None:
    """Let a card go that does nothing to anybody, and be done."""
    for pressed in (hand(page).and_(page.locator(HARMLESS)).first, page.locator("[data-place=discard]")):
        pressed.click()
    with move(page):
        choice(page, "done").click()


@looks(desktop="light", phone="dark")
def test_twenty_decisions_by_mouse_or_finger(guest: Guest, size: ViewportSize, theme: str) -> None:
    """Before each axe would find nothing: now and then it looks."""
    page = guest.sit(at_table(guest, rounds=9), size, theme=theme)
    for turn in my_turns(page, 20):
        if turn in (0, 8):
            close_summary(page)
            assert axe(page) == []
            choose(page, page.locator(f".hand .card{SAFE}").first)
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
    """Numbers choose cards and lead to what they can do, Enter does it; letters answer what is asked."""
    for key, answer in {"x": "decline", "t": "take", "e": "again", "d": "done"}.items():
        if choice(page, answer).count():
            press(page, key)
            return
    cards = hand(page).evaluate_all("cards => cards.map(card => card.dataset.place)")
    for place, card in enumerate(cards):
        if not page.locator(USES).count() and not card.startswith(("stop", "bankr")):
            press(page, str(place + 1))
            next_frame(page)
    expect(page.locator(":focus")).to_have_attribute("data-place", re.compile("^(play|discard|pass|rival)"))
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
    choose(page, page.locator(".hand [data-place^='stop']").first)
    choice(page, "play stop").click()
    expect(page.get_by_role("dialog")).to_contain_text("Stop trading now?")
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    choice(page, "play stop").click()
    with move(page):
        page.get_by_role("dialog").get_by_role("button", name="Play").click()
    over = page.get_by_role("dialog", name="Round 1 is over")
    over.locator("summary").click()
    sheet = over.locator(".scroll")
    expect(sheet).to_contain_text("Points")
    assert not re.search(r"(cash|cover|probe|clear)-", sheet.inner_text())
    assert sheet.evaluate("each => each.scrollWidth <= each.clientWidth")
    amounts = [row.locator("td").all_inner_texts() for row in sheet.locator("tbody tr:not(.sum)").all()]
    assert ["$0", "$0"] not in amounts[:-1]  # the last row is the totals


@pytest.mark.parametrize(
    ("card", "why"),
    [
        ("settlement", "A settlement can only be played under investigation"),
        ("cover-25", "You have no uninsured cash on the table"),
    ],
)
def test_a_card_that_cannot_be_played_says_why(guest: Guest, card: str, why: str) -> None:
    def can_only_be_discarded(legal: list[str]) -> bool:
        return f"discard {card}" in legal and not any(move.startswith(f"play {card}") for move in legal)

    page = guest.sit(table_where(guest, can_only_be_discarded))
    assert my_turn(page)
    choose(page, page.locator(f".hand [data-place^='{card}']").first)
    page.get_by_role("button", name="Can't be played now: why?").click()
    expect(page.get_by_role("alert")).to_contain_text(why)


def test_after_the_one_card_the_prompt_says_what_is_left(guest: Guest) -> None:
    page = guest.sit(at_table(guest))
    assert my_turn(page)
    expect(page.locator(".status")).to_contain_text("Play or discard one card")
    act(page)
    expect(page.locator(".status")).to_contain_text("Your card of this turn is done")


def test_whom_a_card_takes_from_is_seen_at_a_glance_and_can_be_spared(guest: Guest) -> None:
    """All are lit; a click spares, one button takes."""
    table, other = dividend_ready(guest)
    page = guest.sit(table)
    assert my_turn(page)
    with move(page):
        choose(page, page.locator(".hand [data-place^='dividend']").first)
        choice(page, "discard dividend").click()
    rival = page.locator(".rival")
    expect(rival).to_have_class(re.compile("lit"))
    expect(rival.locator(".marked")).to_have_count(1)
    rival.get_by_role("button").click()
    expect(rival).to_have_class(re.compile("spared"))
    expect(choice(page, "take")).to_have_text("Take nothing")
    with move(page):
        choice(page, "take").click()
    expect(page.get_by_role("log")).to_contain_text("You take nothing")
    assert len(other.look(table)["view"]["firms"][1]["cash"]) == 1


def dividend_ready(guest: Guest) -> tuple[str, Guest]:
    """A table of two people: I hold a dividend, and the other has tabled cash."""
    for _ in range(MANY):
        table = at_table(guest, ("me", "open"))
        other = guest.another()
        other.take_seat(table)
        mine, theirs = guest.look(table), other.look(table)
        cash = next((card for card in theirs["view"]["hands"][1] if card.startswith("cash")), None)
        if cash and "discard dividend" in mine["legal"]:
            plain = next(
                move for move in mine["legal"] if re.match("discard (license|probe|cover|clear)", move)
            )
            for who, text in [(guest, plain), (guest, "done"), (other, f"play {cash}"), (other, "done")]:
                at = who.look(table)["number"]
                who.tell("move", "done", id=f"{at}", table=table, number=at, move=text)
            if guest.look(table)["view"]["turn"] == 0:
                return table, other
    raise AssertionError("it was never dealt")


def test_cards_are_picked_first_and_the_page_names_who_receives_them(guest: Guest) -> None:
    page = guest.sit(table_where(guest, lambda legal: "discard crash" in legal))
    assert my_turn(page)
    with move(page):
        choose(page, page.locator(".hand [data-place^='crash']").first)
        choice(page, "discard crash").click()
    receiver = page.locator(".seat .name").last.inner_text()
    expect(page.locator(".dock")).to_contain_text(f"Pick a card for {receiver}")
    before = number(page)
    for place in (0, 2):
        choose(page, hand(page).nth(place))
    expect(page.locator(".hand .chosen")).to_have_count(1)
    assert number(page) == before
    with move(page):
        page.get_by_role("button", name=f"Pass to {receiver}").click()


# Trading


def desk_of(page: Page) -> Locator:
    return page.get_by_role("region", name="Trade desk")


def shelf(page: Page, name: str) -> Locator:
    """Cards that can be put into the offer."""
    return desk_of(page).get_by_role("region", name=name, exact=True).locator(".card")


def asked(page: Page, card: str) -> Locator:
    """A card that can be asked for."""
    return desk_of(page).locator(f"[data-place^='shelf want {card} ']")


def test_an_offer_is_put_together_at_the_trade_desk(guest: Guest) -> None:
    page = guest.sit(at_table(guest))
    assert my_turn(page)
    press(page, "t")
    desk = desk_of(page)
    partner = desk.get_by_role("radio", checked=True)
    expect(partner).to_be_focused()
    assert box(partner.locator(".deal").last)["width"] < 30  # a firm in small cards
    expect(desk.get_by_role("button", name="Propose")).to_be_disabled()
    given = desk.locator("[data-place=give] .card")
    press(page, "1")
    expect(given).to_have_count(1)
    given.click()
    expect(given).to_have_count(0)
    shelf(page, "Your hand").first.click()
    asked(page, "dividend").click()
    assert axe(page) == []
    with move(page):
        desk.get_by_role("button", name="Propose").click()
    expect(page.get_by_role("log")).to_contain_text("You offer")


@SIZES
def test_cards_are_dragged_onto_the_trade_desk_and_off_it(guest: Guest, size: ViewportSize) -> None:
    page = guest.sit(at_table(guest), size)
    assert my_turn(page)
    choice(page, "desk").click()
    give = page.locator("[data-place=give]")
    drag(page, shelf(page, "Your hand").nth(1), give)
    expect(give.locator(".card")).to_have_count(1)
    drag(page, give.locator(".card"), shelf(page, "Your hand").first)
    expect(give.locator(".card")).to_have_count(0)


def test_an_offer_in_the_making_is_there_after_a_reload(guest: Guest) -> None:
    page = guest.sit(at_table(guest))
    assert my_turn(page)
    choice(page, "desk").click()
    shelf(page, "Your hand").first.click()
    asked(page, "cash-5").click()
    page.reload()
    expect(desk_of(page).locator(".sides .card")).to_have_count(2)
    press(page, "Escape")
    expect(desk_of(page)).to_have_count(0)
    page.reload()
    expect(choice(page, "desk")).to_be_visible()
    expect(desk_of(page)).to_have_count(0)


def test_an_offer_that_is_refused_can_be_mended(guest: Guest) -> None:
    page = guest.sit(at_table(guest))
    assert my_turn(page)
    choice(page, "desk").click()
    shelf(page, "Your hand").first.click()
    desk_of(page).get_by_role("button", name="Propose").click()
    page.get_by_role("dialog").get_by_role("button", name="Propose").click()
    expect(page.get_by_role("alert")).to_contain_text("more than 7 hand cards")
    asked(page, "cash-5").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    desk_of(page).get_by_role("button", name="Propose").click()
    expect(page.get_by_role("log")).to_contain_text("You offer")


def test_an_offer_that_was_left_half_built_can_be_dropped(guest: Guest) -> None:
    table = at_table(guest)
    number = guest.look(table)["number"]
    guest.tell("move", "done", id="trade", table=table, number=number, move="trade p1")
    page = guest.sit(table)
    with move(page):
        choice(page, "drop").click()
    expect(choice(page, "desk")).to_be_visible()


@pytest.mark.parametrize("answer", ["accept", "decline", "counter", "counter in vain"])
def test_a_deal_between_two_people(guest: Guest, answer: str) -> None:
    table = at_table(guest, ("me", "open"))
    other = guest.another()
    other.take_seat(table)
    mine, theirs = (who.look(table)["view"] for who in (guest, other))
    assert set(theirs["hands"][0]) == set(mine["hands"][1]) == {"?"}
    given = mine["hands"][0][0]
    wanted = next(card for card in theirs["hands"][1] if card != given)

    page, opposite = guest.sit(table), other.sit(table)
    assert my_turn(page)
    choice(page, "desk").click()
    desk_of(page).locator(f"[data-place^='shelf give {given} ']").first.click()
    asked(page, wanted).click()
    desk_of(page).get_by_role("button", name="Propose").click()

    offer = opposite.get_by_role("region", name="Offer")
    expect(offer.get_by_role("heading", level=2)).to_contain_text("offers you a trade")
    expect(offer.locator(".card")).to_have_count(2)
    expect(desk_of(page).get_by_role("status")).to_contain_text("is thinking about your offer")
    expect(page.locator(".under[inert] [data-place='rival 1']")).to_be_visible()  # below the desk
    press(opposite, {"accept": "a", "decline": "x"}.get(answer, "c"))

    if answer == "accept":
        expect(desk_of(page)).to_have_count(0)
        expect(page.locator(f".hand [data-place^='{wanted}#']").first).to_be_visible()
        came = opposite.locator(f".hand [data-place^='{given}#']").first
        expect(came).to_be_visible()
        expect(came).to_have_attribute("data-from", "hand 0")  # from who traded it, not from the deck
    elif answer == "decline":
        expect(desk_of(page).get_by_role("status")).to_contain_text("declines")
        expect(desk_of(page).locator(".sides .card")).to_have_count(2)
    else:
        expect(desk_of(opposite).locator(".sides .card")).to_have_count(2)
        desk_of(opposite).get_by_role("button", name="Propose").click()
        offer = page.get_by_role("region", name="Offer")
        expect(offer.get_by_role("heading", level=2)).to_contain_text("makes you a counter-offer")
        choice(page, "accept" if answer == "counter" else "decline").click()
        if answer == "counter":
            expect(page.locator(f".hand [data-place^='{wanted}#']").first).to_be_visible()
        else:
            end_turn(page)
            assert my_turn(opposite)
            expect(desk_of(opposite)).to_have_count(0)  # it waits, closed, with what was on it
            choice(opposite, "desk").click()
            expect(desk_of(opposite).locator(".sides .card")).to_have_count(2)


# What is seen


def test_a_wish_arrives_as_a_card_that_fills_the_desk(guest: Guest) -> None:
    """Who isn't in turn says what to trade; who is makes it an offer with one click."""
    table = at_table(guest, ("me", "open"))
    rival = guest.another()
    rival.take_seat(table)
    page, other = guest.sit(table), rival.sit(table, PHONE)
    choice(other, "wish").tap()
    shelf(other, "Your hand").first.tap()
    given = (other.locator("[data-place=give] .card").get_attribute("data-place") or "").split()[1]
    asked(other, "license").tap()
    expect(desk_of(other)).to_contain_text("it binds nobody")
    assert axe(other) == []
    desk_of(other).get_by_role("button", name="Send the wish").tap()
    expect(desk_of(other)).to_have_count(0)

    wish = page.get_by_role("region", name=re.compile("would like to trade with you"))
    expect(wish.locator(".card")).to_have_count(2)
    wish.get_by_role("button", name="Make this offer").click()
    expect(wish).to_have_count(0)
    expect(page.locator("[data-place=want] .card")).to_have_attribute("data-place", f"want {given} 0")
    desk_of(page).locator("[data-place=close]").click()
    expect(wish).to_have_count(0)


def test_in_spanish(guest: Guest) -> None:
    page = guest.sit(at_table(guest), language="es")
    assert my_turn(page)
    expect(page.get_by_role("group", name="Tu mano")).to_be_visible()
    expect(choice(page, "desk")).to_have_text("Mesa de negociación")
    choose(page, page.locator(f".hand .card{SAFE}").first)
    expect(page.locator(USES).first).to_have_text(re.compile("^\\s*(Jugar|Descartar)"))
    assert unworded(page) == []
    press(page, "Escape", "t")
    expect(page.get_by_role("button", name="Proponer")).to_be_visible()
    assert unworded(page) == []


def test_an_offer_between_two_others_moves_nothing_else(guest: Guest) -> None:
    before = reached("cash", 4, lambda state: state.turn == 1 and "trade p2" in map(str, state.legal_moves))
    after = before.copy()
    for text in ("trade p2", "want license", "propose"):
        after.play(text)
    seen = []
    for state in (before, after):
        page = guest.sit(at_table(guest), at=state)
        page.locator(".hand .card").first.wait_for()
        seen.append([box(each) for each in page.locator(".rival, .mine, .hand, .pile").all()])
    expect(page.locator(".meanwhile")).to_contain_text("asks Clara for a gift: a card")
    assert seen[0] == seen[1]


# For everybody


@pytest.mark.parametrize("seats", [EIGHT[:2], EIGHT], ids=len)
def test_a_phone_needs_no_scrolling(guest: Guest, seats: tuple[str, ...]) -> None:
    page = guest.sit(at_table(guest, seats, rounds=9), PHONE)
    for _ in range(4):
        assert my_turn(page)
        assert needs_no_scrolling(page)
        act(page)
    assert my_turn(page)
    assert too_small_to_touch(page) == []
    page.locator(".rival .aim").first.click()
    expect(page.locator(".close-up")).to_be_visible()
    assert needs_no_scrolling(page)


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_phone_keeps_everything_in_reach_at_the_trade_desk_and_of_offers(
    guest: Guest, language: str
) -> None:
    table = at_table(guest, EIGHT)
    page = guest.sit(table, PHONE, language, at=reached("cash", 8, is_rich))
    choice(page, "desk").click()
    press(page, "1")
    assert needs_no_scrolling(page)
    assert axe(page) == []
    expect(page.locator(".desk .primary")).to_be_in_viewport(ratio=1)
    page = guest.sit(table, PHONE, language, at=reached("cash", 8, is_asked))
    assert needs_no_scrolling(page)
    expect(choice(page, "decline")).to_be_in_viewport(ratio=1)
    expect(hand(page).last).to_be_in_viewport(ratio=0.9)


def is_rich(state: State) -> bool:
    """At my turn I have much on my firm, and scores are high."""
    cash = state.view(0)["firms"][0]["cash"]
    return state.turn == 0 and state.round > 1 and len(cash) > 3 and "trade p1" in map(str, state.legal_moves)


def is_asked(state: State) -> bool:
    """I am offered something for more than two cards."""
    offer = state.view(0)["offer"]
    return state.phase == "answer" and state.turn == 0 and len(offer["want"]) > 2
