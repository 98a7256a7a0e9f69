"""Lessons in the browser: pressing what is lit does what is asked for, to the end and into a real game."""

from playwright.sync_api import ElementHandle, Page, expect

import kibitz
from kibitz.core.lessons import LessonStep, steps_of
from tests.games.test_lessons import every_lesson
from tests.web.browsing import PHONE, Visit

LIT = """([addresses, index]) => {
    const root = document.querySelector("main"), found = [];
    for (const address of addresses) {
        const [around, card] = address.split("/");
        const outer = root.querySelector(`[data-place="${around}"]`);
        const isIt = (each) => each.dataset.place.startsWith(card + "#") && !found.includes(each);
        const inside = outer && card && [...outer.querySelectorAll("[data-place]")].find(isIt);
        found.push(card ? inside : outer);
    }
    return found[index] || null;
}"""
FULLY_SEEN = """(element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const { top: edge } = document.querySelector("main").getBoundingClientRect();
    return left >= -1 && right <= innerWidth + 1 && (top >= edge - 1 || bottom <= innerHeight + 1);
}"""

COACH_IS_SEEN = """() => {
    const coach = document.querySelector(".coach"), { left, top, width } = coach.getBoundingClientRect();
    return coach.contains(document.elementFromPoint(left + width / 2, top + 20));
}"""

FREE_GREEN_2 = '[data-place="column 3"] [data-place^="G2#"]'

FOCUSED = f"about => ({LIT})(about)?.closest('button') === document.activeElement"


def pressed_steps(name: str) -> list[tuple[int, LessonStep]]:
    """Where one does or reads something; the others the page takes by itself, one after the other."""
    return [(number, step) for number, step in enumerate(steps_of(name), 1) if step.about or not step.move]


def lit(page: Page, step: LessonStep, index: int) -> ElementHandle:
    """What a step is about, once it is there."""
    found = page.wait_for_function(LIT, arg=[step.about, index]).as_element()
    assert found is not None
    return found


def at_step(page: Page, name: str, number: int) -> None:
    page.wait_for_url(f"**/learn/{name}/{number}")
    expect(page.locator(".coach")).to_contain_text(str(number))


@every_lesson
def test_a_lesson_is_followed_by_touch(visit: Visit, name: str) -> None:
    page = visit(
        f"/learn/{name}", viewport=PHONE, is_mobile=True, has_touch=True, reduced_motion="reduce", locale="es"
    )
    for number, step in pressed_steps(name):
        at_step(page, name, number)
        for index, _ in enumerate(step.about):
            thing = lit(page, step, index)
            assert page.evaluate(COACH_IS_SEEN)
            if index == 0:
                page.wait_for_function(FULLY_SEEN, arg=thing)
            if step.move:
                thing.tap()
        if step.move is None and number < len(steps_of(name)):
            page.locator("[data-next]").tap()
    page.get_by_role("button", name="Jugar de verdad").tap()
    page.wait_for_url("**/t/*")
    page.locator(".table").wait_for()


@every_lesson
def test_a_lesson_is_followed_by_keys_alone(visit: Visit, name: str) -> None:
    """Who goes on by keys finds the focus on what is to be pressed next."""
    page = visit(f"/learn/{name}/1", reduced_motion="reduce")
    page.locator("[data-next]").focus()
    for number, step in pressed_steps(name)[:-1]:
        at_step(page, name, number)
        if step.move is None:
            expect(page.locator("[data-next]")).to_be_focused()
            page.keyboard.press("Enter")
            continue
        for index, _ in enumerate(step.about):
            thing = lit(page, step, index)
            if index == 0:  # which may be drawn anew in the meantime
                page.wait_for_function(FOCUSED, arg=[step.about, index])
                thing = lit(page, step, index)
            thing.evaluate("each => each.closest('button').focus()")
            page.keyboard.press("Enter")
    at_step(page, name, len(steps_of(name)))


def test_a_wrong_move_is_answered_kindly_and_by_its_rule(visit: Visit) -> None:
    page = visit("/learn/kaching/3")
    coach = page.locator(".coach")
    page.locator(FREE_GREEN_2).click()
    expect(coach).to_contain_text("That would be a fine move, but first")
    page.goto("/learn/kaching/1")
    page.locator(FREE_GREEN_2).click()
    expect(coach).to_contain_text("First read on")
    page.goto("/learn/kaching/11")  # columns 1 and 4 are empty
    page.get_by_role("button", name="Column 4, empty").click(force=True)
    expect(coach).to_contain_text("Column 4 is empty.")


def test_a_lesson_goes_on_where_one_left_off(visit: Visit) -> None:
    page = visit("/learn/kaching/1")
    page.get_by_role("button", name="Next").click()
    at_step(page, "kaching", 2)
    page.goto("/")
    page.get_by_role("link", name=f"Learn {kibitz.game('kaching').title}").click()
    at_step(page, "kaching", 2)
    page.go_back()
    page.goto("/new/kaching")
    page.get_by_role("link", name="Learn it by playing").click()
    at_step(page, "kaching", 2)
    page.get_by_role("button", name="Back", exact=True).click()
    at_step(page, "kaching", 1)


def test_back_shows_the_table_as_it_was(visit: Visit) -> None:
    page = visit("/learn/kaching/3", reduced_motion="reduce")
    page.locator('[data-place="column 2"] [data-place^="R5#"]').click()
    at_step(page, "kaching", 4)
    expect(page.get_by_role("button", name="red 6, costs $6")).to_be_visible()
    page.go_back()
    at_step(page, "kaching", 3)
    expect(page.get_by_role("button", name="red 5, costs $5")).to_be_visible()
