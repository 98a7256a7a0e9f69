"""The table of CASH: what lies where and who may see it, and the numbers of the moves."""

from enum import IntEnum

import numpy as np

from kibitz.core.kernel import inlined, kernel, wide
from kibitz.core.layout import (
    MAX_ROUNDS,
    NOBODY,
    AnyRecord,
    Field,
    Moves,
    common_fields,
    public_fields,
    record_type,
)
from kibitz.games.cash.cards import (
    ALL_COVERS,
    DECK_SIZE,
    FIRST_CASH,
    LAST_CASH,
    LAST_PROBE,
    MOST_COPIES,
    NO_CARD,
    NUM_CARDS,
    NUM_CASH,
    NUM_POLICIES,
    NUM_PROBES,
    TAXMAN,
    VENTURE,
    frozen,
)

SEATS = 8
HAND_SIZE = 7
MAX_OFFERS = 5  # begun in a turn
MAX_SIDE = 4  # cards on one side of an offer
MAX_MOVES = 5000
MOST_LOST = 100  # turns; far more than the cards of the box can cost a seat
TARGET = 1_000_000  # option; dollars
MOST_TARGET = 100_000_000
RECESSIONS = (75, 50)  # option: what a recession in the hand costs, in thousands
TAXES = ("harsh", "transfer")  # option

RANDOM_STARTER = -1
NO_LIMIT = 0  # as the option `rounds`


class Phase(IntEnum):
    """What is asked of the seat in turn; 0 is `over`, as in every game."""

    OVER = 0
    ACTION = 1
    OFFER = 2  # an offer is being built
    ANSWER = 3
    PASSING = 4
    TRIM = 5
    AGAIN = 6


class Ending(IntEnum):
    """Why a round or the game is over."""

    NONE = 0
    STOP = 1  # somebody stopped the trading
    MOVES = 2  # the round has reached MAX_MOVES
    TARGET = 3  # somebody has the target, and nobody else as much
    ROUNDS = 4  # all agreed rounds are played
    MAX_ROUNDS = 5  # the most rounds any game may have are played


# What lies loose on a firm: uninsured cash, ventures and taxmen. Only this can be traded.
LOOSE_CARDS = frozen([*range(FIRST_CASH, LAST_CASH + 1), VENTURE, TAXMAN])
NUM_LOOSE = len(LOOSE_CARDS)
LOOSE_VENTURE, LOOSE_TAXMAN = NUM_CASH, NUM_CASH + 1
LOOSE_PLACE = frozen(  # by card; NUM_LOOSE: it never lies loose on a firm
    [
        LOOSE_CARDS.tolist().index(card) if card in LOOSE_CARDS.tolist() else NUM_LOOSE
        for card in range(NUM_CARDS + 1)
    ]
)

# The lists of an offer.
GIVE_LIST, GIVE_FIRM_LIST, WANT_LIST, WANT_FIRM_LIST = range(4)
NUM_LISTS = 4

OPEN_FIELDS = [
    Field("target", np.int32, 1, MOST_TARGET),  # option
    Field("advanced", np.bool_, 0, 1),  # option
    Field("recession", np.int8, min(RECESSIONS), max(RECESSIONS)),  # option
    Field("tax", np.int8, 0, len(TAXES) - 1),  # option
    Field("trading", np.bool_, 0, 1),  # option
    Field("rounds", np.int8, NO_LIMIT, MAX_ROUNDS),  # option
    Field("starter_option", np.int8, RANDOM_STARTER, SEATS - 1),  # option: a seat or RANDOM_STARTER
    Field("starter", np.int8, 0, SEATS - 1),
    Field("acted", np.bool_, 0, 1),  # the one card of this turn is played or discarded
    Field("offers", np.int8, 0, MAX_OFFERS),  # begun in this turn
    Field("extra", np.bool_, 0, 1),  # this turn brings another one
    Field("lost", np.int16, 0, MOST_LOST, SEATS),  # turns to lose
    Field("hand_sizes", np.int16, 0, DECK_SIZE, SEATS),
    Field("licenses", np.int8, 0, 1, SEATS),
    Field("probes", np.int8, NO_CARD, LAST_PROBE, SEATS),  # the investigation on the license
    Field("tabled", np.int8, 0, MOST_COPIES, (SEATS, NUM_LOOSE)),  # loose on the firm, by LOOSE_CARDS
    Field("insured", np.int16, 0, NUM_POLICIES, (SEATS, ALL_COVERS)),  # policies, ascending, then 0
    Field("discard", np.int8, NO_CARD, NUM_CARDS, DECK_SIZE),  # the top last, then NO_CARD
    Field("discard_size", np.int16, 0, DECK_SIZE),
    Field("deck_size", np.int16, 0, DECK_SIZE),
    Field("offer_from", np.int8, 0, SEATS - 1),  # 0 unless there is an offer, as the next one
    Field("offer_to", np.int8, 0, SEATS - 1),
    Field("pass_count", np.int8, 0, 2),  # cards that each passes on; 0 if nobody does
    Field("pass_from", np.int8, 0, SEATS - 1),  # whose bear card it was
    Field("pass_trim", np.bool_, 0, 1),  # it was in the hand step
    Field("chosen_sizes", np.int8, 0, 2, SEATS),
]

CLOSED_FIELDS = [
    Field("hands", np.int8, 0, MOST_COPIES, (SEATS, NUM_CARDS + 1)),  # how many of each card
    Field("deck", np.int8, NO_CARD, NUM_CARDS, DECK_SIZE),  # the top last, then NO_CARD
    Field("chosen", np.int8, NO_CARD, NUM_CARDS, (SEATS, 2)),  # to be passed; in card order, then NO_CARD
    Field("offered", np.int8, NO_CARD, NUM_CARDS, (NUM_LISTS, MAX_SIDE)),  # the offer's lists
    Field("offered_sizes", np.int8, 0, MAX_SIDE, NUM_LISTS),
]

MOST_CODE = 2**63 - 1  # of an offer as a number

STATE_FIELDS = [
    *common_fields(SEATS),
    *OPEN_FIELDS,
    *CLOSED_FIELDS,  # hands and chosen cards hidden from others, the deck from all, an offer from some
    # By observer, hidden from the others: cards surely in a seat's hand (passed, traded or offered to or by
    # the observer); cards surely not in the deck, since it was made of seen discards (slot NO_CARD: it was);
    # and the observer's last offer that was declined.
    Field("known", np.int8, 0, MOST_COPIES, (SEATS, SEATS, NUM_CARDS + 1)),
    Field("outside", np.int8, 0, MOST_COPIES, (SEATS, NUM_CARDS + 1)),
    Field("refused", np.int64, 0, MOST_CODE, SEATS),
]
STATE = record_type(STATE_FIELDS)

VIEW_FIELDS = [
    *public_fields(SEATS),
    *OPEN_FIELDS,
    *CLOSED_FIELDS,  # only what the observer may see; all when over
    Field("observer", np.int8, NOBODY, SEATS - 1),
    Field("known", np.int8, 0, MOST_COPIES, (SEATS, NUM_CARDS + 1)),  # the observer's
    Field("outside", np.int8, 0, MOST_COPIES, NUM_CARDS + 1),
    Field("refused", np.int64, 0, MOST_CODE),
]
VIEW = record_type(VIEW_FIELDS)

# Moves

PLAY = 0  # + card - 1: license, stop and cash
INSURE = PLAY + LAST_CASH  # + policy - 1
PROBE = INSURE + NUM_POLICIES  # + SEATS * (probe - FIRST_PROBE) + rival
SETTLE = PROBE + SEATS * NUM_PROBES
PLAY_VENTURE = SETTLE + 1
PLAY_TAXMAN = PLAY_VENTURE + 1
DISCARD = PLAY_TAXMAN + 1  # + card - 1
TAKE_OVER = DISCARD + NUM_CARDS  # + rival
DONE = TAKE_OVER + SEATS
TRIM = DONE + 1  # + card - 1
PASS = TRIM + NUM_CARDS  # + card - 1
AGAIN = PASS + NUM_CARDS
TRADE = AGAIN + 1  # + rival
GIVE = TRADE + SEATS  # + card - 1
GIVE_FIRM = GIVE + NUM_CARDS  # + place in LOOSE_CARDS
WANT = GIVE_FIRM + NUM_LOOSE  # + card - 1
WANT_FIRM = WANT + NUM_CARDS  # + place in LOOSE_CARDS
PROPOSE = WANT_FIRM + NUM_LOOSE
DROP = PROPOSE + 1
ACCEPT = DROP + 1
DECLINE = ACCEPT + 1
NUM_MOVES = DECLINE + 1

# Journal rows that one move can cause: all cards thrown away, all drawn, all laid open, everybody's turns
# lost, and the steps of everybody's score.
MAX_NOTES = 3 * DECK_SIZE + SEATS * MOST_LOST + 200

MASK_OF_PASS, MASK_OF_GIVE, MASK_OF_WANT = range(3)


@kernel
def next_seat(state: AnyRecord, seat: int) -> int:
    """The seat to the left."""
    return 0 if seat + 1 == state.players else seat + 1


@kernel
def seat_to_the_right(state: AnyRecord, seat: int) -> int:
    """The previous seat; with two players that is the opponent. [C20]"""
    return (wide(state.players) if seat == 0 else seat) - 1


@kernel
def is_free(state: AnyRecord, seat: int) -> bool:
    """Whether a seat's firm is licensed and not under investigation."""
    return bool(state.licenses[seat] == 1 and state.probes[seat] == NO_CARD)


@kernel
def add_if(legal: bool, moves: Moves, count: int, move: int) -> int:
    """Add a move to the list if it is legal."""
    moves[count] = move
    return count + legal


@inlined
def add_hand(state: AnyRecord, seat: int, moves: Moves, count: int, first: int) -> int:
    """Add a move for each different card of a hand; `first` is the move with the first card."""
    for card in range(1, NUM_CARDS + 1):
        moves[count] = first + card - 1
        count += state.hands[seat, card] > 0
    return count
