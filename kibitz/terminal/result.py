"""How a game ended: who won, why, and what everybody has."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from kibitz.core.events import RoundScored
from kibitz.core.words import Words

if TYPE_CHECKING:
    from kibitz.core.state import State

COLUMN_WIDTH = 10


def verdict(state: "State", words: Words, names: Sequence[str], myself: int | None = None) -> str:
    """Who has won and why; nothing while the game goes on."""
    if state.ending is None:
        return ""
    return f"{_winners(state.winners, words, names, myself)} {words(f'ending.{state.ending.code}')}"


def _winners(winners: tuple[int, ...], words: Words, names: Sequence[str], myself: int | None) -> str:
    if len(winners) > 1:
        return words("terminal.shared-win", names=", ".join(names[seat] for seat in winners))
    if winners == (myself,):
        return words("terminal.you-win")
    return words("terminal.wins", name=names[winners[0]])


def scores(state: "State", words: Words, names: Sequence[str]) -> list[Text]:
    """A table: what the last round brought everybody, and the score; the best first, winners with a star."""
    last = [event for event in state.log(None) if isinstance(event, RoundScored)][-1]
    steps = {score.seat: score.steps for score in last.seats}
    heads = [*(words(f"step.{step.name}") for step in last.seats[0].steps), words("terminal.score")]
    width = max(map(len, names)) + 3
    lines = [Text(" " * width + _columns(heads), style="dim")]
    for seat in sorted(steps, key=lambda seat: -state.scores[seat]):
        won = seat in state.winners
        amounts = [*(step.amount for step in steps[seat]), state.scores[seat]]
        label = f" {'★' if won else ' '} {names[seat]}"
        lines.append(Text(f"{label:<{width}}{_columns(amounts)}", style="bold" if won else ""))
    return lines


def _columns(entries: Sequence[object]) -> str:
    return "".join(f"{entry!s:>{COLUMN_WIDTH}}" for entry in entries)
