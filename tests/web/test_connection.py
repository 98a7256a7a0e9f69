"""A connection that breaks: it is told, it comes back, and nothing is lost or done twice."""

import re
import time

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from kibitz.server.protocol import PROTOCOL
from tests.web.browsing import Visit, invite, start


class Line:
    """The wire between a page and the server, which can be cut at either end of a message."""

    def __init__(self, page: Page) -> None:
        self.cut = False
        self.deaf = False  # the server is reached, but its answers get lost
        self.speaks = PROTOCOL  # what the page says that it speaks
        self.sent: list[str] = []
        self.heard: list[str] = []
        self._open: list[WebSocketRoute] = []
        page.route_web_socket(re.compile("/ws$"), self._connect)

    def break_off(self) -> None:
        self.cut = True
        for socket in self._open:
            socket.close()
        self._open.clear()

    def mend(self) -> None:
        self.cut = self.deaf = False

    def _connect(self, socket: WebSocketRoute) -> None:
        if self.cut:
            socket.close()
            return
        server = socket.connect_to_server()
        self._open.append(socket)

        def up(message: str | bytes) -> None:
            self.sent.append(str(message))
            server.send(str(message).replace(f'"protocol":{PROTOCOL}', f'"protocol":{self.speaks}'))

        def down(message: str | bytes) -> None:
            if not self.deaf:
                self.heard.append(str(message))
                socket.send(message)

        socket.on_message(up)
        server.on_message(down)


@pytest.fixture
def page(visit: Visit) -> Page:
    return visit("/rules/kaching")


@pytest.fixture
def line(page: Page) -> Line:
    line = Line(page)
    page.goto("/")
    page.get_by_role("button", name="Change").wait_for()
    return line


def said(page: Page, text: str) -> int:
    return page.get_by_role("log").get_by_text(text).count()


def test_a_lost_connection_is_told_and_comes_back(page: Page, line: Line) -> None:
    line.break_off()
    expect(page.get_by_text("No connection.")).to_be_visible()
    line.mend()
    expect(page.get_by_text("No connection.")).to_have_count(0)


def test_a_short_break_is_not_worth_a_word(page: Page, line: Line) -> None:
    page.clock.install()
    page.clock.pause_at(time.time() + 60)  # however slow the machine is: time is the page's own
    line.break_off()
    line.mend()
    line.heard.clear()
    page.clock.run_for(700)  # it tries again
    assert page.get_by_text("No connection.").count() == 0
    while not line.heard:
        page.wait_for_timeout(20)
    page.clock.run_for(5000)
    assert page.get_by_text("No connection.").count() == 0


def test_what_is_said_without_a_connection_is_said_later(page: Page, line: Line, visit: Visit) -> None:
    with_a_friend(page, visit)
    line.break_off()
    page.get_by_label("Say something").fill("Still there?")
    page.keyboard.press("Enter")
    line.mend()
    expect(page.get_by_role("log")).to_contain_text("Still there?")


def test_an_answer_that_is_lost_is_asked_for_again_and_nothing_is_done_twice(
    page: Page, line: Line, visit: Visit
) -> None:
    friend = with_a_friend(page, visit)
    line.deaf = True
    page.get_by_label("Say something").fill("Once")
    page.keyboard.press("Enter")
    expect(friend.get_by_role("log")).to_contain_text("Once")
    line.break_off()
    line.mend()
    expect(page.get_by_role("log")).to_contain_text("Once")
    page.reload()
    expect(page.get_by_role("log")).to_contain_text("Once")
    chats = [message for message in line.sent if '"chat"' in message]
    assert len(chats) > 1
    assert len(set(chats)) == 1
    assert said(page, "Once") == said(friend, "Once") == 1


def test_a_reload_sends_what_was_not_answered(page: Page, line: Line, visit: Visit) -> None:
    friend = with_a_friend(page, visit)
    line.break_off()
    page.get_by_label("Say something").fill("After the reload")
    page.keyboard.press("Enter")
    line.mend()
    page.reload()
    expect(friend.get_by_role("log")).to_contain_text("After the reload")
    expect(page.get_by_role("log")).to_contain_text("After the reload")
    assert said(page, "After the reload") == 1


def test_who_comes_back_sees_what_was_missed(page: Page, line: Line, visit: Visit) -> None:
    friend = with_a_friend(page, visit)
    line.break_off()
    friend.get_by_role("button", name="Oops!").click()
    expect(friend.get_by_role("log")).to_contain_text("Oops!")
    line.mend()
    expect(page.get_by_role("log")).to_contain_text("Oops!")


def with_a_friend(page: Page, visit: Visit) -> Page:
    """At a table of two people."""
    path = invite(page)
    friend = visit(path)
    friend.get_by_role("button", name="Sit here").click()
    start(page, friend)
    return friend


def test_a_tab_left_open_over_an_upgrade_asks_to_be_reloaded(visit: Visit) -> None:
    page = visit("/rules/kaching")
    line = Line(page)
    line.speaks = PROTOCOL - 1
    page.goto("/")
    banner = page.get_by_role("status").filter(has_text="Kibitz was updated")
    expect(banner).to_be_visible()
    line.speaks = PROTOCOL
    banner.get_by_role("button", name="Reload").click()
    page.get_by_role("button", name="Change").wait_for()
    expect(banner).to_have_count(0)
