"""An evening among friends: four browsers, two of them phones, one in Spanish."""

import re

from playwright.sync_api import Page, expect

from tests.web.browsing import DESKTOP, PHONE, Guest, axe, needs_no_scrolling_sideways, whose_turn
from tests.web.test_match_table import act

NOTICES = """
    window.told = [];
    window.Notification = class { constructor(title) { window.told.push(title); } };
    Notification.permission = "granted";
    Notification.requestPermission = async () => "granted";
    Object.defineProperty(document, "hidden", { get: () => true });
"""


def button(page: Page, name: str) -> None:
    """Press a button of this name, whichever of them."""
    page.get_by_role("button", name=re.compile(name)).first.click()


def named(guest: Guest, name: str) -> Guest:
    guest.tell("rename", "done", id="rename", name=name)
    return guest


def four(guest: Guest) -> list[Guest]:
    """Four people."""
    names = ("Ann", "Bea", "Carl", "Dora")
    return [named(each, name) for each, name in zip([guest, *(guest.another() for _ in range(3))], names)]


def test_four_find_a_table_by_list_link_and_code_and_its_host_arranges_it(guest: Guest) -> None:
    ann, bea, carl, dora = four(guest)
    host = ann.enter("/new/tiny", DESKTOP)
    host.get_by_label("3", exact=True).check(force=True)
    host.get_by_text("Options and seats").click()
    host.get_by_label("Time to think").select_option("5 minutes a game, 10 seconds more with each move")
    host.get_by_label("Public: show this table to everybody").check()
    button(host, "Open the table")  # where anybody may come, seats are open
    code = host.locator(".code strong").inner_text()
    path = host.evaluate("location.pathname")

    lister = dora.enter("/", DESKTOP, theme="dark")
    listed = lister.locator("li.panel", has_text="Ann").filter(has_text="5 minutes a game")
    listed.get_by_role("button", name="Sit down").click()
    lister.wait_for_url(f"**{path}")

    spanish = bea.enter(path, PHONE, "es", "dark")
    expect(spanish.get_by_text("Ann te invita.")).to_be_visible()
    expect(spanish.get_by_text("5 minutos por partida")).to_be_visible()
    expect(spanish.get_by_text("Al acabarse el tiempo: sigue un bot")).to_be_visible()
    expect(spanish.get_by_role("button", name="Leer las reglas")).to_be_visible()
    button(spanish, "Sentarme aquí")

    host.get_by_role("button", name="Remove Dora").click()
    expect(lister.get_by_text("The host has taken you from the table")).to_be_visible()
    expect(lister.get_by_role("button", name="Sit here")).to_have_count(0)

    coder = carl.enter("/", PHONE)
    coder.get_by_label("I have a code").fill(code.lower())
    coder.get_by_role("button", name="Go there").click()
    button(coder, "Sit here")
    host.get_by_role("button", name="Move Carl up").click()
    for page, word, seal in ((host, "abracadabra", "Seal it"), (spanish, "hocus pocus", "Sellar")):
        page.locator("summary", has_text=re.compile("A fair shuffle|Una mezcla limpia")).click()
        page.locator(".shuffle input").fill(word)
        button(page, seal)
    for page in (host, spanish, coder, lister):
        assert needs_no_scrolling_sideways(page)
    assert axe(coder) == []
    commitment = ann.look(path.rpartition("/")[2])["commitment"]
    for page in (host, spanish, coder):  # it is seen whether one asks for it or not
        expect(page.locator("summary code")).to_have_text(commitment[:12] + "…")
    button(spanish, "Puedo empezar")
    expect(coder).to_have_title(re.compile("● The others wait for you"))
    button(coder, "I am ready")
    expect(host).to_have_title(re.compile("● All are here and ready"))
    button(host, "Start the game")
    for page in (host, spanish, coder, lister):
        expect(page.locator(".stage")).to_be_visible()
        expect(page.get_by_role("timer").first).to_be_visible()
    names = [seat["name"] for seat in ann.look(path.rpartition("/")[2])["seats"]]
    assert sorted(names) == ["Ann", "Bea", "Carl"]
    assert names.index("Carl") < 2, "the host has moved him up"


def test_four_play_talk_ask_and_play_again(guest: Guest) -> None:
    ann, bea, carl, dora = four(guest)
    table = ann.create("me", "open", "open", game="match", starter=0, target=500)
    for each in (bea, carl):
        each.tell("sit", "done", id=each.token, table=table)
    pages = [ann.sit(table), bea.sit(table, PHONE, "es", "dark"), carl.sit(table, PHONE)]
    host, spanish, third = pages
    looking = dora.sit(table, DESKTOP, theme="dark")

    for page in (host, spanish, third):
        expect(page.get_by_text(re.compile("1 person looks on|1 persona mira"))).to_be_attached()
    looking.get_by_role("button", name="Hello!").click()
    expect(looking.get_by_text("Only those who look on can read this")).to_be_visible()
    act(host)
    host.get_by_role("button", name="Applaud the last move").click()
    expect(looking.locator("li.move .badge")).to_contain_text("Ann")
    host.get_by_role("textbox", name="Say something").fill("Nobody says that!")
    host.get_by_role("textbox", name="Say something").press("Enter")
    expect(looking.get_by_role("log").first).to_contain_text("Nobody says that!")
    expect(host.get_by_role("log").first).not_to_contain_text("Hello!")

    asks = take_back(pages)
    others = [page for page in pages if page is not asks]
    number = asks.locator(".stage").get_attribute("data-number")
    for page in others:
        button(page, "^All right$|^De acuerdo$")
    expect(asks.locator(f'.stage:not([data-number="{number}"])')).to_be_attached()
    assert whose_turn(pages) is asks, "the move is taken back"

    third.get_by_role("button", name="Menu").click()
    button(third, "Suggest ending the game")
    button(host, "End it")
    button(spanish, "Terminar")
    for page in (*pages, looking):
        expect(page.locator("#result")).to_be_visible()
    button(host, "Play again")
    expect(spanish.get_by_role("status").filter(has_text="Ann quiere jugar otra vez.")).to_be_visible()
    expect(spanish).to_have_title(re.compile("● Ann quiere jugar otra vez"))
    expect(carl.enter("/", PHONE).get_by_role("link").filter(has_text="You are invited")).to_be_visible()
    button(spanish, "siguiente partida")
    expect(spanish.get_by_text(re.compile("reservado para Carl"))).to_be_visible()
    button(third, "To the next game")
    third.wait_for_url(host.url)
    for page in pages:
        button(page, "I am ready|Puedo empezar")
    for page in pages:
        expect(page.locator(".stage")).to_be_visible()


def test_who_looks_on_sees_all_hands_late_and_every_seat_is_told(guest: Guest) -> None:
    ann, bea, carl, _ = four(guest)
    made = {"game": "match", "seats": ["me", "open"], "options": {"target": 500}, "pace": "fast"}
    table = ann.tell("create", "done", id="late", spectators="late", late_moves=2, **made)["table"]
    host, other = ann.enter(f"/t/{table}", DESKTOP), bea.enter(f"/t/{table}", PHONE, "es")
    expect(other.get_by_text("Quien mira ve todas las manos, con 2 jugadas de retraso.")).to_be_visible()
    button(other, "Sentarme aquí")
    button(other, "Puedo empezar")
    button(host, "Start the game")
    looking = carl.sit(table, DESKTOP)
    expect(looking.get_by_text("You are looking on, 2 moves late")).to_be_visible()
    pages = [host, other]
    expect(host.get_by_role("log")).to_contain_text("sees all hands")
    backs = looking.locator(".stage .back").count()
    for _ in range(4):
        act(whose_turn(pages))
    latest = int(host.locator(".stage").get_attribute("data-number") or 0)
    expect(looking.locator(f'.stage[data-number="{latest - 2}"]')).to_be_attached()
    assert looking.locator(".stage .back").count() < backs, "hands lie open"


def test_one_is_muted_and_reported_and_a_bot_plays_on_for_who_is_idle(guest: Guest) -> None:
    ann, bea, carl, _ = four(guest)
    table = ann.create("me", "open", "open", game="tiny")
    for each in (bea, carl):
        each.tell("sit", "done", id=each.token, table=table)
    prepare = lambda page: page.clock.install()  # noqa: E731
    host, other = (each.enter(f"/t/{table}", DESKTOP, prepare=prepare) for each in (ann, bea))
    third = carl.sit(table, DESKTOP, "es")
    button(third, "¡Hola!")
    button(other, "Hello!")
    log = host.get_by_role("log")
    expect(log.locator(".talk")).to_have_count(2)
    other.locator(".talk", has_text="Carl").locator("summary").click()
    button(other, "Tell the host")
    expect(host.get_by_text("Bea asks you, the host, to look at what Carl said: “Hello!”")).to_be_visible()
    log.locator(".talk", has_text="Carl").locator("summary").click()
    button(host, "Don't listen to Carl")
    expect(log.locator(".talk")).to_have_count(1)
    button(third, "¡Gracias!")
    expect(other.get_by_role("log").locator(".talk")).to_have_count(3)
    expect(log.locator(".talk")).to_have_count(1)

    pages = [host, other, third]
    idle = whose_turn(pages)
    waiting = next(page for page in (host, other) if page is not idle)
    waiting.clock.fast_forward(130_000)
    button(waiting, "Let a bot play on")
    button(idle, "Take my seat back|Recuperar mi sitio")
    expect(waiting.get_by_role("log")).to_contain_text("is back.")


def take_back(pages: list[Page]) -> Page:
    """Play until a move can be taken back, and ask for it."""
    for _ in range(12):
        page = whose_turn(pages)
        act(page)
        undo = page.get_by_role("button", name=re.compile("^(Undo|Deshacer)$"))
        if undo.count():
            undo.first.click()
            return page
    raise AssertionError("no move can be taken back")


def test_two_who_look_for_the_same_game_meet_and_hear_of_their_turn_elsewhere(guest: Guest) -> None:
    prepare = lambda page: page.add_init_script(NOTICES)  # noqa: E731
    pages = [
        guest.enter("/new/tiny", DESKTOP, prepare=prepare),
        guest.another().enter("/new/tiny", PHONE, "es", prepare=prepare),
    ]
    button(pages[0], "Whoever is looking")
    expect(pages[0].get_by_role("heading", name="At the table")).to_be_visible()
    expect(pages[0].get_by_text(re.compile("Bots take the open seats in .* seconds"))).to_be_visible()
    button(pages[1], "Quien esté buscando")
    pages[1].wait_for_url(pages[0].url)
    pages[1].locator(".shuffle input").fill("hocus pocus")  # who comes last has time for it
    button(pages[1], "Sellar")
    for page in pages:
        button(page, "I am ready|Puedo empezar")
    waits = next(page for page in pages if page is not whose_turn(pages))
    button(waits, "^(Yes|Sí)$")
    whose_turn(pages).locator(".moves button").first.click()
    waits.wait_for_function("window.told.length === 1")
