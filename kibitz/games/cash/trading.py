"""Trading in CASH: an offer is built card by card, proposed as one, and accepted, declined or countered."""

from kibitz.core.cards import NO_CARD
from kibitz.core.common import add_if
from kibitz.core.journal import Journal, Note, tell, tell_some
from kibitz.core.kernel import inlined, kernel, wide
from kibitz.core.layout import AnyRecord, Moves
from kibitz.games.cash import box, piles, table

# What may be offered


@inlined
def add_trades(state: AnyRecord, moves: Moves, count: int) -> int:
    """The player in turn may begin some offers, each to any one rival. [C23]"""
    if state.trading and state.offers < state.most_offers:
        for rival in range(wide(state.players)):
            count = add_if(rival != state.turn, moves, count, table.TRADE + rival)
    return count


@inlined
def add_steps(state: AnyRecord, moves: Moves) -> int:
    """Own cards first, then what is asked for, each in card order: an offer has one way to be built."""
    count = wide(0)
    most = most_on_a_side(state)
    if side(state, table.WANT_LIST) == 0 and side(state, table.GIVE_LIST) < most:
        if not on_list(state, table.GIVE_FIRM_LIST):
            count = add_gives(state, moves, count)
        count = add_firm_cards(
            state, wide(state.offer_from), table.GIVE_FIRM_LIST, table.GIVE_FIRM, moves, count
        )
    if side(state, table.WANT_LIST) < most:
        if not on_list(state, table.WANT_FIRM_LIST):
            count = add_wants(state, moves, count)
        count = add_firm_cards(
            state, wide(state.offer_to), table.WANT_FIRM_LIST, table.WANT_FIRM, moves, count
        )
    count = add_if(can_be_proposed(state), moves, count, table.PROPOSE)
    moves[count] = table.DROP
    return count + 1


@kernel
def most_on_a_side(state: AnyRecord) -> int:
    """A side of an offer has up to eight cards, or four where offers can't be countered."""
    return table.MAX_SIDE if state.counters else table.MAX_SIDE_UNCOUNTERED


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
    for place in range(table.MAX_SIDE):
        times += state.offered[which, place] == card
    return times


@inlined
def add_gives(state: AnyRecord, moves: Moves, count: int) -> int:
    """Any cards of the own hand can be offered."""
    maker, last = wide(state.offer_from), last_on(state, table.GIVE_LIST)
    if last != NO_CARD:
        more = state.hands[maker, last] > times_on(state, table.GIVE_LIST, last)
        count = add_if(more, moves, count, table.GIVE + last - 1)
    for card in range(last + 1, box.NUM_CARDS + 1):
        count = add_if(state.hands[maker, card] > 0, moves, count, table.GIVE + card - 1)
    return count


@inlined
def add_wants(state: AnyRecord, moves: Moves, count: int) -> int:
    """Any card can be asked for, whatever the other holds, but no more than the box has."""
    last = last_on(state, table.WANT_LIST)
    if last != NO_CARD:
        count = add_if(can_be_wanted(state, last), moves, count, table.WANT + last - 1)
    for card in range(last + 1, box.NUM_CARDS + 1):
        moves[count] = table.WANT + card - 1
        count += 1
    return count


@kernel
def can_be_wanted(state: AnyRecord, card: int) -> bool:
    """Whether the box has one more; where offers can't be countered, that isn't looked at."""
    return not state.counters or times_on(state, table.WANT_LIST, card) < box.COPIES[card]


@kernel
def firms_may_trade(state: AnyRecord, one: int, other: int) -> bool:
    """Loose cards move from firm to firm; by an option only between free firms with a license. [C24]"""
    return state.firm_trades == table.ANY_FIRMS or (table.is_free(state, one) and table.is_free(state, other))


@inlined
def add_firm_cards(state: AnyRecord, owner: int, which: int, first: int, moves: Moves, count: int) -> int:
    """What lies loose on a firm can be offered or asked for, if the two firms may trade."""
    if not firms_may_trade(state, wide(state.offer_from), wide(state.offer_to)):
        return count
    last, place = last_on(state, which), wide(0)
    if last != NO_CARD:
        place = wide(table.LOOSE_PLACE[last])
        count = add_if(state.tabled[owner, place] > times_on(state, which, last), moves, count, first + place)
        place += 1
    for other in range(place, table.NUM_LOOSE):
        count = add_if(state.tabled[owner, other] > 0, moves, count, first + other)
    return count


@kernel
def can_be_proposed(state: AnyRecord) -> bool:
    """An offer isn't empty, and leaves who isn't in turn with seven hand cards at most."""
    more = wide(state.offered_sizes[table.GIVE_LIST]) - wide(state.offered_sizes[table.WANT_LIST])
    if state.countered:
        fits = state.hand_sizes[state.offer_from] - more <= table.HAND_SIZE
    else:
        fits = state.hand_sizes[state.offer_to] + more <= table.HAND_SIZE
    return fits and side(state, table.GIVE_LIST) + side(state, table.WANT_LIST) > 0


@kernel
def add_answers(state: AnyRecord, moves: Moves) -> int:
    """Who lacks a card that is asked for can't accept; to everybody that looks like unwillingness."""
    count = add_if(can_be_accepted(state), moves, wide(0), table.ACCEPT)
    moves[count] = table.DECLINE
    return add_if(can_be_countered(state), moves, count + 1, table.COUNTER)


@kernel
def can_be_countered(state: AnyRecord) -> bool:
    """A counter-offer counts as one of the turn's offers."""
    return bool(state.counters and state.offers < state.most_offers)


@kernel
def can_be_accepted(state: AnyRecord) -> bool:
    """Whether the other side holds all that is asked for."""
    for place in range(state.offered_sizes[table.WANT_LIST]):
        card = state.offered[table.WANT_LIST, place]
        if state.hands[state.offer_to, card] < times_on(state, table.WANT_LIST, card):
            return False
    return True


# What happens then


@kernel
def begin_offer(state: AnyRecord, rival: int) -> None:
    """An offer is begun, and counts even if it is dropped."""
    state.offers += 1
    state.offer_from = state.turn
    state.offer_to = rival
    state.phase = table.Phase.OFFER.value


@inlined
def build_offer(state: AnyRecord, move: int, journal: Journal) -> None:
    """Put a card on one of the lists; propose or drop the offer."""
    if move < table.GIVE_FIRM:
        put_on_list(state, table.GIVE_LIST, move - table.GIVE + 1)
    elif move < table.WANT:
        put_on_list(state, table.GIVE_FIRM_LIST, wide(table.LOOSE_CARDS[move - table.GIVE_FIRM]))
    elif move < table.WANT_FIRM:
        put_on_list(state, table.WANT_LIST, move - table.WANT + 1)
    elif move < table.PROPOSE:
        put_on_list(state, table.WANT_FIRM_LIST, wide(table.LOOSE_CARDS[move - table.WANT_FIRM]))
    elif move == table.PROPOSE:
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
    for place in range(state.offered_sizes[table.GIVE_LIST]):
        card = wide(state.offered[table.GIVE_LIST, place])
        times = times_on(state, table.GIVE_LIST, card)
        state.known[other, maker, card] = max(wide(state.known[other, maker, card]), times)
    state.turn = other
    state.phase = table.Phase.ANSWER.value
    tell_list(state, table.GIVE_LIST, maker, other, Note.OFFER.value, journal)
    tell_list(state, table.GIVE_FIRM_LIST, maker, other, Note.OFFER_OPEN.value, journal)
    tell_list(state, table.WANT_LIST, other, maker, Note.OFFER.value, journal)
    tell_list(state, table.WANT_FIRM_LIST, other, maker, Note.OFFER_OPEN.value, journal)


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
    """An accepted trade happens at once and binds; then the player whose turn it is goes on."""
    if move == table.ACCEPT:
        trade(state, journal)
    else:
        remember_asked(state)
    if move == table.COUNTER:
        counter(state)
    else:
        end_offer(state)


@kernel
def counter(state: AnyRecord) -> None:
    """The offer lapses, and who was asked builds one the other way."""
    maker, other, countered = state.offer_from, state.offer_to, state.countered
    clear_offer(state)
    state.offers += 1
    state.offer_from = other
    state.offer_to = maker
    state.countered = not countered
    state.phase = table.Phase.OFFER.value


@kernel
def trade(state: AnyRecord, journal: Journal) -> None:
    """Hand cards go to the other hand, firm cards to the other firm."""
    maker, other = wide(state.offer_from), wide(state.offer_to)
    for place in range(state.offered_sizes[table.GIVE_LIST]):
        piles.take_unseen(state, maker, wide(state.offered[table.GIVE_LIST, place]), other)
    for place in range(state.offered_sizes[table.WANT_LIST]):
        piles.take_unseen(state, other, wide(state.offered[table.WANT_LIST, place]), maker)
    for place in range(state.offered_sizes[table.GIVE_LIST]):
        piles.hand_on(state, maker, other, wide(state.offered[table.GIVE_LIST, place]), journal)
    for place in range(state.offered_sizes[table.WANT_LIST]):
        piles.hand_on(state, other, maker, wide(state.offered[table.WANT_LIST, place]), journal)
    for place in range(state.offered_sizes[table.GIVE_FIRM_LIST]):
        loose = wide(table.LOOSE_PLACE[state.offered[table.GIVE_FIRM_LIST, place]])
        piles.take_tabled(state, other, maker, loose, journal)
    for place in range(state.offered_sizes[table.WANT_FIRM_LIST]):
        loose = wide(table.LOOSE_PLACE[state.offered[table.WANT_FIRM_LIST, place]])
        piles.take_tabled(state, maker, other, loose, journal)


@kernel
def end_offer(state: AnyRecord) -> None:
    """The offer is gone; the player whose turn it is goes on."""
    state.turn = state.offer_to if state.countered else state.offer_from
    state.phase = table.Phase.ACTION.value
    clear_offer(state)


@kernel
def clear_offer(state: AnyRecord) -> None:
    """No offer is on the table."""
    state.offer_from = 0
    state.offer_to = 0
    state.countered = False
    state.offered[:] = NO_CARD
    state.offered_sizes[:] = 0


@kernel
def remember_asked(state: AnyRecord) -> None:
    """Who made an offer in vain remembers for the round what it asked of whom."""
    asked = wide(state.asked[state.offer_from, state.offer_to])
    for place in range(state.offered_sizes[table.WANT_LIST]):
        asked |= bit_of_asked(wide(state.offered[table.WANT_LIST, place]), False)
    for place in range(state.offered_sizes[table.WANT_FIRM_LIST]):
        asked |= bit_of_asked(wide(state.offered[table.WANT_FIRM_LIST, place]), True)
    state.asked[state.offer_from, state.offer_to] = asked


@kernel
def bit_of_asked(card: int, firm: bool) -> int:
    """The bit for a hand card, or a firm's, among those that were asked for in vain."""
    return wide(1) << (box.NUM_CARDS + wide(table.LOOSE_PLACE[card]) if firm else card - 1)
