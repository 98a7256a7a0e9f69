"""Kazink! as text and JSON: cards, spaces, moves, positions, and why a move is refused."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kibitz.core.cards import NO_CARD, check_box, learn_deck
from kibitz.core.description import Found
from kibitz.core.errors import BadPosition, Refusal
from kibitz.core.events import (
    AnyEvent,
    Drew,
    Gained,
    Moved,
    Reshuffled,
    RoundBegan,
    common_sentences,
)
from kibitz.core.forms import Own, codes_of
from kibitz.core.layout import HIDDEN, AnyRecord
from kibitz.core.reader import Reader, as_whole
from kibitz.core.sentences import Card, Seat, Sentence
from kibitz.core.versions import FIRST
from kibitz.games.kazink import board, rules
from kibitz.games.kazink.board import COLOURS, NUM_SPACES
from kibitz.games.kazink.rules import CARDS, Ending, Phase, Step

PHASES = codes_of(Phase)
STEPS = codes_of(Step)
ENDINGS = codes_of(Ending)
MASKS: tuple[str, ...] = ()  # every move is open

# Cards, spaces and moves

SPACES = [f"{file}{rank}" for rank in range(1, board.NUM_RANKS + 1) for file in board.FILES]
SPACE_NUMBERS = {name: space for space, name in enumerate(SPACES)}
SUIT_NAMES = [suit for rank in board.PRINTED for suit in rank]  # by space
DISCARD_PLACES: dict[int, int] = {card: number for number, card in enumerate(rules.DISCARDS.tolist())}
SHIFTS: list[tuple[int, int, int]] = list(
    zip(rules.SHIFT_START.tolist(), rules.SHIFT_GOAL.tolist(), rules.SHIFT_COUNT.tolist(), strict=True)
)
SHIFT_NUMBERS = {shift: number for number, shift in enumerate(SHIFTS)}


def ground(options: Mapping[str, Any]) -> dict[str, str]:
    """What is printed on the spaces that are in a game."""
    spaces = board.NUM_FILES * rules.BOARD_OPTION.codes[options["board"]]
    return dict(zip(SPACES[:spaces], SUIT_NAMES))


def card_text(card: int) -> str:
    """A card is a letter: a suit, `W` wild, `U` double-up, `K` crown."""
    return CARDS[card]


def move_text(move: int) -> str:
    """A move's notation: `S b2`, `K b3`, `U`, `stay`, `shift a1 b2 2`, `place c3`, `swap S`, `discard S`."""
    if move < rules.CROWN:
        return f"{card_text((move - rules.LAY) // NUM_SPACES + 1)} {SPACES[(move - rules.LAY) % NUM_SPACES]}"
    if move < rules.DOUBLE_UP:
        return f"{card_text(rules.CROWN_CARD)} {SPACES[move - rules.CROWN]}"
    if move < rules.SHIFT:
        return card_text(rules.DOUBLE_UP_CARD) if move == rules.DOUBLE_UP else "stay"
    if move < rules.PLACE:
        start, goal, count = SHIFTS[move - rules.SHIFT]
        return f"shift {SPACES[start]} {SPACES[goal]} {count}"
    if move < rules.SWAP:
        return f"place {SPACES[move - rules.PLACE]}"
    if move < rules.DISCARD:
        return f"swap {card_text(move - rules.SWAP + 1)}"
    return f"discard {card_text(rules.DISCARDS[move - rules.DISCARD])}"


def parse_move(text: str) -> int | Refusal:
    """The number of a move, or the rule that such a move breaks anywhere."""
    match text.split(" "):
        case ["U"]:
            return rules.DOUBLE_UP
        case ["stay"]:
            return rules.STAY
        case ["U", _]:
            return Refusal("double-up-alone", "notation")
        case ["place", space]:
            return _at(rules.PLACE, space)
        case ["shift", start, goal, count]:
            return _parse_shift(start, goal, count)
        case ["swap", card] if card in CARDS.numbers:
            if CARDS.numbers[card] >= rules.WILD:
                return Refusal("never-dead", "Z1", card=card)
            return rules.SWAP + CARDS.numbers[card] - 1
        case ["discard", card] if card in CARDS.numbers:
            if CARDS.numbers[card] == rules.DOUBLE_UP_CARD:
                return Refusal("double-up-discarded", "Z7")
            return rules.DISCARD + DISCARD_PLACES[CARDS.numbers[card]]
        case [card, space] if card in CARDS.numbers:
            kind = CARDS.numbers[card]
            return _at(
                rules.CROWN if kind == rules.CROWN_CARD else rules.LAY + NUM_SPACES * (kind - 1), space
            )
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
    return rules.SHIFT + SHIFT_NUMBERS[SPACE_NUMBERS[start], SPACE_NUMBERS[goal], int(count)]


def why_illegal(state: AnyRecord, move: int) -> Refusal:
    """The rule that refuses a move in this position, found from what the seat in turn sees."""
    if state.phase == Phase.SHIFT and not rules.STAY <= move < rules.PLACE:
        return Refusal("shift-first", "Z11")
    if state.phase == Phase.PLACE and not rules.PLACE <= move < rules.SWAP:
        return Refusal("place-first", "double-up")
    if state.phase == Phase.TURN and rules.STAY <= move < rules.SWAP:
        return Refusal("no-double-up-yet", "double-up")
    for word in move_text(move).split(" "):
        if word in SPACE_NUMBERS and not board.usable(state) >> SPACE_NUMBERS[word] & 1:
            return _why_no_space(state, word)
    if rules.STAY <= move < rules.PLACE:
        return _why_no_shift(state, move - rules.SHIFT)
    if rules.PLACE <= move < rules.SWAP:
        return Refusal("crowned", "double-up", space=SPACES[move - rules.PLACE])
    card = _card_of(move)
    if state.hands[state.turn, card] == 0:
        return Refusal("not-in-hand", "turn", card=card_text(card))
    if move >= rules.DISCARD:
        playable = next(
            other
            for other in range(1, rules.NUM_CARDS + 1)
            if state.hands[state.turn, other] > 0 and not rules.is_dead(other, board.uncrowned(state))
        )
        return Refusal("can-be-played", "Z2", card=card_text(playable))
    if move >= rules.SWAP:
        if state.swapped:
            return Refusal("swapped-already", "Z15")
        return Refusal("not-dead", "Z1", card=card_text(card))
    return _why_no_chip(state, card, move % NUM_SPACES)


def _why_no_space(state: AnyRecord, space: str) -> Refusal:
    """It is off the smaller board, or bordered and not for two."""
    if SPACE_NUMBERS[space] >= state.ranks * board.NUM_FILES:
        return Refusal(
            "not-on-this-board", "board", space=space, last=SPACES[state.ranks * board.NUM_FILES - 1]
        )
    return Refusal("not-in-this-game", "Z10", space=space)


def _card_of(move: int) -> int:
    """The card that a move lays down."""
    if move < rules.CROWN:
        return (move - rules.LAY) // NUM_SPACES + 1
    if move < rules.DOUBLE_UP:
        return rules.CROWN_CARD
    if move < rules.SWAP:
        return rules.DOUBLE_UP_CARD
    return move - rules.SWAP + 1 if move < rules.DISCARD else int(rules.DISCARDS[move - rules.DISCARD])


def _why_no_chip(state: AnyRecord, card: int, space: int) -> Refusal:
    name = card_text(card)
    if state.seat_chips[state.turn] == 0:
        return Refusal("out-of-chips", "Z7", card=name)
    if card < rules.WILD and SUIT_NAMES[space] != name:
        return Refusal("other-suit", "play", space=SPACES[space], suit=SUIT_NAMES[space], card=name)
    if board.crowned(state) >> space & 1:
        return Refusal("crowned", "play", space=SPACES[space])
    suit = int(rules.SPACES_OF[card]) & board.usable(state)
    uncovered = suit & ~(board.crowned(state) | board.topped(state))
    first = next(other for other in range(NUM_SPACES) if uncovered >> other & 1)
    return Refusal("not-all-covered", "play", space=SPACES[space], card=name, uncovered=SPACES[first])


def _why_no_shift(state: AnyRecord, number: int) -> Refusal:
    start, goal, _ = SHIFTS[number]
    own = int(state.tops[rules.colour_of(state, state.turn)])
    for space in (start, goal):
        if board.crowned(state) >> space & 1:
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
        COLOURS[
            (
                stack[place // board.CHIPS_IN_A_NUMBER] >> board.CHIP_BITS * (place % board.CHIPS_IN_A_NUMBER)
                & 3
            )
            - 1
        ]
        for place in range(height)
    )


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


def _by_colour(players: int, counts: Sequence[int]) -> dict[str, int]:
    return dict(zip(COLOURS[: rules.COLOURS_IN_PLAY[players]], counts, strict=False))


FORMS = {
    "board": Own(_board),
    "crowns": Own(_crowns),
    "chips": Own(lambda players, chips: _by_colour(players, chips), "players"),
    "rows": Own(lambda players, rows: _by_colour(players, rows), "players"),
    "seat_chips": Own(lambda seat_chips: seat_chips, each_seat=True),
}


def read(reader: Reader, record: AnyRecord, found: Found) -> None:
    """Fill in the board and what follows from it, and refuse what can't be."""
    reader.exactly("round", 1, "a game is one round")
    _read_board(reader.inner("board"), record)
    _read_crowns(reader.inner("crowns"), record)
    _read_counts(reader, record)
    _read_seat_chips(reader, record)
    reader.whole("idle", 0, int(record.players))
    _check_end(reader, record)
    check_box(CARDS, rules.COPIES_OF, found)
    if record.phase == Phase.TURN and record.hand_sizes[record.turn] == 0:
        raise BadPosition(f"hands[{record.turn}]", "a card at least, in turn", [])


def _read_board(reader: Reader, state: AnyRecord) -> None:
    colours = COLOURS[: rules.COLOURS_IN_PLAY[state.players]]
    left = Counter(dict.fromkeys(colours, board.CHIPS))
    for name, chips in reader.mapping.items():
        space = _read_space(reader, name, state)
        if not isinstance(chips, str) or not chips or not set(chips) <= set(colours):
            raise BadPosition(reader.path(name), f"chips of {', '.join(colours)}, bottom first", chips)
        left.subtract(chips)
        for colour, count in left.items():
            if count < 0:
                raise BadPosition(reader.path(name), f"at most {board.CHIPS} chips of {colour} in all", chips)
        for chip in chips:
            board.push(state, space, COLOURS.index(chip))
    for colour in colours:
        state.chips[COLOURS.index(colour)] = left[colour]


def _read_space(reader: Reader, name: Any, state: AnyRecord) -> int:
    usable = [space for number, space in enumerate(SPACES) if board.usable(state) >> number & 1]
    if name not in usable:
        raise BadPosition(reader.path(str(name)), f"a space from {usable[0]} to {usable[-1]}", name)
    return SPACE_NUMBERS[name]


def _read_crowns(reader: Reader, state: AnyRecord) -> None:
    for name, colour in reader.mapping.items():
        space = _read_space(reader, name, state)
        height = int(state.heights[space])
        if height == 0:
            raise BadPosition(reader.path(name), "no crown on an empty space", colour)
        top = COLOURS[board.chip_at(state, space, height - 1)]
        reader.exactly(name, top, "the colour of its top chip")
        board.lock(state, space, COLOURS.index(top))
    for space, name in enumerate(SPACES):
        if name not in reader.mapping and board.has_three(state, space):
            chips = _chips(state.stacks[space].tolist(), int(state.heights[space]))
            raise BadPosition(f"board.{name}", "a crown there: its three top chips have one colour", chips)


def _read_counts(reader: Reader, state: AnyRecord) -> None:
    """Chips, rows and scores follow from the board."""
    colours = COLOURS[: rules.COLOURS_IN_PLAY[state.players]]
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


def _read_seat_chips(reader: Reader, state: AnyRecord) -> None:
    """Partners who divide their chips have used some each; all others have the chips of their colour."""
    players = int(state.players)
    left = [int(state.chips[rules.colour_of(state, seat)]) for seat in range(players)]
    if rules.divides(state):
        left = _partners_chips(reader, left)
    elif state.rules_version > FIRST:
        reader.exactly("seat_chips", left, "by the chips of each colour")
    state.seat_chips[:players] = left


def _partners_chips(reader: Reader, of_both: Sequence[int]) -> list[int]:
    """What each has left of the chips that partners have divided; together it is what both have."""
    left = reader.listed(
        "seat_chips", lambda value, path: as_whole(value, path, 0, rules.PARTNERS_CHIPS), len(of_both)
    )
    for seat, chips in enumerate(of_both):
        partner = rules.partner_of(seat)
        if left[seat] + left[partner] != chips:
            raise BadPosition("seat_chips", f"{chips} for p{seat} and p{partner} together", left)
    return left


def rows_of(crowns: int) -> int:
    """All rows of a colour: crown by crown, as in a game."""
    rows = made = 0
    for space in range(NUM_SPACES):
        if crowns >> space & 1:
            rows += board.new_rows(made, space)
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
    if state.phase == Phase.PLACE and state.seat_chips[state.turn] == 0:
        raise BadPosition("phase", "another one: there is no chip left to place", reader.raw("phase"))


def _ending(state: AnyRecord) -> Ending:
    if state.rows.max() >= rules.rows_to_win(state):
        return Ending.ROWS
    if board.uncrowned(state) == 0:
        return Ending.CROWNED
    if state.idle >= state.players:
        return Ending.IDLE
    return Ending.MOVES if state.moves >= rules.MAX_MOVES else Ending.NONE


def follow(log: Sequence[AnyEvent], view: AnyRecord) -> None:
    """What a new deck was made of, and what the seat drew since, follows from a log of the whole game."""
    discard: list[int] | None = None
    for event in log:
        match event:
            case RoundBegan():
                discard = []
            case Moved(move=move) if discard is not None and laid_by(move):
                discard.append(CARDS.numbers[laid_by(move)])
            case Reshuffled() if discard:
                learn_deck(view.outside, rules.COPIES_OF, discard)
                discard = []
            case Drew(card=card) if card != HIDDEN and view.outside[NO_CARD]:
                view.outside[CARDS.numbers[card]] += 1


def laid_by(move: str) -> str:
    """The card that a move's text lays down; nothing for a step of a double-up."""
    match move.split(" "):
        case ["swap" | "discard", card]:
            return card
        case [card, *_] if card in CARDS.numbers:
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
                lines.append(Sentence("log.crown", {"seat": Seat(seat), "space": _new_crown(cause, seat)}))
            case Gained(seat, _, amount):
                lines.append(Sentence("log.row", {"seat": Seat(seat), "count": amount}))
            case Drew(seat, card) if steps in DOUBLE_UPS and card != HIDDEN:
                lines.append(Sentence("log.draw", {"seat": Seat(seat), "card": Card(card)}))
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
    data: dict[str, Any] = {"seat": Seat(moves[0].seat)}
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
            return Sentence("log.swap", {"seat": Seat(move.seat), "card": Card(card)})
        case ["swap", card], str(new):
            return Sentence(
                "log.swap-draw", {"seat": Seat(move.seat), "card": Card(card), "drawn": Card(new)}
            )
        case ["discard", card], None:
            return Sentence("log.discard", {"seat": Seat(move.seat), "card": Card(card)})
        case ["discard", card], str(new):
            return Sentence(
                "log.discard-draw", {"seat": Seat(move.seat), "card": Card(card), "drawn": Card(new)}
            )
        case [card, space], None:
            return Sentence("log.play", {"seat": Seat(move.seat), "card": Card(card), "space": space})
        case [card, space], str(new):
            return Sentence(
                "log.play-draw",
                {"seat": Seat(move.seat), "card": Card(card), "space": space, "drawn": Card(new)},
            )
        case _:
            raise AssertionError(f"{move.move!r} is no card's move")
