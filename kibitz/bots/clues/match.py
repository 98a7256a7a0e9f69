"""What players of MATCH! betray of their hands.

Who plays from the collection, though it may play from the hand, hardly holds a card that fits; low numbers
and jokers stay.
"""

from collections import deque
from dataclasses import dataclass, field

from kibitz.bots.clues import Clues, Follower, Hands, Signs, events_of_round, rivals
from kibitz.core.events import Drew, Moved, Revealed
from kibitz.core.state import Observation
from kibitz.games.match.rules import CARDS, HIGHEST, NUMBER

FITTED = ("fitted the last time it did without", "… the time before", "… and before that")
JOKER = ("joker", "joker, held long")
NUMBERED = ("number", "number, held long")


@dataclass
class Collector(Follower):
    """What was asked for when it played from its collection, the last time first, and what it had drawn."""

    did_without: deque[tuple[str, int]] = field(default_factory=lambda: deque(maxlen=len(FITTED)))


def read(seen: Observation) -> Hands:
    """The signs of this round."""
    players = [Collector() for _ in seen.view["hands"]]
    asked = ""
    for event in events_of_round(seen):
        match event:
            case Revealed(card):
                asked = card
            case Drew(seat):
                players[seat].drawn += 1
            case Moved(seat, move):
                player = players[seat]
                player.begin_turn()
                verb, named, *where = move.split()
                if where:
                    player.did_without.appendleft((asked, player.drawn))
                if verb != "collect":
                    asked = named
    return {
        seat: {card: signs_of(card, players[seat], size) for card in CARDS.numbers}
        for seat, size in rivals(seen)
    }


def signs_of(card: str, player: Collector, size: int) -> Signs:
    """What speaks for and against a card in the hand of so many."""
    long = player.share_held_long(size)
    number = int(NUMBER[CARDS.numbers[card]]) / HIGHEST
    by_kind = zip(JOKER, (1.0, long)) if card == "W" else zip(NUMBERED, (number, long * number))
    return dict(by_kind) | {
        sign: player.share_since(drawn, size)
        for sign, (asked, drawn) in zip(FITTED, player.did_without)
        if fits(card, asked)
    }


def fits(card: str, asked: str) -> bool:
    """Whether it has the colour or the number of what lies on top, or of what was called."""
    return card != "W" and any(part in card for part in asked)


CLUES = Clues((*FITTED, *JOKER, *NUMBERED), CARDS, read)
