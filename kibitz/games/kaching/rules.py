"""The rules of Ka-Ching!, told in the rulebook's order.

Two traders buy stock cards from five columns and sell pairs of one colour for the product of their values.
"""

from collections.abc import Mapping
from enum import IntEnum

import numpy as np

from kibitz.core.cards import NO_CARD, CardCodes
from kibitz.core.chance import Block, fresh_block, fresh_key, pick, shuffle
from kibitz.core.common import add_if, find_starter, frozen, highest_wins, recall, see
from kibitz.core.forms import FLAG, NUMBER, SEAT, EachRow, EachSeat, Holding, Number, Pile
from kibitz.core.journal import Journal, Note, tell
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
from kibitz.core.options import RANDOM_SEAT, Option, Value, seat_option

# 1. In the box

COLOURS = "RYGBP"
VALUES_OF_A_COLOUR = (2, 2, 3, 3, 4, 5, 6)
LOWEST, HIGHEST = min(VALUES_OF_A_COLOUR), max(VALUES_OF_A_COLOUR)
NUM_COLOURS = len(COLOURS)
NUM_VALUES = HIGHEST - LOWEST + 1
NUM_CARDS = NUM_COLOURS * NUM_VALUES  # different ones; a card is a number from 1 to this, 0 is no card
DECK_SIZE = NUM_COLOURS * len(VALUES_OF_A_COLOUR)
WILD_VALUE = 2

TRADERS = 2
NUM_COLUMNS = 5
COLUMN_SIZE = DECK_SIZE // NUM_COLUMNS
OPENING_MONEY = 20
COLUMNS_AT_LAST_SALE = 2
MAX_MOVES = 200
MOST_ROUNDS = 20  # of a series


def card(colour: int, value: int) -> int:
    """The number of a card."""
    return 1 + colour * NUM_VALUES + value - LOWEST


VALUE = frozen([0] + [value for _ in COLOURS for value in range(LOWEST, HIGHEST + 1)])
# Of a colour's holding as a number, lowest value first
RADIX = frozen([VALUES_OF_A_COLOUR.count(value) + 1 for value in range(LOWEST, HIGHEST + 1)])
CARDS = CardCodes(
    [f"{colour}{value}" for colour in COLOURS for value in range(LOWEST, HIGHEST + 1)],
    expected="a card such as 'R4'",
)
COPIES = frozen(
    [0] + [VALUES_OF_A_COLOUR.count(value) for _ in COLOURS for value in range(LOWEST, HIGHEST + 1)]
)
DECK = frozen([card(colour, value) for colour in range(NUM_COLOURS) for value in VALUES_OF_A_COLOUR], np.int8)


# 2. The table


class Phase(IntEnum):
    """The parts of a round; 0 is `over`, as in every game."""

    OVER = 0
    TRADE = 1
    LAST_SALE = 2


class Ending(IntEnum):
    """Why a round, and with it perhaps the game, is over."""

    NONE = 0
    LAST_SALE = 1  # both have made their last sale
    STUCK = 2  # neither can buy or sell [K2]
    MOVES = 3  # the round has reached MAX_MOVES
    MAJORITY = 4  # somebody has won most of the rounds
    ROUNDS = 5  # all agreed rounds are played
    MAX_ROUNDS = 6  # the most rounds any game may have are played


class Step(IntEnum):
    """What a round's result is made of."""

    MONEY = 0
    PROFIT = 1


class Series(IntEnum):
    """Option `series`: how several rounds make a game."""

    SINGLE = 0
    BEST_OF = 1
    TOTAL = 2


HIDDEN_MONEY = -1

MOST_MONEY = 9999  # in a position from outside; a dealt round brings a few hundred at most
LEAST_TOTAL, MOST_TOTAL = -MAX_ROUNDS * OPENING_MONEY, MAX_ROUNDS * MOST_MONEY
MOST_ROUNDS_OF_A_MAJORITY = 9


def _fits_the_series(options: Mapping[str, Value]) -> str | None:
    """A majority needs an odd number of rounds; what else is expected."""
    rounds = options["rounds"]
    assert isinstance(rounds, int)
    if options["series"] == "best_of" and (rounds % 2 == 0 or rounds > MOST_ROUNDS_OF_A_MAJORITY):
        return f"an odd number from 1 to {MOST_ROUNDS_OF_A_MAJORITY} for a best_of"
    return None


SERIES = Option("series", "single", ("single", "best_of", "total"))
ROUNDS = Option(
    "rounds",
    3,
    (range(1, MOST_ROUNDS + 1),),
    only_with=("series", ("best_of", "total")),
    agrees=_fits_the_series,
)
OPEN_MONEY = Option("open_money", False, (False, True))
STARTER = seat_option("starter")

STOCKS = (TRADERS, NUM_CARDS + 1)  # how many of each card, for each seat

LAYOUT = Layout(
    TRADERS,
    [
        # The free card of a column is the last.
        Field(
            "columns", np.int8, 0, NUM_CARDS, (NUM_COLUMNS, COLUMN_SIZE), form=EachRow(Pile(CARDS, "heights"))
        ),
        Field("heights", np.int8, 0, COLUMN_SIZE, NUM_COLUMNS),
        Field("stocks", np.int8, 0, 2, STOCKS, form=EachSeat(Holding(CARDS))),
        Field("wilds", np.int8, 0, 1, TRADERS, form=EachSeat(FLAG)),  # 1 while the seat's wild is unused
        Field(
            "money", np.int16, 0, MOST_MONEY, TRADERS, seen=Seen.BY_RULE, form=EachSeat(Number(HIDDEN_MONEY))
        ),
        Field("sold", np.int8, 0, DECK_SIZE + TRADERS, form=NUMBER),  # cards out of play, wilds too
        Field("starter", np.int8, 0, TRADERS - 1, form=SEAT),  # who began this round
        Field("series", np.int8, 0, len(Series) - 1, option=SERIES, key="series"),
        Field("rounds", np.int8, 1, MOST_ROUNDS, option=ROUNDS, key="series"),
        Field("wins", np.int16, 0, MAX_ROUNDS, TRADERS, key="series"),  # finished rounds won
        Field("totals", np.int32, LEAST_TOTAL, MOST_TOTAL, TRADERS, key="series"),  # their profits
        Field("closing", np.int8, 0, TRADERS, form=NUMBER),  # last-sale decisions still to come
        Field("open_money", np.bool_, 0, 1, option=OPEN_MONEY),
        Field("starter_option", np.int8, RANDOM_SEAT, TRADERS - 1, option=STARTER),
        # Money as who has followed the whole game knows it.
        Field("known_money", np.int16, HIDDEN_MONEY, MOST_MONEY, TRADERS, seen=Seen.IN_VIEWS),
    ],
)
STATE, VIEW, SEEN = LAYOUT.state, LAYOUT.view, LAYOUT.seen


# 3. What a player may do

BUY = 0  # + column
SELL = BUY + NUM_COLUMNS  # + pair
_PAIRS = [
    (card(colour, low), card(colour, high))
    for colour in range(NUM_COLOURS)
    for low in range(LOWEST, HIGHEST + 1)
    for high in range(low, HIGHEST + 1)
    if low < high or VALUES_OF_A_COLOUR.count(low) > 1
]
NUM_PAIRS = len(_PAIRS)
PAIRS_OF_A_COLOUR = NUM_PAIRS // NUM_COLOURS
SELL_WITH_WILD = SELL + NUM_PAIRS  # + card - 1
PASS = SELL_WITH_WILD + NUM_CARDS
NUM_MOVES = PASS + 1

PAIR_LOW = frozen([low for low, _ in _PAIRS])
PAIR_HIGH = frozen([high for _, high in _PAIRS])


def _sales(counts: tuple[int, ...]) -> list[int]:
    """Which of a colour's pairs can be sold from a holding, counted from that colour's first."""
    first_colour = _PAIRS[:PAIRS_OF_A_COLOUR]
    owned = {card(0, LOWEST + i): count for i, count in enumerate(counts)}
    return [
        index
        for index, (low, high) in enumerate(first_colour)
        if owned[low] > 0 and owned[high] > (1 if low == high else 0)
    ]


_SALES = [_sales(counts) for counts in np.ndindex(*RADIX)]
NUM_SALES = frozen([len(sales) for sales in _SALES])  # by holding
SALES = frozen([sales + [0] * (PAIRS_OF_A_COLOUR - len(sales)) for sales in _SALES])

MAX_NOTES = 16  # journal rows that one move can cause


@inlined
def legal_moves(state: AnyRecord, moves: Moves) -> int:
    """Fill `moves` with what the seat in turn may do, in ascending order, and return how many there are."""
    if state.phase == Phase.TRADE:
        count = add_purchases(state, moves, 0)
        count = add_sales(state, moves, count)
        if count == 0:  # [K1], [K3]
            count = add(moves, count, PASS)
        return count
    if state.phase == Phase.LAST_SALE:
        count = add_sales(state, moves, 0)
        return add(moves, count, PASS)
    return 0


@kernel
def add(moves: Moves, count: int, move: int) -> int:
    """Add a move to the list."""
    moves[count] = move
    return count + 1


@inlined
def add_purchases(state: AnyRecord, moves: Moves, count: int) -> int:
    """The free card of a column may be bought by who can pay its value."""
    money = state.money[state.turn]
    for column in range(NUM_COLUMNS):
        affordable = state.heights[column] > 0 and VALUE[free_card(state, column)] <= money
        count = add_if(affordable, moves, count, BUY + column)
    return count


@inlined
def add_sales(state: AnyRecord, moves: Moves, count: int) -> int:
    """Two owned cards of one colour may be sold, or the unused wild with any owned card. [K6]"""
    stock = state.stocks[state.turn]
    for colour in range(NUM_COLOURS):
        held = holding(stock, colour)
        for i in range(NUM_SALES[held]):
            count = add(moves, count, SELL + colour * PAIRS_OF_A_COLOUR + SALES[held, i])
    if state.wilds[state.turn]:
        for owned in range(1, NUM_CARDS + 1):
            count = add_if(stock[owned] > 0, moves, count, SELL_WITH_WILD + owned - 1)
    return count


@kernel
def holding(stock: Cards, colour: int) -> int:
    """A number for what a trader owns of a colour: an index of tables by holding.

    Random games are a third faster with what can be sold looked up than with every pair tried.
    """
    number = 0
    for i in range(NUM_VALUES):
        number = number * RADIX[i] + stock[1 + colour * NUM_VALUES + i]
    return number


@kernel
def free_card(state: AnyRecord, column: int) -> int:
    """Only the last card of a column is free."""
    return state.columns[column, state.heights[column] - 1]


@kernel
def owned_in(stock: Cards, colour: int) -> int:
    """How many cards of a colour a trader owns."""
    first = 1 + colour * NUM_VALUES
    count = 0
    for owned in range(first, first + NUM_VALUES):
        count += stock[owned]
    return count


@kernel
def can_trade(state: AnyRecord, seat: int) -> bool:
    """Whether a trader can buy or sell anything."""
    for column in range(NUM_COLUMNS):
        if state.heights[column] > 0 and VALUE[free_card(state, column)] <= state.money[seat]:
            return True
    for colour in range(NUM_COLOURS):
        owned = owned_in(state.stocks[seat], colour)
        if owned >= 2 or (owned == 1 and state.wilds[seat]):
            return True
    return False


# 4. Setting up


@kernel
def set_up(state: AnyRecord, journal: Journal) -> None:
    """Find out who begins, then deal the first round."""
    deal(state, find_starter(state), journal)


@kernel
def deal(state: AnyRecord, block: Block, journal: Journal) -> None:
    """Five open columns of seven; everybody gets $20 and a wild."""
    cards = DECK.copy()
    shuffle(state, cards, block)
    for place in range(DECK_SIZE):
        state.columns[place // COLUMN_SIZE, place % COLUMN_SIZE] = cards[place]
    state.heights[:] = COLUMN_SIZE
    state.stocks[:] = 0
    state.wilds[:] = 1
    state.money[:] = OPENING_MONEY
    state.sold = 0
    state.closing = 0
    state.moves = 0
    state.turn = state.starter
    state.phase = Phase.TRADE.value
    tell(journal, Note.ROUND.value, state.starter, 0, state.round_number)


# 5. A turn


@inlined
def play(state: AnyRecord, move: int, journal: Journal) -> None:
    """A turn is a purchase or a sale; where neither is possible, and in the last sale, it may be a pass."""
    seat = state.turn
    tell(journal, Note.MOVE.value, seat, move, 0)
    carry_out(state, move, journal)
    state.moves += 1
    state.turn = 1 - seat
    if state.phase == Phase.TRADE:
        ending = go_on_trading(state, journal)
    else:
        ending = go_on_closing(state)
    if ending == Ending.NONE and state.moves >= MAX_MOVES:
        ending = Ending.MOVES.value
    if ending != Ending.NONE:
        end_round(state, ending, journal)


@inlined
def carry_out(state: AnyRecord, move: int, journal: Journal) -> None:
    """Buy, sell, or do nothing."""
    if move < SELL:
        buy(state, move - BUY, journal)
    elif move < SELL_WITH_WILD:
        sell(state, PAIR_LOW[move - SELL], PAIR_HIGH[move - SELL], journal)
    elif move < PASS:
        sell_with_wild(state, move - SELL_WITH_WILD + 1, journal)


@inlined
def buy(state: AnyRecord, column: int, journal: Journal) -> None:
    """Take the free card and pay its value."""
    bought = free_card(state, column)
    state.heights[column] -= 1
    state.columns[column, state.heights[column]] = NO_CARD
    state.stocks[state.turn, bought] += 1
    tell(journal, Note.TAKE.value, state.turn, bought, NOBODY)
    earn(state, -VALUE[bought], journal)


@kernel
def sell(state: AnyRecord, low: int, high: int, journal: Journal) -> None:
    """Two cards of one colour bring the product of their values."""
    state.stocks[state.turn, low] -= 1
    state.stocks[state.turn, high] -= 1
    state.sold += 2
    earn(state, VALUE[low] * VALUE[high], journal)


@kernel
def sell_with_wild(state: AnyRecord, other: int, journal: Journal) -> None:
    """The wild stands for a 2 of any colour, once a round."""
    state.stocks[state.turn, other] -= 1
    state.wilds[state.turn] = 0
    state.sold += 2
    earn(state, WILD_VALUE * VALUE[other], journal)


@kernel
def earn(state: AnyRecord, amount: int, journal: Journal) -> None:
    """The bank pays and takes any amount and never runs out. [K4] [K5]"""
    state.money[state.turn] += amount
    tell(journal, Note.MONEY.value, state.turn, 0, amount)


@inlined
def go_on_trading(state: AnyRecord, journal: Journal) -> int:
    """With two columns left the last sale begins, by who is next [K9]; if nobody can trade it ends [K2]."""
    if columns_left(state) <= COLUMNS_AT_LAST_SALE:
        state.phase = Phase.LAST_SALE.value
        state.closing = TRADERS
        tell(journal, Note.PHASE.value, NOBODY, Phase.LAST_SALE.value, 0)
    elif not can_trade(state, 0) and not can_trade(state, 1):
        return Ending.STUCK.value
    return Ending.NONE.value


@kernel
def columns_left(state: AnyRecord) -> int:
    """How many columns still hold cards."""
    count = 0
    for column in range(NUM_COLUMNS):
        if state.heights[column] > 0:
            count += 1
    return count


@kernel
def go_on_closing(state: AnyRecord) -> int:
    """In the last sale each decides once."""
    state.closing -= 1
    return Ending.LAST_SALE.value if state.closing == 0 else Ending.NONE.value


# 6. The end


@kernel
def is_over(state: AnyRecord) -> bool:
    """Whether the game has ended."""
    return state.phase == Phase.OVER


@kernel
def score(state: AnyRecord, points: Points) -> None:
    """A round's result is the money; cards left over count nothing."""
    for seat in range(TRADERS):
        points[seat] = state.money[seat]


@kernel
def end_round(state: AnyRecord, ending: int, journal: Journal) -> None:
    """Count the money; then the game is over, or the other player begins a new round."""
    count_round(state, journal)
    tell(journal, Note.SCORED.value, NOBODY, ending, state.round_number)
    over = game_ending(state, ending)
    if over != Ending.NONE:
        end_game(state, over, journal)
    else:
        state.round_number += 1
        state.starter = 1 - state.starter
        deal(state, fresh_block(), journal)


@kernel
def count_round(state: AnyRecord, journal: Journal) -> None:
    """The richer trader wins the round, nobody if equal [K7]; profits are the money beyond the first $20."""
    points = np.zeros(TRADERS, np.int32)
    score(state, points)
    for seat in range(TRADERS):
        profit = points[seat] - OPENING_MONEY
        state.totals[seat] += profit
        if points[seat] > points[1 - seat]:
            state.wins[seat] += 1
        tell(journal, Note.STEP.value, seat, Step.MONEY.value, points[seat])
        tell(journal, Note.STEP.value, seat, Step.PROFIT.value, profit)
        if state.series == Series.SINGLE:
            state.scores[seat] = points[seat]
        elif state.series == Series.BEST_OF:
            state.scores[seat] = state.wins[seat]
        else:
            state.scores[seat] = state.totals[seat]


@kernel
def game_ending(state: AnyRecord, ending: int) -> int:
    """One round, a majority of won rounds [K7], or all agreed rounds make a game."""
    if state.series == Series.SINGLE:
        return ending
    if state.series == Series.BEST_OF and max(state.wins[0], state.wins[1]) > state.rounds // 2:
        return Ending.MAJORITY.value
    if state.series == Series.TOTAL and state.round_number >= state.rounds:
        return Ending.ROUNDS.value
    return Ending.MAX_ROUNDS.value if state.round_number >= MAX_ROUNDS else Ending.NONE.value


@kernel
def end_game(state: AnyRecord, ending: int, journal: Journal) -> None:
    """The highest score wins; equal scores share the win. [K7]"""
    state.closing = 0
    highest_wins(state, ending, journal)


# 7. What each player sees


@kernel
def observe(state: AnyRecord, observer: int, view: AnyRecord) -> None:
    """Everything is open but the other's money [K8], which who has followed the game knows all the same."""
    see(state, observer, view, SEEN)
    for seat in range(TRADERS):
        shown = seat == observer or state.open_money or state.phase == Phase.OVER
        view.money[seat] = state.money[seat] if shown else HIDDEN_MONEY
        known = shown or observer != NOBODY
        view.known_money[seat] = state.money[seat] if known else HIDDEN_MONEY


# 8. Imagining what is hidden


@kernel
def imagine(view: AnyRecord, rng: Rng, state: AnyRecord) -> None:
    """Money the observer can't know is guessed near what is known; the next deals are anybody's guess."""
    recall(view, state, SEEN)
    fresh_key(state, rng)
    for seat in range(TRADERS):
        if view.known_money[seat] != HIDDEN_MONEY:
            state.money[seat] = view.known_money[seat]
        else:
            state.money[seat] = guess_money(view, rng, seat)


@kernel
def guess_money(view: AnyRecord, rng: Rng, seat: int) -> int:
    """Up to twice what the other trader is known to have, or what was dealt; enough to go on with."""
    other = view.known_money[1 - seat]
    middle = OPENING_MONEY if other == HIDDEN_MONEY else max(wide(other), HIGHEST)
    return HIGHEST + pick(rng, 2 * middle)
