"""The tiny game as text and JSON."""

from collections.abc import Mapping, Sequence
from typing import Any

from kibitz.core.errors import BadPosition, Refusal
from kibitz.core.events import AnyEvent, Moved, Sentence, common_sentences
from kibitz.core.layout import OVER, AnyRecord
from kibitz.core.options import Option, Value
from kibitz.core.reader import Reader, as_list, as_whole
from tests.tiny import rules
from tests.tiny.rules import DECK_SIZE, HIDE, HIGHEST, LAY

OPTIONS: tuple[Option, ...] = ()
PHASES: tuple[str, ...] = ("over", "play")
STEPS: tuple[str, ...] = ("open", "hidden")
ENDINGS: tuple[str, ...] = ("none", "hands-empty")
MASKS: tuple[str, ...] = ("hide ?",)
KEYS: tuple[str, ...] = ("hands", "piles", "hidden", "deck")

CARDS = [str(card) for card in range(1, HIGHEST + 1)]


def check_options(options: Mapping[str, Value]) -> None:
    """There are none."""


def write_options(options: Mapping[str, Value], state: AnyRecord) -> None:
    """There are none."""


def read_options(fields: Any) -> dict[str, Value]:
    """There are none."""
    return {}


def card_text(card: int) -> str:
    """A card is its number."""
    return str(card)


def move_text(move: int) -> str:
    """`lay 3` or `hide 3`."""
    return f"lay {move - LAY + 1}" if move < HIDE else f"hide {move - HIDE + 1}"


def parse_move(text: str) -> int | Refusal:
    """The number of a move."""
    match text.split(" "):
        case ["lay", card] if card in CARDS:
            return LAY + int(card) - 1
        case ["hide", card] if card in CARDS:
            return HIDE + int(card) - 1
        case _:
            return Refusal("unknown-move", "notation")


def why_illegal(state: AnyRecord, move: int) -> Refusal:
    """The rule that refuses a move."""
    card = move % HIGHEST + 1
    if move >= HIDE and state.hidden[state.turn] > 0:
        return Refusal("hidden-once", "turn")
    return Refusal("not-in-hand", "turn", card=str(card))


def describe(fields: Any) -> dict[str, Any]:
    """The tiny game's keys of a position, or of a view with `?` for what is hidden."""
    seats = range(fields.players)
    whole = not hasattr(fields, "observer") or fields.phase == OVER
    shown = [whole or seat == fields.observer for seat in seats]
    return {
        "hands": [_cards(fields.hands[s]) if shown[s] else ["?"] * fields.sizes[s] for s in seats],
        "piles": [_cards(fields.piles[seat]) for seat in seats],
        "hidden": [_hidden(fields, s) if shown[s] else ("?" if fields.hiding[s] else None) for s in seats],
        "deck": [str(card) if whole else "?" for card in fields.deck[: fields.deck_size]],
    }


def _cards(counts: Sequence[int]) -> list[str]:
    return [card_text(card) for card, count in enumerate(counts) for _ in range(count)]


def _hidden(fields: Any, seat: int) -> str | None:
    return card_text(fields.hidden[seat]) if fields.hidden[seat] else None


def read_position(reader: Reader, state: AnyRecord) -> None:
    """Fill the state with a position's own keys."""
    players = int(state.players)
    for key in ("hands", "piles"):
        for seat, cards in enumerate(reader.listed(key, lambda v, path: as_list(v, path, _card), players)):
            for card in cards:
                state[key][seat, card] += 1
    for seat, card in enumerate(reader.listed("hidden", _card_or_none, players)):
        state.hidden[seat] = card
    deck = reader.listed("deck", _card)
    state.deck[: len(deck)] = deck
    state.deck_size = len(deck)
    total = state.hands.sum() + state.piles.sum() + (state.hidden > 0).sum() + len(deck)
    if total != DECK_SIZE:
        raise BadPosition("deck", f"{DECK_SIZE} cards in all", int(total))
    if state.phase == OVER:
        state.ending = rules.HANDS_EMPTY


def read_view(reader: Reader, log: Sequence[AnyEvent], view: AnyRecord) -> None:
    """Fill a view's own keys."""
    players = int(view.players)
    for seat, cards in enumerate(reader.listed("hands", lambda v, path: as_list(v, path, _seen), players)):
        view.sizes[seat] = len(cards)
        for card in filter(None, cards):
            view.hands[seat, card] += 1
    for seat, cards in enumerate(reader.listed("piles", lambda v, path: as_list(v, path, _seen), players)):
        for card in cards:
            view.piles[seat, card] += 1
    for seat, hidden in enumerate(reader.raw("hidden")):
        view.hiding[seat] = hidden is not None
        view.hidden[seat] = int(hidden) if hidden not in (None, "?") else 0
    view.deck_size = len(reader.raw("deck"))


def _seen(value: Any, path: str) -> int:
    return 0 if value == "?" else _card(value, path)


def _card(value: Any, path: str) -> int:
    if value not in CARDS:
        raise BadPosition(path, "a card from '1' to '6'", value)
    return as_whole(int(value), path, 1, HIGHEST)


def _card_or_none(value: Any, path: str) -> int:
    return 0 if value is None else _card(value, path)


def sentences(turn: Sequence[AnyEvent]) -> list[Sentence]:
    """One move with what it caused, as lines of the log."""
    lines: list[Sentence] = []
    for event in turn:
        if isinstance(event, Moved):
            verb, card = event.move.split()
            lines.append(Sentence(f"log.{verb}", {"seat": event.seat, "card": card}))
        else:
            lines += common_sentences(event)
    return lines
