"""What each player of CASH sees, and imagining what is hidden."""

import numpy as np

from kibitz.core.cards import NO_CARD, Counts, imagine_deck
from kibitz.core.chance import fresh_key, mix, pick
from kibitz.core.common import put_in_order, recall, see
from kibitz.core.kernel import kernel, wide
from kibitz.core.layout import AnyRecord, Cards, Rng
from kibitz.games.cash import box, table

# What each player sees


@kernel
def observe(state: AnyRecord, observer: int, view: AnyRecord) -> None:
    """Firms and the discard pile are open; hands, deck, chosen cards and offers are not, until the end."""
    see(state, observer, view, table.SEEN)
    show_offer(state, observer, view)


@kernel
def show_offer(state: AnyRecord, observer: int, view: AnyRecord) -> None:
    """Who builds an offer sees it; once proposed, so does the other, and the rest see its firm cards."""
    maker = observer == state.offer_from
    sides = maker or observer == state.offer_to
    for which in range(table.NUM_LISTS):
        if maker or state.phase == table.Phase.ANSWER:
            view.offered_sizes[which] = state.offered_sizes[which]
            if sides or (which != table.GIVE_LIST and which != table.WANT_LIST):
                view.offered[which] = state.offered[which]


# Imagining what is hidden


@kernel
def imagine(view: AnyRecord, rng: Rng, state: AnyRecord) -> None:
    """Known cards go to their hands, then those that can't be in the deck; the rest is dealt by chance."""
    recall(view, state, table.SEEN)
    fresh_key(state, rng)
    left = np.copy(box.COPIES)
    count_seen(view, left)
    deal_known(view, state, left)
    unseen = np.zeros(box.DECK_SIZE, np.int8)
    imagine_deck(view, left, box.COPIES, rng, unseen, state)
    taken = 0
    for seat in range(view.players):
        if seat != view.observer:
            taken = imagine_seat(view, state, seat, unseen, taken)
    imagine_offer(view, rng, state)


@kernel
def count_seen(view: AnyRecord, left: Counts) -> None:
    """Take the cards that the observer sees out of the box's counts."""
    for place in range(view.discard_size):
        left[view.discard[place]] -= 1
    for seat in range(view.players):
        left[box.LICENSE] -= view.licenses[seat]
        if view.probes[seat] != NO_CARD:
            left[view.probes[seat]] -= 1
        for place in range(table.NUM_LOOSE):
            left[table.LOOSE_CARDS[place]] -= view.tabled[seat, place]
        for place in range(box.ALL_COVERS):
            count_policy(wide(view.insured[seat, place]), left)
        for card in range(1, box.NUM_CARDS + 1):
            left[card] -= view.hands[seat, card]
        for place in range(2):
            if view.chosen[seat, place] != NO_CARD:
                left[view.chosen[seat, place]] -= 1


@kernel
def count_policy(policy: int, left: Counts) -> None:
    """Take a cover and the cash beneath it out of the counts."""
    if policy != 0:
        left[box.POLICY_COVER[policy]] -= 1
        for place in range(box.NUM_CASH):
            left[box.FIRST_CASH + place] -= box.POLICY_CASH[policy, place]


@kernel
def deal_known(view: AnyRecord, state: AnyRecord, left: Counts) -> None:
    """Cards that are surely in a hand go there."""
    for seat in range(view.players):
        if seat != view.observer:
            for card in range(1, box.NUM_CARDS + 1):
                state.hands[seat, card] += view.known[seat, card]
                left[card] -= view.known[seat, card]


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
    for which in range(table.NUM_LISTS):
        state.offered_sizes[which] = view.offered_sizes[which]
        for place in range(table.MAX_SIDE):
            state.offered[which, place] = view.offered[which, place]
    if (
        view.phase == table.Phase.ANSWER
        and view.observer != view.offer_from
        and view.observer != view.offer_to
    ):
        imagine_list(state, wide(view.offer_from), table.GIVE_LIST, rng)
        imagine_list(state, wide(view.offer_to), table.WANT_LIST, rng)


@kernel
def imagine_list(state: AnyRecord, seat: int, which: int, rng: Rng) -> None:
    """As many cards of a hand as the list has, and any cards if the hand has fewer, in card order."""
    hand = np.zeros(box.DECK_SIZE + table.MAX_SIDE, np.int8)
    held = 0
    for card in range(1, box.NUM_CARDS + 1):
        for _ in range(state.hands[seat, card]):
            hand[held] = card
            held += 1
    mix(rng, hand, held)
    size = wide(state.offered_sizes[which])
    for place in range(held, size):
        hand[place] = 1 + pick(rng, box.NUM_CARDS)
    put_in_order(hand, size)
    for place in range(size):
        state.offered[which, place] = hand[place]
