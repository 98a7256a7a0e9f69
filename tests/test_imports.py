"""Where a list of names would grow long, the module itself is imported."""

import ast
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FILES = sorted(
    file for folder in ("kibitz", "bench", "scripts", "tests") for file in (ROOT / folder).rglob("*.py")
)
MOST = 10
# What pictures, positions, tables and visits to the page are told in: their words stand by themselves.
VOCABULARIES = (
    "kibitz.bots.heuristics.assets_table",
    "scripts.pictures.drawing",
    "tests.games.*.positions",
    "tests.web.browsing",
)


def is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").exists()


def long_lists(source: str) -> Iterator[str]:
    """The modules that a source takes too many names from; a folder's modules are no such names."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [alias.name for alias in node.names if not is_module(f"{node.module}.{alias.name}")]
            if len(names) > MOST and not any(fnmatch(node.module, known) for known in VOCABULARIES):
                yield node.module


def test_no_list_of_imported_names_is_long() -> None:
    found = {
        str(file.relative_to(ROOT)): list(long_lists(file.read_text(encoding="utf-8"))) for file in FILES
    }
    assert {file: modules for file, modules in found.items() if modules} == {}, (
        "Import these modules themselves."
    )


@pytest.mark.parametrize("module", ["kibitz.core.layout", "tests.server.entry"])
def test_a_long_list_is_seen(module: str) -> None:
    names = ", ".join(f"name{number}" for number in range(MOST + 1))
    assert list(long_lists(f"def late():\n    from {module} import {names}")) == [module]


@pytest.mark.parametrize(
    ("module", "names"),
    [
        ("kibitz.core.layout", [f"name{number}" for number in range(MOST)]),
        ("tests.games.cash.positions", [f"name{number}" for number in range(MOST + 1)]),
        ("kibitz.server.tables", [file.stem for file in (ROOT / "kibitz/server/tables").glob("[a-z]*.py")]),
    ],
)
def test_what_is_no_long_list_is_not(module: str, names: list[str]) -> None:
    assert list(long_lists(f"from {module} import {', '.join(names)}")) == []
