"""What a page is told of the board, the colours and the crowns."""

import pytest

import kibitz
from tests.games.kazink.positions import position

pytestmark = pytest.mark.interpreted

GAME = kibitz.game("kazink")
THREE = "S H D"


def test_the_bordered_spaces_are_in_use_with_three_or_four() -> None:
    two = GAME.from_position(position()).figures(0)["spaces"]
    three = GAME.from_position(position(others=(THREE, THREE))).figures(0)["spaces"]
    assert len(two) == 20
    assert not any(space["bordered"] for space in two)
    assert [space["name"] for space in three if space["bordered"]] == ["a6", "b6", "c6", "d6"]


def test_partners_share_a_colour_and_a_team_needs_three_rows() -> None:
    figures = GAME.from_position(position(others=(THREE,) * 3)).figures(0)
    assert figures["colours"] == ["Y", "B", "Y", "B"]
    assert figures["partners"] == [2, 3, 0, 1]
    assert figures["rows_to_win"] == 3


def test_crowns_in_a_line_are_a_run_and_three_a_row() -> None:
    board = {"a1": "YYY", "b2": "YYY", "c3": "YYY", "a2": "BBB", "a3": "BBB"}
    figures = GAME.from_position(position(board=board)).figures(0)
    runs = {(run["start"], run["end"]): run["is_row"] for run in figures["runs"]}
    assert runs["a1", "c3"] is True
    assert runs["a2", "a3"] is False
    assert figures["crowns"] == {"Y": 3, "B": 2}
