"""The rules of Kazink!, told in the rulebook's order.

Two or three players, or four in two teams, stack chips on the spaces of a board by the suits of their cards.
Three chips of a colour on top of a stack make a crown, three crowns in a line make a row. The board, with its
stacks and rows, has a file of its own.
"""

from enum import IntEnum

import numpy as np

from kibitz.core.cards import NO_CARD, CardCodes, draw_known, imagine_deck, make_deck, renew_deck
from kibitz.core.chance import agreed_seat, fresh_block, fresh_key
from kibitz.core.common import frozen, highest_wins, next_seat, recall, see
from kibitz.core.forms import FLAG, NUMBER, SEAT, EachSeat, Holding, Pile
from kibitz.core.journal import Journal, Note, tell, tell_some
from kibitz.core.kernel import inlined, kernel, lowest_bit, wide
from kibitz.core.layout import NOBODY, AnyRecord, Field, Layout, Moves, Points, Rng, Seen
from kibitz.core.options import RANDOM_SEAT, Option, seat_option
from kibitz.games.kazink import board

# 1. In the box

SUITS = "SHDC"
NUM_SUITS = len(SUITS)
WILD, DOUBLE_UP_CARD, CROWN_CARD = NUM_SUITS + 1, NUM_SUITS + 2, NUM_SUITS + 3  # suit cards are 1 to 4
NUM_CARDS = CROWN_CARD  # different ones
SUIT_COPIES, WILD_COPIES, DOUBLE_UP_COPIES, CROWN_COPIES = 11, 4, 4, 2

SEATS = 4
PARTNERS_CHIPS = board.CHIPS // 2  # for each of two who divide them
MOST_HAND = 5  # cards dealt at most
MAX_MOVES = 2000

ROWS_TO_WIN = 2
ROWS_FOR_A_TEAM = 3
POINTS_A_CROWN = 100
POINTS_A_WIN = 10_000


COPIES_OF = frozen([0] + [SUIT_COPIES] * NUM_SUITS + [WILD_COPIES, DOUBLE_UP_COPIES, CROWN_COPIES])  # by card
_CODES = [*SUITS, "W", "U", "K"]
CARDS = CardCodes(_CODES, expected=f"a card: {', '.join(_CODES)}")
DECK = frozen([card for card in range(1, NUM_CARDS + 1) for _ in range(COPIES_OF[card])], np.int8)
DECK_SIZE = len(DECK)

SUIT_OF = [1 + SUITS.index(suit) for rank in board.PRINTED for suit in rank]  # by space: its card
_SUIT_SPACES = [[space for space, suit in enumerate(SUIT_OF) if suit == card] for card in range(WILD)]
SUIT_SPACES = frozen([[0] * board.NUM_RANKS, *_SUIT_SPACES[1:]])  # by suit card and rank: every rank has one
SPACES_OF = frozen(  # by card: where it may be played, if the space allows it
    [sum(1 << space for space in spaces) for spaces in _SUIT_SPACES] + [board.ALL_SPACES] * 3
)

RULES_VERSIONS = 2

COLOURS_IN_PLAY = frozen([0, 0, 2, 3, 2])  # by players: two teams have two colours


# 2. The table


class Phase(IntEnum):
    """The parts of a turn; 0 is `over`, as in every game."""

    OVER = 0
    TURN = 1
    SHIFT = 2  # after a double-up: shift chips or stay
    PLACE = 3  # and then: place one


class Ending(IntEnum):
    """Why the game is over."""

    NONE = 0
    ROWS = 1  # somebody has the rows it takes
    CROWNED = 2  # every usable space is a crown
    IDLE = 3  # nobody has placed a chip for a full round of turns
    MOVES = 4  # the game has reached MAX_MOVES


class Step(IntEnum):
    """What a score is made of."""

    CROWNS = 0
    ROWS = 1
    WIN = 2


MOST_ROWS = board.NUM_SPACES

BOARD_OPTION = Option("board", "24", ("24", "20"), codes={"24": board.NUM_RANKS, "20": board.SMALL_BOARD})
DEALER = seat_option("dealer")
HAND = Option("hand", 3, (range(1, MOST_HAND + 1),))
POOL = Option("pool", "divided", ("divided", "shared"), codes={"divided": 0, "shared": 1})

COUNTS = (SEATS, NUM_CARDS + 1)  # how many of each card, for each seat
STACKS = (board.NUM_SPACES, board.NUMBERS)  # as bits, the bottom chip the lowest
HANDS = EachSeat(Holding(CARDS, "hand_sizes"))

LAYOUT = Layout(
    SEATS,
    [
        Field("rules_version", np.int8, 1, RULES_VERSIONS),
        Field("ranks", np.int8, board.SMALL_BOARD, board.NUM_RANKS, option=BOARD_OPTION),
        Field("dealer_option", np.int8, RANDOM_SEAT, SEATS - 1, option=DEALER),
        Field("hand_option", np.int8, 1, MOST_HAND, option=HAND),  # cards dealt to each
        Field("shared", np.int8, 0, 1, option=POOL),  # whether partners draw on one pool
        Field("stacks", np.uint32, 0, 2**32 - 1, STACKS, key="board"),
        Field("heights", np.int8, 0, board.ALL_CHIPS, board.NUM_SPACES, key="board"),
        # spaces topped by a colour that aren't crowned
        Field("tops", np.int32, 0, board.ALL_SPACES, board.NUM_COLOURS),
        # those of them whose two top chips have one colour
        Field("pairs", np.int32, 0, board.ALL_SPACES),
        # a colour's crowned spaces
        Field("crowns", np.int32, 0, board.ALL_SPACES, board.NUM_COLOURS, key="crowns"),
        # partners' too [Z9]
        Field("hands", np.int8, 0, SUIT_COPIES, COUNTS, seen=Seen.BY_ITS_SEAT, form=HANDS),
        Field("hand_sizes", np.int8, 0, DECK_SIZE, SEATS),
        Field("deck", np.int8, 0, NUM_CARDS, DECK_SIZE, seen=Seen.AT_THE_END, form=Pile(CARDS, "deck_size")),
        Field("deck_size", np.int8, 0, DECK_SIZE),
        Field("discard", np.int8, 0, NUM_CARDS, DECK_SIZE, form=Pile(CARDS, "discard_size")),
        Field("discard_size", np.int8, 0, DECK_SIZE),
        Field("chips", np.int8, 0, board.CHIPS, board.NUM_COLOURS, key="chips"),  # not placed yet
        Field("rows", np.int8, 0, MOST_ROWS, board.NUM_COLOURS, key="rows"),
        Field("dealer", np.int8, 0, SEATS - 1, form=SEAT),
        Field("swapped", np.bool_, 0, 1, form=FLAG),  # whether a dead card was swapped in this turn
        Field("idle", np.int8, 0, SEATS, form=NUMBER),  # turns in a row without a chip placed
        Field("seat_chips", np.int8, 0, board.CHIPS, SEATS, key="seat_chips"),  # that a seat can place yet
        # How many of each card a seat knows not to be in the deck, by having seen it made of discards and by
        # what it drew since; 0 before a first reshuffle.
        Field("outside", np.int8, 0, SUIT_COPIES, COUNTS, seen=Seen.AS_KNOWN),
    ],
)
STATE, VIEW, SEEN = LAYOUT.state, LAYOUT.view, LAYOUT.seen


@kernel
def colour_of(state: AnyRecord, seat: int) -> int:
    """Everybody has a colour; in the team game seats opposite each other share one."""
    return wide(seat) if state.players == board.NUM_COLOURS else wide(seat) & 1


@kernel
def partner_of(seat: int) -> int:
    """Partners sit opposite each other."""
    return wide(seat) ^ 2


# 3. What a player may do

LAY = 0  # + NUM_SPACES * (card - 1) + space: a suit or a wild
CROWN = LAY + board.NUM_SPACES * WILD  # + space
DOUBLE_UP = CROWN + board.NUM_SPACES
STAY = DOUBLE_UP + 1
_SHIFTS = [
    (start, goal, count)
    for start in range(board.NUM_SPACES)
    for goal in range(board.NUM_SPACES)
    for count in (1, 2)
    if start != goal
]
SHIFT = STAY + 1  # + shift
PLACE = SHIFT + len(_SHIFTS)  # + space
SWAP = PLACE + board.NUM_SPACES  # + suit card - 1
DISCARD = SWAP + NUM_SUITS  # + place among DISCARDS
DISCARDS = frozen([*range(1, WILD), WILD, CROWN_CARD])  # a double-up is never discarded
NUM_MOVES = DISCARD + len(DISCARDS)

SHIFT_START = frozen([start for start, _, _ in _SHIFTS])
SHIFT_GOAL = frozen([goal for _, goal, _ in _SHIFTS])
SHIFT_COUNT = frozen([count for _, _, count in _SHIFTS])
SHIFTS_A_START = len(_SHIFTS) // board.NUM_SPACES

MAX_NOTES = 16 + DECK_SIZE + 3 * SEATS + MOST_HAND * SEATS  # journal rows: the deal, or all hands laid open


@inlined
def legal_moves(state: AnyRecord, moves: Moves) -> int:
    """Fill `moves` with what the seat in turn may do, in ascending order, and return how many there are."""
    if state.phase == Phase.TURN:
        has_chips = state.seat_chips[state.turn] > 0
        playable = add_cards(state, moves) if has_chips else add_double_up(state, moves, 0)  # [Z7]
        count = add_swaps(state, moves, playable)
        return add_discards(state, moves, count) if playable == 0 or not has_chips else count  # [Z2]
    if state.phase == Phase.SHIFT:
        return add_shifts(state, moves)
    if state.phase == Phase.PLACE:
        return board.add_spaces(moves, 0, PLACE, board.uncrowned(state))
    return 0


@inlined
def add_cards(state: AnyRecord, moves: Moves) -> int:
    """A suit card is played on a space of its suit; a wild, a crown card and a double-up anywhere."""
    hand = state.hands[state.turn]
    free = board.uncrowned(state)
    covered = board.topped(state)
    others = covered & ~wide(state.tops[colour_of(state, state.turn)])
    count = 0
    for card in range(1, WILD):
        if hand[card] > 0:
            count = add_suit(moves, count, card, open_to_suit(wide(SPACES_OF[card]) & free, covered, others))
    if hand[WILD] > 0:
        count = board.add_spaces(moves, count, LAY + board.NUM_SPACES * (WILD - 1), free)
    if hand[CROWN_CARD] > 0:
        count = board.add_spaces(moves, count, CROWN, free)
    return add_double_up(state, moves, count)


@inlined
def add_suit(moves: Moves, count: int, card: int, spaces: int) -> int:
    """Add a move for each space of a set that has only spaces of the card's suit.

    Each is written, and only the count says whether it stays. Whether a space is free nobody can foretell:
    without a branch random games are a third faster.
    """
    for rank in range(board.NUM_RANKS):
        space = SUIT_SPACES[card, rank]
        moves[count] = LAY + board.NUM_SPACES * (card - 1) + space
        count += spaces >> space & 1
    return count


@kernel
def open_to_suit(suit: int, covered: int, others: int) -> int:
    """Of a suit's uncrowned spaces: empty and own ones; the others', too, once all carry a chip. [Z1]"""
    return suit & ~others if suit & ~covered else suit


@kernel
def add_double_up(state: AnyRecord, moves: Moves, count: int) -> int:
    """A double-up can always be played."""
    moves[count] = DOUBLE_UP
    return count + (state.hands[state.turn, DOUBLE_UP_CARD] > 0)


@kernel
def is_dead(card: int, free: int) -> bool:
    """A card is dead if none of its spaces is free: its whole suit is crowned. [Z1]"""
    return SPACES_OF[card] & free == 0


@inlined
def add_swaps(state: AnyRecord, moves: Moves, count: int) -> int:
    """One dead card may be swapped in a turn, whatever else can be played. [Z15]"""
    if not state.swapped:
        hand = state.hands[state.turn]
        free = board.uncrowned(state)
        for card in range(1, WILD):
            if hand[card] > 0 and is_dead(card, free):
                moves[count] = SWAP + card - 1
                count += 1
    return count


@inlined
def add_discards(state: AnyRecord, moves: Moves, count: int) -> int:
    """Any card but a double-up. [Z16]"""
    for i in range(len(DISCARDS)):
        if state.hands[state.turn, DISCARDS[i]] > 0:
            moves[count] = DISCARD + i
            count += 1
    return count


@kernel
def add_shifts(state: AnyRecord, moves: Moves) -> int:
    """Stay, or shift the top chip or the top two of an own stack onto another own one. [Z4] [Z11]"""
    moves[0] = STAY
    count = 1
    own = wide(state.tops[colour_of(state, state.turn)])
    starts = own
    while starts:
        start = lowest_bit(starts)
        starts &= starts - 1
        most = 1 + (wide(state.pairs) >> start & 1)
        count = add_goals(moves, count, start, own & ~(1 << start), most)
    return count


@kernel
def add_goals(moves: Moves, count: int, start: int, goals: int, most: int) -> int:
    """Add a shift to each space of a set, of one chip and of two if `most` is two.

    Both are written, and only the count says whether the second stays. Without a branch for it, and from set
    bit to set bit instead of over all spaces, random games are two fifths faster.
    """
    while goals:
        goal = lowest_bit(goals)
        goals &= goals - 1
        first = SHIFT + start * SHIFTS_A_START + 2 * (goal - (goal > start))
        moves[count] = first
        moves[count + 1] = first + 1
        count += most
    return count


# 4. Setting up


@kernel
def set_up(state: AnyRecord, journal: Journal) -> None:
    """Find out who deals, shuffle, and deal to each in turn; who sits left of the dealer starts."""
    block = fresh_block()
    state.dealer = agreed_seat(state, wide(state.dealer_option), block)
    state.round_number = 1
    hand_out_chips(state)
    make_deck(state, DECK, block)
    starter = next_seat(state, state.dealer)
    tell(journal, Note.ROUND.value, starter, 0, state.round_number)
    seat = starter
    for _ in range(state.hand_option * state.players):
        take_top(state, seat, journal)
        seat = next_seat(state, seat)
    state.turn = starter
    state.phase = Phase.TURN.value


@kernel
def hand_out_chips(state: AnyRecord) -> None:
    """Everybody has all chips of a colour; partners divide them, or draw on one pool. [Z14]"""
    for colour in range(COLOURS_IN_PLAY[state.players]):
        state.chips[colour] = board.CHIPS
    for seat in range(state.players):
        state.seat_chips[seat] = PARTNERS_CHIPS if divides(state) else board.CHIPS


@kernel
def divides(state: AnyRecord) -> bool:
    """Whether partners have chips of their own; with two or three players there are none to divide."""
    return state.players == SEATS and not state.shared


# 5. A turn


@inlined
def play(state: AnyRecord, move: int, journal: Journal) -> None:
    """A turn is one card, perhaps after a swap; a double-up takes two more decisions."""
    chosen = wide(move)  # which may come from a list of small numbers
    tell(journal, Note.MOVE.value, state.turn, chosen, 0)
    state.moves += 1
    if state.phase == Phase.TURN:
        play_card(state, chosen, journal)
    elif state.phase == Phase.SHIFT:
        shift_or_stay(state, chosen, journal)
    else:
        place_chip(state, chosen - PLACE, False, journal)
    if state.phase != Phase.OVER and state.moves >= MAX_MOVES:
        end_game(state, Ending.MOVES.value, journal)


@inlined
def play_card(state: AnyRecord, move: int, journal: Journal) -> None:
    """Lay a card and do what it says."""
    if move < CROWN:
        lay_down(state, move // board.NUM_SPACES + 1)
        place_chip(state, move % board.NUM_SPACES, False, journal)
    elif move < DOUBLE_UP:
        lay_down(state, CROWN_CARD)
        place_chip(state, move - CROWN, True, journal)
    elif move == DOUBLE_UP:
        lay_down(state, DOUBLE_UP_CARD)
        state.phase = Phase.SHIFT.value
    elif move < DISCARD:
        lay_down(state, move - SWAP + 1)
        draw(state, journal)
        state.swapped = True
    else:
        lay_down(state, DISCARDS[move - DISCARD])
        end_idle_turn(state, journal)


@inlined
def lay_down(state: AnyRecord, card: int) -> None:
    """A card goes from the hand on the discard pile."""
    state.hands[state.turn, card] -= 1
    state.hand_sizes[state.turn] -= 1
    state.discard[state.discard_size] = card
    state.discard_size += 1


@inlined
def place_chip(state: AnyRecord, space: int, is_crown: bool, journal: Journal) -> None:
    """A chip goes on a space, and perhaps it is a crown at once; then the turn is over. [Z13]"""
    colour = colour_of(state, state.turn)
    use_chip(state, colour)
    is_third = wide(state.tops[colour] & state.pairs) >> space & 1
    board.push(state, space, colour)
    if is_crown or is_third:
        make_crown(state, space, journal)
        end_if_decided(state, journal)
    if state.phase != Phase.OVER:
        state.idle = 0
        end_turn(state, journal)


@inlined
def use_chip(state: AnyRecord, colour: int) -> None:
    """The chip is one of the player's own; from a pool it is the partner's, too. [Z14]"""
    state.chips[colour] -= 1
    state.seat_chips[state.turn] -= 1
    if state.shared and state.players == SEATS:
        state.seat_chips[partner_of(state.turn)] -= 1


@kernel
def shift_or_stay(state: AnyRecord, move: int, journal: Journal) -> None:
    """Shift chips if you like, then a chip must be placed, if there is one left. [Z7]"""
    if move != STAY:
        shift(state, move - SHIFT, journal)
    if state.phase != Phase.OVER:
        if state.seat_chips[state.turn] > 0:
            state.phase = Phase.PLACE.value
        else:
            end_idle_turn(state, journal)


@kernel
def shift(state: AnyRecord, number: int, journal: Journal) -> None:
    """One or two chips change places, which may make a crown, or win. [Z4]"""
    start, goal = SHIFT_START[number], SHIFT_GOAL[number]
    for _ in range(SHIFT_COUNT[number]):
        board.pop(state, start)
        board.push(state, goal, colour_of(state, state.turn))
    for space in (goal, start):
        if board.has_three(state, space):
            make_crown(state, space, journal)
    end_if_decided(state, journal)


@kernel
def make_crown(state: AnyRecord, space: int, journal: Journal) -> None:
    """A crown belongs to the colour on top, for good, and its rows are counted at once. [Z5]"""
    colour = board.chip_at(state, space, wide(state.heights[space]) - 1)
    completed = board.new_rows(wide(state.crowns[colour]), space)
    board.lock(state, space, colour)
    state.rows[colour] += completed
    owner = owner_of(state, colour)
    tell(journal, Note.GAIN.value, owner, Step.CROWNS.value, POINTS_A_CROWN)
    if completed > 0:
        tell(journal, Note.GAIN.value, owner, Step.ROWS.value, completed)
    points = points_of(state, colour)
    for seat in range(state.players):
        if colour_of(state, seat) == colour:
            state.scores[seat] = points


@kernel
def owner_of(state: AnyRecord, colour: int) -> int:
    """The seat in turn, if the colour is its own; else the first that has it."""
    return wide(state.turn) if colour_of(state, state.turn) == colour else colour


@inlined
def draw(state: AnyRecord, journal: Journal) -> None:
    """Draw a card; if the deck is empty the discards become one, and if there are none, no card. [Z8]"""
    if state.deck_size == 0:
        reshuffle(state, journal)
    if state.deck_size > 0:
        draw_known(state, state.turn, take_top(state, state.turn, journal))


@inlined
def take_top(state: AnyRecord, seat: int, journal: Journal) -> int:
    """The top card of the deck goes to a hand."""
    state.deck_size -= 1
    card = wide(state.deck[state.deck_size])
    state.deck[state.deck_size] = NO_CARD
    state.hands[seat, card] += 1
    state.hand_sizes[seat] += 1
    tell_some(journal, Note.DRAW.value, seat, card, 0, 1 << wide(seat))
    return card


@kernel
def reshuffle(state: AnyRecord, journal: Journal) -> None:
    """The whole discard pile becomes the deck, also the card just laid down. [Z8]"""
    renew_deck(state, wide(state.discard_size), COPIES_OF, journal)


@kernel
def end_idle_turn(state: AnyRecord, journal: Journal) -> None:
    """No chip was placed in this turn. [Z13]"""
    state.idle += 1
    end_turn(state, journal)


@inlined
def end_turn(state: AnyRecord, journal: Journal) -> None:
    """Draw a card; then the next player's turn begins, unless nobody has placed a chip for a round. [Z13]"""
    draw(state, journal)
    state.swapped = False
    state.phase = Phase.TURN.value
    following = next_seat(state, state.turn)
    while state.idle < state.players and state.hand_sizes[following] == 0:  # skipped [Z8]
        state.idle += 1
        following = next_seat(state, following)
    state.turn = following
    if state.idle >= state.players:
        end_game(state, Ending.IDLE.value, journal)


# 6. The end


@kernel
def rows_to_win(state: AnyRecord) -> int:
    """A player wins with two rows, a team with three."""
    return ROWS_FOR_A_TEAM if state.players == SEATS else ROWS_TO_WIN


@kernel
def is_over(state: AnyRecord) -> bool:
    """Whether the game has ended."""
    return state.phase == Phase.OVER


@kernel
def score(state: AnyRecord, points: Points) -> None:
    """Crowns count first, then rows; whoever has won by rows is ahead of all."""
    for seat in range(state.players):
        points[seat] = points_of(state, colour_of(state, seat))


@kernel
def points_of(state: AnyRecord, colour: int) -> int:
    """What a colour's crowns and rows count."""
    return for_crowns(state, colour) + wide(state.rows[colour]) + for_a_win(state, colour)


@kernel
def for_crowns(state: AnyRecord, colour: int) -> int:
    """A crown counts 100, more than all rows together."""
    return POINTS_A_CROWN * board.number_of(wide(state.crowns[colour]))


@kernel
def for_a_win(state: AnyRecord, colour: int) -> int:
    """A win by rows counts more than all crowns together."""
    return POINTS_A_WIN if state.rows[colour] >= rows_to_win(state) else 0


@kernel
def end_if_decided(state: AnyRecord, journal: Journal) -> None:
    """Enough rows win at once, also in the middle of a double-up; and the last crown ends the game. [Z12]"""
    if max(state.rows[0], state.rows[1], state.rows[2]) >= rows_to_win(state):
        end_game(state, Ending.ROWS.value, journal)
    elif board.uncrowned(state) == 0:
        end_game(state, Ending.CROWNED.value, journal)


@kernel
def end_game(state: AnyRecord, ending: int, journal: Journal) -> None:
    """Lay the hands open; the highest score wins, equal ones share. Nothing else changes. [Z12]"""
    for seat in range(state.players):
        lay_open(state, seat, journal)
    tell(journal, Note.SCORED.value, NOBODY, ending, state.round_number)
    highest_wins(state, ending, journal)


@kernel
def lay_open(state: AnyRecord, seat: int, journal: Journal) -> None:
    """Everybody sees what a score is made of."""
    if len(journal) > 0:
        for card in range(1, NUM_CARDS + 1):
            for _ in range(state.hands[seat, card]):
                tell(journal, Note.SHOW.value, seat, card, 0)
        colour = colour_of(state, seat)
        tell(journal, Note.STEP.value, seat, Step.CROWNS.value, for_crowns(state, colour))
        tell(journal, Note.STEP.value, seat, Step.ROWS.value, state.rows[colour])
        tell(journal, Note.STEP.value, seat, Step.WIN.value, for_a_win(state, colour))


# 7. What each player sees


@kernel
def observe(state: AnyRecord, observer: int, view: AnyRecord) -> None:
    """The board and the discard pile are open; hands, a partner's too, and the deck are not. [Z9]"""
    see(state, observer, view, SEEN)


# 8. Imagining what is hidden


@kernel
def imagine(view: AnyRecord, rng: Rng, state: AnyRecord) -> None:
    """Cards the observer can't see are dealt anew, to the hands first those that can't be in the deck."""
    recall(view, state, SEEN)
    fresh_key(state, rng)
    left = COPIES_OF - view.hands[view.observer]
    for place in range(view.discard_size):
        left[view.discard[place]] -= 1
    unseen = np.zeros(DECK_SIZE, np.int8)
    imagine_deck(view, left, COPIES_OF, rng, unseen, state)
    taken = 0
    for seat in range(view.players):
        for _ in range(view.hand_sizes[seat] - view.hands[seat].sum()):
            state.hands[seat, unseen[taken]] += 1
            taken += 1
