"""Four players in two teams: seats 0 and 2 against 1 and 3."""

import pytest

from tests.games.kazink.positions import crowned, moves, played, position, start, state_of

pytestmark = pytest.mark.interpreted

OTHERS = ["S H", "S H", "S H"]
# Two rows of yellow: a1 a2 a3, and a3 b3 c3.
TWO_ROWS = crowned("a1 a2 a3 b3 c3")


def test_partners_build_on_each_others_chips() -> None:
    state = start("S", {"a1": "YY", "b2": "B"}, others=["S", "S", "S"], turn=2)
    assert {"S a1"} <= moves(state)
    assert "S b2" not in moves(state)
    after = played(state, "S a1")
    assert after["crowns"] == {"a1": "Y"}
    assert after["scores"] == [100, 0, 100, 0]


def test_a_team_shifts_chips_of_its_colour_whoever_placed_them() -> None:
    state = start("S", {"a1": "YY", "b2": "BY"}, others=["S", "U", "S"], turn=2)
    state.play("U")
    assert moves(state) == {"shift a1 b2 1", "shift a1 b2 2", "shift b2 a1 1", "stay"}


def test_two_rows_are_not_enough_for_a_team() -> None:
    made = position("S", TWO_ROWS, others=OTHERS)
    assert made["scores"] == [502, 0, 502, 0]
    state = state_of(made)
    assert state.scores == (502, 0, 502, 0)
    assert not state.over


@pytest.mark.parametrize("seat", [0, 2])
def test_a_team_with_three_rows_wins_at_once_and_both_partners_win(seat: int) -> None:
    hands = ["S", "S", "S", "S"]
    hands[seat] = "K"
    state = start(hands[0], TWO_ROWS | crowned("c1"), others=hands[1:], turn=seat)
    after = played(state, "K c2")
    assert after["rows"] == {"Y": 3, "B": 0}
    assert after["winners"] == [0, 2]
    assert after["scores"] == [10_703, 0, 10_703, 0]


def test_the_other_team_wins_with_three_rows_too() -> None:
    board = crowned("a1 a2 a3 a4 a5 c1", "B") | crowned("c2", "B")
    state = start("S", board, others=["S", "S", "K"], turn=3)
    after = played(state, "K b1")
    assert after["winners"] == [1, 3]
    assert after["rows"] == {"Y": 0, "B": 3}


def test_without_three_rows_the_team_with_most_crowns_wins() -> None:
    made = position("S", TWO_ROWS | crowned("d1 d2 d4 b6 c5 a5", "B"), others=OTHERS, moves=1999)
    assert made["rows"]["B"] < 2
    after = played(state_of(made), "S a4")
    assert after["winners"] == [1, 3]


def test_a_full_round_of_idle_turns_is_four() -> None:
    made = position("S", {"a1": "YB" * 36}, others=["S", "S", "S"])
    assert made["chips"] == {"Y": 0, "B": 0}
    state = state_of(made)
    for idle in (1, 2, 3):
        after = played(state, "discard S")
        assert (after["idle"], after["over"]) == (idle, False)
    after = played(state, "discard S")
    assert (after["idle"], after["over"], after["winners"]) == (4, True, [0, 1, 2, 3])
