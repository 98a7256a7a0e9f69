"""Kazink! positions for the tests, written out by what is special about them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from copy import deepcopy
from typing import Any

import msgspec

import kibitz
from kibitz.core.state import State
from tests.games.kazink.naive import DECK, Position, colour_chips, count_up, divides, in_order, usable

OPTION_KEYS = ["board", "dealer", "hand", "pool"]
DEFAULTS: dict[str, Any] = {"board": "24", "dealer": "random", "hand": 3, "pool": "divided"}


def position(
    hand: str = "S H D",
    board: dict[str, str] | None = None,
    others: Sequence[str] = ("S H D",),
    deck: str | None = None,
    discard: str = "",
    **changes: Any,
) -> Position:
    """A valid position in which seat 0 (yellow) is in turn, but for the changes.

    `board` has the chips of a space, bottom first. Three of a colour on top are a crown; so is a space whose
    chips are followed by `*`, as a crown card makes it. `others` are the hands of the other seats. The rest
    of the 54 cards are the deck, in card order; if a deck is given, they lie at the bottom of the discards.
    Partners have used as many chips, or seats 0 and 1 one less than theirs.
    """
    hands = [in_order(hand.split()), *(in_order(other.split()) for other in others)]
    players = len(hands)
    discards = discard.split()
    used = [card for cards in hands for card in cards] + discards
    drawn = rest_of(used) if deck is None else deck.split()
    if deck is not None:
        discards = [*rest_of(used + drawn), *discards]
    made: Position = {
        "game": "kazink",
        "options": DEFAULTS | changes.pop("options", {}),
        "players": players,
        "round": 1,
        "turn": 0,
        "phase": "turn",
        "scores": [],
        "over": False,
        "winners": [],
        "moves": 0,
        "board": {},
        "crowns": {},
        "hands": hands,
        "deck": drawn,
        "discard": discards,
        "chips": {},
        "rows": {},
        "dealer": players - 1,
        "swapped": False,
        "idle": 0,
        "seat_chips": [],
    }
    lay_chips(made, board or {})
    count_up(made)
    if divides(made):
        made["seat_chips"] = [(colour_chips(made, seat) + (seat < 2)) // 2 for seat in range(players)]
    unknown = changes.keys() - made.keys()
    if unknown:
        raise KeyError(f"a position has no {', '.join(sorted(unknown))}")
    return deepcopy(made | changes)


def lay_chips(made: Position, board: dict[str, str]) -> None:
    spaces = usable(made)
    assert set(board) <= set(spaces), "spaces that can't be used"
    for space in spaces:
        chips = board.get(space, "").rstrip("*")
        if chips:
            made["board"][space] = chips
        if chips != board.get(space, "") or chips[-3:] in ("YYY", "BBB", "RRR"):
            made["crowns"][space] = chips[-1]


def in_version_1(made: Position) -> Position:
    """A position as version 1 wrote it: partners share a pool, and nothing is said of it."""
    older = {key: value for key, value in made.items() if key != "seat_chips"}
    return older | {"options": {name: value for name, value in made["options"].items() if name != "pool"}}


def crowned(spaces: str, colour: str = "Y") -> dict[str, str]:
    """A crown of three chips on each of the spaces."""
    return dict.fromkeys(spaces.split(), 3 * colour)


def full(chips: Sequence[str], players: int = 2, **spaces: str) -> dict[str, str]:
    """Every usable space carries chips, these in turn, but for the spaces that are named."""
    made = {"options": DEFAULTS, "players": players}
    filled = {space: chips[i % len(chips)] for i, space in enumerate(usable(made))}
    return {space: held for space, held in (filled | spaces).items() if held}


def patchwork(players: int = 2, **spaces: str) -> dict[str, str]:
    """Every usable space is crowned in colours that make no row, but for the spaces that are named."""
    made = {"options": DEFAULTS, "players": players}
    filled = {space: f"{patch(space)}*" for space in usable(made)}
    return {space: held for space, held in (filled | spaces).items() if held}


def patch(space: str) -> str:
    """A colour for each space of the board, so that three in a line never have one."""
    return "YB"[(int(space[1]) // 2 + "abcd".index(space[0])) % 2]


def many(colour: str, chips: int, *spaces: str, under: str) -> dict[str, str]:
    """So many chips of a colour, spread over the spaces, each with one of `under` beneath it."""
    stacks = dict.fromkeys(spaces, "")
    for i in range(chips):
        stacks[spaces[i % len(spaces)]] += under + colour
    return stacks


# With two players the spades are dead if these are crowned: no three of a colour are in a line.
DEAD_SPADES = crowned("a1 d3") | crowned("b2 a4 c5", "B")
DEAD_HEARTS = crowned("b1 d5") | crowned("a2 c3 b4", "B")
# Yellow has no chip left, blue one.
NO_CHIPS = many("Y", 35, "a1", "b1", "c1", under="B") | {"d1": "Y"}


def finished(**changes: Any) -> Position:
    """A game that yellow has won by two rows, with a card in hand less than blue."""
    ended = {"turn": None, "phase": "over", "over": True, "winners": [0], "moves": 41}
    board = crowned("a1 a2 a3 a4 a5") | {"b1": "BY", "c1": "B"}
    return position(**{"hand": "S H", "board": board} | ended | changes)


def rest_of(used: Iterable[str]) -> list[str]:
    """The cards of the box that are not used."""
    left = Counter(DECK)
    left.subtract(Counter(used))
    assert min(left.values()) >= 0, "more cards than the box has"
    return list(left.elements())


def start(*args: Any, **changes: Any) -> State:
    """The engine's state of `position(…)`."""
    return state_of(position(*args, **changes))


def state_of(made: Position) -> State:
    return kibitz.game("kazink").from_position(made, seed=1)


def moves(state: State) -> set[str]:
    """The legal moves in notation."""
    return {str(move) for move in state.legal_moves}


def played(state: State, *moves: str) -> Position:
    """The position after the moves."""
    for move in moves:
        state.play(move)
    return state.position()


def as_json(made: object) -> bytes:
    """As text, so that 1 and true differ, and the order of keys counts."""
    return msgspec.json.encode(made)
