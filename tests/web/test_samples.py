"""What all tables are drawn with, each once on a page of samples, in both themes and sizes.

The pictures are kept in build/samples/, to be looked at; they aren't compared.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

import kibitz
from scripts.write_faces import faces
from scripts.write_faces import samples as served
from tests.web.browsing import ROOT, SIZES, Visit, axe

WEB = ROOT / "web"
PICTURES = ROOT / "build" / "samples"

# What hangs out of the window.
OVERFLOWING = """() => [...document.querySelectorAll("[data-sample], [data-sample] *")]
    .filter(each => !each.closest(".unseen") && !each.ownerSVGElement)
    .map(each => ({ each, box: each.getBoundingClientRect() }))
    .filter(({ box }) => box.right > innerWidth + 0.5 || box.left < -0.5)
    .map(({ each }) => `${each.closest("[data-sample]").dataset.sample}: ${each.outerHTML.slice(0, 80)}`)"""


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the pages of samples, which are built for these tests alone."""
    with served(tmp_path_factory.mktemp("samples")) as address:
        yield address


@SIZES
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_sample_is_drawn(visit: Visit, samples: str, size: ViewportSize, theme: str) -> None:
    page = visit(f"{samples}/index.html", viewport=size, color_scheme=theme, reduced_motion="reduce")
    expect(page.locator("[data-sample]").first).to_be_visible()
    assert axe(page) == []
    assert page.evaluate(OVERFLOWING) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert empty_samples(page) == []
    sixth = page.locator("[data-sample=sixth-game]")
    sixth.locator(".hand .card").last.click()
    expect(sixth.locator(".actions button")).to_have_text(["lay 5 (+5)", "hide 5 (+10)"])
    photograph(page, f"{theme}-{size['width']}.png")


@pytest.mark.parametrize("game", kibitz.games())
def test_notebooks_draw_the_faces_that_the_page_draws(visit: Visit, samples: str, game: str) -> None:
    kept = (ROOT / "kibitz" / "games" / game / "faces.json").read_text(encoding="utf-8")
    now = faces(visit(f"{samples}/faces.html"), game)
    assert without_lettering(now) == without_lettering(kept), "run scripts/write_faces.py"


def without_lettering(faces: str) -> str:
    """Where lines of a name break depends on the fonts that a machine has."""
    return re.sub(r'<text[^>]*>[^<]*</text>|<rect[^>]*rx=\\"4\\"[^>]*/>', "", faces)


def test_every_primitive_is_among_the_samples() -> None:
    samples = "".join(file.read_text(encoding="utf-8") for file in (WEB / "samples").glob("*.svelte"))
    primitives = [file.name for file in (WEB / "src" / "table").glob("*.svelte")]
    assert [name for name in primitives if f"/table/{name}" not in samples] == []


def empty_samples(page: Page) -> list[str]:
    """Those in which a drawing has no size."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("[data-sample] .row > *, [data-sample] p")]
            .filter(each => each.offsetWidth < 8 || each.offsetHeight < 8)
            .map(each => each.outerHTML.slice(0, 80))"""
    )
    return found


def photograph(page: Page, name: str) -> Path:
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / name, full_page=True)
    return PICTURES / name
