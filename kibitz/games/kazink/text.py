"""Kazink! as text and JSON: cards, spaces, moves, positions, and why a move is refused."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kibitz.core.description import Description, all_is_shown
from kibitz.core.errors import BadPosition, Refusal
from kibitz.core.events import (
    AnyEvent,
    Drew,
    Gained,
    Moved,
    Reshuffled,
    RoundBegan,
    Sentence,
    common_sentences,
)
from kibitz.core.layout import AnyRecord
from kibitz.core.options import SEAT, Option, Value
from kibitz.core.reader import Reader, as_list
from kibitz.games.kazink import rules
from kibitz.games.kazink.rules import (
    BOARD,
    CHIP_BITS,
    CHIPS,
    CHIPS_IN_A_WORD,
    COLOURS,
    COLOURS_IN_PLAY,
    CROWN,
    CROWN_CARD,
    DECK_SIZE,
    DISCARD,
    DISCARDS,
    DOUBLE_UP,
    DOUBLE_UP_CARD,
    FILES,
    LAY,
    MAX_MOVES,
    MOST_HAND,
    NO_CARD,
    NUM_CARDS,
    NUM_FILES,
    NUM_RANKS,
    NUM_SPACES,
    PLACE,
    RANDOM_DEALER,
    SHIFT,
    SHIFT_COUNT,
    SHIFT_GOAL,
    SHIFT_START,
    SMALL_BOARD,
    STAY,
    SUITS,
    SWAP,
    WILD,
    Ending,
    Phase,
    Step,
)

PHASES = tuple(phase.name.lower() for phase in Phase)
STEPS = tuple(step.name.lower() for step in Step)
ENDINGS = tuple(ending.name.lower() for ending in Ending)
MASKS: tuple[str, ...] = ()  # every move is open
HIDDEN = "?"

# Options

RANKS = {"24": NUM_RANKS, "20": SMALL_BOARD}

OPTIONS: tuple[Option, ...] = (
    Option("board", "24", tuple(RANKS)),
    Option("dealer", "random", ("random", SEAT)),
    Option("hand", 3, (range(1, MOST_HAND + 1),)),
)


def check_options(options: Mapping[str, Value]) -> None:
    """All values go together."""


def write_options(options: Mapping[str, Value], state: AnyRecord) -> None:
    """Put the options into the state."""
    state.ranks = RANKS[str(options["board"])]
    state.dealer_option = RANDOM_DEALER if options["dealer"] == "random" else options["dealer"]
    state.hand_option = options["hand"]


def read_options(fields: Any) -> dict[str, Value]:
    """The options, from a state's or view's fields."""
    return {
        "board": str(fields.ranks * NUM_FILES),
        "dealer": "random" if fields.dealer_option == RANDOM_DEALER else fields.dealer_option,
        "hand": fields.hand_option,
    }


# Cards, spaces and moves

CARD_NAMES: list[str] = ["", *SUITS, "W", "U", "K"]
CARD_NUMBERS = {name: card for card, name in enumerate(CARD_NAMES) if name}
COPIES = Counter(rules.DECK.tolist())
SPACES = [f"{file}{rank}" for rank in range(1, NUM_RANKS + 1) for file in FILES]
SPACE_NUMBERS = {name: space for space, name in enumerate(SPACES)}
SUIT_NAMES = [suit for rank in BOARD for suit in rank]  # by space
DISCARD_NUMBERS: dict[int, int] = {card: number for number, card in enumerate(DISCARDS.tolist())}
SHIFT_NUMBERS = {
    shift: number
    for number, shift in enumerate(
        zip(SHIFT_START.tolist(), SHIFT_GOAL.tolist(), SHIFT_COUNT.tolist(), strict=True)
    )
}


def card_text(card: int) -> str:
    """A card is a letter: a suit, `W` wild, `U` double-up, `K` crown."""
    return CARD_NAMES[card]


def move_text(move: int) -> str:
    """A move's notation: `S b2`, `K b3`, `U`, `stay`, `shift a1 b2 2`, `place c3`, `swap S`, `discard S`."""
    if move < CROWN:
        return f"{card_text((move - LAY) // NUM_SPACES + 1)} {SPACES[(move - LAY) % NUM_SPACES]}"
    if move < DOUBLE_UP:
        return f"{card_text(CROWN_CARD)} {SPACES[move - CROWN]}"
    if move < SHIFT:
        return card_text(DOUBLE_UP_CARD) if move == DOUBLE_UP else "stay"
    if move < PLACE:
        number = move - SHIFT
        return f"shift {SPACES[SHIFT_START[number]]} {SPACES[SHIFT_GOAL[number]]} {SHIFT_COUNT[number]}"
    if move < SWAP:
        return f"place {SPACES[move - PLACE]}"
    if move < DISCARD:
        return f"swap {card_text(move - SWAP + 1)}"
    return f"discard {card_text(DISCARDS[move - DISCARD])}"


def parse_move(text: str) -> int | Refusal:
    """The number of a move, or the rule that such a move breaks anywhere."""
    match text.split(" "):
        case ["U"]:
            return DOUBLE_UP
        case ["stay"]:
            return STAY
        case ["U", _]:
            return Refusal("double-up-alone", "notation")
        case ["place", space]:
            return _at(PLACE, space)
        case ["shift", start, goal, count]:
            return _parse_shift(start, goal, count)
        case ["swap", card] if card in CARD_NUMBERS:
            if CARD_NUMBERS[card] >= WILD:
                return Refusal("never-dead", "Z1", card=card)
            return SWAP + CARD_NUMBERS[card] - 1
        case ["discard", card] if card in CARD_NUMBERS:
            if CARD_NUMBERS[card] == DOUBLE_UP_CARD:
                return Refusal("double-up-discarded", "Z7")
            return DISCARD + DISCARD_NUMBERS[CARD_NUMBERS[card]]
        case [card, space] if card in CARD_NUMBERS:
            kind = CARD_NUMBERS[card]
            return _at(CROWN if kind == CROWN_CARD else LAY + NUM_SPACES * (kind - 1), space)
        case _:
            return Refusal("unknown-move", "notation")


def _at(first: int, space: str) -> int | Refusal:
    if space not in SPACE_NUMBERS:
        return Refusal("no-such-space", "notation", space=space)
    return first + SPACE_NUMBERS[space]


def _parse_shift(start: str, goal: str, count: str) -> int | Refusal:
    for space in (start, goal):
        if space not in SPACE_NUMBERS:
            return Refusal("no-such-space", "notation", space=space)
    if count not in ("1", "2"):
        return Refusal("one-or-two", "double-up")
    if start == goal:
        return Refusal("two-spaces", "double-up")
    return SHIFT + SHIFT_NUMBERS[SPACE_NUMBERS[start], SPACE_NUMBERS[goal], int(count)]


def why_illegal(state: AnyRecord, move: int) -> Refusal:
    """The rule that refuses a move in this position, found from what the seat in turn sees."""
    if state.phase == Phase.SHIFT and not STAY <= move < PLACE:
        return Refusal("shift-first", "Z11")
    if state.phase == Phase.PLACE and not PLACE <= move < SWAP:
        return Refusal("place-first", "double-up")
    if state.phase == Phase.TURN and STAY <= move < SWAP:
        return Refusal("no-double-up-yet", "double-up")
    for word in move_text(move).split(" "):
        if word in SPACE_NUMBERS and not rules.usable(state) >> SPACE_NUMBERS[word] & 1:
            return _why_no_space(state, word)
    if STAY <= move < PLACE:
        return _why_no_shift(state, move - SHIFT)
    if PLACE <= move < SWAP:
        return Refusal("crowned", "double-up", space=SPACES[move - PLACE])
    card = _card_of(move)
    if state.hands[state.turn, card] == 0:
        return Refusal("not-in-hand", "turn", card=card_text(card))
    if move >= DISCARD:
        playable = next(
            other
            for other in range(1, NUM_CARDS + 1)
            if state.hands[state.turn, other] > 0 and not rules.is_dead(other, rules.uncrowned(state))
        )
        return Refusal("can-be-played", "Z2", card=card_text(playable))
    if move >= SWAP:
        if state.swapped:
            return Refusal("swapped-already", "Z15")
        return Refusal("not-dead", "Z1", card=card_text(card))
    return _why_no_chip(state, card, move % NUM_SPACES)


def _why_no_space(state: AnyRecord, space: str) -> Refusal:
    """It is off the smaller board, or bordered and not for two."""
    if SPACE_NUMBERS[space] >= state.ranks * NUM_FILES:
        return Refusal("not-on-this-board", "board", space=space, last=SPACES[state.ranks * NUM_FILES - 1])
    return Refusal("not-in-this-game", "Z10", space=space)


def _card_of(move: int) -> int:
    """The card that a move lays down."""
    if move < CROWN:
        return (move - LAY) // NUM_SPACES + 1
    if move < DOUBLE_UP:
        return CROWN_CARD
    if move < SWAP:
        return DOUBLE_UP_CARD
    return move - SWAP + 1 if move < DISCARD else int(DISCARDS[move - DISCARD])


def _why_no_chip(state: AnyRecord, card: int, space: int) -> Refusal:
    name = card_text(card)
    if state.chips[rules.colour_of(state, state.turn)] == 0:
        return Refusal("out-of-chips", "Z7", card=name)
    if card < WILD and SUIT_NAMES[space] != name:
        return Refusal("other-suit", "play", space=SPACES[space], suit=SUIT_NAMES[space], card=name)
    if rules.crowned(state) >> space & 1:
        return Refusal("crowned", "play", space=SPACES[space])
    suit = int(rules.SPACES_OF[card]) & rules.usable(state)
    uncovered = suit & ~(rules.crowned(state) | rules.topped(state))
    first = next(other for other in range(NUM_SPACES) if uncovered >> other & 1)
    return Refusal("not-all-covered", "play", space=SPACES[space], card=name, uncovered=SPACES[first])


def _why_no_shift(state: AnyRecord, number: int) -> Refusal:
    start, goal = int(SHIFT_START[number]), int(SHIFT_GOAL[number])
    own = int(state.tops[rules.colour_of(state, state.turn)])
    for space in (start, goal):
        if rules.crowned(state) >> space & 1:
            return Refusal("crowned", "double-up", space=SPACES[space])
    if not own >> start & 1:
        return Refusal("not-your-chips", "double-up", space=SPACES[start])
    if not own >> goal & 1:
        return Refusal("not-onto-yours", "Z4", space=SPACES[goal])
    return Refusal("only-one-chip", "double-up", space=SPACES[start])


# Positions and views


def _chips(stack: Sequence[int], height: int) -> str:
    """A stack's chips, the bottom one first."""
    return "".join(
        COLOURS[(stack[place // CHIPS_IN_A_WORD] >> CHIP_BITS * (place % CHIPS_IN_A_WORD) & 3) - 1]
        for place in range(height)
    )


def _held(hand: Sequence[int]) -> list[str]:
    return [CARD_NAMES[card] for card, count in enumerate(hand) for _ in range(count)]


def _names(cards: Sequence[int]) -> list[str]:
    return [CARD_NAMES[card] for card in cards]


def _board(stacks: Sequence[Sequence[int]], heights: Sequence[int]) -> dict[str, str]:
    return {
        SPACES[space]: _chips(stack, height)
        for space, (stack, height) in enumerate(zip(stacks, heights, strict=True))
        if height
    }


def _crowns(crowns: Sequence[int]) -> dict[str, str]:
    return {
        name: colour
        for space, name in enumerate(SPACES)
        for colour, own in zip(COLOURS, crowns, strict=True)
        if own >> space & 1
    }


def _hands(
    players: int, phase: int, observer: int | None, hands: Sequence[Sequence[int]], hand_sizes: Sequence[int]
) -> list[list[str]]:
    return [
        _held(hands[seat])
        if all_is_shown(phase, observer) or seat == observer
        else [HIDDEN] * hand_sizes[seat]
        for seat in range(players)
    ]


def _deck(phase: int, observer: int | None, deck: Sequence[int], deck_size: int) -> list[str]:
    return _names(deck[:deck_size]) if all_is_shown(phase, observer) else [HIDDEN] * deck_size


def _by_colour(players: int, counts: Sequence[int]) -> dict[str, int]:
    return dict(zip(COLOURS[: COLOURS_IN_PLAY[players]], counts, strict=False))


# In a view, cards that aren't shown are `?`.
describe = Description(
    board=_board,
    crowns=_crowns,
    hands=_hands,
    deck=_deck,
    discard=lambda discard, discard_size: _names(discard[:discard_size]),
    chips=lambda players, chips: _by_colour(players, chips),
    rows=lambda players, rows: _by_colour(players, rows),
    dealer=lambda dealer: dealer,
    swapped=lambda swapped: swapped,
    idle=lambda idle: idle,
)
KEYS: tuple[str, ...] = tuple(describe.parts)


def read_position(reader: Reader, state: AnyRecord) -> None:
    """Fill the state with a position's own keys, refusing what can't be."""
    hands = reader.listed("hands", lambda value, path: as_list(value, path, _read_card), int(state.players))
    deck = reader.listed("deck", _read_card)
    _read_open(reader, state)
    _check_counts(state, hands, deck)
    for seat, hand in enumerate(hands):
        for card in hand:
            state.hands[seat, card] += 1
    _fill_sizes(state, hands, deck)


def _fill_sizes(state: AnyRecord, hands: list[list[int]], deck: list[int]) -> None:
    for seat, hand in enumerate(hands):
        state.hand_sizes[seat] = len(hand)
        if not hand and state.phase == Phase.TURN and seat == state.turn:
            raise BadPosition(f"hands[{seat}]", "a card at least, in turn", [])
    state.deck_size = len(deck)
    state.deck[: len(deck)] = deck


def _read_open(reader: Reader, state: AnyRecord) -> None:
    reader.exactly("round", 1, "a game is one round")
    _read_board(reader.inner("board"), state)
    _read_crowns(reader.inner("crowns"), state)
    _read_counts(reader, state)
    discard = reader.listed("discard", _read_card)
    if len(discard) > DECK_SIZE:
        raise BadPosition("discard", f"at most {DECK_SIZE} cards", len(discard))
    state.discard_size = len(discard)
    state.discard[: len(discard)] = discard
    state.dealer = reader.whole("dealer", 0, int(state.players) - 1)
    state.swapped = reader.flag("swapped")
    state.idle = reader.whole("idle", 0, int(state.players))
    _check_end(reader, state)


def _read_board(reader: Reader, state: AnyRecord) -> None:
    colours = COLOURS[: COLOURS_IN_PLAY[state.players]]
    left = Counter(dict.fromkeys(colours, CHIPS))
    for name, chips in reader.mapping.items():
        space = _read_space(reader, name, state)
        if not isinstance(chips, str) or not chips or not set(chips) <= set(colours):
            raise BadPosition(reader.path(name), f"chips of {', '.join(colours)}, bottom first", chips)
        left.subtract(chips)
        for colour, count in left.items():
            if count < 0:
                raise BadPosition(reader.path(name), f"at most {CHIPS} chips of {colour} in all", chips)
        for chip in chips:
            rules.push(state, space, COLOURS.index(chip))
    for colour in colours:
        state.chips[COLOURS.index(colour)] = left[colour]


def _read_space(reader: Reader, name: Any, state: AnyRecord) -> int:
    usable = [space for number, space in enumerate(SPACES) if rules.usable(state) >> number & 1]
    if name not in usable:
        raise BadPosition(reader.path(str(name)), f"a space from {usable[0]} to {usable[-1]}", name)
    return SPACE_NUMBERS[name]


def _read_crowns(reader: Reader, state: AnyRecord) -> None:
    for name, colour in reader.mapping.items():
        space = _read_space(reader, name, state)
        height = int(state.heights[space])
        if height == 0:
            raise BadPosition(reader.path(name), "no crown on an empty space", colour)
        top = COLOURS[rules.chip_at(state, space, height - 1)]
        reader.exactly(name, top, "the colour of its top chip")
        rules.lock(state, space, COLOURS.index(top))
    for space, name in enumerate(SPACES):
        if name not in reader.mapping and rules.has_three(state, space):
            chips = _chips(state.stacks[space].tolist(), int(state.heights[space]))
            raise BadPosition(f"board.{name}", "a crown there: its three top chips have one colour", chips)


def _read_counts(reader: Reader, state: AnyRecord) -> None:
    """Chips, rows and scores follow from the board."""
    colours = COLOURS[: COLOURS_IN_PLAY[state.players]]
    for number in range(len(colours)):
        state.rows[number] = rows_of(int(state.crowns[number]))
    for key, counts in (("chips", state.chips), ("rows", state.rows)):
        inner = reader.inner(key)
        inner.only(colours)
        for number, colour in enumerate(colours):
            inner.exactly(colour, int(counts[number]), "by the board")
    points = np.zeros(len(state.scores), np.int32)
    rules.score(state, points)
    reader.exactly("scores", points[: state.players].tolist(), "by crowns and rows")


def rows_of(crowns: int) -> int:
    """All rows of a colour: crown by crown, as in a game."""
    rows = made = 0
    for space in range(NUM_SPACES):
        if crowns >> space & 1:
            rows += rules.new_rows(made, space)
            made |= 1 << space
    return rows


def _check_end(reader: Reader, state: AnyRecord) -> None:
    """A game that goes on has no reason to be over; one that is over has one."""
    ending = _ending(state)
    if state.phase == Phase.OVER:
        state.ending = ending
        if ending == Ending.NONE:
            raise BadPosition("over", "a reason: rows, all crowned, an idle round, or too many moves", True)
        return
    key = {Ending.ROWS: "rows", Ending.CROWNED: "crowns", Ending.IDLE: "idle", Ending.MOVES: "moves"}
    if ending != Ending.NONE:
        raise BadPosition(key[ending], "less, while the game goes on", reader.raw(key[ending]))
    if state.phase == Phase.PLACE and state.chips[rules.colour_of(state, state.turn)] == 0:
        raise BadPosition("phase", "another one: there is no chip left to place", reader.raw("phase"))


def _ending(state: AnyRecord) -> Ending:
    if state.rows.max() >= rules.rows_to_win(state):
        return Ending.ROWS
    if rules.uncrowned(state) == 0:
        return Ending.CROWNED
    if state.idle >= state.players:
        return Ending.IDLE
    return Ending.MOVES if state.moves >= MAX_MOVES else Ending.NONE


def _read_card(value: Any, path: str) -> int:
    if not isinstance(value, str) or value not in CARD_NUMBERS:
        raise BadPosition(path, f"a card: {', '.join(CARD_NUMBERS)}", value)
    return CARD_NUMBERS[value]


def _check_counts(state: AnyRecord, hands: list[list[int]], deck: list[int]) -> None:
    """No card is there too often, and none is missing; NO_CARD stands for one that isn't seen."""
    counts: Counter[int] = Counter()
    _count(counts, "discard", state.discard.tolist())
    for seat, hand in enumerate(hands):
        _count(counts, f"hands[{seat}]", hand)
    _count(counts, "deck", deck)
    unseen = deck.count(NO_CARD) + sum(hand.count(NO_CARD) for hand in hands)
    missing = COPIES - counts
    if missing.total() != unseen:
        first = min(missing, default=CROWN_CARD)
        expected = f"{DECK_SIZE} cards in all, {COPIES[first]} of them {card_text(first)}"
        raise BadPosition("deck", expected, f"{counts.total() + unseen} cards, {counts[first]} of them")


def _count(counts: Counter[int], key: str, cards: Sequence[int]) -> None:
    counts.update(card for card in cards if card != NO_CARD)
    if extra := counts - COPIES:
        first = min(extra)
        raise BadPosition(key, f"at most {COPIES[first]} of {card_text(first)} in all", card_text(first))


def read_view(reader: Reader, log: Sequence[AnyEvent], view: AnyRecord) -> None:
    """Fill a view's own keys; which cards a new deck was made of follows from a log of the whole game."""
    hands = reader.listed("hands", lambda value, path: as_list(value, path, _read_shown), int(view.players))
    deck = reader.listed("deck", _read_shown)
    _read_open(reader, view)
    _check_counts(view, hands, deck)
    for seat, hand in enumerate(hands):
        if NO_CARD not in hand:
            for card in hand:
                view.hands[seat, card] += 1
    _fill_sizes(view, hands, deck)
    if view.phase != Phase.OVER:
        _follow(log, view)


def _read_shown(value: Any, path: str) -> int:
    return NO_CARD if value == HIDDEN else _read_card(value, path)


def _follow(log: Sequence[AnyEvent], view: AnyRecord) -> None:
    """What the deck was last made of, and what the seat drew since."""
    discard: Counter[int] | None = None
    for event in log:
        match event:
            case RoundBegan():
                discard = Counter()
            case Moved(move=move) if discard is not None and laid_by(move):
                discard[CARD_NUMBERS[laid_by(move)]] += 1
            case Reshuffled() if discard:
                left = COPIES - discard
                view.outside[NO_CARD] = 1
                view.outside[1:] = [left[card] for card in range(1, NUM_CARDS + 1)]
                discard = Counter()
            case Drew(card=card) if card != HIDDEN and view.outside[NO_CARD]:
                view.outside[CARD_NUMBERS[card]] += 1


def laid_by(move: str) -> str:
    """The card that a move's text lays down; nothing for a step of a double-up."""
    match move.split(" "):
        case ["swap" | "discard", card]:
            return card
        case [card, *_] if card in CARD_NUMBERS:
            return card
        case _:
            return ""


# The log in words

DOUBLE_UPS = {  # one line for a whole turn, as far as it has come
    ("U",): "log.double-up",
    ("U", "stay"): "log.double-up-stay",
    ("U", "shift"): "log.double-up-shift",
    ("U", "stay", "place"): "log.double-up-place",
    ("U", "shift", "place"): "log.double-up-shift-place",
    ("stay",): "log.stay",  # alone, or where a log begins in the middle of a turn
    ("shift",): "log.shift",
    ("place",): "log.place",
    ("stay", "place"): "log.place",
    ("shift", "place"): "log.shift-place",
}


def sentences(turn: Sequence[AnyEvent]) -> list[Sentence]:
    """A turn, or one of its steps, with what it caused, as lines of the log."""
    moves = [event for event in turn if isinstance(event, Moved)]
    steps = tuple(event.move.split(" ")[0] for event in moves)
    lines = []
    if steps in DOUBLE_UPS:
        lines.append(Sentence(DOUBLE_UPS[steps], _double_up(moves)))
    elif moves:
        lines.append(_card_sentence(moves[-1], _drawn(turn)))
    for event in turn:
        match event:
            case Moved():
                cause = event
            case Gained(seat, "crowns", _):
                lines.append(Sentence("log.crown", {"seat": seat, "space": _new_crown(cause, seat)}))
            case Gained(seat, _, amount):
                lines.append(Sentence("log.row", {"seat": seat, "count": amount}))
            case Drew(seat, card) if steps in DOUBLE_UPS and card != HIDDEN:
                lines.append(Sentence("log.draw", {"seat": seat, "card": card}))
            case _:
                lines += common_sentences(event)
    return lines


def _drawn(turn: Sequence[AnyEvent]) -> str | None:
    """The card drawn, if the reader may know it."""
    cards = [event.card for event in turn if isinstance(event, Drew) and event.card != HIDDEN]
    return cards[0] if cards else None


def _new_crown(move: Moved, owner: int) -> str:
    """Where a move makes a crown: where its chip comes to lie; another's, where a shift has laid it bare."""
    spaces = [word for word in move.move.split(" ") if word in SPACE_NUMBERS]
    return spaces[-1] if owner == move.seat else spaces[0]


def _double_up(moves: Sequence[Moved]) -> dict[str, Any]:
    """What is to be said of the steps of a double-up."""
    data: dict[str, Any] = {"seat": moves[0].seat}
    for move in moves:
        match move.move.split(" "):
            case ["shift", start, goal, count]:
                data |= {"start": start, "goal": goal, "count": int(count)}
            case ["place", space]:
                data |= {"space": space}
    return data


def _card_sentence(move: Moved, drawn: str | None) -> Sentence:
    """A card that is played, swapped or discarded, and what was drawn for it."""
    match move.move.split(" "), drawn:
        case ["swap", card], None:
            return Sentence("log.swap", {"seat": move.seat, "card": card})
        case ["swap", card], _:
            return Sentence("log.swap-draw", {"seat": move.seat, "card": card, "drawn": drawn})
        case ["discard", card], None:
            return Sentence("log.discard", {"seat": move.seat, "card": card})
        case ["discard", card], _:
            return Sentence("log.discard-draw", {"seat": move.seat, "card": card, "drawn": drawn})
        case [card, space], None:
            return Sentence("log.play", {"seat": move.seat, "card": card, "space": space})
        case [card, space], _:
            return Sentence(
                "log.play-draw", {"seat": move.seat, "card": card, "space": space, "drawn": drawn}
            )
        case _:
            raise AssertionError(f"{move.move!r} is no card's move")
