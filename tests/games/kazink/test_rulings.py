"""The rulings Z1 to Z18, each by name."""

from collections import Counter

import pytest

from kibitz.core.events import Drew, Reshuffled
from tests.games.kazink.positions import (
    DEAD_HEARTS,
    DEAD_SPADES,
    NO_CHIPS,
    crowned,
    full,
    many,
    moves,
    patchwork,
    played,
    position,
    rest_of,
    start,
    state_of,
)

pytestmark = pytest.mark.interpreted


# Z1


def test_crowned_spaces_count_as_covered() -> None:
    """[Z1]"""
    board = crowned("a1 d3") | crowned("a4", "B") | {"b2": "B", "c5": "YB"}
    assert moves(start("S", board)) == {"S b2", "S c5"}


def test_a_suit_card_is_dead_only_if_its_whole_suit_is_crowned() -> None:
    """[Z1]"""
    board = crowned("a1 d3") | crowned("a4 c5", "B") | {"b2": "BB"}
    assert moves(start("S", board)) == {"S b2"}
    assert moves(start("S", DEAD_SPADES)) == {"swap S", "discard S"}


# Z2


def test_a_card_that_can_be_played_must_be() -> None:
    """[Z2]"""
    assert moves(start("S D", DEAD_SPADES)) == {
        "swap S",
        *(f"D {space}" for space in ("c1", "d2", "b3", "c4", "a5")),
    }


def test_only_if_none_can_one_is_discarded_nothing_placed_and_one_drawn() -> None:
    """[Z2]"""
    state = start("S S", DEAD_SPADES, deck="C H")
    after = played(state, "discard S")
    assert after["hands"][0] == ["S", "H"]
    assert after["chips"] == position("S", DEAD_SPADES)["chips"]
    assert (after["idle"], after["turn"]) == (1, 1)


# Z3


def test_stacks_have_no_height_limit() -> None:
    """[Z3]"""
    state = start("S", {"a1": "YB" * 35 + "B"})
    assert state.position()["chips"] == {"Y": 1, "B": 0}
    tall = played(start("W", {"a1": "YB" * 35 + "B"}), "W a1")["board"]["a1"]
    assert tall == "YB" * 35 + "BY"
    assert len(tall) == 72


def test_with_three_players_108_chips_may_lie_on_one_space() -> None:
    """[Z3]"""
    state = start("W", {"a1": "YBR" * 35 + "BR"}, others=["S", "S"])
    after = played(state, "W a1")
    assert len(after["board"]["a1"]) == 108
    assert after["chips"] == {"Y": 0, "B": 0, "R": 0}


def test_the_chips_below_the_top_three_do_not_matter_for_a_crown() -> None:
    """[Z3]"""
    for chips in ("BBYY", "YYBYY", "YBRBYY"):
        players = 3 if "R" in chips else 2
        after = played(start("S", {"a1": chips}, others=["S"] * (players - 1)), "S a1")
        assert after["crowns"] == {"a1": "Y"}


def test_three_of_a_colour_beneath_another_chip_are_no_crown_until_they_are_on_top() -> None:
    """Play doesn't lead there, but a position may be given. [Z3]"""
    made = position("U", {"a1": "BBBY", "b1": "Y"})
    assert made["crowns"] == {}
    state = state_of(made)
    assert state.position()["crowns"] == {}
    after = played(state, "U", "shift a1 b1 1")
    assert after["crowns"] == {"a1": "B"}
    assert after["scores"] == [0, 100]


# Z4


def test_a_shift_goes_only_onto_an_own_topped_space() -> None:
    """Never onto an empty one or an opponent's. [Z4]"""
    state = start("U", {"a1": "YY", "b1": "B", "c1": "YB", "d1": "BY"})
    state.play("U")
    assert moves(state) == {"shift a1 d1 1", "shift a1 d1 2", "shift d1 a1 1", "stay"}


def test_two_and_two_is_one_crown() -> None:
    """[Z4]"""
    after = played(start("U", {"a1": "YY", "b1": "YY"}), "U", "shift a1 b1 2")
    assert after["board"] == {"b1": "YYYY"}
    assert after["crowns"] == {"b1": "Y"}
    assert after["scores"] == [100, 0]


# Z5


def test_crowns_are_made_and_rows_counted_automatically_at_once() -> None:
    """[Z5]"""
    state = start("U H", crowned("a1 a2") | {"a3": "YY", "b3": "BY"})
    after = played(state, "U", "shift b3 a3 1")
    assert after["phase"] == "place"
    assert after["crowns"] == {"a1": "Y", "a2": "Y", "a3": "Y"}
    assert after["rows"] == {"Y": 1, "B": 0}
    assert after["scores"] == [301, 0]


# Z6


def test_the_third_row_of_a_team_may_share_one_space_with_each_of_the_others() -> None:
    """a1 a2 a3, then a3 b3 c3, then c3 b2 a1: a triangle of rows, each corner in two of them. [Z6]"""
    state = start("K", crowned("a1 a2 a3 b3 c3"), others=["S", "S", "S"])
    after = played(state, "K b2")
    assert after["rows"] == {"Y": 3, "B": 0}
    assert after["winners"] == [0, 2]


# Z7


def test_out_of_chips_every_card_but_the_double_up_is_discarded() -> None:
    """[Z7]"""
    state = start("S H W U K", NO_CHIPS)
    assert state.position()["chips"]["Y"] == 0
    assert moves(state) == {"discard S", "discard H", "discard W", "discard K", "U"}


def test_out_of_chips_a_double_up_leads_to_a_shift_and_no_place() -> None:
    """[Z7]"""
    state = start("U", NO_CHIPS, deck="H")
    state.play("U")
    assert "stay" in moves(state)
    assert "shift d1 a1 1" in moves(state)
    after = played(state, "shift d1 a1 1")
    assert (after["turn"], after["phase"], after["idle"]) == (1, "turn", 1)
    assert after["hands"][0] == ["H"]


def test_out_of_chips_a_double_up_leads_to_stay_and_no_place() -> None:
    """[Z7]"""
    after = played(start("U", NO_CHIPS, deck="H"), "U", "stay")
    assert (after["turn"], after["phase"], after["idle"]) == (1, "turn", 1)
    assert after["hands"][0] == ["H"]


def test_a_shift_may_win_without_chips_too() -> None:
    """[Z7]"""
    board = crowned("a1 a2 a3 a4") | {"a5": "YY"} | many("Y", 21, "b1", "c1", under="B") | {"d1": "Y"}
    made = position("U", board)
    assert made["chips"]["Y"] == 0
    after = played(state_of(made), "U", "shift d1 a5 1")
    assert after["winners"] == [0]


def test_the_last_chip_is_placed_as_any_other() -> None:
    """[Z7]"""
    board = NO_CHIPS | {"d1": ""}
    state = start("W U", board, deck="H S")
    assert state.position()["chips"]["Y"] == 1
    after = played(state, "U", "stay", "place d4")
    assert (after["chips"]["Y"], after["idle"], after["turn"]) == (0, 0, 1)


# Z8


def test_all_discards_are_shuffled_into_a_new_deck_also_the_card_just_laid_down() -> None:
    """[Z8]"""
    state = start("S H", others=["D"], deck="")
    before = state.position()["discard"]
    after = played(state, "S a1")
    drawn = Counter(after["hands"][0]) - Counter(["H"])
    assert after["discard"] == []
    assert Counter(after["deck"]) + drawn == Counter([*before, "S"])
    told = [event for event in state.log(0) if isinstance(event, Reshuffled | Drew)]
    assert told == [Reshuffled(len(before) + 1), Drew(0, *drawn)]


def test_the_new_deck_is_shuffled() -> None:
    """[Z8]"""
    decks = set()
    for seed in range(5):
        state = start("S H", others=["D"], deck="").copy()
        state = state.game.from_position(state.position(), seed=seed)
        decks.add("".join(played(state, "S a1")["deck"]))
    assert len(decks) == 5


def test_a_single_discard_comes_straight_back() -> None:
    """Everything else is in the hands. [Z8]"""
    mine, theirs = ["S"], rest_of(["S"])
    made = position(" ".join(mine), others=[" ".join(theirs)])
    assert made["deck"] == made["discard"] == []
    after = played(state_of(made), "S a1")
    assert (after["hands"][0], after["deck"], after["discard"]) == (["S"], [], [])


def test_a_swap_draws_from_the_new_deck_too() -> None:
    """[Z8]"""
    state = start("S H", DEAD_SPADES, deck="")
    cards = len(state.position()["discard"]) + 1
    after = played(state, "swap S")
    assert (len(after["deck"]), after["discard"]) == (cards - 1, [])
    assert len(after["hands"][0]) == 2


def test_a_double_up_is_among_the_discards_that_are_shuffled() -> None:
    """[Z8]"""
    made = position("U", others=[" ".join(rest_of(["U"]))])
    after = played(state_of(made), "U", "stay", "place a1")
    assert after["hands"][0] == ["U"]


def test_the_deck_is_not_made_anew_before_a_card_must_be_drawn() -> None:
    """[Z8]"""
    after = played(start("S U", deck=""), "U")
    assert after["deck"] == []
    assert after["discard"][-1] == "U"


def test_a_player_with_an_empty_hand_is_skipped() -> None:
    """[Z8]"""
    state = start("S H", others=["", "S H"])
    after = played(state, "S a1")
    assert after["turn"] == 2
    assert after["hands"][1] == []
    state = start("S H", others=["", ""])
    assert played(state, "S a1")["turn"] == 0


# Z9


def test_partners_do_not_see_each_others_hands() -> None:
    """[Z9]"""
    state = start("S H", others=["D", "C", "W"])
    assert state.view(0)["hands"] == [["S", "H"], ["?"], ["?"], ["?"]]
    assert state.view(2)["hands"] == [["?", "?"], ["?"], ["C"], ["?"]]


# Z10


@pytest.mark.parametrize(("board", "spaces"), [("24", 20), ("20", 16)])
def test_with_two_players_the_bordered_spaces_do_not_exist(board: str, spaces: int) -> None:
    """[Z10]"""
    state = start("W U K", options={"board": board})
    assert len([move for move in moves(state) if move.startswith("W")]) == spaces
    played(state, "U", "stay")
    assert len(moves(state)) == spaces


def test_a_suit_is_covered_or_dead_without_its_bordered_space() -> None:
    """[Z10]"""
    covered = dict.fromkeys(["a1", "b2", "d3", "a4", "c5"], "B")
    assert "S a1" in moves(start("S", covered))
    assert "S a1" not in moves(start("S", covered, others=["S", "S"]))
    assert "swap S" in moves(start("S", DEAD_SPADES))
    assert "swap S" not in moves(start("S", DEAD_SPADES, others=["S", "S"]))


# Z11


@pytest.mark.parametrize("board", [{}, {"a1": "Y"}, {"a1": "YY", "b1": "B"}, patchwork(c3="")])
def test_a_double_up_always_leads_to_the_phase_shift(board: dict[str, str]) -> None:
    """Also if `stay` is the only move there. [Z11]"""
    state = start("U", board)
    state.play("U")
    assert state.phase == "shift"
    assert moves(state) == {"stay"}


def test_a_double_up_leads_there_without_chips_too() -> None:
    """[Z11]"""
    made = position("U", {"a1": "YB" * 36})
    state = state_of(made)
    state.play("U")
    assert state.phase == "shift"
    assert moves(state) == {"stay"}


# Z12


def test_a_win_ends_the_game_at_once_and_swapped_and_idle_stay_as_they_are() -> None:
    """[Z12]"""
    board = crowned("a1 a2 a3 a4") | {"a5": "YY"}
    after = played(start("D H", board, deck="C", swapped=True, idle=1), "D a5")
    assert after["over"] is True
    assert (after["swapped"], after["idle"]) == (True, 1)
    assert (after["hands"][0], after["deck"]) == (["H"], ["C"])


def test_a_win_in_a_double_up_too() -> None:
    """[Z12]"""
    board = crowned("a1 a2 a3 a4") | {"a5": "YY", "b1": "BY"}
    for last in (["shift b1 a5 1"], ["stay", "place a5"]):
        after = played(start("U H", board, deck="C", swapped=True, idle=1), "U", *last)
        assert after["over"] is True
        assert (after["swapped"], after["idle"]) == (True, 1)
        assert (after["hands"][0], after["deck"]) == (["H"], ["C"])


def test_the_last_crown_ends_the_game_at_once_too() -> None:
    """[Z12]"""
    after = played(start("K H", patchwork(a1=""), deck="C", swapped=True, idle=1), "K a1")
    assert after["rows"] == {"Y": 0, "B": 0}
    assert after["over"] is True
    assert (after["swapped"], after["idle"]) == (True, 1)
    assert (after["hands"][0], after["deck"]) == (["H"], ["C"])


# Z13


def test_idle_counts_turns_without_a_chip_placed() -> None:
    """[Z13]"""
    board = DEAD_SPADES | crowned("b6", "R")
    state = start("S", board, others=["S", "D"], deck="S S S")
    assert played(state, "discard S")["idle"] == 1
    assert played(state, "discard S")["idle"] == 2
    after = played(state, "D c1")
    assert (after["idle"], after["over"]) == (0, False)


def test_a_shift_is_no_chip_placed() -> None:
    """[Z13]"""
    after = played(start("U", NO_CHIPS, others=["S", "S"], deck="H", idle=1), "U", "shift d1 a1 1")
    assert after["idle"] == 2


def test_a_shift_with_a_chip_to_come_leaves_idle_until_it_is_placed() -> None:
    """[Z13]"""
    state = start("U", {"a1": "Y", "b1": "Y"}, idle=1)
    assert played(state, "U", "shift a1 b1 1")["idle"] == 1
    assert played(state, "place d1")["idle"] == 0


def test_a_swap_is_no_turn() -> None:
    """[Z13]"""
    state = start("S D", DEAD_SPADES, idle=1)
    after = played(state, "swap S")
    assert (after["idle"], after["turn"]) == (1, 0)


def test_a_skipped_seats_turn_counts() -> None:
    """[Z13]"""
    after = played(start("S D", others=["", "", "S"]), "S a1")
    assert (after["idle"], after["turn"]) == (2, 3)
    after = played(start("S", DEAD_SPADES | crowned("b6"), others=["", "S"], deck="H"), "discard S")
    assert (after["idle"], after["turn"]) == (2, 2)


def test_a_skipped_seats_turn_may_end_the_game() -> None:
    """[Z13]"""
    after = played(start("S", DEAD_SPADES, others=[""], deck="H"), "discard S")
    assert (after["idle"], after["over"], after["turn"]) == (2, True, None)
    assert after["hands"] == [["H"], []]


def test_who_plays_alone_never_runs_idle_while_placing_chips() -> None:
    """[Z13]"""
    state = start("S", others=[""], deck="D H S")
    for move in ("S a1", "S b2", "H b1"):
        after = played(state, move)
        assert (after["idle"], after["turn"], after["over"]) == (1, 0, False)


def test_at_idle_equal_to_players_the_game_ends_after_the_draw() -> None:
    """[Z13]"""
    after = played(start("S", DEAD_SPADES, deck="C H", idle=1, swapped=True), "discard S")
    assert (after["over"], after["idle"], after["swapped"]) == (True, 2, False)
    assert (after["hands"][0], after["deck"]) == (["H"], ["C"])


def test_a_placed_chip_sets_idle_to_0() -> None:
    """[Z13]"""
    for card, move in [("S", "S a1"), ("W", "W a1"), ("K", "K a1")]:
        assert played(start(card, idle=1), move)["idle"] == 0


# Z14


def test_partners_draw_on_one_pool_of_36_chips() -> None:
    """[Z14]"""
    state = start("W", others=["W", "W", "W"], options={"pool": "shared"})
    for move, yellow, blue in [("W a1", 35, 36), ("W b1", 35, 35), ("W c1", 34, 35), ("W d1", 34, 34)]:
        after = played(state, move)
        assert after["chips"] == {"Y": yellow, "B": blue}
        assert after["seat_chips"] == [yellow, blue, yellow, blue]


def test_when_the_pool_is_empty_neither_partner_has_a_chip() -> None:
    """[Z14]"""
    for seat in (0, 2):
        state = start("S", NO_CHIPS, others=["S", "S", "S"], turn=seat, options={"pool": "shared"})
        assert moves(state) == {"discard S"}


def test_a_partner_may_place_all_chips_of_a_pool() -> None:
    """[Z14]"""
    board = many("Y", 18, "a1", "b1", under="B")
    state = start("S", board, others=["S", "S", "S"], turn=2, options={"pool": "shared"})
    assert "S a4" in moves(state)
    assert played(state, "S a4")["seat_chips"] == [17, 18, 17, 18]


# Z15


def test_a_swap_is_offered_for_each_different_dead_card_whatever_else_is_playable() -> None:
    """[Z15]"""
    state = start("S S H D W", DEAD_SPADES | DEAD_HEARTS)
    assert {move for move in moves(state) if "swap" in move} == {"swap S", "swap H"}
    assert "D c1" in moves(state)


def test_a_swap_is_offered_while_none_was_swapped_this_turn() -> None:
    """[Z15]"""
    assert moves(start("S", DEAD_SPADES, swapped=True)) == {"discard S"}


def test_a_swap_is_offered_also_when_out_of_chips() -> None:
    """[Z15]"""
    board = DEAD_SPADES | many("Y", 27, "b1", "c1", under="B") | {"d1": "Y", "d2": "YY"}
    state = start("S D", board)
    assert state.position()["chips"]["Y"] == 0
    assert moves(state) == {"swap S", "discard S", "discard D"}


@pytest.mark.parametrize("move", ["D c1", "W c1", "K c1"])
def test_swapped_is_false_again_at_the_end_of_a_turn(move: str) -> None:
    """[Z15]"""
    assert played(start("D W K", swapped=True), move)["swapped"] is False


def test_swapped_stays_through_a_double_up() -> None:
    """[Z15]"""
    state = start("U", swapped=True)
    assert played(state, "U")["swapped"] is True
    assert played(state, "stay")["swapped"] is True
    assert played(state, "place a1")["swapped"] is False


# Z16


def test_out_of_chips_a_playable_double_up_does_not_forbid_a_discard() -> None:
    """[Z16]"""
    assert moves(start("S U", NO_CHIPS)) == {"discard S", "U"}
    assert moves(start("U", NO_CHIPS)) == {"U"}


def test_a_crown_card_laid_down_without_chips_makes_no_crown() -> None:
    """[Z16]"""
    state = start("K", NO_CHIPS, deck="H")
    before = state.position()
    after = played(state, "discard K")
    assert after["crowns"] == before["crowns"] == {}
    assert after["board"] == before["board"]
    assert after["discard"][-1] == "K"
    assert (after["idle"], after["hands"][0]) == (1, ["H"])


def test_a_full_board_without_crowns_goes_on() -> None:
    """Every space is covered, none crowned: every suit card goes anywhere in its suit. [Z1]"""
    state = start("S", full(["B", "Y"]))
    assert moves(state) == {"S a1", "S b2", "S d3", "S a4", "S c5"}


# Z17


def test_a_game_without_enough_rows_ends_when_every_usable_space_is_crowned() -> None:
    """[Z17]"""
    state = start("K", patchwork(a1=""))
    assert not state.over
    after = played(state, "K a1")
    assert after["over"]
    assert max(after["rows"].values()) < 2
    assert len(after["crowns"]) == 20


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_without_enough_rows_ends_after_a_full_round_without_a_placed_chip(players: int) -> None:
    """[Z17]"""
    board = {"a1": "YBR" * 36} if players == 3 else {"a1": "YB" * 36}
    state = start("S", board, others=["S"] * (players - 1))
    for _ in range(players):
        assert not state.over
        state.play("discard S")
    assert state.over


# Z18


def test_equal_crowns_are_decided_by_more_rows() -> None:
    """Five crowns each; yellow has a row. [Z18]"""
    board = crowned("a1 a2 a3 c5 d1") | crowned("b1 b3 d4 d2 a5", "B")
    made = position("S", board, moves=1999)
    assert made["scores"] == [501, 500]
    assert played(state_of(made), "S b2")["winners"] == [0]


def test_equal_crowns_and_rows_share_the_win() -> None:
    """[Z18]"""
    board = crowned("a1 a2 a3") | crowned("d1 d2 d3", "B")
    made = position("S", board, moves=1999)
    assert made["scores"] == [301, 301]
    assert played(state_of(made), "S b2")["winners"] == [0, 1]


def test_more_crowns_win_against_more_rows() -> None:
    """[Z18]"""
    board = crowned("a1 a2 a3") | crowned("d1 d2 d4 b5", "B")
    made = position("S", board, moves=1999)
    assert made["scores"] == [301, 400]
    assert played(state_of(made), "S b2")["winners"] == [1]
