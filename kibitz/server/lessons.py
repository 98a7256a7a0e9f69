"""A game's lesson for the page: its steps, and the table at every moment as the learner is shown it."""

from functools import cache
from typing import Any

import msgspec

from kibitz.core.errors import KibitzError
from kibitz.core.events import seen
from kibitz.core.lessons import SEAT, LessonMoment, lesson, played
from kibitz.server import protocol
from kibitz.server.refusals import refused
from kibitz.server.rows import BOT, GUEST, bot_name
from kibitz.server.table_view import encode, happening

LEVEL = "easy"


class ShownStep(msgspec.Struct, frozen=True):
    """Something to read, and perhaps to do: the moment it begins with, and the one it ends with."""

    chapter: int
    say: list[Any]
    about: tuple[str, ...]
    move: str | None
    first: int
    last: int


class ShownLesson(msgspec.Struct, frozen=True):
    """All that a lesson shows. A chapter has a table of its own, a moment the line that is new in it."""

    chapters: list[str]
    steps: list[ShownStep]
    moments: list[protocol.TableView]


@cache
def lesson_json(name: str, language: str) -> bytes:
    """A game's lesson in a language."""
    moments: list[protocol.TableView] = []
    steps: list[ShownStep] = []
    for each in played(name):
        if not steps or steps[-1].chapter != each.chapter:
            moments.append(_view(each.chapter, each.moments[0], len(moments)))
        first = len(moments) - 1
        for moment in each.moments[1:]:
            moments.append(_view(each.chapter, moment, len(moments)))
        step = each.step
        steps.append(
            ShownStep(each.chapter, each.said(language), step.about, step.move, first, len(moments) - 1)
        )
    titles = [chapter.title[language] for chapter in lesson(name).chapters]
    return encode(ShownLesson(titles, steps, moments))


def _view(chapter: int, moment: LessonMoment, number: int) -> protocol.TableView:
    state = moment.state
    view: Any = msgspec.Raw(state.view_json(SEAT))
    return protocol.TableView(
        table=f"lesson {chapter}",
        number=number,
        game=state.game.name,
        options=state.position()["options"],
        players=state.players,
        pace="normal",
        commitment="",
        seats=[_seat(seat) for seat in range(state.players)],
        seat=SEAT,
        begun=True,
        practice=True,
        can_undo=False,
        view=view,
        figures=state.figures(SEAT),
        legal=[str(move) for move in state.legal_moves] if state.turn == SEAT else [],
        lines=[] if moment.mover is None else [_line(moment, number)],
    )


def _seat(seat: int) -> protocol.SeatInfo:
    if seat == SEAT:
        return protocol.SeatInfo(kind=GUEST, here=True, you=True)
    return protocol.SeatInfo(kind=BOT, name=bot_name(seat), level=LEVEL, here=True)


def _line(moment: LessonMoment, number: int) -> protocol.LogLine:
    told = happening(moment.state.game, seen(moment.news, SEAT).tobytes())
    return protocol.LogLine(
        number=number,
        time=0.0,
        kind="move",
        seat=moment.mover,
        text=told.move,
        sentences=told.sentences,
        events=told.events,
    )


def refusal_at(name: str, step: int, move: str) -> protocol.Refused | None:
    """Why a move can't be made at the beginning of a step; None if it can."""
    try:
        played(name)[step].moments[0].state.check(move, SEAT)
    except KibitzError as error:
        return refused("", error)
    return None
