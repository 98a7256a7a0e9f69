"""A process that analyses games for a server: a task a line on its standard input, answers on its output.

What strangers send is first looked at here: a game that takes too long, or breaks something, costs this
process and nobody a move.
"""

import os
import pickle
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import Any

import msgspec

from kibitz.bots.advice import Advice, Reason, advise, chances, played_on, worded
from kibitz.bots.analysis import belief
from kibitz.bots.puzzles import answer, begun, puzzle, set_up
from kibitz.bots.review import Decision, Review, Stopped, review, steals, why_better
from kibitz.core import registry
from kibitz.core.errors import KibitzError
from kibitz.core.moments import PlayedMoment, played
from kibitz.core.record import Record
from kibitz.core.sentences import Sentence
from kibitz.core.state import Observation, State
from kibitz.server.protocol import TableView
from kibitz.server.study import moments

ADVICE_SECONDS = 0.8

Tell = Callable[[int, int], None]
encode = msgspec.json.Encoder().encode


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be done: one of `TASKS`."""

    kind: str
    record: str = ""  # its text
    seconds: float | None = None  # after which a review goes on in another turn
    so_far: bytes = b""  # what was found in those before
    at: int | str | None = None  # from where it is looked at
    game: str = ""
    puzzle: str = ""
    move: str | None = None


class TaskReport(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An answer: how far it is, what was found, or why nothing was."""

    done: int | None = None
    total: int | None = None
    found: msgspec.Raw = msgspec.Raw()
    so_far: bytes = b""  # nothing yet: the task is to be given again, with this
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
            say(do(line, lambda done, total: say(TaskReport(done=done, total=total))))
    except BrokenPipeError:
        os._exit(0)  # the server is gone


def do(line: bytes, tell: Tell) -> TaskReport:
    """What a task comes to."""
    try:
        task = msgspec.json.decode(line, type=Task)
        return TaskReport(found=msgspec.Raw(encode(TASKS[task.kind](task, tell))))
    except Stopped as stopped:
        return TaskReport(so_far=pickle.dumps(stopped.so_far))
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
    told: list[Sentence]
    best: str
    best_told: list[Sentence]
    loss: float
    error: float
    reasons: list[Any] = []  # that speak for the better move
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
    over: bool  # False: the game was broken off


def told_review(task: Task, tell: Tell) -> ToldReview:
    """A whole game, with all that is said of it in words; or as much of it as there is time for."""
    record = Record.parse(task.record)
    began = time.monotonic()

    def report(done: int, total: int) -> None:
        tell(done, total)
        if task.seconds is not None and done < total and time.monotonic() - began > task.seconds:
            raise Stopped

    so_far = pickle.loads(task.so_far) if task.so_far else None  # made here, as all tasks' are
    if so_far is None:
        tell(0, len(record.moves) + 1)  # it has begun, though what it needs may first have to be compiled
    found = review(record, threads=os.cpu_count() or 1, report=report, so_far=so_far)
    steps = list(played(record.begin(), record.moves))
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
        found.over,
    )


def _told_moments(found: Review, steps: list[PlayedMoment]) -> list[ToldMoment]:
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


def _told(one: Decision, steps: list[PlayedMoment], seats: list[Any] | None) -> ToldDecision:
    before = steps[one.number].state
    seen = before.observation(one.seat)
    told = list(worded(seen, one.move)[:2])
    better = list(worded(seen, one.best)[:2]) if one.best != one.move else []
    decided = ToldDecision(one.number, one.seat, one.move, told, one.best, better, one.loss, one.error)
    if seats is None:
        return decided
    return msgspec.structs.replace(
        decided,
        reasons=list(map(told_reason, why_better(seen, one))),
        line=shown_line(before, played_on(before, one.best), seats),
    )


def shown_line(state: State, moves: Iterable[str], seats: list[Any]) -> list[TableView]:
    """Some moves as the seat in turn sees them."""
    steps = played(state.copy(), moves)
    return [moments.shown("line", step, number, state.turn, seats) for number, step in enumerate(steps)]


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
        "reasons": list(map(told_reason, one.reasons)),
    }


def told_reason(reason: Reason) -> dict[str, Any]:
    """What speaks for a move."""
    return {
        "kind": reason.kind,
        "opening": reason.opening,
        "sentence": reason.sentence,
        "share": reason.share,
    }


def advice_for(task: Task, tell: Tell) -> Any:
    """The best moves of the seat that decides, and why."""
    return [told_advice(one) for one in advise(_knowing(task), seconds=ADVICE_SECONDS)]


# Puzzles


def puzzle_of(task: Task, tell: Tell) -> Any:
    """A puzzle's table, and what led to it."""
    asked = puzzle(task.game, task.puzzle)
    *before, now = played(begun(task.game, asked), asked.moves)
    seat = now.state.turn
    shown = moments.shown(asked.id, now, len(before), seat, moments.sitting(asked.players, (), seat))
    told = [moments.line(moment, number, seat) for number, moment in enumerate(before)]
    table = msgspec.structs.replace(shown, lines=[*told, *shown.lines])
    return {"id": asked.id, "grade": asked.grade, "table": table}


def answer_to(task: Task, tell: Tell) -> Any:
    """What comes of a move in a puzzle; without one, of the best."""
    asked = puzzle(task.game, task.puzzle)
    state = set_up(task.game, asked)
    found = answer(task.game, asked, asked.best if task.move is None else task.move)
    seats = moments.sitting(state.players, (), state.turn)
    return {
        "right": found.right,
        "move": found.move,
        "sentences": list(found.told),
        "chance": found.chance,
        "best_chance": found.best_chance,
        "reasons": list(map(told_reason, found.reasons)),
        "line": shown_line(state, found.line, seats),
    }


TASKS: dict[str, Callable[[Task, Tell], Any]] = {
    "review": told_review,
    "advise": advice_for,
    "beliefs": lambda task, tell: belief(_knowing(task)),
    "chances": lambda task, tell: chances(_knowing(task)),
    "puzzle": puzzle_of,
    "answer": answer_to,
}


if __name__ == "__main__":
    main()
