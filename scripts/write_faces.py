"""Write the faces of all cards as plain SVG, kibitz/games/<game>/faces.json: what notebooks draw tables with.

    python scripts/write_faces.py            write them
    python scripts/write_faces.py --check    fail if one differs from what the page draws

The page draws them: its components are mounted in Chromium, and what its styles say is written into each.
"""

import argparse
import functools
import json
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

import hatch_build
import kibitz

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
FACES = "faces.json"


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder and says nothing."""

    def log_message(self, format: str, *arguments: object) -> None:
        """Nothing."""


@contextmanager
def samples(folder: Path) -> Iterator[str]:
    """The address of the pages in web/samples, built into a folder."""
    node = hatch_build.find_node()
    hatch_build.install(node, WEB, print, dev=True)
    vite = str(WEB / "node_modules" / "vite" / "bin" / "vite.js")
    build = [str(node), vite, "build", "--config", "samples/vite.config.ts", "--outDir", str(folder)]
    hatch_build.run([*build, "--logLevel", "warn"], WEB)
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/samples"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def faces(page: Page, game: str) -> str:
    """A game's faces, a line each; `page` is at faces.html."""
    package = ROOT / "kibitz" / "games" / game
    words = json.loads((package / "words.en.json").read_text(encoding="utf-8"))
    page.wait_for_function("() => 'faces' in window")
    arguments = [game, cards_of(game), words, values_of(game)]
    found = page.evaluate("([game, cards, words, values]) => faces(game, cards, words, values)", arguments)
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


def cards_of(game: str) -> list[str]:
    """The names of its cards."""
    return list(box_of(game).CARDS.numbers)


def values_of(game: str) -> dict[str, int]:
    """What cards are worth that show it."""
    editions = getattr(box_of(game), "EDITIONS", ())
    return {name: value for deck in editions for name, value, _ in deck}


def box_of(game: str) -> Any:
    """The module that says what is in its box: one of its own, or the rules."""
    package = f"kibitz.games.{game}"
    return import_module(f"{package}.box" if find_spec(f"{package}.box") else f"{package}.rules")


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the faces of all cards.")
    parser.add_argument("--check", action="store_true", help="only say which are out of date")
    check = parser.parse_args().check
    stale = []
    with (
        tempfile.TemporaryDirectory() as folder,
        samples(Path(folder)) as address,
        sync_playwright() as player,
    ):
        browser = player.chromium.launch(executable_path=shutil.which("chromium"))
        page = browser.new_page()
        page.goto(f"{address}/faces.html")
        for game in kibitz.games():
            file = ROOT / "kibitz" / "games" / game / FACES
            told = faces(page, game)
            if not check:
                file.write_text(told, encoding="utf-8")
            elif not file.exists() or file.read_text(encoding="utf-8") != told:
                stale.append(str(file.relative_to(ROOT)))
        browser.close()
    for name in stale:
        print(f"{name}: not what the page draws; run scripts/write_faces.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
