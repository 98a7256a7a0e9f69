"""Pass and play: several people at one device, a curtain between them."""

import json

from playwright.sync_api import Page, WebSocketRoute, expect

from tests.web.browsing import PHONE, Guest

MARK = "a view of seat {}"


def mark_views(page: Page) -> None:
    """Put a text that is nowhere else into every view that the page receives."""

    def mark(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def tell(heard: str | bytes) -> None:
            message = json.loads(heard)
            if message["type"] == "table" and message["view"]:
                message["view"]["mark"] = MARK.format(message["seat"])
            route.send(json.dumps(message))

        server.on_message(tell)

    page.route_web_socket("**/ws", mark)


def seats_in_memory(page: Page) -> set[int]:
    """Of which seats a view, or something of it, is anywhere in the page's memory."""
    browser = page.context.new_cdp_session(page)
    parts: list[str] = []
    browser.on("HeapProfiler.addHeapSnapshotChunk", lambda part: parts.append(part["chunk"]))
    browser.send("HeapProfiler.takeHeapSnapshot")
    browser.detach()
    return {seat for seat in (0, 1) if MARK.format(seat) in "".join(parts)}


def test_a_device_is_passed_around_and_forgets_who_had_it(guest: Guest) -> None:
    page = guest.enter("/new/tiny", PHONE, prepare=mark_views)
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
    assert seats_in_memory(page) == {0}
    expect(page.get_by_text("away")).to_have_count(0)  # who shares the device is here
    page.get_by_role("button", name="Hand the device to Bob").click()
    expect(page.get_by_role("heading", name="Bob, it's your turn")).to_be_visible()
    assert seats_in_memory(page) == set()
    page.get_by_role("button", name="I am Bob").click()
    expect(page.locator(".stage")).to_be_visible()
    assert seats_in_memory(page) == {1}
    assert "hands" not in page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
    page.goto(page.url.replace(f"/t/{table}", "/"))
    assert guest.look(table)["seat"] == 0  # the device's owner is whoever it was
