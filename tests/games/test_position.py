"""What holds of every game's positions: they are plain JSON, and a state read from one answers as it does."""

import json
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

import kibitz
from kibitz.core.state import State
from tests.games.bad_input import Position

pytestmark = pytest.mark.interpreted

KEYS = ["game", "options", "players", "round", "turn", "phase", "scores", "over", "winners", "moves"]
NAMES = kibitz.games()
POSITIONS: dict[str, list[Position]] = {
    name: import_module(f"tests.games.{name}.test_position").POSITIONS for name in NAMES
}
EACH = pytest.mark.parametrize(
    "made",
    [
        pytest.param(made, id=f"{name} {number}")
        for name in NAMES
        for number, made in enumerate(POSITIONS[name])
    ],
)


def state_of(made: Position) -> State:
    return kibitz.game(made["game"]).from_position(made, seed=1)


def text_of(made: Position) -> str:
    """A position as JSON, by which true isn't 1, nor one order of the keys another."""
    return json.dumps(made)


def parts_of(value: Any) -> Iterator[Any]:
    """All that a position has in it, piece by piece."""
    yield value
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from parts_of(part)


def backwards(value: Any) -> Any:
    """The same with the keys of each object in the other order."""
    if isinstance(value, dict):
        return {key: backwards(part) for key, part in reversed(value.items())}
    return [backwards(part) for part in value] if isinstance(value, list) else value


@EACH
def test_a_position_comes_back_as_it_was_given(made: Position) -> None:
    assert text_of(state_of(made).position()) == text_of(made)


@EACH
def test_a_position_is_plain_json(made: Position) -> None:
    state = state_of(made)
    if not state.over:
        state.play(state.legal_moves[0])
    given = state.position()
    assert json.loads(text_of(given)) == given
    assert {type(part) for part in parts_of(given)} <= {dict, list, str, int, bool, type(None)}


@EACH
def test_the_order_of_the_keys_given_does_not_matter(made: Position) -> None:
    assert text_of(state_of(backwards(made)).position()) == text_of(made)


@EACH
def test_a_position_begins_with_the_keys_that_every_game_has(made: Position) -> None:
    assert list(made)[: len(KEYS)] == KEYS
    assert list(made["options"]) == [option.name for option in kibitz.game(made["game"]).options]


@EACH
def test_the_state_answers_as_its_position_does(made: Position) -> None:
    state = state_of(made)
    assert [state.turn, state.phase, state.round] == [made["turn"], made["phase"], made["round"]]
    assert [state.over, list(state.scores), list(state.winners)] == [
        made["over"],
        made["scores"],
        made["winners"],
    ]


@EACH
def test_bytes_read_back_as_they_were_written(made: Position) -> None:
    state = state_of(made)
    assert bytes(state.game.from_bytes(bytes(state))) == bytes(state)


@EACH
def test_the_legal_moves_are_each_once_in_ascending_order_of_their_ids(made: Position) -> None:
    moves = state_of(made).legal_moves
    assert isinstance(moves, tuple)
    assert [move.id for move in moves] == sorted({move.id for move in moves})
    assert len({str(move) for move in moves}) == len(moves)


@EACH
def test_a_move_may_be_given_as_text_as_a_move_or_as_its_id(made: Position) -> None:
    for move in state_of(made).legal_moves:
        after = []
        for given in (str(move), move, move.id):
            state = state_of(made)
            state.play(given)
            after.append(text_of(state.position()))
        assert after[0] == after[1] == after[2]


@EACH
def test_undo_takes_one_move_back(made: Position) -> None:
    state = state_of(made)
    saved = bytes(state)
    for move in state.legal_moves:
        state.play(move)
        assert bytes(state) != saved
        state.undo()
        assert bytes(state) == saved
        assert text_of(state.position()) == text_of(made)


@EACH
def test_a_copy_goes_its_own_way(made: Position) -> None:
    state = state_of(made)
    other = state.copy()
    assert bytes(other) == bytes(state)
    if not state.over:
        other.play(other.legal_moves[0])
        assert text_of(other.position()) != text_of(made)
    assert text_of(state.position()) == text_of(made)


@pytest.mark.parametrize("name", NAMES)
def test_a_given_position_is_not_changed_or_kept(name: str) -> None:
    made = json.loads(text_of(POSITIONS[name][0]))
    state = state_of(made)
    state.play(state.legal_moves[0])
    assert text_of(made) == text_of(POSITIONS[name][0])
    before = text_of(state.position())
    for part in parts_of(made):
        if isinstance(part, list):
            part.clear()
    assert text_of(state.position()) == before


@pytest.mark.parametrize(
    ("name", "option"), [(name, option.name) for name in NAMES for option in kibitz.game(name).options]
)
def test_an_option_that_is_not_given_has_its_default(name: str, option: str) -> None:
    defaults = {each.name: each.default for each in kibitz.game(name).options}
    made = POSITIONS[name][0] | {"options": defaults}
    given = made | {"options": {key: value for key, value in defaults.items() if key != option}}
    assert text_of(state_of(given).position()) == text_of(made)


@pytest.mark.parametrize("name", NAMES)
def test_every_move_has_a_notation_of_its_own(name: str) -> None:
    game = kibitz.game(name)
    texts = [str(move) for move in game.moves]
    assert len(set(texts)) == len(texts) == game.num_moves
    assert all(game.move(text) == move for text, move in zip(texts, game.moves, strict=True))
    assert not any("?" in text for text in texts)
