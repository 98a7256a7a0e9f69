"""What players of Cover Your Assets betray of their hands.

Who yields hardly holds a card that would have fitted; who discards had nothing that pairs with the card or
with the top of the pile, and could hardly steal; wilds stay for long.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from kibitz.bots.clues import LONG, Clues, Follower, Hands, Signs, events_of_round, rivals
from kibitz.core.events import AnyEvent, Drew, Moved, Revealed, Took
from kibitz.core.state import Observation
from kibitz.games.assets.box import CARDS, EDITIONS, VALUE, WILDS
from kibitz.games.assets.rules import STEALABLE

ANSWER = ("would have answered when it yielded", "would have answered an earlier time")
WILD_ANSWER = "wild, when it yielded"
SINGLE = "discarded"
TAKING = ("would have taken the discard before its own", "would have taken an earlier one")
WILD_TAKING = "wild, when it discarded on an asset"
STEALING = "would have stolen when it discarded"
PAIRED = "paired"
WILD = ("wild", "wild, held long")
IS_GOLD = "gold"
WORTH = ("worth", "worth, held long")
OWN = "own top set, held long"
OTHERS = "another's top set"
WORTH_UNIT = 20_000  # dollars
OLDER = 4  # yields, and discards, that are heeded


@dataclass(frozen=True)
class Turn:
    """What it did in one turn, and what lay open then."""

    verb: str
    card: str  # that was paired or discarded; what would have answered, when it yielded
    top: str  # of the discards, before
    targets: frozenset[str]  # top sets that could have been stolen
    drawn: int  # by then


@dataclass
class Stacker(Follower):
    """Its stack, as far as this round's events tell, and its last turns, the last one first."""

    stack: list[str] = field(default_factory=list)
    turns: deque[Turn] = field(default_factory=lambda: deque(maxlen=LONG))

    def last(self, verb: str) -> Iterator[tuple[int, Turn]]:
        """The last turns of a kind, counted."""
        return zip(range(OLDER), (turn for turn in self.turns if turn.verb == verb))


@dataclass
class Course:
    """What everybody sees, followed from event to event."""

    players: list[Stacker]
    pile: list[str] = field(default_factory=list)
    at_stake: str = ""  # the top set that is fought for

    def follow(self, event: AnyEvent) -> None:
        """The next event."""
        match event:
            case Revealed(card):
                self.pile.append(card)
            case Drew(seat):
                self.players[seat].drawn += 1
            case Took(_, _, None):
                del self.pile[-1:]
            case Took(seat, card, int(victim)):
                del self.players[victim].stack[-1:]
                self.players[seat].stack.append(card)
            case Moved(seat, move):
                self.follow_move(self.players[seat], seat, *move.split())

    def follow_move(self, player: Stacker, seat: int, verb: str, *named: str) -> None:
        """A seat's move is a turn to remember, with what lay open before it."""
        if verb == "steal":
            self.at_stake = "".join(self.players[int(named[0][1:])].stack[-1:])
        card = self.at_stake if verb == "yield" else "".join(named[:1])
        player.begin_turn()
        top = "".join(self.pile[-1:])
        player.turns.appendleft(Turn(verb, card, top, self.tops_of_others(seat), player.drawn))
        if verb == "discard":
            self.pile.append(card)
        elif verb in ("pair", "take"):
            player.stack.append(named[-1] if card in WILDS else card)

    def tops_of_others(self, seat: int) -> frozenset[str]:
        """The assets on top of the other stacks that are high enough to be stolen from."""
        stacks = [player.stack for other, player in enumerate(self.players) if other != seat]
        return frozenset(stack[-1] for stack in stacks if len(stack) >= STEALABLE)


def read(seen: Observation) -> Hands:
    """The signs of this round."""
    course = Course([Stacker() for _ in seen.view["hands"]])
    for event in events_of_round(seen):
        course.follow(event)
    return {seat: signs_of_hand(seen, course, seat, size) for seat, size in rivals(seen)}


def signs_of_hand(seen: Observation, course: Course, seat: int, size: int) -> dict[str, Signs]:
    """What speaks for and against each card in the hand of so many."""
    player, others = course.players[seat], course.tops_of_others(seat)
    edition = int(seen.fields().edition)
    return {
        card: signs_of_kind(card, player, others, edition, player.share_held_long(size))
        | signs_of_turns(card, player, size)
        for card, _, _ in EDITIONS[edition]
    }


def signs_of_kind(
    card: str, player: Stacker, others: frozenset[str], edition: int, long: float
) -> dict[str, float]:
    """What is always told of a card; `long`: how much of the hand was held for long."""
    if card in WILDS:
        return {WILD[0]: 1.0, WILD[1]: long, IS_GOLD: float(card == "gold")}
    worth = int(VALUE[edition, CARDS.numbers[card]]) / WORTH_UNIT
    on_top = long if player.stack[-1:] == [card] else 0.0
    return {WORTH[0]: worth, WORTH[1]: long * worth, OWN: on_top, OTHERS: float(card in others)}


def signs_of_turns(card: str, player: Stacker, size: int) -> dict[str, float]:
    """What was left undone in the last turns, as far as the hand was held then already."""
    signs: dict[str, float] = {}
    wild = card in WILDS

    def add(sign: str, turn: Turn, holds: bool) -> None:
        if holds:
            signs[sign] = signs.get(sign, 0.0) + player.share_since(turn.drawn, size)

    for ago, turn in player.last("yield"):
        add(ANSWER[min(ago, 1)], turn, card == turn.card)
        add(WILD_ANSWER, turn, wild and ago == 0)
    for ago, turn in player.last("discard"):
        add(TAKING[min(ago, 1)], turn, card == turn.top)
        add(SINGLE, turn, card == turn.card and ago == 0)
        add(WILD_TAKING, turn, wild and ago == 0 and turn.top not in ("", *WILDS))
        add(STEALING, turn, card in turn.targets and ago == 0)
    for turn in player.turns:
        add(PAIRED, turn, turn.verb == "pair" and card == turn.card)
    return signs


TURNS = (*ANSWER, WILD_ANSWER, SINGLE, *TAKING, WILD_TAKING, STEALING, PAIRED)
CLUES = Clues((*TURNS, *WILD, IS_GOLD, *WORTH, OWN, OTHERS), CARDS, read)
