"""What each player sees."""

import pytest

from tests.games.kaching.positions import (
    KEYS,
    as_json,
    finished,
    last_decision,
    last_sale,
    position,
    start,
    state_of,
)

pytestmark = pytest.mark.interpreted

OPEN = {"open_money": True}


def test_a_player_sees_its_own_money_not_the_others() -> None:
    state = start(money=[13, 27])
    assert state.view(0)["money"] == [13, "?"]
    assert state.view(1)["money"] == ["?", 27]


def test_a_spectator_sees_neither() -> None:
    assert start(money=[13, 27]).view(None)["money"] == ["?", "?"]


@pytest.mark.parametrize("seat", [0, 1, None])
def test_open_money_is_seen_by_all(seat: int | None) -> None:
    made = position(money=[13, 27], options=OPEN)
    assert as_json(state_of(made).view(seat)) == as_json(made)


@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_view_is_the_position_but_for_the_money(seat: int | None) -> None:
    for made in (position(stocks=[["R2", "Y3"], ["G4"]]), last_sale(turn=1), last_decision(money=[5, 50])):
        hidden = made | {
            "money": [money if seat == owner else "?" for owner, money in enumerate(made["money"])]
        }
        assert as_json(state_of(made).view(seat)) == as_json(hidden)


@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_view_has_the_keys_of_a_position_in_their_order(seat: int | None) -> None:
    assert list(start().view(seat)) == KEYS


@pytest.mark.parametrize("seat", [0, 1, None])
def test_when_over_a_view_equals_the_position(seat: int | None) -> None:
    state = state_of(last_decision(money=[13, 27]))
    assert state.view(seat) != state.position()
    state.play("pass")
    assert state.over
    assert as_json(state.view(seat)) == as_json(state.position())
    assert state.view(seat)["money"] == [13, 27]
    made = finished((13, 27))
    assert as_json(state_of(made).view(seat)) == as_json(made)


@pytest.mark.parametrize("seat", [0, 1, None])
def test_after_a_round_profits_are_open_and_the_new_money_is_hidden_again(seat: int | None) -> None:
    state = state_of(last_decision(money=[13, 27], options={"series": "best_of"}))
    state.play("pass")
    view = state.view(seat)
    assert view["series"]["totals"] == [-7, 7]
    assert view["scores"] == [0, 1]
    assert view["money"] == [20 if owner == seat else "?" for owner in (0, 1)]


@pytest.mark.parametrize("kind", ["single", "best_of", "total"])
def test_the_others_money_reaches_a_view_by_no_other_way(kind: str) -> None:
    """Two worlds that differ in seat 1's money look the same to seat 0 and a spectator, also after moves."""
    stocks = [["R4", "R5"], ["G2", "G5"]]
    worlds = [start(stocks=stocks, money=[13, money], options={"series": kind}) for money in (6, 61)]
    for move in [None, "sell R4 R5", "sell G2 G5", "buy 1", "buy 2"]:
        if move:
            for world in worlds:
                world.play(move)
        for seat in (0, None):
            assert as_json(worlds[0].view(seat)) == as_json(worlds[1].view(seat))
        assert worlds[0].view(1) != worlds[1].view(1)


def test_scores_do_not_give_live_money_away() -> None:
    """`single`: [0, 0] until over."""
    state = start(money=[90, 3], stocks=[["R4", "R5"], []])
    state.play("sell R4 R5")
    for seat in (0, 1, None):
        assert state.view(seat)["scores"] == [0, 0]
        assert state.view(seat)["series"]["totals"] == [0, 0]


@pytest.mark.parametrize("seat", [0, 1, None])
def test_what_is_done_to_a_view_does_not_reach_the_state(seat: int | None) -> None:
    state = start(stocks=[["R2"], ["Y2"]])
    before = as_json(state.position())
    view = state.view(seat)
    view["columns"][0].clear()
    view["stocks"][0].append("R6")
    view["series"]["wins"][0] = 9
    view["options"]["series"] = "total"
    made = state.position()
    made["columns"][0].clear()
    made["money"][0] = 99
    assert as_json(state.position()) == before
