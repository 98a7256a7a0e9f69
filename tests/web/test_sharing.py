"""Pass and play: several people at one device, a curtain between them."""

import json

from playwright.sync_api import Page, expect

from tests.web.browsing import PHONE, Guest

KEEP_FRAMES = """
window.frames_received = [];
const add = WebSocket.prototype.addEventListener;
const keep = ({ data }) => window.frames_received.push(data);
WebSocket = new Proxy(WebSocket, { construct(target, given) {
    const socket = new target(...given);
    add.call(socket, "message", keep);
    return socket;
}});
"""


def keep_frames(page: Page) -> None:
    """Have each document remember all that it receives."""
    page.add_init_script(KEEP_FRAMES)


def seats_known_to(page: Page) -> set[int | None]:
    """Of which seats this document, which began anew with the last player, has ever received a view."""
    received = [json.loads(text) for text in page.evaluate("window.frames_received")]
    return {message["seat"] for message in received if message["type"] == "table" and message["view"]}


def test_a_device_is_passed_around_and_forgets_who_had_it(guest: Guest) -> None:
    page = guest.enter("/new/tiny", PHONE, prepare=keep_frames)
    page.get_by_text("Pass this device around").click()
    page.get_by_placeholder("Player 2").fill("Bob")
    page.get_by_role("button", name="Sit down together").click()
    page.wait_for_url("**/t/*")
    table = page.url.rpartition("/")[2]
    expect(page.locator(".stage")).to_be_visible()
    now = guest.look(table)
    if now["legal"]:
        guest.tell("move", "done", id="first", table=table, number=now["number"], move=now["legal"][0])
    expect(page.get_by_role("button", name="Hand the device to Bob")).to_be_visible()
    expect(page.get_by_text("away")).to_have_count(0)  # who shares the device is here
    page.get_by_role("button", name="Hand the device to Bob").click()
    expect(page.get_by_role("heading", name="Bob, it's your turn")).to_be_visible()
    assert seats_known_to(page) == set()
    page.get_by_role("button", name="I am Bob").click()
    expect(page.locator(".stage")).to_be_visible()
    assert seats_known_to(page) == {1}
    assert "hands" not in page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
    page.goto(page.url.replace(f"/t/{table}", "/"))
    assert guest.look(table)["seat"] == 0  # the device's owner is whoever it was
