"""The score of a round of CASH: one count, for the engine and for people with real cards (`sheets`)."""

from enum import IntEnum

import numpy as np
import numpy.typing as npt

from kibitz.core.kernel import kernel, wide
from kibitz.core.layout import AnyRecord
from kibitz.games.cash import box
from kibitz.games.cash.table import LOOSE_TAXMAN, LOOSE_VENTURE, SEATS, TAXES

CRASH_COST = 25 * box.THOUSAND
BANKRUPTCY_COST = 150 * box.THOUSAND
TAX_SHARE = 10  # a taxman takes one part in so many
HARSH, TRANSFER = range(len(TAXES))

Figures = npt.NDArray[np.int64]


class Line(IntEnum):
    """What is counted of a player before a round can be scored."""

    TABLED = 0  # dollars, insured or not
    VENTURES = 1  # tabled
    TAXMEN = 2  # tabled
    HAND = 3  # dollars of cash in hand
    CRASHES = 4  # in hand, as all that follow
    RECESSIONS = 5
    BANKRUPTCIES = 6
    VENTURES_HELD = 7


class Step(IntEnum):
    """What a round's score is made of; the sum of all steps is the round's result."""

    TABLED = 0
    VENTURE = 1
    HAND = 2
    BEARS = 3
    VENTURE_HELD = 4
    TAX_TAKEN = 5
    TAX_PAID = 6


NUM_LINES, NUM_STEPS = len(Line), len(Step)


@kernel
def count_round(lines: Figures, players: int, recession: int, tax: int, steps: Figures) -> None:
    """Cash counts for whoever tabled it and against whoever holds it; then the taxmen come."""
    for seat in range(players):
        bears = lines[seat, Line.CRASHES.value] * CRASH_COST
        bears += lines[seat, Line.RECESSIONS.value] * recession * box.THOUSAND
        bears += lines[seat, Line.BANKRUPTCIES.value] * BANKRUPTCY_COST
        tabled = lines[seat, Line.TABLED.value]
        steps[seat, Step.TABLED.value] = tabled
        steps[seat, Step.VENTURE.value] = tabled if lines[seat, Line.VENTURES.value] > 0 else 0  # [C5]
        steps[seat, Step.HAND.value] = -lines[seat, Line.HAND.value]
        steps[seat, Step.BEARS.value] = -bears
        steps[seat, Step.VENTURE_HELD.value] = -bears if lines[seat, Line.VENTURES_HELD.value] > 0 else 0
        steps[seat, Step.TAX_TAKEN.value] = 0
        steps[seat, Step.TAX_PAID.value] = 0
    for owner in range(players):
        if lines[owner, Line.TAXMEN.value] > 0:  # two on one firm don't stack [C6]
            raise_tax(steps, players, owner, tax)


@kernel
def raise_tax(steps: Figures, players: int, owner: int, tax: int) -> None:
    """A taxman's owner gets a tenth of each opponent's figure before any tax, bad or good. [C6]"""
    for seat in range(players):
        if seat != owner:
            share = untaxed(steps, seat) // TAX_SHARE
            steps[owner, Step.TAX_TAKEN.value] += share
            relieved = share < 0 and tax == TRANSFER
            steps[seat, Step.TAX_PAID.value] -= share if relieved else abs(share)


@kernel
def untaxed(steps: Figures, seat: int) -> int:
    """A seat's figure before the taxmen come."""
    figure = 0
    for step in range(Step.TAX_TAKEN.value):
        figure += steps[seat, step]
    return figure


# What a player has


@kernel
def score_steps(state: AnyRecord, steps: Figures) -> None:
    """Count what everybody has on the firm and in the hand, then score it as anybody would."""
    lines = np.zeros((SEATS, NUM_LINES), np.int64)
    for seat in range(state.players):
        lines[seat, Line.TABLED.value] = tabled_cash(state, seat)
        lines[seat, Line.VENTURES.value] = state.tabled[seat, LOOSE_VENTURE]
        lines[seat, Line.TAXMEN.value] = state.tabled[seat, LOOSE_TAXMAN]
        lines[seat, Line.HAND.value] = cash_in_hand(state, seat)
        lines[seat, Line.CRASHES.value] = held(state, seat, box.CRASH)
        lines[seat, Line.RECESSIONS.value] = held(state, seat, box.RECESSION)
        lines[seat, Line.BANKRUPTCIES.value] = held(state, seat, box.BANKRUPTCY)
        lines[seat, Line.VENTURES_HELD.value] = held(state, seat, box.VENTURE)
    count_round(lines, wide(state.players), wide(state.recession), wide(state.tax), steps)


@kernel
def held(state: AnyRecord, seat: int, card: int) -> int:
    """How often a card is in a hand; one chosen for passing counts there. [C35]"""
    times = wide(state.hands[seat, card])
    for place in range(state.chosen_sizes[seat]):
        times += state.chosen[seat, place] == card
    return times


@kernel
def tabled_cash(state: AnyRecord, seat: int) -> int:
    """The worth of a firm's cash, insured or not, license or not. [C22]"""
    return uninsured_cash(state, seat) + insured_cash(state, seat)


@kernel
def uninsured_cash(state: AnyRecord, seat: int) -> int:
    """The worth of a firm's cash that can still be lost."""
    total = 0
    for place in range(box.NUM_CASH):
        total += wide(state.tabled[seat, place]) * box.VALUE[box.FIRST_CASH + place]
    return total


@kernel
def insured_cash(state: AnyRecord, seat: int) -> int:
    """The worth of a firm's insured cash."""
    total = 0
    place = 0
    while place < len(state.insured[seat]) and state.insured[seat, place] != 0:
        total += box.POLICY_VALUE[state.insured[seat, place]]
        place += 1
    return total


@kernel
def cash_in_hand(state: AnyRecord, seat: int) -> int:
    """The worth of the cash in a hand."""
    total = 0
    for card in range(box.FIRST_CASH, box.LAST_CASH + 1):
        total += held(state, seat, card) * box.VALUE[card]
    return total
