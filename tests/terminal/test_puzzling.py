"""Puzzles in the terminal, typed in; and looking for more."""

from pathlib import Path

import pytest

from kibitz.bots.puzzles import Puzzles, puzzle, puzzles, written
from kibitz.core.words import LANGUAGES
from tests.terminal.conftest import Run

ONE = "puzzles match --puzzle 8-28"


def test_a_wrong_move_is_refuted_without_naming_the_best_and_one_tries_again(run: Run) -> None:
    output = run(ONE, "dance", "match Y0", "q").output
    assert "Not the best. You play Y0. Chance to win: 8 %; with the best move 47 %." in output
    assert "You lose the game." in output
    assert "match Y0, match R0" in output
    assert "You collect P3" not in output
    assert "0 of 0 puzzles" in output


def test_the_right_move_is_explained_and_counted(run: Run) -> None:
    for last in ("", "q"):
        output = run(ONE, puzzle("match", "8-28").best, last).output
        assert "Right! You collect P3 and draw a card." in output
        assert "1 of 1 puzzle solved at the first try." in output


def test_what_was_shown_or_found_later_is_not_counted(run: Run) -> None:
    for typed in (["s"], ["match Y0", "collect P3"]):
        assert "0 of 1 puzzle" in run(ONE, *typed, "").output


@pytest.mark.parametrize("language", LANGUAGES)
def test_puzzles_of_a_grade_follow_each_other(run: Run, language: str) -> None:
    count = sum(one.grade == 2 for one in puzzles("match").puzzles)
    output = run(f"puzzles solve match --grade 2 --lang {language}", *["n"] * count).output
    assert f"0 {'of' if language == 'en' else 'de'} {count}" in output.replace("\n", " ")


def test_what_is_not_there_is_said(run: Run) -> None:
    assert "There is no game 'chess'" in run("puzzles chess").output
    assert "There is no puzzle 'x' of MATCH!" in run("puzzles match --puzzle x").output
    assert "[1, 2]" in run("puzzles kaching --grade 3").output


def test_making_goes_on_with_what_there_is(run: Run, tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    have = puzzles("kaching").puzzles[:2]
    kept.write_bytes(written(Puzzles(9, have)))
    for asked in ("--wanted 2", "--wanted 2 --again"):
        assert "2 puzzles are in" in run(f"puzzles make kaching {asked} --file {kept}").output
    kept.write_text("nonsense")
    assert "JSON of puzzles" in run(f"puzzles make kaching --file {kept}").output
    assert "can't be read or written" in run(f"puzzles make kaching --file {tmp_path}/none/x.json").output
