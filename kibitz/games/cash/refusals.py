"""Why a move of CASH is refused, found from what the seat in turn sees; it runs only then."""

from kibitz.core.cards import NO_CARD
from kibitz.core.errors import Refusal
from kibitz.core.layout import AnyRecord
from kibitz.games.cash import box, rules, table, trading


def why_illegal(state: AnyRecord, move: int) -> Refusal:
    """The rule that refuses a move in this position."""
    match table.Phase(int(state.phase)):
        case table.Phase.ACTION:
            return _in_action(state, move)
        case table.Phase.OFFER:
            return _in_offer(state, move)
        case table.Phase.ANSWER:
            return _in_answer(state, move)
        case table.Phase.PASSING if table.PASS <= move < table.AGAIN:
            return _not_in_hand(move - table.PASS + 1)
        case table.Phase.PASSING:
            return Refusal("pass-first", "C9", count=int(state.pass_count))
        case table.Phase.TRIM if table.TRIM <= move < table.PASS:
            return _not_in_hand(move - table.TRIM + 1)
        case table.Phase.TRIM:
            return Refusal("trim-first", "turn", most=table.HAND_SIZE)
        case table.Phase.TAKING:
            return _in_taking(state, move)
        case _:
            return Refusal("again-first", "C4")


def _not_in_hand(card: int) -> Refusal:
    return Refusal("not-in-hand", "turn", card=box.CARDS[card])


# The action part


def _in_action(state: AnyRecord, move: int) -> Refusal:
    if move == table.DONE:
        return Refusal("must-act", "turn")
    if table.TAKE <= move < table.COUNTER:
        return Refusal("nothing-to-take-now", "cards") if state.spare else Refusal("no-sparing", "C10")
    if move >= table.GIVE:
        return Refusal("no-offer", "trading")
    if move >= table.TRADE:
        return _why_not_trade(state, move - table.TRADE)
    if move >= table.AGAIN:
        return Refusal("no-extra-turn", "C4")
    if move >= table.PASS:
        return Refusal("nothing-to-pass", "C9")
    if move >= table.TRIM:
        return Refusal("not-trimming", "turn")
    if state.acted:
        return Refusal("acted", "turn")
    card = _card_of(move)
    if state.hands[state.turn, card] == 0:
        return _not_in_hand(card)
    if move >= table.TAKE_OVER:
        return _why_not_take_over(state, move - table.TAKE_OVER)
    return _why_not_play(state, move, card)


def _card_of(move: int) -> int:
    """The hand card that a move plays or discards."""
    if move < table.INSURE:
        return move - table.PLAY + 1
    if move < table.PROBE:
        return box.POLICIES[move - table.INSURE + 1][0]
    if move < table.SETTLE:
        return box.FIRST_PROBE + (move - table.PROBE) // table.SEATS
    if move >= table.TAKE_OVER:
        return box.TAKEOVER
    if move >= table.DISCARD:
        return move - table.DISCARD + 1
    singles = {table.SETTLE: box.SETTLEMENT, table.PLAY_VENTURE: box.VENTURE, table.PLAY_TAXMAN: box.TAXMAN}
    return singles[move]


def _why_not_play(state: AnyRecord, move: int, card: int) -> Refusal:
    seat = int(state.turn)
    if card == box.LICENSE:
        return Refusal("has-license", "cards")
    if card == box.STOP:
        return _why_not_stop(state, seat)
    if state.licenses[seat] == 0:
        return Refusal("unlicensed", "C29", card=box.CARDS[card])
    if card == box.SETTLEMENT:
        if state.probes[seat] == NO_CARD:
            return Refusal("not-investigated", "cards")
        return Refusal("nothing-to-settle-with", "cards")
    if state.probes[seat] != NO_CARD:
        return Refusal("investigated", "cards", card=box.CARDS[card], probe=box.CARDS[state.probes[seat]])
    if move < table.PROBE:
        return _why_not_insure(state, seat, move - table.INSURE + 1)
    if move < table.SETTLE:
        return _why_not_probe(state, seat, (move - table.PROBE) % table.SEATS)
    return Refusal("no-fee", "C13", card=box.CARDS[card])


def _why_not_stop(state: AnyRecord, seat: int) -> Refusal:
    if state.licenses[seat] == 0:
        return Refusal("unlicensed-stop", "C15")
    return Refusal("investigated-stop", "C15", probe=box.CARDS[state.probes[seat]])


def _why_not_insure(state: AnyRecord, seat: int, policy: int) -> Refusal:
    cover, cash = box.POLICIES[policy]
    if not state.tabled[seat, : box.NUM_CASH].any():
        return Refusal("nothing-to-insure", "cards", card=box.CARDS[cover])
    missing = next(card for card in cash if state.tabled[seat, card - box.FIRST_CASH] < cash.count(card))
    return Refusal("not-uninsured", "cards", card=box.CARDS[missing])


def _why_not_probe(state: AnyRecord, seat: int, rival: int) -> Refusal:
    if rival >= state.players or rival == seat:
        return _no_rival(state, rival)
    if state.licenses[rival] == 0:
        return Refusal("rival-unlicensed", "C17", rival=f"p{rival}")
    return Refusal("rival-investigated", "C17", rival=f"p{rival}")


def _no_rival(state: AnyRecord, rival: int, rule: str = "cards") -> Refusal:
    if rival >= state.players:
        return Refusal("no-such-seat", "notation", rival=f"p{rival}", last=f"p{state.players - 1}")
    return Refusal("yourself", rule)


def _why_not_take_over(state: AnyRecord, rival: int) -> Refusal:
    seat = int(state.turn)
    if rival >= state.players or rival == seat:
        return _no_rival(state, rival)
    if state.licenses[seat] == 0:
        return Refusal("unlicensed-takeover", "C29")
    if state.probes[seat] != NO_CARD:
        return Refusal("investigated-takeover", "cards", probe=box.CARDS[state.probes[seat]])
    if state.tabled[rival, table.LOOSE_VENTURE] == 0:
        return Refusal("no-venture", "C13", rival=f"p{rival}")
    return Refusal("no-fee", "C13", card=box.CARDS[box.TAKEOVER])


def _why_not_trade(state: AnyRecord, rival: int) -> Refusal:
    if not state.trading:
        return Refusal("no-trading", "options")
    if rival >= state.players or rival == state.turn:
        return _no_rival(state, rival, "trading")
    return Refusal("offers-used", "C23", most=int(state.most_offers))


# Taking


def _in_taking(state: AnyRecord, move: int) -> Refusal:
    card = int(state.taking)
    if not table.SPARE <= move < table.COUNTER:
        return Refusal("take-first", "cards", card=box.CARDS[card])
    rival = move - table.SPARE
    if rival >= state.players or rival == state.turn:
        return _no_rival(state, rival)
    if rules.taken_place(state, card, rival) == box.NUM_CASH:
        return Refusal("nothing-to-spare", "cards", rival=f"p{rival}", card=box.CARDS[card])
    return Refusal("spare-order", "notation", rival=f"p{rival}")


# Offers


def _in_offer(state: AnyRecord, move: int) -> Refusal:
    if move < table.GIVE or move >= table.ACCEPT:
        return Refusal("offer-open", "trading")
    if move == table.PROPOSE:
        if trading.side(state, table.GIVE_LIST) + trading.side(state, table.WANT_LIST) == 0:
            return Refusal("offer-empty", "trading")
        if state.countered:
            return Refusal("own-hand-full", "trading", most=table.HAND_SIZE)
        return Refusal("other-hand-full", "trading", rival=f"p{state.offer_to}", most=table.HAND_SIZE)
    which = (move >= table.GIVE_FIRM) + (move >= table.WANT) + (move >= table.WANT_FIRM)
    first = table.GIVE_LIST if which < table.WANT_LIST else table.WANT_LIST
    most = int(trading.most_on_a_side(state))
    if trading.side(state, first) >= most:
        return Refusal("side-full", "trading", most=most)
    card = _named_in(move)
    if any(state.offered_sizes[later] > 0 for later in range(which + 1, table.WANT_FIRM_LIST + 1)):
        return Refusal("offer-order", "trading")
    if card < trading.last_on(state, which):
        return Refusal("offer-order", "trading")
    return _not_there(state, which, card)


def _named_in(move: int) -> int:
    """The card that a step of an offer names."""
    if move < table.GIVE_FIRM:
        return move - table.GIVE + 1
    if move < table.WANT:
        return int(table.LOOSE_CARDS[move - table.GIVE_FIRM])
    return move - table.WANT + 1 if move < table.WANT_FIRM else int(table.LOOSE_CARDS[move - table.WANT_FIRM])


def _not_there(state: AnyRecord, which: int, card: int) -> Refusal:
    if which == table.GIVE_LIST:
        return _not_in_hand(card)
    if which == table.WANT_LIST:
        return Refusal("not-in-box", "trading", card=box.CARDS[card], most=int(box.COPIES[card]))
    if not trading.firms_may_trade(state, int(state.offer_from), int(state.offer_to)):
        return Refusal("firm-closed", "C24")
    owner = int(state.offer_from if which == table.GIVE_FIRM_LIST else state.offer_to)
    return Refusal("not-on-firm", "trading", card=box.CARDS[card], rival=f"p{owner}")


def _in_answer(state: AnyRecord, move: int) -> Refusal:
    if move == table.COUNTER and not state.counters:
        return Refusal("no-counter", "options")
    if move == table.COUNTER:
        return Refusal("offers-used", "C23", most=int(state.most_offers))
    countering = trading.can_be_countered(state)
    if move != table.ACCEPT and countering:
        return Refusal("answer-first-or-counter", "trading")
    if move != table.ACCEPT:
        return Refusal("answer-first", "trading")
    wanted = state.offered[table.WANT_LIST, : state.offered_sizes[table.WANT_LIST]].tolist()
    held = state.hands[state.turn]
    missing = next(card for card in wanted if held[card] < wanted.count(card))
    if countering:
        return Refusal("cannot-give-or-counter", "trading", card=box.CARDS[missing])
    return Refusal("cannot-give", "trading", card=box.CARDS[missing])
