"""Stepping through a recorded game."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.text import Text

from kibitz.core.words import catalogue
from kibitz.terminal.drawing import Scene, drawing_of
from kibitz.terminal.narration import Narrator
from kibitz.terminal.players import names_of
from kibitz.terminal.result import verdict
from kibitz.terminal.screen import picture, show

if TYPE_CHECKING:
    from kibitz.core.events import AnyEvent
    from kibitz.core.state import State

STEPS = {"": 1, "n": 1, "next": 1, "p": -1, "previous": -1}
ENDS = {"home": 0, "end": -1}
QUIT = ("q", "quit")
ENTER = ("\r", "\n")
RUB_OUT = ("\x7f", "\b")
KEYS = {
    **dict.fromkeys(("\x1b[C", "\x1bOC", "\x1b[B", "\x1bOB", " ", *ENTER), "next"),
    **dict.fromkeys(("\x1b[D", "\x1bOD", "\x1b[A", "\x1bOA", *RUB_OUT), "previous"),
    **dict.fromkeys(("\x1b[H", "\x1bOH", "\x1b[1~"), "home"),
    **dict.fromkeys(("\x1b[F", "\x1bOF", "\x1b[4~"), "end"),
}
KEY = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|\x1bO.|.", re.DOTALL)  # what a terminal sends for one of them
LEAST_HEIGHT = 24


class Replay:
    """A record opened at one of its positions."""

    def __init__(self, file: Path, seat: int | None, language: str, console: Console) -> None:
        from kibitz.core.record import Record

        record = Record.load(file)
        self.states = list(record.steps())
        self.seat = seat
        self.console = console
        self.game = self.states[0].game
        self.words = catalogue(language, self.game.package, "kibitz.terminal")
        self.names = names_of(record.seats or ("",) * record.players, self.words)
        self.narrator = Narrator(self.game, self.words, self.names)
        self.open = self.states[-1].over  # of a finished game nothing is secret any more
        self.at = 0

    def print_all(self) -> None:
        """The whole game in words."""
        for line in self.narrator.lines(self.log(self.states[-1])):
            print(line, file=self.console.file)

    def run(self) -> None:
        """Step through it as told, until told to quit or until the input ends."""
        typed, pressed = "home", keys()
        while typed not in QUIT:
            self.go(typed)
            self.draw()
            try:
                typed = asked(self.words("terminal.replay-prompt"), pressed)
            except (EOFError, KeyboardInterrupt):
                self.console.print()
                return

    def go(self, typed: str) -> None:
        """To where a word or a move's number points; anything else stays."""
        last = len(self.states) - 1
        if typed in STEPS:
            self.at = min(max(self.at + STEPS[typed], 0), last)
        elif typed in ENDS:
            self.at = ENDS[typed] % len(self.states)
        elif typed.isdecimal():
            self.at = min(int(typed), last)

    def draw(self) -> None:
        """The position with its sentence."""
        self.console.clear()
        height = max(self.console.height, LEAST_HEIGHT)
        drawing = drawing_of(self.game.name)
        ended = verdict(self.states[self.at], self.words, self.names)
        notes = self.hands() + ([Text(ended, style="bold")] if ended else [])
        show(self.console, picture(self.scene(), drawing, notes, self.console.width, height))

    def hands(self) -> list[Text]:
        """A line a player who holds cards, where everything is shown."""
        position = self.view(self.states[self.at])
        held = position.get("hands", []) if self.seat is None and self.open else []
        return [
            Text(f"{name}: {' '.join(cards)}", style="dim") for name, cards in zip(self.names, held) if cards
        ]

    def place(self) -> str:
        """Where in the game this is, and the move that led here."""
        history = self.states[self.at].history
        move = str(history[-1]) if history else self.words("terminal.replay-start")
        return self.words("terminal.replay-place", number=self.at, last=len(self.states) - 1, move=move)

    def scene(self) -> Scene:
        """What may be seen of the position."""
        state = self.states[self.at]
        lines = self.narrator.lines(self.log(state))
        before = self.narrator.lines(self.log(self.states[self.at - 1])) if self.at else ()
        return Scene(
            game=self.game,
            words=self.words,
            view=self.view(state),
            names=self.names,
            seat=self.seat,
            lines=lines,
            fresh=len(lines) - len(before),
            headline=self.place(),
        )

    def view(self, state: "State") -> dict[str, Any]:
        """A seat's view; else of a finished game everything, of a running one what everybody may see."""
        return state.position() if self.seat is None and self.open else state.view(self.seat)

    def log(self, state: "State") -> tuple["AnyEvent", ...]:
        """The log, with the same openness."""
        from kibitz.core.events import events

        return (
            events(state.journal, self.game.text) if self.seat is None and self.open else state.log(self.seat)
        )


def keys() -> Iterator[str]:
    """Keys as they are pressed: who types fast, pastes, or holds one down sends several at once."""
    while True:
        yield from KEY.findall(click.getchar())


def asked(prompt: str, pressed: Iterator[str]) -> str:
    """What is wanted next: a key on a terminal, where only a move's number needs Enter; else a line."""
    if not sys.stdin.isatty():
        return input(prompt).strip().lower()
    print(prompt, end="", flush=True)
    number = ""
    while True:
        key = next(pressed)
        if key.isdecimal():
            number += key
            print(key, end="", flush=True)
        elif number and key in RUB_OUT:
            number = number[:-1]
            print("\b \b", end="", flush=True)
        elif number and key in ENTER:
            return number
        else:
            return KEYS.get(key, key.lower())
