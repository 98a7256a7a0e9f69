"""The end of the game, and who wins."""

from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz.core.events import GameEnded, RoundScored
from kibitz.core.state import State
from tests.games.kazink.naive import Position
from tests.games.kazink.positions import (
    DEAD_SPADES,
    as_json,
    crowned,
    finished,
    many,
    patchwork,
    position,
    start,
    state_of,
)

pytestmark = pytest.mark.interpreted

FOUR_AND_A_HALF = crowned("a1 a2 a3 a4") | {"a5": "YY"}


def ended(made: Position, *played: str) -> State:
    state = state_of(made)
    for move in played:
        assert not state.over
        state.play(move)
    return state


def code(state: State) -> str:
    ending = state.ending
    assert ending is not None
    assert state.log(None)[-1] == GameEnded(ending.code)
    return ending.code


def test_a_player_with_two_rows_wins_at_once() -> None:
    state = ended(position("D", FOUR_AND_A_HALF), "D a5")
    assert state.over
    assert state.winners == (0,)
    assert state.position()["rows"] == {"Y": 2, "B": 0}
    assert state.scores == (10_502, 0)
    assert code(state) == "rows"


@pytest.mark.parametrize("players", [2, 3])
def test_one_row_is_not_enough_for_two_or_three(players: int) -> None:
    state = ended(position("C", crowned("a1 a2") | {"a3": "YY"}, others=["S"] * (players - 1)), "C a3")
    assert not state.over
    assert state.scores == (301, *[0] * (players - 1))


def test_a_third_player_wins_with_two_rows_as_well() -> None:
    board = crowned("a1 a2 a3 a4", "R") | {"a5": "RR"}
    state = ended(position("S", board, others=["S", "D"], turn=2), "D a5")
    assert state.winners == (2,)
    assert state.scores == (0, 0, 10_502)


def test_a_win_by_rows_beats_any_number_of_crowns() -> None:
    board = FOUR_AND_A_HALF | crowned("b1 c2 d4 b5 b3 c4", "B") | crowned("d1", "B")
    made = position("D", board)
    assert made["rows"]["B"] < 2
    assert made["scores"][1] > made["scores"][0]
    state = ended(made, "D a5")
    assert state.winners == (0,)


def test_the_game_is_won_in_the_middle_of_a_double_up() -> None:
    made = position("S U", FOUR_AND_A_HALF | {"b1": "BY"}, deck="H", swapped=True)
    state = ended(made, "U", "shift b1 a5 1")
    after = state.position()
    assert state.winners == (0,)
    assert after["hands"][0] == ["S"]
    assert after["deck"] == ["H"]
    assert after["discard"][-1] == "U"
    assert after["chips"]["Y"] == made["chips"]["Y"]


def test_a_chip_of_a_double_up_may_win() -> None:
    state = ended(position("U", FOUR_AND_A_HALF), "U", "stay", "place a5")
    assert state.winners == (0,)


def test_a_crown_card_may_win() -> None:
    state = ended(position("K", crowned("a1 a2 a3 a4")), "K a5")
    assert state.winners == (0,)


def test_the_game_ends_when_every_usable_space_is_crowned() -> None:
    state = ended(position("W", patchwork(a1="YY")), "W a1")
    assert state.over
    assert code(state) == "crowned"
    assert len(state.position()["crowns"]) == 20


def test_with_three_players_that_is_24_spaces() -> None:
    state = ended(position("W", patchwork(3, a1="YY", a6=""), others=["K", "S"]), "W a1", "K a6")
    assert state.over
    assert len(state.position()["crowns"]) == 24


def test_most_crowns_win() -> None:
    state = ended(position("S", patchwork(a1=""), others=["K"], turn=1), "K a1")
    assert state.scores == (900, 1101)
    assert state.winners == (1,)


def test_most_crowns_win_also_against_a_row() -> None:
    made = position("S", crowned("a1 a2 c1 c2") | crowned("b3 b4 b5", "B"), moves=1999)
    state = ended(made, "S c5")
    assert state.scores == (400, 301)
    assert state.winners == (0,)


def test_then_most_rows_win() -> None:
    """Ten crowns each, but only yellow has three in a line."""
    state = ended(position("K", patchwork(a1="B*", a2="")), "K a2")
    assert state.scores == (1001, 1000)
    assert state.winners == (0,)


def test_then_the_win_is_shared() -> None:
    state = ended(position("S", patchwork(c3=""), others=["K"], turn=1), "K c3")
    assert state.scores == (1000, 1000)
    assert state.winners == (0, 1)


def test_the_game_ends_when_nobody_has_placed_a_chip_for_a_full_round_of_turns() -> None:
    """Neither has a chip left."""
    board = many("Y", 36, "a1", "b1", "c1", under="B")
    made = position("S H", board, others=["S H"])
    assert made["chips"] == {"Y": 0, "B": 0}
    state = ended(made, "discard S", "discard H")
    assert state.over
    assert code(state) == "idle"
    assert state.winners == (0, 1)
    assert state.position()["idle"] == 2


def test_who_has_most_crowns_wins_then_too() -> None:
    board = many("Y", 35, "a1", "b1", "c1", under="B") | {"d1": "YB*"}
    state = ended(position("S H", board, others=["S H"]), "discard S", "discard H")
    assert state.winners == (1,)
    assert state.scores == (0, 100)


def test_scores_are_100_a_crown_and_1_a_row_while_the_game_goes_on() -> None:
    board = crowned("a1 a2 a3 c5", "B") | {"d1": "Y*"}
    made = position(board=board, others=["S", "S"])
    assert made["scores"] == [100, 401, 0]
    assert state_of(made).scores == (100, 401, 0)


def test_when_over_nobody_is_in_turn_and_all_else_stays_as_it_was() -> None:
    made = position("D H", FOUR_AND_A_HALF, moves=20, deck="C")
    state = ended(made, "D a5")
    expected = made | {
        "turn": None,
        "phase": "over",
        "scores": [10_502, 0],
        "over": True,
        "winners": [0],
        "moves": 21,
        "board": made["board"] | {"a5": "YYY"},
        "crowns": made["crowns"] | {"a5": "Y"},
        "hands": [["H"], made["hands"][1]],
        "discard": [*made["discard"], "D"],
        "chips": {"Y": 36 - 15, "B": 36},
        "rows": {"Y": 2, "B": 0},
        "seat_chips": [36 - 15, 36],
    }
    assert as_json(state.position()) == as_json(expected)
    assert state.legal_moves == ()


def test_the_2000th_move_is_carried_out_with_its_draw_and_then_the_game_is_over() -> None:
    made = position("S", {"b1": "B*"}, deck="H", moves=1999, idle=1)
    state = ended(made, "S a1")
    after = state.position()
    assert state.over
    assert after["hands"][0] == ["H"]
    assert (after["moves"], after["idle"], after["board"]["a1"]) == (2000, 0, "Y")
    assert state.winners == (1,)
    assert code(state) == "moves"


def test_the_1999th_move_does_not_end_the_game() -> None:
    state = ended(position("S", moves=1998), "S a1")
    assert not state.over
    assert state.position()["moves"] == 1999


def test_a_2000th_move_in_a_double_up_ends_the_game_there() -> None:
    state = ended(position("S U", moves=1999, deck="H"), "U")
    after = state.position()
    assert state.over
    assert (after["phase"], after["hands"][0], after["deck"]) == ("over", ["S"], ["H"])


def test_a_2000th_move_that_is_a_swap_draws_and_ends_the_game() -> None:
    after = ended(position("S", DEAD_SPADES, moves=1999, deck="H"), "swap S").position()
    assert (after["over"], after["hands"][0], after["swapped"]) == (True, ["H"], True)


def test_a_2000th_move_that_wins_wins() -> None:
    state = ended(position("D", FOUR_AND_A_HALF, moves=1999), "D a5")
    assert state.scores == (10_502, 0)
    assert code(state) == "rows"


def test_hands_are_laid_open_to_all_when_the_game_is_scored() -> None:
    state = ended(position("D H K", FOUR_AND_A_HALF, others=["S W"]), "D a5")
    for seat in (None, 0, 1):
        event = next(event for event in state.log(seat) if isinstance(event, RoundScored))
        assert [score.cards for score in event.seats] == [("H", "K"), ("S", "W")]
        assert [sum(step.amount for step in score.steps) for score in event.seats] == [10_502, 0]


def test_a_finished_position_can_be_given() -> None:
    state = state_of(finished())
    assert state.over
    assert state.winners == (0,)
    assert state.legal_moves == ()
    ending = state.ending
    assert ending is not None
    assert ending.code == "rows"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"board": patchwork(), "winners": [0, 1]}, "crowned"),
        ({"board": {}, "idle": 2, "winners": [0, 1]}, "idle"),
        ({"board": {}, "moves": 2000, "winners": [0, 1]}, "moves"),
    ],
)
def test_it_says_why_it_ended(changes: dict[str, Any], reason: str) -> None:
    ending = state_of(finished(**changes)).ending
    assert ending is not None
    assert ending.code == reason


def test_the_score_as_it_stands_can_be_asked_for() -> None:
    state = start(board=crowned("a1 a2 a3", "B") | {"d1": "Y*"}, others=["S", "S"])
    points = np.full(4, 99, np.int32)
    before = bytes(state)
    kibitz.game("kazink").rules.score(state.fields(), points)
    assert points.tolist() == [100, 301, 0, 99]
    assert bytes(state) == before
