"""What card games share: the cards' codes, counting them against the box, and a deck that is renewed."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.core.chance import Block, fresh_block, mix, shuffle
from kibitz.core.errors import BadPosition
from kibitz.core.journal import Journal, Note, tell
from kibitz.core.kernel import kernel, wide
from kibitz.core.layout import HIDDEN, NOBODY, AnyRecord, Cards, Rng
from kibitz.core.reader import as_list

Counts = npt.NDArray[np.int64]  # how many, by card

NO_CARD = 0  # in every game; in a view, a card that isn't seen


class CardCodes:
    """The cards of a game as text: a code for each number from 1, and `?` for one that isn't seen."""

    def __init__(self, codes: Sequence[str], expected: str) -> None:
        self.names = (HIDDEN, *codes)
        self.numbers = {code: number for number, code in enumerate(codes, start=1)}
        self.expected = expected  # what a refusal asks for: "a card such as 'R4'"

    def __getitem__(self, card: int) -> str:
        return self.names[card]

    def read(self, value: Any, path: str) -> int:
        """The number of a card."""
        if not isinstance(value, str) or value not in self.numbers:
            raise BadPosition(path, self.expected, value)
        return self.numbers[value]

    def read_shown(self, value: Any, path: str) -> int:
        """The number of a card, or NO_CARD for one that isn't seen."""
        return NO_CARD if value == HIDDEN else self.read(value, path)

    def read_list(self, value: Any, path: str, hidden: bool = False) -> list[int]:
        """The numbers of some cards, of which some may be hidden."""
        return as_list(value, path, self.read_shown if hidden else self.read)


def check_copies(codes: CardCodes, copies: Counts, found: Mapping[str, Sequence[int]]) -> Counter[int]:
    """No card is there more often than it is in the box; returns how often each is there.

    `copies`: how many there are of each card; `found`: the cards of a position by the paths of their keys.
    The deck, from which all come, is counted last.
    """
    counts: Counter[int] = Counter()
    for path, cards in sorted(found.items(), key=lambda pile: pile[0] == "deck"):
        counts.update(cards)
        for card in sorted(set(cards) - {NO_CARD}):
            if counts[card] > copies[card]:
                raise BadPosition(path, f"at most {copies[card]} of {codes[card]} in all", codes[card])
    return counts


def check_box(codes: CardCodes, copies: Counts, found: Mapping[str, Sequence[int]]) -> None:
    """No card of the box is there too often, and none is missing; those that aren't seen count, too."""
    counts = check_copies(codes, copies, found)
    if counts.total() != int(copies.sum()):
        missing = [card for card in range(1, len(copies)) if counts[card] < copies[card]]
        first = min(missing, default=len(copies) - 1)
        expected = f"{int(copies.sum())} cards in all, {copies[first]} of them {codes[first]}"
        raise BadPosition("deck", expected, f"{counts.total()} cards, {counts[first]} of them")


# The deck


@kernel
def make_deck(state: AnyRecord, cards: Cards, block: Block) -> None:
    """Cards of the box become the deck, shuffled."""
    for place in range(len(cards)):
        state.deck[place] = cards[place]
    state.deck_size = len(cards)
    shuffle(state, state.deck[: len(cards)], block)


# A deck that is renewed, and what everybody then knows of it
#
# A game that has this has the fields `deck`, `deck_size`, `discard`, `discard_size` and, for what is known,
# `outside`: how many of each card a seat knows not to be in the deck. Slot NO_CARD says whether it knows any.


@kernel
def renew_deck(state: AnyRecord, size: int, copies: Counts, journal: Journal) -> None:
    """The lowest `size` discards, all that are left there, become the deck; everybody has seen them."""
    for place in range(size):
        state.deck[place] = state.discard[place]
        state.discard[place] = NO_CARD
    state.deck_size = size
    state.discard_size = 0
    for seat in range(state.players):
        state.outside[seat, NO_CARD] = 1
        for card in range(1, len(copies)):
            state.outside[seat, card] = copies[card]
        for place in range(size):
            state.outside[seat, state.deck[place]] -= 1
    tell(journal, Note.RESHUFFLE.value, NOBODY, 0, size)
    shuffle(state, state.deck[:size], fresh_block())


@kernel
def draw_known(state: AnyRecord, seat: int, card: int) -> None:
    """Who draws from a deck that was seen knows one card more that isn't in it."""
    state.outside[seat, card] += state.outside[seat, NO_CARD]


def learn_deck(outside: Any, copies: Counts, discards: Sequence[int]) -> None:
    """What a view knows of a deck that was made of some discards."""
    outside[:] = copies
    outside[NO_CARD] = 1
    for card in discards:
        outside[card] -= 1


@kernel
def imagine_deck(
    view: AnyRecord, left: Counts, copies: Counts, rng: Rng, unseen: Cards, state: AnyRecord
) -> None:
    """Of the cards that an observer can't see, `left` of each, some become the deck.

    Those for the hands, mixed, come first in `unseen`: among them all that can't be in the deck.
    """
    held = gather_unseen(view, left, copies, rng, unseen) - wide(view.deck_size)
    mix(rng, unseen, held)
    for place in range(view.deck_size):
        state.deck[place] = unseen[held + place]


@kernel
def gather_unseen(view: AnyRecord, left: Counts, copies: Counts, rng: Rng, unseen: Cards) -> int:
    """List the cards that an observer can't see, of which there are `left`; returns how many they are.

    First come those that can't be in the deck, since it was seen to be made of others; then the rest, mixed.
    """
    sure = wide(0)
    for card in range(1, len(copies)):
        for _ in range(left[card] - (copies[card] - view.outside[card])):
            unseen[sure] = card
            sure += 1
            left[card] -= 1
    count = sure
    for card in range(1, len(copies)):
        for _ in range(left[card]):
            unseen[count] = card
            count += 1
    mix(rng, unseen[sure:], count - sure)
    return count
