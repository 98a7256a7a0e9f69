"""`kibitz puzzles`: the table is drawn, and the solver says which move is best; and looking for more."""

from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from kibitz.core.errors import BadOptions, IllegalMove, KibitzError
from kibitz.core.words import catalogue
from kibitz.terminal.drawing import Scene, drawing_of
from kibitz.terminal.narration import Narrator, because, percent
from kibitz.terminal.play import Leave
from kibitz.terminal.players import names_of, seated
from kibitz.terminal.reports import progress_bar
from kibitz.terminal.screen import picture, show
from kibitz.terminal.typed import Unclear, meant

if TYPE_CHECKING:
    from kibitz.bots.puzzles import Puzzle
    from kibitz.core.game import Game

LEVEL = "hard"
LEAST_HEIGHT = 24


def chosen_puzzles(game: "Game", grade: int | None, id: str | None) -> tuple["Puzzle", ...]:
    """The puzzles that were asked for: one, those of a grade, or all."""
    from kibitz.bots.puzzles import puzzle, puzzles

    if id is not None:
        return (puzzle(game.name, id),)
    found = tuple(one for one in puzzles(game.name).puzzles if grade in (None, one.grade))
    if not found:
        grades = sorted({one.grade for one in puzzles(game.name).puzzles})
        raise BadOptions("grade", f"one that {game.title} has puzzles of: {grades}", grade)
    return found


class Puzzling:
    """Somebody who solves one puzzle after the other."""

    def __init__(self, game: "Game", puzzles: tuple["Puzzle", ...], language: str, console: Console) -> None:
        self.game = game
        self.puzzles = puzzles
        self.console = console
        self.words = catalogue(language, game.package, "kibitz.terminal")
        self.drawing = drawing_of(game.name)
        self.at = 0
        self.solved = 0  # at the first try
        self.sit_down()

    def sit_down(self) -> None:
        """To the puzzle that comes next."""
        from kibitz.bots.puzzles import set_up

        self.state = set_up(self.game.name, self.puzzle)
        assert self.state.turn is not None
        self.seat = self.state.turn
        self.tries = 0
        self.done = False
        self.notes: list[Text] = []

    @property
    def puzzle(self) -> "Puzzle":
        """The one that is asked."""
        return self.puzzles[self.at]

    def run(self) -> None:
        """Solve as many as the solver likes."""
        try:
            while self.at < len(self.puzzles):
                self.draw()
                prompt = "terminal.puzzle.next" if self.done else "terminal.puzzle.prompt"
                self.heed(input(self.words(prompt)).strip())
        except (Leave, EOFError, KeyboardInterrupt):
            self.console.print()
        count = self.at + (self.at < len(self.puzzles) and self.done)
        told = self.words("terminal.puzzle.sum", solved=self.solved, count=count)
        self.console.print(told, style="bold", markup=False)

    def heed(self, typed: str) -> None:
        """Do what was typed: leave, go on, be told, or a move."""
        self.notes = []
        match typed.lower():
            case "q" | "quit":
                raise Leave
            case "n" | "next":
                self.go_on()
            case "s" | "show":
                self.try_move(self.puzzle.best, shown=True)
            case "" if self.done:
                self.go_on()
            case "":
                pass
            case _:
                self.check(typed)

    def go_on(self) -> None:
        """To the next puzzle."""
        self.at += 1
        if self.at < len(self.puzzles):
            self.sit_down()

    def check(self, typed: str) -> None:
        """Try a move, or say why it can't be made."""
        try:
            move = self.state.check(meant(typed, self.state, self.drawing.numbers(self.scene())), self.seat)
        except IllegalMove as error:
            self.say(self.words(f"refusal.{error.code}", **{**error.data, "move": typed}), "bold")
        except Unclear as error:
            self.say(self.words(error.key, typed=typed, moves=error.listed()))
        else:
            self.try_move(str(move))

    def try_move(self, move: str, shown: bool = False) -> None:
        """Say whether it is the best one, why, and how it goes on."""
        from kibitz.bots.puzzles import answer

        found = answer(self.game.name, self.puzzle, move)
        narrator = Narrator(self.game, self.words, self.names(), self.seat)
        verdict = "shown" if shown else "right" if found.right else "wrong"
        chance = "?" if found.chance is None else percent(found.chance)
        told = " ".join(map(narrator.line, found.told)) or found.move
        best = percent(found.best_chance)
        self.say(self.words(f"terminal.puzzle.{verdict}", told=told, chance=chance, best=best), "bold")
        for line in because(found.reasons, narrator):
            self.say(line)
        self.say(self.words("terminal.puzzle.line", line=", ".join(found.line)), "dim")
        self.solved += found.right and not shown and self.tries == 0 and not self.done
        self.tries += 1
        self.done = self.done or found.right

    def say(self, sentence: str, style: str = "") -> None:
        """Something to stand below the table."""
        note = self.drawing.paint(sentence)
        note.stylize_before(style)
        self.notes.append(note)

    def draw(self) -> None:
        """The table, which puzzle it is, and what was answered."""
        self.console.clear()
        place = self.words(
            "terminal.puzzle.place",
            number=self.at + 1,
            count=len(self.puzzles),
            grade="★" * self.puzzle.grade,
            id=self.puzzle.id,
        )
        height = max(self.console.height, LEAST_HEIGHT)
        notes = [Text(place, style="dim"), *self.notes]
        show(self.console, picture(self.scene(), self.drawing, notes, self.console.width, height))

    def names(self) -> tuple[str, ...]:
        """Who sits where."""
        return names_of(seated(self.state.players, self.seat, LEVEL, hotseat=False), self.words, self.seat)

    def scene(self) -> Scene:
        """The table as the solver sees it."""
        lines = Narrator(self.game, self.words, self.names(), self.seat).lines(self.state.log(self.seat))
        return Scene(
            game=self.game,
            words=self.words,
            view=self.state.view(self.seat),
            names=self.names(),
            seat=self.seat,
            moves=self.state.legal_moves,
            lines=lines,
            fresh=0,
        )


def make_puzzles(
    game: "Game", file: Path, wanted: int, players: int | None, again: bool, console: Console
) -> int:
    """Look for puzzles until there are so many, kept after each game; returns how many there are.

    With `again` those that there are come first: all that still are puzzles stay.
    """
    from kibitz.bots.kept import write_whole
    from kibitz.bots.puzzles import Puzzles, looked_at_again, make, read, written

    try:
        file.parent.stat()  # else a whole game would be played before it is said that nothing can be kept
        kept = read(file.read_bytes()) if file.exists() else Puzzles(0, ())
        with progress_bar(console, game.title) as advance:
            old = len(kept.puzzles)
            for done, kept in enumerate(looked_at_again(game.name, kept) if again else (), 1):  # noqa: B020
                write_whole(file, written(kept))
                advance(done, old)
            advance(len(kept.puzzles), wanted)
            for kept in make(game.name, kept, wanted, players):  # noqa: B020 -- the last is what there is
                write_whole(file, written(kept))
                advance(len(kept.puzzles), wanted)
    except OSError as error:
        reason = f"{file} can't be read or written: {error.strerror}."
        raise KibitzError("not-saved", reason, {"file": str(file)}) from error
    return len(kept.puzzles)
