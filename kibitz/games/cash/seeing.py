"""What each player of CASH sees, and imagining what is hidden."""

import numpy as np
import numpy.typing as npt

from kibitz.core.chance import fresh_key, mix, pick
from kibitz.core.common import copy_public
from kibitz.core.kernel import kernel, wide
from kibitz.core.layout import NOBODY, AnyRecord, Cards, Rng
from kibitz.games.cash.cards import (
    ALL_COVERS,
    COPIES,
    DECK_SIZE,
    FIRST_CASH,
    LICENSE,
    NO_CARD,
    NUM_CARDS,
    NUM_CASH,
    POLICY_CASH,
    POLICY_COVER,
)
from kibitz.games.cash.table import (
    GIVE_LIST,
    LOOSE_CARDS,
    MAX_SIDE,
    NUM_LISTS,
    NUM_LOOSE,
    WANT_LIST,
    Phase,
)

Counts = npt.NDArray[np.int64]


# What each player sees


@kernel
def observe(state: AnyRecord, observer: int, view: AnyRecord) -> None:
    """Firms and the discard pile are open; hands, deck, chosen cards and offers are not, until the end."""
    copy_open(state, view)
    view.observer = observer
    for seat in range(state.players):
        if seat == observer or state.phase == Phase.OVER:
            view.hands[seat] = state.hands[seat]
            view.chosen[seat] = state.chosen[seat]
    if state.phase == Phase.OVER:
        view.deck[:] = state.deck
    show_offer(state, observer, view)
    if observer != NOBODY:
        view.known[:] = state.known[observer]
        view.outside[:] = state.outside[observer]
        view.refused = state.refused[observer]


@kernel
def show_offer(state: AnyRecord, observer: int, view: AnyRecord) -> None:
    """Who builds an offer sees it; once proposed, so does the other, and the rest see its firm cards."""
    maker = observer == state.offer_from
    sides = maker or observer == state.offer_to
    for which in range(NUM_LISTS):
        if maker or state.phase == Phase.ANSWER:
            view.offered_sizes[which] = state.offered_sizes[which]
            if sides or (which != GIVE_LIST and which != WANT_LIST):
                view.offered[which] = state.offered[which]


@kernel
def copy_open(source: AnyRecord, target: AnyRecord) -> None:
    """Copy what lies open on the table."""
    copy_public(source, target)
    target.target = source.target
    target.advanced = source.advanced
    target.recession = source.recession
    target.tax = source.tax
    target.trading = source.trading
    target.rounds = source.rounds
    target.starter_option = source.starter_option
    target.starter = source.starter
    target.acted = source.acted
    target.offers = source.offers
    target.extra = source.extra
    target.lost[:] = source.lost
    target.hand_sizes[:] = source.hand_sizes
    target.licenses[:] = source.licenses
    target.probes[:] = source.probes
    target.tabled[:] = source.tabled
    target.insured[:] = source.insured
    target.discard[:] = source.discard
    target.discard_size = source.discard_size
    target.deck_size = source.deck_size
    target.offer_from = source.offer_from
    target.offer_to = source.offer_to
    target.pass_count = source.pass_count
    target.pass_from = source.pass_from
    target.pass_trim = source.pass_trim
    target.chosen_sizes[:] = source.chosen_sizes


# Imagining what is hidden


@kernel
def imagine(view: AnyRecord, rng: Rng, state: AnyRecord) -> None:
    """Known cards go to their hands, then those that can't be in the deck; the rest is dealt by chance."""
    copy_open(view, state)
    fresh_key(state, rng)
    state.hands[:] = view.hands
    state.chosen[:] = view.chosen
    remember(view, state)
    left = COPIES.copy()
    count_seen(view, left)
    deal_known(view, state, left)
    unseen = np.zeros(DECK_SIZE, np.int8)
    count = gather(view, left, rng, unseen)
    held = count - wide(view.deck_size)
    mix(rng, unseen, held)
    taken = 0
    for seat in range(view.players):
        if seat != view.observer:
            taken = imagine_seat(view, state, seat, unseen, taken)
    for place in range(DECK_SIZE):
        state.deck[place] = unseen[held + place] if place < view.deck_size else NO_CARD
    imagine_offer(view, rng, state)


@kernel
def remember(view: AnyRecord, state: AnyRecord) -> None:
    """The observer knows what it knows; what the others know, nobody imagines."""
    state.known[:] = 0
    state.outside[:] = 0
    state.refused[:] = 0
    if view.observer != NOBODY:
        state.known[view.observer] = view.known
        state.outside[view.observer] = view.outside
        state.refused[view.observer] = view.refused


@kernel
def count_seen(view: AnyRecord, left: Counts) -> None:
    """Take the cards that the observer sees out of the box's counts."""
    for place in range(view.discard_size):
        left[view.discard[place]] -= 1
    for seat in range(view.players):
        left[LICENSE] -= view.licenses[seat]
        if view.probes[seat] != NO_CARD:
            left[view.probes[seat]] -= 1
        for place in range(NUM_LOOSE):
            left[LOOSE_CARDS[place]] -= view.tabled[seat, place]
        for place in range(ALL_COVERS):
            count_policy(wide(view.insured[seat, place]), left)
        for card in range(1, NUM_CARDS + 1):
            left[card] -= view.hands[seat, card]
        for place in range(2):
            if view.chosen[seat, place] != NO_CARD:
                left[view.chosen[seat, place]] -= 1


@kernel
def count_policy(policy: int, left: Counts) -> None:
    """Take a cover and the cash beneath it out of the counts."""
    if policy != 0:
        left[POLICY_COVER[policy]] -= 1
        for place in range(NUM_CASH):
            left[FIRST_CASH + place] -= POLICY_CASH[policy, place]


@kernel
def deal_known(view: AnyRecord, state: AnyRecord, left: Counts) -> None:
    """Cards that are surely in a hand go there."""
    for seat in range(view.players):
        if seat != view.observer:
            for card in range(1, NUM_CARDS + 1):
                state.hands[seat, card] += view.known[seat, card]
                left[card] -= view.known[seat, card]


@kernel
def gather(view: AnyRecord, left: Counts, rng: Rng, unseen: Cards) -> int:
    """The other unseen cards: first those that can't be in the deck, then the rest, mixed; how many."""
    sure = 0
    if view.outside[NO_CARD]:
        for card in range(1, NUM_CARDS + 1):
            for _ in range(left[card] - (COPIES[card] - view.outside[card])):
                unseen[sure] = card
                sure += 1
                left[card] -= 1
    count = sure
    for card in range(1, NUM_CARDS + 1):
        for _ in range(left[card]):
            unseen[count] = card
            count += 1
    mix(rng, unseen[sure:], count - sure)
    return count


@kernel
def imagine_seat(view: AnyRecord, state: AnyRecord, seat: int, unseen: Cards, taken: int) -> int:
    """A hand and the cards chosen for passing get the next unseen cards; returns how many are used."""
    missing = wide(view.hand_sizes[seat]) - wide(state.hands[seat].sum())
    for _ in range(missing):
        state.hands[seat, unseen[taken]] += 1
        taken += 1
    size = wide(view.chosen_sizes[seat])
    for place in range(size):
        state.chosen[seat, place] = unseen[taken]
        taken += 1
    if size == 2 and state.chosen[seat, 0] > state.chosen[seat, 1]:
        state.chosen[seat, 0] = unseen[taken - 1]
        state.chosen[seat, 1] = unseen[taken - 2]
    return taken


@kernel
def imagine_offer(view: AnyRecord, rng: Rng, state: AnyRecord) -> None:
    """Of an offer between others, hand cards are imagined that both sides would have."""
    state.offered[:] = view.offered
    state.offered_sizes[:] = view.offered_sizes
    if view.phase == Phase.ANSWER and view.observer != view.offer_from and view.observer != view.offer_to:
        imagine_list(state, wide(view.offer_from), GIVE_LIST, rng)
        imagine_list(state, wide(view.offer_to), WANT_LIST, rng)


@kernel
def imagine_list(state: AnyRecord, seat: int, which: int, rng: Rng) -> None:
    """As many cards of a hand as the list has, and any cards if the hand has fewer, in card order."""
    hand = np.zeros(DECK_SIZE + MAX_SIDE, np.int8)
    held = 0
    for card in range(1, NUM_CARDS + 1):
        for _ in range(state.hands[seat, card]):
            hand[held] = card
            held += 1
    mix(rng, hand, held)
    size = wide(state.offered_sizes[which])
    for place in range(held, size):
        hand[place] = 1 + pick(rng, NUM_CARDS)
    named = np.sort(hand[:size])
    for place in range(size):
        state.offered[which, place] = named[place]
