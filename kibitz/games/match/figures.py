"""What follows from a view of MATCH!: what fits, what binds, and what collections count."""

from collections.abc import Sequence
from typing import Literal, TypedDict

from kibitz.core.views import Card
from kibitz.games.match.rules import CALLS, CARDS, NUMBER
from kibitz.games.match.views import View


class Play(TypedDict):
    """Where a hand card may go now: on the discard pile, to the collection, or (a joker) with a call."""

    move: str | None  # None: it takes a call
    way: Literal["match", "collect", "call"]
    points: int  # that it adds to the collection


class Figures(TypedDict):
    """What follows from a view of MATCH!"""

    prompt: str  # the message that says what can be done now
    asked: list[str]  # what fits: a colour and a number, or what was called
    worths: list[int]  # of the seats' collections, buried cards too
    plays: dict[Card, Play]  # of the hand's cards that may be played now
    binding: list[Card]  # tops of the own collection that fit: nothing may be collected
    calls: list[str]  # that a joker may make now


def figures(view: View, seat: int | None, moves: Sequence[str]) -> Figures:
    """What fits and what counts, from what a seat sees."""
    words = [move.split(" ") for move in moves]
    return {
        "prompt": prompt(view, moves),
        "asked": asked(view),
        "worths": [worth(collection) for collection in view["collections"]],
        "plays": plays(moves),
        "binding": [card for _, card, *source in words if source],
        "calls": [call for verb, call, *_ in words if verb == "wild"],
    }


def prompt(view: View, moves: Sequence[str]) -> str:
    """What can be done: playing and collecting, or the one that is left."""
    phase, collects = f"phase.{view['phase']}", {move.startswith("collect") for move in moves}
    if len(collects) != 1:
        return phase
    return f"{phase}.collect" if collects.pop() else f"{phase}.match"


def asked(view: View) -> list[str]:
    """A card fits that has the colour or the number of the top card, or what was called."""
    if view["called"] is not None:
        return [view["called"]]
    top = view["discard"][-1]
    return [call for call in CALLS if call is not None and call in top]


def worth(collection: dict[str, list[Card]]) -> int:
    """The sum of all cards, also of buried ones."""
    return sum(int(NUMBER[CARDS.numbers[card]]) for pile in collection.values() for card in pile)


def plays(moves: Sequence[str]) -> dict[Card, Play]:
    """What each hand card may do."""
    found: dict[Card, Play] = {}
    for move in moves:
        match move.split(" "):
            case ["match", card]:
                found[card] = {"move": move, "way": "match", "points": 0}
            case ["collect", card]:
                found[card] = {"move": move, "way": "collect", "points": int(NUMBER[CARDS.numbers[card]])}
            case ["wild", _]:
                found["W"] = {"move": None, "way": "call", "points": 0}
    return found
