"""What is refused: positions, options and moves that don't fit, each with its reason."""

import re
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

import kibitz
from kibitz.core.state import State
from tests.games.kaching.naive import Position
from tests.games.kaching.positions import (
    KEYS,
    SERIES_KEYS,
    TWO_COLUMNS,
    as_json,
    finished,
    last_decision,
    last_sale,
    position,
    start,
    state_of,
)

pytestmark = pytest.mark.interpreted

HUGE = 10**30
THREE_COLUMNS = [["P5"], ["B2", "Y6"], ["G3"], [], []]
BEST_OF_3 = {"series": "best_of", "rounds": 3}
TOTAL_3 = {"series": "total", "rounds": 3}


# Positions


def refuse_position(made: Any, *keys: str) -> kibitz.KibitzError:
    """It is refused, by a message that names (one of) the keys and what was expected; and not changed."""
    given = deepcopy(made)
    with pytest.raises((kibitz.BadPosition, kibitz.BadOptions)) as caught:
        kibitz.game("kaching").from_position(made)
    error = caught.value
    assert made == given
    if not any(key.startswith("options") for key in keys):
        assert isinstance(error, kibitz.BadPosition)
    assert any(re.search(rf"\b{key}\b", error.reason) for key in keys), error.reason
    assert re.search(r"expected \S+", error.reason), error.reason
    assert str(error) == error.reason
    assert re.fullmatch(r"[a-z]+(-[a-z]+)+", error.code)
    assert isinstance(error.data, dict)
    return error


@pytest.mark.parametrize("key", KEYS)
def test_a_position_has_every_key(key: str) -> None:
    for made in (position(), last_sale(), finished()):
        del made[key]
        refuse_position(made, key)


def test_a_position_has_no_other_key() -> None:
    refuse_position(position() | {"deck": []}, "deck")


@pytest.mark.parametrize("key", SERIES_KEYS)
def test_a_series_has_every_key(key: str) -> None:
    made = position()
    del made["series"][key]
    refuse_position(made, "series", key)


@pytest.mark.parametrize("made", [None, 7, "kaching", [], [["game", "kaching"]], True])
def test_a_position_is_an_object(made: Any) -> None:
    with pytest.raises(kibitz.BadPosition, match="expected"):
        kibitz.game("kaching").from_position(made)


WRONG_VALUES: dict[str, list[Any]] = {
    "game": [7, None, "match", "Ka-Ching!", ["kaching"]],
    "options": [None, [], "single", 3],
    "players": [0, 1, 3, "2", 2.0, True, None, [0, 1]],
    "round": [0, -1, 2, 101, "1", 1.0, True, None, HUGE],
    "turn": [2, -1, "p0", "0", 0.0, True, False, None, [0], HUGE],
    "phase": ["sale", "Trade", "last sale", "over", "", 0, None, ["trade"]],
    "scores": [[0], [0, 0, 0], [1, 0], [20, 20], [False, False], [0.0, 0.0], ["0", "0"], None, 0, [0, HUGE]],
    "over": [0, 1, None, "false", True],
    "winners": [[0], [1], [0, 1], None, 0, [False], "", {}],
    "moves": [-1, "0", 0.0, False, None, HUGE],
    "columns": [None, {}, "R2", [], [[], [], [], []], [["R2"], ["R3"], ["Y2"], [], [], []], [1, 2, 3, 4, 5]],
    "stocks": [None, {}, [], [[]], [[], [], []], ["", ""], [None, None], [[], 0]],
    "wilds": [None, True, [], [True], [True, True, True, True], [1, 1], [0, 0], ["W", "W"], [None, True]],
    "money": [
        None,
        20,
        [20],
        [20, 20, 20],
        [-1, 20],
        [20, -1],
        ["20", 20],
        ["?", 20],
        [20.0, 20],
        [True, 20],
    ],
    "sold": [-1, 1, 2, 37, "0", 0.0, False, None, HUGE],
    "starter": [2, -1, "random", "0", True, False, None, 0.0],
    "series": [None, [], "single", 1, {}],
    "closing": [1, 2, 3, -1, "0", False, None],
}
WRONG_CASES = [(key, value) for key, values in WRONG_VALUES.items() for value in values]


def test_every_key_is_given_wrongly() -> None:
    assert list(WRONG_VALUES) == KEYS


@pytest.mark.parametrize(("key", "value"), WRONG_CASES, ids=lambda value: str(value)[:20])
def test_each_key_has_its_type_and_its_bounds(key: str, value: Any) -> None:
    """In a fresh single round of 37 cards, where only one value of most keys fits."""
    partners = {"phase": ["over", "turn", "columns", "closing"], "over": ["phase", "turn", "winners"]}
    refuse_position(position() | {key: value}, key, *partners.get(key, []))


def test_money_that_does_not_fit_the_record_is_refused() -> None:
    for money in ([HUGE, 20], [20, HUGE], [20, -HUGE]):
        refuse_position(position(money=money), "money")


# A key and what is wrong in it; the position is otherwise right.
def with_cards(change: Callable[[Position], object]) -> Position:
    """A position with cards in columns and stocks, changed; `sold` agrees with the new count of cards."""
    made = position(stocks=[["R2", "R6"], ["G4"]])
    change(made)
    cards = sum(map(len, made["columns"])) + sum(map(len, made["stocks"]))
    made["sold"] = max(0, 37 - cards - sum(made["wilds"]))
    return made


def test_a_36th_card_is_refused() -> None:
    refuse_position(with_cards(lambda made: made["columns"][0].append("G4")), "columns", "stocks", "G4")


def test_a_third_red_2_is_refused() -> None:
    def swap(made: Position) -> None:
        made["stocks"][0] = ["R2", "R2", "R2"]
        made["columns"] = [["R3"], ["Y2"], ["G2"], [], []]

    error = refuse_position(with_cards(swap), "columns", "stocks")
    assert "R2" in error.reason


def test_a_second_red_6_is_refused_though_it_lies_elsewhere() -> None:
    def swap(made: Position) -> None:
        made["stocks"] = [["R6"], []]
        made["columns"] = [["R6"], ["Y2"], ["G2"], [], []]

    error = refuse_position(with_cards(swap), "columns", "stocks")
    assert "R6" in error.reason


@pytest.mark.parametrize(
    "card", ["R7", "R1", "X2", "W", "?", "r2", "R", "", "R22", "2R", " R2", "R２", 2, None, ["R2"]]
)
def test_only_cards_of_the_deck_lie_in_columns_and_stocks(card: Any) -> None:
    refuse_position(with_cards(lambda made: made["columns"][2].__setitem__(-1, card)), "columns")
    refuse_position(with_cards(lambda made: made["stocks"][1].__setitem__(0, card)), "stocks")


def test_a_column_has_at_most_seven_cards() -> None:
    def heap(made: Position) -> None:
        made["stocks"] = [[], []]
        made["columns"] = [["R2", "R3", "Y2", "Y3", "G2", "G3", "B2", "B3"], ["P2"], ["P3"], [], []]

    refuse_position(with_cards(heap), "columns")


@pytest.mark.parametrize("sold", [0, 1, 26, 28, 37])
def test_columns_stocks_unused_wilds_and_sold_must_be_37(sold: int) -> None:
    made = last_sale(stocks=[["R4", "R5"], ["G2"]], wilds=[False, True], columns=TWO_COLUMNS)
    assert made["sold"] == 30
    refuse_position(made | {"sold": sold}, "sold")


def test_a_used_wild_is_among_the_sold() -> None:
    refuse_position(position() | {"wilds": [True, False]}, "sold", "wilds")


@pytest.mark.parametrize(
    "options",
    [
        {"series": "league"},
        {"series": None},
        {"series": "best_of", "rounds": 4},
        {"series": "best_of", "rounds": 0},
        {"series": "best_of", "rounds": 11},
        {"series": "best_of", "rounds": -1},
        {"series": "total", "rounds": 0},
        {"series": "total", "rounds": 21},
        {"series": "total", "rounds": "3"},
        {"series": "total", "rounds": True},
        {"series": "total", "rounds": 3.0},
        {"open_money": 1},
        {"open_money": "false"},
        {"open_money": None},
        {"starter": 2},
        {"starter": -1},
        {"starter": "0"},
        {"starter": True},
        {"starter": False},
        {"starter": None},
        {"seats": 2},
    ],
    ids=str,
)
def test_an_option_outside_its_values_is_refused_in_a_position_and_in_a_deal(options: dict[str, Any]) -> None:
    refuse_position(position(options=options), "options", *options)
    with pytest.raises(kibitz.BadOptions) as caught:
        kibitz.game("kaching").deal(players=2, seed=1, **options)
    error = caught.value
    assert any(re.search(rf"\b{name}\b", error.reason) for name in options), error.reason
    assert re.search(r"expected \S+", error.reason), error.reason


@pytest.mark.parametrize("players", [0, 1, 3, 4, "2", 2.0, True])
def test_a_deal_is_for_two_players(players: Any) -> None:
    with pytest.raises(kibitz.BadOptions, match=r"players.*expected.*2"):
        kibitz.game("kaching").deal(players=players, seed=1)


@pytest.mark.parametrize(
    ("made", "wrong"),
    [
        (position(), {"kind": "total"}),
        (position(), {"kind": 0}),
        (position(), {"rounds": 3}),
        (position(), {"rounds": True}),
        (position(), {"wins": [1, 0]}),
        (position(), {"totals": [1, 0]}),
        (position(), {"wins": [0]}),
        (position(), {"wins": [False, False]}),
        (position(), {"totals": [0.0, 0.0]}),
        (position(), {"totals": None}),
        (position(), {"draws": 0}),
        (position(options=TOTAL_3), {"rounds": 1}),
        (position(options=BEST_OF_3, round=2), {"wins": [-1, 0]}),
        (position(options=BEST_OF_3, round=2), {"wins": [0, HUGE]}),
        (position(options=TOTAL_3, round=2), {"totals": [HUGE, 0]}),
    ],
    ids=lambda value: str(value) if len(value) == 1 else value["series"]["kind"],
)
def test_a_series_fits_the_options_and_the_finished_rounds(made: Position, wrong: dict[str, Any]) -> None:
    """`scores` agree with the series, so that only it is wrong (or both are no scores)."""
    made = made | {"series": made["series"] | wrong}
    if made["series"]["kind"] == "best_of" and "wins" in wrong:
        made["scores"] = wrong["wins"]
    if made["series"]["kind"] == "total" and "totals" in wrong:
        made["scores"] = wrong["totals"]
    refuse_position(made, "series", "scores", *wrong)


def test_more_rounds_cannot_be_won_than_are_finished() -> None:
    refuse_position(
        position(options=BEST_OF_3, round=2, series={"wins": [1, 1], "totals": [0, 0]}), "series", "wins"
    )


def test_a_best_of_that_is_won_is_not_running() -> None:
    made = position(options=BEST_OF_3, round=3, series={"wins": [2, 0], "totals": [9, 0]})
    refuse_position(made, "series", "wins", "over")


def test_a_total_has_no_more_rounds_than_its_option_says() -> None:
    refuse_position(position(options=TOTAL_3, round=4), "round", "rounds")


@pytest.mark.parametrize(
    ("options", "scores"),
    [(BEST_OF_3, [0, 0]), (BEST_OF_3, [7, -2]), (BEST_OF_3, [0, 1]), (TOTAL_3, [1, 0]), (TOTAL_3, [20, 20])],
)
def test_scores_are_those_of_the_series(options: dict[str, Any], scores: list[int]) -> None:
    right = position(options=options, round=2, series={"wins": [1, 0], "totals": [7, -2]})
    state_of(right)
    refuse_position(right | {"scores": scores}, "scores")


@pytest.mark.parametrize("columns", [TWO_COLUMNS, [["P5"], [], [], [], []], [[], [], [], [], []]])
def test_a_trade_has_three_columns_at_least(columns: list[list[str]]) -> None:
    refuse_position(position(columns=columns), "phase", "columns")


@pytest.mark.parametrize("columns", [THREE_COLUMNS, [["P5"], [], [], [], []], [[], [], [], [], []]])
def test_a_last_sale_has_two_columns(columns: list[list[str]]) -> None:
    refuse_position(last_sale(columns=columns), "phase", "columns")


@pytest.mark.parametrize("closing", [0, 3, -1, True, "2", None])
def test_a_last_sale_has_one_or_two_decisions_to_come(closing: Any) -> None:
    refuse_position(last_sale(closing=closing), "closing")


@pytest.mark.parametrize(
    ("wrong", "keys"),
    [
        ({"turn": 0}, ["turn"]),
        ({"phase": "trade"}, ["phase", "over", "turn", "columns"]),
        ({"phase": "last sale"}, ["phase", "over", "turn", "closing"]),
        ({"over": False}, ["over", "phase", "turn", "winners"]),
        ({"winners": []}, ["winners"]),
        ({"winners": [1]}, ["winners"]),
        ({"winners": [0, 1]}, ["winners"]),
        ({"winners": [0, 0]}, ["winners"]),
        ({"scores": [0, 0]}, ["scores"]),
        ({"scores": [17, 31]}, ["scores"]),
        ({"closing": 1}, ["closing"]),
    ],
    ids=str,
)
def test_a_finished_position_says_so_in_all_its_keys(wrong: dict[str, Any], keys: list[str]) -> None:
    refuse_position(finished((31, 17)) | wrong, *keys)


@pytest.mark.parametrize(
    ("options", "scores", "last"),
    [({"series": "total", "rounds": 2}, [11, -3], 2), ({"series": "best_of", "rounds": 3}, [1, 0], 100)],
    ids=str,
)
def test_a_finished_series_has_a_reason(options: dict[str, Any], scores: list[int], last: int) -> None:
    made = finished((31, 17), options=options, scores=scores)
    error = refuse_position(made, "over")
    assert "reason" in error.reason
    assert state_of(made | {"round": last}).ending is not None


# Moves


def refuse_move(
    state: State,
    move: Any,
    seat: Any = None,
    kind: type[kibitz.IllegalMove] = kibitz.IllegalMove,
) -> kibitz.IllegalMove:
    """The move is refused with a reason, and nothing has changed."""
    saved, before = bytes(state), as_json(state.position())
    history, legal = list(state.history), state.legal_moves
    with pytest.raises(kibitz.IllegalMove) as caught:
        state.play(move, seat=seat)
    error = caught.value
    assert type(error) is kind
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", error.code)
    assert re.fullmatch(r"[^a-z\s].*\s.*[.\]]", error.reason, re.DOTALL), error.reason
    assert isinstance(error.rule, str)
    assert isinstance(error.data, dict)
    assert bytes(state) == saved
    assert as_json(state.position()) == before
    assert list(state.history) == history
    assert state.legal_moves == legal
    return error


def played(*moves: str, **changes: Any) -> State:
    """A state with a history, so that it can be seen to stay."""
    state = start(**changes)
    for move in moves:
        state.play(move)
    return state


NO_MOVES = [
    *(
        "",
        " ",
        "?",
        "sell",
        "buy",
        "buy ?",
        "sell ? ?",
        "sell R4 ?",
        "pass ?",
        "pass 1",
        "hold",
        "buy 1 2",
        "buy one",
    ),
    *(
        "buy 0",
        "buy 6",
        "buy 9",
        "buy -1",
        "buy 1.0",
        "buy 01",
        "buy +1",
        "buy １",
        "buy ¹",
        "buy R2",
        "buy 1\nbuy 2",
    ),
    *(
        "sell R4",
        "sell R4 R5 R6",
        "sell R4 R7",
        "sell X2 X3",
        "sell R4 G5",
        "sell R5 R4",
        "sell W R4",
        "sell W W",
    ),
    *(
        "sell W",
        "sell 4 5",
        "sellR4 R5",
        "buy3",
        "sell R4-R5",
        "\x00",
        "buy 1" * 10_000,
        "sell R2 R22",
        "sell R6 R6",
    ),
]


@pytest.mark.parametrize("text", NO_MOVES, ids=lambda text: repr(text)[:24])
def test_a_text_that_is_no_move_is_refused(text: str) -> None:
    refuse_move(played("buy 1", "buy 1", stocks=[["R2", "R4", "R5", "G5"], []]), text)


@pytest.mark.parametrize(
    "thing", [None, 10**6, -1, HUGE, 1.0, True, False, b"buy 1", ["buy 1"], ("buy", 1), {}, object()]
)
def test_a_thing_that_is_no_move_is_refused(thing: Any) -> None:
    refuse_move(played("buy 1", "buy 1"), thing)


def test_a_move_of_the_game_that_is_not_legal_now_is_refused_also_as_a_move_and_by_its_id() -> None:
    sale = next(m for m in start(stocks=[["R4", "R5"], []]).legal_moves if str(m) == "sell R4 R5")
    for move in (sale, sale.id, "sell R4 R5"):
        refuse_move(start(stocks=[["R4"], ["R5"]]), move)


LEGAL_ELSEWHERE: dict[str, tuple[Position, str]] = {
    "what one can't afford": (position(money=[5, 20]), "buy 1"),
    "by one dollar": (position(money=[1, 20]), "buy 2"),
    "from an empty column": (position(columns=THREE_COLUMNS), "buy 4"),
    "a pair not owned": (position(stocks=[["R4"], []]), "sell R4 R5"),
    "a pair the other owns": (position(stocks=[[], ["R4", "R5"]]), "sell R4 R5"),
    "one card as two": (position(stocks=[["R2"], []]), "sell R2 R2"),
    "a card not owned with the wild": (position(stocks=[["R2"], []]), "sell R3 W"),
    "a spent wild": (position(stocks=[["R4"], []], wilds=[False, True]), "sell R4 W"),
    "pass while a buy is possible": (position(), "pass"),
    "pass while only a bad sale is possible": (
        position(columns=[["R6"], ["Y6"], ["G6"], [], []], stocks=[["B2"], []], money=[1, 1]),
        "pass",
    ),
    "buy in the last sale": (last_sale(), "buy 1"),
    "buy from an empty column in the last sale": (last_sale(), "buy 3"),
    "sell what one hasn't in the last sale": (last_decision(stocks=[["R4"], ["R5"]]), "sell R4 R5"),
}


@pytest.mark.parametrize(("made", "move"), LEGAL_ELSEWHERE.values(), ids=LEGAL_ELSEWHERE)
def test_a_move_the_rules_refuse_names_its_rule(made: Position, move: str) -> None:
    error = refuse_move(state_of(made), move)
    assert error.rule


def test_different_refusals_have_different_reasons() -> None:
    """One sentence for all would tell a player nothing."""
    keys = ["what one can't afford", "from an empty column", "a pair not owned", "a spent wild"]
    keys += ["pass while a buy is possible", "buy in the last sale"]
    errors = [refuse_move(state_of(LEGAL_ELSEWHERE[key][0]), LEGAL_ELSEWHERE[key][1]) for key in keys]
    assert len({error.code for error in errors}) == len(keys)
    assert len({error.reason for error in errors}) == len(keys)


def test_a_voluntary_pass_is_refused_by_its_ruling() -> None:
    """[K3]"""
    assert "K3" in refuse_move(start(), "pass").rule


def test_only_the_seat_whose_turn_it_is_moves() -> None:
    refuse_move(played("buy 1", "buy 2"), "buy 1", seat=1, kind=kibitz.NotYourTurn)
    refuse_move(played("buy 1"), "buy 1", seat=0, kind=kibitz.NotYourTurn)
    refuse_move(state_of(last_sale(turn=1)), "pass", seat=0, kind=kibitz.NotYourTurn)


def test_the_wrong_seat_is_told_so_whatever_it_tries() -> None:
    for move in ("pass", "sell R4 R5", "buy 9", "?"):
        with pytest.raises(kibitz.IllegalMove):
            start().play(move, seat=1)
    refuse_move(start(), "sell R4 R5", seat=1, kind=kibitz.NotYourTurn)


@pytest.mark.parametrize("seat", [2, -1])
def test_a_seat_that_is_not_at_the_table_does_not_move(seat: int) -> None:
    refuse_move(start(), "buy 1", seat=seat, kind=kibitz.NotYourTurn)


def test_nobody_moves_when_the_game_is_over() -> None:
    state = state_of(last_decision(money=[30, 20], stocks=[["R4", "R5"], []]))
    state.play("pass")
    for move in ("pass", "buy 1", "sell R4 R5"):
        refuse_move(state, move, kind=kibitz.GameOver)
    refuse_move(state_of(finished()), "pass", kind=kibitz.GameOver)


def test_a_game_goes_on_after_a_refused_move() -> None:
    state = start(money=[5, 20])
    refuse_move(state, "buy 1")
    state.play("buy 2")
    assert [str(move) for move in state.history] == ["buy 2"]
    assert state.position()["money"] == [3, 20]
