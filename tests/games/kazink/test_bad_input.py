"""What is refused: positions, options, views and moves that don't fit, each with its reason."""

import json
import re
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

import kibitz
from kibitz.core.state import State
from tests.games.kazink.naive import KEYS, Position, legal_moves
from tests.games.kazink.positions import (
    DEAD_SPADES,
    NO_CHIPS,
    as_json,
    crowned,
    finished,
    patchwork,
    position,
    start,
    state_of,
)

pytestmark = pytest.mark.interpreted

HUGE = 10**30
FOLDER = Path(kibitz.__file__).parent / "games" / "kazink"


# Positions


def refuse_position(made: Any, *keys: str) -> kibitz.KibitzError:
    """It is refused, by a message that names (one of) the keys and what was expected; and not changed."""
    given = deepcopy(made)
    with pytest.raises((kibitz.BadPosition, kibitz.BadOptions)) as caught:
        kibitz.game("kazink").from_position(made)
    error = caught.value
    assert made == given
    assert any(re.search(rf"\b{key}\b", error.reason) for key in keys), error.reason
    assert re.search(r"expected \S+", error.reason), error.reason
    assert re.fullmatch(r"[a-z]+(-[a-z]+)+", error.code)
    return error


@pytest.mark.parametrize("key", KEYS)
def test_a_position_has_every_key(key: str) -> None:
    for made in (position(), finished()):
        del made[key]
        refuse_position(made, key)


def test_a_position_has_no_other_key() -> None:
    refuse_position(position() | {"piles": []}, "piles")


@pytest.mark.parametrize("made", [None, 7, "kazink", [], [["game", "kazink"]], True])
def test_a_position_is_an_object(made: Any) -> None:
    with pytest.raises(kibitz.BadPosition, match="expected"):
        kibitz.game("kazink").from_position(made)


WRONG_VALUES: dict[str, list[Any]] = {
    "game": [7, None, "kaching", "Kazink!", ["kazink"]],
    "options": [None, [], "random", 3],
    "players": [0, 1, 3, 5, "2", 2.0, True, None, [0, 1]],
    "round": [0, -1, 2, 101, "1", 1.0, True, None, HUGE],
    "turn": [2, -1, "p0", "0", 0.0, True, False, None, [0], HUGE],
    "phase": ["over", "Turn", "trade", "", 0, None, ["turn"]],
    "scores": [[0], [0, 0, 0], [100, 0], [0, 1], [False, False], [0.0, 0.0], ["0", "0"], None, 0, [0, -HUGE]],
    "over": [0, 1, None, "false", True],
    "winners": [[0], [1], [0, 1], None, 0, [False], "", {}],
    "moves": [-1, 2000, 2001, "0", 0.0, False, None, HUGE],
    "board": [None, [], "a1", 0, {"a1": ""}, {"a1": "YX"}, {"a1": "y"}, {"a1": "R"}, {"a1": None}],
    "crowns": [None, [], "a1", 0, {"a1": "Y"}, {"a1": None}, {"e1": "Y"}],
    "hands": [None, {}, "S", [], [["S"]], [[], [], []], ["", ""], [None, None], [["S"], 0]],
    "deck": [None, {}, "S", 0, [], ["?"], [1, 2], [None]],
    "discard": [None, {}, "S", 0, ["S"], ["?"], [1, 2], [[]]],
    "chips": [None, [], 36, {}, {"Y": 36}, {"Y": 36, "B": 35}, {"Y": 36, "B": 36, "R": 36}],
    "rows": [None, [], 0, {}, {"Y": 0}, {"Y": 0, "B": 1}, {"Y": 0, "B": 0, "R": 0}, {"Y": 0, "B": False}],
    "dealer": [2, -1, "random", "0", True, False, None, 0.0],
    "swapped": [0, 1, None, "false", []],
    "idle": [-1, 2, 3, "0", 0.0, False, None, HUGE],
}
WRONG_CASES = [(key, value) for key, values in WRONG_VALUES.items() for value in values]


def test_every_key_is_given_wrongly() -> None:
    assert list(WRONG_VALUES) == KEYS


@pytest.mark.parametrize(("key", "value"), WRONG_CASES, ids=lambda value: str(value)[:20])
def test_each_key_has_its_type_and_its_bounds(key: str, value: Any) -> None:
    partners = {
        "phase": ["over"],
        "over": ["phase", "turn"],
        "players": ["hands", "scores"],
        "board": ["chips"],
        "crowns": ["board"],
        "discard": ["deck"],
    }
    refuse_position(position() | {key: value}, key, *partners.get(key, []))


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
    made = position("S", others=["S"] * (players - 1), options=options)
    made["board"][space] = "Y"
    made["chips"]["Y"] = 35
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
        made = position("S", others=["S"] * (players - 1))
        made["board"] = {"a1": "R"}
        if allowed:
            made["chips"]["R"] = 35
            state_of(made)
        else:
            refuse_position(made, "board")


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


@pytest.mark.parametrize(
    ("wrong", "keys"),
    [
        ({"turn": 0}, ["turn"]),
        ({"phase": "turn"}, ["phase", "over", "turn"]),
        ({"over": False}, ["over", "phase"]),
        ({"winners": []}, ["winners"]),
        ({"winners": [1]}, ["winners"]),
        ({"winners": [0, 1]}, ["winners"]),
        ({"scores": [502, 0]}, ["scores"]),
    ],
    ids=str,
)
def test_a_finished_position_says_so_in_all_its_keys(wrong: dict[str, Any], keys: list[str]) -> None:
    refuse_position(finished() | wrong, *keys)


@pytest.mark.parametrize(
    "options",
    [
        {"board": "25"},
        {"board": 24},
        {"board": None},
        {"board": ""},
        {"dealer": 2},
        {"dealer": -1},
        {"dealer": "0"},
        {"dealer": None},
        {"dealer": True},
        {"hand": 0},
        {"hand": 6},
        {"hand": "3"},
        {"hand": 3.0},
        {"hand": True},
        {"hand": None},
        {"target": 50},
    ],
    ids=str,
)
def test_an_option_outside_its_values_is_refused_in_a_position_and_in_a_deal(options: dict[str, Any]) -> None:
    made = position()
    made["options"] |= options
    refuse_position(made, *options)
    with pytest.raises(kibitz.BadOptions) as caught:
        kibitz.game("kazink").deal(players=2, seed=1, **options)
    assert any(re.search(rf"\b{name}\b", caught.value.reason) for name in options)


@pytest.mark.parametrize("players", [0, 1, 5, "2", 2.0, True])
def test_a_deal_is_for_two_to_four_players(players: Any) -> None:
    with pytest.raises(kibitz.BadOptions, match=r"players.*expected.*2 to 4"):
        kibitz.game("kazink").deal(players=players, seed=1)


def test_the_dealer_is_a_seat_of_the_table() -> None:
    kibitz.game("kazink").deal(players=4, seed=1, dealer=3)
    with pytest.raises(kibitz.BadOptions, match="dealer"):
        kibitz.game("kazink").deal(players=3, seed=1, dealer=3)


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


def refuse_move(
    state: State, move: Any, seat: Any = None, kind: type[kibitz.IllegalMove] = kibitz.IllegalMove
) -> kibitz.IllegalMove:
    """The move is refused with a reason, and nothing has changed."""
    saved, before = bytes(state), as_json(state.position())
    with pytest.raises(kibitz.IllegalMove) as caught:
        state.play(move, seat=seat)
    error = caught.value
    assert type(error) is kind
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", error.code)
    assert re.fullmatch(r"[^a-z\s].*\s.*[.\]]", error.reason, re.DOTALL), error.reason
    assert error.rule
    assert bytes(state) == saved
    assert as_json(state.position()) == before
    return error


NO_MOVES = [
    *("", " ", "?", "S", "W", "K", "pass", "draw", "swap", "discard", "shift", "place", "swap ?", "S ?"),
    *("S a7", "S e1", "S A1", "s a1", "S  a1", " S a1", "S a1 ", "Sa1", "S a1 1", "S a1 b2", "S a0", "S 1a"),
    *("U a1", "U ", "u", "stay a1", "Stay", "place", "place a7", "place S a1", "place a1 1", "crown a1"),
    *("shift a1 b2", "shift a1 b2 0", "shift a1 b2 3", "shift a1 a1 1", "shift a1 b2 1 1", "shift a1 2"),
    *("swap W", "swap U", "swap K", "swap S S", "discard X", "discard", "discard S H"),
    *("S a1\nH b1", "S a１", "\x00", "S a1" * 10_000),
]


@pytest.mark.parametrize("text", NO_MOVES, ids=lambda text: repr(text)[:24])
def test_a_text_that_is_no_move_is_refused(text: str) -> None:
    refuse_move(start("S H W U K"), text)
    refuse_move(start("S", {"a1": "YY", "b2": "Y"}, discard="U", phase="shift"), text)
    refuse_move(start("S", {"a1": "YY", "b2": "Y"}, discard="U", phase="place"), text)


@pytest.mark.parametrize("thing", [None, 10**6, -1, HUGE, 1.0, True, False, b"S a1", ["S a1"], {}, object()])
def test_a_thing_that_is_no_move_is_refused(thing: Any) -> None:
    refuse_move(start("S H W"), thing)


SHIFT: dict[str, Any] = {"discard": "U", "phase": "shift"}
PLACE: dict[str, Any] = {"discard": "U", "phase": "place"}
SMALL_FOR_THREE = position("S W", others=["S", "S"], options={"board": "20"})

# What is refused, and the rule that is named: a chapter or a ruling.
REFUSED: dict[str, tuple[Position, str, str, str]] = {
    # A suit card, a wild, a crown card
    "not in hand": (position("H"), "S a1", "not-in-hand", "turn"),
    "in another hand": (position("H", others=["S"]), "S a1", "not-in-hand", "turn"),
    "no wild": (position("S"), "W a1", "not-in-hand", "turn"),
    "no crown card": (position("S"), "K a1", "not-in-hand", "turn"),
    "no double-up": (position("S"), "U", "not-in-hand", "turn"),
    "another suit's space": (position("S"), "S b1", "other-suit", "play"),
    "on an opponent's": (position("S", {"a1": "YB"}), "S a1", "not-all-covered", "play"),
    "on the other team's": (
        position("S", {"a1": "YB"}, others=["S", "S", "S"]),
        "S a1",
        "not-all-covered",
        "play",
    ),
    "a suit card on a crown": (position("S", crowned("a1")), "S a1", "crowned", "play"),
    "a suit card on another's crown": (position("S", crowned("a1", "B")), "S a1", "crowned", "play"),
    "a wild on a crown": (position("W", {"a1": "Y*"}), "W a1", "crowned", "play"),
    "a crown on a crown": (position("K", {"a1": "Y*"}), "K a1", "crowned", "play"),
    "a suit card on a bordered space": (position("H"), "H a6", "not-in-this-game", "Z10"),
    "a wild on a bordered space": (position("W"), "W a6", "not-in-this-game", "Z10"),
    "on the smaller board's": (position("W", options={"board": "20"}), "W a5", "not-in-this-game", "Z10"),
    "off the smaller board": (SMALL_FOR_THREE, "W a6", "not-on-this-board", "board"),
    "a suit card off it": (SMALL_FOR_THREE, "S a6", "not-on-this-board", "board"),
    "off it with two": (position("W", options={"board": "20"}), "W a6", "not-on-this-board", "board"),
    "shifts off it": (SMALL_FOR_THREE | {"phase": "shift"}, "shift a1 d6 1", "not-on-this-board", "board"),
    "places off it": (SMALL_FOR_THREE | {"phase": "place"}, "place d6", "not-on-this-board", "board"),
    "a card without chips": (position("S", NO_CHIPS), "S a4", "out-of-chips", "Z7"),
    "a wild without chips": (position("W", NO_CHIPS), "W a4", "out-of-chips", "Z7"),
    "a crown card without chips": (position("K", NO_CHIPS), "K a4", "out-of-chips", "Z7"),
    # Swapping and discarding
    "swaps what it has not": (position("H", DEAD_SPADES), "swap S", "not-in-hand", "turn"),
    "swaps what is alive": (position("H", DEAD_SPADES), "swap H", "not-dead", "Z1"),
    "swaps twice": (position("S", DEAD_SPADES, swapped=True), "swap S", "swapped-already", "Z15"),
    "discards what it has not": (position("H"), "discard S", "not-in-hand", "turn"),
    "discards what can be played": (position("S"), "discard S", "can-be-played", "Z2"),
    "discards a dead card beside": (position("S H", DEAD_SPADES), "discard S", "can-be-played", "Z2"),
    # A double-up
    "shifts without": (
        position("U", {"a1": "Y", "b1": "Y"}),
        "shift a1 b1 1",
        "no-double-up-yet",
        "double-up",
    ),
    "stays without": (position("U"), "stay", "no-double-up-yet", "double-up"),
    "places without": (position("U"), "place a1", "no-double-up-yet", "double-up"),
    "plays a card before shifting": (position("S", **SHIFT), "S a1", "shift-first", "Z11"),
    "places before shifting": (position("S", **SHIFT), "place a1", "shift-first", "Z11"),
    "swaps before shifting": (position("S", DEAD_SPADES, **SHIFT), "swap S", "shift-first", "Z11"),
    "shifts to nothing": (position("S", {"a1": "Y"}, **SHIFT), "shift a1 b1 1", "not-onto-yours", "Z4"),
    "shifts to another": (
        position("S", {"a1": "Y", "b1": "YB"}, **SHIFT),
        "shift a1 b1 1",
        "not-onto-yours",
        "Z4",
    ),
    "shifts another's": (
        position("S", {"a1": "YB", "b1": "Y"}, **SHIFT),
        "shift a1 b1 1",
        "not-your-chips",
        "double-up",
    ),
    "shifts from nothing": (
        position("S", {"b1": "Y"}, **SHIFT),
        "shift a1 b1 1",
        "not-your-chips",
        "double-up",
    ),
    "shifts two of one": (
        position("S", {"a1": "BY", "b1": "Y"}, **SHIFT),
        "shift a1 b1 2",
        "only-one-chip",
        "double-up",
    ),
    "shifts from a crown": (
        position("S", crowned("a1") | {"b1": "Y"}, **SHIFT),
        "shift a1 b1 1",
        "crowned",
        "double-up",
    ),
    "shifts to a crown": (
        position("S", crowned("a1") | {"b1": "Y"}, **SHIFT),
        "shift b1 a1 1",
        "crowned",
        "double-up",
    ),
    "shifts off the board": (
        position("S", {"a1": "Y"}, **SHIFT),
        "shift a1 a6 1",
        "not-in-this-game",
        "Z10",
    ),
    "stays after shifting": (position("S", **PLACE), "stay", "place-first", "double-up"),
    "shifts again": (
        position("S", {"a1": "Y", "b1": "Y"}, **PLACE),
        "shift a1 b1 1",
        "place-first",
        "double-up",
    ),
    "plays a card instead": (position("S", **PLACE), "S a1", "place-first", "double-up"),
    "places on a crown": (position("S", crowned("a1"), **PLACE), "place a1", "crowned", "double-up"),
    "places off the board": (position("S", **PLACE), "place a6", "not-in-this-game", "Z10"),
    # What is no move anywhere
    "a double-up with a space": (position("U"), "U a1", "double-up-alone", "notation"),
    "discards a double-up": (position("U", NO_CHIPS), "discard U", "double-up-discarded", "Z7"),
    "swaps a wild": (position("W"), "swap W", "never-dead", "Z1"),
    "no such space": (position("S"), "S e9", "no-such-space", "notation"),
    "shifts three": (position("S", **SHIFT), "shift a1 b1 3", "one-or-two", "double-up"),
    "shifts in place": (position("S", **SHIFT), "shift a1 a1 1", "two-spaces", "double-up"),
    "nonsense": (position("S"), "nonsense", "unknown-move", "notation"),
}


@pytest.mark.parametrize(("made", "move", "code", "rule"), REFUSED.values(), ids=REFUSED)
def test_a_move_the_rules_refuse_names_its_rule(made: Position, move: str, code: str, rule: str) -> None:
    error = refuse_move(state_of(made), move)
    assert (error.code, error.rule) == (code, rule)


def test_every_refusal_of_the_words_is_shown() -> None:
    words = json.loads((FOLDER / "words.en.json").read_text(encoding="utf-8"))
    named = {key.removeprefix("refusal.") for key in words if key.startswith("refusal.")}
    assert named - {code for _, _, code, _ in REFUSED.values()} == set()


@pytest.mark.parametrize(("made", "move"), [case[:2] for case in REFUSED.values()], ids=REFUSED)
def test_the_twin_refuses_it_too(made: Position, move: str) -> None:
    assert move not in legal_moves(made)


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


def test_only_the_seat_whose_turn_it_is_moves() -> None:
    refuse_move(start("S"), "S a1", seat=1, kind=kibitz.NotYourTurn)
    refuse_move(start("S"), "nonsense", seat=1, kind=kibitz.NotYourTurn)
    for seat in (2, -1):
        refuse_move(start("S"), "S a1", seat=seat, kind=kibitz.NotYourTurn)


def test_nobody_moves_when_the_game_is_over() -> None:
    refuse_move(state_of(finished()), "S b2", kind=kibitz.GameOver)


def test_a_game_goes_on_after_a_refused_move() -> None:
    state = start("S H", DEAD_SPADES)
    refuse_move(state, "S a1")
    state.play("H b1")
    assert [str(move) for move in state.history] == ["H b1"]
