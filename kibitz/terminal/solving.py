"""`kibitz solve`: what best play of both leads to from a position in a file."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec
from rich.console import Console

import kibitz
from kibitz.core.errors import BadPosition
from kibitz.core.words import Words
from kibitz.terminal.reports import late_bar, prepare, words_for
from kibitz.terminal.screen import new_console

if TYPE_CHECKING:
    from kibitz.bots.solving import Solution


def run_solver(name: str, file: Path, seconds: float, language: str) -> "Solution":
    """Solve the position in a file, with a sign of how far it is."""
    game = kibitz.game(name)
    position = read_position(file)
    console = new_console(stderr=True)
    prepare([game.name], language, console)
    title = words_for(language)("terminal.solve.progress", game=game.title)
    with late_bar(console, title) as advance:
        return kibitz.solve(game.from_position(position), seconds, lambda nodes: advance(nodes, None))


def read_position(file: Path) -> dict[str, Any]:
    """The position in a file, or in the standard input if it is called `-`."""
    try:
        with click.open_file(str(file), "rb") as opened:
            position = msgspec.json.decode(opened.read())
    except OSError as error:
        raise BadPosition(str(file), "a file that can be read", error.strerror) from error
    except msgspec.DecodeError as error:
        raise BadPosition(str(file), "a position as JSON", str(error)) from error
    if not isinstance(position, dict):
        raise BadPosition(str(file), "a position: an object with keys", position)
    return position


def solution_facts(found: "Solution") -> dict[str, Any]:
    """For programs."""
    best, line = [str(move) for move in found.best], [str(move) for move in found.line]
    return {**vars(found), "best": best, "line": line}


def print_solution(found: "Solution", words: Words, console: Console) -> None:
    """Who wins by how much, by which moves, and how it goes on."""
    outcome = "ahead" if found.margin > 0 else "behind" if found.margin < 0 else "even"
    console.print(words(f"terminal.solve.{outcome}", seat=found.seat, margin=abs(found.margin)), style="bold")
    console.print(words("terminal.solve.best", moves=", ".join(map(str, found.best))))
    console.print(words("terminal.solve.line", line=", ".join(map(str, found.line))))
    seconds = f"{found.seconds:.1f}"
    console.print(words("terminal.solve.effort", nodes=f"{found.nodes:,}", seconds=seconds), style="dim")
