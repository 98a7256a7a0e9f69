"""The guide for adding a game, followed to the letter in a copy of the package: a sixth game can be played.

Its folder is that of the tiny game, the guide's own example; outside the folder only the one line is added
that the guide says is needed.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.browsing import ROOT, Guest, Visit, is_over, move, my_turns

GUIDE = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
Prepare = Callable[[Page], None] | None
LISTED = re.compile(r"^# (kibitz/games/__init__\.py)\n(for _name in \(.*\):)$", re.MULTILINE)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with the sixth game in it."""
    home = tmp_path_factory.mktemp("project")
    shutil.copytree(ROOT / "kibitz", home / "kibitz", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "tests" / "tiny", home / "kibitz" / "games" / "tiny")
    for file in (home / "kibitz" / "games" / "tiny").glob("*.py"):
        file.write_text(file.read_text(encoding="utf-8").replace("tests.tiny", "kibitz.games.tiny"))
    place, line = LISTED.findall(GUIDE)[0]
    listing = (home / place).read_text(encoding="utf-8")
    assert line in listing
    (home / place).write_text(listing.replace(line, line.replace("):", ', "tiny"):')))
    return home


def command(*words: str) -> list[str]:
    """The command `kibitz` of the copy."""
    return [sys.executable, "-m", "kibitz", *words]


def environment(project: Path) -> dict[str, str]:
    """The copy comes first, and its rules run as plain Python: nothing is compiled for one test."""
    return {**os.environ, "PYTHONPATH": str(project), "NUMBA_DISABLE_JIT": "1", "NO_COLOR": "1"}


def output(project: Path, *words: str, typed: str = "") -> str:
    done = subprocess.run(
        words, cwd=project, env=environment(project), input=typed, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_file_that_the_guide_names_outside_the_folder_is_there() -> None:
    table = GUIDE[GUIDE.index("## Outside the folder") : GUIDE.index("## What is the same")]
    for file in re.findall(r"`([^`]+)`", "\n".join(re.findall(r"^\| (`.*?) \|", table, re.MULTILINE))):
        assert (ROOT / file.replace("<name>", "kaching")).exists(), file


def test_the_sixth_game_plays_in_python(project: Path) -> None:
    program = """
import kibitz
assert kibitz.games()[-1] == "tiny", kibitz.games()
state = kibitz.game("tiny").deal(3, seed=1)
while not state.over:
    state.play(kibitz.bot("easy", state.game, seed=1).choose(state.observation(state.turn)))
print(kibitz.Record.parse(state.record().json()).verify().ending.code)
"""
    assert output(project, sys.executable, "-c", program)


def test_the_sixth_game_plays_in_the_arena(project: Path) -> None:
    assert "easy" in output(
        project, *command("arena", "tiny", "easy", "random", "--games", "4", "--seed", "1")
    )


def test_the_sixth_game_plays_in_the_terminal(project: Path) -> None:
    told = output(project, *command("play", "tiny", "--seed", "1"), typed="1\n" * 12)
    assert "Tiny" in told


@pytest.fixture
def address(project: Path, tmp_path: Path) -> Iterator[str]:
    """A server of the copy."""
    serve = command("serve", "--port", "0", "--data", str(tmp_path), "--no-browser")
    with subprocess.Popen(
        serve, cwd=project, env=environment(project), stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        found = next(filter(None, (re.search(r"http://[\d.]+:\d+", line) for line in process.stdout)))
        yield found.group()
        process.terminate()


def test_the_sixth_game_plays_at_the_pages_plain_table(address: str, visit: Visit) -> None:
    def visit_the_copy(path: str = "/", prepare: Prepare = None, **settings: Any) -> Page:
        return visit(path, prepare, base_url=address, **settings)

    guest = Guest(address, visit_the_copy)
    page = guest.sit(guest.create("me", "easy", game="tiny"))
    for _ in my_turns(page, 20):
        with move(page):
            page.locator(".moves button").first.click()
    expect(is_over(page)).to_be_visible()
