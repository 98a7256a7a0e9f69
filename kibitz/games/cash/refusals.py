"""Why a move of CASH is refused, found from what the seat in turn sees; it runs only then."""

from kibitz.core.errors import Refusal
from kibitz.core.layout import AnyRecord
from kibitz.games.cash import trading
from kibitz.games.cash.cards import (
    CARDS,
    FIRST_CASH,
    FIRST_PROBE,
    LICENSE,
    NO_CARD,
    POLICIES,
    SETTLEMENT,
    STOP,
    TAKEOVER,
    TAXMAN,
    VENTURE,
)
from kibitz.games.cash.table import (
    ACCEPT,
    AGAIN,
    DISCARD,
    DONE,
    GIVE,
    GIVE_FIRM,
    GIVE_FIRM_LIST,
    GIVE_LIST,
    HAND_SIZE,
    INSURE,
    LOOSE_CARDS,
    LOOSE_VENTURE,
    MAX_OFFERS,
    MAX_SIDE,
    PASS,
    PLAY,
    PLAY_TAXMAN,
    PLAY_VENTURE,
    PROBE,
    PROPOSE,
    SEATS,
    SETTLE,
    TAKE_OVER,
    TRADE,
    TRIM,
    WANT,
    WANT_FIRM,
    WANT_FIRM_LIST,
    WANT_LIST,
    Phase,
    is_free,
)


def why_illegal(state: AnyRecord, move: int) -> Refusal:
    """The rule that refuses a move in this position."""
    match Phase(int(state.phase)):
        case Phase.ACTION:
            return _in_action(state, move)
        case Phase.OFFER:
            return _in_offer(state, move)
        case Phase.ANSWER:
            return _in_answer(state, move)
        case Phase.PASSING if PASS <= move < AGAIN:
            return _not_in_hand(move - PASS + 1)
        case Phase.PASSING:
            return Refusal("pass-first", "C9", count=int(state.pass_count))
        case Phase.TRIM if TRIM <= move < PASS:
            return _not_in_hand(move - TRIM + 1)
        case Phase.TRIM:
            return Refusal("trim-first", "turn", most=HAND_SIZE)
        case _:
            return Refusal("again-first", "C4")


def _not_in_hand(card: int) -> Refusal:
    return Refusal("not-in-hand", "turn", card=CARDS[card])


# The action part


def _in_action(state: AnyRecord, move: int) -> Refusal:
    if move == DONE:
        return Refusal("must-act", "turn")
    if move >= GIVE:
        return Refusal("no-offer", "trading")
    if move >= TRADE:
        return _why_not_trade(state, move - TRADE)
    if move >= AGAIN:
        return Refusal("no-extra-turn", "C4")
    if move >= PASS:
        return Refusal("nothing-to-pass", "C9")
    if move >= TRIM:
        return Refusal("not-trimming", "turn")
    if state.acted:
        return Refusal("acted", "turn")
    card = _card_of(move)
    if state.hands[state.turn, card] == 0:
        return _not_in_hand(card)
    if move >= TAKE_OVER:
        return _why_not_take_over(state, move - TAKE_OVER)
    return _why_not_play(state, move, card)


def _card_of(move: int) -> int:
    """The hand card that a move plays or discards."""
    if move < INSURE:
        return move - PLAY + 1
    if move < PROBE:
        return POLICIES[move - INSURE + 1][0]
    if move < SETTLE:
        return FIRST_PROBE + (move - PROBE) // SEATS
    if move >= TAKE_OVER:
        return TAKEOVER
    if move >= DISCARD:
        return move - DISCARD + 1
    return {SETTLE: SETTLEMENT, PLAY_VENTURE: VENTURE, PLAY_TAXMAN: TAXMAN}[move]


def _why_not_play(state: AnyRecord, move: int, card: int) -> Refusal:
    seat = int(state.turn)
    if card == LICENSE:
        return Refusal("has-license", "cards")
    if card == STOP:
        return _why_not_stop(state, seat)
    if state.licenses[seat] == 0:
        return Refusal("unlicensed", "C29", card=CARDS[card])
    if card == SETTLEMENT:
        if state.probes[seat] == NO_CARD:
            return Refusal("not-investigated", "cards")
        return Refusal("nothing-to-settle-with", "cards")
    if state.probes[seat] != NO_CARD:
        return Refusal("investigated", "cards", card=CARDS[card], probe=CARDS[state.probes[seat]])
    if move < PROBE:
        return _why_not_insure(state, seat, move - INSURE + 1)
    if move < SETTLE:
        return _why_not_probe(state, seat, (move - PROBE) % SEATS)
    return Refusal("no-fee", "C13", card=CARDS[card])


def _why_not_stop(state: AnyRecord, seat: int) -> Refusal:
    if state.licenses[seat] == 0:
        return Refusal("unlicensed-stop", "C15")
    return Refusal("investigated-stop", "C15", probe=CARDS[state.probes[seat]])


def _why_not_insure(state: AnyRecord, seat: int, policy: int) -> Refusal:
    cash = POLICIES[policy][1]
    missing = next(card for card in cash if state.tabled[seat, card - FIRST_CASH] < cash.count(card))
    return Refusal("not-uninsured", "cards", card=CARDS[missing])


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
        return Refusal("investigated-takeover", "cards", probe=CARDS[state.probes[seat]])
    if state.tabled[rival, LOOSE_VENTURE] == 0:
        return Refusal("no-venture", "C13", rival=f"p{rival}")
    return Refusal("no-fee", "C13", card=CARDS[TAKEOVER])


def _why_not_trade(state: AnyRecord, rival: int) -> Refusal:
    if not state.trading:
        return Refusal("no-trading", "options")
    if rival >= state.players or rival == state.turn:
        return _no_rival(state, rival, "trading")
    return Refusal("offers-used", "C23", most=MAX_OFFERS)


# Offers


def _in_offer(state: AnyRecord, move: int) -> Refusal:
    if move < GIVE or move >= ACCEPT:
        return Refusal("offer-open", "trading")
    if move == PROPOSE:
        if trading.side(state, GIVE_LIST) + trading.side(state, WANT_LIST) == 0:
            return Refusal("offer-empty", "trading")
        return Refusal("other-hand-full", "trading", rival=f"p{state.offer_to}", most=HAND_SIZE)
    which = (move >= GIVE_FIRM) + (move >= WANT) + (move >= WANT_FIRM)
    first = GIVE_LIST if which < WANT_LIST else WANT_LIST
    if trading.side(state, first) >= MAX_SIDE:
        return Refusal("side-full", "trading", most=MAX_SIDE)
    card = _named_in(move)
    if any(state.offered_sizes[later] > 0 for later in range(which + 1, WANT_FIRM_LIST + 1)):
        return Refusal("offer-order", "trading")
    if card < trading.last_on(state, which):
        return Refusal("offer-order", "trading")
    return _not_there(state, which, card)


def _named_in(move: int) -> int:
    """The card that a step of an offer names."""
    if move < GIVE_FIRM:
        return move - GIVE + 1
    if move < WANT:
        return int(LOOSE_CARDS[move - GIVE_FIRM])
    return move - WANT + 1 if move < WANT_FIRM else int(LOOSE_CARDS[move - WANT_FIRM])


def _not_there(state: AnyRecord, which: int, card: int) -> Refusal:
    if which == GIVE_LIST:
        return _not_in_hand(card)
    if not (is_free(state, state.offer_from) and is_free(state, state.offer_to)):
        return Refusal("firm-closed", "C24")
    owner = int(state.offer_from if which == GIVE_FIRM_LIST else state.offer_to)
    return Refusal("not-on-firm", "trading", card=CARDS[card], rival=f"p{owner}")


def _in_answer(state: AnyRecord, move: int) -> Refusal:
    if move != ACCEPT:
        return Refusal("answer-first", "trading")
    wanted = state.offered[WANT_LIST, : state.offered_sizes[WANT_LIST]].tolist()
    held = state.hands[state.turn]
    missing = next(card for card in wanted if held[card] < wanted.count(card))
    return Refusal("cannot-give", "trading", card=CARDS[missing])
