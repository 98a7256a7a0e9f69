"""The types of views: what `State.view` gives, key by key. Each game's are in its `views.py`.

They are for type checkers and readers, and the page's TypeScript is written from them
(`scripts/write_types.py`); `tests/core/test_views.py` compares them with what is really given.
"""

from typing import TypedDict

from kibitz.core.options import Value

Card = str  # its code; "?" if it isn't shown


class CommonView(TypedDict):
    """What every game's view has."""

    game: str
    options: dict[str, Value]
    players: int
    round: int
    turn: int | None  # the seat that decides; None when the game is over
    phase: str
    scores: list[int]
    over: bool
    winners: list[int]  # seats; none until the game is over
    moves: int  # made in this round
