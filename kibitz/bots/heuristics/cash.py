"""What bots know about CASH: what cards are worth, to themselves and to others, and when to stop.

All in dollars. A seat judges by its own hand, by what lies open, and by cards it surely knows of; where other
hands come in, they are imagined ones.
"""

import math

import numpy as np
import numpy.typing as npt

from kibitz.core.kernel import kernel
from kibitz.core.layout import AnyRecord, Moves
from kibitz.games.cash import rules
from kibitz.games.cash.cards import (
    BANKER,
    BANKRUPTCY,
    BROKER,
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
    NO_CARD,
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
    frozen,
)
from kibitz.games.cash.moving import highest_cash, lowest_cash, place_of
from kibitz.games.cash.scoring import (
    BANKRUPTCY_COST,
    CRASH_COST,
    NUM_STEPS,
    cash_in_hand,
    insured_cash,
    score_steps,
    tabled_cash,
    uninsured_cash,
)
from kibitz.games.cash.table import (
    ACCEPT,
    AGAIN,
    DISCARD,
    DONE,
    DROP,
    GIVE,
    GIVE_LIST,
    INSURE,
    LOOSE_TAXMAN,
    LOOSE_VENTURE,
    PASS,
    PLAY,
    PLAY_TAXMAN,
    PLAY_VENTURE,
    PROBE,
    PROPOSE,
    SEATS,
    SETTLE,
    TAKE_OVER,
    TRADE,
    TRIM,
    WANT,
    WANT_LIST,
    Phase,
    is_free,
    wide,
)
from kibitz.games.cash.trading import offer_code, side

Floats = npt.NDArray[np.float64]

FEE = 25_000.0
TURN = 22_000.0  # what a turn is worth
EXPOSED = 0.8  # of its value: uninsured cash on the table, which may be taken
SAVED = 0.4  # of its value: what insurance adds to cash
PENDING = 0.55  # of its value: cash in hand that can still be tabled
LAST_COPIES = 250.0  # a hand card is a certain kind with about its copies in so many
LEAST_GAIN = 6_000.0  # for an offer to be worth making
LEAST_FAVOUR = 4_000.0  # for the other side to be worth accepting
NEVER = -1e9
MARGIN = 150_000.0  # dollars that make a clear lead in a round
TABLED_ALREADY = 35_000.0  # dollars of cash that imagined hands hold, and real ones have played by then

# For the search: rounds are long, and what can be foreseen of them is near.
HORIZON = 60
EXPLORATION = 0.5
POKER_FACE = True  # who can only decline thinks as long as who could accept
NODES = {"medium": 400, "hard": 800}
BLUR = 40_000.0  # dollars by which an easy bot may misjudge a move

LEAST_LEAD = 45_000.0  # dollars in a round, to stop it
BEAR_COST = frozen([CRASH_COST, 0, BANKRUPTCY_COST], np.float64)  # a recession's is an option

# What a card in hand is worth to a firm in order, beside what depends on the table.
PLAIN = frozen(
    [
        {
            LICENSE: 4_000.0,
            STOP: 12_000.0,
            DIVIDEND: 45_000.0,
            PREMIUM: 70_000.0,
            TAKEOVER: 5_000.0,
            BROKER: 35_000.0,
            BANKER: 45_000.0,
            TAXMAN: 24_000.0,
            SETTLEMENT: 6_000.0,
            VENTURE: 4_000.0,
        }.get(card, 0.0)
        for card in range(NUM_CARDS + 1)
    ],
    np.float64,
)


# What cards are worth


@kernel
def cost_of_bear(state: AnyRecord, card: int) -> float:
    """What a bear card in hand costs at the end."""
    return float(state.recession) * 1000.0 if card == RECESSION else BEAR_COST[card - CRASH]


@kernel
def keeping(state: AnyRecord, seat: int, card: int) -> float:
    """What a card in hand is worth to a seat, by what lies open."""
    licensed = state.licenses[seat] == 1
    if FIRST_CASH <= card <= LAST_CASH:
        return VALUE[card] * (PENDING if is_free(state, seat) else 0.3 if licensed else 0.1)
    if card == LICENSE:
        return PLAIN[card] if licensed else 70_000.0
    if FIRST_COVER <= card <= LAST_COVER:
        limit = 25_000.0 * (card - FIRST_COVER + 1)
        return 4_000.0 + SAVED * min(limit, float(uninsured_cash(state, seat)))
    if FIRST_PROBE <= card <= LAST_PROBE:
        return 16_000.0
    if FIRST_CLEAR <= card <= LAST_CLEAR:
        return 55_000.0 if state.probes[seat] == FIRST_PROBE + card - FIRST_CLEAR else 6_000.0
    if CRASH <= card <= BANKRUPTCY:
        return -cost_of_bear(state, card) * (0.6 if licensed else 0.25)
    if card == SETTLEMENT and state.probes[seat] != NO_CARD:
        place = lowest_cash(state, seat)
        return 50_000.0 - VALUE[FIRST_CASH + place] if place < NUM_CASH else PLAIN[card]
    if card == VENTURE and state.tabled[seat, place_of(CASH_25)] > 0:
        return PLAIN[card] + 0.4 * float(tabled_cash(state, seat))
    return PLAIN[card] if licensed else 0.6 * PLAIN[card]


@kernel
def on_the_table(state: AnyRecord, seat: int, card: int) -> float:
    """What a loose card on a firm is worth to its owner."""
    if card == VENTURE:
        return 0.7 * float(tabled_cash(state, seat))
    if card == TAXMAN:
        return 35_000.0
    doubled = 2.0 if state.tabled[seat, LOOSE_VENTURE] > 0 else 1.0
    return EXPOSED * VALUE[card] * doubled


@kernel
def estimate(state: AnyRecord, seat: int) -> float:
    """What a round as it stands promises a seat."""
    doubled = 2.0 if state.tabled[seat, LOOSE_VENTURE] > 0 else 1.0
    worth = (EXPOSED * float(uninsured_cash(state, seat)) + float(insured_cash(state, seat))) * doubled
    free = is_free(state, seat)
    worth += (0.25 if free else -0.25) * float(cash_in_hand(state, seat))
    for card in range(CRASH, BANKRUPTCY + 1):
        worth -= 0.6 * cost_of_bear(state, card) * float(state.hands[seat, card])
    worth += 30_000.0 * float(state.tabled[seat, LOOSE_TAXMAN])
    worth += 20_000.0 * float(state.hands[seat, DIVIDEND]) + 35_000.0 * float(state.hands[seat, PREMIUM])
    if not free:
        worth -= 35_000.0 if state.licenses[seat] == 1 else 55_000.0
    return worth - 0.6 * TURN * float(state.lost[seat])


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
        return worth_of_offer(state) if chosen == ACCEPT else 0.0
    if state.phase == Phase.PASSING:
        return -keeping(state, seat, chosen - PASS + 1)
    if state.phase == Phase.TRIM:
        card = chosen - TRIM + 1
        return rate_bear(state, seat, card) if CRASH <= card <= BANKRUPTCY else -keeping(state, seat, card)
    return TURN if chosen == AGAIN else 0.0


@kernel
def rate_action(state: AnyRecord, seat: int, move: int) -> float:
    """The one card of the turn, or an offer."""
    if move < PROBE:
        return rate_own(state, seat, move)
    if move < SETTLE:
        return rate_probe(state, seat, (move - PROBE) % SEATS)
    if move == SETTLE:
        return 55_000.0 - 1.3 * float(VALUE[FIRST_CASH + lowest_cash(state, seat)])
    if move == PLAY_VENTURE:
        return 0.7 * (float(tabled_cash(state, seat)) - FEE) - FEE + doubled_bears(state, seat)
    if move == PLAY_TAXMAN:
        return 12_000.0 + 0.1 * rivals_cash(state, seat)
    if move < TAKE_OVER:
        return rate_discard(state, seat, move - DISCARD + 1)
    if move < DONE:
        rival = move - TAKE_OVER
        return 0.7 * float(tabled_cash(state, seat)) + 0.4 * float(tabled_cash(state, rival)) - 2.0 * FEE
    if move == DONE:
        return 0.0
    return best_offer(state, seat, move - TRADE)[0]


@kernel
def rate_own(state: AnyRecord, seat: int, move: int) -> float:
    """License, stop, cash, insurance."""
    if move >= INSURE:
        policy = move - INSURE + 1
        limit = 25_000.0 * (POLICY_COVER[policy] - FIRST_COVER + 1)
        worth = float(POLICY_VALUE[policy])
        doubled = 2.0 if state.tabled[seat, LOOSE_VENTURE] > 0 else 1.0
        return SAVED * 1.5 * worth * doubled - 0.35 * (limit - worth)
    card = move - PLAY + 1
    if card == LICENSE:
        return 80_000.0
    if card == STOP:
        return rate_stop(state, seat)
    doubled = 2.0 if state.tabled[seat, LOOSE_VENTURE] > 0 else 1.0
    return float(VALUE[card]) * (0.9 + 0.6 * doubled) + 1_000.0


@kernel
def rate_stop(state: AnyRecord, seat: int) -> float:
    """Stop when it wins the game; else when the round's figure is well above the others'."""
    steps = np.zeros((SEATS, NUM_STEPS), np.int64)
    score_steps(state, steps)
    figures = np.zeros(SEATS, np.float64)
    best = -1e12
    for other in range(state.players):
        figures[other] = float(steps[other].sum())
        if other != seat:
            figures[other] += TABLED_ALREADY
            best = max(best, float(state.scores[other]) + figures[other])
    mine = float(state.scores[seat]) + figures[seat]
    if max(mine, best) >= float(state.target) or state.round_number == state.rounds:
        return 1e6 if mine > best else NEVER
    lead = figures[seat] - others_mean(state, seat, figures)
    waiting = 1.2 * float(cash_in_hand(state, seat)) if is_free(state, seat) else 0.0
    return lead - LEAST_LEAD - waiting


@kernel
def rate_probe(state: AnyRecord, seat: int, rival: int) -> float:
    """Investigate whoever has most to gain: the leader of the game, and rich firms."""
    threat = 0.12 * float(tabled_cash(state, rival))
    ahead = float(state.scores[rival]) - float(state.scores[seat])
    return 24_000.0 + threat + max(0.0, min(0.05 * ahead, 20_000.0))


@kernel
def doubled_bears(state: AnyRecord, seat: int) -> float:
    """What a venture in hand would make worse."""
    cost = 0.0
    for card in range(CRASH, BANKRUPTCY + 1):
        cost += 0.5 * cost_of_bear(state, card) * float(state.hands[seat, card])
    return cost


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
        return 65_000.0
    if card in (BROKER, BANKER) and is_free(state, seat):
        return rate_commission(state, seat, card)
    return -keeping(state, seat, card)


@kernel
def rate_collecting(state: AnyRecord, seat: int, card: int) -> float:
    """Everybody's lowest or highest cash and an extra turn, less what waiting might bring."""
    gain = TURN
    for rival in range(state.players):
        if rival != seat:
            place = lowest_cash(state, rival) if card == DIVIDEND else highest_cash(state, rival)
            if place < NUM_CASH:
                gain += float(VALUE[FIRST_CASH + place]) * (1.0 + 1.0 / (state.players - 1))
    if state.probes[seat] != NO_CARD:
        gain += 60_000.0
    return gain - (24_000.0 if card == DIVIDEND else 45_000.0)


@kernel
def rate_commission(state: AnyRecord, seat: int, card: int) -> float:
    """One card of each opponent, or their turns."""
    place = place_of(CASH_25 if card == BROKER else CASH_50)
    turns = 1.0 if card == BROKER else 2.0
    gain = 0.0
    for rival in range(state.players):
        if rival != seat:
            if state.tabled[rival, place] > 0:
                gain += float(VALUE[FIRST_CASH + place]) * (1.0 + 1.0 / (state.players - 1))
            else:
                gain += turns * TURN / (state.players - 1)
    return gain - 4_000.0


@kernel
def rate_bear(state: AnyRecord, seat: int, card: int) -> float:
    """The penalty it would cost in hand, less what it costs now."""
    spared = 0.85 * cost_of_bear(state, card)
    if card == BANKRUPTCY:
        loose = 0.0
        for place in range(NUM_CASH + 2):
            if state.tabled[seat, place] > 0:
                worth = on_the_table(state, seat, CARD_AT[place])
                loose += worth * float(state.tabled[seat, place])
        return spared - loose - 2.0 * TURN - 70_000.0 - PENDING * float(cash_in_hand(state, seat))
    place = lowest_cash(state, seat) if card == CRASH else highest_cash(state, seat)
    doubled = 2.0 if state.tabled[seat, LOOSE_VENTURE] > 0 else 1.0
    lost = float(VALUE[FIRST_CASH + place]) * doubled if place < NUM_CASH else 0.0
    return spared - lost - TURN + (4_000.0 if card == CRASH else 8_000.0)


CARD_AT = frozen([*range(FIRST_CASH, LAST_CASH + 1), VENTURE, TAXMAN])  # by place on a firm


# Trading


@kernel
def holds_perhaps(state: AnyRecord, seat: int, rival: int, card: int) -> float:
    """How likely a rival has a card, to a seat that has seen some of its cards and no others."""
    if state.known[seat, rival, card] > 0:
        return 1.0
    return min(0.8, float(state.hand_sizes[rival]) * COPIES[card] / LAST_COPIES)


@kernel
def best_offer(state: AnyRecord, seat: int, rival: int) -> tuple[float, int, int]:
    """The best trade of one hand card for another that helps both: its worth, what to give, what to want.

    A seat offers once a turn, never again what it was refused last, and asks only for cards it knows of, or
    needs badly.
    """
    best, give, want = NEVER, NO_CARD, NO_CARD
    if state.offers > (0 if state.phase == Phase.ACTION else 1):
        return best, give, want
    share = 1.0 / (state.players - 1)
    needy = not is_free(state, seat)
    for wanted in range(1, NUM_CARDS + 1):
        if state.known[seat, rival, wanted] == 0 and not (needy and is_needed(state, seat, wanted)):
            continue
        likely = holds_perhaps(state, seat, rival, wanted)
        mine, theirs = keeping(state, seat, wanted), keeping(state, rival, wanted)
        for given in range(1, NUM_CARDS + 1):
            if state.hands[seat, given] == 0 or given == wanted:
                continue
            gain = mine - keeping(state, seat, given)
            favour = keeping(state, rival, given) - theirs
            worth = likely * (gain - share * max(0.0, favour))
            good = favour >= LEAST_FAVOUR and worth >= LEAST_GAIN and worth > best
            if good and code_of(rival, given, wanted) != state.refused[seat]:
                best, give, want = worth, given, wanted
    return best, give, want


@kernel
def is_needed(state: AnyRecord, seat: int, card: int) -> bool:
    """A license for who has none; who is investigated needs the acquittal, if it isn't in the hand."""
    if state.licenses[seat] == 0:
        return card == LICENSE and state.hands[seat, LICENSE] == 0
    clear = FIRST_CLEAR + state.probes[seat] - FIRST_PROBE
    return card == clear and state.hands[seat, clear] == 0


@kernel
def code_of(rival: int, given: int, wanted: int) -> int:
    """What `offer_code` will say of such an offer."""
    base = wide(NUM_CARDS + 1)
    return ((rival * base + given) * base * base * base + wanted) * base * base + 1


@kernel
def rate_step(state: AnyRecord, seat: int, move: int) -> float:
    """Build the best offer as it was thought of; drop what can't become one."""
    if move == PROPOSE:
        return worth_of_own_offer(state, seat)
    if move == DROP:
        return 0.0
    worth, give, want = best_offer(state, seat, wide(state.offer_to))
    if give == NO_CARD:
        return NEVER
    if side(state, GIVE_LIST) == 0:
        return worth if move == GIVE + give - 1 else NEVER
    begun = state.offered[GIVE_LIST, 0] == give and state.offered_sizes[GIVE_LIST] == 1
    if begun and side(state, WANT_LIST) == 0 and move == WANT + want - 1:
        return worth
    return NEVER


@kernel
def worth_of_own_offer(state: AnyRecord, seat: int) -> float:
    """A finished offer is worth proposing if it is complete and wasn't refused last time."""
    complete = side(state, GIVE_LIST) > 0 and side(state, WANT_LIST) > 0
    if not complete or offer_code(state) == state.refused[seat]:
        return NEVER
    return balance(state, seat, GIVE_LIST, WANT_LIST)


@kernel
def balance(state: AnyRecord, seat: int, gives: int, wants: int) -> float:
    """What an offer brings a seat: what it gets less what it gives, by list, from hands and firms."""
    total = 0.0
    for place in range(state.offered_sizes[wants]):
        total += keeping(state, seat, wide(state.offered[wants, place]))
    for place in range(state.offered_sizes[gives]):
        total -= keeping(state, seat, wide(state.offered[gives, place]))
    for place in range(state.offered_sizes[wants + 1]):
        total += on_the_table(state, seat, wide(state.offered[wants + 1, place]))
    for place in range(state.offered_sizes[gives + 1]):
        total -= on_the_table(state, seat, wide(state.offered[gives + 1, place]))
    return total


@kernel
def worth_of_offer(state: AnyRecord) -> float:
    """Accept what helps more than it helps the other, shared among all rivals."""
    maker, seat = wide(state.offer_from), wide(state.offer_to)
    mine = balance(state, seat, WANT_LIST, GIVE_LIST)
    theirs = balance(state, maker, GIVE_LIST, WANT_LIST)
    return mine - max(0.0, theirs) / (state.players - 1) - 0.5 * LEAST_FAVOUR


# What the search needs


@kernel
def candidates(state: AnyRecord, moves: Moves) -> int:
    """The moves that a search looks into: not the offers and discards that are plainly bad."""
    count = rules.legal_moves(state, moves)
    if count <= 2:
        return count
    best = NEVER
    ratings = np.zeros(count, np.float64)
    for i in range(count):
        ratings[i] = rate(state, moves[i])
        best = max(best, ratings[i])
    kept = 0
    for i in range(count):
        if ratings[i] >= best - PROMISING:
            moves[kept] = moves[i]
            kept += 1
    return kept


PROMISING = 40_000.0  # dollars by which a move that is looked into may look worse than the best


@kernel
def appraise(view: AnyRecord, state: AnyRecord, seat: int) -> float:
    """What the round brings or promises a seat beyond the others, above all the best, from 0 to 1."""
    running = state.phase != Phase.OVER and state.round_number == view.round_number
    mine, best, others = 0.0, -1e12, 0.0
    gains = np.zeros(SEATS, np.float64)
    for other in range(state.players):
        gains[other] = float(state.scores[other]) - float(view.scores[other])
        if running:
            gains[other] += estimate(state, other)
        elif other != view.observer:
            gains[other] += TABLED_ALREADY
        total = float(view.scores[other]) + gains[other]
        if other == seat:
            mine = total
        elif total > best:
            best, others = total, gains[other]
    if state.phase == Phase.OVER:
        return 1.0 if mine > best else (0.5 if mine == best else 0.0)
    lead = gains[seat] - 0.5 * (others + others_mean(state, seat, gains))
    return 0.5 + 0.5 * math.tanh(lead / MARGIN)


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
        case ["accept" | "decline" as answer]:
            return f"remark.{answer}"
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
