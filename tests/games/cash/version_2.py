"""CASH positions by the options of rules version 2."""

from collections.abc import Mapping
from typing import Any

from kibitz.core.state import State
from tests.games.cash import positions
from tests.games.cash.naive import Position
from tests.games.cash.positions import VERSION_1, VERSION_2, offered, state_of

NEW_KEYS: dict[str, Any] = {"taking": None, "spared": [], "tied": False}
SEVEN = "license license stop stop settlement settlement clear-crime"


def in_version_1(made: Position) -> Position:
    """A position of version 2 as version 1 wrote it."""
    older = {key: value for key, value in made.items() if key not in NEW_KEYS}
    older["options"] = {name: value for name, value in made["options"].items() if name not in VERSION_1}
    if made["offer"]:
        older["offer"] = {key: value for key, value in made["offer"].items() if key != "counter"}
    return older


def position(*args: Any, options: Mapping[str, Any] | None = None, **changes: Any) -> Position:
    """As `positions.position`, with the options of version 2."""
    return positions.position(*args, options=VERSION_2 | dict(options or {}), **changes)


def start(*args: Any, **changes: Any) -> State:
    """The engine's state of `position(…)`."""
    return state_of(position(*args, **changes))


def offering(**changes: Any) -> Position:
    """Seat 0 builds an offer to seat 1."""
    made = position(
        "cash-5 cash-10 stop",
        "cash-25 venture",
        others=["taxman", "crash"],
        their=["cash-50"],
        phase="offer",
        offers=1,
        offer=offered(give="cash-5", give_firm="cash-25", want="taxman", want_firm="cash-50"),
    )
    return made | changes


def proposed(**changes: Any) -> Position:
    return offering(phase="answer", turn=1) | changes


def countering(**changes: Any) -> Position:
    """Seat 1 answers an offer of seat 0 with one of its own."""
    built = offered(1, 0, counter=True, give="taxman", give_firm="cash-50", want="stop", want_firm="venture")
    return offering(turn=1, offers=2, offer=built) | changes


def taking(**changes: Any) -> Position:
    """Seat 0 has discarded a dividend and spared seat 1; seat 2 has nothing to take."""
    made = position(
        SEVEN,
        others=["cash-5", "cash-5", "cash-5"],
        their=["cash-10", "", "cash-25"],
        discard="stop dividend probe-crime",
        phase="taking",
        acted=True,
        extra=True,
        taking="dividend",
        spared=[1],
    )
    return made | changes
