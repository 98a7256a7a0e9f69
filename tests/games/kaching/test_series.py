"""Series: single, best of, total."""

from typing import Any

import pytest

import kibitz
from kibitz.core.state import State
from tests.games.kaching.naive import is_a_deal
from tests.games.kaching.positions import as_json, last_decision, start, state_of

pytestmark = pytest.mark.interpreted


def end_of_round(kind: str, money: list[int], rounds: int = 3, **changes: Any) -> State:
    """The state after the last decision of a round that ends with this money."""
    state = state_of(last_decision(money=money, options={"series": kind, "rounds": rounds}, **changes))
    state.play("pass")
    return state


# Single


def test_a_single_game_is_one_round() -> None:
    state = end_of_round("single", [33, 12])
    assert state.over
    after = state.position()
    assert after["round"] == 1
    assert after["series"] == {"kind": "single", "rounds": 1, "wins": [1, 0], "totals": [13, -8]}


def test_the_option_rounds_is_unused_in_a_single_game() -> None:
    state = end_of_round("single", [33, 12], rounds=5)
    assert state.over
    assert state.position()["options"]["rounds"] == 5
    assert state.position()["series"]["rounds"] == 1


def test_a_single_game_scores_nothing_until_it_is_over_then_the_money() -> None:
    state = state_of(last_decision(money=[33, 12]))
    assert state.scores == (0, 0)
    assert state.position()["scores"] == [0, 0]
    state.play("pass")
    assert state.scores == (33, 12)
    assert state.position()["scores"] == [33, 12]


@pytest.mark.parametrize(
    ("money", "winners"), [([21, 20], [0]), ([0, 1], [1]), ([20, 20], [0, 1]), ([0, 0], [0, 1])]
)
def test_most_money_wins_a_single_game_and_ties_share(money: list[int], winners: list[int]) -> None:
    state = end_of_round("single", money)
    assert state.position()["winners"] == winners
    assert state.winners == tuple(winners)


# Best of


def test_a_best_of_counts_the_rounds_won() -> None:
    state = end_of_round("best_of", [25, 31])
    after = state.position()
    assert not state.over
    assert after["scores"] == [0, 1]
    assert after["series"] == {"kind": "best_of", "rounds": 3, "wins": [0, 1], "totals": [5, 11]}


@pytest.mark.parametrize(("rounds", "majority"), [(1, 1), (3, 2), (5, 3), (7, 4), (9, 5)])
def test_a_best_of_is_over_with_a_majority_of_won_rounds(rounds: int, majority: int) -> None:
    lead = majority - 1
    series = {"wins": [lead, lead], "totals": [0, 0]}
    state = end_of_round("best_of", [25, 31], rounds=rounds, round=2 * lead + 1, series=series)
    assert state.over
    after = state.position()
    assert after["winners"] == [1]
    assert after["scores"] == [lead, majority]
    assert after["series"]["totals"] == [5, 11]


@pytest.mark.parametrize(("rounds", "majority"), [(3, 2), (5, 3), (7, 4), (9, 5)])
def test_a_best_of_goes_on_one_short_of_the_majority(rounds: int, majority: int) -> None:
    series = {"wins": [majority - 2, 0], "totals": [7 * (majority - 2), 0]}
    state = end_of_round("best_of", [31, 25], rounds=rounds, round=majority - 1, series=series)
    assert not state.over
    assert state.scores == (majority - 1, 0)
    assert state.round == majority


def test_a_best_of_is_over_before_all_rounds_are_played_if_it_is_decided() -> None:
    state = end_of_round("best_of", [31, 25], rounds=9, round=5, series={"wins": [4, 0], "totals": [40, 2]})
    assert state.over
    assert state.round == 5


def test_rounds_won_win_a_best_of_not_money() -> None:
    series = {"wins": [1, 1], "totals": [-10, 60]}
    state = end_of_round("best_of", [21, 20], round=3, series=series)
    assert state.winners == (0,)


def test_a_best_of_one_with_a_drawn_round_goes_on() -> None:
    """[K7]"""
    state = end_of_round("best_of", [20, 20], rounds=1)
    assert not state.over
    assert state.round == 2


# Total


def test_a_total_counts_profits_money_less_20() -> None:
    state = end_of_round("total", [25, 13])
    after = state.position()
    assert not state.over
    assert after["scores"] == [5, -7]
    assert after["series"] == {"kind": "total", "rounds": 3, "wins": [1, 0], "totals": [5, -7]}


def test_a_total_sums_the_profits_of_all_rounds() -> None:
    state = end_of_round("total", [25, 13], round=2, series={"wins": [0, 1], "totals": [-6, 18]})
    assert state.scores == (-1, 11)


@pytest.mark.parametrize("rounds", [1, 2, 20])
def test_a_total_is_over_after_its_rounds(rounds: int) -> None:
    series = {"wins": [0, 0], "totals": [0, 0]}
    last = end_of_round("total", [25, 13], rounds=rounds, round=rounds, series=series)
    assert last.over
    assert last.round == rounds
    if rounds > 1:
        earlier = end_of_round("total", [25, 13], rounds=rounds, round=rounds - 1, series=series)
        assert not earlier.over
        assert earlier.round == rounds


def test_a_total_is_not_over_with_a_majority_of_won_rounds() -> None:
    state = end_of_round("total", [25, 13], rounds=3, round=2, series={"wins": [1, 0], "totals": [5, 0]})
    assert not state.over


def test_the_highest_sum_wins_a_total_not_the_rounds_won() -> None:
    state = end_of_round("total", [21, 20], round=3, series={"wins": [2, 0], "totals": [-12, -11]})
    assert state.scores == (-11, -11)
    assert state.winners == (0, 1)
    state = end_of_round("total", [21, 20], round=3, series={"wins": [1, 1], "totals": [-13, -11]})
    assert state.scores == (-12, -11)
    assert state.winners == (1,)


def test_equal_sums_share_a_total() -> None:
    state = end_of_round("total", [25, 30], round=3, series={"wins": [1, 1], "totals": [5, 0]})
    assert state.winners == (0, 1)


# The next round


@pytest.mark.parametrize("kind", ["best_of", "total"])
@pytest.mark.parametrize("starter", [0, 1])
def test_the_next_round_starts_afresh(kind: str, starter: int) -> None:
    stocks = [["R4", "R5"], ["G2"]]
    state = end_of_round(kind, [25, 31], stocks=stocks, wilds=[False, True], starter=starter)
    after = state.position()
    assert is_a_deal(after["columns"])
    fresh = {
        "round": 2,
        "turn": 1 - starter,
        "phase": "trade",
        "over": False,
        "winners": [],
        "moves": 0,
        "stocks": [[], []],
        "wilds": [True, True],
        "money": [20, 20],
        "sold": 0,
        "starter": 1 - starter,
        "closing": 0,
    }
    assert {key: after[key] for key in fresh} == fresh


def test_the_starter_alternates_whoever_won_or_moved_last() -> None:
    for money in ([30, 10], [10, 30], [20, 20]):
        for turn in (0, 1):
            for starter in (0, 1):
                state = end_of_round("total", money, turn=turn, starter=starter)
                assert state.turn == state.position()["starter"] == 1 - starter


def test_the_starter_alternates_over_a_whole_series() -> None:
    """A named starter too."""
    for option in ("random", 0, 1):
        state = kibitz.game("kaching").deal(seed=4, series="total", rounds=4, starter=option)
        starters = []
        while not state.over:
            if state.position()["moves"] == 0:
                starters.append(state.turn)
            state.play(state.legal_moves[-1])
        first = state.position()["starter"] ^ 1
        assert starters == [first, 1 - first, first, 1 - first]
        assert option in ("random", first)


def test_each_round_is_shuffled_anew() -> None:
    state = kibitz.game("kaching").deal(seed=4, series="total", rounds=4)
    deals = []
    while not state.over:
        if state.position()["moves"] == 0:
            deals.append(as_json(state.position()["columns"]))
        state.play(state.legal_moves[0])
    assert len(set(deals)) == len(deals) == 4


def test_a_next_round_comes_also_when_nobody_can_move() -> None:
    """[K2]"""
    columns = [["R6", "R2"], ["Y6"], ["G6"], [], []]
    state = start(columns=columns, money=[2, 1], wilds=[False, False], options={"series": "total"}, moves=30)
    state.play("buy 1")
    after = state.position()
    assert after["round"] == 2
    assert after["scores"] == [-20, -19]
    assert after["moves"] == 0


def test_scores_count_finished_rounds_only() -> None:
    for kind, wins, totals in (("best_of", [1, 0], [3, 1]), ("total", [1, 0], [3, 1])):
        series = {"wins": wins, "totals": totals}
        state = start(
            options={"series": kind}, round=2, series=series, money=[90, 1], stocks=[["R4", "R5"], []]
        )
        state.play("sell R4 R5")
        assert list(state.scores) == (wins if kind == "best_of" else totals)
        assert state.position()["series"]["totals"] == totals


def test_undo_goes_back_into_the_round_before() -> None:
    state = state_of(last_decision(money=[30, 11], options={"series": "best_of"}))
    before, saved = as_json(state.position()), bytes(state)
    state.play("pass")
    assert state.round == 2
    state.undo()
    assert as_json(state.position()) == before
    assert bytes(state) == saved
