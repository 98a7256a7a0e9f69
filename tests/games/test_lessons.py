"""Every lesson, played through by the rules in both languages."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

import kibitz
from kibitz.core.errors import KibitzError
from kibitz.core.lessons import SEAT, PlayedStep, has_lesson, lesson, played, steps_of
from kibitz.core.sentences import Card
from kibitz.core.words import LANGUAGES
from tests import tiny

LEFT_OUT = {  # to do nothing, what needs an option, the other suits, and what is rarely needed
    "kaching": {"pass"},
    "assets": {"draw", "forget"},
    "cash": {"drop"},
    "kazink": {"S", "D", "C", "stay", "swap", "discard"},
}
TAUGHT = [name for name in kibitz.games() if has_lesson(name)]
every_lesson = pytest.mark.parametrize("name", TAUGHT)


def texts(name: str) -> Iterator[dict[str, str]]:
    for chapter in lesson(name).chapters:
        yield chapter.title
        yield from (step.say for step in chapter.steps)


@every_lesson
def test_the_learner_makes_the_moves_that_are_asked_for_and_the_others_theirs(name: str) -> None:
    for step in played(name):
        movers = [moment.mover for moment in step.moments[1:]]
        assert movers[:1] == ([SEAT] if step.step.move else movers[:1])
        assert SEAT not in movers[1:], "what the learner does is asked for"


@every_lesson
def test_a_chapter_ends_with_something_to_read(name: str) -> None:
    for chapter in lesson(name).chapters:
        assert (chapter.steps[-1].move, chapter.steps[-1].then) == (None, ())


@every_lesson
def test_every_kind_of_move_is_made_once(name: str) -> None:
    kinds = {str(move).split()[0] for move in kibitz.game(name).moves} - LEFT_OUT.get(name, set())
    made = {step.move.split()[0] for step in steps_of(name) if step.move}
    assert kinds - made == set()


@every_lesson
def test_a_move_shows_what_to_press(name: str) -> None:
    """But for what the page sends along: the cards of an offer with its first step."""
    for chapter in lesson(name).chapters:
        for before, step in pairwise(chapter.steps):
            assert step.about or not step.move or (before.move and not before.then)


@every_lesson
@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_hold_no_figures_of_their_own(name: str, language: str) -> None:
    """Figures come from the table: `{money:view.money.0}`."""
    for text in texts(name):
        assert not re.search(r"\d", re.sub(r"\{.*?\}", "", text[language])), text[language]


@every_lesson
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_said_can_be_seen(name: str, language: str) -> None:
    """Every card that a text names lies open to the learner, before or after; every number is there."""
    for step in played(name):
        named = {piece.card for piece in step.said(language) if isinstance(piece, Card)}
        assert named <= cards_in(step), step.step.say[language]


def cards_in(step: PlayedStep) -> set[str]:
    """The cards that the learner sees during a step, or could play."""
    found: set[str] = set()
    for moment in step.moments:
        found |= set(words_in(moment.state.view(SEAT)))
        found |= {word for event in moment.state.log(SEAT) for word in re.findall(r"[\w-]+", str(event))}
    return found | {"W"}


def words_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from words_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from words_in(inner)


@every_lesson
def test_both_languages_name_the_same_things_of_the_table(name: str) -> None:
    for text in texts(name):
        english, spanish = (sorted(re.findall(r"\{.*?\}", text[language])) for language in LANGUAGES)
        assert set(english) == set(spanish), text


def test_a_game_without_a_lesson_says_so() -> None:
    with pytest.raises(KibitzError, match="no lesson"):
        lesson(tiny.GAME.name)
