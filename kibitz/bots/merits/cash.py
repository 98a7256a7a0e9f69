"""What can be said for a trader in CASH."""

from collections.abc import Iterator

from kibitz.bots.merits import Merits, Position
from kibitz.core.sentences import Card, Seat, Sentence, listed

BEARS = ("crash", "recession", "bankruptcy")
TAKING = ("premium", "dividend", "banker", "broker")
USEFUL = (
    "stop",
    "cover-75",
    "cover-50",
    "cover-25",
    "venture",
    "takeover",
    "taxman",
    "license",
    "settlement",
)
CASH, PROBE, CLEAR = "cash-", "probe-", "clear-"


def merits(position: Position) -> Iterator[Sentence]:
    """Who may act and who may not, what is safe, and what hands are good for or cost."""
    for seat, firm in enumerate(position["firms"]):
        me = Seat(seat)
        if firm["license"] and firm["probe"] is None:
            yield Sentence("merit.free", {"seat": me})
        for rival, other in enumerate(position["firms"]):
            if rival != seat and other["probe"] is not None:
                yield Sentence("merit.probed", {"seat": me, "rival": Seat(rival)})
            if rival != seat and position["lost"][rival]:
                yield Sentence("merit.waits", {"seat": me, "rival": Seat(rival)})
        for pack in firm["insured"]:
            yield Sentence("merit.insured", {"seat": me, "cards": listed(pack["cash"])})
        if firm["venture"]:
            yield Sentence("merit.venture", {"seat": me})
        if firm["cash"] == []:
            yield Sentence("merit.nothing-open", {"seat": me})
    for seat, hand in enumerate(position["hands"]):
        yield from of_hand(seat, hand, position["firms"][seat]["probe"])


def of_hand(seat: int, hand: list[str], probe: str | None) -> Iterator[Sentence]:
    """What helps, and what would cost at the end and isn't there."""
    me = Seat(seat)
    way_out = None if probe is None else probe.replace(PROBE, CLEAR)
    if way_out in hand:
        yield Sentence("merit.way-out", {"seat": me, "card": Card(way_out)})
    for bear in BEARS:
        if bear not in hand:
            yield Sentence("merit.no-bear", {"seat": me, "card": Card(bear)})
    if not any(card.startswith(CASH) for card in hand):
        yield Sentence("merit.no-cash", {"seat": me})
    for card in TAKING:
        if card in hand:
            yield Sentence("merit.takes", {"seat": me, "card": Card(card)})
    for card in sorted(set(hand), key=usefulness):
        if card in USEFUL or card.startswith((PROBE, CLEAR)):
            yield Sentence("merit.keeps", {"seat": me, "card": Card(card)})


def usefulness(card: str) -> tuple[int, str]:
    """The most useful cards come first, by name where it is all the same."""
    return (USEFUL.index(card) if card in USEFUL else len(USEFUL)), card


CHORES = (
    "discard",
    "trim",
    "pass",
    "passed",
    "again",
    "offer",
    "offer-gift",
    "offer-wish",
    "decline",
    "counter",
    "spare",
    "take-nothing",
    "draw-cards",
    "dealt",
    "lose",
    "skip",
)
MERITS = Merits(merits, chores=frozenset(f"log.{each}" for each in CHORES))
