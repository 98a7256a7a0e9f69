"""Ka-Ching! solved: alpha-beta to the end of the round, with a table of the positions that were met.

Nothing is hidden but money, which can be reckoned, and nothing is left to chance within a round. What is
found is how many dollars the seat in turn still gains on the other with best play of both. What lies in the
columns never changes, so a position is how high they are, what both own, and their money as far as it can
matter: who can pay all that is left in the columns is as good as any richer.

Values and bounds are dollars of the seat in turn, from now on; a move's price counts as it is made.
"""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.bots.heuristics.kaching import DENIAL, GIFT, WORTH
from kibitz.bots.solvers import Outlook, Tick, Weighed
from kibitz.bots.solvers.kaching_worths import (
    AT_THE_END,
    MORE_AT_FIRST,
    TURN,
    TURN_MORE,
    WILD,
    WILD_MORE,
)
from kibitz.core.common import frozen
from kibitz.core.kernel import kernel
from kibitz.core.layout import AnyRecord, Field, record_type
from kibitz.games.kaching import rules

Desk = npt.NDArray[np.int64]  # what changes, by the places below
Columns = npt.NDArray[np.int8]  # a state's own
Table = npt.NDArray[Any]
Lists = npt.NDArray[np.int32]  # of moves and how promising they are, a pair of rows a ply
Counts = npt.NDArray[np.int64]

# A desk
MONEY = 0  # + seat
WILDS = MONEY + rules.TRADERS  # + seat
HEIGHTS = WILDS + rules.TRADERS  # + column
STOCKS = HEIGHTS + rules.NUM_COLUMNS  # + seat * NUM_COLOURS + colour: the number of a holding
DESK_SIZE = STOCKS + rules.TRADERS * rules.NUM_COLOURS

# What is counted on the way: positions looked into, how many at most, positions judged instead of solved
NODES, LIMIT, JUDGED = range(3)

NUM_HOLDINGS = len(rules.NUM_SALES)
ALL_STOCKS = NUM_HOLDINGS**rules.NUM_COLOURS
MOST_PLIES = 120  # a purchase, a sale or a pass each; never two passes in a row
TO_THE_END = 100  # as a depth
SURE = 20_000  # beyond any value
UNKNOWN = -1  # as a move or a place in the table
TENTHS = 10  # of a dollar, in which stocks are judged

PLACES_AT_ONCE = 2  # in the table for a position: one for the deepest, one for the latest

ENTRY = record_type(
    [
        Field("stocks", np.int64, 0, 2**62),
        Field("rest", np.int64, 0, 2**62),
        Field("low", np.int16, -SURE, SURE),  # the value is at least this
        Field("high", np.int16, -SURE, SURE),  # and at most this
        Field("move", np.int16, UNKNOWN, rules.NUM_MOVES),
        Field("depth", np.int8, 0, TO_THE_END),
    ]
)


def _weights() -> list[int]:
    """What one card more of each value adds to the number of a holding."""
    return [int(np.prod(rules.RADIX[i + 1 :])) for i in range(rules.NUM_VALUES)]


def _best_sale(counts: tuple[int, ...]) -> int:
    values = [rules.LOWEST + i for i in reversed(range(rules.NUM_VALUES)) for _ in range(counts[i])]
    return values[0] * values[1] if len(values) > 1 else 0


def _dearest(counts: tuple[int, ...]) -> int:
    return max((rules.LOWEST + i for i in range(rules.NUM_VALUES) if counts[i]), default=0)


_PAIRS = list(
    zip(rules.PAIR_LOW[: rules.PAIRS_OF_A_COLOUR], rules.PAIR_HIGH[: rules.PAIRS_OF_A_COLOUR], strict=True)
)
_HOLDINGS = list(np.ndindex(*rules.RADIX))
WEIGHT = frozen(_weights())
OWNED = frozen([sum(counts) for counts in _HOLDINGS])  # by holding
BEST_SALE = frozen([_best_sale(counts) for counts in _HOLDINGS])
DEAREST = frozen([_dearest(counts) for counts in _HOLDINGS])
HAS = frozen([[counts[i] > 0 for i in range(rules.NUM_VALUES)] for counts in _HOLDINGS])
# By cards left in the columns, and holding
JUDGEMENT = frozen(
    [
        [end + more * left // rules.DECK_SIZE for end, more in zip(AT_THE_END, MORE_AT_FIRST, strict=True)]
        for left in range(rules.DECK_SIZE + 1)
    ]
)
# Of a pair
DROP = frozen(
    [
        WEIGHT[rules.VALUE[low] - rules.LOWEST] + WEIGHT[rules.VALUE[high] - rules.LOWEST]
        for low, high in _PAIRS
    ]
)
PRICE = frozen([rules.VALUE[low] * rules.VALUE[high] for low, high in _PAIRS])


@kernel
def spread(state: AnyRecord, desk: Desk) -> None:
    """Write a state's changing part on a desk."""
    for seat in range(rules.TRADERS):
        desk[MONEY + seat] = state.money[seat]
        desk[WILDS + seat] = state.wilds[seat]
        for colour in range(rules.NUM_COLOURS):
            desk[STOCKS + seat * rules.NUM_COLOURS + colour] = rules.holding(state.stocks[seat], colour)
    for column in range(rules.NUM_COLUMNS):
        desk[HEIGHTS + column] = state.heights[column]


@kernel
def best_sale(desk: Desk, seat: int) -> int:
    """What a trader's last sale brings: the dearest pair, or the dearest card with the wild."""
    best = 0
    dearest = 0
    for colour in range(rules.NUM_COLOURS):
        held = desk[STOCKS + seat * rules.NUM_COLOURS + colour]
        best = max(best, BEST_SALE[held])
        dearest = max(dearest, DEAREST[held])
    return max(best, rules.WILD_VALUE * dearest) if desk[WILDS + seat] else best


@kernel
def can_trade_on(desk: Desk, columns: Columns, seat: int) -> bool:
    """Whether a trader can buy or sell anything."""
    for column in range(rules.NUM_COLUMNS):
        height = desk[HEIGHTS + column]
        if height > 0 and rules.VALUE[columns[column, height - 1]] <= desk[MONEY + seat]:
            return True
    for colour in range(rules.NUM_COLOURS):
        owned = OWNED[desk[STOCKS + seat * rules.NUM_COLOURS + colour]]
        if owned >= 2 or (owned == 1 and desk[WILDS + seat]):
            return True
    return False


@kernel
def gain_on(desk: Desk, seat: int, card: int) -> Any:
    """How much better off a trader is for buying a card."""
    colour, value = (card - 1) // rules.NUM_VALUES, (card - 1) % rules.NUM_VALUES
    held = desk[STOCKS + seat * rules.NUM_COLOURS + colour]
    return WORTH[held + WEIGHT[value]] - WORTH[held] - rules.VALUE[card]


@kernel
def list_moves(desk: Desk, columns: Columns, seat: int, moves: Lists, promise: Lists) -> int:
    """What a trader may do, and how promising each move looks."""
    count = 0
    for column in range(rules.NUM_COLUMNS):
        height = desk[HEIGHTS + column]
        if height > 0 and rules.VALUE[columns[column, height - 1]] <= desk[MONEY + seat]:
            card = columns[column, height - 1]
            looks = gain_on(desk, seat, card) + DENIAL * max(0.0, gain_on(desk, 1 - seat, card))
            if height > 1:
                looks -= GIFT * max(0.0, gain_on(desk, 1 - seat, columns[column, height - 2]))
            moves[count], promise[count] = rules.BUY + column, int(8 * looks)
            count += 1
    for colour in range(rules.NUM_COLOURS):
        held = desk[STOCKS + seat * rules.NUM_COLOURS + colour]
        for i in range(rules.NUM_SALES[held]):
            pair = rules.SALES[held, i]
            lost = WORTH[held] - WORTH[held - DROP[pair]]
            moves[count] = rules.SELL + colour * rules.PAIRS_OF_A_COLOUR + pair
            promise[count] = int(8 * (PRICE[pair] - lost))
            count += 1
        if desk[WILDS + seat] and held:
            for i in range(rules.NUM_VALUES):
                if HAS[held, i]:
                    lost = WORTH[held] - WORTH[held - WEIGHT[i]]
                    moves[count] = rules.SELL_WITH_WILD + colour * rules.NUM_VALUES + i
                    promise[count] = int(8 * (rules.WILD_VALUE * (rules.LOWEST + i) - lost))
                    count += 1
    return count


@kernel
def change(desk: Desk, columns: Columns, seat: int, move: int, forth: int) -> int:
    """Carry a move out (`forth` is 1) or take it back (-1); returns what it brings."""
    if move < rules.SELL:
        column = move - rules.BUY
        height = desk[HEIGHTS + column] - (1 if forth > 0 else 0)
        card = int(columns[column, height])
        desk[HEIGHTS + column] -= forth
        colour, value = (card - 1) // rules.NUM_VALUES, (card - 1) % rules.NUM_VALUES
        desk[STOCKS + seat * rules.NUM_COLOURS + colour] += forth * WEIGHT[value]
        earned = -int(rules.VALUE[card])
    elif move < rules.SELL_WITH_WILD:
        colour, pair = (
            (move - rules.SELL) // rules.PAIRS_OF_A_COLOUR,
            (move - rules.SELL) % rules.PAIRS_OF_A_COLOUR,
        )
        desk[STOCKS + seat * rules.NUM_COLOURS + colour] -= forth * DROP[pair]
        earned = int(PRICE[pair])
    elif move < rules.PASS:
        colour, value = (
            (move - rules.SELL_WITH_WILD) // rules.NUM_VALUES,
            (move - rules.SELL_WITH_WILD) % rules.NUM_VALUES,
        )
        desk[STOCKS + seat * rules.NUM_COLOURS + colour] -= forth * WEIGHT[value]
        desk[WILDS + seat] -= forth
        earned = rules.WILD_VALUE * (rules.LOWEST + value)
    else:
        earned = 0
    desk[MONEY + seat] += forth * earned
    return earned


@kernel
def judge(desk: Desk, seat: int) -> Any:
    """About how much more a trader will still gain than the other, where the search goes no further."""
    left = 0
    for column in range(rules.NUM_COLUMNS):
        left += desk[HEIGHTS + column]
    ahead = TURN + TURN_MORE * left // rules.DECK_SIZE
    ahead += (WILD + WILD_MORE * left // rules.DECK_SIZE) * (desk[WILDS + seat] - desk[WILDS + 1 - seat])
    for colour in range(rules.NUM_COLOURS):
        ahead += JUDGEMENT[left, desk[STOCKS + seat * rules.NUM_COLOURS + colour]]
        ahead -= JUDGEMENT[left, desk[STOCKS + (1 - seat) * rules.NUM_COLOURS + colour]]
    return ahead // TENTHS


@kernel
def stocks_key(desk: Desk, seat: int) -> int:
    """What both own, as one number: the seat in turn first."""
    key = 0
    for who in (seat, 1 - seat):
        for colour in range(rules.NUM_COLOURS):
            key = key * NUM_HOLDINGS + desk[STOCKS + who * rules.NUM_COLOURS + colour]
    return key


@kernel
def rest_key(desk: Desk, columns: Columns, seat: int) -> Any:
    """Heights, wilds and money as far as it matters, as one number."""
    key = 0
    left = 0
    for column in range(rules.NUM_COLUMNS):
        key = key << 3 | desk[HEIGHTS + column]
        for i in range(desk[HEIGHTS + column]):
            left += rules.VALUE[columns[column, i]]
    key = key << 2 | desk[WILDS + seat] << 1 | desk[WILDS + 1 - seat]
    return (key << 8 | min(left, desk[MONEY + seat])) << 8 | min(left, desk[MONEY + 1 - seat])


@kernel
def place_of(stocks: int, rest: int, size: int) -> int:
    """Where the table keeps what is known about a position: the first of its places."""
    mixed = (stocks ^ (rest * 0x9E3779B97F4A7C1)) * 0x2545F4914F6CDD1D
    mixed ^= mixed >> 29
    mixed *= 0x1B873593CC9E2D51
    mixed ^= mixed >> 32
    return (mixed & (size // PLACES_AT_ONCE - 1)) * PLACES_AT_ONCE


@kernel
def find(table: Table, place: int, stocks: int, rest: int) -> int:
    """The entry of a position, or UNKNOWN."""
    for i in range(PLACES_AT_ONCE):
        if table[place + i].stocks == stocks and table[place + i].rest == rest:
            return place + i
    return UNKNOWN


@kernel
def make_room(table: Table, place: int, stocks: int, rest: int, depth: int) -> int:
    """The entry of a position, or one for it: the first place is for what was looked into deepest."""
    entry = find(table, place, stocks, rest)
    if entry == UNKNOWN:
        entry = place if depth >= table[place].depth else place + 1
        table[entry].stocks, table[entry].rest, table[entry].move = stocks, rest, UNKNOWN
        table[entry].depth = 0
    return entry


@kernel
def keep(known: AnyRecord, bound: int, value: int, depth: int, move: int) -> None:
    """Note what was found: at least the bound, by a move that shows it, or less."""
    if known.depth != depth:
        known.low, known.high, known.depth = -SURE, SURE, depth
    if value >= bound:
        known.low, known.move = value, move
    else:
        known.high = value


@kernel
def columns_held(desk: Desk) -> int:
    """How many columns still hold cards."""
    count = 0
    for column in range(rules.NUM_COLUMNS):
        if desk[HEIGHTS + column] > 0:
            count += 1
    return count


@kernel
def bring_forward(moves: Lists, promise: Lists, first: int, count: int, wanted: int) -> Any:
    """Put the wanted move, or the most promising one of those not tried yet, first among them."""
    best = first
    for i in range(first, count):
        if moves[i] == wanted:
            best = i
            break
        if promise[i] > promise[best]:
            best = i
    moves[first], moves[best] = moves[best], moves[first]
    promise[first], promise[best] = promise[best], promise[first]
    return moves[first]


@kernel
def search(
    desk: Desk,
    columns: Columns,
    seat: int,
    depth: int,
    bound: int,
    table: Table,
    lists: Lists,
    ply: int,
    counts: Counts,
) -> Any:
    """What the seat in turn gains: at least what is returned if that reaches the bound, else at most that.

    The search looks no further than `depth` moves, and judges there.
    """
    counts[NODES] += 1
    if columns_held(desk) <= rules.COLUMNS_AT_LAST_SALE:
        return best_sale(desk, seat) - best_sale(desk, 1 - seat)
    able = can_trade_on(desk, columns, seat)
    if not able and not can_trade_on(desk, columns, 1 - seat):
        return 0
    if depth == 0:
        counts[JUDGED] += 1
        return judge(desk, seat)
    stocks, rest = stocks_key(desk, seat), rest_key(desk, columns, seat)
    place = place_of(stocks, rest, len(table))
    entry = find(table, place, stocks, rest)
    if entry != UNKNOWN and table[entry].depth >= depth:
        low, high = int(table[entry].low), int(table[entry].high)
        if low >= bound or high < bound:
            counts[JUDGED] += table[entry].depth < TO_THE_END
            return low if low >= bound else high
    wanted = UNKNOWN if entry == UNKNOWN else int(table[entry].move)
    moves, promise = lists[2 * ply], lists[2 * ply + 1]
    count = list_moves(desk, columns, seat, moves, promise) if able else 1
    if not able:
        moves[0] = rules.PASS
    judged = counts[JUDGED]
    best, best_move = -SURE, UNKNOWN
    for i in range(count):
        move = bring_forward(moves, promise, i, count, wanted)
        earned = change(desk, columns, seat, move, 1)
        value = earned - search(
            desk, columns, 1 - seat, depth - 1, earned - bound + 1, table, lists, ply + 1, counts
        )
        change(desk, columns, seat, move, -1)
        if counts[NODES] >= counts[LIMIT]:
            return 0
        if value > best:
            best, best_move = value, move
        if best >= bound:
            break
    reached = depth if counts[JUDGED] > judged else TO_THE_END
    entry = make_room(table, place, stocks, rest, reached)
    keep(table[entry], bound, best, reached, best_move)
    return best


# Asking for it

TABLE_SIZE = 1 << 21  # entries at most: 64 MB
SMALLEST_TABLE = 1 << 10
NODES_BETWEEN_LOOKS = 1 << 18  # at the clock: some 50 ms
STEP = 2  # moves further at a time: judgements are best compared with the same seat in turn
FOLLOWED = 6  # moves of a line that the table is asked for

# How many dollars ahead make e times the odds to win: at the end of a round, and more for each card that is
# left in the columns. Fitted to 3,225 moments of 400 games between `medium` and `hard`.
DOLLARS, DOLLARS_A_CARD = 0.5, 0.12
SURELY = 0.99  # to win what is solved: others than the solver play it out (there 474 of 476 did)


class Round:
    """One round being solved: its desk, and the table of what was found."""

    def __init__(self, state: AnyRecord, nodes: int) -> None:
        self.desk = np.zeros(DESK_SIZE, np.int64)
        spread(state, self.desk)
        self.columns, self.seat = state.columns, int(state.turn)
        size = 1 << max(0, min(nodes, TABLE_SIZE)).bit_length()
        self.table = np.zeros(max(SMALLEST_TABLE, min(size, TABLE_SIZE)), ENTRY)
        self.lists = np.zeros((2 * MOST_PLIES, rules.NUM_MOVES), np.int32)
        self.counts = np.zeros(3, np.int64)
        self.most_nodes = nodes
        self.best = rules.PASS  # the best move, once a value was found

    def reaches(self, bound: int, depth: int, tick: Tick) -> int | None:
        """On which side of a bound the value is, a step nearer to it; None if there is no more time."""
        while True:
            left = self.most_nodes - int(self.counts[NODES])
            if left <= 0:
                return None
            self.counts[LIMIT] = self.counts[NODES] + min(left, NODES_BETWEEN_LOOKS)
            value = search(
                self.desk, self.columns, self.seat, depth, bound, self.table, self.lists, 0, self.counts
            )
            if self.counts[NODES] < self.counts[LIMIT]:
                return int(value)
            if not tick(int(self.counts[NODES])):
                return None

    def value(self, guess: int, depth: int, tick: Tick) -> int | None:
        """The value, closed in on from both sides; None if there is no more time."""
        self.counts[JUDGED] = 0
        low, high, value = -SURE, SURE, guess
        while low < high:
            bound = value + 1 if value == low else value
            found = self.reaches(bound, depth, tick)
            if found is None:
                return None
            value = found
            if value >= bound:
                low, self.best = value, self.kept_move()  # now: later it may have lost its place in the table
            else:
                high = value
        return value

    def kept_move(self, otherwise: int = rules.PASS) -> int:
        """The move by which the last bound was reached; who is stuck passes."""
        stocks, rest = stocks_key(self.desk, self.seat), rest_key(self.desk, self.columns, self.seat)
        entry = find(self.table, place_of(stocks, rest, len(self.table)), stocks, rest)
        return otherwise if entry == UNKNOWN else int(self.table[entry].move)

    def play(self, move: int) -> int:
        """Go on by a move; returns what it brings."""
        earned = int(change(self.desk, self.columns, self.seat, move, 1))
        self.seat = 1 - self.seat
        return earned

    def take_back(self, move: int) -> None:
        """Undo the last move."""
        self.seat = 1 - self.seat
        change(self.desk, self.columns, self.seat, move, -1)

    def moves(self) -> list[int]:
        """What the seat in turn may do while there is trade."""
        count = list_moves(self.desk, self.columns, self.seat, self.lists[0], self.lists[1])
        return self.lists[0, :count].tolist() or [rules.PASS]

    def values(self, guess: int, depth: int, tick: Tick) -> dict[int, tuple[int, bool]] | None:
        """What each move brings, the best first, and whether that is sure; None if there is no more time."""
        value = self.value(guess, depth, tick)
        if value is None:
            return None
        found = {self.best: (value, not self.counts[JUDGED])}
        for move in self.moves():
            if move not in found:
                earned = self.play(move)
                theirs = self.value(earned - value, depth - 1, tick)
                self.take_back(move)
                if theirs is None:
                    return None
                found[move] = earned - theirs, not self.counts[JUDGED]
        return dict(sorted(found.items(), key=lambda item: -item[1][0]))

    def followed(self, move: int) -> tuple[int, ...]:
        """A move, and the best ones after it that the table knows."""
        moves: list[int] = []
        while move != UNKNOWN and len(moves) < FOLLOWED:
            moves.append(move)
            self.play(move)
            move = self.kept_move(otherwise=UNKNOWN)
        for made in reversed(moves):
            self.take_back(made)
        return tuple(moves)

    def all_best(self, value: int, tick: Tick) -> tuple[int, ...] | None:
        """Every move that keeps the value, the one found first first; None if there is no more time."""
        first = self.best
        found = [first]
        for move in self.moves():
            if move != first:
                rest = self.play(move) - value
                theirs = self.reaches(rest + 1, TO_THE_END, tick)
                self.take_back(move)
                if theirs is None:
                    return None
                found += [move] if theirs <= rest else []
        return tuple(found)

    def line(self, value: int, tick: Tick) -> tuple[int, ...] | None:
        """The best moves of both to the end of the round; None if there is no more time."""
        moves: list[int] = []
        while columns_held(self.desk) > rules.COLUMNS_AT_LAST_SALE and self.somebody_trades():
            found = self.value(value, TO_THE_END, tick)
            if found is None:
                return None
            moves.append(self.best)
            value = self.play(moves[-1]) - found
        if columns_held(self.desk) <= rules.COLUMNS_AT_LAST_SALE:
            for _ in range(rules.TRADERS):
                moves.append(next(iter(self.last_sales())))
                self.play(moves[-1])
        return tuple(moves)

    def somebody_trades(self) -> bool:
        """Whether anybody can buy or sell."""
        return any(can_trade_on(self.desk, self.columns, seat) for seat in range(rules.TRADERS))

    def last_sales(self) -> dict[int, int]:
        """What each of the last sales brings, the best first, and none."""
        sales = {move: self.price(move) for move in self.moves() if rules.SELL <= move < rules.PASS} | {
            rules.PASS: 0
        }
        return dict(sorted(sales.items(), key=lambda item: -item[1]))

    def price(self, move: int) -> int:
        """What a sale brings."""
        earned = self.play(move)
        self.take_back(move)
        return earned


class KachingSolver:
    """Looks deeper and deeper; a round whose end is seen on every way is solved."""

    per_node = 20  # as many as take as long as a descent with its rollout
    weighed_per_node = 5 * per_node  # there are some five moves

    def knows_enough(self, view: AnyRecord) -> bool:
        """Who has followed the game knows the other's money, shown or not."""
        return bool((view.known_money != rules.HIDDEN_MONEY).all())

    def why_not(self, state: AnyRecord) -> str | None:
        """Why a state can't be solved at all; None if it can."""
        if state.phase == rules.Phase.OVER:
            return "the game is over"
        if state.moves + MOST_PLIES > rules.MAX_MOVES:
            return f"the round may end by its {rules.MAX_MOVES} moves, which the solver doesn't count"
        return None

    def look(self, state: AnyRecord, nodes: int, tick: Tick) -> Outlook:
        """Look deeper and deeper, until it is solved or so many positions are looked into."""
        return self._look(state, Round(state, nodes), tick)

    def _look(self, state: AnyRecord, here: Round, tick: Tick) -> Outlook:
        ahead = _ahead(state)
        if state.phase == rules.Phase.LAST_SALE:
            return _last_sale(state, here)
        finding = Outlook((here.moves()[0],), ahead, (), False, 0, 0)
        for depth in range(1, MOST_PLIES, STEP):
            value = here.value(finding.margin - ahead, depth, tick)
            nodes = int(here.counts[NODES])
            if value is None:
                return replace(finding, nodes=nodes)
            solved = not here.counts[JUDGED]
            finding = Outlook((here.best,), ahead + value, (here.best,), solved, depth, nodes)
            if solved:
                break
        return finding

    def weigh(self, state: AnyRecord, nodes: int, tick: Tick) -> tuple[Weighed, ...] | None:
        """All moves, the best first; None where the end of the round doesn't decide the game."""
        if state.series != rules.Series.SINGLE:
            return None
        ahead, left, here = _ahead(state), int(state.heights.sum()), Round(state, nodes)
        if state.phase == rules.Phase.LAST_SALE:
            ahead -= _their_last_sale(state, here)
            return tuple(
                Weighed(move, ahead + value, float(ahead + value >= 0), (move,))
                for move, value in here.last_sales().items()
            )
        found = [
            Weighed(move, ahead + value, _chance(ahead + value, left, sure), here.followed(move))
            for move, (value, sure) in self._values(here, tick).items()
        ]
        return tuple(sorted(found, key=lambda each: (-each.chance, -each.margin)))

    def _values(self, here: Round, tick: Tick) -> dict[int, tuple[int, bool]]:
        """What each move brings, looked into deeper and deeper, and whether that is sure."""
        values = dict.fromkeys(here.moves(), (0, False))
        for depth in range(1, MOST_PLIES, STEP):
            guess, _ = next(iter(values.values()))
            found = here.values(guess, depth, tick)
            if found is None:
                break
            values = found
            if all(sure for _, sure in values.values()):
                break
        return values

    def solve(self, state: AnyRecord, nodes: int, tick: Tick) -> Outlook:
        """The same, then all best moves and the line; not solved if there is no time left for these."""
        here = Round(state, nodes)
        finding = self._look(state, here, tick)
        if not finding.solved or state.phase == rules.Phase.LAST_SALE:
            return finding
        value = finding.margin - _ahead(state)
        best = here.all_best(value, tick)
        line = best and here.line(value, tick)
        if best is None or line is None:
            return replace(finding, solved=False)
        return replace(finding, best=best, line=line, nodes=int(here.counts[NODES]))


def _ahead(state: AnyRecord) -> int:
    return int(state.money[state.turn]) - int(state.money[1 - state.turn])


def _chance(margin: int, left: int, sure: bool) -> float:
    """How likely who will be so far ahead wins, with so many cards left; who is level shares the win."""
    if sure:
        return SURELY if margin >= 0 else 1 - SURELY
    return 1 / (1 + math.exp(-margin / (DOLLARS + DOLLARS_A_CARD * left)))


def _their_last_sale(state: AnyRecord, here: Round) -> int:
    """What it will bring, if it is still to come."""
    return int(best_sale(here.desk, 1 - here.seat)) if state.closing == rules.TRADERS else 0


def _last_sale(state: AnyRecord, here: Round) -> Outlook:
    sales = here.last_sales()
    most = max(sales.values())
    best = tuple(move for move in sales if sales[move] == most)
    margin = _ahead(state) + most - _their_last_sale(state, here)
    line = [best[0]]
    if state.closing == rules.TRADERS:
        here.play(best[0])
        line.append(next(iter(here.last_sales())))
    return Outlook(best, margin, tuple(line), True, len(line), 1)


SOLVER = KachingSolver()
