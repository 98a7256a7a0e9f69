"""Puzzles in the page: a wrong answer is refuted on the table, the right one explained, days are counted."""

from playwright.sync_api import Page, Route, expect

from tests.web.browsing import (
    PHONE,
    Visit,
    axe,
    drawn,
    focused,
    needs_no_scrolling_sideways,
    press,
    walk_to,
)

ONE = "/puzzles/kaching/1-33"  # buy 3 is wrong, buy 4 right


def buy(page: Page, column: int) -> None:
    page.locator(f"[data-place='column {column}'] .free").click()


def test_a_puzzle_is_answered_on_the_table(visit: Visit) -> None:
    page = visit(ONE, viewport=PHONE)
    expect(page.get_by_text("It is your move.")).to_be_visible()
    buy(page, 3)
    expect(page.get_by_text("Not the best.")).to_be_visible()
    expect(page.get_by_text("Chance to win: 1 %; with the best move 99 %.")).to_be_visible()
    expect(page.get_by_role("toolbar")).to_be_visible()
    page.keyboard.press("t")
    buy(page, 4)
    expect(page.get_by_text("Right!")).to_be_visible()
    expect(page.get_by_text("You win the game.")).to_be_visible()
    assert needs_no_scrolling_sideways(page)
    assert axe(page) == []
    page.get_by_role("button", name="Next puzzle").click()
    expect(page.get_by_text("It is your move.")).to_be_visible()
    expect(page.get_by_text("1 of 50 solved")).to_be_visible()
    assert not page.url.endswith(ONE)


def test_the_keyboard_goes_on_where_the_puzzle_does(visit: Visit) -> None:
    page = visit(ONE)
    drawn(page)
    press(page, "ArrowDown")
    walk_to(page, "[data-place='column 3']", ["ArrowRight"] * 9)
    press(page, "Enter")
    expect(focused(page, "text=Try again")).to_be_visible()
    press(page, "Enter")
    expect(focused(page, ".table *")).to_be_visible()
    press(page, "s")
    following = focused(page, "text=Next puzzle")
    expect(following).to_be_visible()
    press(page, " ")
    expect(page.get_by_text("It is your move.")).to_be_visible()
    expect(focused(page, ".table *")).to_be_visible()
    press(page, "n")
    expect(following).to_have_count(0)
    expect(focused(page, ".table *")).to_be_visible()


def test_the_grade_to_practise_is_kept(visit: Visit) -> None:
    page = visit(ONE)
    grade = page.get_by_label("Which grade comes next")
    grade.select_option("2")
    for _ in range(2):
        before = page.url
        page.get_by_role("button", name="Next puzzle").click()
        expect(page).not_to_have_url(before)
        expect(page.get_by_title("Grade 2 of 3")).to_be_visible()
        expect(grade).to_have_value("2")


def test_where_all_puzzles_are_of_one_grade_there_is_none_to_choose(visit: Visit) -> None:
    def easy_alone(route: Route) -> None:
        told = route.fetch().json()
        told["games"] = {
            game: [one for one in listed if one["grade"] == 1] for game, listed in told["games"].items()
        }
        route.fulfill(json=told)

    page = visit()
    page.route("**/api/puzzles.json", easy_alone)
    page.goto("/puzzles/kaching")
    expect(page.get_by_text("It is your move.")).to_be_visible()
    expect(page.get_by_label("Which grade comes next")).to_have_count(0)


def test_the_puzzle_of_the_day_counts_days_in_a_row(visit: Visit) -> None:
    page = visit("/", locale="es")
    page.get_by_role("link", name="Resolver").click()
    page.get_by_role("button", name="Solución").click()
    expect(page.get_by_text("Esta era la mejor.")).to_be_visible()
    page.get_by_role("link", name="Todos los problemas").click()
    expect(page.get_by_text("0 de 50 resueltos").first).to_be_visible()
    assert axe(page) == []
    day = page.evaluate("fetch('/api/puzzles.json').then(told => told.json()).then(told => told.daily.date)")
    page.evaluate(f"localStorage.setItem('kibitz.puzzles', JSON.stringify({{day: '{day}', days: 4}}))")
    page.reload()
    expect(page.get_by_text("4 días seguidos")).to_be_visible()
    expect(page.get_by_text("resuelto hoy.")).to_be_visible()
