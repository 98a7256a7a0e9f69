"""Draw the rulebooks' pictures as SVG.

    python scripts/draw_pictures.py            write them
    python scripts/draw_pictures.py --check    fail if a committed picture differs from what would be drawn

A picture holds no words, so that every language shares it; one that shows money is drawn for each language,
which writes it in its way. What must be read stands on paper of its own, so
that a picture looks right on a light and on a dark page. There are no ids and no references: several pictures
may be put into one page.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import kibitz

ROOT = Path(__file__).resolve().parent.parent


def all_pictures() -> dict[str, Callable[[], str]]:
    """Where each picture of each game is kept, and what draws it: `scripts/pictures/<game>.py`."""
    return {
        f"kibitz/games/{game}/pictures/{name}": draw
        for game in kibitz.games()
        for name, draw in import_module(f"scripts.pictures.{game}").PICTURES.items()
    }


def main() -> int:
    parser = argparse.ArgumentParser(description="Draw the rulebooks' pictures.")
    parser.add_argument(
        "--check", action="store_true", help="only say which committed pictures are out of date"
    )
    if parser.parse_args().check:
        return check()
    for name, draw in all_pictures().items():
        (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / name).write_text(draw(), encoding="utf-8", newline="\n")
    return 0


def check() -> int:
    """0 if each committed picture is what would be drawn and there are no others; else 1, saying which."""
    stale = [name for name, draw in all_pictures().items() if read(ROOT / name) != draw()]
    folders = {(ROOT / name).parent for name in all_pictures()}
    strays = [file.relative_to(ROOT).as_posix() for folder in folders for file in folder.glob("*.svg")]
    stale += sorted(set(strays) - set(all_pictures()))
    for name in stale:
        print(f"{name}: not what scripts/draw_pictures.py draws", file=sys.stderr)
    return 1 if stale else 0


def read(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.exists() else ""


if __name__ == "__main__":
    sys.exit(main())
