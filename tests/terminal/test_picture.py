"""The picture of the terminal in the documentation."""

import importlib.util
import re
from pathlib import Path

import kibitz

ROOT = Path(kibitz.__file__).parent.parent
PICTURE = ROOT / "docs" / "pictures" / "terminal.svg"


def test_the_picture_shows_what_the_terminal_shows() -> None:
    spec = importlib.util.spec_from_file_location("screenshot", ROOT / "scripts" / "screenshot_terminal.py")
    assert spec
    assert spec.loader
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert PICTURE.read_text(encoding="utf-8") == script.screenshot(), "run scripts/screenshot_terminal.py"


def test_the_picture_fetches_nothing() -> None:
    text = PICTURE.read_text(encoding="utf-8")
    assert re.findall(r"\w+://[^\"' ]+", text) == ["http://www.w3.org/2000/svg"]
    assert "@font-face" not in text
