"""The tiny game as text and JSON."""

from collections.abc import Sequence

from kibitz.core.cards import check_box
from kibitz.core.description import Found
from kibitz.core.errors import Refusal
from kibitz.core.events import AnyEvent, Moved, common_sentences
from kibitz.core.forms import Own
from kibitz.core.layout import OVER, AnyRecord
from kibitz.core.reader import Reader
from kibitz.core.sentences import Card, Seat, Sentence
from tests.tiny import rules
from tests.tiny.rules import CARDS, HIDE, HIGHEST, LAY

PHASES: tuple[str, ...] = ("over", "play")
STEPS: tuple[str, ...] = ("open", "hidden")
ENDINGS: tuple[str, ...] = ("none", "hands-empty")
MASKS: tuple[str, ...] = ("hide ?",)


def card_text(card: int) -> str:
    """A card is its number."""
    return CARDS[card]


def move_text(move: int) -> str:
    """`lay 3` or `hide 3`."""
    return f"lay {move - LAY + 1}" if move < HIDE else f"hide {move - HIDE + 1}"


def parse_move(text: str) -> int | Refusal:
    """The number of a move."""
    match text.split(" "):
        case ["lay", card] if card in CARDS.numbers:
            return LAY + int(card) - 1
        case ["hide", card] if card in CARDS.numbers:
            return HIDE + int(card) - 1
        case _:
            return Refusal("unknown-move", "notation")


def why_illegal(state: AnyRecord, move: int) -> Refusal:
    """The rule that refuses a move."""
    card = move % HIGHEST + 1
    if move >= HIDE and state.hidden[state.turn] > 0:
        return Refusal("hidden-once", "turn")
    return Refusal("not-in-hand", "turn", card=str(card))


FORMS: dict[str, Own] = {}  # all keys follow from the fields


def read(reader: Reader, record: AnyRecord, found: Found) -> None:
    """All keys are read; no card is missing."""
    check_box(CARDS, rules.COPIES, found)
    reader.exactly("laid", int(record.piles.sum()), "by the piles")
    if record.phase == OVER:
        record.ending = rules.HANDS_EMPTY


def follow(log: Sequence[AnyEvent], view: AnyRecord) -> None:
    """The log tells nothing that the view doesn't show."""


def sentences(turn: Sequence[AnyEvent]) -> list[Sentence]:
    """One move with what it caused, as lines of the log."""
    lines: list[Sentence] = []
    for event in turn:
        if isinstance(event, Moved):
            verb, card = event.move.split()
            lines.append(Sentence(f"log.{verb}", {"seat": Seat(event.seat), "card": Card(card)}))
        else:
            lines += common_sentences(event)
    return lines
