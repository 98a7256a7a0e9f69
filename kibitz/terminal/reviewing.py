"""`kibitz review`: a finished game looked at again, as tables and bars."""

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from kibitz.core.words import Words, catalogue
from kibitz.terminal.narration import percent
from kibitz.terminal.players import names_of
from kibitz.terminal.reports import plain_table, prepare, progress_bar
from kibitz.terminal.screen import new_console

if TYPE_CHECKING:
    from kibitz.bots.review import Decision, Review, Share
    from kibitz.core.record import Record

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


def print_review(record: "Record", found: "Review", language: str, console: Console) -> None:
    """The chances as bars, where each result came from, and the costliest decisions."""
    import kibitz

    words = catalogue(language, kibitz.game(record.game).package, "kibitz.terminal")
    names = names_of(record.seats or ("",) * found.players, words)
    console.print(Text(words("terminal.review.chances"), style="bold"))
    for seat, name in enumerate(names):
        console.print(f"  {bars([moment.chances[seat] for moment in found.moments])} {name}", markup=False)
    console.print()
    print_reckonings(found, names, words, console)
    for seat in sorted({decision.seat for decision in found.decisions}):
        console.print()
        print_decisions(found.costliest(seat), names[seat], words, console)


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


def print_decisions(decisions: tuple["Decision", ...], name: str, words: Words, console: Console) -> None:
    """What could have been better."""
    if not decisions:
        console.print(words("terminal.review.flawless", name=name), markup=False)
        return
    console.print(Text(words("terminal.review.costliest", name=name), style="bold"))
    for one in decisions:
        loss, error = percent(one.loss), percent(one.error)
        told = words(
            "terminal.review.decision",
            number=one.number + 1,
            move=one.move,
            best=one.best,
            loss=f"−{loss}",
            error=error,
        )
        console.print(f"  {told}", markup=False)
        if len(one.line) > 1:
            line = words("terminal.review.line", line=", ".join(one.line[1:]))
            console.print(Text(f"    {line}", style="dim"))
