"""The score calculator for people with real cards counts as the game does."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from kibitz.games.cash.sheets import BadSheet, score_game, score_rounds, score_sheet
from tests.games.cash import naive
from tests.games.cash.naive import BEARS, CASH, Position
from tests.games.cash.test_twin import odd_position

pytestmark = pytest.mark.interpreted


def sheet_of(position: Position) -> dict[str, Any]:
    """What the players of a position would write down."""
    players = []
    for firm, hand in zip(position["firms"], position["hands"], strict=True):
        held = Counter(hand)
        insured = Counter(card for policy in firm["insured"] for card in policy["cash"])
        players.append(
            {"tabled": dict(Counter(firm["cash"])), "insured": dict(insured)}
            | {"hand": {card: held[card] for card in CASH if held[card]}}
            | {"venture": firm["venture"], "taxman": firm["taxman"], "venture_held": held["venture"]}
            | {card: held[card] for card in BEARS}
        )
    options = position["options"]
    return {"players": players, "recession": options["recession"], "tax": options["tax"]}


def totals(answer: dict[str, Any]) -> list[int]:
    return [player["total"] for player in answer["players"]]


def test_a_sheet_scores_as_the_round_would() -> None:
    for seed in range(60):
        made = odd_position(Random(seed))
        answer = score_sheet(sheet_of(made))
        assert totals(answer) == naive.score(made)
        assert totals(answer) == [sum(player["steps"].values()) for player in answer["players"]]


@pytest.mark.parametrize(("tax", "second"), [("harsh", -110_000), ("transfer", -90_000)])
def test_the_worked_example_holds_on_a_sheet(tax: str, second: int) -> None:
    """Worked example: 200, -100 and 50 with the first player's taxman."""
    players: list[dict[str, Any]] = [
        {"tabled": {"cash-150": 1, "cash-50": 1}, "taxman": 1},
        {"hand": {"cash-25": 1, "cash-75": 1}},
        {"insured": {"cash-50": 1}},
    ]
    assert totals(score_sheet({"players": players, "tax": tax})) == [195_000, second, 45_000]


def test_a_recession_costs_75_unless_the_sheet_says_50() -> None:
    players: list[dict[str, Any]] = [{"recession": 1}, {"recession": 1, "venture_held": 1}]
    assert totals(score_sheet({"players": players})) == [-75_000, -150_000]
    assert totals(score_sheet({"players": players, "recession": 50})) == [-50_000, -100_000]


def test_several_rounds_have_running_totals() -> None:
    rounds: list[dict[str, Any]] = [
        {"players": [{"tabled": {"cash-50": 1}}, {}]},
        {"players": [{"hand": {"cash-10": 1}}, {"tabled": {"cash-75": 1}, "venture": 1}]},
    ]
    assert [answer["totals"] for answer in score_rounds(rounds)] == [[50_000, 0], [40_000, 150_000]]


@pytest.mark.parametrize(
    "sheet",
    [
        {},
        {"players": []},
        {"players": [{}]},
        {"players": [{}] * 9},
        {"players": [{}, {"tabled": {"cash-20": 1}}]},
        {"players": [{}, {"tabled": {"cash-5": 217}}]},
        {"players": [{}, {"crash": -1}]},
        {"players": [{}, {"crash": True}]},
        {"players": [{}, {"crash": 1.0}]},
        {"players": [{}, {"insured": {"cash-150": 1}}]},
        {"players": [{}, {}], "recession": 60},
        {"players": [{}, {}], "tax": "mild"},
        {"players": [{}, {}], "gold": 1},
        {"players": [{}, {"gold": 1}]},
        {"players": [{}, None]},
    ],
    ids=str,
)
def test_a_sheet_that_cannot_be_is_refused(sheet: dict[str, Any]) -> None:
    with pytest.raises(BadSheet) as caught:
        score_sheet(sheet)
    assert caught.value.reason


@pytest.mark.parametrize(
    ("players", "key", "most", "got"),
    [
        ([{}, {"tabled": {"cash-5": 11}}], "players[1].tabled.cash-5", 10, 11),
        ([{"tabled": {"cash-150": 1}}, {"hand": {"cash-150": 2}}], "players[1].hand.cash-150", 2, 3),
        ([{"venture": 3}, {"venture_held": 2}], "players[1].venture_held", 4, 5),
        ([{"taxman": 2}, {"taxman": 1}, {"taxman": 0}], "players[1].taxman", 2, 3),
    ],
    ids=str,
)
def test_more_cards_than_our_box_has_are_counted_with_a_warning(
    players: list[dict[str, Any]], key: str, most: int, got: int
) -> None:
    """The counts are a reconstruction: a real box may hold others."""
    (warning,) = score_sheet({"players": players})["warnings"]
    assert (warning["code"], warning["key"]) == ("sheet-too-many", key)
    assert (warning["data"]["most"], warning["data"]["got"]) == (most, got)
    assert totals(score_sheet({"players": [{"tabled": {"cash-5": 11}}, {}]})) == [55_000, 0]


def test_more_insured_cash_than_our_covers_hold_is_counted_with_a_warning() -> None:
    """Six economy, four basic and two total insurances cover 500,000."""
    sheet: dict[str, Any] = {"players": [{"insured": {"cash-50": 10}}, {}]}
    assert score_sheet(sheet)["warnings"] == []
    sheet["players"][1] = {"insured": {"cash-5": 1}}
    (warning,) = score_sheet(sheet)["warnings"]
    assert (warning["code"], warning["data"]["got"]) == ("sheet-insured", 505_000)


def test_warnings_say_in_which_round_they_arose() -> None:
    rounds: list[dict[str, Any]] = [{"players": [{}, {}]}, {"players": [{"taxman": 3}, {}]}]
    answers = score_rounds(rounds)
    assert answers[0]["warnings"] == []
    assert answers[1]["warnings"][0]["data"]["where"] == "rounds[1].players[0].taxman"


def test_after_a_tie_at_the_target_the_next_single_highest_total_has_won() -> None:
    tied = {"players": [{"tabled": {"cash-50": 1}}, {"tabled": {"cash-50": 1}}]}
    apart = {"players": [{"hand": {"cash-25": 1}}, {"hand": {"cash-10": 1}}]}
    assert score_game({"rounds": [tied], "target": 50_000})["winners"] == []
    assert score_game({"rounds": [tied, apart], "target": 50_000})["winners"] == [1]
    assert score_game({"rounds": [tied, apart], "target": 60_000})["winners"] == []


def test_every_round_has_the_same_players() -> None:
    with pytest.raises(BadSheet, match="same"):
        score_rounds([{"players": [{}, {}]}, {"players": [{}, {}, {}]}])
