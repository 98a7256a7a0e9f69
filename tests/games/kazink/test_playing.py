"""Playing a suit card, a wild or a crown card, and drawing."""

import pytest

from kibitz.core.events import Drew, Moved, Reshuffled
from tests.games.kazink.naive import usable
from tests.games.kazink.positions import crowned, moves, played, position, start

pytestmark = pytest.mark.interpreted

# The spades with two players are a1 b2 d3 a4 c5.
SPADES = {"S a1", "S b2", "S d3", "S a4", "S c5"}


def test_a_suit_card_places_one_chip_on_a_space_of_its_suit() -> None:
    state = start("S H D")
    after = played(state, "S b2")
    assert after["board"] == {"b2": "Y"}
    assert after["chips"] == {"Y": 35, "B": 36}
    assert after["discard"] == ["S"]
    assert after["crowns"] == {}
    assert (state.turn, state.phase) == (1, "turn")


def test_a_suit_card_goes_on_an_empty_space_or_on_the_own_colour() -> None:
    state = start("S", {"a1": "Y", "b2": "BY", "d3": "YB"})
    assert moves(state) == {"S a1", "S b2", "S a4", "S c5"}
    assert played(state, "S b2")["board"]["b2"] == "BYY"


def test_a_suit_card_goes_on_an_opponents_chip_if_every_space_of_the_suit_carries_one() -> None:
    board = {"a1": "B", "b2": "Y", "d3": "YB", "a4": "BB", "c5": "B"}
    assert moves(start("S", board)) == SPADES
    for space in board:
        rest = {other: chips for other, chips in board.items() if other != space}
        assert moves(start("S", rest)) == {f"S {space}", "S b2"}


def test_of_three_players_both_others_are_opponents() -> None:
    board = {"a1": "B", "b2": "R", "d3": "Y"}
    state = start("S", board, others=["S", "S"])
    assert moves(state) == {"S d3", "S a4", "S c5", "S b6"}
    state = start("S", board | {"a4": "R", "c5": "B", "b6": "R"}, others=["S", "S"])
    assert moves(state) == SPADES | {"S b6"}


def test_spaces_of_other_suits_need_not_be_covered() -> None:
    board = dict.fromkeys(["a1", "b2", "d3", "a4", "c5"], "B")
    assert "S a1" in moves(start("S", board))


def test_a_suit_card_never_goes_on_a_crown() -> None:
    board = crowned("a1") | crowned("b2", "B") | {"d3": "B*"}
    assert moves(start("S", board)) == {"S a4", "S c5"}


def test_a_wild_goes_on_any_space_that_is_not_crowned() -> None:
    board = {"a1": "Y", "b1": "YB", "c1": "B", "d1": "Y*"} | crowned("a2", "B")
    spaces = set(usable(position())) - {"d1", "a2"}
    assert moves(start("W", board)) == {f"W {space}" for space in spaces}
    assert played(start("W", board), "W b1")["board"]["b1"] == "YBY"


def test_a_crown_card_goes_on_any_space_that_is_not_crowned() -> None:
    board = {"a1": "Y", "b1": "YB", "c1": "B", "d1": "Y*"} | crowned("a2", "B")
    spaces = set(usable(position())) - {"d1", "a2"}
    assert moves(start("K", board)) == {f"K {space}" for space in spaces}


@pytest.mark.parametrize(("chips", "after"), [("", "Y"), ("YB", "YBY"), ("YY", "YYY"), ("BB", "BBY")])
def test_a_crown_card_makes_a_crown_of_the_own_colour_at_once(chips: str, after: str) -> None:
    made = played(start("K", {"c3": chips} if chips else {}), "K c3")
    assert made["board"] == {"c3": after}
    assert made["crowns"] == {"c3": "Y"}
    assert made["chips"]["Y"] == 36 - after.count("Y")
    assert made["scores"] == [100, 0]


def test_a_wild_makes_no_crown_of_fewer_than_three() -> None:
    made = played(start("W", {"c3": "BBY"}), "W c3")
    assert made["crowns"] == {}
    assert made["board"] == {"c3": "BBYY"}


def test_with_three_or_four_players_specials_reach_the_bordered_row() -> None:
    for others in (["S", "S"], ["S", "S", "S"]):
        assert {"W a6", "W d6", "K b6"} <= moves(start("W K", others=others))
    assert not any(move.endswith("6") for move in moves(start("W K")))


def test_one_card_is_drawn_after_a_chip_is_placed() -> None:
    state = start("S H D", deck="C W")
    after = played(state, "H b1")
    assert after["hands"][0] == ["S", "D", "W"]
    assert after["deck"] == ["C"]
    assert state.log(0) == (Moved(0, "H b1"), Drew(0, "W"))


def test_two_equal_cards_make_one_move() -> None:
    state = start("S S S")
    assert moves(state) == SPADES
    assert len(state.legal_moves) == 5


def test_every_card_of_the_hand_may_be_chosen() -> None:
    state = start("S D W U K")
    assert {move.split()[0] for move in moves(state)} == {"S", "D", "W", "U", "K"}


def test_the_next_seat_is_to_the_left() -> None:
    state = start("S", others=["S", "S"])
    turns = []
    for move in ("S a1", "S b2", "S d3"):
        turns.append(state.turn)
        state.play(move)
    assert [*turns, state.turn] == [0, 1, 2, 0]


def test_an_empty_deck_is_made_anew_when_a_card_must_be_drawn_and_not_earlier() -> None:
    state = start("S H", others=["S H"], deck="C")
    discards = len(state.position()["discard"])
    after = played(state, "S a1")
    assert after["deck"] == []
    assert len(after["discard"]) == discards + 1
    after = played(state, "S b2")
    assert after["discard"] == []
    assert len(after["deck"]) == discards + 1
    assert Reshuffled(discards + 2) in state.log(None)
