"""Ka-Ching!'s table in a real browser: everything by mouse, by keyboard and by dragging, and what is seen."""

import re
from typing import Any

from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.web.browsing import (
    DESKTOP,
    PHONE,
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
    needs_no_scrolling_sideways,
    play_until,
    press,
    tab_to,
    too_small_to_touch,
    walk_to,
)

WILD = "W2"
GOOD_PRICE = 12
DEAR = ".column.faint:not(.empty)"
MANY = 80  # turns: more than a round has
ALONG_MY_STOCK = ["ArrowDown"] * 2 + ["ArrowRight"] * 20 + ["ArrowLeft"] * 20  # down, to its end, and back
READ_CARDS = """(elements, faces) => elements.map(element =>
    Array.from(element.querySelectorAll(faces), face =>
        Array.from(face.querySelectorAll("text"), text => text.textContent).slice(0, 2).join("")))"""


def at_table(guest: Guest, seats: tuple[str, ...] = ("me", "easy"), **options: Any) -> str:
    return guest.create(*seats, game="kaching", **{"starter": 0, **options})


def columns(page: Page) -> list[list[str]]:
    shown: list[list[str]] = page.locator(".column").evaluate_all(READ_CARDS, ".pile svg")
    return shown


def stock(page: Page) -> list[str]:
    """My cards, without the wild."""
    (shown,) = page.locator(".hand").evaluate_all(READ_CARDS, "svg")
    return [card for card in shown if card != WILD]


def rivals_stock(page: Page) -> list[str]:
    colours: list[list[str]] = page.locator(".colour").evaluate_all(READ_CARDS, ".head svg")
    return [card for colour in colours for card in colour]


def money(page: Page) -> str:
    """As it is read out: it doesn't count up."""
    return page.locator(".mine .money .unseen").inner_text()


def prices(page: Page) -> list[int]:
    """Of all possible sales, as the buttons stand."""
    return [int(text.strip("$")) for text in page.locator(".sale .price").all_inner_texts()]


def buyable(page: Page) -> Locator:
    return page.locator(".column[aria-disabled=false]")


def card(page: Page, place: int) -> Locator:
    return page.locator(".hand .card").nth(place)


def buy_first(page: Page, times: int = 1) -> None:
    for _ in range(times):
        assert my_turn(page)
        held = len(stock(page))
        buyable(page).first.locator(".free").click()
        expect(page.locator(".hand .card")).to_have_count(held + 2)


# Whole games


@looks(desktop="dark", phone="light")
def test_a_whole_game_by_mouse_or_finger(guest: Guest, size: ViewportSize, theme: str) -> None:
    """From start to end axe finds nothing, and while trading a phone needs no scrolling."""
    page = guest.sit(at_table(guest), size, theme=theme)
    for turn in my_turns(page, MANY):
        closing = page.locator(".banner").count() > 0
        if closing:
            check_last_sale(page)
        else:
            assert needs_no_scrolling_sideways(page)
            assert needs_no_scrolling(page) or len(stock(page)) > 12 or size == DESKTOP
        if turn in (0, 7) or closing:
            assert axe(page) == []
        act_by_mouse(page, turn)
    expect(is_over(page)).to_be_visible()
    assert axe(page) == []


def check_last_sale(page: Page) -> None:
    """It is announced; nothing can be bought, and one may pass."""
    expect(page.locator(".banner")).to_contain_text("Last sale")
    expect(page.locator(".pass")).to_be_visible()
    assert buyable(page).count() == 0


def act_by_mouse(page: Page, turn: int) -> None:
    """Sell well, else buy, else sell badly, else pass; one after the other from the list and by two cards."""
    sales = prices(page)
    with move(page):
        if sales and (max(sales) >= GOOD_PRICE or buyable(page).count() == 0):
            if turn % 2:
                page.locator(".sale").first.click()
            else:
                sell_by_two_cards(page)
        elif buyable(page).count():
            buyable(page).nth(turn % buyable(page).count()).locator(".free").click()
        else:
            page.locator(".pass").click()


def sell_by_two_cards(page: Page) -> None:
    page.locator(".hand .lit").first.click()
    partner = page.locator(".hand .lit").first
    expect(partner.locator(".tag")).to_be_visible()
    partner.click()


def test_a_whole_game_by_keyboard_alone(guest: Guest) -> None:
    page = guest.sit(at_table(guest))
    assert my_turn(page)
    tab_to(page, ".column")
    for _ in my_turns(page, MANY):
        assert has_focus(page)
        act_by_keyboard(page)
    expect(is_over(page)).to_be_visible()


def act_by_keyboard(page: Page) -> None:
    sales = prices(page)
    with move(page):
        if sales and (max(sales) >= GOOD_PRICE or buyable(page).count() == 0):
            tab_to(page, ".hand .card, .column")
            walk_to(page, ".hand .card.lit", ALONG_MY_STOCK)
            press(page, "Enter")
            walk_to(page, ".hand .card.lit:not([aria-pressed=true])", ALONG_MY_STOCK)
            press(page, "Enter")
        elif buyable(page).count():
            press(page, re.sub(r"\D", "", str(buyable(page).first.get_attribute("data-place"))))
        else:
            tab_to(page, ".pass")
            press(page, "Enter")


# Buying and selling


def test_the_number_of_a_column_buys_its_free_card(guest: Guest) -> None:
    page = guest.sit(at_table(guest))
    assert my_turn(page)
    free = columns(page)[2][-1]
    press(page, "3")
    expect(page.locator(".hand .card")).to_have_count(2)
    assert stock(page) == [free]
    assert money(page) == f"Money: ${20 - int(free[1])}"


def test_a_free_card_dragged_to_my_stock_is_bought(guest: Guest) -> None:
    page = guest.sit(at_table(guest))
    assert my_turn(page)
    free = columns(page)[0][-1]
    drag(page, page.locator(".column").first.locator(".free"), page.locator(".hand"))
    expect(page.locator(".hand .card")).to_have_count(2)
    assert stock(page) == [free]


def test_a_free_card_dropped_elsewhere_stays_where_it_was(guest: Guest) -> None:
    page = guest.sit(at_table(guest))
    assert my_turn(page)
    before = columns(page)
    drag(page, page.locator(".column").first.locator(".free"), page.locator(".sold"))
    page.wait_for_timeout(500)
    assert columns(page) == before
    expect(page.locator("[data-dragging]")).to_have_count(0)


def test_a_card_dragged_onto_the_wild_is_sold_with_it(guest: Guest) -> None:
    page = guest.sit(at_table(guest))
    buy_first(page, 1)
    assert my_turn(page)
    value = int(stock(page)[0][1])
    drag(page, card(page, 0), card(page, 1))
    expect(page.locator(".hand .card")).to_have_count(0)
    assert money(page) == f"Money: ${20 + value}"
    expect(page.locator(".sold .card").first).to_be_visible()


def test_a_chosen_card_lights_what_it_sells_with_and_escape_lets_it_go(guest: Guest) -> None:
    page = guest.sit(at_table(guest))
    buy_first(page, 1)
    assert my_turn(page)
    value = int(stock(page)[0][1])
    card(page, 0).click()
    expect(card(page, 0)).to_have_attribute("aria-pressed", "true")
    expect(card(page, 1).locator(".tag")).to_have_text(f"${2 * value}")
    expect(card(page, 1)).to_have_accessible_name(re.compile(rf"sell it with \w+ {value} for \${2 * value}"))
    press(page, "Escape")
    expect(card(page, 0)).to_have_attribute("aria-pressed", "false")
    assert len(stock(page)) == 1


def test_every_sale_is_offered_by_name_and_price(guest: Guest) -> None:
    page = guest.sit(at_table(guest))
    buy_first(page, 1)
    assert my_turn(page)
    value = int(stock(page)[0][1])
    offers = page.get_by_role("group", name="Sales you can make").get_by_role("button")
    expect(offers).to_have_count(1)
    expect(offers.first).to_have_accessible_name(
        re.compile(rf"Sell \w+ {value} and the wild for \${2 * value}")
    )
    offers.first.focus()
    press(page, "Enter")
    expect(page.locator(".hand .card")).to_have_count(0)
    assert has_focus(page)


def test_many_sales_leave_the_market_as_big_as_it_was(guest: Guest) -> None:
    page = guest.sit(at_table(guest), DESKTOP)
    buy_first(page, 1)
    assert my_turn(page)
    market = page.locator(".market")
    before = box(market)
    page.locator(".sale").evaluate("sale => { for (let i = 0; i < 9; i++) sale.after(sale.cloneNode(true)) }")
    assert box(market) == before


def test_a_bought_card_keeps_its_key_for_the_motion(guest: Guest) -> None:
    page = guest.sit(at_table(guest))
    assert my_turn(page)
    key = page.locator(".column .free").first.get_attribute("data-place")
    page.locator(".column .free").first.click()
    expect(page.locator(f".hand [data-place='{key}']")).to_be_visible()


def test_the_focus_survives_the_sale_of_the_card_that_has_it(guest: Guest) -> None:
    page = guest.sit(at_table(guest))
    buy_first(page, 2)
    assert my_turn(page)
    card(page, 0).focus()
    press(page, "Enter")
    card(page, 2).focus()
    press(page, "Enter")
    expect(page.locator(".hand .card")).to_have_count(1)
    assert has_focus(page)


# Refusals


def test_a_covered_card_says_why_it_cannot_be_bought(guest: Guest) -> None:
    page = guest.sit(at_table(guest))
    assert my_turn(page)
    before = columns(page)
    page.locator(".column").first.locator("[data-covered]").first.click(position={"x": 20, "y": 5})
    expect(page.get_by_role("alert")).to_contain_text("Only the last card of a column is free")
    assert columns(page) == before
    page.get_by_role("alert").get_by_role("button", name="Rules: Buying").click()
    beside = page.get_by_role("dialog", name="Rules of Ka-Ching!")
    expect(beside.locator(".pointed-out")).to_have_text("Buying")
    expect(beside.locator(".pointed-out")).to_be_in_viewport()
    with move(page):
        page.keyboard.press("1")  # the table can be played on
    press(page, "Escape", "Escape")
    expect(beside).to_have_count(0)


def test_a_second_card_that_makes_no_pair_says_why_and_is_chosen_instead(guest: Guest) -> None:
    page = guest.sit(at_table(guest))
    while len({name[0] for name in stock(page)}) < 2:
        buy_first(page, 1)
    assert my_turn(page)
    held = stock(page)
    other = next(place for place, name in enumerate(held) if name[0] != held[0][0])
    card(page, 0).click()
    card(page, other).click()
    expect(page.get_by_role("alert")).to_contain_text("are of two colours")
    expect(card(page, other)).to_have_attribute("aria-pressed", "true")


def test_two_colours_are_refused_with_the_rule(guest: Guest) -> None:
    page = guest.sit(at_table(guest))
    while len({name[0] for name in stock(page)}) < 2:
        buy_first(page, 1)
    assert my_turn(page)
    held = stock(page)
    other = next(place for place, name in enumerate(held) if name[0] != held[0][0])
    drag(page, card(page, 0), card(page, other))
    expect(page.get_by_role("alert")).to_contain_text("are of two colours")
    assert stock(page) == held


def test_a_card_that_is_too_dear_says_so(guest: Guest) -> None:
    page = guest.sit(at_table(guest))
    play_until(page, page.locator(DEAR).count, buy_first, MANY)
    page.locator(DEAR).first.locator(".free").click(force=True)
    expect(page.get_by_role("alert")).to_contain_text("nothing is sold on credit")


def test_out_of_turn_the_table_says_whose_turn_it_is(guest: Guest) -> None:
    table = at_table(guest, ("me", "open"), starter=1)
    guest.another().take_seat(table)
    page = guest.sit(table)
    page.locator(".column .free").first.click(force=True)
    expect(page.get_by_role("alert")).to_contain_text("turn")


# What is seen


def test_the_table_shows_what_the_server_tells_also_after_a_reload(guest: Guest) -> None:
    table = at_table(guest)
    page = guest.sit(table)
    for turn in range(8):
        assert my_turn(page)
        act_by_mouse(page, turn)
    assert my_turn(page)
    view = guest.look(table)["view"]
    sold = page.locator(".sold").inner_text()
    for _ in range(2):
        assert columns(page) == view["columns"]
        assert stock(page) == view["stocks"][0]
        assert rivals_stock(page) == view["stocks"][1]
        assert money(page) == f"Money: ${view['money'][0]}"
        assert page.locator(".rival .money .unseen").inner_text().endswith("$?")
        assert page.locator(".sold").inner_text() == sold
        page.reload()
        expect(page.locator(".table")).to_be_visible()
        assert my_turn(page)


def test_the_rivals_purchase_is_marked(guest: Guest) -> None:
    page = guest.sit(at_table(guest))
    buy_first(page, 1)
    assert my_turn(page)
    expect(page.locator(".rival .fresh, .sold.fresh")).to_have_count(1)


def test_a_hint_is_pointed_out(guest: Guest) -> None:
    page = guest.sit(at_table(guest))
    assert my_turn(page)
    press(page, "h")
    pointed_at = page.locator(".hinted .free, .hand .hinted").first
    expect(pointed_at).to_have_css("box-shadow", re.compile(r"\b5px"))  # stands out without motion


def test_who_looks_on_sees_seat_0_below_and_no_money(guest: Guest) -> None:
    table = at_table(guest)
    player = guest.sit(table)
    buy_first(player, 2)
    assert my_turn(player)
    page = guest.another().sit(table)
    assert stock(page) == stock(player)
    assert rivals_stock(page) == rivals_stock(player)
    assert page.locator(".money .unseen").all_inner_texts()[1] == "Money: $?"
    assert page.locator(".column.lit, .sale").count() == 0


def test_in_spanish(guest: Guest) -> None:
    page = guest.sit(at_table(guest), language="es")
    assert my_turn(page)
    expect(page.locator(".column").first).to_have_accessible_name(
        re.compile(r"\d (rojo|amarillo|verde|azul|púrpura), cuesta \$\d, columna 1")
    )
    buy_first(page, 1)
    assert my_turn(page)
    expect(page.locator(".sale").first).to_have_accessible_name(
        re.compile(r"Vender \d \S+ y el comodín por \$\d+")
    )


def test_a_series_shows_how_it_stands(guest: Guest) -> None:
    page = guest.sit(at_table(guest, series="best_of", rounds=3))
    expect(page.locator(".series")).to_have_text("Round 1, best of 3 · rounds won 0 : 0")


# For everybody


def test_a_column_is_read_as_its_free_card_with_what_lies_below(guest: Guest) -> None:
    page = guest.sit(at_table(guest))
    column = page.locator(".column").nth(2)
    colour = {"R": "red", "Y": "yellow", "G": "green", "B": "blue", "P": "purple"}
    *covered, free = columns(page)[2]
    expect(column).to_have_accessible_name(f"{colour[free[0]]} {free[1]}, costs ${free[1]}, column 3")
    read = ", ".join(f"{colour[card[0]]} {card[1]}" for card in reversed(covered))
    expect(column).to_have_accessible_description(f"Covered, the next one first: {read}")


def test_what_can_be_touched_is_big_enough(guest: Guest) -> None:
    page = guest.sit(at_table(guest), PHONE)
    buy_first(page, 3)
    assert my_turn(page)
    assert too_small_to_touch(page) == []
