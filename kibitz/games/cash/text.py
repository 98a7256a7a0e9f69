"""CASH as text and JSON: cards, moves, positions, and why a move is refused."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from kibitz.core.cards import NO_CARD, check_box
from kibitz.core.description import Found
from kibitz.core.errors import BadPosition, Refusal
from kibitz.core.events import AnyEvent
from kibitz.core.forms import Own, codes_of
from kibitz.core.layout import MAX_ROUNDS, AnyRecord
from kibitz.core.reader import Reader, as_whole
from kibitz.games.cash import box, notation, refusals, rules, table, trading
from kibitz.games.cash import sentences as log
from kibitz.games.cash.known import Known
from kibitz.games.cash.notation import NOTATION, unknown
from kibitz.games.cash.scoring import Step

PHASES = codes_of(table.Phase)
STEPS = codes_of(Step)
ENDINGS = codes_of(table.Ending, "-")
MASKS: tuple[str, ...] = ("pass ?", "give ?", "want ?")
MOST_POINTS = 10_000_000  # more than a round can bring or cost: twice 2,000,000 of cash, and taxes on it

move_text = notation.move_text
why_illegal = refusals.why_illegal
sentences = log.sentences

# Cards and moves


def card_text(card: int) -> str:
    """A card's code, such as `cash-25`."""
    return box.CARDS[card]


def parse_move(text: str) -> int | Refusal:
    """The number of a move, or the rule that such a move breaks anywhere."""
    return NOTATION[text] if text in NOTATION else unknown(text)


# Positions and views

EMPTIED = ("offer",)  # while it is built, the others don't see how many cards it has
FIRM_KEYS = ("license", "probe", "cash", "insured", "venture", "taxman")
OFFER_LISTS = ("give", "give_firm", "want", "want_firm")
OFFER_PHASES = (table.Phase.OFFER, table.Phase.ANSWER)
ACTED_PHASES = (table.Phase.PASSING, table.Phase.TRIM, table.Phase.AGAIN, table.Phase.TAKING)
CASH = range(box.FIRST_CASH, box.LAST_CASH + 1)


def _names(cards: Sequence[int]) -> list[str]:
    return [box.CARDS[card] for card in cards]


def _counted(counts: Sequence[int], cards: Sequence[int] = range(box.NUM_CARDS + 1)) -> list[str]:
    """Counts of cards as a list in card order."""
    return [box.CARDS[card] for card, count in zip(cards, counts, strict=True) for _ in range(count)]


def _firm(licenses: int, probes: int, tabled: Sequence[int], insured: Sequence[int]) -> dict[str, Any]:
    return {
        "license": licenses == 1,
        "probe": box.CARDS[probes] if probes else None,
        "cash": _counted(tabled[: box.NUM_CASH], CASH),
        "insured": [
            {"cover": box.CARDS[cover], "cash": _names(cash)}
            for cover, cash in (box.POLICIES[policy] for policy in insured if policy)
        ],
        "venture": tabled[table.LOOSE_VENTURE],
        "taxman": tabled[table.LOOSE_TAXMAN],
    }


def _offer(
    offer_from: int,
    offer_to: int,
    offered: Sequence[Sequence[int]],
    offered_sizes: Sequence[int],
    countered: bool,
    phase: int,
) -> dict[str, Any] | None:
    if phase not in OFFER_PHASES:
        return None
    lists = {
        name: _names(cards[:size])
        for name, cards, size in zip(OFFER_LISTS, offered, offered_sizes, strict=True)
    }
    return {"from": offer_from, "to": offer_to, **lists, "counter": countered}


def _passing(
    pass_count: int,
    pass_from: int,
    pass_trim: bool,
    chosen: Sequence[Sequence[int]],
    chosen_sizes: Sequence[int],
    players: int,
    phase: int,
) -> dict[str, Any] | None:
    if phase != table.Phase.PASSING:
        return None
    return {
        "count": pass_count,
        "from": pass_from,
        "trim": pass_trim,
        "chosen": [_names(chosen[seat][: chosen_sizes[seat]]) for seat in range(players)],
    }


FORMS = {
    "firms": Own(_firm, each_seat=True),
    "offer": Own(_offer, "phase"),
    "passing": Own(_passing, "players", "phase"),
    "taking": Own(lambda taking: box.CARDS[taking] if taking else None),
    "spared": Own(lambda spared: [seat for seat, is_spared in enumerate(spared) if is_spared]),
}


def read(reader: Reader, record: AnyRecord, found: Found) -> None:
    """Fill in firms, an offer, cards that are passed or taken, and refuse what can't be."""
    firms = reader.listed("firms", lambda value, path: Reader(value, path), int(record.players))
    for seat, firm in enumerate(firms):
        _read_firm(firm, record, seat, found)
    _read_passing(reader, record, found)
    check_box(box.CARDS, box.COPIES, found)
    _read_offer(reader, record)
    _read_taking(reader, record)
    _check_phase(reader, record)
    _check_end(reader, record)


def follow(log: Sequence[AnyEvent], view: AnyRecord) -> None:
    """What the seat knows beyond its view follows from a log of the whole round."""
    Known(view).follow(log)


def _hidden_allowed(record: AnyRecord) -> bool:
    return hasattr(record, "observer")


def _read_firm(firm: Reader, state: AnyRecord, seat: int, found: Found) -> None:
    firm.only(FIRM_KEYS)
    state.licenses[seat] = firm.flag("license")
    probe = firm.one_of("probe", [None, *box.PROBE_NAMES])
    if probe and not state.licenses[seat]:
        raise BadPosition(firm.path("probe"), "null without a license", firm.raw("probe"))
    state.probes[seat] = box.FIRST_PROBE + probe - 1 if probe else NO_CARD
    cash = firm.listed("cash", _cash_card)
    insured = firm.listed("insured", _read_policy)
    ventures = firm.whole("venture", 0, int(box.COPIES[box.VENTURE]))
    taxmen = firm.whole("taxman", 0, int(box.COPIES[box.TAXMAN]))
    loose = [*cash, *[box.VENTURE] * ventures, *[box.TAXMAN] * taxmen]
    found[firm.path("cash")] = [box.LICENSE] * int(state.licenses[seat]) + loose
    found[firm.path("probe")] = [int(state.probes[seat])] if probe else []
    found[firm.path("insured")] = [card for policy in insured for card in _cards_of(policy)]
    state.tabled[seat] = [loose.count(card) for card in table.LOOSE_CARDS]
    if len(insured) > box.ALL_COVERS:
        raise BadPosition(firm.path("insured"), f"at most {box.ALL_COVERS} covers", len(insured))
    state.insured[seat, : len(insured)] = sorted(insured)


def _cash_card(value: Any, path: str) -> int:
    card = box.CARDS.read(value, path)
    if card not in CASH:
        raise BadPosition(path, "a cash card", value)
    return card


def _cards_of(policy: int) -> list[int]:
    cover, cash = box.POLICIES[policy]
    return [cover, *cash]


def _read_policy(value: Any, path: str) -> int:
    reader = Reader(value, path)
    reader.only(("cover", "cash"))
    cover = box.FIRST_COVER + reader.one_of("cover", box.COVER_NAMES)
    cash = tuple(sorted(reader.listed("cash", _cash_card)))
    if (cover, cash) not in box.POLICY_NUMBER:
        expected = f"cash that {box.CARDS[cover]} can insure"
        raise BadPosition(reader.path("cash"), expected, reader.raw("cash"))
    return box.POLICY_NUMBER[cover, cash]


def _read_passing(reader: Reader, state: AnyRecord, found: Found) -> None:
    """Fill in what is said about passing, and the chosen cards of each seat."""
    if state.phase != table.Phase.PASSING:
        reader.exactly("passing", None, "by the phase")
        return
    players = int(state.players)
    passing = reader.inner("passing")
    passing.only(("count", "from", "trim", "chosen"))
    state.pass_count = passing.whole("count", 1, 2)
    state.pass_from = passing.whole("from", 0, players - 1)
    state.pass_trim = passing.flag("trim")
    hidden = _hidden_allowed(state)
    chosen = passing.listed("chosen", lambda value, path: box.CARDS.read_list(value, path, hidden), players)
    for seat, cards in enumerate(chosen):
        path = f"{passing.path('chosen')}[{seat}]"
        if len(cards) > state.pass_count:
            raise BadPosition(path, f"at most {state.pass_count} cards", _names(cards))
        found[path] = cards
        state.chosen[seat, : len(cards)] = sorted(cards)
        state.chosen_sizes[seat] = len(cards)


def _read_offer(reader: Reader, state: AnyRecord) -> None:
    if state.phase not in OFFER_PHASES:
        reader.exactly("offer", None, "by the phase")
        return
    offer = reader.inner("offer")
    offer.only(("from", "to", *OFFER_LISTS, "counter"))
    state.countered = offer.flag("counter")
    if state.countered and not state.counters:
        raise BadPosition(offer.path("counter"), "false: nobody counters, by the options", True)
    begun = 2 if state.countered else 1
    if state.offers < begun:
        raise BadPosition("offers", f"{begun} or more, by the offer", int(state.offers))
    players = int(state.players)
    state.offer_from = offer.whole("from", 0, players - 1)
    state.offer_to = offer.whole("to", 0, players - 1)
    if state.offer_from == state.offer_to:
        raise BadPosition(offer.path("to"), "another seat", int(state.offer_to))
    most = int(trading.most_on_a_side(state))
    for which, name in enumerate(OFFER_LISTS):
        listed = box.CARDS.read_list(offer.raw(name), offer.path(name), _hidden_allowed(state))
        if listed != sorted(listed):
            raise BadPosition(offer.path(name), "cards in card order", _names(listed))
        if len(listed) > most:
            raise BadPosition(offer.path(name), f"at most {most} cards", _names(listed))
        state.offered[which, : len(listed)] = listed
        state.offered_sizes[which] = len(listed)
        _check_offered(offer, state, which, name, listed)
    for first in (table.GIVE_LIST, table.WANT_LIST):
        if trading.side(state, first) > most:
            path = offer.path(OFFER_LISTS[first])
            raise BadPosition(path, f"at most {most} cards a side", int(trading.side(state, first)))
    if state.phase == table.Phase.ANSWER and not trading.can_be_proposed(state):
        expected = (
            f"an offer that leaves who isn't in turn at most {table.HAND_SIZE} hand cards, and isn't empty"
        )
        raise BadPosition("offer", expected, reader.raw("offer"))


def _check_offered(offer: Reader, state: AnyRecord, which: int, name: str, listed: list[int]) -> None:
    """What is given is there, and what is asked from a firm; what is asked from a hand may not be."""
    if which == table.WANT_LIST:
        for wanted in set(listed) - {NO_CARD} if state.counters else ():
            if listed.count(wanted) > box.COPIES[wanted]:
                expected = f"at most {box.COPIES[wanted]} of {box.CARDS[wanted]}"
                raise BadPosition(offer.path(name), expected, _names(listed))
        return
    owner = int(state.offer_from if which < table.WANT_LIST else state.offer_to)
    there: Counter[int] = Counter()
    if which == table.GIVE_LIST:
        hidden = int(state.hand_sizes[owner]) - int(state.hands[owner].sum())
        there.update({card: int(count) for card, count in enumerate(state.hands[owner])})
        there[NO_CARD] = int(state.hand_sizes[owner])
        there.update(dict.fromkeys(range(1, box.NUM_CARDS + 1), hidden))
    elif trading.firms_may_trade(state, int(state.offer_from), int(state.offer_to)):
        there.update(dict(zip(table.LOOSE_CARDS.tolist(), state.tabled[owner].tolist(), strict=True)))
    if Counter(listed) - there:
        where = "in the hand" if which == table.GIVE_LIST else "on a firm that may trade"
        raise BadPosition(offer.path(name), f"cards that are {where} of p{owner}", _names(listed))


def _read_taking(reader: Reader, state: AnyRecord) -> None:
    """A card that takes was just discarded with effect; some of those it takes from are spared."""
    if state.phase != table.Phase.TAKING:
        reader.exactly("taking", None, "by the phase")
        reader.exactly("spared", [], "by the phase")
        return
    if not state.spare:
        raise BadPosition("phase", "another phase: nobody is spared, by the options", "taking")
    state.taking = box.TAKING_CARDS[reader.one_of("taking", _names(box.TAKING_CARDS))]
    reader.exactly("extra", bool(state.taking in box.BULLS), "by the card that takes")
    seat, card = int(state.turn), box.CARDS[state.taking]
    if not table.is_free(state, seat):
        raise BadPosition(f"firms[{seat}]", "licensed and not under investigation, by the phase", seat)
    if not _lies_on_top(state, int(state.taking)):
        raise BadPosition("discard", f"{card} on top, by the phase", reader.raw("discard")[-2:])
    rivals = [rival for rival in range(int(state.players)) if rules.can_be_taken_from(state, seat, rival)]
    if not rivals:
        raise BadPosition("firms", f"somebody from whom {card} can take", "nobody")
    spared = reader.listed("spared", lambda value, path: as_whole(value, path, 0, int(state.players) - 1))
    if not set(spared) <= set(rivals) or spared != sorted(set(spared)):
        raise BadPosition("spared", f"some of {rivals}, ascending", spared)
    state.spared[spared] = 1


def _lies_on_top(state: AnyRecord, card: int) -> bool:
    """A card was discarded last; a probe that it lifted lies above it."""
    pile = [NO_CARD, *state.discard[: state.discard_size].tolist()]
    if card in box.BULLS and box.FIRST_PROBE <= pile[-1] <= box.LAST_PROBE:
        pile.pop()
    return bool(pile[-1] == card)


def _check_phase(reader: Reader, state: AnyRecord) -> None:
    """Who is in turn, and the rest of the position, follow from the phase."""
    if state.phase in ACTED_PHASES or state.extra:
        reader.exactly("acted", True, "by the phase, or by the extra turn")
    if state.offers > state.most_offers:
        raise BadPosition("offers", f"at most {state.most_offers}, by the options", int(state.offers))
    if not state.trading:
        reader.exactly("offers", 0, "trading is off, by the options")
    match table.Phase(int(state.phase)):
        case table.Phase.OFFER:
            _check_turn(state, int(state.offer_from), "who builds the offer")
        case table.Phase.ANSWER:
            _check_turn(state, int(state.offer_to), "who is asked")
        case table.Phase.PASSING:
            choosing = [
                seat
                for seat in range(int(state.players))
                if state.chosen_sizes[seat] < state.pass_count and state.hand_sizes[seat] > 0
            ]
            if not choosing:
                raise BadPosition("passing.chosen", "a seat that has still to choose", "none")
            _check_turn(state, choosing[0], "the lowest seat that has still to choose")
        case table.Phase.TRIM if state.hand_sizes[state.turn] <= table.HAND_SIZE:
            raise BadPosition(
                f"hands[{state.turn}]", f"more than {table.HAND_SIZE} cards, by the phase", "fewer"
            )
        case table.Phase.AGAIN:
            reader.exactly("extra", True, "by the phase")
            if state.hand_sizes[state.turn] > table.HAND_SIZE:
                raise BadPosition(
                    f"hands[{state.turn}]", f"at most {table.HAND_SIZE} cards, by the phase", "more"
                )
            if state.lost[state.turn] > 0:
                raise BadPosition("lost", "no turn to lose, by the phase", int(state.lost[state.turn]))
        case table.Phase.OVER:
            reader.exactly("acted", False, "the game is over")
            reader.exactly("offers", 0, "the game is over")
            reader.exactly("extra", False, "the game is over")


def _check_turn(state: AnyRecord, seat: int, who: str) -> None:
    if state.turn != seat:
        raise BadPosition("turn", f"{seat}, {who}", int(state.turn))


def _check_end(reader: Reader, state: AnyRecord) -> None:
    """Scores, rounds and moves agree with the phase."""
    most = MAX_ROUNDS * MOST_POINTS
    reader.listed("scores", lambda value, path: as_whole(value, path, -most, most))
    if state.rounds != table.NO_LIMIT and state.round_number > state.rounds:
        raise BadPosition("round", f"at most {state.rounds}, by the options", int(state.round_number))
    if state.tied and state.tie != table.NEXT_TIE:
        raise BadPosition("tied", "false, by the options", True)
    if state.tied and state.round_number == 1 and state.phase != table.Phase.OVER:
        raise BadPosition("tied", "false in the first round", True)
    ending = rules.game_ending(state)
    if state.phase == table.Phase.OVER:
        if ending == table.Ending.NONE:
            raise BadPosition("over", "a reason: one alone at the target, or the last round", True)
        state.ending = ending
    elif ending in (table.Ending.TARGET, table.Ending.TIE):
        at = "the top after a tie" if ending == table.Ending.TIE else state.target
        raise BadPosition("scores", f"nobody alone at {at} while the game goes on", reader.raw("scores"))
    elif state.moves >= table.MAX_MOVES:
        raise BadPosition("moves", f"fewer than {table.MAX_MOVES} while a round goes on", int(state.moves))
