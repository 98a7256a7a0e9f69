"""A table of Cover Your Assets in few numbers, as it is and as a move will make it.

Of each stack the top two sets count by themselves, all beneath by its worth. A move is foreseen as far as its
seat can: no card is drawn.
"""

import numpy as np
import numpy.typing as npt

from kibitz.core.common import next_seat
from kibitz.core.kernel import kernel, wide
from kibitz.core.layout import NOBODY, AnyRecord
from kibitz.games.assets import rules
from kibitz.games.assets.box import COPIES, GOLD, NUM_CARDS, SILVER, VALUE
from kibitz.games.assets.rules import SEATS

Counts = npt.NDArray[np.int64]  # by card, or a row of a table
Table = npt.NDArray[np.int64]  # a row for each seat, and one for what lies between them

# By seat
BURIED, TOP, STAKE, BENEATH, BENEATH_WORTH, HEIGHT, CARDS = range(7)  # worth, asset, worth, asset, worth
# ... and the row behind the seats
BETWEEN = SEATS
PILE_TOP, PILE_NEXT, THIEF, VICTIM, SHOWN, NEXT, DECK = range(7)
COLUMNS = 7


# Reading a table


@kernel
def read_table(state: AnyRecord, table: Table) -> None:
    """What lies open, as far as it counts."""
    for seat in range(wide(state.players)):
        read_stack(state, seat, table[seat])
    between = table[BETWEEN]
    size = wide(state.pile_size)
    between[PILE_TOP] = wide(state.pile[size - 1]) if size > 0 else 0
    between[PILE_NEXT] = wide(state.pile[size - 2]) if size > 1 else 0
    between[THIEF], between[VICTIM], between[SHOWN] = wide(state.thief), wide(state.victim), 0
    between[NEXT], between[DECK] = wide(state.turn), wide(state.deck_size)
    if state.thief != NOBODY:
        for side in range(2):
            for i in range(state.shown_sizes[side]):
                table[wide(state.victim), STAKE] += VALUE[state.edition, state.shown[side, i]]
                between[SHOWN] += 1


@kernel
def read_stack(state: AnyRecord, seat: int, row: Counts) -> None:
    """A seat's top two sets, what lies beneath, and how many cards it holds."""
    values = VALUE[state.edition]
    row[:] = 0
    for place in range(state.heights[seat]):
        worth = wide(state.counts[seat, place]) * values[state.assets[seat, place]]
        worth += wide(state.silvers[seat, place]) * values[SILVER]
        worth += wide(state.golds[seat, place]) * values[GOLD]
        put_on_top(row, wide(state.assets[seat, place]), worth)
    row[CARDS] = wide(state.sizes[seat])


@kernel
def put_on_top(row: Counts, asset: int, worth: int) -> None:
    """A set covers a stack."""
    row[BURIED] += row[STAKE]
    row[BENEATH], row[BENEATH_WORTH] = row[TOP], row[STAKE]
    row[TOP], row[STAKE] = asset, worth
    row[HEIGHT] += 1


@kernel
def count_hand(state: AnyRecord, seat: int, held: Counts) -> None:
    """How many of each card a seat holds."""
    held[:] = 0
    for i in range(state.sizes[seat]):
        held[state.hands[seat, i]] += 1


@kernel
def count_unseen(state: AnyRecord, held: Counts, unseen: Counts) -> None:
    """How many of each card are hidden from who holds these; as number 0, how many in all."""
    for card in range(1, NUM_CARDS + 1):
        unseen[card] = COPIES[state.edition, card] - held[card]
    for place in range(state.pile_size):
        unseen[state.pile[place]] -= 1
    for seat in range(wide(state.players)):
        for place in range(state.heights[seat]):
            unseen[state.assets[seat, place]] -= wide(state.counts[seat, place])
            unseen[SILVER] -= wide(state.silvers[seat, place])
            unseen[GOLD] -= wide(state.golds[seat, place])
    for side in range(2):
        for i in range(state.shown_sizes[side]):
            unseen[state.shown[side, i]] -= 1
    unseen[0] = 0
    unseen[0] = unseen.sum()


# What a move makes of a table, before a card is drawn


@kernel
def foresee(state: AnyRecord, move: int, table: Table, held: Counts) -> None:
    """The table, and the hand of the seat in turn, after its move."""
    seat, between = wide(state.turn), table[BETWEEN]
    if move < rules.DISCARD:
        foresee_set(state, move, table, held)
        end_turn(state, seat, table)
    elif move < rules.STEAL:
        card = move - rules.DISCARD + 1
        spend(seat, card, table, held)
        between[PILE_TOP], between[PILE_NEXT] = card, between[PILE_TOP]
        end_turn(state, seat, table)
    elif move < rules.YIELD:
        foresee_card(state, move, table, held)
    elif move == rules.YIELD:
        end_duel(state, seat == between[VICTIM], table)


@kernel
def spend(seat: int, card: int, table: Table, held: Counts) -> None:
    """A card leaves the hand."""
    held[card] -= 1
    table[seat, CARDS] -= 1


@kernel
def foresee_set(state: AnyRecord, move: int, table: Table, held: Counts) -> None:
    """A new set, from the hand or with the top discard."""
    seat, between = wide(state.turn), table[BETWEEN]
    if move < rules.TAKE:
        asset, partner = (move - rules.PAIR) // rules.PARTNERS + 1, (move - rules.PAIR) % rules.PARTNERS
    else:
        asset, way = (move - rules.TAKE) // rules.TAKES + 1, (move - rules.TAKE) % rules.TAKES
        partner = way if way < rules.PARTNERS else way - rules.PARTNERS + 1
    other = asset if partner == 0 else SILVER + partner - 1
    if move < rules.TAKE:
        spend(seat, asset, table, held)
        spend(seat, other, table, held)
    else:
        spend(seat, asset if between[PILE_TOP] == other else other, table, held)
        between[PILE_TOP], between[PILE_NEXT] = between[PILE_NEXT], 0
    put_on_top(table[seat], asset, VALUE[state.edition, asset] + VALUE[state.edition, other])


@kernel
def foresee_card(state: AnyRecord, move: int, table: Table, held: Counts) -> None:
    """A card is shown in a duel, or begins one; who can't answer with any loses the set."""
    seat, between = wide(state.turn), table[BETWEEN]
    if move < rules.DEFEND:
        between[THIEF], between[VICTIM] = seat, (move - rules.STEAL) // NUM_CARDS
        card = (move - rules.STEAL) % NUM_CARDS + 1
    else:
        card = move - (rules.DEFEND if move < rules.PRESS else rules.PRESS) + 1
    thief, victim = between[THIEF], between[VICTIM]
    spend(seat, card, table, held)
    between[SHOWN] += 1
    table[victim, STAKE] += VALUE[state.edition, card]
    between[NEXT] = victim if seat == thief else thief
    if seat == thief and table[victim, CARDS] == 0:
        end_duel(state, True, table)


@kernel
def end_duel(state: AnyRecord, stolen: bool, table: Table) -> None:
    """The set moves or stays, and the other side draws; of the third set down only the worth is known."""
    between = table[BETWEEN]
    thief, victim = between[THIEF], between[VICTIM]
    if stolen:
        row = table[victim]
        put_on_top(table[thief], row[TOP], row[STAKE])
        row[BURIED] -= row[BENEATH_WORTH]
        row[TOP], row[STAKE] = row[BENEATH], row[BENEATH_WORTH]
        row[BENEATH], row[BENEATH_WORTH] = 0, 0
        row[HEIGHT] -= 1
    other = victim if state.turn == thief else thief
    table[other, CARDS] = min(wide(state.limits[other]), table[other, CARDS] + between[DECK])
    end_turn(state, thief, table)


@kernel
def end_turn(state: AnyRecord, actor: int, table: Table) -> None:
    """The next seat that will have a card comes next."""
    between = table[BETWEEN]
    between[THIEF], between[VICTIM], between[SHOWN] = NOBODY, NOBODY, 0
    seat = actor
    for _ in range(state.players):
        seat = next_seat(state, seat)
        if table[seat, CARDS] + between[DECK] > 0:
            break
    between[NEXT] = seat
