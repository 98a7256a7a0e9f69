"""What a drawing is given and what it gives back; and which game has a drawing of its own.

A drawing is a module. It gets a scene, which holds nothing but what the viewer may know, and answers with
lines of text, none wider than asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol, cast

from rich.text import Text

from kibitz.core.words import Words

if TYPE_CHECKING:
    from kibitz.core.game import Game
    from kibitz.core.move import Move

DRAWINGS = "kibitz.terminal.drawings"


@dataclass(frozen=True)
class Scene:
    """A moment of a game as one viewer sees it."""

    game: "Game"
    words: Words
    view: dict[str, Any]
    names: tuple[str, ...]  # who sits where
    seat: int | None = None  # the viewer; None: somebody who looks on
    moves: tuple["Move", ...] = ()  # what the viewer may do
    lines: tuple[str, ...] = ()  # the log in words, newest last
    fresh: int = 0  # how many of these lines the viewer hasn't seen before
    hinted: "Move | None" = None
    headline: str = ""  # instead of what the phase asks for: who has won, say

    @property
    def seats(self) -> list[int]:
        """All seats, the viewer's own first, the others as they follow at the table."""
        count = len(self.names)
        return [(seat + (self.seat or 0)) % count for seat in range(count)]


class Drawing(Protocol):
    """How a game is drawn.

    It may also have `task(scene) -> str`: what is asked now, where the phase's words don't say it; and
    `look(scene, everybody) -> list[Text]`: open cards that the table doesn't show, the own or everybody's.
    """

    def status(self, scene: Scene) -> str:
        """A few words for the title line: how the series stands, say."""

    def table(self, scene: Scene, width: int) -> list[Text]:
        """The table, and what everybody has."""

    def numbers(self, scene: Scene) -> dict[int, str]:
        """The moves that may be typed as numbers. Illegal ones may be among them: the rules say why not."""

    def meaning(self, scene: Scene, move: "Move") -> str:
        """What a move costs or brings, in a word or two."""

    def paint(self, sentence: str) -> Text:
        """A sentence with its cards in their colours."""


def drawing_of(game: str) -> Drawing:
    """A game's own drawing, or the plain one that draws any game."""
    own = f"{DRAWINGS}.{game}"
    return cast(Drawing, import_module(own if find_spec(own) else f"{DRAWINGS}.any_game"))


def beside(left: Sequence[Text], right: Sequence[Text], gap: int) -> list[Text]:
    """Two blocks of lines side by side; the left one, evened out, stands at the bottom, the right one too."""
    rows = max(len(left), len(right))
    width = max((line.cell_len for line in left), default=0)
    padded = [Text() for _ in range(rows - len(left))] + list(left)
    others = [Text() for _ in range(rows - len(right))] + list(right)
    return [joined(line, " " * (width - line.cell_len + gap), other) for line, other in zip(padded, others)]


def joined(*parts: str | Text | tuple[str, str]) -> Text:
    """Parts of a line as one."""
    return Text.assemble(*parts)
