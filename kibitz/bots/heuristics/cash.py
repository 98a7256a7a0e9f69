"""What bots know about CASH: what cards are worth, to themselves and to others, and when to stop.

All in dollars. A seat judges by its own hand, by what lies open, and by cards it surely knows of; where other
hands come in, they are imagined ones.
"""

import math

import numpy as np
import numpy.typing as npt

from kibitz.bots.heuristics import Heuristics
from kibitz.core.cards import NO_CARD
from kibitz.core.chance import chance, pick
from kibitz.core.common import frozen
from kibitz.core.kernel import kernel, wide
from kibitz.core.layout import NOBODY, AnyRecord, Moves, Rng
from kibitz.games.cash import rules
from kibitz.games.cash.box import (
    BANKER,
    BANKRUPTCY,
    BROKER,
    CARDS,
    CASH_25,
    CASH_50,
    COPIES,
    CRASH,
    DIVIDEND,
    FIRST_CASH,
    FIRST_CLEAR,
    FIRST_COVER,
    FIRST_PROBE,
    LAST_CASH,
    LAST_CLEAR,
    LAST_COVER,
    LAST_PROBE,
    LICENSE,
    NUM_CARDS,
    NUM_CASH,
    POLICY_COVER,
    POLICY_VALUE,
    PREMIUM,
    RECESSION,
    SETTLEMENT,
    STOP,
    TAKEOVER,
    TAXMAN,
    VALUE,
    VENTURE,
)
from kibitz.games.cash.piles import highest_cash, lowest_cash, place_of
from kibitz.games.cash.scoring import (
    BANKRUPTCY_COST,
    CRASH_COST,
    cash_in_hand,
    insured_cash,
    tabled_cash,
    uninsured_cash,
)
from kibitz.games.cash.table import (
    ACCEPT,
    AGAIN,
    DECLINE,
    DISCARD,
    DONE,
    DROP,
    GIVE,
    GIVE_FIRM,
    GIVE_FIRM_LIST,
    GIVE_LIST,
    HAND_SIZE,
    INSURE,
    LOOSE_CARDS,
    LOOSE_PLACE,
    LOOSE_TAXMAN,
    LOOSE_VENTURE,
    NUM_LOOSE,
    PASS,
    PLAY,
    PLAY_TAXMAN,
    PLAY_VENTURE,
    PROBE,
    PROPOSE,
    SEATS,
    SETTLE,
    SPARE,
    TAKE,
    TAKE_OVER,
    TRADE,
    TRIM,
    WANT,
    WANT_FIRM,
    WANT_FIRM_LIST,
    WANT_LIST,
    Phase,
    is_free,
)
from kibitz.games.cash.trading import bit_of_asked, firms_may_trade

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int8]  # of cards, by number or place

FEE = 25_000.0
NEVER = -1e9
ALWAYS = 1e6

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
            DIVIDEND: 39_000.0,
            PREMIUM: 82_500.0,
            TAKEOVER: 22_000.0,
            BROKER: 35_500.0,
            BANKER: 41_500.0,
            TAXMAN: 35_000.0,
        }.get(card, 0.0)
        for card in range(NUM_CARDS + 1)
    ],
    np.float64,
)

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

# What trades are worth: loose cards on a firm, and how much both sides must gain.
EXPOSED = 0.8  # of its value: uninsured cash
TAXMAN_TABLED = 45_000.0
LEAST_GAIN = 6_000.0  # for an offer to be worth making
LEAST_FAVOUR = 4_000.0  # for the other side to be worth accepting
EVEN_CHANCE = 10_000.0  # of favour, at which an offer is as likely taken as not
LIKELY_ENOUGH = 0.2  # that a rival has a card, to ask for it
OFFERS_A_TURN = 3
AGAIN_HALF = 0.5  # of its worth: a second copy of a card
MOST_HELD = 40  # cards in a hand, however a trade goes
COUNTER_TAKEN = 0.5  # of what a counter-offer would bring: it may be declined
LAST_COPIES = 250.0  # a hand card is a certain kind with about its copies in so many

# Who is spared.
MOST_RETURNED = 50_000  # for a favour
SMALL_CASH = 10_000  # what those behind are left while another is about to win

BEAR_COST = frozen([CRASH_COST, 0, BANKRUPTCY_COST], np.float64)  # a recession's is an option


# What cards are worth


@kernel
def cost_of_bear(state: AnyRecord, card: int) -> float:
    """What a bear card in hand costs at the end."""
    return float(state.recession) * 1000.0 if card == RECESSION else BEAR_COST[card - CRASH]


@kernel
def keeping(state: AnyRecord, seat: int, card: int) -> float:
    """What a card in hand is worth to a seat, by what lies open and, for the seat in turn, by its hand."""
    licensed = state.licenses[seat] == 1
    if FIRST_CASH <= card <= LAST_CASH:
        return VALUE[card] * (PENDING if is_free(state, seat) else PENDING_PROBED if licensed else 0.0)
    if card == LICENSE:
        return SPARE_LICENSE if licensed else LICENSE_NEEDED
    if FIRST_COVER <= card <= LAST_COVER:
        return COVER_KEPT + COVER_USED * min(limit_of(card), float(uninsured_cash(state, seat)))
    if FIRST_PROBE <= card <= LAST_PROBE:
        return PROBE_KEPT
    if FIRST_CLEAR <= card <= LAST_CLEAR:
        if state.probes[seat] == FIRST_PROBE + card - FIRST_CLEAR:
            return CLEAR_NEEDED
        return CLEAR_KEPT if copies(state, seat, card) < 2 else 0.0
    if CRASH <= card <= BANKRUPTCY:
        return -cost_of_bear(state, card) * (BEAR_KEPT if licensed else BEAR_UNLICENSED)
    if card == SETTLEMENT:
        return keeping_settlement(state, seat)
    if card == VENTURE:
        return keeping_venture(state, seat)
    if card == STOP:
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
    if state.probes[seat] == NO_CARD or place == NUM_CASH:
        return SETTLEMENT_KEPT
    return SETTLEMENT_NEEDED - VALUE[FIRST_CASH + place]


@kernel
def keeping_venture(state: AnyRecord, seat: int) -> float:
    """A venture in hand doubles bears; on the firm it would double cash, once and for the fee."""
    worth = VENTURE_KEPT - VENTURE_BEARS * held_bears(state, seat)
    if state.tabled[seat, place_of(CASH_25)] > 0 and state.tabled[seat, LOOSE_VENTURE] == 0:
        worth += VENTURE_READY * float(tabled_cash(state, seat))
    return worth


@kernel
def held_bears(state: AnyRecord, seat: int) -> float:
    """What the bear cards in a hand cost at the end; a venture beside them doubles it."""
    cost = 0.0
    for card in range(CRASH, BANKRUPTCY + 1):
        cost += cost_of_bear(state, card) * float(copies(state, seat, card))
    return cost


@kernel
def limit_of(cover: int) -> float:
    """How much a cover insures."""
    return 25_000.0 * (cover - FIRST_COVER + 1)


@kernel
def doubled(state: AnyRecord, seat: int) -> float:
    """How often a firm's cash counts."""
    return 2.0 if state.tabled[seat, LOOSE_VENTURE] > 0 else 1.0


@kernel
def on_the_table(state: AnyRecord, seat: int, card: int, gained: bool) -> float:
    """What a loose card on a firm is worth to a seat that has it, or gains it; one venture, one taxman count.

    Gained cash counts once: the venture that doubles it may be what is paid.
    """
    if card == VENTURE:
        others = wide(state.tabled[seat, LOOSE_VENTURE]) - (0 if gained else 1)
        return EXPOSED * float(tabled_cash(state, seat)) if others <= 0 else 0.0
    if card == TAXMAN:
        others = wide(state.tabled[seat, LOOSE_TAXMAN]) - (0 if gained else 1)
        return TAXMAN_TABLED if others <= 0 else 0.0
    return EXPOSED * VALUE[card] * (1.0 if gained else doubled(state, seat))


@kernel
def others_mean(state: AnyRecord, seat: int, figures: Floats) -> float:
    """The mean of the other seats' figures."""
    total = 0.0
    for other in range(state.players):
        if other != seat:
            total += figures[other]
    return total / (state.players - 1)


# How good a move looks


@kernel
def rate(state: AnyRecord, move: int) -> float:
    """How good a move looks to the seat in turn, in dollars."""
    chosen = wide(move)
    seat = wide(state.turn)
    if state.phase == Phase.ACTION:
        return rate_action(state, seat, chosen)
    if state.phase == Phase.OFFER:
        return rate_step(state, seat, chosen)
    if state.phase == Phase.ANSWER:
        return rate_answer(state, seat, chosen)
    if state.phase == Phase.PASSING:
        return -keeping(state, seat, chosen - PASS + 1)
    if state.phase == Phase.TRIM:
        card = chosen - TRIM + 1
        return rate_bear(state, seat, card) if CRASH <= card <= BANKRUPTCY else -keeping(state, seat, card)
    if state.phase == Phase.TAKING:
        return rate_sparing(state, seat, chosen)
    return TURN if chosen == AGAIN else 0.0


@kernel
def rate_action(state: AnyRecord, seat: int, move: int) -> float:
    """The one card of the turn, or an offer."""
    if move < PROBE:
        return rate_own(state, seat, move)
    if move < SETTLE:
        return rate_probe(state, seat, (move - PROBE) % SEATS)
    if move == SETTLE:
        return FREED - 1.3 * float(VALUE[FIRST_CASH + lowest_cash(state, seat)])
    if move == PLAY_VENTURE:
        return gain_of_venture(state, seat, FEE) - FEE + 0.5 * held_bears(state, seat)
    if move == PLAY_TAXMAN:
        return TAXMAN_PLAYED + 0.1 * rivals_cash(state, seat)
    if move < TAKE_OVER:
        return rate_discard(state, seat, move - DISCARD + 1)
    if move < DONE:
        lost = UNDOUBLING * float(tabled_cash(state, move - TAKE_OVER))
        return gain_of_venture(state, seat, 0.0) + lost - 2.0 * FEE
    if move == DONE:
        return 0.0
    return best_offer(state, seat, move - TRADE)[0]


@kernel
def rate_own(state: AnyRecord, seat: int, move: int) -> float:
    """License, stop, cash, insurance."""
    if move >= INSURE:
        policy = move - INSURE + 1
        worth = float(POLICY_VALUE[policy])
        unused = limit_of(wide(POLICY_COVER[policy])) - worth
        return INSURED * worth * doubled(state, seat) - UNUSED_COVER * unused
    card = move - PLAY + 1
    if card == LICENSE:
        return LICENSED
    if card == STOP:
        return rate_stop(state, seat)
    return float(VALUE[card]) * (TABLING + TABLING_DOUBLED * doubled(state, seat)) + TABLING_BASE


@kernel
def gain_of_venture(state: AnyRecord, seat: int, fee: float) -> float:
    """The cash that a venture doubles, after the fee; a second one doubles nothing."""
    return DOUBLING * (float(tabled_cash(state, seat)) - fee) if doubled(state, seat) == 1.0 else 0.0


@kernel
def rate_stop(state: AnyRecord, seat: int) -> float:
    """Stop when it wins the game; else when the round's figure is well above the others'."""
    figures = np.zeros(SEATS, np.float64)
    for other in range(state.players):
        figures[other] = float(tabled_cash(state, other)) * doubled(state, other)
        if other != seat:
            figures[other] -= HAND_COST
    waiting = float(cash_in_hand(state, seat))
    figures[seat] -= waiting + held_bears(state, seat) * (2.0 if state.hands[seat, VENTURE] > 0 else 1.0)
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
        if state.tabled[owner, LOOSE_TAXMAN] > 0:
            for other in range(state.players):
                if other != owner:
                    share = 0.1 * max(0.0, figures[other])
                    figures[owner] += share
                    figures[other] -= share


@kernel
def takings(state: AnyRecord, seat: int) -> float:
    """What cards in hand are worth that take others' cash."""
    worth = 0.0
    for card in (DIVIDEND, PREMIUM, BROKER, BANKER):
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
        return cost_of_bear(state, card) if CRASH <= card <= BANKRUPTCY else -keeping(state, seat, card)
    if card in (DIVIDEND, PREMIUM):
        return rate_collecting(state, seat, card)
    if CRASH <= card <= BANKRUPTCY:
        return rate_bear(state, seat, card)
    if FIRST_CLEAR <= card <= LAST_CLEAR and state.probes[seat] == FIRST_PROBE + card - FIRST_CLEAR:
        return CLEARED
    if card in (BROKER, BANKER) and is_free(state, seat):
        return rate_commission(state, seat, card)
    if FIRST_CASH <= card <= LAST_CASH and is_free(state, seat):
        return NEVER  # it can be tabled, which is never worse
    return -keeping(state, seat, card)


@kernel
def taken(state: AnyRecord, place: int) -> float:
    """What it brings to take a cash card from a rival."""
    return float(VALUE[FIRST_CASH + place]) * (1.0 + HURT / (state.players - 1))


@kernel
def rate_collecting(state: AnyRecord, seat: int, card: int) -> float:
    """Everybody's lowest or highest cash and an extra turn, less what waiting might bring."""
    gain = TURN
    for rival in range(state.players):
        if rival != seat:
            place = lowest_cash(state, rival) if card == DIVIDEND else highest_cash(state, rival)
            if place < NUM_CASH:
                gain += taken(state, place)
    if state.probes[seat] != NO_CARD:
        gain += FREED
    return gain - (DIVIDEND_PATIENCE if card == DIVIDEND else PREMIUM_PATIENCE)


@kernel
def rate_commission(state: AnyRecord, seat: int, card: int) -> float:
    """One card of each opponent, or their turns."""
    place = place_of(CASH_25 if card == BROKER else CASH_50)
    turns = 1.0 if card == BROKER else 2.0
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
    if card == BANKRUPTCY:
        return spared - loose_cards(state, seat) - BANKRUPT - BANKRUPT_HAND * float(cash_in_hand(state, seat))
    place = lowest_cash(state, seat) if card == CRASH else highest_cash(state, seat)
    lost = float(VALUE[FIRST_CASH + place]) * doubled(state, seat) if place < NUM_CASH else 0.0
    return spared - lost - BEAR_TURN + PASSED_ON * worst_cards(state, seat, card)


@kernel
def loose_cards(state: AnyRecord, seat: int) -> float:
    """What all loose cards of a firm are worth."""
    worth = 0.0
    for place in range(NUM_LOOSE):
        if state.tabled[seat, place] > 0:
            each = on_the_table(state, seat, wide(LOOSE_CARDS[place]), False)
            worth += each * float(state.tabled[seat, place])
    return worth


@kernel
def worst_cards(state: AnyRecord, seat: int, card: int) -> float:
    """What the bears cost that a seat passes on: one after a crash, two after a recession."""
    left = 1 if card == CRASH else 2
    cost = 0.0
    for bear in range(BANKRUPTCY, CRASH - 1, -1):
        there = wide(state.hands[seat, bear]) - (bear == card)
        passed = min(left, there)
        cost += passed * cost_of_bear(state, bear)
        left -= passed
    return cost


# Sparing


@kernel
def rate_sparing(state: AnyRecord, seat: int, move: int) -> float:
    """Nobody is spared without a reason; for one, in the order of seats."""
    if move == TAKE:
        return 0.0
    return FREED if has_reason_to_spare(state, seat, move - SPARE) else NEVER


@kernel
def has_reason_to_spare(state: AnyRecord, seat: int, rival: int) -> bool:
    """A favour is returned; and while somebody is about to win the game, those behind are left small cash.

    Who is about to win is spared by nobody.
    """
    winner = about_to_win(state)
    value = VALUE[FIRST_CASH + rules.taken_place(state, wide(state.taking), rival)]
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


# Trading


@kernel
def best_offer(state: AnyRecord, seat: int, rival: int) -> tuple[float, int, int, int, int]:
    """The best trade that helps both: its worth, and a card of each list of an offer, or NO_CARD.

    A seat makes a few offers a turn, and asks a rival once a round for the same. It gives a hand card, a firm
    card or one of each, and asks for one card: a hand card that it knows of or needs badly, or a firm card.
    """
    best = (NEVER, NO_CARD, NO_CARD, NO_CARD, NO_CARD)
    if not is_countering(state) and state.offers >= OFFERS_A_TURN + (state.phase != Phase.ACTION):
        return best
    for wanted in range(1, NUM_CARDS + 1):
        if is_wanted(state, seat, rival, wanted):
            likely = holds_perhaps(state, seat, rival, wanted)
            mine, theirs = keeping(state, seat, wanted), keeping(state, rival, wanted)
            best = best_price(state, seat, rival, wanted, NO_CARD, mine, theirs, likely, best)
    if firms_may_trade(state, seat, rival):
        for place in range(first_wanted(state, rival), NUM_LOOSE):
            card = wide(LOOSE_CARDS[place])
            if state.tabled[rival, place] > 0 and not was_asked(state, seat, rival, card, True):
                mine = on_the_table(state, seat, card, True)
                theirs = on_the_table(state, rival, card, False)
                best = best_price(state, seat, rival, NO_CARD, card, mine, theirs, 1.0, best)
    return best


@kernel
def is_countering(state: AnyRecord) -> bool:
    """Whether an offer would be an answer to another one."""
    return bool(state.phase == Phase.ANSWER or state.countered)


@kernel
def first_wanted(state: AnyRecord, rival: int) -> int:
    """Cash of a firm is asked for only of who needs something badly, ventures and taxmen of anybody."""
    return LOOSE_VENTURE if is_free(state, rival) else 0


@kernel
def was_asked(state: AnyRecord, seat: int, rival: int, card: int, firm: bool) -> bool:
    """Whether a rival was asked for a card in vain in this round."""
    return wide(state.asked[seat, rival]) & bit_of_asked(card, firm) != 0


@kernel
def best_price(
    state: AnyRecord,
    seat: int,
    rival: int,
    wanted: int,
    firm_wanted: int,
    mine: float,
    theirs: float,
    likely: float,
    best: tuple[float, int, int, int, int],
) -> tuple[float, int, int, int, int]:
    """What to give for a card that is worth `mine` and `theirs`, if that is better than the best so far."""
    share = 1.0 / (state.players - 1)
    firms = firms_may_trade(state, seat, rival)
    for given in range(NUM_CARDS + 1):
        if given != NO_CARD and (state.hands[seat, given] == 0 or given == wanted):
            continue
        if not fits(state, seat, rival, given, wanted):
            continue
        cost, favour = 0.0, -theirs
        if given != NO_CARD:
            cost = keeping(state, seat, given)
            favour += keeping(state, rival, given)
        for place in range(-1, NUM_CASH if firms else 0):
            if (place < 0 and given == NO_CARD) or (place >= 0 and state.tabled[seat, place] == 0):
                continue
            gain, grace, firm_given = mine - cost, favour, NO_CARD
            if place >= 0:
                firm_given = wide(LOOSE_CARDS[place])
                gain -= on_the_table(state, seat, firm_given, False)
                grace += on_the_table(state, rival, firm_given, True)
            worth = likely * (gain - share * max(0.0, grace))
            favour_left = grace - share * max(0.0, gain)
            if worth < LEAST_GAIN or favour_left < LEAST_FAVOUR:
                continue
            worth *= favour_left / (favour_left + EVEN_CHANCE)
            if worth <= best[0]:
                continue
            if firm_given == NO_CARD or firm_given != firm_wanted:
                best = (worth, given, firm_given, wanted, firm_wanted)
    return best


@kernel
def fits(state: AnyRecord, seat: int, rival: int, given: int, wanted: int) -> bool:
    """Whether who isn't in turn has seven hand cards at most afterwards."""
    more = (1 if given != NO_CARD else 0) - (1 if wanted != NO_CARD else 0)
    if is_countering(state):
        return bool(state.hand_sizes[seat] - more <= HAND_SIZE)
    return bool(state.hand_sizes[rival] + more <= HAND_SIZE)


@kernel
def is_wanted(state: AnyRecord, seat: int, rival: int, card: int) -> bool:
    """Whether a hand card is worth asking for: it is surely there, or it is needed and may be there."""
    if was_asked(state, seat, rival, card, False):
        return False
    if not is_needed(state, seat, card) or is_needed(state, rival, card):
        return bool(state.known[seat, rival, card] > 0)
    return holds_perhaps(state, seat, rival, card) >= LIKELY_ENOUGH


@kernel
def is_needed(state: AnyRecord, seat: int, card: int) -> bool:
    """A license for who has none; who is investigated needs the acquittal, if it isn't in the own hand."""
    if state.licenses[seat] == 0:
        return card == LICENSE and copies(state, seat, LICENSE) == 0
    clear = FIRST_CLEAR + state.probes[seat] - FIRST_PROBE
    return state.probes[seat] != NO_CARD and card == clear and copies(state, seat, clear) == 0


@kernel
def holds_perhaps(state: AnyRecord, seat: int, rival: int, card: int) -> float:
    """How likely a rival has a card, to a seat that has seen some of its cards and no others."""
    if state.known[seat, rival, card] > 0:
        return 1.0
    return min(0.8, float(state.hand_sizes[rival]) * unseen(state, seat, card) / LAST_COPIES)


@kernel
def unseen(state: AnyRecord, seat: int, card: int) -> float:
    """How many copies of a license or an acquittal a seat can't see."""
    seen = wide(state.hands[seat, card])
    for place in range(wide(state.discard_size)):
        seen += state.discard[place] == card
    for other in range(wide(state.players)):
        seen += wide(state.known[seat, other, card])
        seen += wide(state.licenses[other]) if card == LICENSE else 0
    return float(COPIES[card] - seen)


@kernel
def rate_step(state: AnyRecord, seat: int, move: int) -> float:
    """Build the best offer as it was thought of; drop only what can't become one."""
    asks = WANT <= move < WANT_FIRM
    if asks and not is_wanted(state, seat, wide(state.offer_to), move - WANT + 1):
        return NEVER
    offer = best_offer(state, seat, wide(state.offer_to))
    step = next_step(state, offer)
    if move == DROP:
        return 0.0 if step == DROP else NEVER
    return offer[0] if move == step else NEVER


@kernel
def next_step(state: AnyRecord, offer: tuple[float, int, int, int, int]) -> int:
    """The move that builds an offer further: the first of its cards that isn't named yet."""
    _, given, firm_given, wanted, firm_wanted = offer
    if given + firm_given + wanted + firm_wanted == NO_CARD:
        return DROP
    if given != NO_CARD and state.offered_sizes[GIVE_LIST] == 0:
        return GIVE + given - 1
    if firm_given != NO_CARD and state.offered_sizes[GIVE_FIRM_LIST] == 0:
        return GIVE_FIRM + wide(LOOSE_PLACE[firm_given])
    if wanted != NO_CARD and state.offered_sizes[WANT_LIST] == 0:
        return WANT + wanted - 1
    if firm_wanted != NO_CARD and state.offered_sizes[WANT_FIRM_LIST] == 0:
        return WANT_FIRM + wide(LOOSE_PLACE[firm_wanted])
    return PROPOSE if is_built(state, offer) else DROP


@kernel
def is_built(state: AnyRecord, offer: tuple[float, int, int, int, int]) -> bool:
    """Whether the offer on the table is the one thought of, and no other."""
    _, given, firm_given, wanted, firm_wanted = offer
    return (
        is_all(state, GIVE_LIST, given)
        and is_all(state, GIVE_FIRM_LIST, firm_given)
        and is_all(state, WANT_LIST, wanted)
        and is_all(state, WANT_FIRM_LIST, firm_wanted)
    )


@kernel
def is_all(state: AnyRecord, which: int, card: int) -> bool:
    """Whether a list of the offer has a card and no other, or for NO_CARD none."""
    return bool(state.offered_sizes[which] == (card != NO_CARD) and state.offered[which, 0] == card)


@kernel
def rate_answer(state: AnyRecord, seat: int, move: int) -> float:
    """Accept what helps, or counter with what may help more; a counter-offer isn't countered again."""
    if move == ACCEPT:
        worth = worth_of_offer(state)
        return worth if worth > 0.0 else NEVER
    if move == DECLINE:
        return 0.0
    better = NEVER if state.countered else best_offer(state, seat, wide(state.offer_from))[0]
    return COUNTER_TAKEN * better if better > NEVER else NEVER


@kernel
def balance(state: AnyRecord, seat: int, gives: int, wants: int) -> float:
    """What an offer brings a seat: what it gets less what it gives, by list, from hands and firms."""
    total = 0.0
    for place in range(state.offered_sizes[wants]):
        total += keeping(state, seat, wide(state.offered[wants, place]))
    for place in range(state.offered_sizes[gives]):
        total -= keeping(state, seat, wide(state.offered[gives, place]))
    for place in range(state.offered_sizes[wants + 1]):
        total += on_the_table(state, seat, wide(state.offered[wants + 1, place]), True)
    for place in range(state.offered_sizes[gives + 1]):
        total -= on_the_table(state, seat, wide(state.offered[gives + 1, place]), False)
    return total


@kernel
def worth_of_offer(state: AnyRecord) -> float:
    """Accept what helps more than it helps the other, shared among all rivals."""
    maker, seat = wide(state.offer_from), wide(state.offer_to)
    theirs = balance(state, maker, GIVE_LIST, WANT_LIST)
    return gain_of_offer(state, seat) - max(0.0, theirs) / (state.players - 1) - 0.5 * LEAST_FAVOUR


@kernel
def gain_of_offer(state: AnyRecord, seat: int) -> float:
    """What all that the asked seat has is worth after the trade, less what it is worth now."""
    hand, loose = state.hands[seat].copy(), state.tabled[seat].copy()
    now = holdings(state, seat, hand, loose)
    for place in range(state.offered_sizes[GIVE_LIST]):
        hand[state.offered[GIVE_LIST, place]] += 1
    for place in range(state.offered_sizes[WANT_LIST]):
        hand[state.offered[WANT_LIST, place]] -= 1
    for place in range(state.offered_sizes[GIVE_FIRM_LIST]):
        loose[LOOSE_PLACE[state.offered[GIVE_FIRM_LIST, place]]] += 1
    for place in range(state.offered_sizes[WANT_FIRM_LIST]):
        loose[LOOSE_PLACE[state.offered[WANT_FIRM_LIST, place]]] -= 1
    return holdings(state, seat, hand, loose) - now


@kernel
def holdings(state: AnyRecord, seat: int, hand: Counts, loose: Counts) -> float:
    """What a hand and the loose cards of a firm are worth together.

    It hangs on what is there alone, so that no way round of trades leaves a seat with less. Of a hand seven
    cards count, and all that do harm.
    """
    doubles = 2.0 if loose[LOOSE_VENTURE] > 0 else 1.0
    worth = EXPOSED * (cash_among(loose) * doubles + float(insured_cash(state, seat)) * (doubles - 1.0))
    worth += TAXMAN_TABLED if loose[LOOSE_TAXMAN] > 0 else 0.0
    each = np.zeros(MOST_HELD, np.float64)
    count = 0
    for card in range(1, NUM_CARDS + 1):
        for copy in range(wide(hand[card])):
            each[count] = worth_of_copy(state, seat, card, copy, hand, loose)
            count += 1
    each[:count] = np.sort(each[:count])
    for place in range(count):
        if place >= count - HAND_SIZE or each[place] < 0.0:
            worth += each[place]
    return worth


@kernel
def worth_of_copy(state: AnyRecord, seat: int, card: int, copy: int, hand: Counts, loose: Counts) -> float:
    """What a card in hand adds to those of its kind: the first copy counts most, of cash and bears each."""
    if FIRST_CASH <= card <= LAST_CASH or CRASH <= card <= BANKRUPTCY:
        return keeping(state, seat, card)
    if card == LICENSE:
        return LICENSE_NEEDED if copy == 0 and state.licenses[seat] == 0 else SPARE_LICENSE
    if FIRST_COVER <= card <= LAST_COVER:
        return COVER_KEPT + COVER_USED * min(limit_of(card), cash_among(loose))
    worth = first_copy(state, seat, card, hand, loose)
    return worth if copy == 0 else AGAIN_HALF * max(0.0, worth) if copy == 1 else 0.0


@kernel
def first_copy(state: AnyRecord, seat: int, card: int, hand: Counts, loose: Counts) -> float:
    """What the first of a kind is worth that isn't needed twice."""
    if card == STOP:
        return STOP_KEPT
    if FIRST_CLEAR <= card <= LAST_CLEAR:
        return CLEAR_NEEDED if state.probes[seat] == FIRST_PROBE + card - FIRST_CLEAR else CLEAR_KEPT
    if card == SETTLEMENT:
        place = 0
        while place < NUM_CASH and loose[place] == 0:
            place += 1
        if state.probes[seat] == NO_CARD or place == NUM_CASH:
            return SETTLEMENT_KEPT
        return SETTLEMENT_NEEDED - VALUE[FIRST_CASH + place]
    if card == VENTURE:
        bears = 0.0
        for bear in range(CRASH, BANKRUPTCY + 1):
            bears += cost_of_bear(state, bear) * float(hand[bear])
        ready = loose[place_of(CASH_25)] > 0 and loose[LOOSE_VENTURE] == 0
        doubled_cash = cash_among(loose) + float(insured_cash(state, seat)) if ready else 0.0
        return VENTURE_KEPT - VENTURE_BEARS * bears + VENTURE_READY * doubled_cash
    return keeping(state, seat, card)


@kernel
def cash_among(loose: Counts) -> float:
    """The cash among loose cards."""
    total = 0.0
    for place in range(NUM_CASH):
        total += float(loose[place]) * float(VALUE[FIRST_CASH + place])
    return total


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
            likely = LIKELY_FREE if is_free(state, seat) else LIKELY_BOUND
            for card in range(1, NUM_CARDS + 1):
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
LIKELY_FREE = frozen([(PLAYED_AT_ONCE | SELDOM_KEPT).get(name, 1.0) for name in CARDS.names], np.float64)
LIKELY_BOUND = frozen(
    [USUAL if name in PLAYED_AT_ONCE else SELDOM_KEPT.get(name, 1.0) for name in CARDS.names], np.float64
)


@kernel
def estimate(state: AnyRecord, seat: int) -> float:
    """What a running round promises a seat, in dollars that it will be ahead of the others.

    Fitted to how rounds among bots went on. Cash on the table counts half: much happens until the end.
    """
    hand = state.hands[seat]
    tabled = float(tabled_cash(state, seat)) * doubled(state, seat)
    free = is_free(state, seat)
    worth = 0.52 * tabled + (0.13 if free else -0.19) * float(cash_in_hand(state, seat))
    for card in range(FIRST_CLEAR, NUM_CARDS + 1):
        worth += PROMISE[card] * float(hand[card])
    worth += 16_000.0 * (hand[STOP] > 0) + 69_000.0 * (state.tabled[seat, LOOSE_TAXMAN] > 0)
    if not free:
        worth -= 52_000.0
        if state.licenses[seat] == 1 and hand[FIRST_CLEAR + state.probes[seat] - FIRST_PROBE] > 0:
            worth += 42_000.0
    if hand[VENTURE] > 0 and doubled(state, seat) == 1.0 and state.tabled[seat, place_of(CASH_25)] > 0:
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
        for name in CARDS.names
    ],
    np.float64,
)
NEAR, FAR = 250_000.0, 0.5  # dollars that are a clear lead: at the target, and more for each dollar to it


@kernel
def appraise(view: AnyRecord, state: AnyRecord, seat: int) -> float:
    """How likely a seat wins the game, by all totals and what the round promises, if it goes on."""
    if state.phase == Phase.OVER:
        return float(state.winners[seat]) / float(state.winners.sum())
    top = -math.inf
    for other in range(state.players):
        top = max(top, float(state.scores[other]))
    clear = NEAR + FAR * max(0.0, float(state.target) - top)
    mine = standing(view, state, seat)
    chances = 0.0
    for other in range(state.players):
        chances += math.exp((standing(view, state, other) - mine) / clear)
    return 1.0 / chances


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
    imagine=imagine,
    side_by_side=True,
    nodes={"medium": 120, "hard": 600},
    horizon=30,  # a few turns later is what counts
    boldness=1.0,
    width=12,
    blur=20_000.0,  # dollars
    poker_face=True,  # who can only decline thinks as long as who could accept
    remark=remark,
)
