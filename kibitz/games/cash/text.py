"""CASH as text and JSON: cards, moves, positions, and why a move is refused."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from kibitz.core.description import Description, Each, all_is_shown
from kibitz.core.errors import BadPosition, Refusal
from kibitz.core.events import AnyEvent
from kibitz.core.layout import MAX_ROUNDS, AnyRecord
from kibitz.core.options import SEAT, Option, Value
from kibitz.core.reader import Reader, as_list, as_whole
from kibitz.games.cash import notation, refusals, rules, telling, trading
from kibitz.games.cash.cards import (
    CARDS,
    COPIES,
    DECK_SIZE,
    FIRST_CASH,
    FIRST_COVER,
    FIRST_PROBE,
    LAST_CASH,
    LAST_COVER,
    LAST_PROBE,
    LICENSE,
    NO_CARD,
    NUM_CARDS,
    NUM_CASH,
    NUMBER,
    POLICIES,
    POLICY_NUMBER,
    TAXMAN,
    VENTURE,
)
from kibitz.games.cash.memory import Memory
from kibitz.games.cash.notation import NOTATION, unknown
from kibitz.games.cash.scoring import Step
from kibitz.games.cash.table import (
    GIVE_LIST,
    HAND_SIZE,
    LOOSE_CARDS,
    LOOSE_TAXMAN,
    LOOSE_VENTURE,
    MAX_MOVES,
    MAX_OFFERS,
    MAX_SIDE,
    MOST_LOST,
    MOST_TARGET,
    NO_LIMIT,
    RANDOM_STARTER,
    RECESSIONS,
    TARGET,
    TAXES,
    WANT_LIST,
    Ending,
    Phase,
    is_free,
)

PHASES = tuple(phase.name.lower() for phase in Phase)
STEPS = tuple(step.name.lower() for step in Step)
ENDINGS = tuple(ending.name.lower().replace("_", "-") for ending in Ending)
MASKS: tuple[str, ...] = ("pass ?", "give ?", "want ?")
HIDDEN = "?"
MOST_POINTS = 10_000_000  # more than a round can bring or cost: twice 2,000,000 of cash, and taxes on it

move_text = notation.move_text
why_illegal = refusals.why_illegal
sentences = telling.sentences

# Options

OPTIONS: tuple[Option, ...] = (
    Option("target", TARGET, (range(1, MOST_TARGET + 1),)),
    Option("advanced", False, (False, True)),
    Option("recession", RECESSIONS[0], RECESSIONS),
    Option("tax", TAXES[0], TAXES),
    Option("trading", True, (True, False)),
    Option("rounds", None, (None, range(1, MAX_ROUNDS + 1))),
    Option("starter", "random", ("random", SEAT)),
)


def check_options(options: Mapping[str, Value]) -> None:
    """All values go together."""


def write_options(options: Mapping[str, Value], state: AnyRecord) -> None:
    """Put the options into the state."""
    state.target = options["target"]
    state.advanced = options["advanced"]
    state.recession = options["recession"]
    state.tax = TAXES.index(str(options["tax"]))
    state.trading = options["trading"]
    state.rounds = NO_LIMIT if options["rounds"] is None else options["rounds"]
    state.starter_option = RANDOM_STARTER if options["starter"] == "random" else options["starter"]


def read_options(fields: Any) -> dict[str, Value]:
    """The options, from a state's or view's fields."""
    return {
        "target": fields.target,
        "advanced": fields.advanced,
        "recession": fields.recession,
        "tax": TAXES[fields.tax],
        "trading": fields.trading,
        "rounds": None if fields.rounds == NO_LIMIT else fields.rounds,
        "starter": "random" if fields.starter_option == RANDOM_STARTER else fields.starter_option,
    }


# Cards and moves


def card_text(card: int) -> str:
    """A card's code, such as `cash-25`."""
    return CARDS[card]


def parse_move(text: str) -> int | Refusal:
    """The number of a move, or the rule that such a move breaks anywhere."""
    return NOTATION[text] if text in NOTATION else unknown(text)


# Positions and views

EMPTIED = ("offer",)  # while it is built, the others don't see how many cards it has
FIRM_KEYS = ("license", "probe", "cash", "insured", "venture", "taxman")
OFFER_LISTS = ("give", "give_firm", "want", "want_firm")
OFFER_PHASES = (Phase.OFFER, Phase.ANSWER)
CASH = range(FIRST_CASH, LAST_CASH + 1)


def _names(cards: Sequence[int]) -> list[str]:
    return [CARDS[card] if card != NO_CARD else HIDDEN for card in cards]


def _counted(counts: Sequence[int], cards: Sequence[int] = range(NUM_CARDS + 1)) -> list[str]:
    """Counts of cards as a list in card order."""
    return [CARDS[card] for card, count in zip(cards, counts, strict=True) for _ in range(count)]


def _hands(
    players: int, phase: int, observer: int | None, hands: Sequence[Sequence[int]], hand_sizes: Sequence[int]
) -> list[list[str]]:
    return [
        _counted(hands[seat])
        if all_is_shown(phase, observer) or seat == observer
        else [HIDDEN] * hand_sizes[seat]
        for seat in range(players)
    ]


def _deck(phase: int, observer: int | None, deck: Sequence[int], deck_size: int) -> list[str]:
    return _names(deck[:deck_size]) if all_is_shown(phase, observer) else [HIDDEN] * deck_size


def _firm(licenses: int, probes: int, tabled: Sequence[int], insured: Sequence[int]) -> dict[str, Any]:
    return {
        "license": licenses == 1,
        "probe": CARDS[probes] or None,
        "cash": _counted(tabled[:NUM_CASH], CASH),
        "insured": [
            {"cover": CARDS[cover], "cash": _names(cash)}
            for cover, cash in (POLICIES[policy] for policy in insured if policy)
        ],
        "venture": tabled[LOOSE_VENTURE],
        "taxman": tabled[LOOSE_TAXMAN],
    }


def _offer(
    phase: int,
    offer_from: int,
    offer_to: int,
    offered: Sequence[Sequence[int]],
    offered_sizes: Sequence[int],
) -> dict[str, Any] | None:
    if phase not in OFFER_PHASES:
        return None
    lists = {
        name: _names(cards[:size])
        for name, cards, size in zip(OFFER_LISTS, offered, offered_sizes, strict=True)
    }
    return {"from": offer_from, "to": offer_to, **lists}


def _passing(
    players: int,
    phase: int,
    pass_count: int,
    pass_from: int,
    pass_trim: bool,
    chosen: Sequence[Sequence[int]],
    chosen_sizes: Sequence[int],
) -> dict[str, Any] | None:
    if phase != Phase.PASSING:
        return None
    return {
        "count": pass_count,
        "from": pass_from,
        "trim": pass_trim,
        "chosen": [_names(chosen[seat][: chosen_sizes[seat]]) for seat in range(players)],
    }


# In a view, cards that aren't shown are `?`.
describe = Description(
    hands=_hands,
    firms=Each(_firm, for_seats=True),
    deck=_deck,
    discard=lambda discard, discard_size: _names(discard[:discard_size]),
    lost=lambda players, lost: lost[:players],
    starter=lambda starter: starter,
    acted=lambda acted: acted,
    offers=lambda offers: offers,
    offer=_offer,
    passing=_passing,
    extra=lambda extra: extra,
)
KEYS: tuple[str, ...] = tuple(describe.parts)


def read_position(reader: Reader, state: AnyRecord) -> None:
    """Fill the state with a position's own keys, refusing what can't be."""
    _read_all(reader, state, _card)


def read_view(reader: Reader, log: Sequence[AnyEvent], view: AnyRecord) -> None:
    """Fill a view's own keys; what the seat knows beyond it follows from a log of the whole round."""
    _read_all(reader, view, _card_or_hidden)
    if view.phase != Phase.OVER:
        Memory(view).follow(log)


def _card(value: Any, path: str) -> int:
    if not isinstance(value, str) or value not in NUMBER:
        raise BadPosition(path, "a card such as 'cash-25'", value)
    return NUMBER[value]


def _card_or_hidden(value: Any, path: str) -> int:
    return NO_CARD if value == HIDDEN else _card(value, path)


def _read_all(reader: Reader, state: AnyRecord, card: Any) -> None:
    """A position, or a view if `card` also reads hidden cards."""
    players = int(state.players)

    def cards(value: Any, path: str) -> list[int]:
        return as_list(value, path, card)

    hands = reader.listed("hands", cards, players)
    deck = reader.listed("deck", card)
    discard = reader.listed("discard", _card)
    counts: Counter[int] = Counter()
    for seat, firm in enumerate(reader.listed("firms", lambda value, path: Reader(value, path), players)):
        _read_firm(firm, state, seat, counts)
    state.lost[:players] = reader.listed(
        "lost", lambda value, path: as_whole(value, path, 0, MOST_LOST), players
    )
    state.starter = reader.whole("starter", 0, players - 1)
    state.acted = reader.flag("acted")
    state.offers = reader.whole("offers", 0, MAX_OFFERS)
    state.extra = reader.flag("extra")
    chosen = _read_passing(reader, state, cards)
    for seat in range(players):
        _count(counts, f"hands[{seat}]", hands[seat])
        _count(counts, f"passing.chosen[{seat}]", chosen[seat])
    _count(counts, "deck", deck)
    _count(counts, "discard", discard)
    _check_total(counts, counts[NO_CARD])
    for seat, hand in enumerate(hands):
        state.hand_sizes[seat] = len(hand)
        for held in hand:
            state.hands[seat, held] += held != NO_CARD
        state.chosen[seat, : len(chosen[seat])] = sorted(chosen[seat])
        state.chosen_sizes[seat] = len(chosen[seat])
    state.deck[: len(deck)] = deck
    state.deck_size = len(deck)
    state.discard[: len(discard)] = discard
    state.discard_size = len(discard)
    _read_offer(reader, state, card)
    _check_phase(reader, state)
    _check_end(reader, state)


def _read_firm(firm: Reader, state: AnyRecord, seat: int, counts: Counter[int]) -> None:
    firm.only(FIRM_KEYS)
    state.licenses[seat] = firm.flag("license")
    probes = [None, *CARDS[FIRST_PROBE : LAST_PROBE + 1]]
    probe = firm.one_of("probe", probes)
    if probe and not state.licenses[seat]:
        raise BadPosition(firm.path("probe"), "null without a license", firm.raw("probe"))
    state.probes[seat] = FIRST_PROBE + probe - 1 if probe else NO_CARD
    cash = firm.listed("cash", _cash_card)
    insured = firm.listed("insured", _read_policy)
    ventures = firm.whole("venture", 0, int(COPIES[VENTURE]))
    taxmen = firm.whole("taxman", 0, int(COPIES[TAXMAN]))
    loose = [*cash, *[VENTURE] * ventures, *[TAXMAN] * taxmen]
    path = firm.path("cash")
    _count(counts, path, [LICENSE] * int(state.licenses[seat]) + loose)
    _count(counts, firm.path("probe"), [int(state.probes[seat])] if probe else [])
    _count(counts, firm.path("insured"), [card for policy in insured for card in _cards_of(policy)])
    state.tabled[seat] = [loose.count(card) for card in LOOSE_CARDS]
    state.insured[seat, : len(insured)] = sorted(insured)


def _cash_card(value: Any, path: str) -> int:
    card = _card(value, path)
    if card not in CASH:
        raise BadPosition(path, "a cash card", value)
    return card


def _cards_of(policy: int) -> list[int]:
    cover, cash = POLICIES[policy]
    return [cover, *cash]


def _read_policy(value: Any, path: str) -> int:
    reader = Reader(value, path)
    reader.only(("cover", "cash"))
    cover = FIRST_COVER + reader.one_of("cover", CARDS[FIRST_COVER : LAST_COVER + 1])
    cash = tuple(sorted(reader.listed("cash", _cash_card)))
    if (cover, cash) not in POLICY_NUMBER:
        expected = f"cash that {CARDS[cover]} can insure"
        raise BadPosition(reader.path("cash"), expected, reader.raw("cash"))
    return POLICY_NUMBER[cover, cash]


def _count(counts: Counter[int], key: str, cards: Sequence[int]) -> None:
    """Add cards to the counts; no card is there too often. NO_CARD stands for one that isn't seen."""
    counts.update(cards)
    for card in cards:
        if card != NO_CARD and counts[card] > COPIES[card]:
            raise BadPosition(key, f"at most {COPIES[card]} of {CARDS[card]} in all", CARDS[card])


def _check_total(counts: Counter[int], unseen: int) -> None:
    """And none is missing."""
    missing = [card for card in range(1, NUM_CARDS + 1) if counts[card] < COPIES[card]]
    if counts.total() != DECK_SIZE:
        first = min(missing, default=LICENSE)
        expected = f"{DECK_SIZE} cards in all, {COPIES[first]} of them {CARDS[first]}"
        raise BadPosition(
            "deck", expected, f"{counts.total()} cards, {counts[first]} of them, {unseen} unseen"
        )


def _read_passing(reader: Reader, state: AnyRecord, cards: Any) -> list[list[int]]:
    """Fill in what is said about passing; returns the chosen cards of each seat."""
    players = int(state.players)
    if state.phase != Phase.PASSING:
        reader.exactly("passing", None, "by the phase")
        return [[] for _ in range(players)]
    passing = reader.inner("passing")
    passing.only(("count", "from", "trim", "chosen"))
    state.pass_count = passing.whole("count", 1, 2)
    state.pass_from = passing.whole("from", 0, players - 1)
    state.pass_trim = passing.flag("trim")
    chosen = passing.listed("chosen", cards, players)
    for seat, each in enumerate(chosen):
        if len(each) > state.pass_count:
            expected = f"at most {state.pass_count} cards"
            raise BadPosition(f"{passing.path('chosen')}[{seat}]", expected, _names(each))
    return chosen


def _read_offer(reader: Reader, state: AnyRecord, card: Any) -> None:
    if state.phase not in OFFER_PHASES:
        reader.exactly("offer", None, "by the phase")
        return
    offer = reader.inner("offer")
    offer.only(("from", "to", *OFFER_LISTS))
    if state.offers == 0:
        raise BadPosition("offers", "1 or more: an offer is begun", 0)
    players = int(state.players)
    state.offer_from = offer.whole("from", 0, players - 1)
    state.offer_to = offer.whole("to", 0, players - 1)
    if state.offer_from == state.offer_to:
        raise BadPosition(offer.path("to"), "another seat", int(state.offer_to))
    for which, name in enumerate(OFFER_LISTS):
        listed = offer.listed(name, card)
        if listed != sorted(listed):
            raise BadPosition(offer.path(name), "cards in card order", _names(listed))
        if len(listed) > MAX_SIDE:
            raise BadPosition(offer.path(name), f"at most {MAX_SIDE} cards", _names(listed))
        state.offered[which, : len(listed)] = listed
        state.offered_sizes[which] = len(listed)
        _check_offered(offer, state, which, name, listed)
    for first in (GIVE_LIST, WANT_LIST):
        if trading.side(state, first) > MAX_SIDE:
            path = offer.path(OFFER_LISTS[first])
            raise BadPosition(path, f"at most {MAX_SIDE} cards a side", int(trading.side(state, first)))
    if state.phase == Phase.ANSWER and not trading.can_be_proposed(state):
        expected = f"an offer that leaves the other side at most {HAND_SIZE} hand cards, and isn't empty"
        raise BadPosition("offer", expected, reader.raw("offer"))


def _check_offered(offer: Reader, state: AnyRecord, which: int, name: str, listed: list[int]) -> None:
    """What is given is there, and what is asked from a firm; what is asked from a hand may not be."""
    if which == WANT_LIST:
        return
    owner = int(state.offer_from if which < WANT_LIST else state.offer_to)
    there: Counter[int] = Counter()
    if which == GIVE_LIST:
        hidden = int(state.hand_sizes[owner]) - int(state.hands[owner].sum())
        there.update({card: int(count) for card, count in enumerate(state.hands[owner])})
        there[NO_CARD] = int(state.hand_sizes[owner])
        there.update(dict.fromkeys(range(1, NUM_CARDS + 1), hidden))
    elif is_free(state, state.offer_from) and is_free(state, state.offer_to):
        there.update(dict(zip(LOOSE_CARDS.tolist(), state.tabled[owner].tolist(), strict=True)))
    if Counter(listed) - there:
        where = "in the hand" if which == GIVE_LIST else "on a firm that may trade"
        raise BadPosition(offer.path(name), f"cards that are {where} of p{owner}", _names(listed))


def _check_phase(reader: Reader, state: AnyRecord) -> None:
    """Who is in turn, and the rest of the position, follow from the phase."""
    if state.phase in (Phase.PASSING, Phase.TRIM, Phase.AGAIN) or state.extra:
        reader.exactly("acted", True, "by the phase, or by the extra turn")
    if not state.trading:
        reader.exactly("offers", 0, "trading is off, by the options")
    match Phase(int(state.phase)):
        case Phase.OFFER:
            _check_turn(state, int(state.offer_from), "who builds the offer")
        case Phase.ANSWER:
            _check_turn(state, int(state.offer_to), "who is asked")
        case Phase.PASSING:
            choosing = [
                seat
                for seat in range(int(state.players))
                if state.chosen_sizes[seat] < state.pass_count and state.hand_sizes[seat] > 0
            ]
            if not choosing:
                raise BadPosition("passing.chosen", "a seat that has still to choose", "none")
            _check_turn(state, choosing[0], "the lowest seat that has still to choose")
        case Phase.TRIM if state.hand_sizes[state.turn] <= HAND_SIZE:
            raise BadPosition(f"hands[{state.turn}]", f"more than {HAND_SIZE} cards, by the phase", "fewer")
        case Phase.AGAIN:
            reader.exactly("extra", True, "by the phase")
            if state.hand_sizes[state.turn] > HAND_SIZE:
                raise BadPosition(f"hands[{state.turn}]", f"at most {HAND_SIZE} cards, by the phase", "more")
            if state.lost[state.turn] > 0:
                raise BadPosition("lost", "no turn to lose, by the phase", int(state.lost[state.turn]))
        case Phase.OVER:
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
    if state.rounds != NO_LIMIT and state.round_number > state.rounds:
        raise BadPosition("round", f"at most {state.rounds}, by the options", int(state.round_number))
    ending = rules.game_ending(state)
    if state.phase == Phase.OVER:
        if ending == Ending.NONE:
            raise BadPosition("over", "a reason: one alone at the target, or the last round", True)
        state.ending = ending
    elif ending == Ending.TARGET:
        raise BadPosition(
            "scores", f"nobody alone at {state.target} while the game goes on", reader.raw("scores")
        )
    elif state.moves >= MAX_MOVES:
        raise BadPosition("moves", f"fewer than {MAX_MOVES} while a round goes on", int(state.moves))
