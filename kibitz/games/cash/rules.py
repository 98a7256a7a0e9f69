"""The rules of CASH, told in the rulebook's order.

Two to eight traders play cash onto their firms, insure it, take it from each other, trade, and stop the round
when it suits them. Some chapters have files of their own: the box, the table, hands and piles, trading,
the score, and what each player sees.
"""

import numpy as np

from kibitz.core.cards import NO_CARD, make_deck
from kibitz.core.chance import Block, fresh_block
from kibitz.core.common import add_if, best_total, find_starter, highest_wins, next_seat
from kibitz.core.journal import EVERYBODY, Journal, Note, tell, tell_some
from kibitz.core.kernel import inlined, kernel, wide
from kibitz.core.layout import MAX_ROUNDS, NOBODY, AnyRecord, Moves, Points
from kibitz.games.cash import box, piles, sight, table
from kibitz.games.cash.scoring import NUM_STEPS, Figures, score_steps
from kibitz.games.cash.trading import (
    add_answers,
    add_steps,
    add_trades,
    answer,
    begin_offer,
    build_offer,
    clear_offer,
)

# 1. In the box

BOX = box.BOX

# 2. The table

LAYOUT = table.LAYOUT
STATE = table.STATE
VIEW = table.VIEW

# 3. What a player may do

NUM_MOVES = table.NUM_MOVES
MAX_MOVES = table.MAX_MOVES
MAX_NOTES = table.MAX_NOTES


@inlined
def legal_moves(state: AnyRecord, moves: Moves) -> int:
    """Fill `moves` with what the seat in turn may do, in ascending order, and return how many there are."""
    if state.phase == table.Phase.ACTION:
        return add_actions(state, moves)
    if state.phase == table.Phase.OFFER:
        return add_steps(state, moves)
    if state.phase == table.Phase.ANSWER:
        return add_answers(state, moves)
    if state.phase == table.Phase.PASSING:
        return table.add_hand(state, wide(state.turn), moves, wide(0), table.PASS)
    if state.phase == table.Phase.TRIM:
        return table.add_hand(state, wide(state.turn), moves, wide(0), table.TRIM)
    if state.phase == table.Phase.AGAIN:
        moves[0] = table.DONE
        moves[1] = table.AGAIN
        return 2
    if state.phase == table.Phase.TAKING:
        return add_takings(state, moves)
    return 0


@inlined
def add_actions(state: AnyRecord, moves: Moves) -> int:
    """Play or discard one card, never pass; trade before and after it; then the action part is done."""
    seat = wide(state.turn)
    count = wide(0)
    if not state.acted:
        if table.is_free(state, seat):
            count = add_plays(state, seat, moves, count)
        elif state.licenses[seat] == 1:
            settles = state.hands[seat, box.SETTLEMENT] > 0 and piles.lowest_cash(state, seat) < box.NUM_CASH
            count = add_if(settles, moves, count, table.SETTLE)
        else:
            has_license = state.hands[seat, box.LICENSE] > 0
            count = add_if(has_license, moves, count, table.PLAY)  # and nothing else [C29]
        count = table.add_hand(state, seat, moves, count, table.DISCARD)
        count = add_takeovers(state, seat, moves, count)
    count = add_if(state.acted or state.hand_sizes[seat] == 0, moves, count, table.DONE)
    return add_trades(state, moves, count)


@inlined
def add_plays(state: AnyRecord, seat: int, moves: Moves, count: int) -> int:
    """Who is licensed and not under investigation may play all but a second license. [C15]"""
    for card in range(box.STOP, box.LAST_CASH + 1):
        count = add_if(state.hands[seat, card] > 0, moves, count, table.PLAY + card - 1)
    for cover in range(box.FIRST_COVER, box.LAST_COVER + 1):
        if state.hands[seat, cover] > 0:
            count = add_policies(state, seat, cover, moves, count)
    for probe in range(box.FIRST_PROBE, box.LAST_PROBE + 1):
        if state.hands[seat, probe] > 0:
            count = add_probes(state, seat, probe, moves, count)
    count = add_if(
        state.hands[seat, box.VENTURE] > 0 and has_fee(state, seat), moves, count, table.PLAY_VENTURE
    )
    return add_if(state.hands[seat, box.TAXMAN] > 0, moves, count, table.PLAY_TAXMAN)


@kernel
def add_policies(state: AnyRecord, seat: int, cover: int, moves: Moves, count: int) -> int:
    """A cover goes over any own uninsured tabled cash up to its limit. [C12]

    The counts of all kinds of cash are compared at once, packed into one number: random games without trading
    are a twelfth faster.
    """
    tabled = box.HIGH_BITS
    for place in range(box.NUM_CASH):
        tabled += wide(state.tabled[seat, place]) << box.PACK * place
    for policy in range(
        box.FIRST_POLICY[cover - box.FIRST_COVER], box.FIRST_POLICY[cover - box.FIRST_COVER + 1]
    ):
        left = tabled - box.POLICY_PACKED[policy]
        enough = left & box.HIGH_BITS == box.HIGH_BITS  # no count went below zero
        count = add_if(enough, moves, count, table.INSURE + policy - 1)
    return count


@kernel
def add_probes(state: AnyRecord, seat: int, probe: int, moves: Moves, count: int) -> int:
    """An investigation hits a rival that is licensed and not under investigation. [C17]"""
    first = table.PROBE + table.SEATS * (probe - box.FIRST_PROBE)
    for rival in range(wide(state.players)):
        count = add_if(rival != seat and table.is_free(state, rival), moves, count, first + rival)
    return count


@kernel
def has_fee(state: AnyRecord, seat: int) -> bool:
    """The fee is exactly one uninsured tabled cash-25. [C13]"""
    return state.tabled[seat, piles.place_of(box.CASH_25)] > 0


@kernel
def add_takeovers(state: AnyRecord, seat: int, moves: Moves, count: int) -> int:
    """A takeover with effect needs the fee and an opponent with a tabled venture. [C13]"""
    if state.hands[seat, box.TAKEOVER] > 0 and table.is_free(state, seat) and has_fee(state, seat):
        for rival in range(wide(state.players)):
            there = rival != seat and state.tabled[rival, table.LOOSE_VENTURE] > 0
            count = add_if(there, moves, count, table.TAKE_OVER + rival)
    return count


@kernel
def add_takings(state: AnyRecord, moves: Moves) -> int:
    """Take, or first spare somebody from whom a card would be taken; the lowest seats are named first."""
    moves[0] = table.TAKE
    count = wide(1)
    for rival in range(last_spared(state) + 1, wide(state.players)):
        count = add_if(can_be_taken_from(state, wide(state.turn), rival), moves, count, table.SPARE + rival)
    return count


@kernel
def last_spared(state: AnyRecord) -> int:
    """The highest seat that is spared, or NOBODY."""
    last = NOBODY
    for seat in range(wide(state.players)):
        if state.spared[seat]:
            last = seat
    return last


@kernel
def can_be_taken_from(state: AnyRecord, seat: int, rival: int) -> bool:
    """Whether the card that takes finds something on a rival's firm."""
    return rival != seat and taken_place(state, wide(state.taking), rival) < box.NUM_CASH


@kernel
def taken_place(state: AnyRecord, card: int, rival: int) -> int:
    """Where on a firm the cash lies that a card takes, exactly one; NUM_CASH if there is none. [C25]"""
    if card == box.DIVIDEND:
        return piles.lowest_cash(state, rival)
    if card == box.PREMIUM:
        return piles.highest_cash(state, rival)
    place = piles.place_of(box.CASH_25) if card == box.BROKER else piles.place_of(box.CASH_50)
    return place if state.tabled[rival, place] > 0 else box.NUM_CASH


# 4. Setting up


@kernel
def set_up(state: AnyRecord, journal: Journal) -> None:
    """Find out who begins, then deal the first round."""
    deal(state, find_starter(state), journal)


@kernel
def deal(state: AnyRecord, block: Block, journal: Journal) -> None:
    """Everybody gets a license (not the advanced) and seven cards of the shuffled rest; the first draws."""
    piles.clear_table(state)
    tell(journal, Note.ROUND.value, wide(state.starter), 0, wide(state.round_number))
    given = 0 if state.advanced else wide(state.players)
    for seat in range(given):
        state.licenses[seat] = 1
    make_deck(state, box.DECK[given:], block)  # licenses come first in the box
    for _ in range(table.HAND_SIZE):
        seat = wide(state.starter)
        for _ in range(state.players):
            piles.draw(state, seat, journal)
            seat = next_seat(state, seat)
    state.moves = 0
    begin_turn(state, wide(state.starter), journal)


# 5. A turn


@inlined
def play(state: AnyRecord, move: int, journal: Journal) -> None:
    """Carry out a move and all that follows by itself; a played stop ends the round, and so does the cap."""
    chosen = wide(move)
    tell_move(state, chosen, journal)
    state.moves += 1
    if state.phase == table.Phase.ACTION:
        act(state, chosen, journal)
    elif state.phase == table.Phase.OFFER:
        build_offer(state, chosen, journal)
    elif state.phase == table.Phase.ANSWER:
        answer(state, chosen, journal)
    elif state.phase == table.Phase.PASSING:
        choose_to_pass(state, wide(state.turn), chosen - table.PASS + 1, journal)
    elif state.phase == table.Phase.TRIM:
        trim(state, wide(state.turn), chosen - table.TRIM + 1, journal)
    elif state.phase == table.Phase.AGAIN:
        play_again(state, chosen, journal)
    else:
        spare_or_take(state, chosen, journal)
    if chosen == table.PLAY + box.STOP - 1:
        end_round(state, table.Ending.STOP.value, journal)
    elif state.moves >= MAX_MOVES:
        end_round(state, table.Ending.MOVES.value, journal)


@kernel
def tell_move(state: AnyRecord, move: int, journal: Journal) -> None:
    """Cards that are passed, or named while an offer is built, are known to nobody else."""
    seat = wide(state.turn)
    own = 1 << seat
    if table.PASS <= move < table.AGAIN:
        tell_some(journal, Note.MOVE.value, seat, move, table.MASK_OF_PASS, own)
    elif table.GIVE <= move < table.WANT:
        tell_some(journal, Note.MOVE.value, seat, move, table.MASK_OF_GIVE, own)
    elif table.WANT <= move < table.PROPOSE:
        tell_some(journal, Note.MOVE.value, seat, move, table.MASK_OF_WANT, own)
    else:
        tell_some(journal, Note.MOVE.value, seat, move, 0, EVERYBODY)


@kernel
def begin_turn(state: AnyRecord, seat: int, journal: Journal) -> None:
    """A turn begins with drawing a card."""
    state.turn = seat
    state.phase = table.Phase.ACTION.value
    state.acted = False
    state.offers = 0
    piles.draw(state, seat, journal)


@inlined
def act(state: AnyRecord, move: int, journal: Journal) -> None:
    """The one card of the turn, an offer, or the end of the action part."""
    seat = wide(state.turn)
    if move == table.DONE:
        hand_step(state, seat, journal)
    elif move >= table.TRADE:
        begin_offer(state, move - table.TRADE)
    else:
        state.acted = True
        if move < table.DISCARD:
            play_card(state, seat, move, journal)
        elif move < table.TAKE_OVER:
            discard(state, seat, move - table.DISCARD + 1, journal)
        else:
            take_over(state, seat, move - table.TAKE_OVER, journal)


# Playing a card


@kernel
def play_card(state: AnyRecord, seat: int, move: int, journal: Journal) -> None:
    """A card goes onto the own firm, over own cash, or on a rival's license."""
    if move < table.INSURE:
        card = move - table.PLAY + 1
        piles.take_from_hand(state, seat, card)
        put_down(state, seat, card)
    elif move < table.PROBE:
        insure(state, seat, move - table.INSURE + 1)
    elif move < table.SETTLE:
        probe = box.FIRST_PROBE + (move - table.PROBE) // table.SEATS
        piles.take_from_hand(state, seat, probe)
        state.probes[(move - table.PROBE) % table.SEATS] = probe
    elif move == table.SETTLE:
        settle(state, seat, journal)
    elif move == table.PLAY_VENTURE:
        piles.take_from_hand(state, seat, box.VENTURE)
        state.tabled[seat, table.LOOSE_VENTURE] += 1
        piles.lose_tabled(state, seat, piles.place_of(box.CASH_25), journal)
    else:
        piles.take_from_hand(state, seat, box.TAXMAN)
        state.tabled[seat, table.LOOSE_TAXMAN] += 1


@kernel
def put_down(state: AnyRecord, seat: int, card: int) -> None:
    """A license lies on the firm, one at a time [C33]; cash is tabled, uninsured; a stop is discarded."""
    if card == box.LICENSE:
        state.licenses[seat] = 1
    elif card == box.STOP:
        piles.put_on_discard(state, card)
    else:
        state.tabled[seat, piles.place_of(card)] += 1


@kernel
def insure(state: AnyRecord, seat: int, policy: int) -> None:
    """A cover and the cash beneath it stay together for the round."""
    piles.take_from_hand(state, seat, wide(box.POLICY_COVER[policy]))
    for place in range(box.NUM_CASH):
        state.tabled[seat, place] -= box.POLICY_CASH[policy, place]
    place = 0
    while state.insured[seat, place] != 0:
        place += 1
    while place > 0 and state.insured[seat, place - 1] > policy:
        state.insured[seat, place] = state.insured[seat, place - 1]
        place -= 1
    state.insured[seat, place] = policy


@kernel
def settle(state: AnyRecord, seat: int, journal: Journal) -> None:
    """The lowest uninsured cash buys off any investigation."""
    piles.take_from_hand(state, seat, box.SETTLEMENT)
    piles.put_on_discard(state, box.SETTLEMENT)
    piles.lose_tabled(state, seat, piles.lowest_cash(state, seat), journal)
    piles.lift_probe(state, seat, journal)


@kernel
def take_over(state: AnyRecord, seat: int, rival: int, journal: Journal) -> None:
    """For one fee the opponent's venture goes onto the own firm. [C14]"""
    piles.take_from_hand(state, seat, box.TAKEOVER)
    piles.put_on_discard(state, box.TAKEOVER)
    piles.lose_tabled(state, seat, piles.place_of(box.CASH_25), journal)
    piles.take_tabled(state, seat, rival, table.LOOSE_VENTURE, journal)


# Discarding a card


@kernel
def discard(state: AnyRecord, seat: int, card: int, journal: Journal) -> None:
    """Any card can be discarded; without a license that has no effect. [C19]"""
    piles.take_from_hand(state, seat, card)
    piles.put_on_discard(state, card)
    if state.licenses[seat] == 1:
        if box.FIRST_CLEAR <= card <= box.LAST_CLEAR:
            acquit(state, seat, card, journal)
        elif card in box.BULLS:
            collect(state, seat, card, journal)
        elif card in box.BEARS:
            suffer(state, seat, card, False, journal)
        elif card == box.BROKER and table.is_free(state, seat):
            commission(state, seat, card, 1, journal)
        elif card == box.BANKER and table.is_free(state, seat):
            commission(state, seat, card, 2, journal)


@kernel
def acquit(state: AnyRecord, seat: int, card: int, journal: Journal) -> None:
    """An acquittal lifts the investigation of its name, and no other. [C21]"""
    if state.probes[seat] == box.FIRST_PROBE + card - box.FIRST_CLEAR:
        piles.lift_probe(state, seat, journal)


@kernel
def collect(state: AnyRecord, seat: int, card: int, journal: Journal) -> None:
    """First lift the probe, then take everybody's lowest cash, or the highest for a premium. [C16] [C28]"""
    piles.lift_probe(state, seat, journal)
    state.extra = True  # even if nothing is taken [C26]
    begin_taking(state, seat, card, journal)


@kernel
def commission(state: AnyRecord, seat: int, card: int, turns: int, journal: Journal) -> None:
    """Who hasn't exactly one card of that value loses turns, licensed or not; the others pay it. [C32]"""
    for rival in range(wide(state.players)):
        if rival != seat and taken_place(state, card, rival) == box.NUM_CASH:
            state.lost[rival] += turns  # they add up [C3]
    begin_taking(state, seat, card, journal)


@kernel
def begin_taking(state: AnyRecord, seat: int, card: int, journal: Journal) -> None:
    """Where rivals can be spared, that is decided first; else none can, in the order of turns. [C10]"""
    rival = next_seat(state, seat)
    while rival != seat:
        place = taken_place(state, card, rival)
        if place < box.NUM_CASH:
            if state.spare:
                state.taking = card
                state.phase = table.Phase.TAKING.value
                return
            piles.take_tabled(state, seat, rival, place, journal)
        rival = next_seat(state, rival)


@kernel
def spare_or_take(state: AnyRecord, move: int, journal: Journal) -> None:
    """A rival is spared, or the cards are taken from all who aren't, and the turn goes on."""
    seat, card = wide(state.turn), wide(state.taking)
    if move >= table.SPARE:
        state.spared[move - table.SPARE] = 1
        table.remember_favour(state, seat, move - table.SPARE)
        return
    for rival in range(wide(state.players)):
        place = taken_place(state, card, rival)
        if rival != seat and state.spared[rival] == 0 and place < box.NUM_CASH:
            piles.take_tabled(state, seat, rival, place, journal)
    state.phase = table.Phase.ACTION.value
    stop_taking(state)


@kernel
def stop_taking(state: AnyRecord) -> None:
    """Nothing is being taken."""
    state.taking = NO_CARD
    state.spared[:] = 0


@kernel
def suffer(state: AnyRecord, seat: int, card: int, trimmed: bool, journal: Journal) -> None:
    """A bear card costs cash and turns; after a crash or recession everybody passes cards on."""
    if card == box.BANKRUPTCY:
        go_bankrupt(state, seat, journal)
    else:
        place = piles.lowest_cash(state, seat) if card == box.CRASH else piles.highest_cash(state, seat)
        if place < box.NUM_CASH:
            piles.lose_tabled(state, seat, place, journal)
        state.lost[seat] += 1
        state.pass_count = 1 if card == box.CRASH else 2
        state.pass_from = seat
        state.pass_trim = trimmed
        state.phase = table.Phase.PASSING.value
        go_on_passing(state, journal)


@kernel
def go_bankrupt(state: AnyRecord, seat: int, journal: Journal) -> None:
    """License, taxman, venture, uninsured cash and hand are lost, without effect; insured cash isn't. [C8]"""
    state.licenses[seat] = 0
    piles.lose(state, seat, box.LICENSE, journal)
    piles.lift_probe(state, seat, journal)
    while state.tabled[seat, table.LOOSE_TAXMAN] > 0:
        piles.lose_tabled(state, seat, table.LOOSE_TAXMAN, journal)
    while state.tabled[seat, table.LOOSE_VENTURE] > 0:
        piles.lose_tabled(state, seat, table.LOOSE_VENTURE, journal)
    for place in range(box.NUM_CASH):
        while state.tabled[seat, place] > 0:
            piles.lose_tabled(state, seat, place, journal)
    for card in range(1, box.NUM_CARDS + 1):
        while state.hands[seat, card] > 0:
            piles.take_from_hand(state, seat, card)
            piles.lose(state, seat, card, journal)
    piles.fill_hand(state, seat, journal)
    state.lost[seat] += 2


# Passing cards


@kernel
def go_on_passing(state: AnyRecord, journal: Journal) -> None:
    """Everybody chooses first; who has too few cards passes what there is. [C9]"""
    for seat in range(wide(state.players)):
        if state.chosen_sizes[seat] < state.pass_count and state.hand_sizes[seat] > 0:
            state.turn = seat
            return
    hand_over(state, journal)


@kernel
def choose_to_pass(state: AnyRecord, seat: int, card: int, journal: Journal) -> None:
    """A chosen card lies face down until all have chosen."""
    piles.take_unseen(state, seat, card, NOBODY)
    if state.chosen_sizes[seat] > 0 and state.chosen[seat, 0] > card:
        state.chosen[seat, 1] = state.chosen[seat, 0]
        state.chosen[seat, 0] = card
    else:
        state.chosen[seat, state.chosen_sizes[seat]] = card
    state.chosen_sizes[seat] += 1
    go_on_passing(state, journal)


@kernel
def hand_over(state: AnyRecord, journal: Journal) -> None:
    """All hand over at once, to the right; then whose bear card it was goes on. [C9] [C31]"""
    for seat in range(wide(state.players)):
        for place in range(wide(state.chosen_sizes[seat])):
            card = wide(state.chosen[seat, place])
            piles.hand_on(state, seat, table.seat_to_the_right(state, seat), card, journal)
    trimmed = state.pass_trim
    state.turn = state.pass_from
    state.phase = table.Phase.ACTION.value
    clear_passing(state)
    if trimmed:
        hand_step(state, wide(state.turn), journal)


@kernel
def clear_passing(state: AnyRecord) -> None:
    """Nobody passes anything."""
    state.pass_count = 0
    state.pass_from = 0
    state.pass_trim = False
    state.chosen[:] = NO_CARD
    state.chosen_sizes[:] = 0


# The hand step, and whose turn is next


@kernel
def hand_step(state: AnyRecord, seat: int, journal: Journal) -> None:
    """Fewer than seven: draw up to seven. More: discard down to seven. Then the turn is over."""
    piles.fill_hand(state, seat, journal)
    if state.hand_sizes[seat] > table.HAND_SIZE:
        state.phase = table.Phase.TRIM.value
    else:
        end_turn(state, seat, journal)


@kernel
def trim(state: AnyRecord, seat: int, card: int, journal: Journal) -> None:
    """Of what is discarded in the hand step only bear cards take effect; then the step starts again. [C7]"""
    piles.take_from_hand(state, seat, card)
    piles.put_on_discard(state, card)
    if box.CRASH <= card <= box.BANKRUPTCY and state.licenses[seat] == 1:
        suffer(state, seat, card, True, journal)
    if state.phase == table.Phase.TRIM:
        hand_step(state, seat, journal)


@kernel
def end_turn(state: AnyRecord, seat: int, journal: Journal) -> None:
    """An extra turn comes before anybody else's; with a turn to lose, it is the one lost. [C4] [C26]"""
    if state.extra and state.lost[seat] == 0:
        state.phase = table.Phase.AGAIN.value
        return
    if state.extra:
        lose_turn(state, seat, journal)
        state.extra = False
    seat = next_seat(state, seat)
    while state.lost[seat] > 0:
        lose_turn(state, seat, journal)
        seat = next_seat(state, seat)
    begin_turn(state, seat, journal)


@kernel
def lose_turn(state: AnyRecord, seat: int, journal: Journal) -> None:
    """A turn that would have come is lost: no draw, no action, no hand step. [C3] [C30]"""
    state.lost[seat] -= 1
    tell(journal, Note.SKIP.value, seat, 0, 0)


@kernel
def play_again(state: AnyRecord, move: int, journal: Journal) -> None:
    """An extra turn is taken or declined; it can bring another one. [C4]"""
    state.extra = False
    if move == table.AGAIN:
        begin_turn(state, wide(state.turn), journal)
    else:
        end_turn(state, wide(state.turn), journal)


# 6. The end


@kernel
def is_over(state: AnyRecord) -> bool:
    """Whether the game has ended."""
    return state.phase == table.Phase.OVER


@kernel
def score(state: AnyRecord, points: Points) -> None:
    """What the round as it stands brings everybody."""
    steps = np.zeros((table.SEATS, NUM_STEPS), np.int64)
    score_steps(state, steps)
    for seat in range(state.players):
        points[seat] = steps[seat].sum()


@kernel
def end_round(state: AnyRecord, ending: int, journal: Journal) -> None:
    """Lay the hands open and count; then the game is over, or the first player's marker moves left."""
    pick_up(state)
    steps = np.zeros((table.SEATS, NUM_STEPS), np.int64)
    score_steps(state, steps)
    for seat in range(wide(state.players)):
        state.scores[seat] += steps[seat].sum()
        lay_open(state, seat, steps, journal)
    tell(journal, Note.SCORED.value, NOBODY, ending, wide(state.round_number))
    state.tied = state.tied or is_tie(state)
    over = game_ending(state)
    if over != table.Ending.NONE:
        highest_wins(state, over, journal)
    else:
        state.round_number += 1
        state.starter = next_seat(state, wide(state.starter))
        deal(state, fresh_block(), journal)


@kernel
def pick_up(state: AnyRecord) -> None:
    """An open offer lapses, nothing more is taken, and chosen cards count in their owner's hand. [C35]"""
    for seat in range(state.players):
        for place in range(state.chosen_sizes[seat]):
            piles.put_into_hand(state, seat, wide(state.chosen[seat, place]))
    clear_passing(state)
    clear_offer(state)
    stop_taking(state)
    state.acted = False
    state.offers = 0
    state.extra = False


@kernel
def lay_open(state: AnyRecord, seat: int, steps: Figures, journal: Journal) -> None:
    """Everybody sees what a score is made of."""
    if len(journal) > 0:
        for card in range(1, box.NUM_CARDS + 1):
            for _ in range(state.hands[seat, card]):
                tell(journal, Note.SHOW.value, seat, card, 0)
        for step in range(NUM_STEPS):
            tell(journal, Note.STEP.value, seat, step, steps[seat, step])


@kernel
def leaders(state: AnyRecord) -> int:
    """How many share the highest total."""
    best = best_total(state)
    count = wide(0)
    for seat in range(state.players):
        count += state.scores[seat] == best
    return count


@kernel
def is_tie(state: AnyRecord) -> bool:
    """Several share the highest total at the target: from then on the next single highest wins."""
    return state.tie == table.NEXT_TIE and best_total(state) >= state.target and leaders(state) > 1


@kernel
def game_ending(state: AnyRecord) -> int:
    """Only a round's end can end the game: one alone at the top with the target, or the last round. [C2]"""
    if leaders(state) == 1 and state.tied:
        return table.Ending.TIE.value
    if leaders(state) == 1 and best_total(state) >= state.target:
        return table.Ending.TARGET.value
    if state.round_number == state.rounds:
        return table.Ending.ROUNDS.value
    return table.Ending.MAX_ROUNDS.value if state.round_number >= MAX_ROUNDS else table.Ending.NONE.value


# 7. What each player sees

observe = sight.observe

# 8. Imagining what is hidden

imagine = sight.imagine
