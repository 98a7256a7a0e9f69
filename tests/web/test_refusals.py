"""A move that the server refuses: the sentence, and the ruling in the rulebook."""

from playwright.sync_api import expect

from tests.web.browsing import Visit, play_against

SEND_A_PASS_INSTEAD = """() => {
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (message) {
        send.call(this, message.replace(/"move":"buy \\d"/, '"move":"pass"'));
    };
}"""


def test_a_refused_move_names_its_ruling_and_the_rulebook_opens_there(visit: Visit) -> None:
    page = visit()
    play_against(page)
    page.locator(".status.mine").wait_for()
    page.evaluate(SEND_A_PASS_INSTEAD)
    page.keyboard.press("1")
    expect(page.get_by_role("alert")).to_contain_text("You can buy or sell, so you may not pass")
    page.get_by_role("alert").get_by_role("button", name="Rule K3").click()
    expect(page.locator(".pointed-out")).to_contain_text("K3")
    expect(page.locator(".pointed-out")).to_be_in_viewport()
    expect(page.get_by_role("dialog").get_by_role("button", name="Close")).to_be_in_viewport()


def test_a_refusal_can_be_put_away(visit: Visit) -> None:
    page = visit()
    play_against(page)
    page.locator(".status.mine").wait_for()
    page.evaluate(SEND_A_PASS_INSTEAD)
    page.keyboard.press("1")
    page.get_by_role("alert").get_by_role("button", name="Close").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.keyboard.press("1")
    expect(page.get_by_role("alert")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_an_address_may_name_a_ruling_or_a_chapter(visit: Visit) -> None:
    for rule, text in (("K3", "K3"), ("sell", "Selling")):
        page = visit(f"/rules/kaching#{rule}")
        expect(page.locator(".pointed-out")).to_contain_text(text)
        expect(page.locator(".pointed-out")).to_be_in_viewport()
