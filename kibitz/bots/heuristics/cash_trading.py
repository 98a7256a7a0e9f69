"""Trading in CASH: which offers bots make, and which they accept."""

import numpy as np
import numpy.typing as npt

from kibitz.bots.heuristics import cash_worths as worths
from kibitz.core.cards import NO_CARD
from kibitz.core.common import put_in_order
from kibitz.core.kernel import kernel, wide
from kibitz.core.layout import AnyRecord
from kibitz.games.cash import box, table
from kibitz.games.cash.piles import place_of
from kibitz.games.cash.scoring import insured_cash
from kibitz.games.cash.trading import bit_of_asked, firms_may_trade

Counts = npt.NDArray[np.int8]  # of cards, by number or place

# Dollars, found by having bots play each other: how much both sides must gain.
LEAST_GAIN = 6_000.0  # for an offer to be worth making
LEAST_FAVOUR = 4_000.0  # for the other side to be worth accepting
EVEN_CHANCE = 10_000.0  # of favour, at which an offer is as likely taken as not
LIKELY_ENOUGH = 0.2  # that a rival has a card, to ask for it
OFFERS_A_TURN = 3
AGAIN_HALF = 0.5  # of its worth: a second copy of a card
MOST_HELD = 40  # cards in a hand, however a trade goes
COUNTER_TAKEN = 0.5  # of what a counter-offer would bring: it may be declined
LAST_COPIES = 250.0  # a hand card is a certain kind with about its copies in so many


@kernel
def best_offer(state: AnyRecord, seat: int, rival: int) -> tuple[float, int, int, int, int]:
    """The best trade that helps both: its worth, and a card of each list of an offer, or NO_CARD.

    A seat makes a few offers a turn, and asks a rival once a round for the same. It gives a hand card, a firm
    card or one of each, and asks for one card: a hand card that it knows of or needs badly, or a firm card.
    """
    best = (worths.NEVER, NO_CARD, NO_CARD, NO_CARD, NO_CARD)
    if not is_countering(state) and state.offers >= OFFERS_A_TURN + (state.phase != table.Phase.ACTION):
        return best
    for wanted in range(1, box.NUM_CARDS + 1):
        if is_wanted(state, seat, rival, wanted):
            likely = holds_perhaps(state, seat, rival, wanted)
            mine, theirs = worths.keeping(state, seat, wanted), worths.keeping(state, rival, wanted)
            best = best_price(state, seat, rival, wanted, NO_CARD, mine, theirs, likely, best)
    if firms_may_trade(state, seat, rival):
        for place in range(first_wanted(state, rival), table.NUM_LOOSE):
            card = wide(table.LOOSE_CARDS[place])
            if state.tabled[rival, place] > 0 and not was_asked(state, seat, rival, card, True):
                mine = worths.on_the_table(state, seat, card, True)
                theirs = worths.on_the_table(state, rival, card, False)
                best = best_price(state, seat, rival, NO_CARD, card, mine, theirs, 1.0, best)
    return best


@kernel
def is_countering(state: AnyRecord) -> bool:
    """Whether an offer would be an answer to another one."""
    return bool(state.phase == table.Phase.ANSWER or state.countered)


@kernel
def first_wanted(state: AnyRecord, rival: int) -> int:
    """Cash of a firm is asked for only of who needs something badly, ventures and taxmen of anybody."""
    return table.LOOSE_VENTURE if table.is_free(state, rival) else 0


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
    for given in range(box.NUM_CARDS + 1):
        if given != NO_CARD and (state.hands[seat, given] == 0 or given == wanted):
            continue
        if not fits(state, seat, rival, given, wanted):
            continue
        cost, favour = 0.0, -theirs
        if given != NO_CARD:
            cost = worths.keeping(state, seat, given)
            favour += worths.keeping(state, rival, given)
        for place in range(-1, box.NUM_CASH if firms else 0):
            if (place < 0 and given == NO_CARD) or (place >= 0 and state.tabled[seat, place] == 0):
                continue
            gain, grace, firm_given = mine - cost, favour, NO_CARD
            if place >= 0:
                firm_given = wide(table.LOOSE_CARDS[place])
                gain -= worths.on_the_table(state, seat, firm_given, False)
                grace += worths.on_the_table(state, rival, firm_given, True)
            worth = gain - share * max(0.0, grace)
            favour_left = grace - share * max(0.0, gain)
            if worth < LEAST_GAIN or favour_left < LEAST_FAVOUR:
                continue
            worth *= likely * favour_left / (favour_left + EVEN_CHANCE)
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
        return bool(state.hand_sizes[seat] - more <= table.HAND_SIZE)
    return bool(state.hand_sizes[rival] + more <= table.HAND_SIZE)


@kernel
def is_wanted(state: AnyRecord, seat: int, rival: int, card: int) -> bool:
    """Whether a hand card is worth asking for: it is surely there, or may be there and is worth a try.

    That is what the seat needs; and cash that a rival can't table, for the card that lets it.
    """
    if was_asked(state, seat, rival, card, False):
        return False
    if state.known[seat, rival, card] > 0:
        return True
    if box.FIRST_CASH <= card <= box.LAST_CASH:
        worth_a_try = can_free(state, seat, rival)
    else:
        worth_a_try = is_needed(state, seat, card) and not is_needed(state, rival, card)
    return bool(worth_a_try and holds_perhaps(state, seat, rival, card) >= LIKELY_ENOUGH)


@kernel
def can_free(state: AnyRecord, seat: int, rival: int) -> bool:
    """Whether a seat that may table cash holds the card for which a rival may not."""
    if table.is_free(state, rival) or not table.is_free(state, seat):
        return False
    card = box.LICENSE
    if state.licenses[rival] == 1:
        card = box.FIRST_CLEAR + wide(state.probes[rival]) - box.FIRST_PROBE
    return bool(state.hands[seat, card] > 0)


@kernel
def is_needed(state: AnyRecord, seat: int, card: int) -> bool:
    """A license for who has none; who is investigated needs the acquittal, if it isn't in the own hand."""
    if state.licenses[seat] == 0:
        return card == box.LICENSE and worths.copies(state, seat, box.LICENSE) == 0
    clear = box.FIRST_CLEAR + state.probes[seat] - box.FIRST_PROBE
    return state.probes[seat] != NO_CARD and card == clear and worths.copies(state, seat, clear) == 0


@kernel
def holds_perhaps(state: AnyRecord, seat: int, rival: int, card: int) -> float:
    """How likely a rival has a card, to a seat that has seen some of its cards and no others."""
    if state.known[seat, rival, card] > 0:
        return 1.0
    return min(0.8, float(state.hand_sizes[rival]) * unseen(state, seat, card) / LAST_COPIES)


@kernel
def unseen(state: AnyRecord, seat: int, card: int) -> float:
    """How many copies of a card a seat can't see, but for insured cash."""
    seen = wide(state.hands[seat, card])
    for place in range(wide(state.discard_size)):
        seen += state.discard[place] == card
    for other in range(wide(state.players)):
        seen += wide(state.known[seat, other, card])
        seen += wide(state.licenses[other]) if card == box.LICENSE else 0
        if box.FIRST_CASH <= card <= box.LAST_CASH:
            seen += wide(state.tabled[other, place_of(card)])
    return float(box.COPIES[card] - seen)


@kernel
def rate_step(state: AnyRecord, seat: int, move: int) -> float:
    """Build the best offer as it was thought of; drop only what can't become one."""
    asks = table.WANT <= move < table.WANT_FIRM
    if asks and not is_wanted(state, seat, wide(state.offer_to), move - table.WANT + 1):
        return worths.NEVER
    offer = best_offer(state, seat, wide(state.offer_to))
    step = next_step(state, offer)
    if move == table.DROP:
        return 0.0 if step == table.DROP else worths.NEVER
    return offer[0] if move == step else worths.NEVER


@kernel
def next_step(state: AnyRecord, offer: tuple[float, int, int, int, int]) -> int:
    """The move that builds an offer further: the first of its cards that isn't named yet."""
    _, given, firm_given, wanted, firm_wanted = offer
    if given + firm_given + wanted + firm_wanted == NO_CARD:
        return table.DROP
    if given != NO_CARD and state.offered_sizes[table.GIVE_LIST] == 0:
        return table.GIVE + given - 1
    if firm_given != NO_CARD and state.offered_sizes[table.GIVE_FIRM_LIST] == 0:
        return table.GIVE_FIRM + wide(table.LOOSE_PLACE[firm_given])
    if wanted != NO_CARD and state.offered_sizes[table.WANT_LIST] == 0:
        return table.WANT + wanted - 1
    if firm_wanted != NO_CARD and state.offered_sizes[table.WANT_FIRM_LIST] == 0:
        return table.WANT_FIRM + wide(table.LOOSE_PLACE[firm_wanted])
    return table.PROPOSE if is_built(state, offer) else table.DROP


@kernel
def is_built(state: AnyRecord, offer: tuple[float, int, int, int, int]) -> bool:
    """Whether the offer on the table is the one thought of, and no other."""
    _, given, firm_given, wanted, firm_wanted = offer
    return (
        is_all(state, table.GIVE_LIST, given)
        and is_all(state, table.GIVE_FIRM_LIST, firm_given)
        and is_all(state, table.WANT_LIST, wanted)
        and is_all(state, table.WANT_FIRM_LIST, firm_wanted)
    )


@kernel
def is_all(state: AnyRecord, which: int, card: int) -> bool:
    """Whether a list of the offer has a card and no other, or for NO_CARD none."""
    return bool(state.offered_sizes[which] == (card != NO_CARD) and state.offered[which, 0] == card)


@kernel
def rate_answer(state: AnyRecord, seat: int, move: int) -> float:
    """Accept what helps, or counter with what may help more; a counter-offer isn't countered again."""
    if move == table.ACCEPT:
        worth = worth_of_offer(state)
        return worth if worth > 0.0 else worths.NEVER
    if move == table.DECLINE:
        return 0.0
    better = worths.NEVER if state.countered else best_offer(state, seat, wide(state.offer_from))[0]
    return COUNTER_TAKEN * better if better > worths.NEVER else worths.NEVER


@kernel
def balance(state: AnyRecord, seat: int, gives: int, wants: int) -> float:
    """What an offer brings a seat: what it gets less what it gives, by list, from hands and firms."""
    total = 0.0
    for place in range(state.offered_sizes[wants]):
        total += worths.keeping(state, seat, wide(state.offered[wants, place]))
    for place in range(state.offered_sizes[gives]):
        total -= worths.keeping(state, seat, wide(state.offered[gives, place]))
    for place in range(state.offered_sizes[wants + 1]):
        total += worths.on_the_table(state, seat, wide(state.offered[wants + 1, place]), True)
    for place in range(state.offered_sizes[gives + 1]):
        total -= worths.on_the_table(state, seat, wide(state.offered[gives + 1, place]), False)
    return total


@kernel
def worth_of_offer(state: AnyRecord) -> float:
    """Accept what helps more than it helps the other, shared among all rivals."""
    maker, seat = wide(state.offer_from), wide(state.offer_to)
    theirs = balance(state, maker, table.GIVE_LIST, table.WANT_LIST)
    return gain_of_offer(state, seat) - max(0.0, theirs) / (state.players - 1) - 0.5 * LEAST_FAVOUR


@kernel
def gain_of_offer(state: AnyRecord, seat: int) -> float:
    """What all that the asked seat has is worth after the trade, less what it is worth now."""
    hand, loose = state.hands[seat].copy(), state.tabled[seat].copy()
    now = holdings(state, seat, hand, loose)
    for place in range(state.offered_sizes[table.GIVE_LIST]):
        hand[state.offered[table.GIVE_LIST, place]] += 1
    for place in range(state.offered_sizes[table.WANT_LIST]):
        hand[state.offered[table.WANT_LIST, place]] -= 1
    for place in range(state.offered_sizes[table.GIVE_FIRM_LIST]):
        loose[table.LOOSE_PLACE[state.offered[table.GIVE_FIRM_LIST, place]]] += 1
    for place in range(state.offered_sizes[table.WANT_FIRM_LIST]):
        loose[table.LOOSE_PLACE[state.offered[table.WANT_FIRM_LIST, place]]] -= 1
    return holdings(state, seat, hand, loose) - now


@kernel
def holdings(state: AnyRecord, seat: int, hand: Counts, loose: Counts) -> float:
    """What a hand and the loose cards of a firm are worth together.

    It hangs on what is there alone, so that no way round of trades leaves a seat with less. Of a hand seven
    cards count, and all that do harm.
    """
    doubles = 2.0 if loose[table.LOOSE_VENTURE] > 0 else 1.0
    worth = worths.EXPOSED * (
        cash_among(loose) * doubles + float(insured_cash(state, seat)) * (doubles - 1.0)
    )
    worth += worths.TAXMAN_TABLED if loose[table.LOOSE_TAXMAN] > 0 else 0.0
    each = np.zeros(MOST_HELD, np.float64)
    count = 0
    for card in range(1, box.NUM_CARDS + 1):
        for copy in range(wide(hand[card])):
            each[count] = worth_of_copy(state, seat, card, copy, hand, loose)
            count += 1
    put_in_order(each, count)
    for place in range(count):
        if place >= count - table.HAND_SIZE or each[place] < 0.0:
            worth += each[place]
    return worth


@kernel
def worth_of_copy(state: AnyRecord, seat: int, card: int, copy: int, hand: Counts, loose: Counts) -> float:
    """What a card in hand adds to those of its kind: the first copy counts most, of cash and bears each."""
    if box.FIRST_CASH <= card <= box.LAST_CASH or box.CRASH <= card <= box.BANKRUPTCY:
        return worths.keeping(state, seat, card)
    if card == box.LICENSE:
        return worths.LICENSE_NEEDED if copy == 0 and state.licenses[seat] == 0 else worths.SPARE_LICENSE
    if box.FIRST_COVER <= card <= box.LAST_COVER:
        return worths.COVER_KEPT + worths.COVER_USED * min(worths.limit_of(card), cash_among(loose))
    worth = first_copy(state, seat, card, hand, loose)
    return worth if copy == 0 else AGAIN_HALF * max(0.0, worth) if copy == 1 else 0.0


@kernel
def first_copy(state: AnyRecord, seat: int, card: int, hand: Counts, loose: Counts) -> float:
    """What the first of a kind is worth that isn't needed twice."""
    if card == box.STOP:
        return worths.STOP_KEPT
    if box.FIRST_CLEAR <= card <= box.LAST_CLEAR:
        return (
            worths.CLEAR_NEEDED
            if state.probes[seat] == box.FIRST_PROBE + card - box.FIRST_CLEAR
            else worths.CLEAR_KEPT
        )
    if card == box.SETTLEMENT:
        place = 0
        while place < box.NUM_CASH and loose[place] == 0:
            place += 1
        if state.probes[seat] == NO_CARD or place == box.NUM_CASH:
            return worths.SETTLEMENT_KEPT
        return worths.SETTLEMENT_NEEDED - box.VALUE[box.FIRST_CASH + place]
    if card == box.VENTURE:
        bears = 0.0
        for bear in range(box.CRASH, box.BANKRUPTCY + 1):
            bears += worths.cost_of_bear(state, bear) * float(hand[bear])
        ready = loose[place_of(box.CASH_25)] > 0 and loose[table.LOOSE_VENTURE] == 0
        doubled_cash = cash_among(loose) + float(insured_cash(state, seat)) if ready else 0.0
        return worths.VENTURE_KEPT - worths.VENTURE_BEARS * bears + worths.VENTURE_READY * doubled_cash
    return worths.keeping(state, seat, card)


@kernel
def cash_among(loose: Counts) -> float:
    """The cash among loose cards."""
    total = 0.0
    for place in range(box.NUM_CASH):
        total += float(loose[place]) * float(box.VALUE[box.FIRST_CASH + place])
    return total
