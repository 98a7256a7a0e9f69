"""One word, one meaning: class names are unique, and the glossary is in order."""

import ast
import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "kibitz"
WORDS = ROOT / "docs" / "words.md"

# Each game's own, in the same place of its folder
EVERY_GAME_HAS = {
    "Phase",
    "Ending",
    "Step",
    "View",
    "Figures",
}


def classes(source: str) -> list[str]:
    """The public classes of a module."""
    return [
        node.name
        for node in ast.parse(source).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    ]


def places() -> dict[str, set[str]]:
    """Where each class is; what every game has counts as one place."""
    found: dict[str, set[str]] = defaultdict(set)
    for file in sorted(PACKAGE.rglob("*.py")):
        parts = file.relative_to(PACKAGE).parts
        for name in classes(file.read_text(encoding="utf-8")):
            shared = parts[0] == "games" and name in EVERY_GAME_HAS
            found[name].add("games" if shared else "/".join(parts))
    return found


def test_every_public_class_has_a_name_of_its_own() -> None:
    twice = {name: where for name, where in places().items() if len(where) > 1}
    assert not twice


def test_a_second_class_of_a_name_is_noticed() -> None:
    assert classes("class Table: ...\nclass _Table: ...\ndef f() -> None:\n    class Inner: ...") == ["Table"]


def glossary() -> list[str]:
    """The words that the glossary explains."""
    return re.findall(r"^\| ([a-z ]+) \| [A-Z]", WORDS.read_text(encoding="utf-8"), re.MULTILINE)


def test_the_glossary_explains_each_word_once_in_alphabetical_order() -> None:
    words = glossary()
    assert words == sorted(set(words))
    assert {"seat", "player", "move", "position", "view", "table", "record", "row", "log"} <= set(words)
