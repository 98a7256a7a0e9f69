"""A finished game is looked at again on the same table."""

import re

import pytest
from playwright.sync_api import FilePayload, Page, ViewportSize, expect

import kibitz
from kibitz.server.limits import Limits
from tests.web.browsing import (
    DESKTOP,
    PHONE,
    SIZES,
    Guest,
    Visit,
    box,
    is_over,
    move,
    my_turn,
    needs_no_scrolling,
    press,
)

THUMB = 16  # pixels: the browser draws a slider's


def finished(guest: Guest, size: ViewportSize = DESKTOP) -> Page:
    """A game of Ka-Ching! in which I bought a card and gave up."""
    table = guest.create("me", "easy", game="kaching", starter=0)
    page = guest.sit(table, size)
    assert my_turn(page)
    with move(page):
        page.locator(".column .free").first.click()
    guest.tell("resign", "done", id="resign", table=table)
    expect(is_over(page)).to_be_visible()
    return page


@SIZES
def test_it_is_stepped_through_by_buttons_and_keys(guest: Guest, size: ViewportSize) -> None:
    page = finished(guest, size)
    page.get_by_role("link", name="Replay and review").click()
    steps = page.get_by_role("toolbar", name="Step through the game")
    stock = page.locator(".hand .card")
    expect(steps).to_contain_text("Step 0 of")
    expect(stock).to_have_count(1)  # the wild
    steps.get_by_role("button", name="One step on").click()
    expect(stock).to_have_count(2)
    press(page, "ArrowLeft")
    expect(stock).to_have_count(1)
    steps.get_by_role("slider").focus()
    press(page, " ")
    expect(stock).to_have_count(2)  # it plays
    press(page, "End")
    expect(steps.get_by_role("button", name="To the end")).to_be_disabled()
    if size is DESKTOP:
        page.get_by_role("button", name="Review this game").click()
        expect(page.get_by_text("Chance before the deal")).to_be_visible(timeout=120_000)
        page.get_by_text("The only decision").click()
        page.locator("details .line").click()  # back to the moment of that decision
        expect(stock).to_have_count(1)
    page.get_by_role("link", name="Back").click()
    expect(is_over(page)).to_be_visible()


def test_a_moment_has_an_address_and_nothing_can_be_done_there(guest: Guest) -> None:
    page = finished(guest, PHONE)
    page.get_by_role("link", name="Replay and review").click()
    expect(page.get_by_role("toolbar")).to_contain_text("Step 0 of")
    press(page, "ArrowRight")
    expect(page.locator(".hand .card")).to_have_count(2)
    page.wait_for_url("**/review/*#1")
    page.goto(page.url.replace("/review/", "/t/").replace("#1", "#2"))  # a row of the log; the deal is row 1
    page.wait_for_url("**/review/*#1")
    expect(page.get_by_role("toolbar")).to_contain_text("Step 1 of")
    expect(page.locator(".hand .card")).to_have_count(2)
    page.locator(".column").first.dispatch_event("click")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator(".hand .card")).to_have_count(2)


def test_an_address_names_the_seat_that_looks_on(guest: Guest) -> None:
    page = finished(guest)
    page.get_by_role("link", name="Replay and review").click()
    seen_by = page.get_by_label("Seen by")
    expect(seen_by).to_have_value("0")
    page.wait_for_url("**/review/*?seat=0#0")
    seen_by.select_option("1")
    page.wait_for_url("**/review/*?seat=1#0")
    press(page, "ArrowRight")
    page.wait_for_url("**/review/*?seat=1#1")
    elsewhere = guest.another().visit(page.url.removeprefix(guest.server))  # by the link
    expect(elsewhere.get_by_label("Seen by")).to_have_value("1")
    expect(elsewhere.get_by_role("toolbar")).to_contain_text("Step 1 of")


def test_the_whole_table_is_seen_beside_its_review(guest: Guest) -> None:
    table = guest.create("me", "easy", game="assets", rounds=1, dealer=1)
    seen = guest.look(table)
    guest.tell("move", "done", id="move", table=table, number=seen["number"], move=seen["legal"][0])
    guest.tell("resign", "done", id="resign", table=table)
    page = guest.enter(f"/review/{table}")
    page.get_by_role("button", name="Review this game").click()
    expect(page.get_by_text("Chance before the deal")).to_be_visible(timeout=240_000)
    expect(page.get_by_role("figure")).to_be_visible()
    assert needs_no_scrolling(page)


def reviewed(page: Page, record: str, more: int = 500) -> Page:
    """The game that is looked at, reviewed: the first decision cost something, and more moments came."""
    headers = {"Content-Type": "application/json"}
    moments = page.request.post("/api/record/moments?at=0", data=record, headers=headers).json()
    line = moments[:2]
    seats = range(len(line[0]["seats"]))
    none = {"value": 0, "error": 0}
    first = {"number": 0, "seat": 0, "move": "", "told": [], "best": "", "best_told": [], "reasons": []}
    review = {
        "moments": [
            {"number": number, "chances": [0.5 for _ in seats]} for number in range(len(moments) + more)
        ],
        "decisions": [{**first, "loss": 0.5, "error": 0, "line": line}],
        "costliest": [[0], *([] for _ in seats[1:])],
        "reckonings": [
            {**dict.fromkeys(("before", "luck", "own", "others"), none), "result": 0} for _ in seats
        ],
        "steals": [],
        "over": True,
    }
    page.route("**/api/record/review", lambda route: route.fulfill(json=review))
    page.get_by_role("button", name="Review this game").click()
    expect(page.get_by_role("figure")).to_be_visible()
    return page


def finished_and_reviewed(guest: Guest, size: ViewportSize = DESKTOP, more: int = 500) -> Page:
    """That game of Ka-Ching!, reviewed."""
    page = finished(guest, size)
    table = page.url.rpartition("/")[2]
    page.get_by_role("link", name="Replay and review").click()
    expect(page.get_by_label("Seen by")).to_have_value("0")
    return reviewed(page, page.request.get(f"/api/tables/{table}/record").text(), more)


def test_after_a_better_line_the_game_is_seen_from_any_seat(guest: Guest) -> None:
    page = finished_and_reviewed(guest)
    page.get_by_role("button", name="How it could have gone").click()
    page.get_by_role("button", name="Back to the game").click()
    money = page.locator("[data-place='purse of rival']")
    expect(money).to_contain_text("$?")
    page.get_by_label("Seen by").select_option("all open")
    expect(money).not_to_contain_text("$?")


def test_who_presses_beside_a_costly_decision_means_it(guest: Guest) -> None:
    page = finished_and_reviewed(guest)
    press(page, "End")
    steps = page.get_by_role("toolbar")
    expect(steps).not_to_contain_text("Step 0 of")
    page.locator(".plot").click(position={"x": 6, "y": 10})  # four moves beside it
    expect(steps).to_contain_text("Step 0 of")


def test_a_team_has_one_line_and_colour_and_the_board_leaves_room_for_the_graph(visit: Visit) -> None:
    state = kibitz.game("kazink").deal(players=4, seed=1)
    state.play(state.legal_moves[0])
    record = state.record().json()
    page = visit("/review")
    file = FilePayload(name="kazink.json", mimeType="application/json", buffer=record.encode())
    page.locator("input[type=file]").set_input_files(file)
    reviewed(page, record)
    teams = page.locator("figcaption span")
    expect(teams).to_have_text([re.compile(" and .+50"), re.compile(" and .+50")])
    expect(page.locator("figure polyline")).to_have_count(2)
    mine, left, partner, right, ours, theirs = page.locator(".who i, figcaption i").evaluate_all(
        "all => all.map(each => getComputedStyle(each).backgroundColor)"
    )
    assert {mine, partner} | {left, right} == {ours, theirs}
    assert mine == partner != left == right
    assert needs_no_scrolling(page)


@SIZES
def test_the_slider_stands_below_the_moment_of_the_graph(guest: Guest, size: ViewportSize) -> None:
    page = finished_and_reviewed(guest, size, more=0)
    slider, plot = box(page.get_by_role("slider")), box(page.locator(".plot"))
    for key, button, reach in (("Home", "start", THUMB / 2), ("End", "end", slider["width"] - THUMB / 2)):
        press(page, key)
        expect(page.get_by_role("button", name=f"To the {button}")).to_be_disabled()
        assert box(page.locator(".plot .now"))["x"] + 1 == pytest.approx(slider["x"] + reach, abs=2)
    assert 0 <= slider["y"] - plot["y"] - plot["height"] < THUMB


def test_a_better_line_plays_by_itself_unless_stillness_is_asked_for(guest: Guest) -> None:
    page = finished_and_reviewed(guest)
    page.get_by_role("button", name="How it could have gone").click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.get_by_role("button", name="Back to the game").click()
    page.emulate_media(reduced_motion="no-preference")
    page.get_by_role("button", name="How it could have gone").click()
    expect(page.get_by_role("toolbar")).to_contain_text("Step 1 of 1")


WRONG = {"a list": "[1, 2]", "another game's": '{"game": "chess"}', "no text": "\0\1"}


@pytest.mark.parametrize("content", WRONG.values(), ids=WRONG)
@pytest.mark.parametrize(
    ("locale", "told"), [("en-US", "This file is no record"), ("es-ES", "Este archivo no es el registro")]
)
def test_a_file_that_is_no_record_is_told_in_words_and_another_one_can_be_chosen(
    visit: Visit, content: str, locale: str, told: str
) -> None:
    page = visit("/review", locale=locale)
    for sent in (content, kibitz.game("kaching").deal(seed=1).record().json()):
        expect(page.get_by_role("toolbar")).to_have_count(0)
        file = FilePayload(name="any.json", mimeType="application/json", buffer=sent.encode())
        page.locator("input[type=file]").set_input_files(file)
        if sent == content:
            expect(page.get_by_text(told)).to_be_visible()
            expect(page.get_by_text("Object missing")).to_have_count(0)
    expect(page.get_by_role("toolbar")).to_be_visible()


@pytest.mark.parametrize(
    ("locale", "told"),
    [
        ("en", "This file is too large (263 kB, at most 262)."),
        ("es", "Archivo demasiado grande (1,000 kB, como máximo 262)."),
    ],
)
def test_a_file_that_is_too_large_is_told_to_be(visit: Visit, locale: str, told: str) -> None:
    largest = Limits().record_bytes // 1000 * 1000
    page = visit("/review", locale=locale)
    size = largest + 1 if locale == "en" else 1_000_000
    file = FilePayload(name="any.json", mimeType="application/json", buffer=b" " * size)
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text(told)).to_be_visible()
    file["buffer"] = kibitz.game("kaching").deal(seed=1).record().json().encode().ljust(largest)
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_role("toolbar")).to_be_visible()


@pytest.mark.parametrize("game", ["assets", "cash", "kazink", "match"])
def test_where_all_is_open_rivals_hands_are_drawn(guest: Guest, game: str) -> None:
    table = guest.create("me", "easy", game=game)
    guest.tell("resign", "done", id="resign", table=table)
    page = guest.sit(table)
    page.get_by_role("link", name="Replay and review").click()
    rival = page.locator("[data-place='seat 1']")
    expect(rival).to_be_visible()
    expect(rival.locator(".laid")).to_have_count(0)
    page.get_by_label("Seen by").select_option("all open")
    expect(rival.locator(".laid .slot").first).to_be_visible()


def test_what_changes_its_place_flies_above_the_table_and_lands(guest: Guest) -> None:
    page = guest.sit(guest.create("me", "easy", game="kaching", starter=0))
    assert my_turn(page)
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate(
        "window.flown = 0; new MutationObserver(seen => seen.forEach(({addedNodes}) => "
        "(window.flown += addedNodes.length))).observe(document.querySelector('.above'), {childList: true})"
    )
    page.locator(".column .free").first.click()
    page.wait_for_function("() => window.flown > 0")
    expect(page.locator(".above > *")).to_have_count(0)
    expect(page.locator("[data-arriving], [data-gliding]")).to_have_count(0)
    expect(page.locator(".hand .card")).to_have_count(2)
