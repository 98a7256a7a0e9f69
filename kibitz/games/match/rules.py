"""The rules of MATCH!, told in the rulebook's order.

Two to six players get rid of cards on the discard pile, and score with the cards that didn't fit there.
"""

from enum import IntEnum

import numpy as np
import numpy.typing as npt

from kibitz.core.cards import NO_CARD, CardCodes, draw_known, imagine_deck, make_deck, renew_deck
from kibitz.core.chance import Block, fresh_block, fresh_key, shuffle
from kibitz.core.common import best_total, find_starter, frozen, highest_wins, next_seat, recall, see
from kibitz.core.forms import SEAT, Choice, EachSeat, Pile
from kibitz.core.journal import Journal, Note, tell, tell_some
from kibitz.core.kernel import inlined, kernel, wide
from kibitz.core.layout import (
    MAX_ROUNDS,
    NOBODY,
    AnyRecord,
    Field,
    Layout,
    Moves,
    Points,
    Rng,
    Seen,
)
from kibitz.core.options import RANDOM_SEAT, Option, seat_option

# 1. In the box

COLOURS = "RYGBP"
LOWEST, HIGHEST = 0, 5
COPIES = 2
JOKERS = 4
NUM_COLOURS = len(COLOURS)
NUM_NUMBERS = HIGHEST - LOWEST + 1
NUM_CARDS = NUM_COLOURS * NUM_NUMBERS  # different ones with a number: 1 to this; 0 is no card
JOKER = NUM_CARDS + 1
DECK_SIZE = NUM_CARDS * COPIES + JOKERS
PILE_SIZE = NUM_NUMBERS * COPIES  # all cards of a colour
JOKER_IN_HAND = 10  # points lost

SEATS = 6
HAND_SIZE = 5
MAX_MOVES = 1000
LEAST_TARGET, MOST_TARGET = 10, 500
MOST_POINTS = 200  # more than a round can bring or cost: 150 for all numbers, 40 for all jokers


def card(colour: int, number: int) -> int:
    """The number of a card."""
    return 1 + colour * NUM_NUMBERS + number - LOWEST


COPIES_OF = frozen([0] + [COPIES] * NUM_CARDS + [JOKERS])  # by card
COLOUR = frozen([0] + [colour for colour in range(NUM_COLOURS) for _ in range(NUM_NUMBERS)] + [0])
NUMBER = frozen([0] + [number for _ in COLOURS for number in range(LOWEST, HIGHEST + 1)] + [0])
COST = frozen([*NUMBER[:JOKER], JOKER_IN_HAND])  # points lost by a card that stays in the hand
NUMBERS = [str(number) for number in range(LOWEST, HIGHEST + 1)]
CARDS = CardCodes(
    [*(f"{colour}{number}" for colour in COLOURS for number in NUMBERS), "W"],
    expected="a card such as 'R3' or 'W'",
)
DECK = frozen([kind for kind in range(1, JOKER + 1) for _ in range(COPIES_OF[kind])], np.int8)


# 2. The table


class Phase(IntEnum):
    """The parts of a round; 0 is `over`, as in every game."""

    OVER = 0
    PLAY = 1


class Ending(IntEnum):
    """Why a round, and with it perhaps the game, is over."""

    NONE = 0
    OUT = 1  # a player has no hand card left
    MOVES = 2  # the round has reached MAX_MOVES
    TARGET = 3  # somebody has reached the target
    ROUNDS = 4  # all agreed rounds are played
    MAX_ROUNDS = 5  # the most rounds any game may have are played


class Step(IntEnum):
    """What a round's result is made of."""

    COLLECTION = 0
    HAND = 1


NO_ROUNDS = 0  # option `rounds`: null

# What is called: 0 is nothing, then the colours, then the numbers.
NO_CALL = 0
CALL_COLOUR = 1  # + colour
CALL_NUMBER = CALL_COLOUR + NUM_COLOURS  # + number
NUM_CALLS = NUM_COLOURS + NUM_NUMBERS

CALLS = [None, *COLOURS, *NUMBERS]

TARGET = Option("target", 50, (range(LEAST_TARGET, MOST_TARGET + 1),))
ROUNDS = Option("rounds", None, (None, range(1, MAX_ROUNDS + 1)), codes={None: NO_ROUNDS})
STARTER = seat_option("starter")

HANDS = (SEATS, DECK_SIZE)  # in card order, then NO_CARD
PILES = (SEATS, NUM_COLOURS, PILE_SIZE)  # the top last, then NO_CARD

LAYOUT = Layout(
    SEATS,
    [
        Field("target", np.int16, LEAST_TARGET, MOST_TARGET, option=TARGET),
        Field("rounds", np.int8, NO_ROUNDS, MAX_ROUNDS, option=ROUNDS),
        Field("starter_option", np.int8, RANDOM_SEAT, SEATS - 1, option=STARTER),
        Field(
            "hands",
            np.int8,
            0,
            JOKER,
            HANDS,
            seen=Seen.BY_ITS_SEAT,
            form=EachSeat(Pile(CARDS, "hand_sizes", in_order=True)),
        ),
        Field("hand_sizes", np.int8, 0, DECK_SIZE, SEATS),
        Field("piles", np.int8, 0, NUM_CARDS, PILES, key="collections"),
        Field("heights", np.int8, 0, PILE_SIZE, (SEATS, NUM_COLOURS), key="collections"),
        Field("deck", np.int8, 0, JOKER, DECK_SIZE, seen=Seen.AT_THE_END, form=Pile(CARDS, "deck_size")),
        Field("deck_size", np.int8, 0, DECK_SIZE),
        Field("discard", np.int8, 0, JOKER, DECK_SIZE, form=Pile(CARDS, "discard_size")),
        Field("discard_size", np.int8, 1, DECK_SIZE),
        Field("called", np.int8, NO_CALL, NUM_CALLS, form=Choice(CALLS)),  # NO_CALL unless a joker is on top
        Field("starter", np.int8, 0, SEATS - 1, form=SEAT),  # who began this round
        # How many of each card a seat knows not to be in the deck, by having seen it made of discards and by
        # what it drew since; 0 before a first reshuffle.
        Field("outside", np.int8, 0, JOKERS, (SEATS, JOKER + 1), seen=Seen.AS_KNOWN),
    ],
)
STATE, VIEW, SEEN = LAYOUT.state, LAYOUT.view, LAYOUT.seen


# 3. What a player may do

MATCH = 0  # + card - 1, from the hand
MATCH_COLLECTION = MATCH + NUM_CARDS  # + card - 1
COLLECT = MATCH_COLLECTION + NUM_CARDS  # + card - 1
WILD = COLLECT + NUM_CARDS  # + call - 1
NUM_MOVES = WILD + NUM_CALLS

# Journal rows that one move can cause: all hands laid open, a new deal, and jokers that are turned up and go
# back. There is no end to those: what goes beyond the journal isn't told.
MAX_NOTES = DECK_SIZE + 4 * SEATS + HAND_SIZE * SEATS + 200


def _fits(asked: int, kind: int) -> bool:
    """Whether a number card fits a card on top, or beyond these numbers what was called."""
    if asked <= NUM_CARDS:
        return bool(COLOUR[kind] == COLOUR[asked] or NUMBER[kind] == NUMBER[asked])
    if asked - NUM_CARDS < CALL_NUMBER:
        return bool(COLOUR[kind] == asked - NUM_CARDS - CALL_COLOUR)
    return bool(NUMBER[kind] == asked - NUM_CARDS - CALL_NUMBER + LOWEST)


FITS = frozen(  # by what is asked and card: number cards that fit
    [
        [0 < kind < JOKER and asked > 0 and _fits(asked, kind) for kind in range(JOKER + 1)]
        for asked in range(NUM_CARDS + NUM_CALLS + 1)
    ],
    np.bool_,
)
FITTING = frozen([sum(1 << kind for kind in range(JOKER) if fits[kind]) for fits in FITS])  # the same as bits
NUMBER_CARDS = sum(1 << kind for kind in range(1, JOKER))


@inlined
def legal_moves(state: AnyRecord, moves: Moves) -> int:
    """Fill `moves` with what the seat in turn may do, in ascending order, and return how many there are."""
    if state.phase == Phase.PLAY:
        asked = what_is_asked(state)
        fitting = wide(FITTING[asked])
        from_hand = add_from_hand(state, moves, 0, fitting, MATCH)
        count = add_from_collection(state, moves, from_hand, fitting)
        if count == from_hand:  # else the collection binds [M1]; the hand never does [M8]
            count = add_from_hand(state, moves, count, NUMBER_CARDS & ~fitting, COLLECT)
        return add_calls(state, moves, count)
    return 0


@kernel
def what_is_asked(state: AnyRecord) -> int:
    """The top of the discard pile asks for its colour or number; a joker for what was called. [M3]"""
    if state.called != NO_CALL:
        return NUM_CARDS + wide(state.called)
    return wide(state.discard[state.discard_size - 1])


@inlined
def add_from_hand(state: AnyRecord, moves: Moves, count: int, allowed: int, first: int) -> int:
    """Number cards of the hand that fit may be matched; those that don't may be collected.

    Each is written, and only the count says whether it stays. Whether a card fits nobody can foretell:
    without a branch random games are an eighth faster.
    """
    seat = state.turn
    before = NO_CARD
    for place in range(state.hand_sizes[seat]):
        kind = wide(state.hands[seat, place])
        moves[count] = first + kind - 1
        count += (kind != before) & (allowed >> kind)
        before = kind
    return count


@kernel
def add_from_collection(state: AnyRecord, moves: Moves, count: int, fitting: int) -> int:
    """The top card of a pile of the own collection may be matched if it fits. [M1]"""
    seat = state.turn
    for colour in range(NUM_COLOURS):
        top = top_of_pile(state, seat, colour)
        if fitting >> top & 1:
            moves[count] = MATCH_COLLECTION + top - 1
            count += 1
    return count


@kernel
def top_of_pile(state: AnyRecord, seat: int, colour: int) -> int:
    """Only the top card of a pile is seen, played and counts for what fits. [M1]"""
    return wide(state.piles[seat, colour, max(wide(state.heights[seat, colour]), 1) - 1])


@kernel
def add_calls(state: AnyRecord, moves: Moves, count: int) -> int:
    """A joker of the hand may always be played, calling any colour or number. [M2] [M4]"""
    seat = state.turn
    if state.hands[seat, state.hand_sizes[seat] - 1] == JOKER:
        room = moves[count:]
        for call in range(NUM_CALLS):
            room[call] = WILD + call
        count += NUM_CALLS
    return count


# 4. Setting up


@kernel
def set_up(state: AnyRecord, journal: Journal) -> None:
    """Find out who begins, then deal the first round."""
    deal(state, find_starter(state), journal)


@kernel
def deal(state: AnyRecord, block: Block, journal: Journal) -> None:
    """Shuffle all cards, deal five to each, and turn one up."""
    clear_table(state)
    tell(journal, Note.ROUND.value, state.starter, 0, state.round_number)
    make_deck(state, DECK, block)
    for _ in range(HAND_SIZE):
        for seat in range(state.players):
            take_top(state, seat, journal)
    turn_up(state, block, journal)
    state.moves = 0
    state.turn = state.starter
    state.phase = Phase.PLAY.value


@kernel
def clear_table(state: AnyRecord) -> None:
    """All cards go back, and with them what was called and what was known."""
    state.called = NO_CALL
    state.discard_size = 0
    for place in range(DECK_SIZE):
        state.discard[place] = NO_CARD
    for seat in range(state.players):
        state.hand_sizes[seat] = 0
        for place in range(DECK_SIZE):
            state.hands[seat, place] = NO_CARD
        for kind in range(JOKER + 1):
            state.outside[seat, kind] = 0
        for colour in range(NUM_COLOURS):
            state.heights[seat, colour] = 0
            for place in range(PILE_SIZE):
                state.piles[seat, colour, place] = NO_CARD


@kernel
def turn_up(state: AnyRecord, block: Block, journal: Journal) -> None:
    """One card begins the discard pile; a joker goes back into the deck, which is shuffled again.

    Of 34 cards or more at most four are jokers: it is a number card soon.
    """
    while state.deck[state.deck_size - 1] == JOKER:
        tell(journal, Note.REVEAL.value, NOBODY, JOKER, 0)
        tell(journal, Note.RESHUFFLE.value, NOBODY, 0, state.deck_size)
        shuffle(state, state.deck[: state.deck_size], block)
    state.deck_size -= 1
    put_on_discard(state, state.deck[state.deck_size])
    tell(journal, Note.REVEAL.value, NOBODY, state.deck[state.deck_size], 0)
    state.deck[state.deck_size] = NO_CARD


@kernel
def put_on_discard(state: AnyRecord, kind: int) -> None:
    """A card goes on the discard pile."""
    state.discard[state.discard_size] = kind
    state.discard_size += 1


# 5. A turn


@inlined
def play(state: AnyRecord, move: int, journal: Journal) -> None:
    """A turn is exactly one card: matched, or collected and replaced from the deck."""
    seat = state.turn
    tell(journal, Note.MOVE.value, seat, move, 0)
    carry_out(state, move, journal)
    state.moves += 1
    if state.hand_sizes[seat] == 0:
        end_round(state, Ending.OUT.value, journal)
    elif state.moves >= MAX_MOVES:
        end_round(state, Ending.MOVES.value, journal)
    else:
        state.turn = next_seat(state, seat)


@inlined
def carry_out(state: AnyRecord, move: int, journal: Journal) -> None:
    """Match from the hand or the collection, collect, or play a joker."""
    seat = state.turn
    if move < MATCH_COLLECTION:
        match_from_hand(state, move - MATCH + 1, NO_CALL)
    elif move < COLLECT:
        match_from_collection(state, seat, move - MATCH_COLLECTION + 1)
    elif move < WILD:
        collect(state, seat, move - COLLECT + 1)
        draw(state, seat, journal)
    else:
        match_from_hand(state, JOKER, move - WILD + 1)


@kernel
def match_from_hand(state: AnyRecord, kind: int, call: int) -> None:
    """A card from the hand covers the discard pile; only a joker calls. [M3]"""
    take_from_hand(state, state.turn, kind)
    put_on_discard(state, kind)
    state.called = call


@kernel
def match_from_collection(state: AnyRecord, seat: int, kind: int) -> None:
    """The top card of a pile covers the discard pile, and what lay beneath it is the top now."""
    colour = COLOUR[kind]
    state.heights[seat, colour] -= 1
    state.piles[seat, colour, state.heights[seat, colour]] = NO_CARD
    put_on_discard(state, kind)
    state.called = NO_CALL


@kernel
def collect(state: AnyRecord, seat: int, kind: int) -> None:
    """A card from the hand goes on the pile of its colour."""
    take_from_hand(state, seat, kind)
    colour = COLOUR[kind]
    state.piles[seat, colour, state.heights[seat, colour]] = kind
    state.heights[seat, colour] += 1


@inlined
def take_from_hand(state: AnyRecord, seat: int, kind: int) -> None:
    """Take a card out of a hand; those behind it close the gap."""
    for place in range(state.hand_sizes[seat]):
        if state.hands[seat, place] >= kind:
            state.hands[seat, place] = state.hands[seat, place + 1]
    state.hand_sizes[seat] -= 1


@inlined
def draw(state: AnyRecord, seat: int, journal: Journal) -> None:
    """Draw a card; if the deck is empty the discards become one, and if they can't there is none. [M5]"""
    if state.deck_size == 0:
        reshuffle(state, journal)
    if state.deck_size > 0:
        draw_known(state, seat, take_top(state, seat, journal))


@inlined
def take_top(state: AnyRecord, seat: int, journal: Journal) -> int:
    """The top card of the deck goes to its place in the hand."""
    state.deck_size -= 1
    kind = wide(state.deck[state.deck_size])
    state.deck[state.deck_size] = NO_CARD
    state.hand_sizes[seat] += 1
    insert(state, seat, wide(state.hand_sizes[seat]), kind)
    tell_some(journal, Note.DRAW.value, seat, kind, 0, 1 << wide(seat))
    return kind


@inlined
def insert(state: AnyRecord, seat: int, places: int, kind: int) -> None:
    """Put a card at its place among the first ones of a hand; those behind it move up.

    Each place keeps the earlier of two cards, and no card is the last of all. Where a card belongs nobody can
    foretell: without a branch random games are a twelfth faster.
    """
    carried = kind
    for place in range(places):
        kept = wide(state.hands[seat, place])
        later = (kept > carried) | (kept == NO_CARD)
        state.hands[seat, place] = carried if later else kept
        carried = kept if later else carried


@kernel
def reshuffle(state: AnyRecord, journal: Journal) -> None:
    """The discard pile without its top card becomes the deck; the top, and a call on it, stay. [M3]"""
    beneath = wide(state.discard_size) - 1
    if beneath == 0:
        return
    top = state.discard[beneath]
    state.discard[beneath] = NO_CARD
    renew_deck(state, beneath, COPIES_OF, journal)
    put_on_discard(state, top)


# 6. The end


@kernel
def is_over(state: AnyRecord) -> bool:
    """Whether the game has ended."""
    return state.phase == Phase.OVER


@kernel
def score(state: AnyRecord, points: Points) -> None:
    """A round brings all cards of the collection, also buried ones, less those in the hand. [M6]"""
    for seat in range(state.players):
        points[seat] = worth_of_collection(state, seat) - cost_of_hand(state, seat)


@kernel
def worth_of_collection(state: AnyRecord, seat: int) -> int:
    """The sum of all cards in the collection."""
    total = 0
    for colour in range(NUM_COLOURS):
        for place in range(state.heights[seat, colour]):
            total += NUMBER[state.piles[seat, colour, place]]
    return total


@kernel
def cost_of_hand(state: AnyRecord, seat: int) -> int:
    """Number cards their number, a joker 10."""
    total = 0
    for place in range(state.hand_sizes[seat]):
        total += COST[state.hands[seat, place]]
    return total


@kernel
def end_round(state: AnyRecord, ending: int, journal: Journal) -> None:
    """Lay the hands open and count; then the game is over, or who ended the round begins the next one."""
    points = np.zeros(SEATS, np.int32)
    score(state, points)
    for seat in range(state.players):
        state.scores[seat] += points[seat]
        lay_open(state, seat, journal)
    tell(journal, Note.SCORED.value, NOBODY, ending, state.round_number)
    over = game_ending(state)
    if over != Ending.NONE:
        highest_wins(state, over, journal)
    else:
        state.round_number += 1
        state.starter = state.turn
        deal(state, fresh_block(), journal)


@kernel
def lay_open(state: AnyRecord, seat: int, journal: Journal) -> None:
    """Everybody sees what a score is made of."""
    if len(journal) > 0:
        for place in range(state.hand_sizes[seat]):
            tell(journal, Note.SHOW.value, seat, state.hands[seat, place], 0)
        tell(journal, Note.STEP.value, seat, Step.COLLECTION.value, worth_of_collection(state, seat))
        tell(journal, Note.STEP.value, seat, Step.HAND.value, -cost_of_hand(state, seat))


@kernel
def game_ending(state: AnyRecord) -> int:
    """The game ends after a round in which a total reaches the target, or after the last agreed round."""
    if best_total(state) >= state.target:
        return Ending.TARGET.value
    if state.round_number == state.rounds:
        return Ending.ROUNDS.value
    return Ending.MAX_ROUNDS.value if state.round_number >= MAX_ROUNDS else Ending.NONE.value


# 7. What each player sees


@kernel
def observe(state: AnyRecord, observer: int, view: AnyRecord) -> None:
    """Collections and the discard pile are open in full; hands and the deck are not, until the end."""
    see(state, observer, view, SEEN)


# 8. Imagining what is hidden


@kernel
def imagine(view: AnyRecord, rng: Rng, state: AnyRecord) -> None:
    """Cards the observer can't see are dealt anew, to the hands first those that can't be in the deck."""
    recall(view, state, SEEN)
    fresh_key(state, rng)
    left = COPIES_OF.copy()
    count_seen(view, left)
    unseen = np.zeros(DECK_SIZE, np.int8)
    imagine_deck(view, left, COPIES_OF, rng, unseen, state)
    taken = 0
    for seat in range(view.players):
        if view.hands[seat, 0] == NO_CARD:
            for held in range(view.hand_sizes[seat]):
                insert(state, seat, held + 1, wide(unseen[taken]))
                taken += 1


@kernel
def count_seen(view: AnyRecord, left: npt.NDArray[np.int64]) -> None:
    """Take the cards that the observer sees out of the box's counts."""
    for place in range(view.discard_size):
        left[view.discard[place]] -= 1
    for seat in range(view.players):
        for colour in range(NUM_COLOURS):
            for place in range(view.heights[seat, colour]):
                left[view.piles[seat, colour, place]] -= 1
    for place in range(view.hand_sizes[view.observer]):
        left[view.hands[view.observer, place]] -= 1
