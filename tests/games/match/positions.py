"""MATCH! positions for the tests, written out by what is special about them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from copy import deepcopy
from typing import Any

import msgspec

import kibitz
from kibitz.core.state import State
from tests.games.match.naive import CARD_ORDER, DECK, Position

# In the order in which a position gives them.
KEYS = [
    *("game", "options", "players", "round", "turn", "phase", "scores", "over", "winners", "moves"),
    *("hands", "collections", "deck", "discard", "called", "starter"),
]
OPTION_KEYS = ["target", "rounds", "starter"]

Piles = dict[str, list[str]]


def collection(cards: str) -> Piles:
    """`"R3 R5 B0"` as piles: R5 lies on R3."""
    piles: Piles = {}
    for colour in "RYGBP":
        if pile := [card for card in cards.split() if card[0] == colour]:
            piles[colour] = pile
    return piles


def position(
    hand: str = "R1 Y1 G1 B1 P1",
    top: str = "R2",
    own: str = "",
    others: Sequence[str] = ("R0 Y0 G0 B0 P0",),
    their: Sequence[str] = (),
    beneath: str = "",
    deck: str | None = None,
    **changes: Any,
) -> Position:
    """A valid position in which seat 0 is in turn, but for the changes.

    `hand` and `own` are seat 0's hand and collection, `others` and `their` those of the other seats;
    `beneath` lies under the top of the discard pile. The rest of the 64 cards are the deck, in card order;
    if a deck is given, they lie at the bottom of the discard pile.
    """
    hands = [in_order(hand.split()), *(in_order(other.split()) for other in others)]
    players = len(hands)
    piles = [collection(own), *(collection(cards) for cards in their)]
    piles += [{} for _ in range(players - len(piles))]
    discard = [*beneath.split(), top]
    used = [card for cards in hands for card in cards] + discard
    used += [card for piles_ in piles for pile in piles_.values() for card in pile]
    drawn = in_order(rest_of(used)) if deck is None else deck.split()
    if deck is not None:
        discard = [*in_order(rest_of(used + drawn)), *discard]
    options = {"target": 50, "rounds": None, "starter": "random"} | changes.pop("options", {})
    made: Position = {
        "game": "match",
        "options": options,
        "players": players,
        "round": 1,
        "turn": 0,
        "phase": "play",
        "scores": [0] * players,
        "over": False,
        "winners": [],
        "moves": 0,
        "hands": hands,
        "collections": piles,
        "deck": drawn,
        "discard": discard,
        "called": None,
        "starter": 0,
    }
    unknown = changes.keys() - made.keys()
    if unknown:
        raise KeyError(f"a position has no {', '.join(sorted(unknown))}")
    return deepcopy(made | changes)


def nothing_to_draw(hand: str, top: str, **changes: Any) -> Position:
    """Deck and discards are used up: every card but the top is in a hand or a collection."""
    other = changes.pop("other", "R0")
    used = [*hand.split(), *other.split(), top, *changes.get("own", "").split()]
    left = rest_of(used)
    jokers = " W" * left.count("W")
    their = " ".join(card for card in left if card != "W")
    made = position(hand, top, others=[other + jokers], their=[their], **changes)
    assert made["deck"] == []
    assert len(made["discard"]) == 1
    return made


def finished(scores: Sequence[int] = (52, 17), **changes: Any) -> Position:
    """A game that is over because of the target."""
    best = max(scores)
    ended = {
        "turn": None,
        "phase": "over",
        "over": True,
        "winners": [seat for seat, score in enumerate(scores) if score == best],
        "moves": 31,
        "round": 3,
        "scores": list(scores),
    }
    return position(**{"hand": "", "own": "R5 R3 B4"} | ended | changes)


def rest_of(used: Iterable[str]) -> list[str]:
    """The cards of the box that are not used."""
    left = Counter(DECK)
    left.subtract(Counter(used))
    assert min(left.values()) >= 0, "more cards than the box has"
    return list(left.elements())


def in_order(cards: Iterable[str]) -> list[str]:
    return sorted(cards, key=CARD_ORDER.index)


def start(*args: Any, **changes: Any) -> State:
    """The engine's state of `position(…)`."""
    return state_of(position(*args, **changes))


def state_of(made: Position) -> State:
    return kibitz.game("match").from_position(made, seed=1)


def moves(state: State) -> set[str]:
    """The legal moves in notation."""
    return {str(move) for move in state.legal_moves}


def as_json(made: object) -> bytes:
    """As text, so that 1 and true differ, and the order of keys counts."""
    return msgspec.json.encode(made)


ALL_CALLS = {f"wild {call}" for call in "RYGBP012345"}
