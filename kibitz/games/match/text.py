"""MATCH! as text and JSON: cards, moves, positions, and why a move is refused."""

from collections.abc import Sequence
from typing import Any

from kibitz.core.cards import NO_CARD, check_box, learn_deck
from kibitz.core.common import best_total
from kibitz.core.description import Found
from kibitz.core.errors import BadPosition, Refusal
from kibitz.core.events import (
    AnyEvent,
    Drew,
    Moved,
    Reshuffled,
    Revealed,
    RoundBegan,
    RoundScored,
    common_sentences,
)
from kibitz.core.forms import Own, codes_of
from kibitz.core.layout import HIDDEN, MAX_ROUNDS, AnyRecord
from kibitz.core.reader import Reader, as_whole
from kibitz.core.sentences import Card, Seat, Sentence
from kibitz.games.match import rules
from kibitz.games.match.rules import CALLS, CARDS, COLOURS, JOKER, NO_CALL, Ending, Phase, Step

PHASES = codes_of(Phase)
STEPS = codes_of(Step)
ENDINGS = codes_of(Ending, "-")
MASKS: tuple[str, ...] = ()  # every move is open

# Cards and moves


def card_text(card: int) -> str:
    """A card is its colour and its number: `R3`; a joker is `W`."""
    return CARDS[card]


def move_text(move: int) -> str:
    """A move's notation: `match R3`, `match R3 collection`, `collect G5`, `wild R`, `wild 3`."""
    if move < rules.MATCH_COLLECTION:
        return f"match {card_text(move - rules.MATCH + 1)}"
    if move < rules.COLLECT:
        return f"match {card_text(move - rules.MATCH_COLLECTION + 1)} collection"
    if move < rules.WILD:
        return f"collect {card_text(move - rules.COLLECT + 1)}"
    return f"wild {CALLS[move - rules.WILD + 1]}"


def parse_move(text: str) -> int | Refusal:
    """The number of a move, or the rule that such a move breaks anywhere."""
    match text.split(" "):
        case ["match", "W"] | ["match", "W", "collection"] | ["wild"] | ["wild", "W"]:
            return Refusal("say-the-call", "notation")
        case ["collect", "W"]:
            return Refusal("joker-collected", "collect")
        case ["match", card] if card in CARDS.numbers:
            return rules.MATCH + CARDS.numbers[card] - 1
        case ["match", card, "collection"] if card in CARDS.numbers:
            return rules.MATCH_COLLECTION + CARDS.numbers[card] - 1
        case ["collect", card] if card in CARDS.numbers:
            return rules.COLLECT + CARDS.numbers[card] - 1
        case ["wild", call] if call in CALLS:
            return rules.WILD + CALLS.index(call) - 1
        case _:
            return Refusal("unknown-move", "notation")


def why_illegal(state: AnyRecord, move: int) -> Refusal:
    """The rule that refuses a move in this position, found from what the seat in turn sees."""
    seat = int(state.turn)
    hand = state.hands[seat].tolist()
    if move >= rules.WILD:
        return Refusal("no-joker", "match")
    if move < rules.MATCH_COLLECTION:
        card = move - rules.MATCH + 1
        return _does_not_fit(state, card) if card in hand else _not_in_hand(card, "match")
    if move < rules.COLLECT:
        return _why_not_from_collection(state, seat, move - rules.MATCH_COLLECTION + 1)
    card = move - rules.COLLECT + 1
    if card not in hand:
        return _not_in_hand(card, "collect")
    asked = rules.what_is_asked(state)
    if rules.FITS[asked, card]:
        return Refusal("fits", "collect", card=card_text(card), asked=_asked(state))
    tops = [rules.top_of_pile(state, seat, colour) for colour in range(rules.NUM_COLOURS)]
    binding = next(top for top in tops if rules.FITS[asked, top])
    return Refusal("collection-binds", "M1", card=card_text(binding), asked=_asked(state))


def _why_not_from_collection(state: AnyRecord, seat: int, card: int) -> Refusal:
    pile = state.piles[seat, rules.COLOUR[card]].tolist()
    if card == rules.top_of_pile(state, seat, rules.COLOUR[card]):
        return _does_not_fit(state, card)
    if card in pile:
        return Refusal("buried", "M1", card=card_text(card))
    return Refusal("not-in-collection", "match", card=card_text(card))


def _not_in_hand(card: int, rule: str) -> Refusal:
    return Refusal("not-in-hand", rule, card=card_text(card))


def _does_not_fit(state: AnyRecord, card: int) -> Refusal:
    if state.called != NO_CALL:
        return Refusal("does-not-fit-call", "M3", card=card_text(card), asked=_asked(state))
    return Refusal("does-not-fit", "match", card=card_text(card), asked=_asked(state))


def _asked(state: AnyRecord) -> str:
    """The card on top, or what was called."""
    return CALLS[state.called] or card_text(rules.what_is_asked(state))


# Positions and views


def _collection(piles: Sequence[Sequence[int]], heights: Sequence[int]) -> dict[str, list[str]]:
    return {
        colour: [CARDS[card] for card in pile[:height]]
        for colour, pile, height in zip(COLOURS, piles, heights, strict=True)
        if height
    }


FORMS = {"collections": Own(_collection, each_seat=True)}


def read(reader: Reader, record: AnyRecord, found: Found) -> None:
    """Fill in the collections, and refuse what can't be."""
    players = int(record.players)
    for seat, piles in enumerate(reader.listed("collections", _read_collection, players)):
        found[f"collections[{seat}]"] = [card for pile in piles.values() for card in pile]
        for colour, pile in piles.items():
            record.heights[seat, colour] = len(pile)
            record.piles[seat, colour, : len(pile)] = pile
    if not found["discard"]:
        raise BadPosition("discard", f"1 to {rules.DECK_SIZE} cards", 0)
    if (record.called == NO_CALL) == (found["discard"][-1] == JOKER):
        wanted = "a call (a joker is on top)" if record.called == NO_CALL else "null (no joker is on top)"
        raise BadPosition("called", wanted, reader.raw("called"))
    _check_end(reader, record)
    check_box(CARDS, rules.COPIES_OF, found)
    for seat in range(players):
        if record.hand_sizes[seat] == 0 and record.phase != Phase.OVER:
            raise BadPosition(f"hands[{seat}]", "a card at least while a round goes on", [])


def _read_collection(value: Any, path: str) -> dict[int, list[int]]:
    reader = Reader(value, path)
    piles = {}
    for letter in reader.mapping:
        if not isinstance(letter, str) or letter not in tuple(COLOURS):
            raise BadPosition(path, f"only the colours {', '.join(COLOURS)} as keys", letter)
        pile = reader.listed(letter, CARDS.read)
        if not 0 < len(pile) <= rules.PILE_SIZE:
            raise BadPosition(reader.path(letter), f"1 to {rules.PILE_SIZE} cards", len(pile))
        for card in pile:
            if not card_text(card).startswith(letter):
                raise BadPosition(reader.path(letter), f"cards of the colour {letter}", card_text(card))
        piles[COLOURS.index(letter)] = pile
    return piles


def _check_end(reader: Reader, state: AnyRecord) -> None:
    """Scores, rounds and moves agree with the phase."""
    most = MAX_ROUNDS * rules.MOST_POINTS
    reader.listed("scores", lambda value, path: as_whole(value, path, -most, most))
    if state.rounds != rules.NO_ROUNDS and state.round_number > state.rounds:
        raise BadPosition("round", f"at most {state.rounds}, by the options", int(state.round_number))
    if state.phase == Phase.OVER:
        state.ending = rules.game_ending(state)
        if state.ending == Ending.NONE:
            raise BadPosition("over", "a reason: a total at the target, or the last round", True)
    elif best_total(state) >= state.target:
        raise BadPosition("scores", f"less than {state.target} while the game goes on", reader.raw("scores"))
    elif state.moves >= rules.MAX_MOVES:
        raise BadPosition("moves", f"fewer than {rules.MAX_MOVES} while a round goes on", int(state.moves))


def follow(log: Sequence[AnyEvent], view: AnyRecord) -> None:
    """What a new deck was made of, and what the seat drew since, follows from a log of the whole round."""
    discard: list[int] | None = None
    for event in log:
        match event:
            case RoundBegan(round=number):
                discard = [] if number == view.round_number else None
            case Revealed(card=card) if discard is not None and card != "W":
                discard.append(CARDS.numbers[card])
            case Moved(move=move) if discard is not None and not move.startswith("collect"):
                verb, card, *_ = move.split(" ")
                discard.append(JOKER if verb == "wild" else CARDS.numbers[card])
            case Reshuffled() if discard:
                learn_deck(view.outside, rules.COPIES_OF, discard[:-1])
                discard = discard[-1:]
            case Drew(card=card) if card != HIDDEN and view.outside[NO_CARD]:
                view.outside[CARDS.numbers[card]] += 1


# The log in words


def sentences(turn: Sequence[AnyEvent]) -> list[Sentence]:
    """One move with what it caused, as lines of the log."""
    lines: list[Sentence] = []
    for index, event in enumerate(turn):
        match event:
            case Moved(seat, move):
                lines.append(_move_sentence(seat, move, _drawn(turn)))
            case Revealed("W"):
                lines.append(Sentence("log.joker-goes-back", {}))
            case Revealed(card):
                lines.append(Sentence("log.reveal", {"card": Card(card)}))
            case RoundScored(number, "out"):
                lines.append(Sentence("log.scored", {"round": number}))
                lines.append(Sentence("ending.out.by", {"seat": Seat(_mover(turn))}))
            case Reshuffled() if turn[index - 1] == Revealed("W"):
                continue
            case _:
                lines += common_sentences(event)
    return lines


def _mover(turn: Sequence[AnyEvent]) -> int:
    """Whose move it was."""
    return next(event.seat for event in turn if isinstance(event, Moved))


def _drawn(turn: Sequence[AnyEvent]) -> str | None:
    """The card drawn by the move itself, not in a deal after it."""
    for event in turn:
        if isinstance(event, RoundScored):
            return None
        if isinstance(event, Drew):
            return event.card
    return None


def _move_sentence(seat: int, move: str, drawn: str | None) -> Sentence:
    match move.split(" "):
        case ["match", card]:
            return Sentence("log.match", {"seat": Seat(seat), "card": Card(card)})
        case ["match", card, _]:
            return Sentence("log.match-collection", {"seat": Seat(seat), "card": Card(card)})
        case ["collect", card]:
            if drawn is None:
                return Sentence("log.collect-only", {"seat": Seat(seat), "card": Card(card)})
            return Sentence("log.collect", {"seat": Seat(seat), "card": Card(card), "drawn": Card(drawn)})
        case ["wild", call]:
            if call in rules.NUMBERS:
                return Sentence("log.wild.number", {"seat": Seat(seat), "number": int(call)})
            return Sentence(f"log.wild.{call}", {"seat": Seat(seat)})
        case _:
            raise AssertionError(f"{move!r} is no move")
