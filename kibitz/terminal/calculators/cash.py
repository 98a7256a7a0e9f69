"""`kibitz score cash`: the score of a game with real cards, asked line by line, every step shown."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from kibitz.core.words import Words
from kibitz.games.cash import box
from kibitz.games.cash.scoring import Step
from kibitz.games.cash.sheets import CASH_KEYS, BadSheet, score_rounds
from kibitz.terminal.reports import plain_table

QUESTIONS = (
    "tabled",
    "insured",
    "venture",
    "taxman",
    "hand",
    "crash",
    "recession",
    "bankruptcy",
    "venture_held",
)
FIGURES = {name.partition("-")[2]: name for name in box.CASH_NAMES}
UNDO = ("undo", "u", "deshacer")
YES = ("y", "yes", "s", "si", "sí")
NO = ("", "n", "no")
MOST_PLAYERS = 8
SWITCHES: tuple[str, ...] = ("recession", "tax")  # options that the score depends on


def count(names: str | None, options: dict[str, Any], words: Words, console: Console) -> None:
    """Ask who plays, unless that is known, then count round after round."""
    console.print(words("calculator.intro"))
    players = names_of(names) if names else []
    while not players:
        if names is not None:
            console.print(Text(words("calculator.two-players"), style="bold red"))
        names = input(f"{words('calculator.players')}: ")
        players = names_of(names)
    Calculator(players, options, words, console, input).run()


class BadEntry(Exception):
    """An entry that isn't an answer to the question: a catalogue's key, and the entry."""

    def __init__(self, key: str, entry: str) -> None:
        super().__init__(key)
        self.key = key
        self.entry = entry


class Undo(Exception):
    """Instead of an answer: take back the one before."""


class Calculator:
    """Asks for each round what everybody has, and keeps the running totals; any entry can be undone."""

    def __init__(
        self,
        names: Sequence[str],
        options: dict[str, Any],
        words: Words,
        console: Console,
        ask: Callable[[str], str],
    ) -> None:
        self.names = tuple(names)
        self.options: dict[str, Any] = {key: options[key] for key in SWITCHES if key in options}
        self.words = words
        self.console = console
        self.ask = ask
        self.rounds: list[list[str]] = []  # the entries of each finished round
        self.entries: list[str] = []  # of the round that is asked for

    @property
    def questions(self) -> list[tuple[int, str]]:
        """All questions of a round, in order: a seat and what is asked."""
        return [(seat, key) for seat in range(len(self.names)) for key in QUESTIONS]

    def run(self) -> None:
        """Ask for round after round until that was all."""
        while True:
            self.console.print(self.words("calculator.round", round=len(self.rounds) + 1), style="bold")
            self.ask_round()
            if not self.another_round():
                return

    def ask_round(self) -> None:
        """Ask until the round's sheet is complete and can be; then show what it brings."""
        while len(self.entries) < len(self.questions):
            seat, key = self.questions[len(self.entries)]
            try:
                self.enter(self.ask(f"{self.words(f'calculator.ask.{key}', name=self.names[seat])}: "))
            except Undo:
                self.undo()
            except BadEntry as bad:
                self.say(bad.key, entry=bad.entry)
            except BadSheet as bad:
                self.say(f"refusal.{bad.code}", **bad.data)
        self.rounds.append(self.entries)
        self.entries = []
        answers = score_rounds([self.sheet(entries) for entries in self.rounds])
        for warning in answers[-1]["warnings"]:
            self.console.print(Text(self.words(f"warning.{warning['code']}", **warning["data"]), "yellow"))
        self.console.print(steps_table(self.names, answers[-1], self.words))

    def enter(self, entry: str) -> None:
        """Take an answer, if it can be."""
        if entry.strip().lower() in UNDO:
            raise Undo
        entries = [*self.entries, entry.strip()]
        score_rounds([self.sheet(entries)])
        self.entries = entries

    def undo(self) -> None:
        """Take back the last answer; at the beginning of a round, the last answer of the round before."""
        if not self.entries and self.rounds:
            self.entries = self.rounds.pop()
        if not self.entries:
            self.say("calculator.nothing-to-undo")
        self.entries = self.entries[:-1]

    def another_round(self) -> bool:
        """Whether there is more to count; taking back goes on with the round before."""
        while True:
            answer = self.ask(f"{self.words('calculator.more')}: ").strip().lower()
            if answer in UNDO:
                self.undo()
                return True
            if answer in (*YES, *NO):
                return answer in YES

    def sheet(self, entries: Sequence[str]) -> dict[str, Any]:
        """A round's entries, all or the first of them, as a score sheet."""
        players: list[dict[str, Any]] = [{} for _ in self.names]
        for (seat, key), entry in zip(self.questions, entries):
            players[seat][key] = cash_of(entry) if key in CASH_KEYS else number_of(entry)
        return {"players": players, **self.options}

    def say(self, key: str, **data: Any) -> None:
        """Tell what is wrong with an entry."""
        self.console.print(Text(self.words(key, **data), style="bold red"))


def cash_of(entry: str) -> dict[str, int]:
    """Cash cards by their thousands: `25 25 50`; nothing means none."""
    cards: dict[str, int] = {}
    for part in re.split(r"[\s,;+]+", entry.strip()):
        if part in FIGURES:
            cards[FIGURES[part]] = cards.get(FIGURES[part], 0) + 1
        elif part and part != "0":
            raise BadEntry("calculator.not-cash", part)
    return cards


def number_of(entry: str) -> int:
    """A number; nothing means 0."""
    if not entry:
        return 0
    if not re.fullmatch(r"[0-9]{1,9}", entry):
        raise BadEntry("calculator.not-a-number", entry)
    return int(entry)


def names_of(text: str) -> list[str]:
    """Two to eight different names, separated by commas; else none."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    return names if 2 <= len(names) <= MOST_PLAYERS and len(set(names)) == len(names) else []


def steps_table(names: Sequence[str], answer: dict[str, Any], words: Words) -> Table:
    """Every step of everybody's score, the round's total, and the running one."""
    table = plain_table("", *(f">{name}" for name in names))
    for step in Step:
        key = step.name.lower()
        amounts = (player["steps"][key] for player in answer["players"])
        table.add_row(words(f"step.{key}"), *map(words.money, amounts))
    table.add_row(words("calculator.total"), *(words.money(player["total"]) for player in answer["players"]))
    table.add_row(words("calculator.running"), *map(words.money, answer["totals"]), style="bold")
    return table
