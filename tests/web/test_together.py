"""People who wait for each other, end a game together, and come back to a table."""

import re

from playwright.sync_api import Page, ViewportSize, expect

from tests.web.browsing import DESKTOP, PHONE, Guest, is_over, looks, needs_no_scrolling_sideways

LONG = 30_000  # milliseconds: longer than a decision may take before one may say that one waits

LATE = """
    window.setInterval = () => 0;
    const { send } = WebSocket.prototype;
    WebSocket.prototype.send = function (told) {
        setTimeout(() => send.call(this, told), told.includes('"hello"') ? 1000 : 0);
    };
"""


def with_a_clock(page: Page) -> None:
    """Let the test say how much time has gone by."""
    page.clock.install()


def connected_late(page: Page) -> None:
    """The page has long been drawn, and asks for nothing a second time."""
    page.add_init_script(LATE)


def two_at_a_table(guest: Guest) -> tuple[str, Guest, Guest]:
    """A table, who has to decide there, and who waits."""
    other = guest.another()
    table = guest.create("me", "open", game="tiny")
    other.take_seat(table)
    return (table, guest, other) if guest.look(table)["legal"] else (table, other, guest)


def test_who_takes_long_is_told_and_both_agree_to_end_the_game(guest: Guest) -> None:
    table, slow, waiting = two_at_a_table(guest)
    decides = slow.sit(table, PHONE)
    waits = waiting.enter(f"/t/{table}", DESKTOP, "es", prepare=with_a_clock)
    waits.locator(".table").wait_for()
    waits.clock.fast_forward(LONG)
    waits.get_by_role("button", name="Decirle que esperamos").click()
    expect(decides.get_by_text("waits for your decision")).to_be_visible()
    decides.get_by_role("button", name="Menu").click()
    decides.get_by_role("button", name="Suggest ending the game").click()
    expect(decides.get_by_text("the others are asked")).to_be_visible()
    waits.get_by_role("button", name="Terminar").click()
    expect(waits.get_by_role("heading", name="No gana nadie")).to_be_visible()
    expect(decides.get_by_role("heading", name="Nobody wins")).to_be_visible()
    expect(waits.locator(".seat.turn")).to_have_count(0)


def test_who_left_finds_the_table_at_home_and_takes_the_seat_back(guest: Guest) -> None:
    table, other, waiting = two_at_a_table(guest)
    waiting.tell("stand", "done", id="stand", table=table)
    page = waiting.enter("/", PHONE)
    page.get_by_role("link").filter(has_text="A bot plays for you").click()
    expect(page.get_by_text("plays for you.")).to_be_visible()
    other.tell("stand", "done", id="leave", table=table)
    expect(page.locator(".status")).to_contain_text("Everybody has left for now: the game waits.")
    expect(page.get_by_text("You are looking on")).to_have_count(0)
    page.get_by_role("button", name="Take my seat back").click()
    expect(page.get_by_role("button", name="Take my seat back")).to_have_count(0)
    assert waiting.look(table)["seat"] is not None


def test_a_table_can_be_opened_with_a_clock(guest: Guest) -> None:
    page = guest.enter("/new/tiny", PHONE)
    page.get_by_text("Options and seats").click()
    page.get_by_label("Time to think").select_option("30 seconds a move")
    page.get_by_label("When time is up").select_option("a bot makes that one move")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/t/*")
    assert guest.look(page.url.rpartition("/")[2])["clock"]["at_zero"] == "move"


@looks(desktop="dark", phone="light")
def test_a_table_that_goes_on_for_days_says_so(guest: Guest, size: ViewportSize, theme: str) -> None:
    table = guest.create("me", "open", game="tiny", clock={"seconds": 86400})
    guest.another().take_seat(table)
    page = guest.enter("/", size, theme=theme)
    expect(page.get_by_role("link").filter(has_text="1 day a move")).to_be_visible()
    page.goto(f"/t/{table}")
    expect(page.get_by_role("list", name="Time left")).to_contain_text("1 day a move")


def test_a_regular_table_is_come_back_to_by_its_own_address(guest: Guest) -> None:
    page = guest.enter("/new/tiny", DESKTOP)
    page.get_by_text("Options and seats").click()
    page.get_by_label("Come back to this table as").fill("Friday club")
    page.locator("#seat-1").select_option("open")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/t/*")
    table = page.url.rpartition("/")[2]
    address = page.get_by_label("Address of this table").input_value()
    assert "/r/friday-club-" in address
    home = guest.enter("/", PHONE)
    expect(home.get_by_role("link").filter(has_text="Friday club")).to_contain_text("Tiny")
    home.close()
    other = guest.another()
    visitor = other.enter(address.partition("/r/")[1] + address.partition("/r/")[2], PHONE, "es")
    visitor.get_by_role("button", name="Ir a la mesa").click()
    visitor.wait_for_url(f"**/t/{table}")
    other.take_seat(table)
    other.tell("ready", "done", id="ready", table=table)
    guest.tell("start", "done", id="start", table=table)
    other.tell("resign", "done", id="resign", table=table)
    page.get_by_role("link", name="Friday club: all games and the tally").click()
    expect(page.get_by_role("heading", name="Friday club")).to_be_visible()
    expect(page.get_by_text("1 game so far")).to_be_visible()
    page.get_by_role("button", name="Begin the next game").click()
    page.wait_for_url("**/t/*")
    assert page.url.rpartition("/")[2] != table


def test_who_is_asked_to_play_again_may_say_no_and_the_others_play_without(guest: Guest) -> None:
    ann, bob, cleo = guest, guest.another(), guest.another()
    table = ann.create("me", "open", "open", game="tiny")
    for each in (bob, cleo):
        each.tell("sit", "done", id=f"sit {each.token}", table=table)
    for each in (ann, bob, cleo):
        each.tell("agree", "done", id=f"agree {each.token}", table=table)
    host, third = ann.sit(table, DESKTOP), cleo.sit(table, PHONE, "es", "dark")
    host.get_by_role("button", name="Play again").click()
    third.get_by_role("button", name="Esta vez no").click()
    expect(third.get_by_role("button", name="Esta vez no")).to_have_count(0)
    expect(third).not_to_have_title(re.compile("quiere jugar otra vez"))
    invited = bob.enter(host.evaluate("location.pathname"), PHONE, theme="dark")
    expect(invited.get_by_role("button", name="Not this time")).to_be_visible()
    assert needs_no_scrolling_sideways(invited)
    invited.get_by_role("button", name="Sit here").first.click()
    expect(host.get_by_role("log")).to_contain_text("gives the seat up")
    host.get_by_role("button", name="Change the game").click()
    host.locator("#players").select_option("2")
    host.get_by_role("button", name="Play it so").click()
    for page in (host, invited):
        page.get_by_role("button", name="I am ready").click()
    for page in (host, invited):
        expect(page.locator(".stage")).to_be_visible()
    expect(third.locator("main")).not_to_contain_text("ausente")  # nobody waits for anybody there


def test_who_waits_alone_is_told_that_the_others_will_not_come(guest: Guest) -> None:
    bob = guest.another()
    table = guest.create("me", "open", game="tiny")
    bob.take_seat(table)
    bob.tell("resign", "done", id="resign", table=table)
    host = guest.sit(table, PHONE)
    host.get_by_role("button", name="Play again").click()
    host.get_by_text("kept for").wait_for()
    bob.tell("stand", "done", id="no", table=host.url.rpartition("/")[2])
    expect(host.get_by_role("log")).to_contain_text("gives the seat up")


def test_the_seat_of_who_does_not_come_is_given_to_whoever_comes(guest: Guest) -> None:
    bob = guest.another()
    table = guest.create("me", "open", game="tiny")
    bob.take_seat(table)
    bob.tell("resign", "done", id="resign", table=table)
    host = guest.sit(table, PHONE, "es", "dark")
    host.get_by_role("button", name="Otra partida").click()
    host.get_by_role("button", name=re.compile("Quitar a ")).click()
    grandma = guest.another().enter(host.evaluate("location.pathname"), DESKTOP)
    grandma.get_by_role("button", name="Sit here").click()
    for page in (host, grandma):
        page.get_by_role("button", name=re.compile("I am ready|Puedo empezar")).click()
    expect(grandma.locator(".stage")).to_be_visible()


def test_who_opens_the_page_sees_at_once_which_tables_wait(guest: Guest) -> None:
    told = {"game": "tiny", "seats": ["me", "open"], "options": {}, "listed": True}
    guest.tell("rename", "done", id="rename", name="Waiting Ann")
    guest.tell("create", "done", id="listed", **told)
    page = guest.another().enter("/", PHONE, prepare=connected_late)
    expect(page.locator("li.panel", has_text="Waiting Ann")).to_be_visible()


@looks(desktop="dark", phone="light")
def test_who_is_forgotten_is_told_in_words(guest: Guest, size: ViewportSize, theme: str) -> None:
    told = {"game": "kaching", "seats": ["me", "open"], "options": {}, "start": "full", "regular": "Mondays"}
    table = guest.tell("create", "done", id="forgotten", **told)["table"]
    name = guest.look(table)["regular"]["name"]
    bob = guest.another()
    bob.take_seat(table)
    bob.tell("resign", "done", id="resign", table=table)
    guest.tell("forget-me", "done", id="forget")
    page = bob.enter(f"/r/{name}", size, theme=theme)
    page.get_by_role("link", name="Deleted player wins").click()
    expect(is_over(page)).to_be_visible()
    expect(page.locator(".panel .name").first).to_have_text("Deleted player")
    page.goto(f"/review/{table}")
    expect(page.get_by_label("Seen by")).to_contain_text("Deleted player")
    spanish = bob.enter("/me", size, "es")
    expect(spanish.get_by_text("con Perfil borrado")).to_be_visible()


def test_a_regular_table_tells_its_rules_and_whoever_waits_there_what_comes(guest: Guest) -> None:
    told = {"game": "tiny", "seats": ["me", "open"], "options": {}, "start": "full", "regular": "Sundays"}
    table = guest.tell("create", "done", id="regular", **told)["table"]
    name = guest.look(table)["regular"]["name"]
    bob = guest.another()
    bob.take_seat(table)
    bob.tell("resign", "done", id="resign", table=table)
    for path in ("/", "/me"):
        home = bob.enter(path, PHONE)
        home.get_by_role("link", name="Sundays").click()
        expect(home.get_by_role("button", name="Begin the next game")).to_be_visible()
    visitor = guest.another().enter(f"/r/{name}", PHONE, "es", prepare=with_a_clock)
    expect(visitor.get_by_text("La siguiente partida empieza cuando viene alguien")).to_be_visible()
    guest.tell("regular", "done", id="next", name=name)
    visitor.clock.fast_forward(30_000)
    expect(visitor.get_by_role("button", name="Ir a la mesa")).to_be_visible()
    missing = guest.enter("/r/nothing-12345", PHONE)
    expect(missing.get_by_role("heading", name="There is no such table")).to_be_visible()
    expect(missing.get_by_text("There is no regular table")).to_have_count(0)  # once is enough
