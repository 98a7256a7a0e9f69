"""Positions of Cover Your Assets for the tests, written out by what is special about them."""

from collections import Counter
from copy import deepcopy
from typing import Any

import msgspec

import kibitz
from kibitz.core.state import State
from tests.games.assets.naive import OPTIONS, Position, cards_of

# In the order in which a position gives them.
KEYS = [
    *("game", "options", "players", "round", "turn", "phase", "scores", "over", "winners", "moves"),
    *("hands", "stacks", "deck", "discard", "limits", "dealer", "duel"),
]
DEFAULTS: dict[str, Any] = {
    "target": 1000000,
    "rounds": None,
    "hand": 4,
    "deck": "first",
    "dealer": "random",
    "forgetful": False,
}
assert list(DEFAULTS) == OPTIONS


def position(
    hands: list[str],
    stacks: list[str] | None = None,
    discard: str = "",
    deck: str | None = None,
    **changes: Any,
) -> Position:
    """A valid position of which hands, stacks, discard pile and deck are given as words.

    Sets of a stack are separated by `|`: `home home | auto gold`. Without a deck, all cards that are named
    nowhere lie in it, in the order of the card table; a deck that is given (its top card last) leaves the
    rest at the bottom of the discard pile. `options` may be given in part.
    """
    options = DEFAULTS | changes.pop("options", {})
    players = len(hands)
    made: Position = {
        "game": "assets",
        "options": options,
        "players": players,
        "round": 1,
        "turn": 0,
        "phase": "turn",
        "scores": [0] * players,
        "over": False,
        "winners": [],
        "moves": 0,
        "hands": [hand.split() for hand in hands],
        "stacks": [stack_of(stack) for stack in stacks or [""] * players],
        "deck": [],
        "discard": [],
        "limits": [options["hand"]] * players,
        "dealer": players - 1,
        "duel": None,
    }
    unknown = changes.keys() - made.keys()
    if unknown:
        raise KeyError(f"a position has no {', '.join(sorted(unknown))}")
    made = deepcopy(made | changes)
    rest = Counter(cards_of(options["deck"]))
    rest.subtract(named_cards(made))
    rest.subtract(discard.split())
    rest.subtract((deck or "").split())
    assert min(rest.values()) >= 0, "more cards than the deck has"
    made["deck"] = list(rest.elements()) if deck is None else deck.split()
    made["discard"] = discard.split() if deck is None else [*rest.elements(), *discard.split()]
    return made


def stack_of(text: str) -> list[dict[str, Any]]:
    sets = [cards.split() for cards in text.split("|") if cards.strip()]
    return [{"asset": cards[0], "cards": cards} for cards in sets]


def named_cards(made: Position) -> list[str]:
    """The cards in hands, stacks and duel."""
    cards = [card for hand in made["hands"] for card in hand]
    cards += [card for stack in made["stacks"] for one_set in stack for card in one_set["cards"]]
    if made["duel"]:
        cards += [card for shown in made["duel"]["shown"] for card in shown]
    return cards


def all_cards(made: Position) -> list[str]:
    return [*named_cards(made), *made["deck"], *made["discard"]]


def duel(thief: int, victim: int, thiefs: str, victims: str = "") -> dict[str, Any]:
    """As the key `duel` has it."""
    return {"thief": thief, "victim": victim, "shown": [thiefs.split(), victims.split()]}


def finished(**changes: Any) -> Position:
    """A one-round game that is over: seat 0 has 40,000, seat 1 has 30,000."""
    ended = {
        "options": {"rounds": 1},
        "turn": None,
        "phase": "over",
        "over": True,
        "winners": [0],
        "scores": [40000, 30000],
        "moves": 90,
        "deck": "",
    }
    return position(["", ""], ["home home", "auto auto"], **ended | changes)


def start(*args: Any, **changes: Any) -> State:
    """The engine's state of `position(...)`."""
    return state_of(position(*args, **changes))


def state_of(made: Position) -> State:
    return kibitz.game("assets").from_position(made, seed=1)


def moves(state: State) -> set[str]:
    """The legal moves in notation."""
    return {str(move) for move in state.legal_moves}


def played(state: State, *texts: str) -> Position:
    """The position after some moves."""
    for text in texts:
        state.play(text)
    return state.position()


def as_json(made: object) -> bytes:
    """As text, so that 1 and true differ, and the order of keys counts."""
    return msgspec.json.encode(made)
