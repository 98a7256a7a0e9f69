"""Lessons in the terminal, typed in."""

import pytest

from kibitz.core.lessons import steps_of
from kibitz.core.words import LANGUAGES
from tests.games.test_lessons import every_lesson
from tests.terminal.conftest import Run


@every_lesson
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_lesson_is_followed_by_typing_what_it_asks_for(run: Run, name: str, language: str) -> None:
    result = run(f"learn {name} --lang {language}", *(step.move or "" for step in steps_of(name)))
    assert result.exit_code == 0, result.output
    assert f"kibitz play --resume {name}" in result.output.replace("\n", "") or "--resume" in result.output


def test_a_wrong_move_is_answered_and_the_lesson_stays(run: Run) -> None:
    output = run("learn kaching --step 3", "buy 3", "sell R5 R6", "buy 2", "q").output
    assert "That would be a fine move, but first: buy 2" in output
    assert "You don't own R5." in output
    assert output.endswith("Go on any time:\n  kibitz learn kaching --step 4\n")


def test_one_can_go_back_and_be_shown(run: Run) -> None:
    output = run("learn kaching --step 3", "s", "b", "b", "q").output
    assert output.endswith("--step 2\n")


def test_a_step_that_is_not_there_is_refused(run: Run) -> None:
    assert "1 to 13" in run("learn kaching --step 99").output
