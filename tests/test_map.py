"""The map names every module, and nothing that isn't there."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import kibitz

ROOT = Path(__file__).resolve().parent.parent
MAP = ROOT / "docs" / "map.md"
# Where every module has a line, and how modules end there. __init__.py and __main__.py are their folder.
MAPPED = {"kibitz": (".py",), "scripts": (".py",), "bench": (".py", ".cjs", ".mjs", ".js"), "web/src": ("",)}
FOLDERS = ("__init__.py", "__main__.py")
MADE_BY_TOOLS = ("__pycache__", "node_modules", "kibitz/server/page/")


def modules() -> set[str]:
    """Every module, by its path."""
    found = {
        str(file.relative_to(ROOT))
        for folder, endings in MAPPED.items()
        for file in (ROOT / folder).rglob("*")
        if file.is_file() and file.name.endswith(endings) and file.name not in FOLDERS
    }
    return {file for file in found if not any(part in file for part in MADE_BY_TOOLS)}


def entries() -> Iterator[str]:
    """What the map names in the tables of its folders, by path; <game> stands for any game."""
    for section in re.split(r"^### ", MAP.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        folder = section.split("`")[1]
        for cell in re.findall(r"^\| (`.+?`) \|", section, re.MULTILINE):
            yield from (folder + name for name in re.findall(r"`([^`]+)`", cell))


def covers(entry: str, file: str) -> bool:
    """Whether an entry means this file: by its name, by its folder, or as one of a file a game."""
    paths = [entry.replace("<game>", game) for game in kibitz.games()]
    return any(file.startswith(path) if path.endswith("/") else file == path for path in paths)


def test_every_module_is_on_the_map() -> None:
    missing = sorted(file for file in modules() if not any(covers(entry, file) for entry in entries()))
    assert missing == [], (
        "Give each a line in docs/map.md, in the table of its folder: what it is, in a few words."
    )


def test_nothing_is_on_the_map_that_is_not_there() -> None:
    gone = [entry for entry in entries() if not any(covers(entry, file) for file in modules())]
    assert gone == [], "Moved or removed: take each out of docs/map.md, or give its line the new name."


def test_no_module_is_there_twice() -> None:
    named = list(entries())
    assert sorted({entry for entry in named if named.count(entry) > 1}) == []


@pytest.mark.parametrize("folder", MAPPED)
def test_it_is_looked_for_where_modules_are(folder: str) -> None:
    assert any(file.startswith(folder) for file in modules())
