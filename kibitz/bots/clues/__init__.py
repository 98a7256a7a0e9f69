"""What rivals betray of their hands by what they do: a module for each game reads the signs of it.

A sign speaks for or against a card in a rival's hand: that it would have fitted, say, when its owner did
without such a card. How much likelier than by chance a card is there is the exponential of the signs'
weighted sum; the weights were fitted to hands of bots of all levels (`python -m bench.clues`). A hand is as
likely as its cards are, multiplied.

Only what the seat was shown is read, so that worlds that look alike to it have the same clues.
"""

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module, resources
from importlib.util import find_spec
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from kibitz.core.cards import CardCodes
from kibitz.core.chance import chance
from kibitz.core.events import AnyEvent, RoundBegan
from kibitz.core.layout import HIDDEN, Rng
from kibitz.core.state import Observation

LONG = 8  # turns: what is held so long is held on purpose
WEIGHTS = resources.files(__package__) / "weights.json"
CHOSEN_FROM = 10  # states that are imagined for each that is believed in

Signs = Mapping[str, float]  # of one card in one hand: how strong each sign is, mostly 0 to 1
Hands = Mapping[int, Mapping[str, Signs]]  # by rival and card
Odds = Mapping[int, Mapping[str, float]]
Worlds = npt.NDArray[Any]  # states as the rules' own records


@dataclass(frozen=True)
class Clues:
    """What a game's module tells."""

    names: tuple[str, ...]  # of the signs
    cards: CardCodes
    read: Callable[[Observation], Hands]


@cache
def clues_of(name: str) -> Clues | None:
    """Those of the module of a game's name, if there is one."""
    module = f"{__name__}.{name}"
    if not find_spec(module):
        return None
    told: Clues = import_module(module).CLUES
    return told


def odds(seen: Observation) -> Odds:
    """How much likelier than by chance each card is in each rival's hand; nothing where nobody knows."""
    clues = clues_of(seen.game.name)
    if clues is None:
        return {}
    weights = weights_of(seen.game.name, seen.view["players"])
    return {
        seat: {
            card: math.exp(sum(weights[sign] * there for sign, there in signs.items()))
            for card, signs in cards.items()
        }
        for seat, cards in clues.read(seen).items()
    }


def likelihoods(seen: Observation, worlds: Worlds) -> npt.NDArray[np.float64]:
    """How likely each imagined state is, by its hands, beside the others."""
    clues = clues_of(seen.game.name)
    if clues is None:
        return np.ones(len(worlds))
    logs = np.zeros(len(worlds))
    for seat, cards in odds(seen).items():
        by_number = np.ones(len(clues.cards.names))
        for card, likelier in cards.items():
            by_number[clues.cards.numbers[card]] = likelier
        logs += np.log(by_number)[worlds["hands"][:, seat]].sum(axis=1)
    found: npt.NDArray[np.float64] = np.exp(logs - logs.max())
    return found


def likely_worlds(seen: Observation, count: int, rng: Rng) -> Worlds:
    """So many states that a seat may be in: by what rivals did, too, where that tells something."""
    rules, told = seen.game.rules, clues_of(seen.game.name) is not None
    worlds = np.zeros(CHOSEN_FROM * count if told else count, rules.STATE)
    view = seen.fields()
    for world in worlds:
        rules.imagine(view, rng, world)
    if not told:
        return worlds
    upto = np.cumsum(likelihoods(seen, worlds))
    chosen: Worlds = worlds[np.searchsorted(upto, upto[-1] * (np.arange(count) + chance(rng)) / count)]
    return chosen


def weights_of(name: str, players: int) -> dict[str, float]:
    """The weights of a game's signs, for two players or for more."""
    return _kept()[name]["two" if players == 2 else "more"]


@cache
def _kept() -> dict[str, dict[str, dict[str, float]]]:
    return msgspec.json.decode(WEIGHTS.read_bytes(), type=dict[str, dict[str, dict[str, float]]])


# What all games' clues are read by


@dataclass
class Follower:
    """What a rival did in this round, as far as it tells of the hand."""

    drawn: int = 0  # cards
    drawn_before: deque[int] = field(default_factory=lambda: deque(maxlen=LONG))  # each of the last turns

    def begin_turn(self) -> None:
        """It moves."""
        self.drawn_before.append(self.drawn)

    def share_since(self, drawn: int, size: int) -> float:
        """The share of the hand that was there when so many cards had been drawn."""
        return max(0, size - (self.drawn - drawn)) / size

    def share_held_long(self, size: int) -> float:
        """The same on average of the last turns."""
        return sum(self.share_since(drawn, size) for drawn in self.drawn_before) / LONG


def events_of_round(seen: Observation) -> Iterable[AnyEvent]:
    """What was shown since the round began."""
    begun = max((at for at, event in enumerate(seen.log) if isinstance(event, RoundBegan)), default=0)
    return seen.log[begun:]


def rivals(seen: Observation) -> Iterator[tuple[int, int]]:
    """Who holds hidden cards, and how many cards in all."""
    for seat, hand in enumerate(seen.view["hands"]):
        if seat != seen.seat and HIDDEN in hand:
            yield seat, len(hand)
