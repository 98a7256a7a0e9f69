"""How a refusal is asked for, and the cases that each game brings to the tests of what every game refuses."""

import json
import re
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import pytest

import kibitz
from kibitz.core.state import State

Position = dict[str, Any]
# By what is wrong: a position, the text of a move; the code of its refusal, and the rule that is named.
Refused = dict[str, tuple[Position, str, str, str]]
HUGE = 10**30


@dataclass(frozen=True)
class Cases:
    """One game's. The first of the right positions is for two, and seat 0 is in turn; the last is over."""

    right: tuple[Position, ...]
    wrong_values: dict[str, list[Any]]  # by key: what can't stand there in the first position
    also_named: dict[str, list[str]]  # by key: others that may be named in its stead
    wrong_ends: list[tuple[Position, list[str]]]  # what the last position can't have; the keys to be named
    wrong_options: list[dict[str, Any]]
    no_moves: str  # texts that are no moves anywhere, commas between them
    refused: Refused


def refuse_position(made: Any, *keys: str, game: str = "") -> kibitz.KibitzError:
    """It is refused, by a message that names (one of) the keys and what was expected; and not changed."""
    given = deepcopy(made)
    with pytest.raises((kibitz.BadPosition, kibitz.BadOptions)) as caught:
        kibitz.game(game or made["game"]).from_position(made)
    error = caught.value
    assert made == given
    assert any(re.search(rf"\b{key}\b", error.reason) for key in keys), error.reason
    assert re.search(r"expected \S+", error.reason), error.reason
    assert str(error) == error.reason
    assert re.fullmatch(r"[a-z]+(-[a-z]+)+", error.code)
    return error


def refuse_move(
    state: State, move: Any, seat: Any = None, kind: type[kibitz.IllegalMove] = kibitz.IllegalMove
) -> kibitz.IllegalMove:
    """The move is refused with a reason, and nothing has changed."""
    before = all_of(state)
    with pytest.raises(kibitz.IllegalMove) as caught:
        state.play(move, seat=seat)
    error = caught.value
    assert type(error) is kind
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", error.code)
    assert re.fullmatch(r"(p\d |[^a-z\s]).*\s.*[.\]]", error.reason, re.DOTALL), error.reason
    assert error.rule
    assert all_of(state) == before
    return error


def all_of(state: State) -> tuple[Any, ...]:
    return bytes(state), json.dumps(state.position()), state.history, state.legal_moves
