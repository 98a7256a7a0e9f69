"""What every game refuses: positions, options and moves that don't fit, each with its reason."""

import json
import re
from copy import deepcopy
from functools import cache
from importlib import import_module
from typing import Any

import pytest

import kibitz
from kibitz.core.options import ANY_SEAT
from kibitz.core.state import State
from tests.games.bad_input import HUGE, Cases, Position, refuse_move, refuse_position

pytestmark = pytest.mark.interpreted

GAMES = pytest.mark.parametrize("game", kibitz.games())
UNKNOWN_TO_TWINS = {"cash": {"not-in-box", "own-hand-full"}}  # while a twin plays an older rules version
COMMON_REFUSALS = {"over", "not-your-turn", "unknown-move", "stale"}


@cache
def cases_of(game: str) -> Cases:
    cases = import_module(f"tests.games.{game}.bad_input").CASES
    assert isinstance(cases, Cases)
    return cases


def state_of(made: Position) -> State:
    return kibitz.game(made["game"]).from_position(made, seed=1)


def shown(value: Any) -> str:
    return repr(value)[:24]


# Positions


@GAMES
def test_the_positions_that_are_spoilt_here_are_right(game: str) -> None:
    for made in cases_of(game).right:
        assert json.dumps(state_of(made).position()) == json.dumps(made)


@GAMES
def test_a_position_has_every_key(game: str) -> None:
    for made in cases_of(game).right:
        for key in made:
            refuse_position({other: made[other] for other in made if other != key}, key, game=game)


@GAMES
def test_a_position_has_no_other_key(game: str) -> None:
    refuse_position(cases_of(game).right[0] | {"tokens": []}, "tokens")


@GAMES
def test_a_position_is_an_object(game: str) -> None:
    for made in (None, 7, game, [], [["game", game]], True):
        refuse_position(made, "position", game=game)


@GAMES
def test_every_key_is_given_wrongly(game: str) -> None:
    assert list(cases_of(game).wrong_values) == list(cases_of(game).right[0])


@pytest.mark.parametrize(
    ("game", "key", "value"),
    [
        (game, key, value)
        for game in kibitz.games()
        for key, values in cases_of(game).wrong_values.items()
        for value in values
    ],
    ids=shown,
)
def test_each_key_has_its_type_and_its_bounds(game: str, key: str, value: Any) -> None:
    cases = cases_of(game)
    refuse_position(cases.right[0] | {key: value}, key, *cases.also_named.get(key, []), game=game)


@pytest.mark.parametrize(
    ("game", "wrong", "keys"),
    [(game, *wrong) for game in kibitz.games() for wrong in cases_of(game).wrong_ends],
    ids=shown,
)
def test_a_finished_position_says_so_in_all_its_keys(game: str, wrong: Position, keys: list[str]) -> None:
    refuse_position(cases_of(game).right[-1] | wrong, *keys)


# Options


@pytest.mark.parametrize(
    ("game", "options"),
    [(game, options) for game in kibitz.games() for options in cases_of(game).wrong_options],
    ids=shown,
)
def test_an_option_outside_its_values_is_refused_in_a_position_and_in_a_deal(
    game: str, options: dict[str, Any]
) -> None:
    made = deepcopy(cases_of(game).right[0])
    made["options"] |= options
    in_position = refuse_position(made, *options)
    with pytest.raises(kibitz.BadOptions) as in_deal:
        kibitz.game(game).deal(players=2, seed=1, **options)
    assert in_deal.value.reason == in_position.reason


@GAMES
def test_a_deal_is_for_as_many_players_as_the_game_has(game: str) -> None:
    least, most = kibitz.game(game).players.start, kibitz.game(game).players.stop - 1
    expected = str(least) if least == most else f"{least} to {most}"
    for players in (0, least - 1, most + 1, str(least), float(least), True):
        with pytest.raises(kibitz.BadOptions, match=rf"players.*expected {expected}\b"):
            kibitz.game(game).deal(players=players, seed=1)  # type: ignore[arg-type]


@GAMES
def test_an_option_that_is_a_seat_is_one_of_the_table(game: str) -> None:
    found = kibitz.game(game)
    (option,) = [option for option in found.options if ANY_SEAT in option.accepts]
    for players in found.players:
        last, beyond = {option.name: players - 1}, {option.name: players}
        found.checked_options(last, players)
        with pytest.raises(kibitz.BadOptions, match=option.name):
            found.checked_options(beyond, players)


# Moves


@GAMES
def test_a_text_that_is_no_move_is_refused(game: str) -> None:
    for made in cases_of(game).right[:-1]:
        for text in ("", " ", "?", "\x00", "nonsense", *cases_of(game).no_moves.split(", ")):
            refuse_move(state_of(made), text)


@GAMES
def test_a_text_is_a_move_only_as_it_is_written(game: str) -> None:
    state = state_of(cases_of(game).right[0])
    move = str(state.legal_moves[0])
    for text in (f" {move}", f"{move} ", f"{move}\n", move.upper(), f"{move} {move}", move * 10_000):
        refuse_move(state, text)


@GAMES
def test_a_thing_that_is_no_move_is_refused(game: str) -> None:
    state = state_of(cases_of(game).right[0])
    move = str(state.legal_moves[0])
    number = kibitz.game(game).num_moves
    for thing in (None, number, -1, HUGE, 1.0, True, False, move.encode(), [move], (move,), {}, object()):
        refuse_move(state, thing)


@pytest.mark.parametrize(
    ("made", "move", "code", "rule"),
    [
        pytest.param(*case, id=f"{game}: {name}")
        for game in kibitz.games()
        for name, case in cases_of(game).refused.items()
    ],
)
def test_a_move_the_rules_refuse_names_its_rule(made: Position, move: str, code: str, rule: str) -> None:
    """The twin refuses it, too; and the engine also if it is given as a move or by its number."""
    game = kibitz.game(made["game"])
    error = refuse_move(state_of(made), move)
    assert (error.code, error.rule) == (code, rule)
    twin = import_module(f"tests.games.{game.name}.naive")
    assert move not in twin.legal_moves(made) or code in UNKNOWN_TO_TWINS.get(game.name, ())
    if isinstance(number := game.text.parse_move(move), int):
        for given in (game.moves[number], number):
            assert refuse_move(state_of(made), given).reason == error.reason


@GAMES
def test_every_refusal_of_the_words_is_shown(game: str) -> None:
    words = kibitz.game(game).words("en")
    codes = {key.removeprefix("refusal.") for key in words if key.startswith("refusal.")}
    of_moves = {code for code in codes - COMMON_REFUSALS if not code.startswith("sheet-")}
    assert of_moves <= {code for _, _, code, _ in cases_of(game).refused.values()}


@GAMES
def test_a_refusal_that_names_a_ruling_ends_with_it(game: str) -> None:
    for made, move, _, rule in cases_of(game).refused.values():
        if re.fullmatch(r"[A-Z]\d+", rule):
            assert refuse_move(state_of(made), move).reason.endswith(f"[{rule}]")


@GAMES
def test_only_the_seat_whose_turn_it_is_moves(game: str) -> None:
    for made in cases_of(game).right[:-1]:
        state = state_of(made)
        for seat in (*range(state.players), state.players, -1):
            if seat != state.turn:
                for move in (state.legal_moves[0], "nonsense"):
                    refuse_move(state, move, seat=seat, kind=kibitz.NotYourTurn)


@GAMES
def test_nobody_moves_when_the_game_is_over(game: str) -> None:
    state = state_of(cases_of(game).right[-1])
    for move in (*kibitz.game(game).moves[:3], "nonsense"):
        refuse_move(state, move, kind=kibitz.GameOver)


@GAMES
def test_a_game_goes_on_after_a_refused_move(game: str) -> None:
    state = state_of(cases_of(game).right[0])
    refuse_move(state, "nonsense")
    move = state.legal_moves[-1]
    state.play(move)
    assert state.history == (move,)
