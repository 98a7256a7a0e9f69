"""Cards on their way: into hands and out of them, from the deck, onto the discard pile.

Each way also keeps what the other seats surely know: a card that is seen to leave a hand is one known card
less, and one that leaves unseen could be any.
"""

from kibitz.core.cards import NO_CARD, draw_known, renew_deck
from kibitz.core.journal import Journal, Note, tell, tell_some
from kibitz.core.kernel import kernel, wide
from kibitz.core.layout import AnyRecord
from kibitz.games.cash import box, table

# Hands


@kernel
def put_into_hand(state: AnyRecord, seat: int, card: int) -> None:
    """A card goes into a hand."""
    state.hands[seat, card] += 1
    state.hand_sizes[seat] += 1


@kernel
def take_from_hand(state: AnyRecord, seat: int, card: int) -> None:
    """A card leaves a hand for all to see."""
    state.hands[seat, card] -= 1
    state.hand_sizes[seat] -= 1
    for observer in range(state.players):
        state.known[observer, seat, card] -= state.known[observer, seat, card] > 0


@kernel
def take_unseen(state: AnyRecord, seat: int, card: int, witness: int) -> None:
    """A card leaves a hand face down; only a witness, if there is one, sees which."""
    state.hands[seat, card] -= 1
    state.hand_sizes[seat] -= 1
    for observer in range(state.players):
        if observer == witness:
            state.known[observer, seat, card] -= state.known[observer, seat, card] > 0
        elif observer != seat:
            for other in range(1, box.NUM_CARDS + 1):
                state.known[observer, seat, other] -= state.known[observer, seat, other] > 0


@kernel
def hand_on(state: AnyRecord, giver: int, taker: int, card: int, journal: Journal) -> None:
    """A card that has left a hand goes into another; both sides know it, and the giver remembers."""
    put_into_hand(state, taker, card)
    state.known[giver, taker, card] += 1
    tell_some(journal, Note.PASS.value, giver, card, taker, (1 << giver) | (1 << taker))


# The deck and the discard pile


@kernel
def draw(state: AnyRecord, seat: int, journal: Journal) -> bool:
    """Draw a card; only when there is none, the discards are shuffled into a new deck first."""
    if state.deck_size == 0:
        reshuffle(state, journal)
    if state.deck_size == 0:
        return False
    state.deck_size -= 1
    card = wide(state.deck[state.deck_size])
    state.deck[state.deck_size] = NO_CARD
    put_into_hand(state, seat, card)
    draw_known(state, seat, card)
    tell_some(journal, Note.DRAW.value, seat, card, 0, 1 << seat)
    return True


@kernel
def fill_hand(state: AnyRecord, seat: int, journal: Journal) -> None:
    """Draw up to seven."""
    while state.hand_sizes[seat] < table.HAND_SIZE and draw(state, seat, journal):
        pass


@kernel
def reshuffle(state: AnyRecord, journal: Journal) -> None:
    """All discards become the deck; everybody has seen which cards they are."""
    renew_deck(state, wide(state.discard_size), box.COPIES, journal)


@kernel
def put_on_discard(state: AnyRecord, card: int) -> None:
    """A card goes on the discard pile."""
    state.discard[state.discard_size] = card
    state.discard_size += 1


@kernel
def lose(state: AnyRecord, seat: int, card: int, journal: Journal) -> None:
    """What a card costs or removes goes on the discard pile, too."""
    put_on_discard(state, card)
    tell(journal, Note.LOSE.value, seat, card, 0)


# Firms


@kernel
def lose_tabled(state: AnyRecord, seat: int, place: int, journal: Journal) -> None:
    """A loose card of a firm goes on the discard pile."""
    state.tabled[seat, place] -= 1
    lose(state, seat, wide(table.LOOSE_CARDS[place]), journal)


@kernel
def take_tabled(state: AnyRecord, seat: int, victim: int, place: int, journal: Journal) -> None:
    """A loose card of a firm goes onto another firm at once."""
    state.tabled[victim, place] -= 1
    state.tabled[seat, place] += 1
    tell(journal, Note.TAKE.value, seat, wide(table.LOOSE_CARDS[place]), victim)


@kernel
def lowest_cash(state: AnyRecord, seat: int) -> int:
    """The place of a seat's lowest uninsured cash; NUM_CASH if it has none. Equal ones are the same. [C11]"""
    place = 0
    while place < box.NUM_CASH and state.tabled[seat, place] == 0:
        place += 1
    return place


@kernel
def highest_cash(state: AnyRecord, seat: int) -> int:
    """The place of a seat's highest uninsured cash; NUM_CASH if it has none. [C11]"""
    place = box.NUM_CASH - 1
    while place >= 0 and state.tabled[seat, place] == 0:
        place -= 1
    return place if place >= 0 else box.NUM_CASH


@kernel
def place_of(cash: int) -> int:
    """Where a cash card lies on a firm."""
    return cash - box.FIRST_CASH


@kernel
def lift_probe(state: AnyRecord, seat: int, journal: Journal) -> None:
    """An investigation ends, if there is one."""
    if state.probes[seat] != NO_CARD:
        lose(state, seat, wide(state.probes[seat]), journal)
        state.probes[seat] = NO_CARD


@kernel
def clear_table(state: AnyRecord) -> None:
    """Everything is gathered: firms don't outlast a round, nor does what was known. [C1] [C34]"""
    state.acted = False
    state.offers = 0
    state.extra = False
    state.taking = NO_CARD
    state.spared[:] = 0
    state.discard_size = 0
    for place in range(box.DECK_SIZE):
        state.discard[place] = NO_CARD
        state.deck[place] = NO_CARD
    state.lost[:] = 0
    state.hand_sizes[:] = 0
    state.licenses[:] = 0
    state.probes[:] = NO_CARD
    state.tabled[:] = 0
    state.insured[:] = 0
    state.hands[:] = 0
    state.known[:] = 0
    state.outside[:] = 0
    state.asked[:] = 0
    state.favours[:] = 0
