"""Playing in the terminal: the table is drawn, the player asked, the bots answer."""

import shlex
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from kibitz.core.errors import IllegalMove, KibitzError, NothingToUndo
from kibitz.core.words import catalogue
from kibitz.terminal.drawing import Scene, drawing_of, joined
from kibitz.terminal.hidden import hidden_lines
from kibitz.terminal.narration import Narrator, advice_lines
from kibitz.terminal.players import bots_of, level_of, names_of
from kibitz.terminal.result import last_round, scores, verdict
from kibitz.terminal.saved import keep, save
from kibitz.terminal.screen import late_sign, move_lines, page, picture, rulebook, show
from kibitz.terminal.setup import Setup
from kibitz.terminal.typed import Unclear, meant

if TYPE_CHECKING:
    from kibitz.core.move import Move
    from kibitz.core.record import Record
    from kibitz.core.state import State

LEAST_HEIGHT = 24
HINT_SECONDS = 0.5  # of thought
COMMANDS = ("help", "hint", "hidden", "undo", "moves", "look", "log", "rules", "save", "quit")
CHOICES = ("save", "rematch", "quit")


class Leave(Exception):
    """The player wants to go."""


class Sitting:
    """People and bots around one terminal, for a game and its rematches."""

    def __init__(
        self,
        setup: Setup,
        language: str,
        console: Console,
        compiled: Callable[[], bool] = lambda: True,
    ) -> None:
        self.setup = setup
        self.compiled = compiled  # until then no bot searches
        self.game = setup.game
        self.console = console
        self.words = catalogue(language, self.game.package, "kibitz.terminal")
        self.drawing = drawing_of(self.game.name)
        self.people = [seat for seat, name in enumerate(setup.seats) if level_of(name) is None]
        self.myself = self.people[0] if len(self.people) == 1 else None  # who is spoken to as "you"
        self.rematches = 0

    def begin(self, state: "State", file: Path | None = None) -> None:
        """Sit down to a game, new or taken up from a file."""
        self.state = state
        self.file = file
        self.bots = bots_of(self.game, self.setup.seats, self.setup.seed)
        self.beginners = bots_of(self.game, self.setup.seats, self.setup.seed, searching=False)
        self.viewer = self.people[0]
        self.round = state.round  # the last one that was looked at
        # Lines of the log, by reader
        self.seen = dict.fromkeys(self.people, len(self.lines()) if file else 0)
        self.notes: list[Text] = [Text(self.words("terminal.welcome"), style="dim")]
        if not self.compiled():
            self.notes.append(Text(self.words("terminal.warming-up"), style="dim"))
        self.hinted: Move | None = None
        self.drawn: tuple[Move, ...] | None = None  # the moves made when the table was last drawn

    def run(self) -> None:
        """Play until the players go; whatever happens, a running game is kept."""
        with stopped_by_signals():
            try:
                while self.play_game():
                    self.rematches += 1
                    self.begin(self.setup.deal(self.rematches))
            except (Leave, EOFError, KeyboardInterrupt):
                self.leave()
            except BaseException:
                keep(self.record(), self.file)
                raise

    def play_game(self) -> bool:
        """Play the game to its end; returns whether there shall be another."""
        while self.state.turn is not None:
            if self.state.turn in self.bots:
                self.bot_moves(self.state.turn)
            else:
                self.ask(self.state.turn)
        if self.file is not None:
            save(self.record(), self.file)
        return self.ask_for_more()

    # Bots

    def bot_moves(self, seat: int) -> None:
        """A bot decides from what it may know."""
        bots = self.bots if self.compiled() else self.beginners
        with late_sign(self.console, self.words("terminal.thinking", name=self.names()[seat])):
            move = bots[seat].choose(self.state.observation(seat))
        self.state.play(move, seat)

    # People

    def ask(self, seat: int) -> None:
        """Draw the table for the person in turn and do as told."""
        self.hand_over(seat)
        self.show_round()
        self.draw()
        typed = input(self.words("terminal.prompt", name=self.names()[seat])).strip()
        command, _, rest = typed.partition(" ")
        action = self.commands().get(command.lower())
        if action is not None:
            action(rest.strip())
        elif typed:
            self.try_move(typed, seat)

    def show_round(self) -> None:
        """Before the table of a new round, what the one before it brought."""
        if self.state.round > self.round:
            last = last_round(self.state)
            heading = self.words("terminal.round-over", round=last.round)
            told = f"{heading} {self.words(f'ending.{last.reason}')}"
            table = scores(self.state, self.words, self.names(), self.console.width)
            self.read(Text("\n").join([Text(told, style="bold"), Text(), *table, Text()]))
        self.round = self.state.round

    def hand_over(self, seat: int) -> None:
        """Between two people at one screen, hide what only one of them may see."""
        secret = self.state.view(seat) != self.state.view(None)
        if seat != self.viewer and secret and self.console.is_terminal:
            self.console.clear()
            input(self.words("terminal.hand-over", name=self.names()[seat]))
        self.viewer = seat

    def try_move(self, typed: str, seat: int) -> None:
        """Make the move that was meant, or say why not."""
        already_read = self.lines()
        try:
            self.state.play(meant(typed, self.state, self.drawing.numbers(self.scene())), seat)
        except IllegalMove as error:
            self.say(self.words(f"refusal.{error.code}", **{**error.data, "move": typed}), "bold")
        except Unclear as error:
            self.say(self.words(error.key, typed=typed, moves=error.listed()))
        else:
            self.seen[seat] = in_common(already_read, self.lines())
            self.hinted = None

    def commands(self) -> dict[str, Callable[[str], None]]:
        """What may be typed besides moves, in English and in the player's language."""
        by_name: dict[str, Callable[[str], None]] = {name: getattr(self, f"do_{name}") for name in COMMANDS}
        own = {self.words(f"terminal.command.{name}"): action for name, action in by_name.items()}
        return {"?": self.do_help, "q": self.do_quit, **by_name, **own}

    def do_help(self, _: str) -> None:
        """What can be typed."""
        lines = [Text(self.words("terminal.help"), style="bold")]
        for name in COMMANDS:
            command = self.words(f"terminal.command.{name}")
            lines.append(joined((f"  {command:<9} ", "bold"), self.words(f"terminal.help.{name}")))
        self.read(Text("\n").join(lines))

    def do_hint(self, _: str) -> None:
        """The best moves by what this seat knows, with their chances and what speaks for them."""
        from kibitz.bots.advice import advise

        if not self.compiled():
            self.say(self.words("terminal.warming-up"))
            return
        with late_sign(self.console, self.words("terminal.looking")):
            advice = advise(self.state.observation(self.viewer), seconds=HINT_SECONDS, seed=self.setup.seed)
        self.hinted = advice[0].move
        narrator = Narrator(self.game, self.words, self.names(), self.viewer)
        for place, line in enumerate(advice_lines(advice, narrator)):
            self.say(line, "dim" if place else "bold")

    def do_hidden(self, _: str) -> None:
        """What may be hidden from this seat: how likely each card is where."""
        from kibitz.bots.analysis import belief

        found = belief(self.state.observation(self.viewer), self.setup.seed)
        self.read(Text("\n").join(hidden_lines(found, self.names(), self.words, self.drawing)))

    def do_undo(self, _: str) -> None:
        """Take moves back up to a person's last decision."""
        earlier = self.state.copy()
        try:
            earlier.undo()
            while earlier.turn not in self.people:
                earlier.undo()
        except NothingToUndo:
            self.say(self.words("terminal.nothing-to-undo"))
            return
        self.state = earlier
        self.seen = {seat: min(read, len(self.lines())) for seat, read in self.seen.items()}
        self.hinted = None
        self.say(self.words("terminal.undone"))

    def do_moves(self, _: str) -> None:
        """All that is possible now."""
        self.read(Text("\n").join(move_lines(self.scene(), self.drawing, self.console.width)))

    def do_look(self, whose: str) -> None:
        """What lies beneath what is drawn: the own cards, or everybody's."""
        look = getattr(self.drawing, "look", None)
        if look is None:
            self.say(self.words("terminal.nothing-beneath"))
            return
        everybody = whose.lower() in ("all", self.words("terminal.look-all"))
        self.read(Text("\n").join(look(self.scene(), everybody)))

    def do_log(self, _: str) -> None:
        """All that has happened."""
        self.read(Text("\n").join(map(self.drawing.paint, self.lines())))

    def do_rules(self, _: str) -> None:
        """The rulebook."""
        page(self.console, self.words, rulebook(self.game, self.words.language))

    def do_save(self, file: str) -> None:
        """Keep the game in a file, and play on."""
        try:
            kept = save(self.record(), Path(file).expanduser() if file else self.file)
        except KibitzError as error:
            self.say(error.reason)
        else:
            self.say(self.words("terminal.saved", file=kept))

    def do_quit(self, _: str) -> None:
        """Go; the game is kept."""
        raise Leave

    # The end

    def ask_for_more(self) -> bool:
        """Show the result, and ask what to do with it; returns whether there shall be a rematch."""
        self.notes = scores(self.state, self.words, self.names(), self.console.width)
        self.draw()
        while True:
            choice = self.choices().get(input(self.words("terminal.end-prompt")).strip().lower())
            if choice == "save":
                self.do_save("")
                self.print_notes()
            elif choice is not None:
                return choice == "rematch"

    def choices(self) -> dict[str, str]:
        """What may be answered at the end: the player's own words, their first letters, the English words."""
        own = {self.words(f"terminal.choice.{name}"): name for name in CHOICES}
        return {name: name for name in CHOICES} | own | {word[0]: name for word, name in own.items()}

    # Leaving

    def leave(self) -> None:
        """Keep the game, and say how to go on with it."""
        kept = keep(self.record(), self.file)
        key = "terminal.left-over" if self.state.over else "terminal.left"
        self.console.print()
        self.console.print(self.words(key, file=shlex.quote(str(kept))), soft_wrap=True, markup=False)

    def record(self) -> "Record":
        """The game as a record."""
        return self.state.record(self.setup.seats)

    # Drawing

    def draw(self) -> None:
        """The whole screen on a terminal; elsewhere a table that is already there isn't printed again."""
        if self.console.is_terminal:
            self.console.clear()
        elif self.drawn == self.state.history:
            self.print_notes()
            return
        height = max(self.console.height, LEAST_HEIGHT)
        show(self.console, picture(self.scene(), self.drawing, self.notes, self.console.width, height))
        self.drawn = self.state.history
        self.notes = []

    def print_notes(self) -> None:
        """What is to be said, without the table."""
        for note in self.notes:
            self.console.print(note, soft_wrap=True)
        self.notes = []

    def scene(self) -> Scene:
        """What the viewer may know now."""
        lines = self.lines()
        return Scene(
            game=self.game,
            words=self.words,
            view=self.state.view(self.viewer),
            names=self.names(),
            seat=self.viewer,
            moves=self.state.legal_moves if self.state.turn == self.viewer else (),
            lines=lines,
            fresh=len(lines) - self.seen[self.viewer],
            hinted=self.hinted,
            headline=verdict(self.state, self.words, self.names(), self.myself),
        )

    def lines(self) -> tuple[str, ...]:
        """The log in words, as the viewer was shown it."""
        narrator = Narrator(self.game, self.words, self.names(), self.myself)
        return narrator.lines(self.state.log(self.viewer))

    def names(self) -> tuple[str, ...]:
        """The names as the viewer reads them; several people are numbered."""
        return names_of(self.setup.seats, self.words, self.myself)

    def say(self, sentence: str, style: str = "") -> None:
        """Something to stand above the next prompt."""
        note = self.drawing.paint(sentence)
        note.stylize_before(style)
        self.notes.append(note)

    def read(self, text: Text) -> None:
        """Something to read apart from the table."""
        page(self.console, self.words, text)


def in_common(before: Sequence[str], after: Sequence[str]) -> int:
    """How many lines are still the same: a turn's line changes while the turn goes on."""
    return next((n for n, (old, new) in enumerate(zip(before, after)) if old != new), len(before))


@contextmanager
def stopped_by_signals() -> Iterator[None]:
    """A closed window or a polite kill ends the game like Ctrl-C; a second one is ignored."""
    signals = [getattr(signal, name) for name in ("SIGHUP", "SIGINT", "SIGTERM") if hasattr(signal, name)]

    def stop(number: int, frame: object) -> None:
        for each in signals:
            signal.signal(each, signal.SIG_IGN)
        raise KeyboardInterrupt

    before: dict[int, Any] = {}
    with suppress(ValueError):  # only the main thread may listen to signals
        before = {number: signal.signal(number, stop) for number in signals}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def with_line_editing() -> None:
    """Arrow keys at the prompt, where there is a terminal and the system has it."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401
