"""Imports point one way: core <- games <- bots <- (envs, server, terminal) <- cli; none names a game."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import kibitz

PACKAGE = Path(kibitz.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))

# What each layer may import, beside itself. `kibitz` alone is the face that the package shows to its users.
BELOW = {
    "core": set[str](),
    "games": {"core"},
    "bots": {"core", "games"},
    "kibitz": {"core", "games", "bots"},
    "warmup": {"core", "games", "bots", "kibitz"},
    "envs": {"core", "games", "bots", "kibitz", "warmup"},
    "server": {"core", "games", "bots", "kibitz", "warmup"},
    "terminal": {"core", "games", "bots", "kibitz", "warmup"},
    "cli": {"core", "games", "bots", "kibitz", "warmup", "envs", "server", "terminal"},
    "__main__": {"cli", "core"},
}

NAMED = {name: kibitz.game(name).title for name in kibitz.games()}


def module_of(file: Path) -> str:
    parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def layer_of(module: str) -> str:
    return module.split(".")[1] if "." in module else module


def is_module(name: str) -> bool:
    path = PACKAGE.parent.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


def imports(source: str, of: str = "") -> Iterator[str]:
    """The modules of Kibitz that a source imports, also inside functions and for type checkers."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.partition(".")[0] == "kibitz")
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{of}: imports give the whole name"
            if node.module and node.module.partition(".")[0] == "kibitz":
                names = [f"{node.module}.{alias.name}" for alias in node.names]
                modules = [name for name in names if is_module(name)]
                yield from modules
                if len(modules) < len(names):
                    yield node.module


def against_the_stream(module: str, source: str) -> list[str]:
    """The imports of a module that its layer may not have."""
    layer = layer_of(module)
    return [
        name
        for name in imports(source, module)
        if layer_of(name) != layer and layer_of(name) not in BELOW[layer]
    ]


@pytest.mark.parametrize("file", FILES, ids=module_of)
def test_imports_point_one_way(file: Path) -> None:
    assert against_the_stream(module_of(file), file.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("kibitz.core.game", "import kibitz"),
        ("kibitz.core.game", "from kibitz.games.kaching import rules"),
        ("kibitz.core.game", "def late():\n    from kibitz.bots import player"),
        ("kibitz.games.kaching.rules", "import kibitz.bots.search"),
        ("kibitz.bots.arena", "from kibitz import game"),
        ("kibitz.server.tables.table", "from kibitz.terminal.screen import show"),
        ("kibitz.terminal.play", "from kibitz import cli"),
        ("kibitz", "from kibitz.server import protocol"),
    ],
)
def test_an_import_against_the_stream_is_seen(module: str, source: str) -> None:
    assert against_the_stream(module, source) != []


def test_every_layer_is_known() -> None:
    assert {layer_of(module_of(file)) for file in FILES} <= BELOW.keys()


# Names of games


def home_of(file: Path) -> str | None:
    """The game whose rules, drawing, calculator or part of the bots a file is, or is a part of."""
    parts = file.relative_to(PACKAGE).with_suffix("").parts
    match parts:
        case (
            ("games", name, *_)
            | ("bots", "clues" | "heuristics" | "merits" | "solvers", name)
            | ("terminal", "drawings" | "calculators", name)
        ):
            game = name.partition("_")[0]
            return game if game in NAMED else None
        case _:
            return None


def docstrings(tree: ast.AST) -> set[int]:
    """The constants that are docstrings; they may tell of a game as an example."""
    return {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def games_named(source: str) -> set[str]:
    """The games that a source names: by import, or in a text that is its name or has it as a part."""
    tree = ast.parse(source)
    texts = [part for name in imports(source) for part in name.split(".")]
    spared = docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in spared:
            texts += [node.value, *node.value.replace("/", ".").split(".")]
            texts += [title for title in NAMED.values() if title in node.value]
    return {name for name, title in NAMED.items() if name in texts or title in texts}


@pytest.mark.parametrize("file", [file for file in FILES if module_of(file) != "kibitz.games"], ids=module_of)
def test_nothing_but_its_own_files_names_a_game(file: Path) -> None:
    """(`kibitz.games` lists them.)"""
    named = games_named(file.read_text(encoding="utf-8"))
    assert named <= {home_of(file)}


@pytest.mark.parametrize(
    "source",
    [
        "from kibitz.games import kaching",
        "from kibitz.games.kaching.rules import BUY",
        "import kibitz.bots.heuristics.kaching",
        "game = 'kaching'",
        "import_module('kibitz.games.kaching')",
        "path = 'games/kaching/rulebook.en.md'",
        "f'Welcome to Ka-Ching! {name}'",
    ],
)
def test_a_name_of_a_game_is_seen(source: str) -> None:
    assert games_named(source) == {"kaching"}


@pytest.mark.parametrize("source", ["'''Ka-Ching! is an example.'''", "x = 'kachingle'", "import kibitz"])
def test_what_is_no_name_is_not(source: str) -> None:
    assert games_named(source) == set()


def test_a_games_files_import_no_other_game() -> None:
    for file in FILES:
        home = home_of(file)
        if home:
            used = {part for name in imports(file.read_text(encoding="utf-8")) for part in name.split(".")}
            assert not used & (NAMED.keys() - {home}), module_of(file)
