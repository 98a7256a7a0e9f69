"""What bots know about MATCH!: what a card is good for where it lies, and when to end the round."""

import math

from kibitz.bots.heuristics import Heuristics, match_worths
from kibitz.core.cards import NO_CARD
from kibitz.core.kernel import kernel
from kibitz.core.layout import AnyRecord
from kibitz.games.match import rules

AVERAGE_COST = 3.0  # of a card in a hand that isn't seen
TEMPO = 2.0  # what it is worth to have a card less
PROMISE = 0.8  # of what a card could bring by being collected, lost by matching it
DRAW = 1.0  # the drawback of a new card
JOKER_PATIENCE = 6.0  # what a joker is worth that is kept for later
LATE = 2  # with so few cards in a hand the end is near
BLOCK = 1.5  # for keeping the next player from collecting
PRESSURE = 0.5  # for each point that the next player may have to play
EXPOSED = 0.25  # for each point of mine that the same asks for
OUT = 3.0  # how much more than points it matters to end the round ahead


@kernel
def rate(state: AnyRecord, move: int) -> float:
    """How good a move looks to the seat in turn, in points; it may know its own hand and what lies open."""
    seat = state.turn
    if move < rules.MATCH_COLLECTION:
        card = move - rules.MATCH + 1
        return rate_from_hand(state, seat, rules.NUMBER[card] * (1.0 - PROMISE)) + stir(
            state, seat, card, NO_CARD
        )
    if move < rules.COLLECT:
        card = move - rules.MATCH_COLLECTION + 1
        return stir(state, seat, card, card) - 1.0 * rules.NUMBER[card]
    if move < rules.WILD:
        card = move - rules.COLLECT + 1
        return 1.0 * rules.NUMBER[card] - DRAW * danger(state, seat)
    asked = rules.NUM_CARDS + move - rules.WILD + 1
    return rate_from_hand(state, seat, 10.0 * danger(state, seat) - JOKER_PATIENCE) + stir(
        state, seat, asked, NO_CARD
    )


@kernel
def rate_from_hand(state: AnyRecord, seat: int, saved: float) -> float:
    """A card less to count, and the end is nearer; the last card ends the round, for better or worse."""
    if state.hand_sizes[seat] == 1:
        return OUT * lead(state, seat)
    return saved + TEMPO


@kernel
def lead(state: AnyRecord, seat: int) -> float:
    """How far ahead of the best other the seat would be if it went out, by what is open."""
    best = -math.inf
    for other in range(state.players):
        if other != seat:
            points = rules.worth_of_collection(state, other) - AVERAGE_COST * state.hand_sizes[other]
            best = max(best, points + state.scores[other] - state.scores[seat])
    return rules.worth_of_collection(state, seat) - best


@kernel
def danger(state: AnyRecord, seat: int) -> float:
    """How near the end is, from 0 to 1: by the smallest hand of the others."""
    smallest = rules.HAND_SIZE
    for other in range(state.players):
        if other != seat:
            smallest = min(smallest, int(state.hand_sizes[other]))
    return 1.0 if smallest <= LATE - 1 else (rules.HAND_SIZE + 1 - smallest) / rules.HAND_SIZE


@kernel
def stir(state: AnyRecord, seat: int, asked: int, gone: int) -> float:
    """What a new top card asks of the next player's collection, and of the own one."""
    following = (seat + 1) % state.players
    theirs = pressure(state, following, asked, NO_CARD)
    mine = pressure(state, seat, asked, gone)
    return (BLOCK if theirs >= 0.0 else 0.0) + PRESSURE * max(0.0, theirs) - EXPOSED * max(0.0, mine)


@kernel
def pressure(state: AnyRecord, seat: int, asked: int, gone: int) -> float:
    """The cheapest top card of a collection that has to be played; below zero if none has to."""
    cheapest = math.inf
    for colour in range(rules.NUM_COLOURS):
        top = rules.top_of_pile(state, seat, colour)
        if top != NO_CARD and top != gone and rules.FITS[asked, top]:
            cheapest = min(cheapest, 1.0 * rules.COST[top])
    return cheapest if cheapest < math.inf else -1.0


@kernel
def appraise(view: AnyRecord, state: AnyRecord, seat: int) -> float:
    """How likely a seat wins: by the totals once a round is over, before that by what it knows."""
    if state.phase == rules.Phase.OVER:
        return share_of(state, seat)
    if state.round_number != view.round_number:
        return match_worths.chance_between(state, seat)
    return match_worths.chance_of(state, seat)


@kernel
def share_of(state: AnyRecord, seat: int) -> float:
    """What a seat has got of a game: all of it, its share, or nothing."""
    winners = 0
    for other in range(state.players):
        winners += 1 if state.winners[other] else 0
    return 1.0 / winners if state.winners[seat] else 0.0


HEURISTICS = Heuristics(
    rate=rate,
    appraise=appraise,
    rate_all=match_worths.rate_all,
    side_by_side=True,
    nodes={"medium": 30, "hard": 1500},
    laps=2,  # then the table is judged as who began the search knows it
    width=8,
    boldness=1.0,
    first_look=match_worths.rate_all,  # ratings are chances
    first_share=0.07,
    plays_on=0.9,
)
