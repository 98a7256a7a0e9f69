"""The papers and inks of cards: each card brings both, so it is right on a light and on a dark terminal."""

import re
from collections.abc import Callable, Collection, Mapping

from rich.style import Style
from rich.text import Text

PAPER, INK = "#fffaf0", "#2a2018"
SHAPES = {"R": "●", "Y": "▲", "G": "■", "B": "◆", "P": "★", "W": "✱"}  # of games whose suits are colours


def printed(papers: Mapping[str, str], dark: Collection[str]) -> dict[str, Style]:
    """A style for each paper; on dark ones the ink is light."""
    return {
        name: Style(color=PAPER if name in dark else INK, bgcolor=paper, dim=False)
        for name, paper in papers.items()
    }


def painter(cards: re.Pattern[str], style_of: Callable[[str], Style]) -> Callable[[str], Text]:
    """What shows a sentence with its cards in their colours."""

    def paint(sentence: str) -> Text:
        text = Text(sentence)
        for found in cards.finditer(sentence):
            text.stylize(style_of(found[0]), *found.span())
        return text

    return paint


COLOURED = printed(
    {"R": "#b5261e", "Y": "#f6c62f", "G": "#57ad5a", "B": "#2272b9", "P": "#55297f", "W": "#d9d2c5"},
    dark="RBP",
)
