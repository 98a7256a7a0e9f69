"""A process that analyses games for a server: a task a line on its standard input, answers on its output.

What strangers send is first looked at here: a game that takes too long, or breaks something, costs this
process and nobody a move.
"""

import os
import sys
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import msgspec

from kibitz.bots.advice import Advice, advise, chances, compare
from kibitz.bots.analysis import belief
from kibitz.bots.player import bot
from kibitz.bots.puzzles import puzzle, set_up
from kibitz.bots.review import Decision, Review, review, steals
from kibitz.core import registry
from kibitz.core.errors import KibitzError
from kibitz.core.move import Move
from kibitz.core.record import Record
from kibitz.core.state import Observation, State
from kibitz.server import moments
from kibitz.server.protocol import TableView

FURTHER = 5  # moves that a better line goes on at most
ADVICE_SECONDS = 0.8

Tell = Callable[[int, int], None]
encode = msgspec.json.Encoder().encode


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be done: one of `TASKS`."""

    kind: str
    record: str = ""  # its text
    at: int | str | None = None  # from where it is looked at
    game: str = ""
    puzzle: str = ""
    move: str | None = None


class TaskReport(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An answer: how far it is, what was found, or why nothing was."""

    done: int | None = None
    total: int | None = None
    found: msgspec.Raw = msgspec.Raw()
    code: str | None = None
    reason: str = ""
    data: dict[str, Any] = {}


def main() -> None:
    """Do one task after the other until there is no more input."""
    os.nice(int(sys.argv[1]))
    for game in sys.argv[2:]:
        registry.register_folder(*game.split("=", 1))
    out, sys.stdout = sys.stdout.buffer, sys.stderr  # nothing else is to speak there

    def say(report: TaskReport) -> None:
        out.write(encode(report) + b"\n")
        out.flush()

    try:
        for line in sys.stdin.buffer:
            say(answer(line, lambda done, total: say(TaskReport(done=done, total=total))))
    except BrokenPipeError:
        os._exit(0)  # the server is gone


def answer(line: bytes, tell: Tell) -> TaskReport:
    """What a task comes to."""
    try:
        task = msgspec.json.decode(line, type=Task)
        return TaskReport(found=msgspec.Raw(encode(TASKS[task.kind](task, tell))))
    except KibitzError as error:
        return TaskReport(code=error.code, reason=error.reason, data=_plain(error.data))


def _plain(data: dict[str, Any]) -> dict[str, Any]:
    """What an error tells, cut to size: it may quote what a stranger sent."""
    return {key: value if isinstance(value, int) else str(value)[:200] for key, value in data.items()}


# Games looked at again


class ToldMoment(msgspec.Struct, frozen=True):
    """A moment of a review, and the move that led there in words."""

    number: int
    seat: int | None
    move: str | None
    told: list[Any]
    chances: tuple[float, ...]
    play: tuple[float, ...]
    luck: tuple[float, ...]


class ToldDecision(msgspec.Struct, frozen=True):
    """A decision of a review in words; for the costliest, how the better move could have gone on."""

    number: int
    seat: int
    move: str
    told: list[Any]
    best: str
    best_told: list[Any]
    loss: float
    error: float
    line: list[TableView] = []


class ToldReview(msgspec.Struct, frozen=True):
    """A review as the page shows it."""

    game: str
    players: int
    names: list[str]
    moments: list[ToldMoment]
    decisions: list[ToldDecision]
    costliest: list[list[int]]  # by seat, the numbers of the decisions, the worst first
    reckonings: list[Any]
    steals: list[Any]


def told_review(task: Task, tell: Tell) -> ToldReview:
    """A whole game, with all that is said of it in words."""
    record = Record.parse(task.record)
    found = review(record, threads=os.cpu_count() or 1, report=tell)
    steps = list(moments.played(record.begin(), record.moves))
    costliest = [[one.number for one in found.costliest(seat)] for seat in range(found.players)]
    worst = {number for numbers in costliest for number in numbers}
    seats = moments.sitting(found.players, record.seats)
    return ToldReview(
        found.game,
        found.players,
        [seat.name for seat in seats],
        _told_moments(found, steps),
        [_told(one, steps, seats if one.number in worst else None) for one in found.decisions],
        costliest,
        [asdict(one) for one in found.reckonings],
        [asdict(one) for one in steals(record, found)],
    )


def _told_moments(found: Review, steps: list[moments.PlayedMoment]) -> list[ToldMoment]:
    return [
        ToldMoment(
            one.number,
            one.seat,
            one.move,
            moments.line(step, one.number, moments.ALL_OPEN).sentences[:2],
            one.chances,
            one.play,
            one.luck,
        )
        for one, step in zip(found.moments, steps, strict=True)
    ]


def _told(one: Decision, steps: list[moments.PlayedMoment], seats: list[Any] | None) -> ToldDecision:
    before, after = steps[one.number], steps[one.number + 1]
    seen = before.state.observation(one.seat)
    better = seen.game.sentences(seen.preview(one.best))[:2] if one.best != one.move else []
    line = [] if seats is None else better_line(before.state.copy(), one.best, seats)
    told = moments.line(after, one.number, one.seat).sentences[:2]
    return ToldDecision(one.number, one.seat, one.move, told, one.best, better, one.loss, one.error, line)


def better_line(state: State, best: str, seats: list[Any]) -> list[TableView]:
    """How a better move could have gone on with the cards as they lay, if all had played well."""
    seat, player = state.turn, bot("medium", state.game, seed=1)
    assert seat is not None
    began, moves = state.copy(), [best]
    state.play(best)
    while state.turn is not None and len(moves) <= FURTHER:
        mine = state.turn == seat
        moves.append(str(player.choose(state.observation(state.turn))))
        state.play(moves[-1])
        if mine and state.turn != seat:
            break
    steps = moments.played(began, moves)
    return [moments.shown("line", step, number, seat, seats) for number, step in enumerate(steps)]


# A moment of a game that goes on


def _knowing(task: Task) -> Observation:
    """What the seat knows for which something is asked."""
    assert isinstance(task.at, int)
    return Record.parse(task.record).replay().observation(task.at)


def told_advice(one: Advice) -> dict[str, Any]:
    """A move with its reasons, as the page words them."""
    return {
        "move": str(one.move),
        "sentences": list(one.told),
        "chance": one.chance,
        "error": one.error,
        "reasons": [asdict(reason) for reason in one.reasons],
    }


def advice_for(task: Task, tell: Tell) -> Any:
    """The best moves of the seat that decides, and why."""
    return [told_advice(one) for one in advise(_knowing(task), seconds=ADVICE_SECONDS)]


# Puzzles


def puzzle_of(task: Task, tell: Tell) -> Any:
    """A puzzle's table; with an answer to it, how good that was, why, and what could follow."""
    asked = puzzle(task.game, task.puzzle)
    state = set_up(task.game, asked)
    seat = state.turn
    assert seat is not None
    seats = moments.sitting(state.players, (), seat)
    if task.move is None:
        lines = [moments.shown(asked.id, moments.PlayedMoment(state, None, state.news), 0, seat, seats)]
        return {"id": asked.id, "grade": asked.grade, "moments": lines}
    move = state.check(task.move, seat)
    best = state.game.move(asked.best)
    why = compared(state.observation(seat), best, move, seed=1)
    return {
        "right": move == best,
        "best": {"move": asked.best, "chance": asked.chances[asked.best], **why[0]},
        "made": {"move": str(move), "chance": asked.chances.get(str(move)), **why[1]},
        "line": better_line(state, str(move), seats),
    }


def compared(seen: Observation, best: Move, other: Move, seed: int) -> tuple[dict[str, Any], ...]:
    """Two moves in words, and what speaks for each and not the other."""
    if best == other:
        others = [move for move in seen.legal_moves if move != best]
        other = max(others, key=lambda move: move.id) if others else best
    return tuple(
        {"sentences": list(told), "reasons": [asdict(reason) for reason in reasons]}
        for told, reasons in compare(seen, best, other, seed)
    )


TASKS: dict[str, Callable[[Task, Tell], Any]] = {
    "review": told_review,
    "advise": advice_for,
    "beliefs": lambda task, tell: belief(_knowing(task)),
    "chances": lambda task, tell: chances(_knowing(task)),
    "puzzle": puzzle_of,
}


if __name__ == "__main__":
    main()
