"""What is sent is compressed, and a phone can put the page on its home screen."""

import json

from playwright.sync_api import Page, Response

from tests.web.browsing import Visit


def test_a_phone_can_install_the_page(page: Page) -> None:
    browser = page.context.new_cdp_session(page)
    told = browser.send("Page.getAppManifest")
    assert told["errors"] == []
    manifest = json.loads(told["data"])
    assert (manifest["display"], manifest["start_url"]) == ("standalone", "/")
    objections = browser.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert {each["errorId"] for each in objections} <= {"in-incognito"}  # as every browser of these tests is


def test_the_icons_are_as_big_as_the_manifest_says(page: Page) -> None:
    manifest = page.request.get("/manifest.webmanifest").json()
    for icon in manifest["icons"]:
        assert page.request.get(icon["src"]).headers["content-type"] == icon["type"]
        if icon["sizes"] != "any":
            size = page.evaluate(
                """async (source) => {
                    const image = Object.assign(new Image(), { src: source });
                    await image.decode();
                    return `${image.naturalWidth}x${image.naturalHeight}`;
                }""",
                icon["src"],
            )
            assert size == icon["sizes"]


def test_the_browsers_frame_takes_the_chosen_themes_colour(visit: Visit) -> None:
    page = visit(color_scheme="light")
    in_use = """() => [...document.querySelectorAll("meta[name=theme-color]")]
        .filter(({ media }) => matchMedia(media).matches).map(({ dataset }) => dataset.theme)"""
    assert page.evaluate(in_use) == ["light"]
    page.evaluate("localStorage.setItem('kibitz.settings', JSON.stringify({ theme: 'dark' }))")
    page.reload()
    assert page.evaluate(in_use) == ["dark"]


def test_scripts_and_styles_are_sent_as_brotli(visit: Visit) -> None:
    answers: list[Response] = []

    def listen(page: Page) -> None:
        page.on("response", lambda answer: answers.append(answer))

    visit(prepare=listen).wait_for_load_state("networkidle")
    long = [answer for answer in answers if "/files/" in answer.url and len(answer.body()) > 1000]
    assert long
    assert {answer.headers.get("content-encoding") for answer in long} == {"br"}
