"""The table of CASH: what lies where and who may see it, and the numbers of the moves."""

from enum import IntEnum

import numpy as np

from kibitz.core.cards import NO_CARD
from kibitz.core.common import frozen
from kibitz.core.forms import FLAG, NUMBER, SEAT, EachSeat, Holding, Pile
from kibitz.core.kernel import inlined, kernel, wide
from kibitz.core.layout import MAX_ROUNDS, AnyRecord, Field, Layout, Moves, Seen
from kibitz.core.options import RANDOM_SEAT, Option, seat_option
from kibitz.games.cash import box

SEATS = 8
HAND_SIZE = 7
OFFERS, MAX_OFFERS = 10, 50  # option: begun in a turn, by default and at most
MAX_SIDE = 8  # cards on one side of an offer
MAX_SIDE_UNCOUNTERED = 4  # the same where offers can't be countered
MAX_MOVES = 5000
MOST_LOST = 100  # turns; far more than the cards of the box can cost a seat
TARGET = 1_000_000  # option; dollars
MOST_TARGET = 100_000_000
RECESSIONS = (75, 50)  # option: what a recession in the hand costs, in thousands
TAXES = ("harsh", "transfer")  # option
FIRM_TRADES = ("any", "licensed")  # option: between whom firm cards can be traded
ANY_FIRMS, LICENSED_FIRMS = range(len(FIRM_TRADES))
TIES = ("next", "target")  # option: what ends a game that is tied at the target
NEXT_TIE, TARGET_TIE = range(len(TIES))

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
    TAKING = 7  # a card takes others' cash: who is spared?


class Ending(IntEnum):
    """Why a round or the game is over."""

    NONE = 0
    STOP = 1  # somebody stopped the trading
    MOVES = 2  # the round has reached MAX_MOVES
    TARGET = 3  # somebody has the target, and nobody else as much
    ROUNDS = 4  # all agreed rounds are played
    MAX_ROUNDS = 5  # the most rounds any game may have are played
    TIE = 6  # after a tie at the target, one is alone at the top


# What lies loose on a firm: uninsured cash, ventures and taxmen. Only this can be traded.
LOOSE_CARDS = frozen([*range(box.FIRST_CASH, box.LAST_CASH + 1), box.VENTURE, box.TAXMAN])
NUM_LOOSE = len(LOOSE_CARDS)
LOOSE_VENTURE, LOOSE_TAXMAN = box.NUM_CASH, box.NUM_CASH + 1
LOOSE_PLACE = frozen(  # by card; NUM_LOOSE: it never lies loose on a firm
    [
        LOOSE_CARDS.tolist().index(card) if card in LOOSE_CARDS.tolist() else NUM_LOOSE
        for card in range(box.NUM_CARDS + 1)
    ]
)

# The lists of an offer.
GIVE_LIST, GIVE_FIRM_LIST, WANT_LIST, WANT_FIRM_LIST = range(4)
NUM_LISTS = 4

TARGET_OPTION = Option("target", TARGET, (range(1, MOST_TARGET + 1),))
ADVANCED = Option("advanced", False, (False, True))
RECESSION_OPTION = Option("recession", RECESSIONS[0], RECESSIONS)
TAX = Option("tax", TAXES[0], TAXES)
TRADING = Option("trading", True, (True, False))
ROUNDS = Option("rounds", None, (None, range(1, MAX_ROUNDS + 1)), codes={None: NO_LIMIT})
STARTER = seat_option("starter")
SPARE_OPTION = Option("spare", True, (True, False))
IF_TRADING = ("trading", (True,))
FIRM_TRADES_OPTION = Option("firm_trades", FIRM_TRADES[0], FIRM_TRADES, only_with=IF_TRADING)
OFFERS_OPTION = Option("offers", OFFERS, (range(1, MAX_OFFERS + 1),), only_with=IF_TRADING)
COUNTER_OPTION = Option("counter", True, (True, False), only_with=IF_TRADING)
TIE_OPTION = Option("tie", TIES[0], TIES)

COUNTS = (SEATS, box.NUM_CARDS + 1)  # how many of each card, for each seat
LISTS = (NUM_LISTS, MAX_SIDE)
HANDS = EachSeat(Holding(box.CARDS, "hand_sizes"))
DECK, DISCARDS = Pile(box.CARDS, "deck_size"), Pile(box.CARDS, "discard_size")
ALL_ASKED = 2 ** (box.NUM_CARDS + NUM_LOOSE) - 1  # a bit for each hand card, then for each of a firm
RULES_VERSIONS = 2

LAYOUT = Layout(
    SEATS,
    [
        Field("rules_version", np.int8, 1, RULES_VERSIONS),
        Field("target", np.int32, 1, MOST_TARGET, option=TARGET_OPTION),
        Field("advanced", np.bool_, 0, 1, option=ADVANCED),
        Field("recession", np.int8, min(RECESSIONS), max(RECESSIONS), option=RECESSION_OPTION),
        Field("tax", np.int8, 0, len(TAXES) - 1, option=TAX),
        Field("trading", np.bool_, 0, 1, option=TRADING),
        Field("rounds", np.int8, NO_LIMIT, MAX_ROUNDS, option=ROUNDS),
        Field("starter_option", np.int8, RANDOM_SEAT, SEATS - 1, option=STARTER),
        Field("spare", np.bool_, 0, 1, option=SPARE_OPTION),
        Field("firm_trades", np.int8, 0, len(FIRM_TRADES) - 1, option=FIRM_TRADES_OPTION),
        Field("most_offers", np.int8, 1, MAX_OFFERS, option=OFFERS_OPTION),
        Field("counters", np.bool_, 0, 1, option=COUNTER_OPTION),
        Field("tie", np.int8, 0, len(TIES) - 1, option=TIE_OPTION),
        Field("hands", np.int8, 0, box.MOST_COPIES, COUNTS, seen=Seen.BY_ITS_SEAT, form=HANDS),
        Field("hand_sizes", np.int16, 0, box.DECK_SIZE, SEATS),
        Field("licenses", np.int8, 0, 1, SEATS, key="firms"),
        # the investigation on the license
        Field("probes", np.int8, NO_CARD, box.LAST_PROBE, SEATS, key="firms"),
        # loose, by LOOSE_CARDS
        Field("tabled", np.int8, 0, box.MOST_COPIES, (SEATS, NUM_LOOSE), key="firms"),
        # ascending, then 0
        Field("insured", np.int16, 0, box.NUM_POLICIES, (SEATS, box.ALL_COVERS), key="firms"),
        Field("deck", np.int8, NO_CARD, box.NUM_CARDS, box.DECK_SIZE, seen=Seen.AT_THE_END, form=DECK),
        Field("deck_size", np.int16, 0, box.DECK_SIZE),
        Field("discard", np.int8, NO_CARD, box.NUM_CARDS, box.DECK_SIZE, form=DISCARDS),
        Field("discard_size", np.int16, 0, box.DECK_SIZE),
        Field("lost", np.int16, 0, MOST_LOST, SEATS, form=EachSeat(NUMBER)),  # turns to lose
        Field("starter", np.int8, 0, SEATS - 1, form=SEAT),
        Field("acted", np.bool_, 0, 1, form=FLAG),  # the one card of this turn is played or discarded
        Field("offers", np.int8, 0, MAX_OFFERS, form=NUMBER),  # begun in this turn
        Field("offer_from", np.int8, 0, SEATS - 1, key="offer"),  # 0 if there is no offer, as the next
        Field("offer_to", np.int8, 0, SEATS - 1, key="offer"),
        Field("offered", np.int8, NO_CARD, box.NUM_CARDS, LISTS, seen=Seen.BY_RULE, key="offer"),
        Field("offered_sizes", np.int8, 0, MAX_SIDE, NUM_LISTS, seen=Seen.BY_RULE, key="offer"),
        Field("countered", np.bool_, 0, 1, key="offer"),  # it is made to the player whose turn it is
        Field("pass_count", np.int8, 0, 2, key="passing"),  # cards that each passes on; 0 if nobody does
        Field("pass_from", np.int8, 0, SEATS - 1, key="passing"),  # whose bear card it was
        Field("pass_trim", np.bool_, 0, 1, key="passing"),  # it was in the hand step
        Field("chosen", np.int8, NO_CARD, box.NUM_CARDS, (SEATS, 2), seen=Seen.BY_ITS_SEAT, key="passing"),
        Field("chosen_sizes", np.int8, 0, 2, SEATS, key="passing"),
        Field("extra", np.bool_, 0, 1, form=FLAG),  # this turn brings another one
        Field("taking", np.int8, NO_CARD, box.NUM_CARDS, key="taking"),  # while some may be spared
        Field("spared", np.int8, 0, 1, SEATS, key="spared"),  # from whom the card won't take
        Field("tied", np.bool_, 0, 1, form=FLAG),  # the next that is alone at the top has won
        # What a seat knows: cards surely in another's hand (passed, traded or offered to or by it), by that
        # seat; cards surely not in the deck, since it was made of seen discards (slot NO_CARD: it was); what
        # it asked of another in vain; and who has spared it and wasn't spared in return.
        Field("known", np.int8, 0, box.MOST_COPIES, (SEATS, SEATS, box.NUM_CARDS + 1), seen=Seen.AS_KNOWN),
        Field("outside", np.int8, 0, box.MOST_COPIES, COUNTS, seen=Seen.AS_KNOWN),
        Field("asked", np.int64, 0, ALL_ASKED, (SEATS, SEATS), seen=Seen.AS_KNOWN),
        Field("favours", np.int8, 0, 1, (SEATS, SEATS), seen=Seen.AS_KNOWN),
    ],
)
STATE, VIEW, SEEN = LAYOUT.state, LAYOUT.view, LAYOUT.seen

# Moves

PLAY = 0  # + card - 1: license, stop and cash
INSURE = PLAY + box.LAST_CASH  # + policy - 1
PROBE = INSURE + box.NUM_POLICIES  # + SEATS * (probe - FIRST_PROBE) + rival
SETTLE = PROBE + SEATS * box.NUM_PROBES
PLAY_VENTURE = SETTLE + 1
PLAY_TAXMAN = PLAY_VENTURE + 1
DISCARD = PLAY_TAXMAN + 1  # + card - 1
TAKE_OVER = DISCARD + box.NUM_CARDS  # + rival
DONE = TAKE_OVER + SEATS
TRIM = DONE + 1  # + card - 1
PASS = TRIM + box.NUM_CARDS  # + card - 1
AGAIN = PASS + box.NUM_CARDS
TRADE = AGAIN + 1  # + rival
GIVE = TRADE + SEATS  # + card - 1
GIVE_FIRM = GIVE + box.NUM_CARDS  # + place in LOOSE_CARDS
WANT = GIVE_FIRM + NUM_LOOSE  # + card - 1
WANT_FIRM = WANT + box.NUM_CARDS  # + place in LOOSE_CARDS
PROPOSE = WANT_FIRM + NUM_LOOSE
DROP = PROPOSE + 1
ACCEPT = DROP + 1
DECLINE = ACCEPT + 1
TAKE = DECLINE + 1
SPARE = TAKE + 1  # + rival
COUNTER = SPARE + SEATS
NUM_MOVES = COUNTER + 1

# Journal rows that one move can cause: all cards thrown away, all drawn, all laid open, everybody's turns
# lost, and the steps of everybody's score.
MAX_NOTES = 3 * box.DECK_SIZE + SEATS * MOST_LOST + 200

MASK_OF_PASS, MASK_OF_GIVE, MASK_OF_WANT = range(3)


@kernel
def seat_to_the_right(state: AnyRecord, seat: int) -> int:
    """The previous seat; with two players that is the opponent. [C20]"""
    return (wide(state.players) if seat == 0 else seat) - 1


@kernel
def is_free(state: AnyRecord, seat: int) -> bool:
    """Whether a seat's firm is licensed and not under investigation."""
    return bool(state.licenses[seat] == 1 and state.probes[seat] == NO_CARD)


@kernel
def remember_favour(state: AnyRecord, seat: int, rival: int) -> None:
    """Who is spared remembers it for the round, unless it is a favour returned."""
    if state.favours[seat, rival]:
        state.favours[seat, rival] = 0
    else:
        state.favours[rival, seat] = 1


@inlined
def add_hand(state: AnyRecord, seat: int, moves: Moves, count: int, first: int) -> int:
    """Add a move for each different card of a hand; `first` is the move with the first card."""
    for card in range(1, box.NUM_CARDS + 1):
        moves[count] = first + card - 1
        count += state.hands[seat, card] > 0
    return count
