"""The rules of CASH, told in the rulebook's order.

Two to eight traders play cash onto their firms, insure it, take it from each other, trade, and stop the round
when it suits them. Some chapters have files of their own: the cards, the table, cards on their way, trading,
the score, and what each player sees.
"""

import numpy as np

from kibitz.core.chance import Words, below, fresh_block, shuffle
from kibitz.core.common import best_total, highest_wins
from kibitz.core.journal import EVERYBODY, Journal, Note, tell, tell_some
from kibitz.core.kernel import inlined, kernel, wide
from kibitz.core.layout import MAX_ROUNDS, NOBODY, AnyRecord, Moves, Points
from kibitz.games.cash import cards, seeing, table
from kibitz.games.cash.cards import (
    BANKER,
    BANKRUPTCY,
    BROKER,
    CASH_25,
    CASH_50,
    CRASH,
    DECK,
    DECK_SIZE,
    DIVIDEND,
    FIRST_CLEAR,
    FIRST_COVER,
    FIRST_POLICY,
    FIRST_PROBE,
    HIGH_BITS,
    LAST_CASH,
    LAST_CLEAR,
    LAST_COVER,
    LAST_PROBE,
    LICENSE,
    NO_CARD,
    NUM_CARDS,
    NUM_CASH,
    PACK,
    POLICY_CASH,
    POLICY_COVER,
    POLICY_PACKED,
    PREMIUM,
    RECESSION,
    SETTLEMENT,
    STOP,
    TAKEOVER,
    TAXMAN,
    VENTURE,
)
from kibitz.games.cash.moving import (
    clear_table,
    draw,
    fill_hand,
    hand_on,
    highest_cash,
    lift_probe,
    lose,
    lose_tabled,
    lowest_cash,
    place_of,
    put_into_hand,
    put_on_discard,
    take_from_hand,
    take_tabled,
    take_unseen,
)
from kibitz.games.cash.scoring import NUM_STEPS, Figures, score_steps
from kibitz.games.cash.table import (
    AGAIN,
    DISCARD,
    DONE,
    GIVE,
    HAND_SIZE,
    INSURE,
    LOOSE_TAXMAN,
    LOOSE_VENTURE,
    MASK_OF_GIVE,
    MASK_OF_PASS,
    MASK_OF_WANT,
    PASS,
    PLAY,
    PLAY_TAXMAN,
    PLAY_VENTURE,
    PROBE,
    PROPOSE,
    RANDOM_STARTER,
    SEATS,
    SETTLE,
    TAKE_OVER,
    TRADE,
    TRIM,
    WANT,
    Ending,
    Phase,
    add_hand,
    add_if,
    is_free,
    next_seat,
    seat_to_the_right,
)
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

BOX = cards.BOX

# 2. The table

STATE_FIELDS = table.STATE_FIELDS
STATE = table.STATE
VIEW = table.VIEW

# 3. What a player may do

NUM_MOVES = table.NUM_MOVES
MAX_MOVES = table.MAX_MOVES
MAX_NOTES = table.MAX_NOTES


@inlined
def legal_moves(state: AnyRecord, moves: Moves) -> int:
    """Fill `moves` with what the seat in turn may do, in ascending order, and return how many there are."""
    if state.phase == Phase.ACTION:
        return add_actions(state, moves)
    if state.phase == Phase.OFFER:
        return add_steps(state, moves)
    if state.phase == Phase.ANSWER:
        return add_answers(state, moves)
    if state.phase == Phase.PASSING:
        return add_hand(state, wide(state.turn), moves, wide(0), PASS)
    if state.phase == Phase.TRIM:
        return add_hand(state, wide(state.turn), moves, wide(0), TRIM)
    if state.phase == Phase.AGAIN:
        moves[0] = DONE
        moves[1] = AGAIN
        return 2
    return 0


@inlined
def add_actions(state: AnyRecord, moves: Moves) -> int:
    """Play or discard one card, never pass; trade before and after it; then the action part is done."""
    seat = wide(state.turn)
    count = wide(0)
    if not state.acted:
        if is_free(state, seat):
            count = add_plays(state, seat, moves, count)
        elif state.licenses[seat] == 1:
            settles = state.hands[seat, SETTLEMENT] > 0 and lowest_cash(state, seat) < NUM_CASH
            count = add_if(settles, moves, count, SETTLE)
        else:
            count = add_if(state.hands[seat, LICENSE] > 0, moves, count, PLAY)  # and nothing else [C29]
        count = add_hand(state, seat, moves, count, DISCARD)
        count = add_takeovers(state, seat, moves, count)
    count = add_if(state.acted or state.hand_sizes[seat] == 0, moves, count, DONE)
    return add_trades(state, moves, count)


@inlined
def add_plays(state: AnyRecord, seat: int, moves: Moves, count: int) -> int:
    """Who is licensed and not under investigation may play all but a second license. [C15]"""
    for card in range(STOP, LAST_CASH + 1):
        count = add_if(state.hands[seat, card] > 0, moves, count, PLAY + card - 1)
    for cover in range(FIRST_COVER, LAST_COVER + 1):
        if state.hands[seat, cover] > 0:
            count = add_policies(state, seat, cover, moves, count)
    for probe in range(FIRST_PROBE, LAST_PROBE + 1):
        if state.hands[seat, probe] > 0:
            count = add_probes(state, seat, probe, moves, count)
    count = add_if(state.hands[seat, VENTURE] > 0 and has_fee(state, seat), moves, count, PLAY_VENTURE)
    return add_if(state.hands[seat, TAXMAN] > 0, moves, count, PLAY_TAXMAN)


@kernel
def add_policies(state: AnyRecord, seat: int, cover: int, moves: Moves, count: int) -> int:
    """A cover goes over any own uninsured tabled cash up to its limit. [C12]"""
    tabled = HIGH_BITS
    for place in range(NUM_CASH):
        tabled += wide(state.tabled[seat, place]) << PACK * place
    for policy in range(FIRST_POLICY[cover - FIRST_COVER], FIRST_POLICY[cover - FIRST_COVER + 1]):
        there = (tabled - POLICY_PACKED[policy]) & HIGH_BITS == HIGH_BITS  # no count went below zero
        count = add_if(there, moves, count, INSURE + policy - 1)
    return count


@kernel
def add_probes(state: AnyRecord, seat: int, probe: int, moves: Moves, count: int) -> int:
    """An investigation hits a rival that is licensed and not under investigation. [C17]"""
    first = PROBE + SEATS * (probe - FIRST_PROBE)
    for rival in range(wide(state.players)):
        count = add_if(rival != seat and is_free(state, rival), moves, count, first + rival)
    return count


@kernel
def has_fee(state: AnyRecord, seat: int) -> bool:
    """The fee is exactly one uninsured tabled cash-25. [C13]"""
    return state.tabled[seat, place_of(CASH_25)] > 0


@kernel
def add_takeovers(state: AnyRecord, seat: int, moves: Moves, count: int) -> int:
    """A takeover with effect needs the fee and an opponent with a tabled venture. [C13]"""
    if state.hands[seat, TAKEOVER] > 0 and is_free(state, seat) and has_fee(state, seat):
        for rival in range(wide(state.players)):
            there = rival != seat and state.tabled[rival, LOOSE_VENTURE] > 0
            count = add_if(there, moves, count, TAKE_OVER + rival)
    return count


# 4. Setting up


@kernel
def set_up(state: AnyRecord, journal: Journal) -> None:
    """Find out who begins, then deal the first round."""
    block = fresh_block()
    if state.starter_option == RANDOM_STARTER:
        state.starter = below(state, wide(state.players), block)
    else:
        state.starter = state.starter_option
    state.round_number = 1
    deal(state, block, journal)


@kernel
def deal(state: AnyRecord, block: Words, journal: Journal) -> None:
    """Everybody gets a license (not the advanced) and seven cards of the shuffled rest; the first draws."""
    clear_table(state)
    tell(journal, Note.ROUND.value, wide(state.starter), 0, wide(state.round_number))
    given = 0 if state.advanced else wide(state.players)
    for seat in range(given):
        state.licenses[seat] = 1
    state.deck_size = DECK_SIZE - given  # licenses come first in the box
    for place in range(state.deck_size):
        state.deck[place] = DECK[given + place]
    shuffle(state, state.deck[: state.deck_size], block)
    for _ in range(HAND_SIZE):
        seat = wide(state.starter)
        for _ in range(state.players):
            draw(state, seat, journal)
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
    if state.phase == Phase.ACTION:
        act(state, chosen, journal)
    elif state.phase == Phase.OFFER:
        build_offer(state, chosen, journal)
    elif state.phase == Phase.ANSWER:
        answer(state, chosen, journal)
    elif state.phase == Phase.PASSING:
        choose_to_pass(state, wide(state.turn), chosen - PASS + 1, journal)
    elif state.phase == Phase.TRIM:
        trim(state, wide(state.turn), chosen - TRIM + 1, journal)
    else:
        play_again(state, chosen, journal)
    if chosen == PLAY + STOP - 1:
        end_round(state, Ending.STOP.value, journal)
    elif state.moves >= MAX_MOVES:
        end_round(state, Ending.MOVES.value, journal)


@kernel
def tell_move(state: AnyRecord, move: int, journal: Journal) -> None:
    """Cards that are passed, or named while an offer is built, are known to nobody else."""
    seat = wide(state.turn)
    own = 1 << seat
    if PASS <= move < AGAIN:
        tell_some(journal, Note.MOVE.value, seat, move, MASK_OF_PASS, own)
    elif GIVE <= move < WANT:
        tell_some(journal, Note.MOVE.value, seat, move, MASK_OF_GIVE, own)
    elif WANT <= move < PROPOSE:
        tell_some(journal, Note.MOVE.value, seat, move, MASK_OF_WANT, own)
    else:
        tell_some(journal, Note.MOVE.value, seat, move, 0, EVERYBODY)


@kernel
def begin_turn(state: AnyRecord, seat: int, journal: Journal) -> None:
    """A turn begins with drawing a card."""
    state.turn = seat
    state.phase = Phase.ACTION.value
    state.acted = False
    state.offers = 0
    draw(state, seat, journal)


@inlined
def act(state: AnyRecord, move: int, journal: Journal) -> None:
    """The one card of the turn, an offer, or the end of the action part."""
    seat = wide(state.turn)
    if move == DONE:
        hand_step(state, seat, journal)
    elif move >= TRADE:
        begin_offer(state, move - TRADE)
    else:
        state.acted = True
        if move < DISCARD:
            play_card(state, seat, move, journal)
        elif move < TAKE_OVER:
            discard(state, seat, move - DISCARD + 1, journal)
        else:
            take_over(state, seat, move - TAKE_OVER, journal)


# Playing a card


@kernel
def play_card(state: AnyRecord, seat: int, move: int, journal: Journal) -> None:
    """A card goes onto the own firm, over own cash, or on a rival's license."""
    if move < INSURE:
        card = move - PLAY + 1
        take_from_hand(state, seat, card)
        put_down(state, seat, card)
    elif move < PROBE:
        insure(state, seat, move - INSURE + 1)
    elif move < SETTLE:
        probe = FIRST_PROBE + (move - PROBE) // SEATS
        take_from_hand(state, seat, probe)
        state.probes[(move - PROBE) % SEATS] = probe
    elif move == SETTLE:
        settle(state, seat, journal)
    elif move == PLAY_VENTURE:
        take_from_hand(state, seat, VENTURE)
        state.tabled[seat, LOOSE_VENTURE] += 1
        lose_tabled(state, seat, place_of(CASH_25), journal)
    else:
        take_from_hand(state, seat, TAXMAN)
        state.tabled[seat, LOOSE_TAXMAN] += 1


@kernel
def put_down(state: AnyRecord, seat: int, card: int) -> None:
    """A license lies on the firm, one at a time [C33]; cash is tabled, uninsured; a stop is discarded."""
    if card == LICENSE:
        state.licenses[seat] = 1
    elif card == STOP:
        put_on_discard(state, card)
    else:
        state.tabled[seat, place_of(card)] += 1


@kernel
def insure(state: AnyRecord, seat: int, policy: int) -> None:
    """A cover and the cash beneath it stay together for the round."""
    take_from_hand(state, seat, wide(POLICY_COVER[policy]))
    for place in range(NUM_CASH):
        state.tabled[seat, place] -= POLICY_CASH[policy, place]
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
    take_from_hand(state, seat, SETTLEMENT)
    put_on_discard(state, SETTLEMENT)
    lose_tabled(state, seat, lowest_cash(state, seat), journal)
    lift_probe(state, seat, journal)


@kernel
def take_over(state: AnyRecord, seat: int, rival: int, journal: Journal) -> None:
    """For one fee the opponent's venture goes onto the own firm. [C14]"""
    take_from_hand(state, seat, TAKEOVER)
    put_on_discard(state, TAKEOVER)
    lose_tabled(state, seat, place_of(CASH_25), journal)
    take_tabled(state, seat, rival, LOOSE_VENTURE, journal)


# Discarding a card


@kernel
def discard(state: AnyRecord, seat: int, card: int, journal: Journal) -> None:
    """Any card can be discarded; without a license that has no effect. [C19]"""
    take_from_hand(state, seat, card)
    put_on_discard(state, card)
    if state.licenses[seat] == 1:
        if FIRST_CLEAR <= card <= LAST_CLEAR:
            acquit(state, seat, card, journal)
        elif card in (DIVIDEND, PREMIUM):
            collect(state, seat, card, journal)
        elif card in (CRASH, RECESSION, BANKRUPTCY):
            suffer(state, seat, card, False, journal)
        elif card == BROKER and is_free(state, seat):
            commission(state, seat, place_of(CASH_25), 1, journal)
        elif card == BANKER and is_free(state, seat):
            commission(state, seat, place_of(CASH_50), 2, journal)


@kernel
def acquit(state: AnyRecord, seat: int, card: int, journal: Journal) -> None:
    """An acquittal lifts the investigation of its name, and no other. [C21]"""
    if state.probes[seat] == FIRST_PROBE + card - FIRST_CLEAR:
        lift_probe(state, seat, journal)


@kernel
def collect(state: AnyRecord, seat: int, card: int, journal: Journal) -> None:
    """First lift the probe, then take everybody's lowest cash, or the highest for a premium. [C16] [C28]"""
    lift_probe(state, seat, journal)
    rival = next_seat(state, seat)
    while rival != seat:
        place = lowest_cash(state, rival) if card == DIVIDEND else highest_cash(state, rival)
        if place < NUM_CASH:
            take_tabled(state, seat, rival, place, journal)
        rival = next_seat(state, rival)
    state.extra = True  # even if nothing was taken [C26]


@kernel
def commission(state: AnyRecord, seat: int, place: int, turns: int, journal: Journal) -> None:
    """Every opponent pays exactly one card of that value, or loses turns. [C10] [C25] [C32]"""
    rival = next_seat(state, seat)
    while rival != seat:
        if state.tabled[rival, place] > 0:
            take_tabled(state, seat, rival, place, journal)
        else:
            state.lost[rival] += turns  # they add up [C3]
        rival = next_seat(state, rival)


@kernel
def suffer(state: AnyRecord, seat: int, card: int, trimmed: bool, journal: Journal) -> None:
    """A bear card costs cash and turns; after a crash or recession everybody passes cards on."""
    if card == BANKRUPTCY:
        go_bankrupt(state, seat, journal)
    else:
        place = lowest_cash(state, seat) if card == CRASH else highest_cash(state, seat)
        if place < NUM_CASH:
            lose_tabled(state, seat, place, journal)
        state.lost[seat] += 1
        state.pass_count = 1 if card == CRASH else 2
        state.pass_from = seat
        state.pass_trim = trimmed
        state.phase = Phase.PASSING.value
        go_on_passing(state, journal)


@kernel
def go_bankrupt(state: AnyRecord, seat: int, journal: Journal) -> None:
    """License, taxman, venture, uninsured cash and hand are lost, without effect; insured cash isn't. [C8]"""
    state.licenses[seat] = 0
    lose(state, seat, LICENSE, journal)
    lift_probe(state, seat, journal)
    while state.tabled[seat, LOOSE_TAXMAN] > 0:
        lose_tabled(state, seat, LOOSE_TAXMAN, journal)
    while state.tabled[seat, LOOSE_VENTURE] > 0:
        lose_tabled(state, seat, LOOSE_VENTURE, journal)
    for place in range(NUM_CASH):
        while state.tabled[seat, place] > 0:
            lose_tabled(state, seat, place, journal)
    for card in range(1, NUM_CARDS + 1):
        while state.hands[seat, card] > 0:
            take_from_hand(state, seat, card)
            lose(state, seat, card, journal)
    fill_hand(state, seat, journal)
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
    take_unseen(state, seat, card, NOBODY)
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
            hand_on(state, seat, seat_to_the_right(state, seat), card, journal)
    trimmed = state.pass_trim
    state.turn = state.pass_from
    state.phase = Phase.ACTION.value
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
    fill_hand(state, seat, journal)
    if state.hand_sizes[seat] > HAND_SIZE:
        state.phase = Phase.TRIM.value
    else:
        end_turn(state, seat, journal)


@kernel
def trim(state: AnyRecord, seat: int, card: int, journal: Journal) -> None:
    """Of what is discarded in the hand step only bear cards take effect; then the step starts again. [C7]"""
    take_from_hand(state, seat, card)
    put_on_discard(state, card)
    if CRASH <= card <= BANKRUPTCY and state.licenses[seat] == 1:
        suffer(state, seat, card, True, journal)
    if state.phase == Phase.TRIM:
        hand_step(state, seat, journal)


@kernel
def end_turn(state: AnyRecord, seat: int, journal: Journal) -> None:
    """An extra turn comes before anybody else's; with a turn to lose, it is the one lost. [C4] [C26]"""
    if state.extra and state.lost[seat] == 0:
        state.phase = Phase.AGAIN.value
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
    if move == AGAIN:
        begin_turn(state, wide(state.turn), journal)
    else:
        end_turn(state, wide(state.turn), journal)


# 6. The end


@kernel
def is_over(state: AnyRecord) -> bool:
    """Whether the game has ended."""
    return state.phase == Phase.OVER


@kernel
def score(state: AnyRecord, points: Points) -> None:
    """What the round as it stands brings everybody."""
    steps = np.zeros((SEATS, NUM_STEPS), np.int64)
    score_steps(state, steps)
    for seat in range(state.players):
        points[seat] = steps[seat].sum()


@kernel
def end_round(state: AnyRecord, ending: int, journal: Journal) -> None:
    """Lay the hands open and count; then the game is over, or the first player's marker moves left."""
    pick_up(state)
    steps = np.zeros((SEATS, NUM_STEPS), np.int64)
    score_steps(state, steps)
    for seat in range(wide(state.players)):
        state.scores[seat] += steps[seat].sum()
        lay_open(state, seat, steps, journal)
    tell(journal, Note.SCORED.value, NOBODY, ending, wide(state.round_number))
    over = game_ending(state)
    if over != Ending.NONE:
        highest_wins(state, over, journal)
    else:
        state.round_number += 1
        state.starter = next_seat(state, wide(state.starter))
        deal(state, fresh_block(), journal)


@kernel
def pick_up(state: AnyRecord) -> None:
    """An open offer lapses, and cards chosen for passing count in their owner's hand. [C35]"""
    for seat in range(state.players):
        for place in range(state.chosen_sizes[seat]):
            put_into_hand(state, seat, wide(state.chosen[seat, place]))
    clear_passing(state)
    clear_offer(state)
    state.acted = False
    state.offers = 0
    state.extra = False


@kernel
def lay_open(state: AnyRecord, seat: int, steps: Figures, journal: Journal) -> None:
    """Everybody sees what a score is made of."""
    if len(journal) > 0:
        for card in range(1, NUM_CARDS + 1):
            for _ in range(state.hands[seat, card]):
                tell(journal, Note.SHOW.value, seat, card, 0)
        for step in range(NUM_STEPS):
            tell(journal, Note.STEP.value, seat, step, steps[seat, step])


@kernel
def game_ending(state: AnyRecord) -> int:
    """Only a round's end can end the game: one alone at the top with the target, or the last round. [C2]"""
    best = best_total(state)
    leaders = 0
    for seat in range(state.players):
        leaders += state.scores[seat] == best
    if best >= state.target and leaders == 1:
        return Ending.TARGET.value
    if state.round_number == state.rounds:
        return Ending.ROUNDS.value
    return Ending.MAX_ROUNDS.value if state.round_number >= MAX_ROUNDS else Ending.NONE.value


# 7. What each player sees

observe = seeing.observe

# 8. Imagining what is hidden

imagine = seeing.imagine
