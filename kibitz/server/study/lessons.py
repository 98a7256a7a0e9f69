"""A game's lesson for the page: its steps, and the table at every moment as the learner is shown it."""

from functools import cache
from typing import Any

import msgspec

from kibitz.core.errors import KibitzError
from kibitz.core.lessons import SEAT, lesson, played
from kibitz.core.moments import PlayedMoment
from kibitz.server import protocol
from kibitz.server.study.moments import shown
from kibitz.server.tables.refusals import refused
from kibitz.server.tables.rows import BOT, GUEST, bot_name
from kibitz.server.tables.table_view import encode

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


def _view(chapter: int, moment: PlayedMoment, number: int) -> protocol.TableView:
    seats = [_seat(seat) for seat in range(moment.state.players)]
    return shown(f"lesson {chapter}", moment, number, SEAT, seats)


def _seat(seat: int) -> protocol.SeatInfo:
    if seat == SEAT:
        return protocol.SeatInfo(kind=GUEST, here=True, you=True)
    return protocol.SeatInfo(kind=BOT, name=bot_name(seat), level=LEVEL, here=True)


def refusal_at(name: str, step: int, move: str) -> protocol.Refused | None:
    """Why a move can't be made at the beginning of a step; None if it can."""
    try:
        played(name)[step].moments[0].state.check(move, SEAT)
    except KibitzError as error:
        return refused("", error)
    return None
