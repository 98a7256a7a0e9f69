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


def last_round(state: "State") -> RoundScored:
    """How the last round that was scored ended, and what it brought everybody."""
    return [event for event in state.log(None) if isinstance(event, RoundScored)][-1]


def scores(state: "State", words: Words, names: Sequence[str], width: int) -> list[Text]:
    """What the last round brought everybody, and the score; the best first, winners with a star.

    A table, or where that would be too wide a line for each.
    """
    seats = sorted(range(state.players), key=lambda seat: -state.scores[seat])
    labels = [f" {'★' if seat in state.winners else ' '} {names[seat]}" for seat in seats]
    columns = _columns(state, seats, words)
    heads, *lines = _table(labels, columns, words)
    if len(heads) > width:
        lines = [f"{label}: {_listed(columns, row, words)}" for row, label in enumerate(labels)]
    shown = [Text(line, "bold" if seat in state.winners else "") for seat, line in zip(seats, lines)]
    return shown if len(heads) > width else [Text(heads, style="dim"), *shown]


def _columns(state: "State", seats: Sequence[int], words: Words) -> dict[str, list[int]]:
    """The steps that brought anybody something, and last the score; amounts in the order of the seats."""
    steps = {score.seat: score.steps for score in last_round(state).seats}
    found = {
        words(f"step.{step.name}"): [steps[seat][place].amount for seat in seats]
        for place, step in enumerate(steps[0])
    }
    told = {head: amounts for head, amounts in found.items() if any(amounts)}
    return told | {words("terminal.score"): [state.scores[seat] for seat in seats]}


def _table(labels: Sequence[str], columns: dict[str, list[int]], words: Words) -> list[str]:
    first, width = max(map(len, labels)), max(COLUMN_WIDTH, *(len(head) + 2 for head in columns))
    amounts = [[words("points", amount=amount) for amount in column] for column in columns.values()]
    rows = [list(columns), *zip(*amounts, strict=True)]
    return [
        f"{label:<{first}}" + "".join(f"{entry:>{width}}" for entry in row)
        for label, row in zip(["", *labels], rows, strict=True)
    ]


def _listed(columns: dict[str, list[int]], row: int, words: Words) -> str:
    *steps, score = [(head, amounts[row]) for head, amounts in columns.items()]
    told = [*(step for step in steps if step[1]), score]
    return ", ".join(f"{head} {words('points', amount=amount)}" for head, amount in told)
