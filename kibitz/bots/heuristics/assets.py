"""What bots know about Cover Your Assets: what a set is worth, and how likely it is to be defended.

A move is rated only by what its seat can know: its own hand and what lies open. Who looks ahead rates moves
and tables by what was learned (`assets_worths`); an easy bot has rules of thumb.
"""

import math

import numpy as np

from kibitz.bots.heuristics import Heuristics, assets_worths
from kibitz.bots.heuristics.assets_worths import UNIT, Ratings
from kibitz.core.common import frozen
from kibitz.core.kernel import kernel, wide
from kibitz.core.layout import AnyRecord, Moves
from kibitz.games.assets import rules
from kibitz.games.assets.box import GOLD, NUM_ASSETS, NUM_CARDS, SILVER, VALUE
from kibitz.games.assets.stacks import top_asset

HELPLESS = frozen([1.0, 0.84, 0.7, 0.59, 0.5, 0.42], np.float64)  # that none of so many hidden cards fits
EXPOSED = 0.8  # what a new set is worth of its cards if it can be stolen, while there are cards to draw
COVERED = 0.15  # of the old top set's worth: it is safe beneath the new one, for a while
SPARED = 0.25  # of its worth: a hand card that the discard pile let us keep
WILD_KEPT = 14_000.0  # what a wild in the hand is good for beyond its value, while there are cards to draw
PARTNER = 0.5  # of its value: a card that has its like in the hand
AIM = 0.35  # of the top set's worth: a card that could steal or defend it
GIFT = 0.5  # of its value: a discard may suit the next player
MARGIN = 300_000.0  # dollars that make a clear gain
WINNING = 0.5  # at the end of a game, how much of its value is the win; the rest is the margin
AT_LAST = 0.1  # of its weight: a first look, once the deck is empty


@kernel
def top_worth(state: AnyRecord, seat: int) -> float:
    """What a seat's top set counts, with the cards shown in a duel for it."""
    if state.heights[seat] == 0:
        return 0.0
    values = VALUE[state.edition]
    top = wide(state.heights[seat]) - 1
    worth = wide(state.counts[seat, top]) * values[state.assets[seat, top]]
    worth += wide(state.silvers[seat, top]) * values[SILVER]
    worth += wide(state.golds[seat, top]) * values[GOLD]
    if seat == state.victim:
        for side in range(2):
            for i in range(state.shown_sizes[side]):
                worth += values[state.shown[side, i]]
    return float(worth)


@kernel
def rate(state: AnyRecord, move: int) -> float:
    """How good a move looks to the seat in turn, in dollars."""
    chosen = wide(move)
    if move < rules.DISCARD:
        return rate_set(state, chosen)
    if move < rules.STEAL:
        return -keeping(state, chosen - rules.DISCARD + 1)
    if move < rules.YIELD:
        return rate_fight(state, chosen)
    return -1.0 if move == rules.FORGET else 0.0


@kernel
def rate_set(state: AnyRecord, move: int) -> float:
    """A new set counts its cards, less what a thief may get; a wild laid is a wild less."""
    seat = wide(state.turn)
    values = VALUE[state.edition]
    if move < rules.TAKE:
        asset, partner = (move - rules.PAIR) // rules.PARTNERS + 1, (move - rules.PAIR) % rules.PARTNERS
        taken = 0
    else:
        asset, way = (move - rules.TAKE) // rules.TAKES + 1, (move - rules.TAKE) % rules.TAKES
        partner = way if way < rules.PARTNERS else way - rules.PARTNERS + 1
        taken = 1 if way < rules.PARTNERS else 2
    other = asset if partner == 0 else SILVER + partner - 1
    worth = float(values[asset] + values[other])
    late = state.deck_size == 0
    rating = worth if late or state.heights[seat] == 0 else worth * EXPOSED
    if state.heights[seat] >= rules.STEALABLE:
        rating += COVERED * top_worth(state, seat)
    if taken > 0:
        rating += SPARED * worth
    if partner > 0 and taken < 2 and not late and state.heights[seat] > 0:
        rating -= WILD_KEPT
    return rating


@kernel
def keeping(state: AnyRecord, card: int) -> float:
    """What a card is good for in the hand, and what it might bring the next player on the pile."""
    seat = wide(state.turn)
    value = float(VALUE[state.edition, card])
    worth = GIFT * value
    if card > NUM_ASSETS:
        return worth + value + WILD_KEPT
    copies = 0
    for i in range(state.sizes[seat]):
        if state.hands[seat, i] == card:
            copies += 1
    if copies > 1:
        worth += 2.0 * PARTNER * value
    for other in range(wide(state.players)):
        if state.heights[other] >= rules.STEALABLE and top_asset(state, other) == card:
            worth += AIM * top_worth(state, other)
    return worth


@kernel
def rate_fight(state: AnyRecord, move: int) -> float:
    """What the set is worth if the other side can't answer, less the card if it can."""
    if move < rules.DEFEND:
        rival, card = (move - rules.STEAL) // NUM_CARDS, (move - rules.STEAL) % NUM_CARDS + 1
        stake = top_worth(state, rival)
    else:
        card = move - rules.DEFEND + 1 if move < rules.PRESS else move - rules.PRESS + 1
        rival = wide(state.thief if move < rules.PRESS else state.victim)
        stake = top_worth(state, wide(state.victim))
    value = float(VALUE[state.edition, card])
    wins = HELPLESS[state.sizes[rival]]
    gain = stake + stake / (state.players - 1)
    rating = wins * (gain + value) - (1.0 - wins) * value
    if rules.holds(rules.holding(state, state.turn), card) and card > NUM_ASSETS and state.deck_size > 0:
        rating -= 0.5 * WILD_KEPT
    return rating


@kernel
def first_look(state: AnyRecord, moves: Moves, count: int, worths: Ratings) -> None:
    """What moves are worth by what was learned, as a gain since now; at last tries tell more."""
    assets_worths.rate_all(state, moves, count, worths)
    told = 1.0 if state.deck_size > 0 else AT_LAST
    for i in range(count):
        worths[i] = 0.5 + 0.5 * told * math.tanh(UNIT * worths[i] / MARGIN)


@kernel
def lead(state: AnyRecord, seat: int) -> float:
    """By how much a seat is ahead of the others on average, by their totals."""
    others = 0.0
    for other in range(wide(state.players)):
        if other != seat:
            others += float(state.scores[other])
    return float(state.scores[seat]) - others / (state.players - 1)


@kernel
def appraise(view: AnyRecord, state: AnyRecord, seat: int) -> float:
    """What the end of a round, or the horizon, is worth to a seat, from 0 to 1: what it gained since `view`.

    Measured from there, so that small gains show also to one who is far ahead or behind. If it was the last
    round, the win counts, too.
    """
    gained = lead(state, seat) - lead(view, seat)
    if state.phase != rules.Phase.OVER and state.round_number == view.round_number:
        gained += assets_worths.lead_of(state, seat)
    worth = 0.5 + 0.5 * math.tanh(gained / MARGIN)
    if state.phase != rules.Phase.OVER:
        return worth
    win = state.winners[seat] / state.winners[: state.players].sum()  # a shared win is its part
    return WINNING * win + (1.0 - WINNING) * worth


HEURISTICS = Heuristics(
    rate=rate,
    appraise=appraise,
    rate_all=assets_worths.rate_all,
    first_look=first_look,
    first_tries=1000,
    side_by_side=True,
    nodes={"medium": 16, "hard": 64},
    horizon=10,  # then the table is appraised as it stands
    width=5,
    boldness=1.0,
    sees=4,  # else one look by the network would tell it nearly all that `hard` knows
    plays_on=0.9,  # by the network it takes five times as long
    poker_face=True,  # a hasty `yield` would tell what isn't held
)
