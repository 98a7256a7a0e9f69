"""`kibitz review`: a finished game looked at again, as tables and bars."""

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from kibitz.core.words import Words, catalogue
from kibitz.terminal.narration import Narrator, because, percent
from kibitz.terminal.players import names_of
from kibitz.terminal.reports import plain_table, prepare, progress_bar
from kibitz.terminal.screen import new_console

if TYPE_CHECKING:
    from kibitz.bots.review import Decision, Review, Share
    from kibitz.core.record import Record
    from kibitz.core.state import Observation

BARS = "▁▂▃▄▅▆▇█"
MOST_BARS = 60  # moments in a row of bars
PARTS = ("before", "luck", "own", "others")


def run_review(file: Path, seat: int | None, language: str, **settings: Any) -> tuple["Record", "Review"]:
    """Review a record, with a bar that shows how far it is."""
    import kibitz

    record = kibitz.Record.load(file)
    console = new_console(stderr=True)
    game = kibitz.game(record.game)
    prepare([game.name], language, console)
    title = catalogue(language, "kibitz.terminal")("terminal.review.progress", game=game.title)
    with progress_bar(console, title) as advance:
        seats = None if seat is None else [seat]
        found = kibitz.review(record, seats, threads=os.cpu_count() or 1, report=advance, **settings)
    return record, found


def review_facts(found: "Review") -> dict[str, Any]:
    """For programs."""
    return asdict(found)


def print_review(
    record: "Record", found: "Review", language: str, console: Console, every: bool = False
) -> None:
    """The chances as bars, where each result came from, the costliest decisions or every one, and steals."""
    import kibitz

    game = kibitz.game(record.game)
    words = catalogue(language, game.package, "kibitz.terminal")
    names = names_of(record.seats or ("",) * found.players, words)
    console.print(Text(words("terminal.review.chances"), style="bold"))
    for team in game.teams(found.players):
        together = ", ".join(names[seat] for seat in team)
        row = bars([moment.chances[team[0]] for moment in found.moments])
        console.print(f"  {row} {together}", markup=False)
    console.print()
    print_reckonings(found, names, words, console)
    teller = Teller(record, Narrator(game, words, names), console)
    for seat in sorted({decision.seat for decision in found.decisions}):
        console.print()
        own = tuple(one for one in found.decisions if one.seat == seat)
        teller.decisions(seat, own if every else found.costliest(seat), every)
    teller.steals(found)


def bars(chances: list[float]) -> str:
    """Chances as a row of bars, evenly picked where there are many."""
    step = max(1, -(-len(chances) // MOST_BARS))
    picked = [*chances[:-1:step], chances[-1]]
    return "".join(BARS[min(len(BARS) - 1, int(chance * len(BARS)))] for chance in picked)


def print_reckonings(found: "Review", names: tuple[str, ...], words: Words, console: Console) -> None:
    """Where each seat's result came from."""
    last = "result" if found.over else "broken-off"
    numbers = (f">{words(f'terminal.review.{part}')}" for part in (*PARTS, last))
    table = plain_table(words("terminal.review.player"), *numbers)
    for name, sums in zip(names, found.reckonings, strict=True):
        parts = (share_text(share) for share in (sums.luck, sums.own, sums.others))
        table.add_row(name, percent(sums.before.value), *parts, percent(sums.result))
    console.print(table)
    console.print(Text(words("terminal.review.sum"), style="dim"))


def share_text(share: "Share") -> str:
    """A part of a result with its sign and its error."""
    return f"{100 * share.value:+.0f} ± {100 * share.error:.0f}"


class Teller:
    """Tells decisions and steals of a record in words."""

    def __init__(self, record: "Record", narrator: Narrator, console: Console) -> None:
        self._record = record
        self._states = list(record.steps())
        self._narrator = narrator
        self._words = narrator.words
        self._console = console

    def decisions(self, seat: int, decisions: tuple["Decision", ...], every: bool) -> None:
        """What could have been better; with `every`, each decision, but no reasons."""
        name = self._narrator.names[seat]
        if not decisions:
            self._console.print(self._words("terminal.review.flawless", name=name), markup=False)
            return
        title = "terminal.review.every" if every else "terminal.review.costliest"
        self._console.print(Text(self._words(title, name=name), style="bold"))
        for one in decisions:
            self._decision(one, every)

    def _decision(self, one: "Decision", every: bool) -> None:
        from kibitz.bots.review import why_better

        seen = self._states[one.number].observation(one.seat)
        number, told = one.number + 1, self._told(seen, one.move)
        if not one.loss:
            self._say("terminal.review.best", number=number, told=told)
            return
        loss, error = percent(one.loss), percent(one.error)
        self._say("terminal.review.decision", number=number, told=told, loss=f"−{loss}", error=error)
        self._say("terminal.review.better", 4, told=self._told(seen, one.best))
        if not every:
            for line in because(why_better(seen, one), self._narrator):
                self._print(Text(line, style="dim"), 4)

    def _told(self, seen: "Observation", move: str) -> str:
        from kibitz.bots.advice import worded

        return " ".join(map(self._narrator.line, worded(seen, move)[:2])) or move

    def _say(self, key: str, indent: int = 2, **data: Any) -> None:
        self._print(Text(self._words(key, **data)), indent)

    def _print(self, line: Text, indent: int) -> None:
        self._console.print(Padding(line, (0, 0, 0, indent)))

    def steals(self, found: "Review") -> None:
        """Who took what from whom, and what it was worth."""
        from kibitz.bots.review import steals
        from kibitz.core.sentences import Card, Seat, Sentence

        listed = steals(self._record, found)
        if listed:
            self._console.print()
            self._console.print(Text(self._words("terminal.review.steals"), style="bold"))
        for one in listed:
            cards = tuple(map(Card, one.cards))
            told = Sentence(
                "terminal.review.steal", {"seat": Seat(one.seat), "from": Seat(one.source), "cards": cards}
            )
            self._print(Text(f"{100 * one.worth:+4.0f}  {self._narrator.line(told)}"), 2)
