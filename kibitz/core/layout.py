"""The memory of a game: one record of fixed size whose first fields are the same in every game."""

from typing import Any

import numpy as np
import numpy.typing as npt

NOBODY = -1  # as a turn: the game is over; as an observer: a spectator
OVER = 0  # the phase of a finished game, in every game

MAX_ROUNDS = 100  # after this round a game is over: the highest total wins

Fields = list[Any]

# What kernels are passed. A game's record has fields that no type checker can know.
AnyRecord = Any
Cards = npt.NDArray[np.int8]
Moves = npt.NDArray[np.int16]
Points = npt.NDArray[np.int32]
Rng = npt.NDArray[np.uint32]  # a bot's generator: four words


def record_type(fields: Fields) -> np.dtype[np.record]:
    """A record whose fields are read as attributes, compiled and interpreted alike."""
    return np.dtype((np.record, np.dtype(fields, align=True)))  # type: ignore[return-value]


def common_fields(seats: int) -> Fields:
    """What every state has, whatever the game; `seats` is the most players it can have."""
    return [
        ("key", np.uint32, 8),  # nobody may see it: the deal's ChaCha key
        ("drawn", np.uint32),  # nobody may see it: how many words of its stream are used
        *public_fields(seats),
    ]


def public_fields(seats: int) -> Fields:
    """What everybody may see in every game: the start of a view, too."""
    return [
        ("players", np.int8),  # 2..seats
        ("turn", np.int8),  # the seat that decides now; NOBODY when over
        ("phase", np.int8),  # OVER, or one of the game's own
        ("ending", np.int8),  # why the game ended; 0 until then
        ("round_number", np.int16),  # 1..MAX_ROUNDS (a record has a method `round` of its own)
        ("moves", np.int16),  # made in this round
        ("scores", np.int32, seats),  # running totals
        ("winners", np.int8, seats),  # 1 for each winner; all 0 until over
    ]
