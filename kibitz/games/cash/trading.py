"""Trading in CASH: an offer is built card by card, proposed as one, and accepted or declined."""

from kibitz.core.journal import Journal, Note, tell, tell_some
from kibitz.core.kernel import inlined, kernel, wide
from kibitz.core.layout import AnyRecord, Moves
from kibitz.games.cash.cards import NO_CARD, NUM_CARDS
from kibitz.games.cash.moving import hand_on, take_tabled, take_unseen
from kibitz.games.cash.table import (
    ACCEPT,
    DECLINE,
    DROP,
    GIVE,
    GIVE_FIRM,
    GIVE_FIRM_LIST,
    GIVE_LIST,
    HAND_SIZE,
    LOOSE_CARDS,
    LOOSE_PLACE,
    MAX_OFFERS,
    MAX_SIDE,
    NUM_LISTS,
    NUM_LOOSE,
    PROPOSE,
    TRADE,
    WANT,
    WANT_FIRM,
    WANT_FIRM_LIST,
    WANT_LIST,
    Phase,
    add_if,
    is_free,
)

# What may be offered


@inlined
def add_trades(state: AnyRecord, moves: Moves, count: int) -> int:
    """The player in turn may begin five offers, each to any one rival. [C23]"""
    if state.trading and state.offers < MAX_OFFERS:
        for rival in range(wide(state.players)):
            count = add_if(rival != state.turn, moves, count, TRADE + rival)
    return count


@inlined
def add_steps(state: AnyRecord, moves: Moves) -> int:
    """Own cards first, then what is asked for, each in card order: an offer has one way to be built."""
    count = wide(0)
    if side(state, WANT_LIST) == 0 and side(state, GIVE_LIST) < MAX_SIDE:
        if not on_list(state, GIVE_FIRM_LIST):
            count = add_gives(state, moves, count)
        count = add_firm_cards(state, wide(state.offer_from), GIVE_FIRM_LIST, GIVE_FIRM, moves, count)
    if side(state, WANT_LIST) < MAX_SIDE:
        if not on_list(state, WANT_FIRM_LIST):
            for card in range(max(last_on(state, WANT_LIST), 1), NUM_CARDS + 1):
                moves[count] = WANT + card - 1
                count += 1
        count = add_firm_cards(state, wide(state.offer_to), WANT_FIRM_LIST, WANT_FIRM, moves, count)
    count = add_if(can_be_proposed(state), moves, count, PROPOSE)
    moves[count] = DROP
    return count + 1


@kernel
def on_list(state: AnyRecord, which: int) -> bool:
    """Whether a list of the offer has cards."""
    return bool(state.offered_sizes[which] > 0)


@kernel
def side(state: AnyRecord, first: int) -> int:
    """How many cards one side of the offer has, from hand and firm."""
    return wide(state.offered_sizes[first]) + wide(state.offered_sizes[first + 1])


@kernel
def last_on(state: AnyRecord, which: int) -> int:
    """The last card of a list of the offer, or NO_CARD."""
    size = wide(state.offered_sizes[which])
    return wide(state.offered[which, size - 1]) if size > 0 else NO_CARD


@kernel
def times_on(state: AnyRecord, which: int, card: int) -> int:
    """How often a card is on a list of the offer."""
    times = 0
    for place in range(MAX_SIDE):
        times += state.offered[which, place] == card
    return times


@inlined
def add_gives(state: AnyRecord, moves: Moves, count: int) -> int:
    """Any cards of the own hand can be offered."""
    last = last_on(state, GIVE_LIST)
    for card in range(max(last, 1), NUM_CARDS + 1):
        given = times_on(state, GIVE_LIST, card) if card == last else 0
        count = add_if(state.hands[state.offer_from, card] > given, moves, count, GIVE + card - 1)
    return count


@inlined
def add_firm_cards(state: AnyRecord, owner: int, which: int, first: int, moves: Moves, count: int) -> int:
    """Loose cards move from firm to firm, if both are licensed and not under investigation. [C24]"""
    if not (is_free(state, state.offer_from) and is_free(state, state.offer_to)):
        return count
    last = last_on(state, which)
    for place in range(LOOSE_PLACE[last] if last != NO_CARD else 0, NUM_LOOSE):
        card = LOOSE_CARDS[place]
        named = times_on(state, which, card) if card == last else 0
        count = add_if(state.tabled[owner, place] > named, moves, count, first + place)
    return count


@kernel
def can_be_proposed(state: AnyRecord) -> bool:
    """An offer isn't empty, and leaves the other side with seven hand cards at most."""
    left = wide(state.hand_sizes[state.offer_to]) - wide(state.offered_sizes[WANT_LIST])
    fits = left + wide(state.offered_sizes[GIVE_LIST]) <= HAND_SIZE
    return fits and side(state, GIVE_LIST) + side(state, WANT_LIST) > 0


@kernel
def add_answers(state: AnyRecord, moves: Moves) -> int:
    """Who lacks a card that is asked for can only decline, which looks the same to everybody."""
    count = add_if(can_be_accepted(state), moves, wide(0), ACCEPT)
    moves[count] = DECLINE
    return count + 1


@kernel
def can_be_accepted(state: AnyRecord) -> bool:
    """Whether the other side holds all that is asked for."""
    for place in range(state.offered_sizes[WANT_LIST]):
        card = state.offered[WANT_LIST, place]
        if state.hands[state.offer_to, card] < times_on(state, WANT_LIST, card):
            return False
    return True


# What happens then


@kernel
def begin_offer(state: AnyRecord, rival: int) -> None:
    """An offer is begun, and counts even if it is dropped."""
    state.offers += 1
    state.offer_from = state.turn
    state.offer_to = rival
    state.phase = Phase.OFFER.value


@inlined
def build_offer(state: AnyRecord, move: int, journal: Journal) -> None:
    """Put a card on one of the lists; propose or drop the offer."""
    if move < GIVE_FIRM:
        put_on_list(state, GIVE_LIST, move - GIVE + 1)
    elif move < WANT:
        put_on_list(state, GIVE_FIRM_LIST, wide(LOOSE_CARDS[move - GIVE_FIRM]))
    elif move < WANT_FIRM:
        put_on_list(state, WANT_LIST, move - WANT + 1)
    elif move < PROPOSE:
        put_on_list(state, WANT_FIRM_LIST, wide(LOOSE_CARDS[move - WANT_FIRM]))
    elif move == PROPOSE:
        propose(state, journal)
    else:
        end_offer(state)


@kernel
def put_on_list(state: AnyRecord, which: int, card: int) -> None:
    """A card is named; it stays where it is."""
    state.offered[which, state.offered_sizes[which]] = card
    state.offered_sizes[which] += 1


@kernel
def propose(state: AnyRecord, journal: Journal) -> None:
    """The other side sees the offer, and so learns of cards truly there; the rest see its firm cards."""
    maker, other = wide(state.offer_from), wide(state.offer_to)
    for place in range(state.offered_sizes[GIVE_LIST]):
        card = wide(state.offered[GIVE_LIST, place])
        times = times_on(state, GIVE_LIST, card)
        state.known[other, maker, card] = max(wide(state.known[other, maker, card]), times)
    state.turn = other
    state.phase = Phase.ANSWER.value
    tell_list(state, GIVE_LIST, maker, other, Note.OFFER.value, journal)
    tell_list(state, GIVE_FIRM_LIST, maker, other, Note.OFFER_OPEN.value, journal)
    tell_list(state, WANT_LIST, other, maker, Note.OFFER.value, journal)
    tell_list(state, WANT_FIRM_LIST, other, maker, Note.OFFER_OPEN.value, journal)


@kernel
def tell_list(state: AnyRecord, which: int, seat: int, to: int, kind: int, journal: Journal) -> None:
    """Hand cards are told to both sides, firm cards to everybody."""
    for place in range(state.offered_sizes[which]):
        card = wide(state.offered[which, place])
        if kind == Note.OFFER:
            tell_some(journal, kind, seat, card, to, (1 << seat) | (1 << to))
        else:
            tell(journal, kind, seat, card, to)


@kernel
def answer(state: AnyRecord, move: int, journal: Journal) -> None:
    """An accepted trade happens at once and binds; after the answer the player in turn goes on."""
    if move == ACCEPT:
        trade(state, journal)
    else:
        state.refused[state.offer_from] = offer_code(state)
    end_offer(state)


@kernel
def trade(state: AnyRecord, journal: Journal) -> None:
    """Hand cards go to the other hand, firm cards to the other firm."""
    maker, other = wide(state.offer_from), wide(state.offer_to)
    for place in range(state.offered_sizes[GIVE_LIST]):
        take_unseen(state, maker, wide(state.offered[GIVE_LIST, place]), other)
    for place in range(state.offered_sizes[WANT_LIST]):
        take_unseen(state, other, wide(state.offered[WANT_LIST, place]), maker)
    for place in range(state.offered_sizes[GIVE_LIST]):
        hand_on(state, maker, other, wide(state.offered[GIVE_LIST, place]), journal)
    for place in range(state.offered_sizes[WANT_LIST]):
        hand_on(state, other, maker, wide(state.offered[WANT_LIST, place]), journal)
    for place in range(state.offered_sizes[GIVE_FIRM_LIST]):
        loose = wide(LOOSE_PLACE[state.offered[GIVE_FIRM_LIST, place]])
        take_tabled(state, other, maker, loose, journal)
    for place in range(state.offered_sizes[WANT_FIRM_LIST]):
        loose = wide(LOOSE_PLACE[state.offered[WANT_FIRM_LIST, place]])
        take_tabled(state, maker, other, loose, journal)


@kernel
def end_offer(state: AnyRecord) -> None:
    """The offer is gone; who made it goes on."""
    state.turn = state.offer_from
    state.phase = Phase.ACTION.value
    clear_offer(state)


@kernel
def clear_offer(state: AnyRecord) -> None:
    """No offer is on the table."""
    state.offer_from = 0
    state.offer_to = 0
    state.offered[:] = NO_CARD
    state.offered_sizes[:] = 0


@kernel
def offer_code(state: AnyRecord) -> int:
    """An offer as a number: to whom, and each list's cards with a gap behind it."""
    code = wide(state.offer_to)
    for which in range(NUM_LISTS):
        for place in range(state.offered_sizes[which]):
            code = code * (NUM_CARDS + 1) + wide(state.offered[which, place])
        code = code * (NUM_CARDS + 1)
    return code + 1
