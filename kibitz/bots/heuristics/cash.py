"""What bots know about CASH: how good a move looks, and when to stop.

All in dollars. A seat judges by its own hand, by what lies open, and by cards it surely knows of; where other
hands come in, they are imagined ones. `cash_worths` says what cards are worth, `cash_trading` which offers
are made and accepted.
"""

import math

import numpy as np
import numpy.typing as npt

from kibitz.bots.heuristics import Heuristics
from kibitz.bots.heuristics.cash_trading import best_offer, rate_answer, rate_step
from kibitz.bots.heuristics.cash_worths import (
    NEVER,
    cost_of_bear,
    doubled,
    held_bears,
    keeping,
    limit_of,
    on_the_table,
)
from kibitz.core.cards import NO_CARD
from kibitz.core.chance import chance, pick
from kibitz.core.common import frozen
from kibitz.core.kernel import kernel, wide
from kibitz.core.layout import NOBODY, AnyRecord, Moves, Rng
from kibitz.games.cash import box, rules, table
from kibitz.games.cash.piles import highest_cash, lowest_cash, place_of
from kibitz.games.cash.scoring import cash_in_hand, tabled_cash

Floats = npt.NDArray[np.float64]

FEE = 25_000.0
ALWAYS = 1e6
NONE = -1  # no move

# What the one card of a turn brings.
LICENSED = 80_000.0
CLEARED = 74_500.0
FREED = 39_000.0  # an investigation gone by other means
TABLING, TABLING_DOUBLED, TABLING_BASE = 1.66, 0.83, 7_700.0  # of its value: cash on the table, not in hand
INSURED, UNUSED_COVER = 0.37, 0.29  # of the cash insured, and of what the cover could have held beyond it
PROBE_PLAYED, PROBE_RICH, PROBE_LEADER, MOST_FOR_LEADER = 21_000.0, 0.12, 0.06, 31_000.0
DOUBLING, UNDOUBLING = 1.2, 0.5  # of the cash that a venture doubles, and of a rival's that it no longer does
TAXMAN_PLAYED = 7_500.0
HURT = 0.88  # what a rival loses, shared among all rivals
TURN = 15_000.0
DIVIDEND_PATIENCE, PREMIUM_PATIENCE = 49_000.0, 80_000.0  # that waiting might bring
COMMISSION_PATIENCE = 7_500.0
BEAR_SPARED, PASSED_ON = 0.54, 0.3  # of its cost in hand, and of the cost of bears that are passed on
BEAR_TURN = 40_500.0  # what a crash or recession costs beside cash
BANKRUPT, BANKRUPT_HAND = 146_000.0, 0.5

# When to stop.
LEAST_LEAD = 41_000.0
HAND_COST = 8_500.0  # what a rival's hand may cost it
TOP_RIVAL = 0.06  # how much the best rival counts beside the mean of all
WAITING, GOOD_HAND = 1.7, 0.6  # of the cash in hand, and of cards that can take some
SAFE = -4_500.0  # by which the game must be won

# Who is spared.
MOST_RETURNED = 50_000  # for a favour
SMALL_CASH = 10_000  # what those behind are left while another is about to win


# How good a move looks


@kernel
def others_mean(state: AnyRecord, seat: int, figures: Floats) -> float:
    """The mean of the other seats' figures."""
    total = 0.0
    for other in range(state.players):
        if other != seat:
            total += figures[other]
    return total / (state.players - 1)


@kernel
def rate(state: AnyRecord, move: int) -> float:
    """How good a move looks to the seat in turn, in dollars."""
    chosen = wide(move)
    seat = wide(state.turn)
    if state.phase == table.Phase.ACTION:
        return rate_action(state, seat, chosen)
    if state.phase == table.Phase.OFFER:
        return rate_step(state, seat, chosen)
    if state.phase == table.Phase.ANSWER:
        return rate_answer(state, seat, chosen)
    if state.phase == table.Phase.PASSING:
        return -keeping(state, seat, chosen - table.PASS + 1)
    if state.phase == table.Phase.TRIM:
        card = chosen - table.TRIM + 1
        return (
            rate_bear(state, seat, card)
            if box.CRASH <= card <= box.BANKRUPTCY
            else -keeping(state, seat, card)
        )
    if state.phase == table.Phase.TAKING:
        return rate_sparing(state, seat, chosen)
    return TURN if chosen == table.AGAIN else 0.0


@kernel
def rate_action(state: AnyRecord, seat: int, move: int) -> float:
    """The one card of the turn, or an offer."""
    if move < table.PROBE:
        return rate_own(state, seat, move)
    if move < table.SETTLE:
        return rate_probe(state, seat, (move - table.PROBE) % table.SEATS)
    if move == table.SETTLE:
        return FREED - 1.3 * float(box.VALUE[box.FIRST_CASH + lowest_cash(state, seat)])
    if move == table.PLAY_VENTURE:
        return gain_of_venture(state, seat, FEE) - FEE + 0.5 * held_bears(state, seat)
    if move == table.PLAY_TAXMAN:
        return TAXMAN_PLAYED + 0.1 * rivals_cash(state, seat)
    if move < table.TAKE_OVER:
        return rate_discard(state, seat, move - table.DISCARD + 1)
    if move < table.DONE:
        lost = UNDOUBLING * float(tabled_cash(state, move - table.TAKE_OVER))
        return gain_of_venture(state, seat, 0.0) + lost - 2.0 * FEE
    if move == table.DONE:
        return 0.0
    return best_offer(state, seat, move - table.TRADE)[0]


@kernel
def rate_own(state: AnyRecord, seat: int, move: int) -> float:
    """License, stop, cash, insurance."""
    if move >= table.INSURE:
        policy = move - table.INSURE + 1
        worth = float(box.POLICY_VALUE[policy])
        unused = limit_of(wide(box.POLICY_COVER[policy])) - worth
        return INSURED * worth * doubled(state, seat) - UNUSED_COVER * unused
    card = move - table.PLAY + 1
    if card == box.LICENSE:
        return LICENSED
    if card == box.STOP:
        return rate_stop(state, seat)
    return float(box.VALUE[card]) * (TABLING + TABLING_DOUBLED * doubled(state, seat)) + TABLING_BASE


@kernel
def gain_of_venture(state: AnyRecord, seat: int, fee: float) -> float:
    """The cash that a venture doubles, after the fee; a second one doubles nothing."""
    return DOUBLING * (float(tabled_cash(state, seat)) - fee) if doubled(state, seat) == 1.0 else 0.0


@kernel
def rate_stop(state: AnyRecord, seat: int) -> float:
    """Stop when it wins the game; else when the round's figure is well above the others'."""
    figures = np.zeros(table.SEATS, np.float64)
    for other in range(state.players):
        figures[other] = float(tabled_cash(state, other)) * doubled(state, other)
        if other != seat:
            figures[other] -= HAND_COST
    waiting = float(cash_in_hand(state, seat))
    figures[seat] -= waiting + held_bears(state, seat) * (2.0 if state.hands[seat, box.VENTURE] > 0 else 1.0)
    tax(state, figures)
    best, top = -math.inf, -math.inf
    for other in range(state.players):
        if other != seat:
            best = max(best, float(state.scores[other]) + figures[other])
            top = max(top, figures[other])
    mine = float(state.scores[seat]) + figures[seat]
    if max(mine, best) >= float(state.target) or state.round_number == state.rounds:
        return ALWAYS if mine > best + SAFE else -ALWAYS
    rivals = (1.0 - TOP_RIVAL) * others_mean(state, seat, figures) + TOP_RIVAL * top
    return figures[seat] - rivals - LEAST_LEAD - WAITING * waiting - GOOD_HAND * takings(state, seat)


@kernel
def tax(state: AnyRecord, figures: Floats) -> None:
    """Tabled taxmen take their tenths."""
    for owner in range(state.players):
        if state.tabled[owner, table.LOOSE_TAXMAN] > 0:
            for other in range(state.players):
                if other != owner:
                    share = 0.1 * max(0.0, figures[other])
                    figures[owner] += share
                    figures[other] -= share


@kernel
def takings(state: AnyRecord, seat: int) -> float:
    """What cards in hand are worth that take others' cash."""
    worth = 0.0
    for card in box.TAKING_CARDS:
        worth += float(state.hands[seat, card]) * keeping(state, seat, card)
    return worth


@kernel
def rate_probe(state: AnyRecord, seat: int, rival: int) -> float:
    """Investigate whoever has most to gain: the leader of the game, and rich firms."""
    threat = PROBE_RICH * float(tabled_cash(state, rival))
    ahead = float(state.scores[rival]) - float(state.scores[seat])
    return PROBE_PLAYED + threat + max(0.0, min(PROBE_LEADER * ahead, MOST_FOR_LEADER))


@kernel
def rivals_cash(state: AnyRecord, seat: int) -> float:
    """All cash that the others have tabled."""
    total = 0.0
    for rival in range(state.players):
        if rival != seat:
            total += float(tabled_cash(state, rival))
    return total


@kernel
def rate_discard(state: AnyRecord, seat: int, card: int) -> float:
    """What a discard brings, if anything, less what the card is worth."""
    if state.licenses[seat] == 0:
        return (
            cost_of_bear(state, card) if box.CRASH <= card <= box.BANKRUPTCY else -keeping(state, seat, card)
        )
    if card in box.BULLS:
        return rate_collecting(state, seat, card)
    if box.CRASH <= card <= box.BANKRUPTCY:
        return rate_bear(state, seat, card)
    if (
        box.FIRST_CLEAR <= card <= box.LAST_CLEAR
        and state.probes[seat] == box.FIRST_PROBE + card - box.FIRST_CLEAR
    ):
        return CLEARED
    if card in box.COMMISSIONS and table.is_free(state, seat):
        return rate_commission(state, seat, card)
    if box.FIRST_CASH <= card <= box.LAST_CASH and table.is_free(state, seat):
        return NEVER  # it can be tabled, which is never worse
    return -keeping(state, seat, card)


@kernel
def taken(state: AnyRecord, place: int) -> float:
    """What it brings to take a cash card from a rival."""
    return float(box.VALUE[box.FIRST_CASH + place]) * (1.0 + HURT / (state.players - 1))


@kernel
def rate_collecting(state: AnyRecord, seat: int, card: int) -> float:
    """Everybody's lowest or highest cash and an extra turn, less what waiting might bring."""
    gain = TURN
    for rival in range(state.players):
        if rival != seat:
            place = lowest_cash(state, rival) if card == box.DIVIDEND else highest_cash(state, rival)
            if place < box.NUM_CASH:
                gain += taken(state, place)
    if state.probes[seat] != NO_CARD:
        gain += FREED
    return gain - (DIVIDEND_PATIENCE if card == box.DIVIDEND else PREMIUM_PATIENCE)


@kernel
def rate_commission(state: AnyRecord, seat: int, card: int) -> float:
    """One card of each opponent, or their turns."""
    place = place_of(box.CASH_25 if card == box.BROKER else box.CASH_50)
    turns = 1.0 if card == box.BROKER else 2.0
    gain = 0.0
    for rival in range(state.players):
        if rival != seat:
            there = state.tabled[rival, place] > 0
            gain += taken(state, place) if there else turns * TURN / (state.players - 1)
    return gain - COMMISSION_PATIENCE


@kernel
def rate_bear(state: AnyRecord, seat: int, card: int) -> float:
    """The penalty it would cost in hand, less what it costs now; and other bears can be passed on."""
    spared = BEAR_SPARED * cost_of_bear(state, card)
    if card == box.BANKRUPTCY:
        return spared - loose_cards(state, seat) - BANKRUPT - BANKRUPT_HAND * float(cash_in_hand(state, seat))
    place = lowest_cash(state, seat) if card == box.CRASH else highest_cash(state, seat)
    lost = float(box.VALUE[box.FIRST_CASH + place]) * doubled(state, seat) if place < box.NUM_CASH else 0.0
    return spared - lost - BEAR_TURN + PASSED_ON * worst_cards(state, seat, card)


@kernel
def loose_cards(state: AnyRecord, seat: int) -> float:
    """What all loose cards of a firm are worth."""
    worth = 0.0
    for place in range(table.NUM_LOOSE):
        if state.tabled[seat, place] > 0:
            each = on_the_table(state, seat, wide(table.LOOSE_CARDS[place]), False)
            worth += each * float(state.tabled[seat, place])
    return worth


@kernel
def worst_cards(state: AnyRecord, seat: int, card: int) -> float:
    """What the bears cost that a seat passes on: one after a crash, two after a recession."""
    left = 1 if card == box.CRASH else 2
    cost = 0.0
    for bear in range(box.BANKRUPTCY, box.CRASH - 1, -1):
        there = wide(state.hands[seat, bear]) - (bear == card)
        passed = min(left, there)
        cost += passed * cost_of_bear(state, bear)
        left -= passed
    return cost


# Sparing


@kernel
def rate_sparing(state: AnyRecord, seat: int, move: int) -> float:
    """Nobody is spared without a reason; for one, in the order of seats."""
    if move == table.TAKE:
        return 0.0
    return FREED if has_reason_to_spare(state, seat, move - table.SPARE) else NEVER


@kernel
def has_reason_to_spare(state: AnyRecord, seat: int, rival: int) -> bool:
    """A favour is returned; and while somebody is about to win the game, those behind are left small cash.

    Who is about to win is spared by nobody.
    """
    winner = about_to_win(state)
    value = box.VALUE[box.FIRST_CASH + rules.taken_place(state, wide(state.taking), rival)]
    if rival == winner:
        return False
    if state.favours[seat, rival]:
        return bool(value <= MOST_RETURNED)
    behind = state.scores[rival] < state.scores[seat]
    return bool(winner not in (NOBODY, seat) and behind and value <= SMALL_CASH)


@kernel
def about_to_win(state: AnyRecord) -> int:
    """Who would win the game by what lies open if the round ended now, or NOBODY."""
    best, winner = 0.0, NOBODY
    for seat in range(wide(state.players)):
        total = float(state.scores[seat]) + float(tabled_cash(state, seat)) * doubled(state, seat)
        if total > best:
            best, winner = total, seat
    return winner if best >= float(state.target) else NOBODY


# What the search needs


@kernel
def candidates(state: AnyRecord, moves: Moves) -> int:
    """The moves that a search looks into: all but offers that lead nowhere."""
    count = rules.legal_moves(state, moves)
    kept = wide(0)
    for i in range(count):
        if rate(state, moves[i]) > NEVER:
            moves[kept] = moves[i]
            kept += 1
    return kept if kept > 0 else count


@kernel
def decided(state: AnyRecord, moves: Moves) -> int:
    """Trades are made by what cards are worth: the best offer before the turn's card, and every answer.

    What an offer brings is less than what chance does to imagined games: looking ahead in few can't tell.
    """
    answers = state.phase == table.Phase.ANSWER
    if not answers and state.phase != table.Phase.ACTION:
        return NONE
    best, worth = NONE, NEVER
    for i in range(rules.legal_moves(state, moves)):
        move = wide(moves[i])
        if answers or move >= table.TRADE:
            rating = rate(state, move)
            if rating > worth:
                best, worth = move, rating
    return best


@kernel
def imagine(view: AnyRecord, rng: Rng, state: AnyRecord) -> None:
    """Hidden hands as they are after some turns: few cards that one plays at once, many that one keeps.

    A card that isn't known changes places with a random one of the deck as often as it is unlikely to be
    kept. Once the deck is made of discards, the counts tell enough.
    """
    rules.imagine(view, rng, state)
    if view.outside[NO_CARD] or view.deck_size == 0:
        return
    settled = min(1.0, view.moves / (SETTLED * view.players))
    for seat in range(view.players):
        if seat != view.observer:
            likely = LIKELY_FREE if table.is_free(state, seat) else LIKELY_BOUND
            for card in range(1, box.NUM_CARDS + 1):
                for _ in range(state.hands[seat, card] - view.known[seat, card]):
                    draw_again(state, seat, card, likely, settled, rng)


@kernel
def draw_again(state: AnyRecord, seat: int, card: int, likely: Floats, settled: float, rng: Rng) -> None:
    """Put a card back into the deck for another, until one is likely to be kept, or some times."""
    held = card
    for _ in range(DRAWS):
        if chance(rng) < 1.0 - settled * (1.0 - likely[held]):
            return
        place = pick(rng, wide(state.deck_size))
        other = wide(state.deck[place])
        state.deck[place] = held
        state.hands[seat, held] -= 1
        state.hands[seat, other] += 1
        held = other


SETTLED = 10.0  # decisions a seat, after which hands are what was kept
DRAWS = 6
PLAYED_AT_ONCE = {  # how often they are still there, if they can be played
    "cash-5": 0.5,
    "cash-10": 0.25,
    "cash-25": 0.08,
    "cash-50": 0.04,
    "cash-75": 0.03,
    "cash-150": 0.03,
    "probe-bribery": 0.25,
    "probe-insider": 0.25,
    "probe-laundering": 0.25,
    "probe-crime": 0.25,
    "broker": 0.25,
    "banker": 0.1,
    "taxman": 0.25,
}
SELDOM_KEPT = {  # how often they are there in any case
    "license": 0.65,
    "cover-25": 0.55,
    "cover-50": 0.5,
    "cover-75": 0.45,
    "dividend": 0.15,
    "premium": 0.08,
    "venture": 0.55,
}
USUAL = 0.65  # the same of what can't be played during an investigation; other cards stay
LIKELY_FREE = frozen([(PLAYED_AT_ONCE | SELDOM_KEPT).get(name, 1.0) for name in box.CARDS.names], np.float64)
LIKELY_BOUND = frozen(
    [USUAL if name in PLAYED_AT_ONCE else SELDOM_KEPT.get(name, 1.0) for name in box.CARDS.names], np.float64
)


@kernel
def estimate(state: AnyRecord, seat: int) -> float:
    """What a running round promises a seat, in dollars that it will be ahead of the others.

    Fitted to how rounds among bots went on. Cash on the table counts half: much happens until the end.
    """
    hand = state.hands[seat]
    tabled = float(tabled_cash(state, seat)) * doubled(state, seat)
    free = table.is_free(state, seat)
    worth = 0.52 * tabled + (0.13 if free else -0.19) * float(cash_in_hand(state, seat))
    for card in range(box.FIRST_CLEAR, box.NUM_CARDS + 1):
        worth += PROMISE[card] * float(hand[card])
    worth += 16_000.0 * (hand[box.STOP] > 0) + 69_000.0 * (state.tabled[seat, table.LOOSE_TAXMAN] > 0)
    if not free:
        worth -= 52_000.0
        if state.licenses[seat] == 1 and hand[box.FIRST_CLEAR + state.probes[seat] - box.FIRST_PROBE] > 0:
            worth += 42_000.0
    if (
        hand[box.VENTURE] > 0
        and doubled(state, seat) == 1.0
        and state.tabled[seat, place_of(box.CASH_25)] > 0
    ):
        worth += 0.19 * tabled
    return worth - 23_000.0 * float(state.lost[seat])


PROMISE = frozen(  # of a card in hand
    [
        {
            "clear": 3_000.0,
            "dividend": 87_000.0,
            "premium": 130_000.0,
            "takeover": 14_000.0,
            "crash": -12_500.0,
            "recession": -29_000.0,
            "bankruptcy": -44_000.0,
            "broker": 24_000.0,
            "banker": 44_000.0,
            "taxman": 29_000.0,
        }.get(name.partition("-")[0], 0.0)
        for name in box.CARDS.names
    ],
    np.float64,
)
NEAR, FAR = 250_000.0, 0.5  # dollars that are a clear lead: at the target, and more for each dollar to it


@kernel
def appraise(view: AnyRecord, state: AnyRecord, seat: int) -> float:
    """How likely a seat wins the game, by all totals and what the round promises, if it goes on."""
    if state.phase == table.Phase.OVER:
        return float(state.winners[seat]) / float(state.winners.sum())
    clear = clear_lead(state)
    mine = standing(view, state, seat)
    chances = 0.0
    for other in range(state.players):
        chances += math.exp((standing(view, state, other) - mine) / clear)
    return 1.0 / chances


@kernel
def first_look(state: AnyRecord, moves: Moves, count: int, worths: Floats) -> None:
    """What moves seem worth as chances to win: dollars are a part of a clear lead."""
    for i in range(count):
        worths[i] = rate(state, moves[i])
    best = worths[:count].max()
    clear = clear_lead(state)
    for i in range(count):
        worths[i] = 0.5 - 0.25 * min(1.0, (best - worths[i]) / clear)


@kernel
def clear_lead(state: AnyRecord) -> float:
    """Dollars that a seat must be ahead to be clearly so: few in the last round."""
    if state.round_number == state.rounds:
        return NEAR
    top = -math.inf
    for seat in range(state.players):
        top = max(top, float(state.scores[seat]))
    return NEAR + FAR * max(0.0, float(state.target) - top)


@kernel
def standing(view: AnyRecord, state: AnyRecord, seat: int) -> float:
    """A seat's total, and what it can expect of the round that the search began in."""
    total = float(state.scores[seat])
    return total + estimate(state, seat) if state.round_number == view.round_number else total


# What a bot says about its move


def remark(move: str) -> str | None:
    """The catalogue's key for a short phrase about a move, or None if it speaks for itself."""
    match move.split(" "):
        case ["play", card, *_]:
            kind = card.partition("-")[0]
            named = {"cover": "insure", "settlement": "settle"}.get(kind, kind)
            return f"remark.{named}"
        case ["discard", card, *_]:
            return f"remark.{DISCARDS.get(card.partition('-')[0], 'discard')}"
        case ["propose"]:
            return "remark.offer"
        case ["accept" | "decline" | "counter" | "spare" as said, *_]:
            return f"remark.{said}"
        case _:
            return None


DISCARDS = {
    "clear": "clear",
    "dividend": "collect",
    "premium": "collect",
    "takeover": "takeover",
    "broker": "commission",
    "banker": "commission",
    "crash": "bear",
    "recession": "bear",
    "bankruptcy": "bear",
}


HEURISTICS = Heuristics(
    rate=rate,
    appraise=appraise,
    candidates=candidates,
    decided=decided,
    imagine=imagine,
    side_by_side=True,
    first_look=first_look,
    first_tries=50.0,
    nodes={"medium": 120, "hard": 600},
    horizon=30,  # a few turns later is what counts
    boldness=1.0,
    width=12,
    blur=50_000.0,  # dollars
    remark=remark,
)
