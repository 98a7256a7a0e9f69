"""What a table of Cover Your Assets is worth to a seat, by what was learned from self-play.

A small network is told what the seat knows: its hand, the top sets, the pile, a duel, and how likely hidden
cards fit. It answers by how much the seat will be ahead of the others when the round is scored, beyond what
the stacks count now. A move is rated by what the table is worth after it, before any card is drawn.

The numbers are in `assets_worths.npz`; `python -m bench.assets_worths` learns them.
"""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.bots.heuristics.assets_table import (
    BENEATH,
    BENEATH_WORTH,
    BETWEEN,
    BURIED,
    CARDS,
    COLUMNS,
    DECK,
    HEIGHT,
    NEXT,
    PILE_TOP,
    SHOWN,
    STAKE,
    THIEF,
    TOP,
    VICTIM,
    Counts,
    Table,
    count_hand,
    count_unseen,
    foresee,
    read_table,
)
from kibitz.core.common import frozen
from kibitz.core.kernel import kernel, wide
from kibitz.core.layout import NOBODY, AnyRecord, Moves
from kibitz.games.assets import rules
from kibitz.games.assets.box import GOLD, NUM_ASSETS, NUM_CARDS, SILVER, VALUE
from kibitz.games.assets.rules import SEATS, STEALABLE

Numbers = npt.NDArray[np.float32]
Ratings = npt.NDArray[np.float64]
Room = Any  # to think in: two tables, the hand in both, the unseen cards, the inputs, the hidden units

FILE = Path(__file__).with_suffix(".npz")
UNIT = 100_000  # dollars, in which tables are rated
CARD_UNIT = 20_000  # ... and cards are told
LATE = 24  # cards in the deck from which on the end is near
FULL_HAND = 4

# How a seat stands: its turn is over, or its move comes next; in a duel it waits; it has drawn, others move
DONE, TO_MOVE, ATTACKING, DEFENDING, LOOKING_ON = range(5)

NUM_OWN, NUM_RIVALS = 56, 24  # inputs: of the seat itself; of a rival
NUM_INPUTS = NUM_OWN + 2 * NUM_RIVALS  # the average rival, and the most of each
HIDDEN = 48


def load() -> tuple[Numbers, Numbers]:
    """The network for two players, and the one for more: what its middle hears, and what it says."""
    with np.load(FILE) as kept:
        return tuple(  # type: ignore[return-value]
            frozen([kept[f"{part}_{players}"] for players in ("two", "more")], np.float32)
            for part in ("hears", "says")
        )


HEARS, SAYS = load()


@kernel
def new_room() -> Room:
    """Room to think in."""
    return (
        np.empty((2, SEATS + 1, COLUMNS), np.int64),
        np.empty((2, NUM_CARDS + 1), np.int64),
        np.empty(NUM_CARDS + 1, np.int64),
        np.empty(NUM_INPUTS, np.float32),
        np.empty(HIDDEN, np.float32),
    )


# What the network is told


@kernel
def put(inputs: Numbers, first: int, told: tuple[float, ...]) -> int:
    """Write some inputs; returns where the next ones go."""
    for i in range(len(told)):
        inputs[first + i] = told[i]
    return first + len(told)


@kernel
def one_if(true: bool) -> float:
    """An input that tells whether something is so."""
    return 1.0 if true else 0.0


@kernel
def describe(
    state: AnyRecord, seat: int, drawn: bool, table: Table, held: Counts, unseen: Counts, inputs: Numbers
) -> None:
    """Tell of a table as a seat sees it; `drawn`: its cards are drawn, and others move."""
    stands = standing(seat, drawn, table)
    inputs[:] = 0.0
    inputs[0] = 1.0
    inputs[1 + stands] = 1.0
    at = tell_stack(seat, 6, table, held, inputs)
    at = tell_end(at, table, held, unseen, inputs)
    at = tell_hand(state, at, table, held, unseen, inputs)
    at = tell_pile(state, at, table, held, unseen, inputs)
    at = tell_duel(seat, at, stands, table, held, inputs)
    rivals = wide(state.players) - 1
    for rival in range(rivals + 1):
        if rival != seat:
            tell_rival(state, seat, rival, stands, table, held, unseen, inputs)


@kernel
def standing(seat: int, drawn: bool, table: Table) -> int:
    """How a seat stands."""
    between = table[BETWEEN]
    if drawn:
        return LOOKING_ON
    if between[THIEF] == seat:
        return ATTACKING
    if between[VICTIM] == seat and between[THIEF] != NOBODY:
        return DEFENDING
    return TO_MOVE if between[NEXT] == seat else DONE


@kernel
def tell_stack(seat: int, at: int, table: Table, held: Counts, inputs: Numbers) -> int:
    """What a thief could get, what would then be next, and what the hand has to defend it."""
    row = table[seat]
    fitting = held[row[TOP]] if row[TOP] > 0 else 0
    answers = fitting + held[SILVER] + held[GOLD]
    at_risk = row[STAKE] / UNIT if row[HEIGHT] >= STEALABLE else 0.0
    beneath = row[BENEATH_WORTH] / UNIT if row[HEIGHT] > STEALABLE else 0.0
    kept = beneath > 0.0 and held[row[BENEATH]] > 0
    return put(
        inputs,
        at,
        (
            one_if(row[HEIGHT] == 0),
            one_if(row[HEIGHT] == 1),
            at_risk,
            beneath,
            beneath if kept else 0.0,
            one_if(fitting == 0),
            one_if(fitting >= 2),
            one_if(answers == 0),
            one_if(answers == 1),
            one_if(answers >= 3),
            at_risk if answers == 0 else 0.0,
            at_risk if answers == 1 else 0.0,
            at_risk if answers >= 3 else 0.0,
            at_risk * fitting,
            row[CARDS] / FULL_HAND,
        ),
    )


@kernel
def tell_end(at: int, table: Table, held: Counts, unseen: Counts, inputs: Numbers) -> int:
    """How far the round is, and the wilds that are still to come."""
    deck = table[BETWEEN, DECK]
    silvers, golds = float(unseen[SILVER]), float(unseen[GOLD])
    return put(
        inputs,
        at,
        (
            deck / 100.0,
            lateness(table),
            one_if(deck == 0),
            silvers / 8.0,
            golds / 4.0,
            8.0 * (silvers + golds) / max(1, unseen[0]) - 0.8,
            (held[SILVER] + held[GOLD]) * deck / 100.0,
        ),
    )


@kernel
def lateness(table: Table) -> float:
    """How near the end is: 0 for far, 1 once the deck is empty."""
    return max(0.0, 1.0 - table[BETWEEN, DECK] / LATE)


@kernel
def tell_hand(state: AnyRecord, at: int, table: Table, held: Counts, unseen: Counts, inputs: Numbers) -> int:
    """Wilds, pairs, single cards, and how likely these find their like."""
    values, late = VALUE[state.edition], lateness(table)
    wilds = held[SILVER] + held[GOLD]
    best, rest, pairs, single, second, singles, total, odds = 0, 0, 0, 0, 0, 0, 0, 0.0
    for card in range(1, NUM_ASSETS + 1):
        value = values[card] if held[card] > 0 else 0
        total += value * held[card]
        odds += value * unseen[card] / max(1, unseen[0])
        if held[card] > 1:
            pairs += 1
            rest += min(best, value)
            best = max(best, value)
        elif held[card] == 1:
            singles += 1
            second = max(second, min(single, value))
            single = max(single, value)
    return put(
        inputs,
        at,
        (
            one_if(held[SILVER] >= 1),
            one_if(held[SILVER] >= 2),
            one_if(held[GOLD] >= 1),
            one_if(held[GOLD] >= 2),
            one_if(wilds >= 3),
            late * wilds,
            best / CARD_UNIT,
            rest / CARD_UNIT,
            one_if(pairs >= 1),
            one_if(pairs >= 2),
            single / CARD_UNIT,
            second / CARD_UNIT,
            singles / FULL_HAND,
            total / CARD_UNIT,
            odds / CARD_UNIT,
            late * (pairs + min(wilds, singles)),
            late * total / CARD_UNIT,
        ),
    )


@kernel
def tell_pile(state: AnyRecord, at: int, table: Table, held: Counts, unseen: Counts, inputs: Numbers) -> int:
    """What the top discard is, and is good for."""
    values, top = VALUE[state.edition], table[BETWEEN, PILE_TOP]
    dearest = 0
    for card in range(1, NUM_ASSETS + 1):
        if held[card] > 0:
            dearest = max(dearest, values[card])
    asset = values[top] / CARD_UNIT if 0 < top <= NUM_ASSETS else 0.0
    mine = asset > 0.0 and held[top] > 0
    return put(
        inputs,
        at,
        (
            one_if(top == SILVER),
            one_if(top == GOLD),
            dearest / CARD_UNIT if top > NUM_ASSETS else 0.0,
            asset,
            asset if mine else 0.0,
            one_if(mine),
            asset * unseen[top] / 5.0,
        ),
    )


@kernel
def tell_duel(seat: int, at: int, stands: int, table: Table, held: Counts, inputs: Numbers) -> int:
    """What a duel of this seat is about."""
    victim = table[max(0, table[BETWEEN, VICTIM])]
    attacks = stands == ATTACKING
    answers = held[victim[TOP]] + held[SILVER] + held[GOLD]
    return put(
        inputs,
        at,
        (
            victim[STAKE] / UNIT if attacks else 0.0,
            float(min(3, answers)) if attacks else 0.0,
            table[seat, STAKE] / UNIT if stands == DEFENDING else 0.0,
            0.3 * table[BETWEEN, SHOWN],
        ),
    )


@kernel
def tell_rival(
    state: AnyRecord,
    seat: int,
    rival: int,
    stands: int,
    table: Table,
    held: Counts,
    unseen: Counts,
    inputs: Numbers,
) -> None:
    """A rival: its part of the average, and the most of each number."""
    row, own, between = table[rival], table[seat], table[BETWEEN]
    wilds, all_unseen = held[SILVER] + held[GOLD], max(1, unseen[0])
    stake = row[STAKE] / UNIT if row[HEIGHT] >= STEALABLE else 0.0
    fitting = unseen[row[TOP]] + unseen[SILVER] + unseen[GOLD] if stake > 0.0 else 0
    bare = has_none(unseen, fitting, row[CARDS]) if stake > 0.0 else 0.0
    mine = held[row[TOP]] if stake > 0.0 else 0
    at_risk = own[STAKE] / UNIT if own[HEIGHT] >= STEALABLE else 0.0
    threats = unseen[own[TOP]] + unseen[SILVER] + unseen[GOLD] if at_risk > 0.0 else 0
    threat = 1.0 - has_none(unseen, threats, row[CARDS]) if at_risk > 0.0 else 0.0
    answers = held[own[TOP]] + wilds if at_risk > 0.0 else 0
    told = (
        stake,
        one_if(row[HEIGHT] == 0),
        one_if(row[HEIGHT] == 1),
        row[CARDS] / FULL_HAND,
        row[STAKE] / UNIT if stake == 0.0 else 0.0,
        row[BENEATH_WORTH] / UNIT if row[HEIGHT] > STEALABLE else 0.0,
        bare,
        stake * bare,
        stake * fitting * row[CARDS] / all_unseen,
        stake if mine + wilds == 0 else 0.0,
        stake if mine + wilds == 1 else 0.0,
        stake * bare if mine + wilds > 0 else 0.0,
        stake if mine > 0 else 0.0,
        stake * mine,
        stake * (mine + wilds),
        threat,
        at_risk * threat,
        at_risk * threat if answers == 0 else 0.0,
        at_risk * threat if answers == 1 else 0.0,
        at_risk * threats * row[CARDS] / all_unseen,
        use_of_pile(state, table, unseen, row[CARDS]),
        stake * (1.0 - bare) if stands == ATTACKING and between[VICTIM] == rival else 0.0,
        at_risk * threat if stands == DEFENDING and between[THIEF] == rival else 0.0,
        one_if(between[NEXT] == rival),
    )
    rivals = wide(state.players) - 1
    for i in range(NUM_RIVALS):
        inputs[NUM_OWN + i] += np.float32(told[i] / rivals)
        if rivals > 1:
            most = NUM_OWN + NUM_RIVALS + i
            inputs[most] = max(inputs[most], np.float32(told[i]))


@kernel
def has_none(unseen: Counts, fitting: int, cards: int) -> float:
    """How likely none of so many hidden cards is among the fitting ones."""
    likely = 1.0
    for i in range(min(cards, unseen[0])):
        likely *= max(0.0, float(unseen[0] - fitting - i) / float(unseen[0] - i))
    return likely


@kernel
def use_of_pile(state: AnyRecord, table: Table, unseen: Counts, cards: int) -> float:
    """What the top discard is likely good for to who holds so many hidden cards."""
    top = table[BETWEEN, PILE_TOP]
    if not 0 < top <= NUM_ASSETS:
        return 0.0
    return float(VALUE[state.edition, top] / CARD_UNIT * (1.0 - has_none(unseen, unseen[top], cards)))


# What it answers


@kernel
def think(hears: Numbers, says: Numbers, inputs: Numbers, hidden: Numbers) -> float:
    """The network's answer; `hidden` keeps what its middle made of the inputs."""
    hidden[:] = 0.0
    for i in range(NUM_INPUTS):
        told = inputs[i]
        if told != 0.0:
            for j in range(HIDDEN):
                hidden[j] += told * hears[i, j]
    total = np.float32(0.0)
    for j in range(HIDDEN):
        hidden[j] /= np.float32(1.0) + abs(hidden[j])
        total += hidden[j] * says[j]
    return float(total)


@kernel
def ahead(state: AnyRecord, seat: int, table: Table) -> float:
    """By how much a seat's stack is ahead of the others' on average."""
    others = 0
    for rival in range(wide(state.players)):
        if rival != seat:
            others += table[rival, BURIED] + table[rival, STAKE]
    return float(table[seat, BURIED] + table[seat, STAKE] - others / (state.players - 1)) / UNIT


@kernel
def rate_moves(
    state: AnyRecord, hears: Numbers, says: Numbers, moves: Moves, count: int, room: Room, ratings: Ratings
) -> None:
    """By how much the seat in turn will be ahead after each move; to forget is never better than to draw."""
    tables, hands, unseen, inputs, hidden = room
    seat = wide(state.turn)
    read_table(state, tables[0])
    count_hand(state, seat, hands[0])
    count_unseen(state, hands[0], unseen)
    for i in range(count):
        tables[1] = tables[0]
        hands[1] = hands[0]
        foresee(state, wide(moves[i]), tables[1], hands[1])
        describe(state, seat, False, tables[1], hands[1], unseen, inputs)
        ratings[i] = ahead(state, seat, tables[1]) + think(hears, says, inputs, hidden)
        if moves[i] == rules.FORGET:
            ratings[i] -= 1.0


@kernel
def look_on(state: AnyRecord, seat: int, hears: Numbers, says: Numbers, room: Room) -> float:
    """By how much a seat that isn't asked will be ahead."""
    tables, hands, unseen, inputs, hidden = room
    read_table(state, tables[0])
    count_hand(state, seat, hands[0])
    count_unseen(state, hands[0], unseen)
    fights = seat == state.thief or (seat == state.victim and state.thief != NOBODY)
    describe(state, seat, not fights, tables[0], hands[0], unseen, inputs)
    return ahead(state, seat, tables[0]) + think(hears, says, inputs, hidden)


@kernel
def network_of(state: AnyRecord) -> tuple[Numbers, Numbers]:
    """The network for so many players."""
    kind = 0 if state.players == 2 else 1
    return HEARS[kind], SAYS[kind]


@kernel
def rate_all(state: AnyRecord, moves: Moves, count: int, ratings: Ratings) -> None:
    """How good moves look to who looks ahead."""
    hears, says = network_of(state)
    rate_moves(state, hears, says, moves, count, new_room(), ratings)


@kernel
def lead_of(state: AnyRecord, seat: int) -> float:
    """By how much a seat will be ahead, hands open: by what all seats say, each of itself.

    All leads together are nothing, so that what they say too much in sum is taken from each.
    """
    hears, says = network_of(state)
    room = new_room()
    moves, ratings = np.empty(rules.NUM_MOVES, np.int16), np.empty(rules.NUM_MOVES)
    count = rules.legal_moves(state, moves)
    rate_moves(state, hears, says, moves, count, room, ratings)
    own, total = 0.0, 0.0
    for other in range(wide(state.players)):
        if other == state.turn:
            lead = ratings[:count].max()
        else:
            lead = look_on(state, other, hears, says, room)
        own = lead if other == seat else own
        total += lead
    return UNIT * (own - total / state.players)
