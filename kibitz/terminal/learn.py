"""A game's lesson in the terminal: the table is drawn, the step is told, the learner makes the move."""

from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from kibitz.core.errors import BadOptions, IllegalMove
from kibitz.core.lessons import SEAT, PlayedStep, lesson, played
from kibitz.core.sentences import Speaker
from kibitz.core.words import catalogue
from kibitz.terminal.drawing import Scene, drawing_of
from kibitz.terminal.narration import Narrator
from kibitz.terminal.play import Leave
from kibitz.terminal.players import names_of, seated
from kibitz.terminal.screen import picture, show
from kibitz.terminal.typed import Unclear, meant

if TYPE_CHECKING:
    from kibitz.core.game import Game
    from kibitz.core.state import State

LEVEL = "easy"
LEAST_HEIGHT = 24


class Learning:
    """Somebody who follows a lesson."""

    def __init__(self, game: "Game", step: int, language: str, console: Console) -> None:
        self.game = game
        self.steps = played(game.name)
        if not 1 <= step <= len(self.steps):
            raise BadOptions("step", f"a whole number from 1 to {len(self.steps)}", step)
        self.at = step - 1
        self.console = console
        self.words = catalogue(language, game.package, "kibitz.terminal")
        self.drawing = drawing_of(game.name)
        self.answer = ""

    def run(self) -> bool:
        """Follow it to its end, or as far as the learner likes; returns whether it was the end."""
        try:
            while self.at < len(self.steps):
                self.draw()
                self.heed(input(self.words("terminal.learn.prompt" + (".move" if self.move else ""))).strip())
        except (Leave, EOFError, KeyboardInterrupt):
            self.console.print()
            left = self.words("terminal.learn.left", game=self.game.name, step=self.at + 1)
            self.console.print(left, style="bold")
            return False
        return True

    @property
    def step(self) -> PlayedStep:
        """Where the learner is."""
        return self.steps[self.at]

    @property
    def state(self) -> "State":
        """The table as the step begins."""
        return self.step.moments[0].state

    @property
    def move(self) -> str | None:
        """What the step asks for."""
        return self.step.step.move

    def heed(self, typed: str) -> None:
        """Do what was typed: go on, go back, leave, or a move."""
        self.answer = ""
        match typed.lower():
            case "q" | "quit":
                raise Leave
            case "b" | "back":
                self.at = max(0, self.at - 1)
            case "s" | "show":
                self.at += 1
            case "" if self.move is None:
                self.at += 1
            case "":
                pass
            case _:
                self.try_move(typed)

    def try_move(self, typed: str) -> None:
        """Go on if it is the move that is asked for; else say kindly why not."""
        try:
            move = str(self.state.check(meant(typed, self.state, self.drawing.numbers(self.scene())), SEAT))
        except IllegalMove as error:
            self.answer = self.words(f"refusal.{error.code}", **{**error.data, "move": typed})
        except Unclear as error:
            self.answer = self.words(error.key, typed=typed, moves=error.listed())
        else:
            if move == self.move:
                self.at += 1
            elif self.move is None:
                self.answer = self.words("terminal.learn.read-first")
            else:
                self.answer = self.words("terminal.learn.first", move=self.move)

    def draw(self) -> None:
        """The table, what is said, and what was answered."""
        self.console.clear()
        said = Speaker(self.words, self.names(), SEAT).said(self.step.said(self.words.language))
        title = lesson(self.game.name).chapters[self.step.chapter].title[self.words.language]
        place = self.words("terminal.learn.place", chapter=title, step=self.at + 1, steps=len(self.steps))
        notes = [Text(place, style="dim"), self.drawing.paint(said), Text(self.answer, style="bold")]
        height = max(self.console.height, LEAST_HEIGHT)
        spoken = [note for note in notes if note]
        show(self.console, picture(self.scene(), self.drawing, spoken, self.console.width, height))

    def names(self) -> tuple[str, ...]:
        """Who sits where."""
        return names_of(seated(self.state.players, SEAT, LEVEL, hotseat=False), self.words, SEAT)

    def scene(self) -> Scene:
        """The table as the learner sees it; what happened since the step before is new."""
        state, names = self.state, self.names()
        narrator = Narrator(self.game, self.words, names, SEAT)
        lines = narrator.lines(state.log(SEAT))
        before = self.steps[max(0, self.at - 1)]
        seen = (
            narrator.lines(before.moments[0].state.log(SEAT)) if before.chapter == self.step.chapter else ()
        )
        return Scene(
            game=self.game,
            words=self.words,
            view=state.view(SEAT),
            names=names,
            seat=SEAT,
            moves=state.legal_moves if state.turn == SEAT and self.move else (),
            lines=lines,
            fresh=len(lines) - len(seen),
        )
