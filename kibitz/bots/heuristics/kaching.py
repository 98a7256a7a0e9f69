"""What bots know about Ka-Ching!: what a stock is worth, and what a move brings."""

import math

import numpy as np
import numpy.typing as npt

from kibitz.bots.heuristics import Heuristics
from kibitz.core.cards import NO_CARD
from kibitz.core.kernel import kernel
from kibitz.core.layout import AnyRecord, Cards
from kibitz.games.kaching import rules

# A card without a partner is worth this many times its value: the wild's price, or a partner to come.
SINGLE = 2.0
DENIAL = 0.6  # what a card would bring the other trader, taken away
GIFT = 0.7  # what the card beneath would bring the other trader, uncovered
SOON = 8  # purchases before the last sale from which on selling is urgent
POOR = 6  # with less money than this, cash is wanted
MARGIN = 25.0  # dollars that make a clear win
WINNING = 0.7  # how much of a round's value is the win; the rest is the margin


def _pair_up(counts: tuple[int, ...]) -> float:
    """What one colour's cards bring, sold highest with highest."""
    values = [rules.LOWEST + i for i in reversed(range(rules.NUM_VALUES)) for _ in range(counts[i])]
    sold = sum(high * low for high, low in zip(values[0::2], values[1::2], strict=False))
    return sold + (SINGLE * values[-1] if len(values) % 2 else 0)


def _worths() -> npt.NDArray[np.float64]:
    table = np.array([_pair_up(counts) for counts in np.ndindex(*rules.RADIX)])
    table.flags.writeable = False
    return table


WORTH = _worths()  # by holding


@kernel
def worth(stock: Cards, colour: int) -> float:
    """What a trader's cards of one colour are good for."""
    return WORTH[rules.holding(stock, colour)]


@kernel
def gain(stock: Cards, card: int) -> float:
    """How much better off a trader is for buying a card."""
    colour = (card - 1) // rules.NUM_VALUES
    before = worth(stock, colour)
    stock[card] += 1
    after = worth(stock, colour)
    stock[card] -= 1
    return after - before - rules.VALUE[card]


@kernel
def loss(stock: Cards, low: int, high: int) -> float:
    """What a stock is worth less without two of its cards; slot 0 stands for no card."""
    colour = (high - 1) // rules.NUM_VALUES
    before = worth(stock, colour)
    stock[low] -= 1
    stock[high] -= 1
    after = worth(stock, colour)
    stock[low] += 1
    stock[high] += 1
    return before - after


@kernel
def purchases_left(state: AnyRecord) -> int:
    """The fewest purchases until only two columns are left."""
    left = 0
    for column in range(rules.NUM_COLUMNS):
        shorter = 0
        for other in range(rules.NUM_COLUMNS):
            height, others = state.heights[column], state.heights[other]
            if others < height or (others == height and other < column):
                shorter += 1
        if shorter < rules.NUM_COLUMNS - rules.COLUMNS_AT_LAST_SALE:
            left += state.heights[column]
    return left


@kernel
def rate(state: AnyRecord, move: int) -> float:
    """How good a move looks to the seat in turn, in dollars."""
    if move == rules.PASS:
        return -1.0
    if move < rules.SELL:
        return rate_purchase(state, move - rules.BUY)
    return rate_sale(state, move)


@kernel
def rate_purchase(state: AnyRecord, column: int) -> float:
    """What the card brings me, what it would have brought the other, less what it uncovers."""
    mine, theirs = state.stocks[state.turn], state.stocks[1 - state.turn]
    card = rules.free_card(state, column)
    rating = gain(mine, card) + DENIAL * max(0.0, gain(theirs, card))
    if state.heights[column] > 1:
        beneath = state.columns[column, state.heights[column] - 2]
        rating -= GIFT * max(0.0, gain(theirs, beneath))
    return rating


@kernel
def rate_sale(state: AnyRecord, move: int) -> float:
    """The price, less what the cards could still bring; more if the end is near or cash is short."""
    stock = state.stocks[state.turn]
    if move < rules.SELL_WITH_WILD:
        low, high = rules.PAIR_LOW[move - rules.SELL], rules.PAIR_HIGH[move - rules.SELL]
        price = float(rules.VALUE[low] * rules.VALUE[high])
        lost = loss(stock, low, high)
    else:
        high = move - rules.SELL_WITH_WILD + 1
        price = float(rules.WILD_VALUE * rules.VALUE[high])
        lost = loss(stock, NO_CARD, high)
    if state.phase == rules.Phase.LAST_SALE:
        return price
    left = purchases_left(state)
    urgency = price * (SOON - left) / SOON if left < SOON else 0.0
    if state.money[state.turn] < POOR:
        urgency += POOR
    return price - lost + urgency


@kernel
def appraise(view: AnyRecord, state: AnyRecord, seat: int) -> float:
    """What a finished round is worth to a seat, from 0 to 1: mostly the win, and the margin."""
    mine = state.totals[seat] - view.totals[seat]
    theirs = state.totals[1 - seat] - view.totals[1 - seat]
    margin = 0.5 + 0.5 * math.tanh((mine - theirs) / MARGIN)
    if state.series == rules.Series.TOTAL:
        return margin
    win = 1.0 if mine > theirs else (0.5 if mine == theirs else 0.0)
    return WINNING * win + (1.0 - WINNING) * margin


HEURISTICS = Heuristics(
    rate=rate,
    appraise=appraise,
)
