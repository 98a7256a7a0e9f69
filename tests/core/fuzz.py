"""Calls of the public API with what nobody would pass, in a process that may die of it: `test_fuzz` watches.

`python -m tests.core.fuzz GAME SEED CASES`. Each case is told on stdout before it is tried, so that the last
line names the one that killed the process. A KibitzError is an answer; any other exception ends the run.
"""

import copy
import faulthandler
import random
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import kibitz
from kibitz.core.game import Game
from kibitz.core.state import Observation, State
from tests import tiny

MOST_MOVES = 12  # that are played on from what was taken
NUMBERS = (-(2**63), -129, -128, -2, -1, 0, 1, 2, 3, 7, 8, 126, 127, 128, 255, 32767, 2**31, 2**63, 2**70)
OTHERS: tuple[Any, ...] = (None, True, False, 0.5, "", "?", "p0", "nonsense", [], {}, [1], {"a": 1})


def a_state(game: Game, chooser: random.Random) -> State:
    """Somewhere in a random game."""
    state = game.deal(chooser.choice(game.players), chooser.randrange(1000))
    for _ in range(chooser.randrange(40)):
        if not state.over:
            state.play(chooser.choice(state.legal_moves))
    return state


# What is passed


def wrong_bytes(game: Game, chooser: random.Random) -> bytes:
    """A state's bytes with some changed, a field set to one number, or parts of another state."""
    data = bytearray(bytes(a_state(game, chooser)))
    match chooser.randrange(4):
        case 0:
            for _ in range(chooser.choice((1, 1, 2, 8))):
                data[chooser.randrange(len(data))] = chooser.choice(
                    (0, 1, 2, 127, 128, 255, chooser.randrange(256))
                )
        case 1:
            record = np.frombuffer(data, game.rules.STATE)[0]
            field = chooser.choice(game.layout.fields)
            places = record[field.name].reshape(-1) if record[field.name].ndim else None
            value = chooser.choice(
                (field.least, field.greatest, chooser.randint(field.least, field.greatest))
            )
            if places is None:
                record[field.name] = value
            else:
                places[chooser.randrange(len(places))] = value
        case 2:
            other, cut = bytes(a_state(game, chooser)), chooser.randrange(len(data))
            data[cut:] = other[cut:]
        case _:
            data = bytearray(chooser.randbytes(len(data)))
    return bytes(data)


def changed(value: Any, chooser: random.Random, changes: int) -> Any:
    """A JSON value with some of its parts replaced, left out, doubled or exchanged."""
    whole = copy.deepcopy(value)
    for _ in range(changes):
        holders = [part for part in parts_of(whole) if part]
        holder = chooser.choice(holders)
        key = chooser.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
        match chooser.randrange(6):
            case 0:
                holder[key] = chooser.choice(NUMBERS)
            case 1:
                holder[key] = copy.deepcopy(chooser.choice(OTHERS))
            case 2:
                del holder[key]
            case 3 if isinstance(holder, list):
                holder.append(copy.deepcopy(holder[key]))
            case _:
                other = chooser.choice(holders)
                at = chooser.choice(list(other) if isinstance(other, dict) else range(len(other)))
                holder[key], other[at] = copy.deepcopy(other[at]), copy.deepcopy(holder[key])
    return whole


def parts_of(value: Any) -> list[Any]:
    """All lists and objects in a JSON value."""
    if not isinstance(value, dict | list):
        return []
    inner = value.values() if isinstance(value, dict) else value
    return [value, *(part for each in inner for part in parts_of(each))]


# What is called


def exercise(state: State, chooser: random.Random) -> None:
    """Look at everything, let a bot think, play on, and take it back."""
    for seat in (None, *range(state.players)):
        state.view(seat), state.view_json(seat), state.log(seat)
        think(state.observation(seat), chooser)
    state.copy(), state.hash, state.winners, state.scores, state.ending, state.phase
    assert state.game.from_bytes(bytes(state)) == state
    for _ in range(MOST_MOVES):
        if state.over:
            break
        any_moves(state, chooser)
        state.play(chooser.choice(state.legal_moves))
    while state.history:
        state.undo()


def think(observation: Observation, chooser: random.Random) -> None:
    """What a bot does with an observation."""
    assert observation.view["game"] == observation.game.name
    assert isinstance(observation.log, tuple)
    if observation.legal_moves:
        observation.imagine(1)
        if chooser.random() < 0.2:
            kibitz.bot(chooser.choice(("easy", "medium")), observation.game, seed=1, nodes=2).choose(
                observation
            )


def any_moves(state: State, chooser: random.Random) -> None:
    """Moves that may be none."""
    asked: list[Any] = [
        *chooser.sample(NUMBERS, 3),
        *chooser.sample(OTHERS, 3),
        chooser.choice(state.game.moves),
    ]
    for given in asked:
        refused(partial(state.check, given, chooser.choice((None, 0, 1, 99, -1, True))))


def refused(call: Callable[[], Any]) -> Any:
    """The answer, or None if it is a refusal."""
    try:
        return call()
    except kibitz.KibitzError:
        return None


# The run


def one_case(game: Game, kind: str, chooser: random.Random) -> None:
    """Make something wrong, pass it, and go on with what was taken."""
    match kind:
        case "bytes":
            data = wrong_bytes(game, chooser)
            taken = refused(lambda: game.from_bytes(data))
        case "position":
            position = changed(a_state(game, chooser).position(), chooser, chooser.choice((1, 1, 2, 5)))
            taken = refused(lambda: game.from_position(position, 1))
        case "view":
            state = a_state(game, chooser)
            seat = chooser.randrange(state.players)
            view = changed(state.view(seat), chooser, chooser.choice((0, 1, 1, 2)))
            log = list(state.log(seat))
            if log and chooser.random() < 0.5:
                del log[chooser.randrange(len(log))]
            seen = refused(lambda: game.observation(view, tuple(log), chooser.choice((seat, None, 0, 99))))
            if seen is not None:
                think(seen, chooser)
            return
        case _:
            taken = a_state(game, chooser)
    if taken is not None:
        exercise(taken, chooser)


def main(name: str, seed: int, cases: int) -> None:
    faulthandler.enable()
    kibitz.register(tiny.GAME)
    game = kibitz.game(name)
    for number in range(cases):
        kind = ("bytes", "position", "view", "moves")[number % 4]
        print(f"{name} {seed} {number} {kind}", flush=True)
        one_case(game, kind, random.Random(f"{name} {seed} {number}"))
    print("done", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
