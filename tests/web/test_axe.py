"""Every screen passes axe-core's checks, in both themes, on a phone and on a desktop."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, ViewportSize

from tests.web.browsing import SIZES, Visit, axe, invite, play_against


def home(page: Page) -> None:
    page.get_by_role("heading", name="MATCH!").wait_for()


def new_table(page: Page) -> None:
    page.goto("/new/kaching")
    page.locator(".more summary").click()


def rules(page: Page) -> None:
    page.goto("/rules/kaching")
    page.locator(".rulebook h1").wait_for()


def waiting_room(page: Page) -> None:
    invite(page)


def table(page: Page) -> None:
    play_against(page)
    page.locator(".status.mine").wait_for()


def lesson(page: Page) -> None:
    page.goto("/learn/kaching/3")
    page.get_by_role("button", name="green 2").click()  # a wrong one
    page.locator(".answer").wait_for()


def menu(page: Page) -> None:
    table(page)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("dialog").wait_for()


def rules_beside_the_table(page: Page) -> None:
    table(page)
    page.keyboard.press("r")
    page.locator(".rulebook").wait_for()


def result(page: Page) -> None:
    menu(page)
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    page.get_by_role("heading", name="wins").wait_for()
    for summary in page.locator("summary").all():
        summary.click()


def gone(page: Page) -> None:
    page.goto("/t/NOWHERE")
    page.get_by_role("heading", name="gone").wait_for()


def keys(page: Page) -> None:
    home(page)
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()


SCREENS = (
    home,
    new_table,
    rules,
    waiting_room,
    table,
    lesson,
    menu,
    rules_beside_the_table,
    result,
    gone,
    keys,
)


@SIZES
@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.__name__)
def test_a_screen_is_accessible(visit: Visit, screen: Callable[[Page], None], size: ViewportSize) -> None:
    page = visit(viewport=size, reduced_motion="reduce")
    screen(page)
    page.wait_for_load_state("networkidle")
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        assert axe(page) == [], theme
