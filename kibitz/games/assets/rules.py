"""The rules of Cover Your Assets, told in the rulebook's order.

Two to six players collect sets, cover them with new ones, and steal what lies on top. The box and the stacks
have files of their own.
"""

from enum import IntEnum

import numpy as np

from kibitz.core.cards import NO_CARD, make_deck
from kibitz.core.chance import Block, agreed_seat, fresh_block, fresh_key, mix
from kibitz.core.common import add_if, highest_wins, next_seat, recall, see
from kibitz.core.forms import NUMBER, SEAT, EachSeat, Pile
from kibitz.core.journal import Journal, Note, no_journal, tell, tell_some
from kibitz.core.kernel import inlined, kernel, wide
from kibitz.core.layout import (
    MAX_ROUNDS,
    NOBODY,
    AnyRecord,
    Cards,
    Field,
    Layout,
    Moves,
    Points,
    Rng,
    Seen,
)
from kibitz.core.options import RANDOM_SEAT, Option, seat_option
from kibitz.games.assets import box, stacks
from kibitz.games.assets.box import CARDS, DECK_SIZE, GOLD, NUM_ASSETS, NUM_CARDS, SILVER

# 1. In the box

SEATS = 6
HAND_SIZES = (4, 5)
MOST_HAND = max(HAND_SIZES)
STEALABLE = 2  # a stack of so many sets can be stolen from: its bottom set never is
MAX_MOVES = 2000

# Every set has two cards at least, so one seat can have no more sets than this, even if all are its own.
MOST_SETS = DECK_SIZE // 2


# 2. The table


class Phase(IntEnum):
    """What is asked of the seat in turn; 0 is `over`, as in every game."""

    OVER = 0
    TURN = 1
    DUEL = 2
    DRAW = 3  # only with the option `forgetful`


class Ending(IntEnum):
    """Why a round or the game is over."""

    NONE = 0
    HANDS = 1  # all hands are empty [A10]
    MOVES = 2  # the round has reached MAX_MOVES
    TARGET = 3  # somebody has the target, and nobody else as much
    ROUNDS = 4  # all agreed rounds are played
    MAX_ROUNDS = 5  # the most rounds any game may have are played


class Step(IntEnum):
    """What a round's score is made of."""

    ASSETS = 0
    SILVER = 1
    GOLD = 2
    SUM = 3


NO_LIMIT = 0  # as the option `rounds`
MOST_TARGET = 100_000_000

TARGET = Option("target", 1_000_000, (range(1, MOST_TARGET + 1),))
ROUNDS = Option("rounds", None, (None, range(1, MAX_ROUNDS + 1)), codes={None: NO_LIMIT})
HAND = Option("hand", HAND_SIZES[0], HAND_SIZES)
DECK = Option("deck", "first", ("first", "second"))
DEALER = seat_option("dealer")
FORGETFUL = Option("forgetful", False, (False, True))

HANDS = (SEATS, MOST_HAND + 1)  # the highest number first, then NO_CARD, of which there is always one
STACKS = (SEATS, MOST_SETS)  # the bottom set first; beyond a stack's height all is 0

# A set is its asset and how many cards of it, of silver and of gold it has.
LAYOUT = Layout(
    SEATS,
    [
        Field("target", np.int32, 1, MOST_TARGET, option=TARGET),
        Field("rounds", np.int8, NO_LIMIT, MAX_ROUNDS, option=ROUNDS),
        Field("hand_option", np.int8, min(HAND_SIZES), MOST_HAND, option=HAND),
        Field("edition", np.int8, 0, len(box.EDITIONS) - 1, option=DECK),
        Field("dealer_option", np.int8, RANDOM_SEAT, SEATS - 1, option=DEALER),
        Field("forgetful", np.bool_, 0, 1, option=FORGETFUL),
        Field("hands", np.int8, 0, NUM_CARDS, HANDS, seen=Seen.BY_ITS_SEAT, key="hands"),
        Field("sizes", np.int8, 0, MOST_HAND, SEATS, key="hands"),  # how many cards a seat holds
        Field("heights", np.int8, 0, MOST_SETS, SEATS, key="stacks"),  # sets in its stack
        Field("assets", np.int8, 0, NUM_ASSETS, STACKS, key="stacks"),
        Field("counts", np.int8, 0, 10, STACKS, key="stacks"),
        Field("silvers", np.int8, 0, 8, STACKS, key="stacks"),
        Field("golds", np.int8, 0, 4, STACKS, key="stacks"),
        Field("deck", np.int8, 0, NUM_CARDS, DECK_SIZE, seen=Seen.AT_THE_END, form=Pile(CARDS, "deck_size")),
        Field("deck_size", np.int8, 0, DECK_SIZE),
        Field("pile", np.int8, 0, NUM_CARDS, DECK_SIZE, form=Pile(CARDS, "pile_size"), key="discard"),
        Field("pile_size", np.int8, 0, DECK_SIZE),
        Field("limits", np.int8, 0, MOST_HAND, SEATS, form=EachSeat(NUMBER)),  # cards that a seat may hold
        Field("dealer", np.int8, 0, SEATS - 1, form=SEAT),
        Field("thief", np.int8, NOBODY, SEATS - 1, key="duel"),  # NOBODY if there is no duel
        # While the thief draws by hand, too, if the victim will draw after.
        Field("victim", np.int8, NOBODY, SEATS - 1, key="duel"),
        Field("shown", np.int8, 0, NUM_CARDS, (2, MOST_HAND), key="duel"),  # by thief, by victim
        Field("shown_sizes", np.int8, 0, MOST_HAND, 2, key="duel"),
    ],
)
STATE, VIEW, SEEN = LAYOUT.state, LAYOUT.view, LAYOUT.seen

THIEF, VICTIM = 0, 1  # as an index of what is shown


# 3. What a player may do

PARTNERS = 3  # an asset pairs with its like, with silver, with gold
PAIR = 0  # + PARTNERS * (asset - 1) + partner
TAKES = 5  # an asset with its like, with silver, with gold; silver with an asset, gold with an asset
TAKE = PAIR + PARTNERS * NUM_ASSETS  # + TAKES * (asset - 1) + way
DISCARD = TAKE + TAKES * NUM_ASSETS  # + card - 1
STEAL = DISCARD + NUM_CARDS  # + NUM_CARDS * victim + card - 1
DEFEND = STEAL + NUM_CARDS * SEATS  # + card - 1
PRESS = DEFEND + NUM_CARDS  # + card - 1
YIELD = PRESS + NUM_CARDS
DRAW = YIELD + 1
FORGET = DRAW + 1
NUM_MOVES = FORGET + 1

# Journal rows that one move can cause: itself, two refills, a round's result, the next round's deal.
MAX_NOTES = 8 + 2 * MOST_HAND + SEATS * (MOST_HAND + len(Step)) + SEATS * MOST_HAND


@inlined
def legal_moves(state: AnyRecord, moves: Moves) -> int:
    """Fill `moves` with what the seat in turn may do, in ascending order, and return how many there are."""
    if state.phase == Phase.TURN:
        held = holding(state, state.turn)
        count = add_pairs(state, held, moves, wide(0))
        count = add_takes(state, held, moves, count)
        count = add_discards(state, moves, count)
        return add_steals(state, held, moves, count)
    if state.phase == Phase.DUEL:
        return add_answers(state, moves)
    if state.phase == Phase.DRAW:
        moves[0] = DRAW
        return add_if(state.sizes[state.turn] > 0, moves, wide(1), wide(FORGET))
    return 0


@kernel
def holding(state: AnyRecord, seat: int) -> int:
    """A seat's hand as a bit for each card in it.

    So the hand is gone through once, not for each card asked for: random games are half as fast again.
    """
    held = 0
    for i in range(state.sizes[seat]):
        held |= 1 << wide(state.hands[seat, i])
    return held


@kernel
def holds(held: int, card: int) -> bool:
    """Whether a card is in a hand."""
    return ((held >> wide(card)) & 1) == 1


@kernel
def add_fitting(held: int, asset: int, moves: Moves, count: int, first: int) -> int:
    """To a set fits its asset, or a wild; `first` is the move with card number 0."""
    count = add_if(holds(held, asset), moves, count, first + asset)
    count = add_if(holds(held, SILVER), moves, count, first + SILVER)
    return add_if(holds(held, GOLD), moves, count, first + GOLD)


@inlined
def add_pairs(state: AnyRecord, held: int, moves: Moves, count: int) -> int:
    """Two equal assets are a pair, or an asset and a wild; never two wilds. There is no duty to pair. [A7]"""
    before = NO_CARD
    for i in range(wide(state.sizes[state.turn]) - 1, -1, -1):
        card = wide(state.hands[state.turn, i])
        different = (card != before) & (card <= NUM_ASSETS)
        twice = (i > 0) and state.hands[state.turn, i - 1] == card
        first = PAIR + PARTNERS * (card - 1)
        count = add_if(different & twice, moves, count, first)
        count = add_if(different & holds(held, SILVER), moves, count, first + 1)
        count = add_if(different & holds(held, GOLD), moves, count, first + 2)
        before = card
    return count


@kernel
def add_takes(state: AnyRecord, held: int, moves: Moves, count: int) -> int:
    """The top discard may be taken with a hand card that makes a pair with it, a wild there too. [A3]"""
    if state.pile_size == 0:
        return count
    top = wide(state.pile[state.pile_size - 1])
    if top <= NUM_ASSETS:
        first = TAKE + TAKES * (top - 1)
        count = add_if(holds(held, top), moves, count, first)
        count = add_if(holds(held, SILVER), moves, count, first + 1)
        return add_if(holds(held, GOLD), moves, count, first + 2)
    before = NO_CARD
    for i in range(wide(state.sizes[state.turn]) - 1, -1, -1):
        card = wide(state.hands[state.turn, i])
        different = (card != before) & (card <= NUM_ASSETS)
        count = add_if(different, moves, count, TAKE + TAKES * (card - 1) + 3 + top - SILVER)
        before = card
    return count


@inlined
def add_discards(state: AnyRecord, moves: Moves, count: int) -> int:
    """Any hand card may be discarded, a wild too. [A3]"""
    before = NO_CARD
    for i in range(wide(state.sizes[state.turn]) - 1, -1, -1):
        card = wide(state.hands[state.turn, i])
        count = add_if(card != before, moves, count, DISCARD + card - 1)
        before = card
    return count


@inlined
def add_steals(state: AnyRecord, held: int, moves: Moves, count: int) -> int:
    """Who has a set may reach for the top set of a stack of two or more, with a card that fits it."""
    if state.heights[state.turn] == 0:
        return count
    for victim in range(wide(state.players)):
        if state.heights[victim] >= STEALABLE and victim != state.turn:
            first = STEAL + NUM_CARDS * victim - 1
            count = add_fitting(held, stacks.top_asset(state, victim), moves, count, first)
    return count


@kernel
def add_answers(state: AnyRecord, moves: Moves) -> int:
    """In a duel show a card that fits, or yield: always free [A5], and maybe all that is left. [A8]"""
    first = PRESS - 1 if state.turn == state.thief else DEFEND - 1
    held = holding(state, state.turn)
    count = add_fitting(held, stacks.top_asset(state, wide(state.victim)), moves, wide(0), first)
    moves[count] = YIELD
    return count + 1


# 4. Setting up


@kernel
def set_up(state: AnyRecord, journal: Journal) -> None:
    """Find out who deals, then deal the first round."""
    block = fresh_block()
    state.dealer = agreed_seat(state, wide(state.dealer_option), block)
    for seat in range(wide(state.players)):
        state.limits[seat] = state.hand_option
    state.round_number = 1
    deal(state, block, journal)


@kernel
def deal(state: AnyRecord, block: Block, journal: Journal) -> None:
    """Shuffle, deal to each as many as it may hold, turn up a card; the seat left of the dealer starts."""
    clear_table(state)
    make_deck(state, box.DECKS[state.edition, : box.DECK_SIZES[state.edition]], block)
    state.turn = next_seat(state, wide(state.dealer))
    state.phase = Phase.TURN.value
    state.moves = 0
    tell(journal, Note.ROUND.value, wide(state.turn), wide(0), wide(state.round_number))
    for cards in range(1, MOST_HAND + 1):
        seat = wide(state.turn)
        for _ in range(state.players):
            if state.limits[seat] >= cards:
                draw(state, seat, journal)
            seat = next_seat(state, seat)
    turned = take_from_deck(state)
    put_on_pile(state, turned)
    tell(journal, Note.REVEAL.value, wide(NOBODY), turned, wide(0))


@kernel
def clear_table(state: AnyRecord) -> None:
    """All cards come back."""
    for seat in range(SEATS):
        state.sizes[seat] = 0
        for i in range(MOST_HAND):
            state.hands[seat, i] = NO_CARD
        while state.heights[seat] > 0:
            stacks.drop_top_set(state, seat)
    for place in range(DECK_SIZE):
        state.pile[place] = NO_CARD
        state.deck[place] = NO_CARD
    state.pile_size = 0
    clear_duel(state)


# 5. A turn


@inlined
def play(state: AnyRecord, move: int, journal: Journal) -> None:
    """A turn is one action; a steal goes on as a duel; then cards are drawn, by hand for the forgetful."""
    chosen = wide(move)
    tell(journal, Note.MOVE.value, wide(state.turn), chosen, wide(0))
    state.moves += 1
    if state.phase == Phase.TURN:
        ending = act(state, chosen, journal)
    elif state.phase == Phase.DUEL:
        ending = answer(state, chosen, journal)
    else:
        ending = draw_or_forget(state, chosen, journal)
    if ending == Ending.NONE and state.moves >= MAX_MOVES:
        ending = Ending.MOVES.value
    if ending != Ending.NONE:
        end_round(state, ending, journal)


@inlined
def act(state: AnyRecord, move: int, journal: Journal) -> int:
    """Pair, take, discard or steal: a free choice. [A7]"""
    seat = wide(state.turn)
    if move < TAKE:
        pair(state, seat, move - PAIR)
    elif move < DISCARD:
        take(state, seat, move - TAKE, journal)
    elif move < STEAL:
        remove(state, seat, move - DISCARD + 1)
        put_on_pile(state, move - DISCARD + 1)
    else:
        return steal(state, seat, move - STEAL, journal)
    return finish_action(state, seat, wide(NOBODY), journal)


@kernel
def pair(state: AnyRecord, seat: int, which: int) -> None:
    """A pair from the hand becomes the new top set, laid crosswise: sets never merge."""
    asset = which // PARTNERS + 1
    partner = which % PARTNERS
    remove(state, seat, asset)
    remove(state, seat, asset if partner == 0 else SILVER + partner - 1)
    stacks.lay_pair(state, seat, asset, partner)


@kernel
def take(state: AnyRecord, seat: int, which: int, journal: Journal) -> None:
    """The top discard and a hand card become the new top set."""
    asset = which // TAKES + 1
    way = which % TAKES
    if way < PARTNERS:
        remove(state, seat, asset if way == 0 else SILVER + way - 1)
        stacks.lay_pair(state, seat, asset, way)
    else:
        remove(state, seat, asset)
        stacks.lay_pair(state, seat, asset, way - PARTNERS + 1)
    state.pile_size -= 1
    tell(journal, Note.TAKE.value, seat, wide(state.pile[state.pile_size]), wide(NOBODY))
    state.pile[state.pile_size] = NO_CARD


@kernel
def steal(state: AnyRecord, seat: int, which: int, journal: Journal) -> int:
    """Show a card that fits the victim's top set: a duel begins."""
    state.thief = seat
    state.victim = which // NUM_CARDS
    show(state, seat, which % NUM_CARDS + 1)
    return ask_victim(state, journal)


@kernel
def show(state: AnyRecord, seat: int, card: int) -> None:
    """A card shown leaves the hand; everybody sees it. [A6]"""
    side = THIEF if seat == state.thief else VICTIM
    remove(state, seat, card)
    state.shown[side, state.shown_sizes[side]] = card
    state.shown_sizes[side] += 1


@kernel
def ask_victim(state: AnyRecord, journal: Journal) -> int:
    """The victim answers; with an empty hand it loses the set at once. [A8]"""
    helpless = state.sizes[state.victim] == 0
    if helpless:
        return settle(state, helpless, journal)
    state.turn = state.victim
    state.phase = Phase.DUEL.value
    return Ending.NONE.value


@kernel
def answer(state: AnyRecord, move: int, journal: Journal) -> int:
    """Either side shows another card, wild or asset alike [A4], or stops, although it could go on. [A5]"""
    if move == YIELD:
        return settle(state, state.turn == state.victim, journal)
    if move < PRESS:
        show(state, wide(state.turn), move - DEFEND + 1)
        state.turn = state.thief
        return Ending.NONE.value
    show(state, wide(state.turn), move - PRESS + 1)
    return ask_victim(state, journal)


@kernel
def settle(state: AnyRecord, stolen: bool, journal: Journal) -> int:
    """All cards shown join the set; it becomes the thief's top set if stolen, else it stays."""
    thief, victim = wide(state.thief), wide(state.victim)
    top = wide(state.heights[victim]) - 1
    for side in range(2):
        for i in range(state.shown_sizes[side]):
            stacks.join(state, victim, top, state.shown[side, i])
    clear_duel(state)
    if stolen:
        tell(journal, Note.TAKE.value, thief, wide(state.assets[victim, top]), victim)
        stacks.move_top_set(state, victim, thief)
    return finish_action(state, thief, victim, journal)


@kernel
def clear_duel(state: AnyRecord) -> None:
    """No duel is going on."""
    for side in range(2):
        for i in range(state.shown_sizes[side]):
            state.shown[side, i] = NO_CARD
        state.shown_sizes[side] = 0
    state.thief = NOBODY
    state.victim = NOBODY


@inlined
def finish_action(state: AnyRecord, seat: int, victim: int, journal: Journal) -> int:
    """The actor draws first, then the victim [A1]; a forgetful one is asked, if there is a card to draw."""
    if state.forgetful and state.deck_size > 0:
        if victim != NOBODY and state.sizes[victim] < state.limits[victim]:
            state.victim = victim
        state.turn = seat
        state.phase = Phase.DRAW.value
        return Ending.NONE.value
    refill(state, seat, journal)
    if victim != NOBODY:
        refill(state, victim, journal)
    return pass_on(state, seat)


@kernel
def draw_or_forget(state: AnyRecord, move: int, journal: Journal) -> int:
    """Draw up to the limit, or hold no more cards than now for the rest of the game; then a victim draws."""
    actor = wide(state.turn)
    if move == DRAW:
        refill(state, actor, journal)
    else:
        state.limits[actor] = state.sizes[actor]
    if state.victim != NOBODY:
        refill(state, wide(state.victim), journal)
        state.victim = NOBODY
    return pass_on(state, actor)


@inlined
def refill(state: AnyRecord, seat: int, journal: Journal) -> None:
    """Draw up to the limit, or what the deck still has. [A2]"""
    while state.sizes[seat] < state.limits[seat] and state.deck_size > 0:
        draw(state, seat, journal)


@kernel
def pass_on(state: AnyRecord, actor: int) -> int:
    """The next seat that has a card is in turn, maybe the actor again [A11]; without any the round ends."""
    state.phase = Phase.TURN.value
    seat = actor
    for _ in range(state.players):
        seat = next_seat(state, seat)
        if state.sizes[seat] > 0:
            state.turn = seat
            return Ending.NONE.value
    return Ending.HANDS.value


@inlined
def draw(state: AnyRecord, seat: int, journal: Journal) -> None:
    """The top card of the deck goes to a hand, which stays sorted.

    Each place keeps the higher of two cards. Where a card belongs nobody can foretell: without a branch here
    and in `remove` random games are a twelfth faster.
    """
    card = take_from_deck(state)
    sinking = card
    for place in range(MOST_HAND):
        kept = wide(state.hands[seat, place])
        state.hands[seat, place] = max(kept, sinking)
        sinking = min(kept, sinking)
    state.sizes[seat] += 1
    tell_some(journal, Note.DRAW.value, seat, card, wide(0), wide(1) << seat)


@inlined
def remove(state: AnyRecord, seat: int, card: int) -> None:
    """A card leaves a hand, and the others close ranks."""
    for place in range(MOST_HAND):
        kept = wide(state.hands[seat, place])
        state.hands[seat, place] = kept if kept > card else wide(state.hands[seat, place + 1])
    state.sizes[seat] -= 1


@kernel
def take_from_deck(state: AnyRecord) -> int:
    """The top card of the deck."""
    state.deck_size -= 1
    card = wide(state.deck[state.deck_size])
    state.deck[state.deck_size] = NO_CARD
    return card


@kernel
def put_on_pile(state: AnyRecord, card: int) -> None:
    """A card becomes the top of the discard pile, a wild as any other. [A3]"""
    state.pile[state.pile_size] = card
    state.pile_size += 1


# 6. The end


@kernel
def is_over(state: AnyRecord) -> bool:
    """Whether the game has ended."""
    return state.phase == Phase.OVER


@kernel
def score(state: AnyRecord, points: Points) -> None:
    """Every card in a stack counts its value, wilds too; what a duel left open counts for nobody. [A12]"""
    for seat in range(wide(state.players)):
        points[seat] = stacks.asset_worth(state, seat) + stacks.wild_worth(state, seat)


@kernel
def end_round(state: AnyRecord, ending: int, journal: Journal) -> None:
    """Count the stacks; then the game is over, or the deal moves to the left."""
    points = np.zeros(SEATS, np.int32)
    score(state, points)
    tell_scores(state, points, journal)
    tell(journal, Note.SCORED.value, wide(NOBODY), ending, wide(state.round_number))
    for seat in range(wide(state.players)):
        state.scores[seat] += points[seat]
    over = game_ending(state)
    if over != Ending.NONE:
        end_game(state, over, journal)
    else:
        state.round_number += 1
        state.dealer = next_seat(state, wide(state.dealer))
        deal(state, fresh_block(), journal)


@kernel
def tell_scores(state: AnyRecord, points: Points, journal: Journal) -> None:
    """Hands are laid open, and everybody sees what each score is made of."""
    if len(journal) == 0:
        return
    for seat in range(wide(state.players)):
        for i in range(state.sizes[seat]):
            tell(journal, Note.SHOW.value, seat, wide(state.hands[seat, i]), wide(0))
        tell(journal, Note.STEP.value, seat, Step.ASSETS.value, stacks.asset_worth(state, seat))
        tell(journal, Note.STEP.value, seat, Step.SILVER.value, stacks.silver_worth(state, seat))
        tell(journal, Note.STEP.value, seat, Step.GOLD.value, stacks.gold_worth(state, seat))
        tell(journal, Note.STEP.value, seat, Step.SUM.value, wide(points[seat]))


@kernel
def game_ending(state: AnyRecord) -> int:
    """The target ends it unless the top is tied; so does the last of the agreed rounds, ties or not. [A9]"""
    best, leaders = 0, 0
    for seat in range(wide(state.players)):
        if state.scores[seat] > best:
            best, leaders = wide(state.scores[seat]), 0
        if state.scores[seat] == best:
            leaders += 1
    if best >= state.target and leaders == 1:
        return Ending.TARGET.value
    if state.rounds != NO_LIMIT and state.round_number >= state.rounds:
        return Ending.ROUNDS.value
    return Ending.MAX_ROUNDS.value if state.round_number >= MAX_ROUNDS else Ending.NONE.value


@kernel
def end_game(state: AnyRecord, ending: int, journal: Journal) -> None:
    """The highest total wins; equal totals share the win. [A9]"""
    if state.thief == NOBODY:
        state.victim = NOBODY  # whose draw the cap may have cut off
    highest_wins(state, ending, journal)


# 7. What each player sees


@kernel
def observe(state: AnyRecord, observer: int, view: AnyRecord) -> None:
    """Everything is open, the cards of a duel too [A6], but the others' hands and the deck."""
    see(state, observer, view, SEEN)


# 8. Imagining what is hidden


@kernel
def imagine(view: AnyRecord, rng: Rng, state: AnyRecord) -> None:
    """Deal what the observer can't see anew: the others' hands, then the deck.

    Nothing more is known than the view shows: cards come from the deck unseen and go to the table in the
    open, and who yields with cards in the hand may still hold one that fits. [A5]
    """
    recall(view, state, SEEN)
    fresh_key(state, rng)
    unseen = np.zeros(DECK_SIZE, np.int8)
    left = gather_unseen(view, unseen)
    mix(rng, unseen, left)
    for place in range(left):
        state.deck[place] = unseen[place]
    state.deck_size = left
    for seat in range(wide(view.players)):
        if seat != view.observer:
            deal_imagined(state, seat)


@kernel
def deal_imagined(state: AnyRecord, seat: int) -> None:
    """A hand of the known size from the unseen cards."""
    size = state.sizes[seat]
    state.sizes[seat] = 0
    for _ in range(size):
        draw(state, seat, no_journal())


@kernel
def gather_unseen(view: AnyRecord, unseen: Cards) -> int:
    """The cards of the deck that the observer can't see, and how many they are."""
    left = np.zeros(NUM_CARDS + 1, np.int64)
    for card in range(1, NUM_CARDS + 1):
        left[card] = box.COPIES[view.edition, card]
    for place in range(view.pile_size):
        left[view.pile[place]] -= 1
    for side in range(2):
        for i in range(view.shown_sizes[side]):
            left[view.shown[side, i]] -= 1
    for seat in range(wide(view.players)):
        for place in range(view.heights[seat]):
            left[view.assets[seat, place]] -= view.counts[seat, place]
            left[SILVER] -= view.silvers[seat, place]
            left[GOLD] -= view.golds[seat, place]
        for i in range(MOST_HAND):
            left[view.hands[seat, i]] -= 1
    count = 0
    for card in range(1, NUM_CARDS + 1):
        for _ in range(left[card]):
            unseen[count] = card
            count += 1
    return count
