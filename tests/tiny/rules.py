"""The rules of the tiny game."""

import numpy as np

from kibitz.core.cards import CardCodes
from kibitz.core.chance import below, fresh_block, fresh_key, mix, shuffle
from kibitz.core.common import frozen, next_seat, recall, see
from kibitz.core.forms import NUMBER, CardForm, EachSeat, Holding, Pile
from kibitz.core.journal import Journal, Note, tell, tell_some
from kibitz.core.kernel import kernel, wide
from kibitz.core.layout import NOBODY, OVER, AnyRecord, Cards, Field, Layout, Moves, Points, Rng, Seen

# 1. In the box

SEATS = 3
HIGHEST = 6
DECK_SIZE = 2 * HIGHEST
HAND_SIZE = 2
MAX_MOVES = DECK_SIZE
COPIES = frozen([0] + [2] * HIGHEST)  # by card
DECK = frozen([1 + place // 2 for place in range(DECK_SIZE)], np.int8)
CARDS = CardCodes([str(card) for card in range(1, HIGHEST + 1)], expected="a card from '1' to '6'")

# 2. The table

PLAY = 1  # the only phase but OVER
HANDS_EMPTY, MOVES = 1, 2  # endings
OPEN, HIDDEN_CARD = 0, 1  # steps of the score

COUNTS = (SEATS, HIGHEST + 1)  # how many of each card, for each seat
HANDS = EachSeat(Holding(CARDS, "hand_sizes"))
HIDDEN_CARDS = EachSeat(CardForm(CARDS, "hiding"))

LAYOUT = Layout(
    SEATS,
    [
        Field("hands", np.int8, 0, 2, COUNTS, seen=Seen.BY_ITS_SEAT, form=HANDS),
        Field("hand_sizes", np.int8, 0, HAND_SIZE, SEATS),
        Field("piles", np.int8, 0, 2, COUNTS, form=EachSeat(Holding(CARDS))),
        Field("hidden", np.int8, 0, HIGHEST, SEATS, seen=Seen.BY_ITS_SEAT, form=HIDDEN_CARDS),
        Field("hiding", np.int8, 0, 1, SEATS),  # who has hidden a card
        Field("deck", np.int8, 0, HIGHEST, DECK_SIZE, seen=Seen.AT_THE_END, form=Pile(CARDS, "deck_size")),
        Field("deck_size", np.int8, 0, DECK_SIZE),
        Field("laid", np.int8, 0, DECK_SIZE, form=NUMBER),
    ],
)
STATE, VIEW, SEEN = LAYOUT.state, LAYOUT.view, LAYOUT.seen

# 3. What a player may do

LAY = 0  # + card - 1
HIDE = LAY + HIGHEST  # + card - 1
NUM_MOVES = HIDE + HIGHEST
MAX_NOTES = 3 * DECK_SIZE
MASK_OF_A_HIDDEN_CARD = 0


@kernel
def legal_moves(state: AnyRecord, moves: Moves) -> int:
    """Any card of the hand may be laid; it may be hidden by who has hidden none."""
    count = 0
    if state.phase == OVER:
        return count
    for first in (LAY, HIDE):
        for card in range(1, HIGHEST + 1):
            may = first == LAY or state.hidden[state.turn] == 0
            if may and state.hands[state.turn, card] > 0:
                moves[count] = first + card - 1
                count += 1
    return count


# 4. Setting up


@kernel
def set_up(state: AnyRecord, journal: Journal) -> None:
    """Chance says who begins; everybody gets two cards."""
    block = fresh_block()
    state.turn = below(state, state.players, block)
    state.deck[:] = DECK
    shuffle(state, state.deck, block)
    state.deck_size = DECK_SIZE
    state.round_number = 1
    state.phase = PLAY
    tell(journal, Note.ROUND.value, state.turn, 0, 1)
    for _ in range(HAND_SIZE):
        for seat in range(state.players):
            draw(state, seat, journal)


@kernel
def draw(state: AnyRecord, seat: int, journal: Journal) -> None:
    """Take the top card of the deck, if there is one."""
    if state.deck_size > 0:
        state.deck_size -= 1
        card = state.deck[state.deck_size]
        state.deck[state.deck_size] = 0
        state.hands[seat, card] += 1
        state.hand_sizes[seat] += 1
        tell_some(journal, Note.DRAW.value, seat, card, 0, 1 << seat)


# 5. A turn


@kernel
def play(state: AnyRecord, move: int, journal: Journal) -> None:
    """Lay or hide a card, then draw one."""
    seat = state.turn
    if move < HIDE:
        card = move - LAY + 1
        tell(journal, Note.MOVE.value, seat, move, 0)
        state.piles[seat, card] += 1
        state.laid += 1
    else:
        card = move - HIDE + 1
        tell_some(journal, Note.MOVE.value, seat, move, MASK_OF_A_HIDDEN_CARD, 1 << seat)
        state.hidden[seat] = card
        state.hiding[seat] = 1
    state.hands[seat, card] -= 1
    state.hand_sizes[seat] -= 1
    draw(state, seat, journal)
    state.moves += 1
    state.turn = next_seat(state, seat)
    if state.hand_sizes[state.turn] == 0:
        end(state, journal)


# 6. The end


@kernel
def is_over(state: AnyRecord) -> bool:
    """Whether the game has ended."""
    return state.phase == OVER


@kernel
def score(state: AnyRecord, points: Points) -> None:
    """Open cards count once, the hidden one twice."""
    for seat in range(state.players):
        points[seat] = 2 * wide(state.hidden[seat])
        for card in range(1, HIGHEST + 1):
            points[seat] += card * state.piles[seat, card]


@kernel
def end(state: AnyRecord, journal: Journal) -> None:
    """The highest sum wins."""
    score(state, state.scores)
    best = state.scores[: state.players].max()
    for seat in range(state.players):
        state.winners[seat] = 1 if state.scores[seat] == best else 0
        if state.hidden[seat] > 0:
            tell(journal, Note.SHOW.value, seat, state.hidden[seat], 0)
        doubled = 2 * wide(state.hidden[seat])
        tell(journal, Note.STEP.value, seat, HIDDEN_CARD, doubled)
        tell(journal, Note.STEP.value, seat, OPEN, state.scores[seat] - doubled)
    tell(journal, Note.SCORED.value, NOBODY, HANDS_EMPTY, 1)
    state.turn = NOBODY
    state.phase = OVER
    state.ending = HANDS_EMPTY
    tell(journal, Note.OVER.value, NOBODY, HANDS_EMPTY, 0)


# 7. What each player sees


@kernel
def observe(state: AnyRecord, observer: int, view: AnyRecord) -> None:
    """Piles are open; hands, hidden cards and the deck are not, until the end."""
    see(state, observer, view, SEEN)


# 8. Imagining what is hidden


@kernel
def imagine(view: AnyRecord, rng: Rng, state: AnyRecord) -> None:
    """Deal what the observer can't see anew: hidden cards, hands, then the deck."""
    recall(view, state, SEEN)
    fresh_key(state, rng)
    unseen = DECK.copy()
    left = gather_unseen(view, unseen)
    mix(rng, unseen, left)
    for seat in range(view.players):
        if seat != view.observer:
            if view.hiding[seat]:
                left -= 1
                state.hidden[seat] = unseen[left]
            for _ in range(view.hand_sizes[seat]):
                left -= 1
                state.hands[seat, unseen[left]] += 1
    for place in range(left):
        state.deck[place] = unseen[place]


@kernel
def gather_unseen(view: AnyRecord, unseen: Cards) -> int:
    """Put the cards that the observer can't see first, and return how many there are."""
    left = 0
    for card in range(1, HIGHEST + 1):
        seen = view.piles[:, card].sum() + view.hands[:, card].sum()
        for seat in range(SEATS):
            if view.hidden[seat] == card:
                seen += 1
        for _ in range(2 - seen):
            unseen[left] = card
            left += 1
    return left
