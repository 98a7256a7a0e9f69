"""The puzzles that games come with: each is a moment that the rules replay, with one move clearly ahead."""

from collections import Counter
from datetime import date, timedelta
from itertools import islice
from math import gcd
from typing import Any

import msgspec
import pytest

import kibitz
from kibitz.bots import puzzles
from kibitz.bots import puzzles as making
from kibitz.core.errors import BadRecord, KibitzError


@pytest.mark.parametrize("name", kibitz.games())
def test_every_puzzle_is_a_moment_in_which_its_best_move_is_legal(name: str) -> None:
    for asked in puzzles.puzzles(name).puzzles:
        legal = [str(move) for move in puzzles.set_up(name, asked).legal_moves]
        assert asked.best in legal, asked.id
        assert set(asked.chances) <= set(legal), asked.id


@pytest.mark.parametrize("name", kibitz.games())
def test_the_best_move_of_a_puzzle_is_clearly_ahead(name: str) -> None:
    for asked in puzzles.puzzles(name).puzzles:
        first, *others = asked.chances
        assert first == asked.best, asked.id
        assert asked.chances[first] >= max(asked.chances[move] for move in others) + puzzles.AHEAD / 2, (
            asked.id
        )
        assert asked.grade in (1, 2, 3)


@pytest.mark.parametrize("name", kibitz.games())
def test_there_are_many_and_no_answer_can_be_guessed(name: str) -> None:
    found = puzzles.puzzles(name).puzzles
    assert len(found) >= 50
    [(move, times)] = Counter(asked.best for asked in found).most_common(1)
    assert times <= len(found) / puzzles.MOST_ALIKE, move


@pytest.mark.parametrize("name", kibitz.games())
def test_a_file_of_puzzles_reads_as_it_was_written(name: str) -> None:
    found = puzzles.puzzles(name)
    assert found.puzzles
    assert len({asked.id for asked in found.puzzles}) == len(found.puzzles)
    assert puzzles.read(puzzles.written(found)) == found


def test_the_puzzles_of_two_weeks_are_of_all_games_and_none_comes_twice() -> None:
    days = [puzzles.of_the_day(date(2026, 1, 1) + timedelta(days=number)) for number in range(14)]
    assert {name for name, _ in days} == {name for name in kibitz.games() if puzzles.puzzles(name).puzzles}
    assert len({(name, asked.id) for name, asked in days}) == len(days)


def test_every_puzzle_of_a_game_has_its_day() -> None:
    for name in kibitz.games():
        if count := len(puzzles.puzzles(name).puzzles):
            assert gcd(puzzles.STRIDE, count) == 1


def test_an_answer_is_right_only_if_it_is_the_best_and_tells_then_why() -> None:
    asked = puzzles.puzzle("kaching", "9-38")
    right, wrong = (puzzles.answer("kaching", asked, move) for move in (asked.best, "buy 3"))
    assert right.right
    assert not wrong.right
    assert right.line[0] == asked.best
    assert wrong.line[0] == "buy 3"
    assert len(wrong.line) > 1
    assert "log.sell" in [reason.sentence.key for reason in right.reasons]
    assert wrong.chance is not None
    assert wrong.chance < wrong.best_chance == right.chance
    with pytest.raises(kibitz.IllegalMove):
        puzzles.answer("kaching", asked, "pass")


def test_what_was_found_so_far_is_told_after_each_game_and_gone_on_from(monkeypatch: Any) -> None:
    """With shorter looks than those that are shipped were found by."""
    monkeypatch.setattr(making, "CLOSELY", 2000)
    first, straight = islice(puzzles.make("kaching", puzzles.Puzzles(1, ()), 99), 2)
    assert next(puzzles.make("kaching", first, 99)) == straight
    assert [first.games, straight.games] == [2, 3]
    assert straight.puzzles
    for found in straight.puzzles:
        seen = puzzles.set_up("kaching", found).observation(puzzles.set_up("kaching", found).turn)
        assert all(str(kibitz.bot("easy", "kaching", seed).choose(seen)) != found.best for seed in (1, 2, 3))


def test_what_is_no_puzzle_any_more_is_dropped(monkeypatch: Any) -> None:
    """One whose moment has no move that is clearly best, beside one that has."""
    monkeypatch.setattr(making, "CLOSELY", 2000)
    good = puzzles.puzzle("kaching", "9-38")
    at_the_beginning = msgspec.structs.replace(good, id="9-0", moves=())
    *_, left = puzzles.looked_at_again("kaching", puzzles.Puzzles(10, (at_the_beginning, good)))
    assert left.games == 10
    assert [(each.id, each.best) for each in left.puzzles] == [(good.id, good.best)]


def test_no_grade_takes_more_than_its_part_of_new_puzzles(monkeypatch: Any) -> None:
    monkeypatch.setattr(making, "CLOSELY", 2000)
    monkeypatch.setattr(making, "MOST_OF_A_GRADE", 0.5)
    for have in puzzles.make("kaching", puzzles.Puzzles(1, ()), 4):
        grades = Counter(each.grade for each in have.puzzles)
        assert max(grades.values(), default=0) <= 2
        assert have.games < 40
    assert len(have.puzzles) == 4


def test_what_is_no_puzzle_is_said() -> None:
    with pytest.raises(BadRecord):
        puzzles.read(b'{"games": "many"}')
    with pytest.raises(KibitzError, match="no puzzle 'x' of Ka-Ching!"):
        puzzles.puzzle("kaching", "x")
