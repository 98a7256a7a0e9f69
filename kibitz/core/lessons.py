"""A game's lesson, `lesson.json` beside its rules: a table that is set, what to do at it, and what is said.

The rules play it through, so that it can show no illegal move. Texts hold no figures of their own: what
stands in braces is filled in from the table, `{money:view.money.0}`, so that no number can be wrong.
"""

import string
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

import msgspec

from kibitz.core.errors import KibitzError
from kibitz.core.moments import PlayedMoment
from kibitz.core.moments import played as moments_of
from kibitz.core.registry import game
from kibitz.core.sentences import Card, Money, Seat

FILE = "lesson.json"
SEAT = 0  # where the learner sits

Text = dict[str, str]  # by language
Piece = str | int | Seat | Card | Money  # of what is said


class LessonStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something to read, and perhaps to do."""

    say: Text
    about: tuple[str, ...] = ()  # places on the page's table; before a move: what to press, in this order
    move: str | None = None  # what the learner is to do
    then: tuple[str, ...] = ()  # what the others do after it


class Chapter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Steps at one table; the last one is only to read."""

    title: Text
    position: dict[str, Any]
    steps: tuple[LessonStep, ...]


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All chapters."""

    chapters: tuple[Chapter, ...]


class PlayedStep(NamedTuple):
    """A step with its table: as it is before, and after each of its moves."""

    chapter: int
    step: LessonStep
    moments: tuple[PlayedMoment, ...]

    def said(self, language: str) -> list[Piece]:
        """What is said to the learner, in pieces."""
        return list(_pieces(self.step.say[language], self._facts()))

    def _facts(self) -> dict[str, Any]:
        """What texts may speak of: the table before and after, what follows from it, and what happens."""
        before, after = self.moments[0].state, self.moments[-1].state
        known = len(before.log(SEAT))
        return {
            "view": before.view(SEAT),
            "figures": msgspec.to_builtins(before.figures(SEAT)),
            "after": after.view(SEAT),
            "happened": msgspec.to_builtins(after.log(SEAT)[known:]),
        }


def has_lesson(name: str) -> bool:
    """Whether there is a lesson of a game."""
    return (resources.files(game(name).package) / FILE).is_file()


@cache
def lesson(name: str) -> Lesson:
    """The lesson of a game."""
    if not has_lesson(name):
        raise KibitzError("no-lesson", f"There is no lesson of {game(name).title}.", {"name": name})
    file = resources.files(game(name).package) / FILE
    return msgspec.json.decode(file.read_bytes(), type=Lesson)


def steps_of(name: str) -> list[LessonStep]:
    """All steps of a game's lesson."""
    return [step for chapter in lesson(name).chapters for step in chapter.steps]


@cache
def played(name: str) -> tuple[PlayedStep, ...]:
    """A game's lesson, played through by the rules."""
    return tuple(
        step
        for number, chapter in enumerate(lesson(name).chapters)
        for step in _played_chapter(name, number, chapter)
    )


def _played_chapter(name: str, number: int, chapter: Chapter) -> Iterator[PlayedStep]:
    state = game(name).from_position(chapter.position, seed=number)
    last: tuple[PlayedMoment, ...] = ()
    for step in chapter.steps:
        first, *new = moments_of(state, filter(None, (step.move, *step.then)))
        moments = (last[-1] if last else first, *new)
        yield PlayedStep(number, step, moments)
        last = moments


# What is said


def _pieces(text: str, facts: dict[str, Any]) -> Iterator[Piece]:
    for plain, kind, what, _ in string.Formatter().parse(text):
        if plain:
            yield plain
        if kind is not None:
            yield _piece(kind, what or "", facts)


def _piece(kind: str, what: str, facts: dict[str, Any]) -> Piece:
    match kind:
        case "card":
            return Card(what)
        case "seat":
            return Seat(int(what))
        case "money":
            return Money(abs(_fact(facts, what)))
        case "number":
            return abs(_fact(facts, what))
        case _:
            raise ValueError(f"a lesson's text names a {kind!r}")


def _fact(facts: Any, path: str) -> int:
    """What a path leads to; in a list by place, or to the first event of a kind; of a list, its length."""
    found = facts
    for key in path.split("."):
        if isinstance(found, dict):
            found = found[key]
        elif key.isdecimal():
            found = found[int(key)]
        else:
            found = next(event for event in found if event["event"] == key)
    return len(found) if isinstance(found, list | dict) else int(found)
