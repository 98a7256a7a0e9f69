"""What Kazink! refuses beyond what every game does, each with its reason."""

from typing import Any

import pytest

import kibitz
from tests.games.bad_input import HUGE, refuse_move, refuse_position
from tests.games.kazink.naive import Position
from tests.games.kazink.positions import (
    DEAD_SPADES,
    as_json,
    crowned,
    finished,
    patchwork,
    position,
    start,
    state_of,
)

pytestmark = pytest.mark.interpreted

SHARED = {"pool": "shared"}


# Positions


@pytest.mark.parametrize("space", ["a0", "a7", "e1", "A1", "1a", "a", "", "a1 ", "a11", "a６", 11])
def test_only_spaces_of_the_board_have_chips(space: Any) -> None:
    refuse_position(position() | {"board": {space: "Y"}, "chips": {"Y": 35, "B": 36}}, "board")
    refuse_position(position() | {"crowns": {space: "Y"}}, "crowns", "board")


@pytest.mark.parametrize(
    ("options", "players", "space", "usable"),
    [
        ({}, 2, "a6", False),
        ({}, 3, "a6", True),
        ({"board": "20"}, 2, "a5", False),
        ({"board": "20"}, 3, "a5", True),
        ({"board": "20"}, 3, "a6", False),
        ({"board": "20"}, 4, "a6", False),
    ],
)
def test_only_usable_spaces_have_chips(
    options: dict[str, str], players: int, space: str, usable: bool
) -> None:
    """[Z10]"""
    made = position("S", {"a1": "Y"}, others=["S"] * (players - 1), options=options)
    made["board"] = {space: "Y"}
    if usable:
        state_of(made)
    else:
        refuse_position(made, "board")


@pytest.mark.parametrize("chips", ["YYY", "BYYY", "BBB", "YYYY"])
def test_three_equal_chips_on_top_of_an_uncrowned_space_are_refused(chips: str) -> None:
    made = position(board={"c3": chips})
    del made["crowns"]["c3"]
    made["scores"] = [0, 0]
    refuse_position(made, "crowns", "board")


@pytest.mark.parametrize("chips", ["YB", "BBB", "B"])
def test_a_crown_that_is_not_of_its_top_chips_colour_is_refused(chips: str) -> None:
    made = position(board={"c3": chips})
    made["crowns"]["c3"] = "Y"
    made["scores"] = [100, 0]
    refuse_position(made, "crowns")


def test_a_crown_on_an_empty_space_is_refused() -> None:
    refuse_position(position() | {"crowns": {"c3": "Y"}, "scores": [100, 0]}, "crowns")


@pytest.mark.parametrize("rows", [{"Y": 0, "B": 0}, {"Y": 2, "B": 0}, {"Y": 0, "B": 1}])
def test_wrong_rows_are_refused(rows: dict[str, int]) -> None:
    refuse_position(position(board=crowned("a1 a2 a3")) | {"rows": rows}, "rows")


@pytest.mark.parametrize("scores", [[300, 0], [301, 1], [0, 301], [10_301, 0], [0, 0]])
def test_wrong_scores_are_refused(scores: list[int]) -> None:
    refuse_position(position(board=crowned("a1 a2 a3")) | {"scores": scores}, "scores")


@pytest.mark.parametrize("chips", [{"Y": 36, "B": 36}, {"Y": 34, "B": 35}, {"Y": 35, "B": 34}])
def test_wrong_chips_are_refused(chips: dict[str, int]) -> None:
    refuse_position(position(board={"a1": "YB"}) | {"chips": chips}, "chips")


def test_a_37th_chip_is_refused() -> None:
    made = position(board={"a1": "YB" * 36})
    made["board"]["b1"] = "Y"
    refuse_position(made, "chips", "board")
    refuse_position(made | {"chips": {"Y": -1, "B": 0}}, "chips", "board")


def test_red_is_in_play_with_three_players_only() -> None:
    for players, allowed in [(2, False), (3, True), (4, False)]:
        others = ["S"] * (players - 1)
        if allowed:
            state_of(position("S", {"a1": "R"}, others=others))
        else:
            refuse_position(position("S", others=others) | {"board": {"a1": "R"}}, "board")


def test_a_missing_card_is_refused() -> None:
    for key in ("deck", "discard"):
        made = position(deck="S H D")
        made[key].pop(0)
        error = refuse_position(made, "deck", "discard")
        assert "54" in error.reason
    made = position()
    made["hands"][0].pop()
    refuse_position(made, "deck", "hands")


def test_a_55th_card_is_refused() -> None:
    for key in ("deck", "discard"):
        made = position(discard="S")
        made[key].insert(0, "C")
        refuse_position(made, "deck", "discard", "hands")
    made = position()
    made["hands"][1].append("W")
    refuse_position(made, "deck", "hands")


def test_a_third_crown_card_is_refused_though_the_sum_is_right() -> None:
    made = position("K K", others=["S"])
    made["hands"][1] = ["K"]
    refuse_position(made, "deck", "discard", "hands")


@pytest.mark.parametrize("card", ["X", "?", "s", "", "SS", "S1", " S", "Ｓ", 2, None, ["S"]])
def test_only_cards_of_the_box_lie_anywhere(card: Any) -> None:
    for key in ("deck", "discard"):
        made = position(deck="S")
        made[key][-1] = card
        refuse_position(made, key)
    made = position()
    made["hands"][1][0] = card
    refuse_position(made, "hands")


def test_who_is_in_turn_has_a_card() -> None:
    refuse_position(position(""), "hands", "turn")
    refuse_position(position("", others=[""]), "hands", "turn")


def test_a_chip_is_to_be_placed_only_if_there_is_one() -> None:
    made = position("S", {"a1": "YB" * 36}, discard="U", phase="place")
    refuse_position(made, "phase", "chips")
    state_of(made | {"phase": "shift"})


def test_a_partners_chip_is_none_to_place() -> None:
    board = {"a1": "YB" * 18}
    made = position("S", board, others=["S", "S", "S"], discard="U", phase="place")
    refuse_position(made | {"seat_chips": [0, 9, 18, 9]}, "phase", "chips")
    state_of(made | {"seat_chips": [1, 9, 17, 9]})
    state_of(made | {"seat_chips": [0, 9, 18, 9], "turn": 2})
    shared = position("S", board, others=["S", "S", "S"], discard="U", phase="place", options=SHARED)
    state_of(shared)


PARTNERS = ["S", "S", "S"]
USED: dict[str, str] = {"a1": "YBYBY", "b2": "YB"}  # four of yellow, three of blue


@pytest.mark.parametrize(
    "seat_chips", [[18, 18, 14, 15], [14, 15, 18, 18], [16, 17, 16, 16], [15, 16, 17, 17]]
)
def test_partners_who_divide_their_chips_may_have_used_any_of_them(seat_chips: list[int]) -> None:
    made = position("S", USED, others=PARTNERS, seat_chips=seat_chips)
    assert as_json(state_of(made).position()) == as_json(made)


@pytest.mark.parametrize(
    "wrong",
    [
        *([19, 18, 13, 15], [18, 19, 14, 14], [-1, 18, 33, 15]),  # not 0 to 18
        *([18, 18, 15, 15], [16, 16, 16, 16], [18, 18, 18, 18], [32, 33, 32, 33]),  # not what both have
        *([15, 14, 18, 18], [18, 14, 18, 15]),  # of neighbours, who are no partners
        *([18, 18, 14], [18, 18, 14, 15, 0], [], None, {}, 32, "18", True),
        *([18, 18, 14, "15"], [18, 18, 14, 15.0], [18, 18, 14, None], [18, 18, 14, "?"], [18, 18, 14, HUGE]),
    ],
    ids=str,
)
def test_partners_chips_that_do_not_add_up_are_refused(wrong: Any) -> None:
    refuse_position(position("S", USED, others=PARTNERS) | {"seat_chips": wrong}, "seat_chips")


def test_a_seat_has_one_chip_not_true() -> None:
    made = position("S", {"a1": "YB" * 34}, others=PARTNERS)
    assert made["seat_chips"] == [1, 1, 1, 1]
    state_of(made)
    refuse_position(made | {"seat_chips": [True, 1, 1, 1]}, "seat_chips")


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("step", [1, -1])
def test_all_others_have_exactly_the_chips_of_their_colour(players: int, step: int) -> None:
    for seat in range(players):
        made = position("S", USED, others=["S"] * (players - 1), options=SHARED)
        assert made["seat_chips"] == [32, 33, 32 if players == 4 else 36, 33][:players]
        state_of(made)
        made["seat_chips"][seat] += step
        refuse_position(made, "seat_chips")


def test_partners_who_share_do_not_divide() -> None:
    refuse_position(
        position("S", USED, others=PARTNERS, options=SHARED, seat_chips=[16, 17, 16, 16]), "seat_chips"
    )


def test_a_game_that_is_won_is_not_running() -> None:
    made = position(board=crowned("a1 a2 a3 a4 a5"))
    refuse_position(made, "over", "rows", "phase")
    state_of(position("S", crowned("a1 a2 a3 a4 a5"), others=["S", "S", "S"]))


def test_a_game_with_every_space_crowned_is_not_running() -> None:
    refuse_position(position(board=patchwork()), "over", "crowns", "phase")


def test_a_finished_game_has_a_reason() -> None:
    refuse_position(finished(board={}, winners=[0, 1]), "over")
    for reason in ({"idle": 2}, {"moves": 2000}):
        state_of(finished(board={}, winners=[0, 1], **reason))


# Views from outside


def test_a_view_that_breaks_the_counts_is_refused() -> None:
    seen = start(deck="S").view(0)
    breaks: list[Position] = [
        {"deck": []},
        {"deck": ["?", "?"]},
        {"discard": [*seen["discard"], "?"]},
        {"hands": [["K", "K", "K"], ["?"] * 3]},
        {"hands": [["S"], []]},
        {"chips": {"Y": 35, "B": 36}},
        {"seat_chips": [35, 36]},
        {"seat_chips": ["?", 36]},
        {"rows": {"Y": 1, "B": 0}},
        {"board": {"a1": "?"}},
    ]
    for wrong in breaks:
        with pytest.raises(kibitz.BadPosition):
            kibitz.game("kazink").observation(seen | wrong)


def test_a_view_without_the_own_hand_still_has_an_answer() -> None:
    """A spectator's view: what is legal is then as imagined."""
    seen = start(deck="S").view(None)
    assert kibitz.game("kazink").observation(seen).legal_moves


# Moves


def test_a_refusal_says_what_is_missing() -> None:
    error = refuse_move(start("S", {"a1": "B"}), "S a1")
    assert "b2" in error.reason
    error = refuse_move(start("S D", DEAD_SPADES), "discard S")
    assert error.reason.endswith("[Z2]")
    assert "D can be played" in error.reason


def test_a_refusal_tells_nothing_that_the_seat_does_not_see() -> None:
    """Two worlds that differ in what seat 0 doesn't see refuse the same moves in the same words."""
    for move in ("W a1", "S b1", "discard S", "swap S", "U", "stay"):
        errors = [
            refuse_move(start("S D", others=[other], deck=deck), move)
            for other, deck in [("H K", "W C"), ("W C", "K H")]
        ]
        assert errors[0].reason == errors[1].reason
