"""The tests of a game run once the game is listed."""

from pathlib import Path

import kibitz

collect_ignore = [
    folder.name
    for folder in Path(__file__).parent.iterdir()
    if folder.is_dir() and folder.name not in (*kibitz.games(), "__pycache__")
]
