"""The puzzles that games come with: each is a moment that the rules replay, with one move clearly ahead."""

import pytest

import kibitz
from kibitz.bots.puzzles import AHEAD, puzzle, puzzles, read, set_up, written
from kibitz.core.errors import BadRecord, KibitzError


@pytest.mark.parametrize("name", kibitz.games())
def test_every_puzzle_is_a_moment_in_which_its_best_move_is_legal(name: str) -> None:
    for asked in puzzles(name).puzzles:
        legal = [str(move) for move in set_up(name, asked).legal_moves]
        assert asked.best in legal, asked.id
        assert set(asked.chances) <= set(legal), asked.id


@pytest.mark.parametrize("name", kibitz.games())
def test_the_best_move_of_a_puzzle_is_clearly_ahead(name: str) -> None:
    for asked in puzzles(name).puzzles:
        first, *others = asked.chances
        assert first == asked.best, asked.id
        assert asked.chances[first] >= max(asked.chances[move] for move in others) + AHEAD / 2, asked.id
        assert asked.grade in (1, 2, 3)


@pytest.mark.parametrize("name", kibitz.games())
def test_a_file_of_puzzles_reads_as_it_was_written(name: str) -> None:
    found = puzzles(name)
    assert found.puzzles
    assert len({asked.id for asked in found.puzzles}) == len(found.puzzles)
    assert read(written(found)) == found


def test_what_is_no_puzzle_is_said() -> None:
    with pytest.raises(BadRecord):
        read(b'{"games": "many"}')
    with pytest.raises(KibitzError, match="no puzzle 'x' of Ka-Ching!"):
        puzzle("kaching", "x")
