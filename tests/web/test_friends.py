"""A table among people: invited, seated, talking, leaving, and playing again."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from kibitz.core.record import Record
from tests.web.browsing import PHONE, Guest, Visit, invite, move, my_turn, play_against, start

MARKUP = "<b>bold</b><script>x()</script>"


@pytest.fixture
def two(visit: Visit) -> tuple[Page, Page]:
    """Two people at a table; the second speaks Spanish."""
    first, second = visit(), visit(locale="es-ES")
    second.goto(invite(first))
    second.get_by_role("button", name="Sentarme aquí").click()
    start(first, second)
    return first, second


def resign(page: Page) -> None:
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()


def test_the_invitation_is_an_address_to_copy(visit: Visit, server: str) -> None:
    page = visit()
    path = invite(page)
    expect(page.get_by_label("Address of this table")).to_have_value(server + path)
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()


def test_it_is_said_when_only_this_machine_can_be_reached(visit: Visit) -> None:
    page = visit()
    invite(page)
    expect(page.get_by_text("only this machine can reach the table")).to_be_visible()


def test_who_comes_too_late_for_a_seat_is_told_so(visit: Visit, guest: Guest) -> None:
    path = invite(visit())
    guest.take_seat(path.rpartition("/")[2])
    late = visit(path, viewport=PHONE, locale="es-ES")
    expect(late.get_by_role("status").filter(has_text="No quedan sitios libres.")).to_be_visible()


def test_an_open_seat_can_be_given_to_a_bot(visit: Visit) -> None:
    page = visit()
    invite(page)
    page.get_by_label("Level of the bot").select_option("easy")
    page.get_by_role("button", name="Add a bot").click()
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator(".stage")).to_be_visible()


def test_each_reads_what_is_said_in_their_own_language(two: tuple[Page, Page]) -> None:
    first, second = two
    first.get_by_role("button", name="Well played!").click()
    expect(second.get_by_role("log")).to_contain_text("¡Bien jugado!")


def test_others_can_be_muted(two: tuple[Page, Page]) -> None:
    first, second = two
    first.get_by_role("button", name="Oops!").click()
    expect(second.get_by_role("log")).to_contain_text("¡Uy!")
    second.get_by_role("button", name="Ocultar lo que dicen los demás").click()
    expect(second.get_by_role("log")).not_to_contain_text("¡Uy!")


def test_one_of_the_two_is_asked_to_move(two: tuple[Page, Page]) -> None:
    (asked,) = (page for page in two if page.locator(".status.mine").count())
    assert asked.title().startswith("●")
    expect(asked.locator("link[rel=icon]")).to_have_attribute("href", "/favicon-turn.svg")


def test_a_third_looks_on(two: tuple[Page, Page], visit: Visit) -> None:
    path = two[0].evaluate("location.pathname")
    third, fourth = visit(path), visit(path)
    expect(third.get_by_text("You are looking on")).to_be_visible()
    expect(third.get_by_role("button", name="Hint")).to_have_count(0)
    third.get_by_role("button", name="Hello!").click()
    expect(third.locator(".talk.mine")).to_contain_text("Hello!")
    expect(fourth.locator(".talk:not(.mine)")).to_contain_text("Hello!")


def test_nobody_can_pass_for_another(two: tuple[Page, Page], guest: Guest) -> None:
    path = two[0].evaluate("location.pathname")
    player = guest.look(path.removeprefix("/t/"))["seats"][0]["name"]
    guest.tell("rename", "done", id="rename", name=player.upper() + "\u3164")
    looking = guest.enter(path)
    looking.get_by_role("button", name="Hello!").click()
    said = looking.get_by_role("log").locator(".talk.mine")  # told apart by who it is, not by name
    expect(said).to_contain_text(player.upper() + " (2)")
    expect(said).to_contain_text("looking on")
    expect(two[1].get_by_role("log").locator(".talk")).to_have_count(0)  # who looks on talks apart


def test_resigning_asks_first_and_ends_the_game_for_both(two: tuple[Page, Page]) -> None:
    first, second = two
    first.get_by_role("button", name="Menu").click()
    first.get_by_role("dialog").get_by_role("button", name="Resign").click()
    first.get_by_role("button", name="Cancel").click()
    expect(first.locator("#result")).to_have_count(0)
    resign(first)
    expect(second.get_by_role("heading", name="¡Has ganado!")).to_be_visible()
    expect(first.get_by_role("heading", name="wins")).to_be_visible()


def test_at_the_end_the_deal_can_be_checked(visit: Visit) -> None:
    page = visit()
    play_against(page)
    resign(page)
    page.get_by_text("Check the deal").click()
    expect(page.get_by_text("The secret fits the fingerprint.")).to_be_visible()
    expect(page.get_by_text("Computed anew, the deal is the one you were shown.")).to_be_visible()


def test_both_go_on_to_the_same_next_game(two: tuple[Page, Page]) -> None:
    first, second = two
    before = first.url
    resign(first)
    first.get_by_role("button", name="Play again").click()
    second.get_by_role("button", name="A la siguiente partida").click()
    first.wait_for_url(lambda url: url != before)
    second.wait_for_url(first.url)
    expect(second.locator(".stage")).to_be_visible()


def test_who_leaves_can_take_the_seat_back(visit: Visit) -> None:
    page = visit()
    play_against(page, pace="slow")
    address = page.url
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Leave my seat").click()
    page.get_by_role("button", name="Leave", exact=True).click()
    page.get_by_role("heading", name="What shall we play?").wait_for()
    page.goto(address)
    page.get_by_role("button", name="Take my seat back").click()
    expect(page.get_by_role("button", name="Take my seat back")).to_have_count(0)
    expect(page.get_by_role("button", name="Hint")).to_be_visible()


def test_my_own_moves_are_told_in_the_second_person(two: tuple[Page, Page]) -> None:
    english, spanish = two
    for _ in range(2):
        asked = next(page for page in two if page.locator(".status.mine").count())
        with move(asked):
            asked.keyboard.press("1")
    expect(english.get_by_role("log")).to_contain_text("You buy")
    expect(english.get_by_role("log")).to_contain_text(" buys ")
    expect(spanish.get_by_role("log")).to_contain_text("Compras")
    expect(spanish.get_by_role("log")).to_contain_text(" compra ")


def test_the_record_of_a_finished_game_can_be_kept(visit: Visit, tmp_path: Path) -> None:
    page = visit()
    play_against(page)
    my_turn(page)
    with move(page):
        page.keyboard.press("1")
    resign(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Save the record").click()
    assert download.value.suggested_filename.startswith("kaching-")
    download.value.save_as(tmp_path / "record.json")
    record = Record.load(tmp_path / "record.json")
    assert record.moves[-1].startswith("buy ") or "buy 1" in record.moves
    record.verify()
