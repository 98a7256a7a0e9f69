"""What is said for a seat as the table stands is true, and good for that seat."""

from typing import Any

import pytest

import kibitz
from kibitz.bots.merits import merits_of
from kibitz.core.sentences import Sentence
from kibitz.core.words import LANGUAGES
from tests.bots.test_analysis import deciding


def told(name: str, change: dict[str, Any], seat: int = 0) -> list[str]:
    """What is said for a seat at a new table with some changes, without the front of the keys."""
    position = {**kibitz.game(name).deal(2, seed=1).position(), **change}
    return [said(line) for line in merits_of(name).merits(position) if line.data["seat"].seat == seat]  # type: ignore[union-attr]


def said(line: Sentence) -> str:
    values = [getattr(value, "card", getattr(value, "money", value)) for value in line.data.values()]
    return " ".join([line.key.removeprefix("merit."), *map(str, values[1:])])


@pytest.mark.parametrize("name", kibitz.games())
def test_whatever_is_said_names_a_seat_and_has_words(name: str) -> None:
    game = kibitz.game(name)
    state = deciding(game, moves=20)
    lines = list(merits_of(game.name).merits(state.position()))
    assert lines
    for line in lines:
        assert line.data["seat"].seat in range(state.players)  # type: ignore[union-attr]
        for language in LANGUAGES:
            assert line.key in game.words(language)
            assert f"{line.key}.you" in game.words(language)


def test_a_game_without_such_a_module_has_none() -> None:
    assert not list(merits_of("tiny").merits({}))


# Ka-Ching!


def test_every_pair_of_a_colour_can_be_sold_for_the_product() -> None:
    stocks = [["G4", "R2", "G5", "G6"], []]
    pairs = [line for line in told("kaching", {"stocks": stocks}) if line.startswith("pair")]
    assert pairs == ["pair G4 G5 20", "pair G4 G6 24", "pair G5 G6 30"]


@pytest.mark.parametrize(("money", "bought"), [(6, ["buy R6 R5 30"]), (5, [])])
def test_who_comes_next_can_buy_what_makes_a_pair_if_there_is_money(money: int, bought: list[str]) -> None:
    columns = [["R6"], ["Y2"], [], [], []]
    change = {"columns": columns, "stocks": [["R5"], []], "turn": 0, "money": [money, 0]}
    assert [line for line in told("kaching", change) if line.startswith("buy")] == bought


# MATCH!


@pytest.mark.parametrize(
    ("collection", "hand", "expected"),
    [
        ({"R": ["R1"]}, ["G5"], "binds"),
        ({"B": ["B1"]}, ["G5"], "stuck"),
        ({"R": ["R1", "R0"]}, ["R4"], "binds"),
    ],
)
def test_the_next_player_is_bound_by_a_top_card_or_has_nothing(
    collection: dict[str, list[str]], hand: list[str], expected: str
) -> None:
    change = {
        "turn": 1,
        "discard": ["R2"],
        "called": None,
        "hands": [[], hand],
        "collections": [{}, collection],
    }
    lines = told("match", change)
    assert [line.split()[0] for line in lines if line.startswith(("binds", "stuck"))] == [expected]


def test_a_card_is_guarded_by_a_lower_one_on_top() -> None:
    lines = told("match", {"collections": [{"R": ["R5", "R0"], "B": ["B1", "B4"]}, {}]})
    assert "guarded R5 R0" in lines
    assert not any(line.startswith("guarded B") for line in lines)
    assert {"counts R5", "counts B4"} <= set(lines)


def test_fewer_cards_in_hand_are_said_of_a_smaller_hand_only() -> None:
    assert "hand 2" in told("match", {"hands": [["R1", "R2"], []]})
    assert "hand 2" not in told("match", {"hands": [["R1", "R2", "R3"], []]})


# Cover Your Assets


def sets(*assets: str) -> list[dict[str, Any]]:
    return [{"asset": asset, "cards": [asset, asset]} for asset in assets]


def test_who_has_a_set_can_steal_a_top_set_that_is_not_the_first() -> None:
    change = {"stacks": [sets("home"), sets("auto", "coins")], "hands": [["coins"], []]}
    assert any(line.startswith("steal") for line in told("assets", change))
    for other in ({"stacks": [sets("home"), sets("coins")]}, {"hands": [["auto"], []]}):
        assert not any(line.startswith("steal") for line in told("assets", {**change, **other}))


def test_only_sets_between_the_first_and_the_top_are_covered() -> None:
    lines = told("assets", {"stacks": [sets("home", "auto", "coins"), []]})
    assert [line for line in lines if line.startswith("covered")] == ["covered auto 30000"]


@pytest.mark.parametrize(("hand", "pairs"), [(["coins"], True), (["gold"], True), (["home"], False)])
def test_the_card_on_the_pile_makes_a_set_with_its_like_or_a_wild(hand: list[str], pairs: bool) -> None:
    assert ("pile" in told("assets", {"turn": 0, "hands": [hand, []], "discard": ["coins"]})) is pairs


def test_whoever_can_not_answer_in_a_duel_is_told_of() -> None:
    duel = {"thief": 0, "victim": 1, "shown": [["coins"], []]}
    change = {"duel": duel, "turn": 1, "stacks": [sets("home"), sets("auto", "coins")]}
    assert any(line.startswith("answerless") for line in told("assets", {**change, "hands": [[], ["home"]]}))
    assert not any(
        line.startswith("answerless") for line in told("assets", {**change, "hands": [[], ["gold"]]})
    )


# Kazink!


@pytest.mark.parametrize(
    ("crowns", "expected"),
    [
        (["a1", "a2"], {"row a3"}),
        (["a1", "a3"], {"row a2"}),
        (["a1", "a2", "a3"], set()),  # four in a line are still one row
        (["a1", "a2", "a3", "a5"], {"row a4"}),  # five are two
    ],
)
def test_a_row_wants_one_more_crown_only_where_that_counts(crowns: list[str], expected: set[str]) -> None:
    change = {"crowns": dict.fromkeys(crowns, "Y"), "board": dict.fromkeys(crowns, "YYY")}
    assert {line for line in told("kazink", change) if line.startswith("row")} == expected


def test_two_chips_on_top_want_a_third_and_perhaps_there_is_a_card_for_it() -> None:
    lines = told("kazink", {"board": {"a1": "BYY", "b1": "YB", "c1": "YYB"}, "hands": [["S", "C"], []]})
    assert "two a1" in lines
    assert "third a1 S" in lines  # a1 is a spade
    assert not any(line.startswith(("two b1", "two c1")) for line in lines)


# CASH


def test_what_is_insured_open_or_held_in_cash() -> None:
    firm: dict[str, Any] = {"license": True, "probe": None, "cash": [], "venture": 0, "taxman": 0}
    insured = [{"cover": "cover-25", "cash": ["cash-25"]}]
    position = {"firms": [{**firm, "insured": insured}, {**firm, "cash": ["cash-5"], "insured": []}]}
    mine = told("cash", {**position, "hands": [["crash"], ["cash-5"]]})
    assert {"free", "nothing-open", "no-cash", "no-bear recession"} <= set(mine)
    assert any(line.startswith("insured") for line in mine)
    assert "no-bear crash" not in mine
    theirs = told("cash", {**position, "hands": [["crash"], ["cash-5"]]}, seat=1)
    assert not {"nothing-open", "no-cash"} & set(theirs)
