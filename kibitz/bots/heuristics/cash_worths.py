"""What a card of CASH is worth to a seat, in hand and on its firm, in dollars."""

import numpy as np

from kibitz.core.cards import NO_CARD
from kibitz.core.common import frozen
from kibitz.core.kernel import kernel, wide
from kibitz.core.layout import AnyRecord
from kibitz.games.cash import box, table
from kibitz.games.cash.piles import lowest_cash, place_of
from kibitz.games.cash.scoring import BANKRUPTCY_COST, CRASH_COST, tabled_cash, uninsured_cash

NEVER = -1e9

# Dollars, found by having bots play each other. First: what a card in hand is good for.
PENDING, PENDING_PROBED = 0.47, 0.22  # of its value: cash that can be tabled next turn, or some day
SPARE_LICENSE = -6_500.0  # below zero: it is in the way
LICENSE_NEEDED = 70_000.0
COVER_KEPT, COVER_USED = -9_000.0, 0.04  # and of the cash that it could insure
PROBE_KEPT = 19_500.0
CLEAR_KEPT, CLEAR_NEEDED = 9_000.0, 55_000.0  # against an investigation to come, or the one there is
SETTLEMENT_KEPT, SETTLEMENT_NEEDED = 18_000.0, 50_000.0
VENTURE_KEPT, VENTURE_READY, VENTURE_BEARS = 11_500.0, 0.4, 0.33  # and of the cash it doubles, and the bears
STOP_KEPT, STOP_AGAIN = 31_000.0, 19_000.0  # the first in a hand, and more
BEAR_KEPT, BEAR_UNLICENSED = 0.6, 0.25  # of what it costs at the end
UNLICENSED = 0.6  # of what other cards are worth to who has no license
KEPT = frozen(  # the others, by card
    [
        {
            box.DIVIDEND: 39_000.0,
            box.PREMIUM: 82_500.0,
            box.TAKEOVER: 22_000.0,
            box.BROKER: 35_500.0,
            box.BANKER: 41_500.0,
            box.TAXMAN: 35_000.0,
        }.get(card, 0.0)
        for card in range(box.NUM_CARDS + 1)
    ],
    np.float64,
)

# What a loose card on a firm is good for.
EXPOSED = 0.8  # of its value: uninsured cash
TAXMAN_TABLED = 45_000.0

BEAR_COST = frozen([CRASH_COST, 0, BANKRUPTCY_COST], np.float64)  # a recession's is an option


# What cards are worth


@kernel
def cost_of_bear(state: AnyRecord, card: int) -> float:
    """What a bear card in hand costs at the end."""
    return float(state.recession) * 1000.0 if card == box.RECESSION else BEAR_COST[card - box.CRASH]


@kernel
def keeping(state: AnyRecord, seat: int, card: int) -> float:
    """What a card in hand is worth to a seat, by what lies open and, for the seat in turn, by its hand."""
    licensed = state.licenses[seat] == 1
    if box.FIRST_CASH <= card <= box.LAST_CASH:
        return box.VALUE[card] * (
            PENDING if table.is_free(state, seat) else PENDING_PROBED if licensed else 0.0
        )
    if card == box.LICENSE:
        return SPARE_LICENSE if licensed else LICENSE_NEEDED
    if box.FIRST_COVER <= card <= box.LAST_COVER:
        return COVER_KEPT + COVER_USED * min(limit_of(card), float(uninsured_cash(state, seat)))
    if box.FIRST_PROBE <= card <= box.LAST_PROBE:
        return PROBE_KEPT
    if box.FIRST_CLEAR <= card <= box.LAST_CLEAR:
        if state.probes[seat] == box.FIRST_PROBE + card - box.FIRST_CLEAR:
            return CLEAR_NEEDED
        return CLEAR_KEPT if copies(state, seat, card) < 2 else 0.0
    if box.CRASH <= card <= box.BANKRUPTCY:
        return -cost_of_bear(state, card) * (BEAR_KEPT if licensed else BEAR_UNLICENSED)
    if card == box.SETTLEMENT:
        return keeping_settlement(state, seat)
    if card == box.VENTURE:
        return keeping_venture(state, seat)
    if card == box.STOP:
        return STOP_KEPT if copies(state, seat, card) < 2 else STOP_AGAIN
    return KEPT[card] if licensed else UNLICENSED * KEPT[card]


@kernel
def copies(state: AnyRecord, seat: int, card: int) -> int:
    """How often the seat in turn has a card; of another hand it knows nothing."""
    return wide(state.hands[seat, card]) if seat == state.turn else 0


@kernel
def keeping_settlement(state: AnyRecord, seat: int) -> float:
    """It ends an investigation for the lowest cash, if there is any."""
    place = lowest_cash(state, seat)
    if state.probes[seat] == NO_CARD or place == box.NUM_CASH:
        return SETTLEMENT_KEPT
    return SETTLEMENT_NEEDED - box.VALUE[box.FIRST_CASH + place]


@kernel
def keeping_venture(state: AnyRecord, seat: int) -> float:
    """A venture in hand doubles bears; on the firm it would double cash, once and for the fee."""
    worth = VENTURE_KEPT - VENTURE_BEARS * held_bears(state, seat)
    if state.tabled[seat, place_of(box.CASH_25)] > 0 and state.tabled[seat, table.LOOSE_VENTURE] == 0:
        worth += VENTURE_READY * float(tabled_cash(state, seat))
    return worth


@kernel
def held_bears(state: AnyRecord, seat: int) -> float:
    """What the bear cards in a hand cost at the end; a venture beside them doubles it."""
    cost = 0.0
    for card in range(box.CRASH, box.BANKRUPTCY + 1):
        cost += cost_of_bear(state, card) * float(copies(state, seat, card))
    return cost


@kernel
def limit_of(cover: int) -> float:
    """How much a cover insures."""
    return 25_000.0 * (cover - box.FIRST_COVER + 1)


@kernel
def doubled(state: AnyRecord, seat: int) -> float:
    """How often a firm's cash counts."""
    return 2.0 if state.tabled[seat, table.LOOSE_VENTURE] > 0 else 1.0


@kernel
def on_the_table(state: AnyRecord, seat: int, card: int, gained: bool) -> float:
    """What a loose card on a firm is worth to a seat that has it, or gains it; one venture, one taxman count.

    Gained cash counts once: the venture that doubles it may be what is paid.
    """
    if card == box.VENTURE:
        others = wide(state.tabled[seat, table.LOOSE_VENTURE]) - (0 if gained else 1)
        return EXPOSED * float(tabled_cash(state, seat)) if others <= 0 else 0.0
    if card == box.TAXMAN:
        others = wide(state.tabled[seat, table.LOOSE_TAXMAN]) - (0 if gained else 1)
        return TAXMAN_TABLED if others <= 0 else 0.0
    return EXPOSED * box.VALUE[card] * (1.0 if gained else doubled(state, seat))
