"""What all tables are drawn with, each once on a page of samples, in both themes and sizes.

The pictures are kept in build/samples/, to be looked at; they aren't compared.
"""

import functools
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

import hatch_build
from tests.web.browsing import ROOT, SIZES, Visit, axe

WEB = ROOT / "web"
PICTURES = ROOT / "build" / "samples"

# What hangs out of the window.
OVERFLOWING = """() => [...document.querySelectorAll("[data-sample], [data-sample] *")]
    .filter(each => !each.closest(".unseen") && !each.ownerSVGElement)
    .map(each => ({ each, box: each.getBoundingClientRect() }))
    .filter(({ box }) => box.right > innerWidth + 0.5 || box.left < -0.5)
    .map(({ each }) => `${each.closest("[data-sample]").dataset.sample}: ${each.outerHTML.slice(0, 80)}`)"""


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder and says nothing."""

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the page of samples, which is built for these tests alone."""
    folder = tmp_path_factory.mktemp("samples")
    node = hatch_build.find_node()
    hatch_build.install(node, WEB, print, dev=True)
    vite = str(WEB / "node_modules" / "vite" / "bin" / "vite.js")
    build = [str(node), vite, "build", "--config", "samples/vite.config.ts", "--outDir", str(folder)]
    hatch_build.run([*build, "--logLevel", "warn"], WEB)
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/samples/index.html"
    server.shutdown()
    thread.join()
    server.server_close()


@SIZES
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_sample_is_drawn(visit: Visit, samples: str, size: ViewportSize, theme: str) -> None:
    page = visit(samples, viewport=size, color_scheme=theme, reduced_motion="reduce")
    expect(page.locator("[data-sample]").first).to_be_visible()
    assert axe(page) == []
    assert page.evaluate(OVERFLOWING) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert empty_samples(page) == []
    photograph(page, f"{theme}-{size['width']}.png")


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
