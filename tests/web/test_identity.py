"""Who I am on several devices, rated games, and what is kept about me: in real browsers."""

import json
import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.web.browsing import DESKTOP, PHONE, Guest, is_over, move

PASSPHRASE = "correct horse battery"


def name_of(page: Page) -> str:
    """What the page says I am called."""
    return page.locator("p.row strong").inner_text()


def lasting(guest: Guest, login: str) -> None:
    """Give somebody a passphrase."""
    guest.tell("set-passphrase", "done", id=login, login=login, passphrase=PASSPHRASE)


def test_i_move_to_my_phone_by_a_code_and_leave_it_again(guest: Guest) -> None:
    desk = guest.enter("/me", DESKTOP)
    desk.get_by_role("button", name="Show a code for another device").click()
    code = desk.locator("[data-code]").inner_text()
    expect(desk.get_by_role("img", name="QR code")).to_be_visible()

    phone = guest.another().enter(f"/me#{code}", PHONE, "es")
    expect(phone.get_by_label("Código del otro dispositivo")).to_have_value(code)
    assert code not in phone.url
    phone.get_by_role("button", name="Ser esa persona aquí").click()
    expect(phone.get_by_text("Aquí ya eres")).to_be_visible()
    assert name_of(phone) == name_of(desk)

    desk.locator("summary", has_text="Leave all other devices").click()
    desk.get_by_role("button", name="Leave all other devices").click()
    expect(desk.get_by_text("All other devices are signed out.")).to_be_visible()
    expect(phone.get_by_text("Se ha cerrado la sesión")).to_be_visible()
    mine = name_of(desk)
    phone.reload()
    expect(phone.locator("p.row strong")).not_to_have_text(mine)
    desk.reload()
    expect(desk.locator("p.row strong")).to_have_text(mine)


def test_i_sign_in_by_a_passphrase_that_no_browser_keeps(guest: Guest) -> None:
    page = guest.enter("/me", PHONE)
    page.get_by_role("button", name="Set the passphrase").click()
    page.get_by_label("Name to sign in by").fill("Phone Ann")
    page.get_by_label("Passphrase (8").fill(PASSPHRASE)
    page.get_by_role("button", name="Set the passphrase").click()
    expect(page.get_by_text("You sign in as Phone Ann.")).to_be_visible()
    kept = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, location.href])")
    assert PASSPHRASE not in kept

    other = guest.another().enter("/me", DESKTOP)
    other.get_by_role("button", name="You have a passphrase already?").click()
    other.get_by_label("Name to sign in by").fill("phone ann")
    other.get_by_label("Passphrase (8").fill("not the right one")
    other.get_by_role("button", name="Sign in").click()
    expect(other.get_by_text("isn't right")).to_be_visible()
    other.get_by_label("Passphrase (8").fill(PASSPHRASE)
    other.get_by_role("button", name="Sign in").click()
    expect(other.get_by_text("You sign in as Phone Ann.")).to_be_visible()
    assert name_of(other) == name_of(page)


def test_a_rated_game_is_told_with_what_it_changes_and_listed(guest: Guest) -> None:
    rival = guest.another()
    lasting(rival, "Rated Bob")
    page = guest.enter("/new/tiny", DESKTOP)
    page.get_by_text("Options and seats").click()
    page.locator("#seat-1").select_option("open")
    expect(page.get_by_label("When Kibitz may advise")).to_be_enabled()
    page.get_by_label("Rated").check()
    expect(page.get_by_label("When Kibitz may advise")).to_be_disabled()
    expect(page.get_by_text("never at rated tables")).to_be_attached()
    page.get_by_role("link", name="Set the passphrase").click()
    page.wait_for_url("**/me")
    lasting(guest, "Rated Ann")
    page.go_back()
    expect(page.get_by_label("Rated")).to_be_checked()
    expect(page.locator("#seat-1")).to_have_value("open")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/t/*")
    table = page.url.rpartition("/")[2]
    expect(page.get_by_text("Rated: the result counts")).to_be_visible()
    expect(page.get_by_text("can take a seat, without an account")).to_have_count(0)
    rival.take_seat(table)
    expect(page.locator("#seats ~ ol").get_by_text("rating 1500 ± 333")).to_have_count(2)
    rival.tell("ready", "done", id="ready", table=table)
    guest.tell("start", "done", id="start", table=table)
    other = rival.sit(table, PHONE, "es")
    pages = (page, other)
    while not all(is_over(each).count() for each in pages):
        for asked in (each for each in pages if each.locator(".status.mine").count()):
            with move(asked):
                asked.locator(".moves button").last.click()
    for seen, rating in ((page, "rating"), (other, "puntuación")):
        expect(is_over(seen)).to_be_visible()
        for line in seen.locator(".rating").all():
            expect(line).to_have_text(re.compile(rf"{rating} 1[3-6]\d\d ± 3\d\d \([+−]\d+\)"))

    own = guest.enter("/me", PHONE)
    expect(own.get_by_text("1 rated game")).to_be_visible()
    expect(own.get_by_role("img", name="Your rating, game by game")).to_be_visible()
    own.get_by_role("link", name="Leaderboard").click()
    own.get_by_role("combobox", name="Game").select_option("tiny")
    expect(own.get_by_text("Rated Ann (you)")).to_be_visible()
    expect(own.get_by_text("Rated Bob")).to_be_visible()


def test_i_take_along_what_is_kept_about_me_and_have_it_deleted(guest: Guest, tmp_path: Path) -> None:
    page = guest.enter("/me", DESKTOP)
    name = name_of(page)
    with page.expect_download() as told:
        page.get_by_role("button", name="Download what is kept about me").click()
    told.value.save_as(tmp_path / "kept.json")
    kept = json.loads((tmp_path / "kept.json").read_text())
    assert kept["server"]["name"] == name
    assert "kibitz.settings" in kept["device"]
    assert guest.token not in (tmp_path / "kept.json").read_text()
    page.get_by_role("button", name="Show the addresses").click()
    with page.expect_popup() as feed:
        page.get_by_role("link", name="Feed (Atom)").click()
    assert feed.value.url.endswith(".atom?language=en")
    page.get_by_role("button", name="Delete what is kept about me").click()
    page.get_by_role("button", name="Delete it all").click()
    page.wait_for_url("**/")
    page.goto("/me")
    expect(page.locator("p.row strong")).not_to_have_text(name)
