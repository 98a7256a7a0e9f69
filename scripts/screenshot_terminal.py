"""Draw the terminal game's picture for the documentation.

    python scripts/screenshot_terminal.py            write docs/pictures/terminal.svg
    python scripts/screenshot_terminal.py FILE       write it elsewhere

Deal and moves are written down here, so that the picture comes out the same every time.
"""

import io
import sys
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI

from kibitz.terminal.play import Sitting
from kibitz.terminal.screen import picture, show
from kibitz.terminal.setup import new_setup

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "pictures" / "terminal.svg"
WIDTH, HEIGHT = 80, 24

GAME, SEED = "kaching", 33
MOVES = """
buy 3, buy 5, buy 3, buy 3, buy 5, buy 5, sell R4 W, sell R3 R6, buy 1
buy 1, buy 2, buy 1, buy 2, buy 3, buy 3, buy 3, sell Y4 Y6
"""

# The frame is rich's own, but for the font: no web font, no host.
FRAME = """\
<svg class="{unique_id}" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: {char_height}px; line-height: {line_height}px; }}
.{unique_id}-title {{ font: bold 18px system-ui, sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/>
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def screenshot() -> str:
    """A table in the middle of a game, as SVG."""
    console = Console(width=WIDTH, height=HEIGHT, record=True, file=io.StringIO(), force_terminal=True)
    sitting = Sitting(new_setup(GAME, seed=SEED, level="hard"), "en", console)
    sitting.begin(sitting.setup.deal())
    for move in MOVES.strip().replace("\n", ", ").split(", "):
        if sitting.state.turn == sitting.viewer:
            sitting.seen[sitting.viewer] = len(sitting.lines())
        sitting.state.play(move)
    show(console, picture(sitting.scene(), sitting.drawing, [], WIDTH, HEIGHT))
    console.print(sitting.words("terminal.prompt", name=sitting.names()[sitting.viewer]), end="")
    return console.export_svg(title="kibitz play", theme=MONOKAI, code_format=FRAME, unique_id="kibitz")


def main() -> None:
    """Write the picture."""
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(screenshot(), encoding="utf-8")


if __name__ == "__main__":
    main()
