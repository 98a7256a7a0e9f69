"""MATCH! as text and JSON: cards, moves, positions, and why a move is refused."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from kibitz.core.common import best_total
from kibitz.core.description import Description, Each, all_is_shown
from kibitz.core.errors import BadPosition, Refusal
from kibitz.core.events import (
    AnyEvent,
    Drew,
    Moved,
    Reshuffled,
    Revealed,
    RoundBegan,
    RoundScored,
    Sentence,
    common_sentences,
)
from kibitz.core.layout import MAX_ROUNDS, AnyRecord
from kibitz.core.options import SEAT, Option, Value
from kibitz.core.reader import Reader, as_list, as_whole
from kibitz.games.match import rules
from kibitz.games.match.rules import (
    COLLECT,
    COLOURS,
    DECK_SIZE,
    FITS,
    HIGHEST,
    JOKER,
    LEAST_TARGET,
    LOWEST,
    MATCH,
    MATCH_COLLECTION,
    MAX_MOVES,
    MOST_POINTS,
    MOST_TARGET,
    NO_CALL,
    NO_CARD,
    NO_ROUNDS,
    NUM_COLOURS,
    RANDOM_STARTER,
    WILD,
    Ending,
    Phase,
    Step,
)

PHASES = tuple(phase.name.lower() for phase in Phase)
STEPS = tuple(step.name.lower() for step in Step)
ENDINGS = tuple(ending.name.lower().replace("_", "-") for ending in Ending)
MASKS: tuple[str, ...] = ()  # every move is open
HIDDEN = "?"

# Options

OPTIONS: tuple[Option, ...] = (
    Option("target", 50, (range(LEAST_TARGET, MOST_TARGET + 1),)),
    Option("rounds", None, (None, range(1, MAX_ROUNDS + 1))),
    Option("starter", "random", ("random", SEAT)),
)


def check_options(options: Mapping[str, Value]) -> None:
    """All values go together."""


def write_options(options: Mapping[str, Value], state: AnyRecord) -> None:
    """Put the options into the state."""
    state.target = options["target"]
    state.rounds = NO_ROUNDS if options["rounds"] is None else options["rounds"]
    state.starter_option = RANDOM_STARTER if options["starter"] == "random" else options["starter"]


def read_options(fields: Any) -> dict[str, Value]:
    """The options, from a state's or view's fields."""
    return {
        "target": fields.target,
        "rounds": None if fields.rounds == NO_ROUNDS else fields.rounds,
        "starter": "random" if fields.starter_option == RANDOM_STARTER else fields.starter_option,
    }


# Cards and moves

NUMBERS = [str(number) for number in range(LOWEST, HIGHEST + 1)]
CARD_NAMES = ["", *(f"{colour}{number}" for colour in COLOURS for number in NUMBERS), "W"]
CARD_NUMBERS = {name: kind for kind, name in enumerate(CARD_NAMES) if name}
COPIES = Counter(rules.DECK.tolist())
CALLS = [None, *COLOURS, *NUMBERS]  # by what is called


def card_text(card: int) -> str:
    """A card is its colour and its number: `R3`; a joker is `W`."""
    return CARD_NAMES[card]


def move_text(move: int) -> str:
    """A move's notation: `match R3`, `match R3 collection`, `collect G5`, `wild R`, `wild 3`."""
    if move < MATCH_COLLECTION:
        return f"match {card_text(move - MATCH + 1)}"
    if move < COLLECT:
        return f"match {card_text(move - MATCH_COLLECTION + 1)} collection"
    if move < WILD:
        return f"collect {card_text(move - COLLECT + 1)}"
    return f"wild {CALLS[move - WILD + 1]}"


def parse_move(text: str) -> int | Refusal:
    """The number of a move, or the rule that such a move breaks anywhere."""
    match text.split(" "):
        case ["match", "W"] | ["match", "W", "collection"] | ["wild"] | ["wild", "W"]:
            return Refusal("say-the-call", "notation")
        case ["collect", "W"]:
            return Refusal("joker-collected", "collect")
        case ["match", card] if card in CARD_NUMBERS:
            return MATCH + CARD_NUMBERS[card] - 1
        case ["match", card, "collection"] if card in CARD_NUMBERS:
            return MATCH_COLLECTION + CARD_NUMBERS[card] - 1
        case ["collect", card] if card in CARD_NUMBERS:
            return COLLECT + CARD_NUMBERS[card] - 1
        case ["wild", call] if call in CALLS:
            return WILD + CALLS.index(call) - 1
        case _:
            return Refusal("unknown-move", "notation")


def why_illegal(state: AnyRecord, move: int) -> Refusal:
    """The rule that refuses a move in this position, found from what the seat in turn sees."""
    seat = int(state.turn)
    hand = state.hands[seat].tolist()
    if move >= WILD:
        return Refusal("no-joker", "match")
    if move < MATCH_COLLECTION:
        card = move - MATCH + 1
        return _does_not_fit(state, card) if card in hand else _not_in_hand(card, "match")
    if move < COLLECT:
        return _why_not_from_collection(state, seat, move - MATCH_COLLECTION + 1)
    card = move - COLLECT + 1
    if card not in hand:
        return _not_in_hand(card, "collect")
    asked = rules.what_is_asked(state)
    if FITS[asked, card]:
        return Refusal("fits", "collect", card=card_text(card), asked=_asked(state))
    tops = [rules.top_of_pile(state, seat, colour) for colour in range(NUM_COLOURS)]
    binding = next(top for top in tops if FITS[asked, top])
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


def _names(cards: Sequence[int]) -> list[str]:
    return [CARD_NAMES[card] for card in cards]


def _collection(piles: Sequence[Sequence[int]], heights: Sequence[int]) -> dict[str, list[str]]:
    return {
        colour: _names(pile[:height])
        for colour, pile, height in zip(COLOURS, piles, heights, strict=True)
        if height
    }


def _hands(
    players: int, phase: int, observer: int | None, hands: Sequence[Sequence[int]], hand_sizes: Sequence[int]
) -> list[list[str]]:
    return [
        _names(hands[seat][: hand_sizes[seat]])
        if all_is_shown(phase, observer) or seat == observer
        else [HIDDEN] * hand_sizes[seat]
        for seat in range(players)
    ]


def _deck(phase: int, observer: int | None, deck: Sequence[int], deck_size: int) -> list[str]:
    return _names(deck[:deck_size]) if all_is_shown(phase, observer) else [HIDDEN] * deck_size


# In a view, cards that aren't shown are `?`.
describe = Description(
    hands=_hands,
    collections=Each(_collection, for_seats=True),
    deck=_deck,
    discard=lambda discard, discard_size: _names(discard[:discard_size]),
    called=lambda called: CALLS[called],
    starter=lambda starter: starter,
)
KEYS: tuple[str, ...] = tuple(describe.parts)


def read_position(reader: Reader, state: AnyRecord) -> None:
    """Fill the state with a position's own keys, refusing what can't be."""
    hands = reader.listed("hands", lambda value, path: as_list(value, path, _read_card), int(state.players))
    deck = reader.listed("deck", _read_card)
    _read_open(reader, state)
    _check_counts(state, hands, deck)
    _check_hands(state, hands)
    for seat, hand in enumerate(hands):
        state.hand_sizes[seat] = len(hand)
        state.hands[seat, : len(hand)] = sorted(hand)
    state.deck_size = len(deck)
    state.deck[: len(deck)] = deck


def _read_open(reader: Reader, state: AnyRecord) -> None:
    players = int(state.players)
    for seat, piles in enumerate(reader.listed("collections", _read_collection, players)):
        for colour, pile in piles.items():
            state.heights[seat, colour] = len(pile)
            state.piles[seat, colour, : len(pile)] = pile
    discard = reader.listed("discard", _read_card)
    if not 0 < len(discard) <= DECK_SIZE:
        raise BadPosition("discard", f"1 to {DECK_SIZE} cards", len(discard))
    state.discard_size = len(discard)
    state.discard[: len(discard)] = discard
    state.called = reader.one_of("called", CALLS)
    if (state.called == NO_CALL) == (discard[-1] == JOKER):
        wanted = "a call (a joker is on top)" if state.called == NO_CALL else "null (no joker is on top)"
        raise BadPosition("called", wanted, reader.raw("called"))
    state.starter = reader.whole("starter", 0, players - 1)
    _check_end(reader, state)


def _read_card(value: Any, path: str) -> int:
    if not isinstance(value, str) or value not in CARD_NUMBERS:
        raise BadPosition(path, "a card such as 'R3' or 'W'", value)
    return CARD_NUMBERS[value]


def _read_collection(value: Any, path: str) -> dict[int, list[int]]:
    reader = Reader(value, path)
    piles = {}
    for letter in reader.mapping:
        if not isinstance(letter, str) or letter not in tuple(COLOURS):
            raise BadPosition(path, f"only the colours {', '.join(COLOURS)} as keys", letter)
        pile = reader.listed(letter, _read_card)
        if not 0 < len(pile) <= rules.PILE_SIZE:
            raise BadPosition(reader.path(letter), f"1 to {rules.PILE_SIZE} cards", len(pile))
        for card in pile:
            if not card_text(card).startswith(letter):
                raise BadPosition(reader.path(letter), f"cards of the colour {letter}", card_text(card))
        piles[COLOURS.index(letter)] = pile
    return piles


def _check_end(reader: Reader, state: AnyRecord) -> None:
    """Scores, rounds and moves agree with the phase."""
    most = MAX_ROUNDS * MOST_POINTS
    reader.listed("scores", lambda value, path: as_whole(value, path, -most, most))
    if state.rounds != NO_ROUNDS and state.round_number > state.rounds:
        raise BadPosition("round", f"at most {state.rounds}, by the options", int(state.round_number))
    if state.phase == Phase.OVER:
        state.ending = rules.game_ending(state)
        if state.ending == Ending.NONE:
            raise BadPosition("over", "a reason: a total at the target, or the last round", True)
    elif best_total(state) >= state.target:
        raise BadPosition("scores", f"less than {state.target} while the game goes on", reader.raw("scores"))
    elif state.moves >= MAX_MOVES:
        raise BadPosition("moves", f"fewer than {MAX_MOVES} while a round goes on", int(state.moves))


def _check_counts(state: AnyRecord, hands: list[list[int]], deck: list[int]) -> None:
    """No card is there too often, and none is missing; NO_CARD stands for one that isn't seen."""
    counts: Counter[int] = Counter()
    for seat in range(int(state.players)):
        _count(counts, f"collections[{seat}]", state.piles[seat].ravel().tolist())
    _count(counts, "discard", state.discard.tolist())
    for seat, hand in enumerate(hands):
        _count(counts, f"hands[{seat}]", hand)
    _count(counts, "deck", deck)
    unseen = deck.count(NO_CARD) + sum(hand.count(NO_CARD) for hand in hands)
    missing = COPIES - counts
    if missing.total() != unseen:
        first = min(missing, default=JOKER)
        expected = f"{DECK_SIZE} cards in all, {COPIES[first]} of them {card_text(first)}"
        raise BadPosition("deck", expected, f"{counts.total() + unseen} cards, {counts[first]} of them")


def _count(counts: Counter[int], key: str, cards: Sequence[int]) -> None:
    counts.update(card for card in cards if card != NO_CARD)
    if extra := counts - COPIES:
        first = min(extra)
        raise BadPosition(key, f"at most {COPIES[first]} of {card_text(first)} in all", card_text(first))


def _check_hands(state: AnyRecord, hands: Sequence[Sequence[int]]) -> None:
    for seat, hand in enumerate(hands):
        if not hand and state.phase != Phase.OVER:
            raise BadPosition(f"hands[{seat}]", "a card at least while a round goes on", [])


def read_view(reader: Reader, log: Sequence[AnyEvent], view: AnyRecord) -> None:
    """Fill a view's own keys; which cards a new deck was made of follows from a log of the whole round."""
    hands = reader.listed("hands", lambda value, path: as_list(value, path, _read_shown), int(view.players))
    deck = reader.listed("deck", _read_shown)
    _read_open(reader, view)
    _check_counts(view, hands, deck)
    _check_hands(view, hands)
    for seat, hand in enumerate(hands):
        view.hand_sizes[seat] = len(hand)
        if NO_CARD not in hand:
            view.hands[seat, : len(hand)] = sorted(hand)
    view.deck_size = len(deck)
    view.deck[: len(deck)] = deck
    if view.phase != Phase.OVER:
        _follow(log, view)


def _read_shown(value: Any, path: str) -> int:
    return NO_CARD if value == HIDDEN else _read_card(value, path)


def _follow(log: Sequence[AnyEvent], view: AnyRecord) -> None:
    """What the deck was last made of, and what the seat drew since."""
    discard: list[int] | None = None
    for event in log:
        match event:
            case RoundBegan(round=number):
                discard = [] if number == view.round_number else None
            case Revealed(card=card) if discard is not None and card != "W":
                discard.append(CARD_NUMBERS[card])
            case Moved(move=move) if discard is not None and not move.startswith("collect"):
                verb, card, *_ = move.split(" ")
                discard.append(JOKER if verb == "wild" else CARD_NUMBERS[card])
            case Reshuffled() if discard:
                left = COPIES - Counter(discard[:-1])
                view.outside[NO_CARD] = 1
                view.outside[1:] = [left[card] for card in range(1, JOKER + 1)]
                discard = discard[-1:]
            case Drew(card=card) if card != HIDDEN and view.outside[NO_CARD]:
                view.outside[CARD_NUMBERS[card]] += 1


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
                lines.append(Sentence("log.reveal", {"card": card}))
            case Reshuffled() if turn[index - 1] == Revealed("W"):
                continue
            case _:
                lines += common_sentences(event)
    return lines


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
            return Sentence("log.match", {"seat": seat, "card": card})
        case ["match", card, _]:
            return Sentence("log.match-collection", {"seat": seat, "card": card})
        case ["collect", card] if drawn is None:
            return Sentence("log.collect-only", {"seat": seat, "card": card})
        case ["collect", card]:
            return Sentence("log.collect", {"seat": seat, "card": card, "drawn": drawn})
        case ["wild", call]:
            if call in NUMBERS:
                return Sentence("log.wild.number", {"seat": seat, "number": int(call)})
            return Sentence(f"log.wild.{call}", {"seat": seat})
        case _:
            raise AssertionError(f"{move!r} is no move")
