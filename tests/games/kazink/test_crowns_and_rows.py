"""Crowns and rows."""

from itertools import combinations

import pytest

from tests.games.kazink.naive import Position
from tests.games.kazink.positions import crowned, moves, played, position, start, state_of

pytestmark = pytest.mark.interpreted


def rows_of(spaces: str, colour: str = "Y", players: int = 4) -> int:
    """The rows that crowns on the spaces make, as the engine counts them: the last is made by a crown card.

    Four players, so that two rows don't end the game.
    """
    *before, last = spaces.split()
    seat = "YB".index(colour)
    hands = ["K" if other == seat else "S" for other in range(players)]
    state = start(hands[0], crowned(" ".join(before), colour), others=hands[1:], turn=seat)
    return int(played(state, f"K {last}")["rows"][colour])


def crown(made: Position, move: str, space: str) -> str | None:
    """Whose crown the move leaves on the space."""
    owner: str | None = played(state_of(made), move)["crowns"].get(space)
    return owner


def test_a_crown_is_made_when_the_three_top_chips_have_one_colour() -> None:
    for chips in ("YY", "BYY", "YBYY", "YYBYY"):
        assert crown(position("S", {"a1": chips}), "S a1", "a1") == "Y"
    for chips in ("", "Y", "BY", "YYB", "YBY"):
        assert crown(position("W", {"a1": chips}), "W a1", "a1") is None


def test_three_blue_chips_on_a_yellow_one_are_a_crown_of_blue() -> None:
    """Worked example: chips `YBBB` on a space: crowned for `B`."""
    made = position(board={"a1": "YBB"}, others=["S"], turn=1)
    assert crown(made, "S a1", "a1") == "B"
    given = state_of(position(board={"a1": "YBBB"})).position()
    assert given["crowns"] == {"a1": "B"}
    assert given["scores"] == [0, 100]


def test_a_crown_is_locked_nothing_is_placed_on_it_or_moved_from_it() -> None:
    state = start("S W U K", crowned("a1") | {"b1": "BY"})
    assert not any("a1" in move for move in moves(state))
    state.play("U")
    assert moves(state) == {"stay"}
    state.play("stay")
    assert "place a1" not in moves(state)


@pytest.mark.parametrize(
    "spaces",
    [
        *("a1 b1 c1", "b1 c1 d1", "a6 b6 c6"),
        *("a1 a2 a3", "a4 a5 a6", "d2 d3 d4"),
        *("a1 b2 c3", "b4 c5 d6", "b1 c2 d3"),
        *("c1 b2 a3", "d4 c5 b6", "d1 c2 b3"),
    ],
)
def test_three_crowns_across_down_or_diagonally_are_a_row(spaces: str) -> None:
    assert rows_of(spaces) == 1
    assert rows_of(" ".join(reversed(spaces.split())), "B") == 1


@pytest.mark.parametrize(
    "spaces", ["a1 a2", "a1 a3 a5", "a1 b1 d1", "a1 b1 c2", "c1 d1 a2", "a1 b2 c2", "d1 a2 b3"]
)
def test_crowns_that_are_not_consecutive_in_a_line_are_none(spaces: str) -> None:
    assert rows_of(spaces) == 0


def test_crowns_on_a1_to_a5_are_two_rows() -> None:
    """Worked example."""
    assert rows_of("a1 a2 a3 a4 a5") == 2
    assert rows_of("a1 a2 a4 a5 a3") == 2


def test_crowns_on_a1_to_a4_are_one_row() -> None:
    """Worked example."""
    assert rows_of("a1 a2 a3 a4") == 1
    assert rows_of("a1 b1 c1 d1") == 1
    assert rows_of("a1 b2 c3 d4") == 1


def test_crowns_on_a1_a2_a3_and_a3_b3_c3_are_two_rows() -> None:
    """Worked example."""
    assert rows_of("a1 a2 a3 b3 c3") == 2


def test_six_in_a_column_are_two_rows() -> None:
    assert rows_of("a1 a2 a3 a4 a5 a6") == 2


def test_runs_that_are_joined_are_counted_as_one() -> None:
    """Three and one, with the gap closed: five, hence two rows. One and one: three."""
    assert rows_of("a1 a2 a3 a5 a4") == 2
    assert rows_of("a1 a3 a2") == 1


def test_two_runs_in_one_line_that_do_not_touch_count_each() -> None:
    made = position(board=crowned("a1 a2 a3") | crowned("a4", "B") | crowned("a5 a6"), others=["S", "S"])
    assert made["rows"] == {"Y": 1, "B": 0, "R": 0}
    assert state_of(made).position()["rows"] == made["rows"]


def test_runs_in_all_four_directions_count_separately() -> None:
    """c3 is the middle of four lines; seven crowns make three of them."""
    assert rows_of("b3 d3 c2 c4 b2 d4 c3") == 3
    assert rows_of("b3 d3 c2 c4 c3") == 2
    assert rows_of("b2 d4 d2 b4 c3") == 2


def test_a_row_has_one_colour() -> None:
    board = crowned("a1 a3") | crowned("a2", "B")
    assert state_of(position(board=board)).position()["rows"] == {"Y": 0, "B": 0}


def test_a_crown_card_counts_as_any_crown() -> None:
    state = start("K", {"a1": "Y*", "a3": "BBY*"})
    after = played(state, "K a2")
    assert after["rows"] == {"Y": 1, "B": 0}
    assert after["scores"] == [301, 0]


def test_with_two_players_the_bordered_row_is_part_of_no_line() -> None:
    assert rows_of("a4 a5 a6") == 1
    state = start("K", crowned("a4 a5"))
    assert "K a6" not in moves(state)


def test_on_the_smaller_board_the_fifth_row_is_bordered() -> None:
    small = {"board": "20"}
    assert not any(move.endswith(("5", "6")) for move in moves(start("W", options=small)))
    state = start("W", options=small, others=["S", "S"])
    assert {move[-1] for move in moves(state)} == set("12345")


def test_no_line_wraps_around_the_edge() -> None:
    for spaces in combinations(["c1", "d1", "a2", "b2"], 3):
        assert rows_of(" ".join(spaces)) == 0
