"""A game's table in the terminal, as lines of text."""

import io
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from kibitz.core.state import State
from kibitz.core.words import catalogue
from kibitz.terminal.drawing import Scene, drawing_of
from kibitz.terminal.narration import Narrator
from kibitz.terminal.screen import picture, show

WIDTH, HEIGHT = 80, 24


def scene_of(state: State, seat: int | None = 0, language: str = "en") -> Scene:
    """What a seat is shown, or a spectator: the others are bots, the log's last two lines are new."""
    game = state.game
    words = catalogue(language, game.package, "kibitz.terminal")
    names = tuple("You" if other == seat else f"Medium bot {other}" for other in range(state.players))
    lines = Narrator(game, words, names, seat).lines(state.log(seat))
    moves = state.legal_moves if state.turn == seat else ()
    return Scene(game, words, state.view(seat), names, seat, moves, lines, fresh=2)


def lines_of(scene: Scene, width: int = WIDTH, notes: Sequence[Text] = ()) -> list[str]:
    """The screen as plain lines, the prompt's among them."""
    console = Console(width=width, height=HEIGHT, file=io.StringIO(), color_system=None)
    show(console, picture(scene, drawing_of(scene.game.name), list(notes), width, HEIGHT))
    assert isinstance(console.file, io.StringIO)
    return [*console.file.getvalue().splitlines(), "You › "]


def assert_it_fits(lines: list[str]) -> None:
    """No screen is larger than the smallest terminal that Kibitz is made for."""
    assert len(lines) <= HEIGHT
    assert max(map(len, lines)) <= WIDTH
