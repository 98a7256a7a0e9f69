"""Cover Your Assets as text and JSON: cards, moves, positions, and why a move is refused."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from kibitz.core.description import Description, Each, all_is_shown
from kibitz.core.errors import BadPosition, Refusal
from kibitz.core.events import (
    HIDDEN,
    AnyEvent,
    Drew,
    Moved,
    Revealed,
    RoundBegan,
    Sentence,
    Took,
    common_sentences,
)
from kibitz.core.layout import MAX_ROUNDS, NOBODY, AnyRecord
from kibitz.core.options import SEAT, Option, Value
from kibitz.core.reader import Reader, as_list, as_whole
from kibitz.games.assets import rules
from kibitz.games.assets.rules import (
    ASSETS,
    CARDS,
    COPIES,
    DECK_SIZES,
    DEFEND,
    DISCARD,
    DRAW,
    EDITIONS,
    FORGET,
    GOLD,
    HAND_SIZES,
    MAX_MOVES,
    MOST_TARGET,
    NO_CARD,
    NO_LIMIT,
    NUM_CARDS,
    PAIR,
    PARTNERS,
    PRESS,
    RANDOM_DEALER,
    SEATS,
    SILVER,
    STEAL,
    STEALABLE,
    TAKE,
    TAKES,
    THIEF,
    VICTIM,
    WILDS,
    YIELD,
    Ending,
    Phase,
    Step,
)

PHASES = tuple(phase.name.lower() for phase in Phase)
STEPS = tuple(step.name.lower() for step in Step)
ENDINGS = tuple(ending.name.lower().replace("_", "-") for ending in Ending)
MASKS: tuple[str, ...] = ()  # every move is open

NUMBERS = {name: number for number, name in enumerate(CARDS) if name}
ORDERS = [{NUMBERS[name]: place for place, (name, _, _) in enumerate(deck)} for deck in EDITIONS]
MOST_SCORE = MAX_ROUNDS * max(sum(value * copies for _, value, copies in deck) for deck in EDITIONS)

# Options

DECK_NAMES = ("first", "second")
OPTIONS: tuple[Option, ...] = (
    Option("target", 1_000_000, (range(1, MOST_TARGET + 1),)),
    Option("rounds", None, (None, range(1, MAX_ROUNDS + 1))),
    Option("hand", HAND_SIZES[0], HAND_SIZES),
    Option("deck", "first", DECK_NAMES),
    Option("dealer", "random", ("random", SEAT)),
    Option("forgetful", False, (False, True)),
)


def check_options(options: Mapping[str, Value]) -> None:
    """All values go together."""


def write_options(options: Mapping[str, Value], state: AnyRecord) -> None:
    """Put the options into the state."""
    state.target = options["target"]
    state.rounds = NO_LIMIT if options["rounds"] is None else options["rounds"]
    state.hand_option = options["hand"]
    state.edition = DECK_NAMES.index(str(options["deck"]))
    state.dealer_option = RANDOM_DEALER if options["dealer"] == "random" else options["dealer"]
    state.forgetful = options["forgetful"]


def read_options(fields: Any) -> dict[str, Value]:
    """The options, from a state's or view's fields."""
    return {
        "target": fields.target,
        "rounds": None if fields.rounds == NO_LIMIT else fields.rounds,
        "hand": fields.hand_option,
        "deck": DECK_NAMES[fields.edition],
        "dealer": "random" if fields.dealer_option == RANDOM_DEALER else fields.dealer_option,
        "forgetful": fields.forgetful,
    }


# Cards and moves


def card_text(card: int) -> str:
    """A card is its asset's code: `home`."""
    return CARDS[card]


def move_text(move: int) -> str:
    """A move's notation: `pair home gold`, `take home with home`, `steal p2 with home`, `yield` …"""
    if move < TAKE:
        asset, partner = pair_cards(move)
        return f"pair {CARDS[asset]} {CARDS[partner]}"
    if move < DISCARD:
        top, card = take_cards(move)
        return f"take {CARDS[top]} with {CARDS[card]}"
    if move < STEAL:
        return f"discard {CARDS[move - DISCARD + 1]}"
    if move < DEFEND:
        victim, card = steal_of(move)
        return f"steal p{victim} with {CARDS[card]}"
    if move < PRESS:
        return f"defend with {CARDS[move - DEFEND + 1]}"
    if move < YIELD:
        return f"press with {CARDS[move - PRESS + 1]}"
    return {YIELD: "yield", DRAW: "draw", FORGET: "forget"}[move]


def pair_cards(move: int) -> tuple[int, int]:
    """The asset and its partner of a pair."""
    asset, partner = divmod(move - PAIR, PARTNERS)
    return asset + 1, asset + 1 if partner == 0 else SILVER + partner - 1


def take_cards(move: int) -> tuple[int, int]:
    """The discard and the hand card of a pair."""
    index, way = divmod(move - TAKE, TAKES)
    asset = index + 1
    return [(asset, asset), (asset, SILVER), (asset, GOLD), (SILVER, asset), (GOLD, asset)][way]


def steal_of(move: int) -> tuple[int, int]:
    """The victim and the card shown."""
    victim, card = divmod(move - STEAL, NUM_CARDS)
    return victim, card + 1


_MOVES = {move_text(move): move for move in range(rules.NUM_MOVES)}


def parse_move(text: str) -> int | Refusal:
    """The number of a move, or the rule that such a move breaks anywhere."""
    if text in _MOVES:
        return _MOVES[text]
    match text.split(" "):
        case ["pair", first, second] if first in NUMBERS and second in NUMBERS:
            return _why_no_pair(first, second)
        case ["take", first, "with", second] if first in NUMBERS and second in NUMBERS:
            return _why_no_pair(first, second)
        case ["steal", victim, "with", card] if card in NUMBERS:
            return Refusal("no-such-seat", "notation", victim=victim, seats=SEATS - 1)
        case _:
            return Refusal("unknown-move", "notation")


def _why_no_pair(first: str, second: str) -> Refusal:
    if first in WILDS and second in WILDS:
        return Refusal("two-wilds", "pair")
    if first in WILDS:
        return Refusal("asset-first", "notation", right=f"pair {second} {first}")
    return Refusal("unequal", "pair", first=first, second=second)


def why_illegal(state: AnyRecord, move: int) -> Refusal:
    """The rule that refuses a move in this position, found from what the seat in turn knows."""
    if state.phase == Phase.TURN:
        return _why_not_in_turn(state, move)
    if state.phase == Phase.DUEL:
        return _why_not_in_duel(state, move)
    if move == FORGET:
        return Refusal("forget-empty", "forgetful")
    return Refusal("draw-first", "forgetful")


def _why_not_in_turn(state: AnyRecord, move: int) -> Refusal:
    if move in (DRAW, FORGET):
        if state.forgetful:
            return Refusal("act-first", "forgetful")
        return Refusal("draws-itself", "draw")
    if move >= DEFEND:
        return Refusal("no-duel", "steal")
    if move < TAKE:
        asset, partner = pair_cards(move)
        return _why_not_held(state, "pair", asset, partner)
    if move < DISCARD:
        return _why_no_take(state, *take_cards(move))
    if move < STEAL:
        return _why_not_held(state, "discard", move - DISCARD + 1)
    return _why_no_steal(state, *steal_of(move))


def _why_not_held(state: AnyRecord, rule: str, *cards: int) -> Refusal:
    hand = _hand(state)
    for card in cards:
        if COPIES[state.edition, card] == 0:
            deck = DECK_NAMES[state.edition]
            return Refusal("not-in-deck", "components", card=CARDS[card], deck=deck)
        if card not in hand:
            return Refusal("not-in-hand", rule, card=CARDS[card])
    return Refusal("held-once", rule, card=CARDS[cards[0]])


def _hand(state: AnyRecord) -> list[int]:
    hand: list[int] = state.hands[state.turn, : state.sizes[state.turn]].tolist()
    return hand


def _why_no_take(state: AnyRecord, top: int, card: int) -> Refusal:
    if state.pile_size == 0:
        return Refusal("pile-empty", "take")
    if state.pile[state.pile_size - 1] != top:
        there = CARDS[state.pile[state.pile_size - 1]]
        return Refusal("not-on-top", "take", card=CARDS[top], top=there)
    return _why_not_held(state, "take", card)


def _why_no_steal(state: AnyRecord, victim: int, card: int) -> Refusal:
    if victim >= state.players:
        return Refusal("nobody-there", "steal", victim=f"p{victim}")
    if victim == state.turn:
        return Refusal("own-set", "steal")
    if state.heights[state.turn] == 0:
        return Refusal("no-set-yet", "steal")
    if state.heights[victim] < STEALABLE:
        return Refusal("bottom-is-safe", "steal", victim=f"p{victim}")
    return _why_not_shown(state, victim, card)


def _why_not_shown(state: AnyRecord, victim: int, card: int) -> Refusal:
    asset = rules.top_asset(state, victim)
    if card not in (asset, SILVER, GOLD):
        return Refusal("does-not-fit", "steal", card=CARDS[card], asset=CARDS[asset])
    return _why_not_held(state, "steal", card)


def _why_not_in_duel(state: AnyRecord, move: int) -> Refusal:
    thief = state.turn == state.thief
    if DEFEND <= move < PRESS and thief:
        return Refusal("press-instead", "steal")
    if PRESS <= move < YIELD and not thief:
        return Refusal("defend-instead", "steal")
    if DEFEND <= move < YIELD:
        card = move - (PRESS if thief else DEFEND) + 1
        return _why_not_shown(state, int(state.victim), card)
    return Refusal("duel-first", "steal")


# Positions and views


def _sorted(cards: Sequence[int], order: Mapping[int, int]) -> list[str]:
    return [CARDS[card] for card in sorted(cards, key=lambda card: order[card])]


def _set(asset: int, count: int, silvers: int, golds: int) -> dict[str, Any]:
    name = CARDS[asset]
    cards = [name] * count + [CARDS[SILVER]] * silvers + [CARDS[GOLD]] * golds
    return {"asset": name, "cards": cards}


def _duel(
    thief: int, victim: int, shown: Sequence[Sequence[int]], shown_sizes: Sequence[int]
) -> dict[str, Any] | None:
    if thief == NOBODY:
        return None
    cards = [[CARDS[card] for card in pile[:size]] for pile, size in zip(shown, shown_sizes, strict=True)]
    return {"thief": thief, "victim": victim, "shown": cards}


def _hands(
    players: int,
    phase: int,
    observer: int | None,
    edition: int,
    hands: Sequence[Sequence[int]],
    sizes: Sequence[int],
) -> list[list[str]]:
    return [
        _sorted(hands[seat][: sizes[seat]], ORDERS[edition])
        if all_is_shown(phase, observer) or seat == observer
        else [HIDDEN] * sizes[seat]
        for seat in range(players)
    ]


def _stack(
    heights: int, assets: Sequence[int], counts: Sequence[int], silvers: Sequence[int], golds: Sequence[int]
) -> list[dict[str, Any]]:
    return [_set(*of_a_set) for of_a_set in zip(assets[:heights], counts, silvers, golds, strict=False)]


def _deck(phase: int, observer: int | None, deck: Sequence[int], deck_size: int) -> list[str]:
    shown = all_is_shown(phase, observer)
    return [CARDS[card] if shown else HIDDEN for card in deck[:deck_size]]


# In a view, cards that aren't shown are `?`.
describe = Description(
    hands=_hands,
    stacks=Each(_stack, for_seats=True),
    deck=_deck,
    discard=lambda pile, pile_size: [CARDS[card] for card in pile[:pile_size]],
    limits=lambda players, limits: limits[:players],
    dealer=lambda dealer: dealer,
    duel=_duel,
)
KEYS: tuple[str, ...] = tuple(describe.parts)


def read_position(reader: Reader, state: AnyRecord) -> None:
    """Fill the state with a position's own keys, refusing what can't be."""
    _read_open(reader, state)
    hands = reader.listed("hands", _card_list, int(state.players))
    for seat, hand in enumerate(hands):
        _check_hand(state, seat, hand)
        _write_hand(state, seat, hand)
    _check_cards_to_play(state)
    deck = reader.listed("deck", _card)
    counts = _open_cards(state)
    for hand in hands:
        counts.update(hand)
    _check_deck(state, counts, deck)
    state.deck[: len(deck)] = deck
    state.deck_size = len(deck)
    _check_draw(state)
    _check_scores(state)


def read_view(reader: Reader, log: Sequence[AnyEvent], view: AnyRecord) -> None:
    """Fill a view's own keys; the log tells nothing that the view doesn't show."""
    _read_open(reader, view)
    for seat, hand in enumerate(reader.listed("hands", _card_list_or_hidden, int(view.players))):
        _check_hand(view, seat, hand)
        view.sizes[seat] = len(hand)
        _write_hand(view, seat, [card for card in hand if card != NO_CARD])
    _check_cards_to_play(view)
    deck = reader.listed("deck", _card_or_hidden)
    view.deck_size = len(deck)
    if len(deck) <= DECK_SIZES[view.edition]:
        view.deck[: len(deck)] = deck
    counts = _open_cards(view)
    counts.update(card for seat in view.hands for card in seat.tolist() if card != NO_CARD)
    counts.update(card for card in deck if card != NO_CARD)
    _check_copies(view, counts)
    hidden = int(view.sizes.sum()) - int((view.hands > 0).sum()) + deck.count(NO_CARD)
    _check_total(view, counts.total() + hidden)
    if view.phase == Phase.DRAW:
        _find_victim(view)


def _read_open(reader: Reader, state: AnyRecord) -> None:
    """What a position and a view have in common."""
    players = int(state.players)
    if state.rounds != NO_LIMIT and state.round_number > state.rounds:
        raise BadPosition("round", f"at most {state.rounds}, by the options", int(state.round_number))
    for seat, sets in enumerate(reader.listed("stacks", _set_list, players)):
        _write_stack(state, seat, sets)
    pile = reader.listed("discard", _card)
    if len(pile) > DECK_SIZES[state.edition]:
        raise BadPosition("discard", f"at most {DECK_SIZES[state.edition]} cards", len(pile))
    state.pile[: len(pile)] = pile
    state.pile_size = len(pile)
    most = int(state.hand_option)
    least = 1 if state.forgetful else most
    limits = reader.listed("limits", lambda value, path: as_whole(value, path, least, most), players)
    state.limits[:players] = limits
    state.dealer = reader.whole("dealer", 0, players - 1)
    state.thief = state.victim = NOBODY
    if reader.raw("duel") is not None:
        _read_duel(reader.inner("duel"), state)
    elif state.phase == Phase.DUEL:
        raise BadPosition("duel", "a duel, by the phase", None)
    if state.moves >= MAX_MOVES and state.phase != Phase.OVER:
        raise BadPosition("moves", f"fewer than {MAX_MOVES} while a round goes on", int(state.moves))


def _card(value: Any, path: str) -> int:
    if not isinstance(value, str) or value not in NUMBERS:
        raise BadPosition(path, "a card such as 'home'", value)
    return NUMBERS[value]


def _card_or_hidden(value: Any, path: str) -> int:
    return NO_CARD if value == HIDDEN else _card(value, path)


def _card_list(value: Any, path: str) -> list[int]:
    return as_list(value, path, _card)


def _card_list_or_hidden(value: Any, path: str) -> list[int]:
    return as_list(value, path, _card_or_hidden)


def _set_list(value: Any, path: str) -> list[Counter[int]]:
    sets = as_list(value, path, _read_set)
    if len(sets) > rules.MOST_SETS:
        raise BadPosition(path, f"at most {rules.MOST_SETS} sets", len(sets))
    return sets


def _read_set(value: Any, path: str) -> Counter[int]:
    """A set as how many of each card it has; its asset is the one that isn't a wild."""
    reader = Reader(value, path)
    reader.only(("asset", "cards"))
    asset = NUMBERS[ASSETS[reader.one_of("asset", ASSETS)]]
    cards = Counter(reader.listed("cards", _card))
    if cards[asset] == 0 or cards.total() < 2:
        expected = f"two cards or more, {CARDS[asset]} among them"
        raise BadPosition(reader.path("cards"), expected, reader.raw("cards"))
    if cards.keys() - {asset, SILVER, GOLD}:
        raise BadPosition(reader.path("cards"), f"only {CARDS[asset]} and wilds", reader.raw("cards"))
    if any(count > COPIES[:, card].max() for card, count in cards.items()):
        raise BadPosition(reader.path("cards"), "no more cards than a deck has", reader.raw("cards"))
    return cards


def _write_stack(state: AnyRecord, seat: int, sets: list[Counter[int]]) -> None:
    for place, cards in enumerate(sets):
        asset = min(cards)
        state.assets[seat, place] = asset
        state.counts[seat, place] = cards[asset]
        state.silvers[seat, place] = cards[SILVER]
        state.golds[seat, place] = cards[GOLD]
    state.heights[seat] = len(sets)


def _read_duel(reader: Reader, state: AnyRecord) -> None:
    reader.only(("thief", "victim", "shown"))
    if state.phase not in (Phase.DUEL, Phase.OVER) or (state.phase == Phase.OVER and state.moves < MAX_MOVES):
        raise BadPosition("duel", "null except in a duel, or where the last move cut one off", reader.mapping)
    players = int(state.players)
    state.thief = reader.whole("thief", 0, players - 1)
    state.victim = reader.whole("victim", 0, players - 1)
    if state.thief == state.victim or state.heights[state.victim] < STEALABLE:
        raise BadPosition(reader.path("victim"), "another seat with two sets or more", int(state.victim))
    if state.heights[state.thief] == 0:
        raise BadPosition(reader.path("thief"), "a seat that has a set", int(state.thief))
    shown = reader.listed("shown", _card_list, 2)
    thiefs, victims = map(len, shown)
    if not (0 < thiefs <= rules.MOST_HAND and victims in (thiefs - 1, thiefs)):
        expected = "cards by turns, the thief's first"
        raise BadPosition(reader.path("shown"), expected, reader.raw("shown"))
    asset = rules.top_asset(state, state.victim)
    for side in (THIEF, VICTIM):
        if set(shown[side]) - {asset, SILVER, GOLD}:
            expected = f"only {CARDS[asset]} and wilds"
            raise BadPosition(f"{reader.path('shown')}[{side}]", expected, reader.raw("shown")[side])
        state.shown[side, : len(shown[side])] = shown[side]
        state.shown_sizes[side] = len(shown[side])
    answering = state.victim if victims < thiefs else state.thief
    if state.phase == Phase.DUEL and state.turn != answering:
        raise BadPosition("turn", f"{answering}, who answers in the duel", int(state.turn))


def _check_hand(state: AnyRecord, seat: int, hand: list[int]) -> None:
    most = int(state.limits[seat])
    for side, fighter in ((THIEF, state.thief), (VICTIM, state.victim)):
        if seat == fighter:
            most -= int(state.shown_sizes[side])
    if len(hand) > most:
        raise BadPosition(f"hands[{seat}]", f"at most {most} cards", [CARDS[card] or HIDDEN for card in hand])


def _write_hand(state: AnyRecord, seat: int, hand: list[int]) -> None:
    state.hands[seat, : len(hand)] = sorted(hand, reverse=True)
    if not hasattr(state, "observer"):
        state.sizes[seat] = len(hand)


def _check_cards_to_play(state: AnyRecord) -> None:
    """Who has to act has a card to act with; when all is over, nobody has one, except at the cap."""
    sizes = state.sizes[: state.players].tolist()
    if state.phase == Phase.TURN and sizes[state.turn] == 0:
        raise BadPosition(f"hands[{state.turn}]", "a card at least, of the seat in turn", [])
    if state.phase == Phase.DUEL and state.turn == state.victim and sizes[state.turn] == 0:
        raise BadPosition(f"hands[{state.turn}]", "a card at least, of a victim that answers", [])
    if state.phase == Phase.OVER and any(sizes) and state.moves < MAX_MOVES:
        raise BadPosition("hands", "no cards when it is over", sizes)


def _open_cards(state: AnyRecord) -> Counter[int]:
    counts: Counter[int] = Counter(state.pile[: state.pile_size].tolist())
    for side in (THIEF, VICTIM):
        counts.update(state.shown[side, : state.shown_sizes[side]].tolist())
    for seat in range(state.players):
        for place in range(state.heights[seat]):
            counts[int(state.assets[seat, place])] += int(state.counts[seat, place])
            counts[SILVER] += int(state.silvers[seat, place])
            counts[GOLD] += int(state.golds[seat, place])
    return counts


def _check_deck(state: AnyRecord, counts: Counter[int], deck: list[int]) -> None:
    counts.update(deck)
    _check_copies(state, counts)
    _check_total(state, counts.total())


def _check_copies(state: AnyRecord, counts: Counter[int]) -> None:
    for card in sorted(counts):
        copies = int(COPIES[state.edition, card])
        if counts[card] > copies:
            expected = f"at most {copies} {CARDS[card]} in hands, stacks, deck, discard and duel"
            raise BadPosition("deck", expected, counts[card])


def _check_total(state: AnyRecord, cards: int) -> None:
    size = int(DECK_SIZES[state.edition])
    if cards != size:
        raise BadPosition("deck", f"{size} cards in hands, stacks, deck, discard and duel", cards)


def _check_draw(state: AnyRecord) -> None:
    if state.phase != Phase.DRAW:
        return
    if not state.forgetful:
        raise BadPosition("phase", "not draw, except with the option forgetful", "draw")
    if state.deck_size == 0:
        raise BadPosition("deck", "a card to draw", [])
    if state.sizes[state.turn] >= state.limits[state.turn]:
        raise BadPosition(f"hands[{state.turn}]", "fewer cards than the limit before drawing", "as many")
    _find_victim(state)


def _find_victim(state: AnyRecord) -> None:
    """While the thief draws by hand, a victim that showed cards is below its limit, and nobody else is."""
    seats = [seat for seat in range(state.players) if seat != state.turn]
    short = [seat for seat in seats if state.sizes[seat] < state.limits[seat]]
    if len(short) == 1:
        state.victim = short[0]


def _check_scores(state: AnyRecord) -> None:
    """Scores are sums of values; at the end they say why it ended."""
    scores = state.scores[: state.players].tolist()
    for seat, points in enumerate(scores):
        as_whole(points, f"scores[{seat}]", 0, MOST_SCORE)
    ending = rules.game_ending(state)
    if state.phase != Phase.OVER:
        if ending == Ending.TARGET:
            raise BadPosition("scores", "nobody alone at the target while the game goes on", scores)
    elif ending == Ending.NONE:
        raise BadPosition("phase", "not over: the target isn't reached, and rounds are left", "over")
    else:
        state.ending = ending


# The log in words


def sentences(turn: Sequence[AnyEvent]) -> list[Sentence]:
    """One move with what it caused, as lines of the log."""
    lines: list[Sentence] = []
    drawn: dict[int, list[str]] = {}
    dealt: dict[int, list[str]] | None = None
    for event in turn:
        match event:
            case Moved(seat, move):
                lines += _moved(seat, move, any(isinstance(other, Took) for other in turn))
            case Took(seat, card, source) if source is not None:
                lines.append(Sentence("log.stolen", {"seat": seat, "card": card, "victim": f"p{source}"}))
            case Drew(seat, card):
                (drawn if dealt is None else dealt).setdefault(seat, []).append(card)
            case Revealed(card):
                lines += _dealt(dealt or {})
                lines.append(Sentence("log.reveal", {"card": card}))
            case RoundBegan():
                dealt = {}
                lines += common_sentences(event)
            case _:
                lines += _drawn(drawn)
                drawn = {}
                lines += common_sentences(event)
    return lines + _drawn(drawn)


def _moved(seat: int, move: str, stolen: bool) -> list[Sentence]:
    match move.split():
        case ["pair", first, second]:
            return [Sentence("log.pair", {"seat": seat, "first": first, "second": second})]
        case ["take", first, _, second]:
            return [Sentence("log.take", {"seat": seat, "first": first, "second": second})]
        case ["discard", card]:
            return [Sentence("log.discard", {"seat": seat, "card": card})]
        case ["steal", victim, _, card]:
            return [Sentence("log.steal", {"seat": seat, "victim": victim, "card": card})]
        case ["defend", _, card]:
            return [Sentence("log.defend", {"seat": seat, "card": card})]
        case ["press", _, card]:
            return [Sentence("log.press", {"seat": seat, "card": card})]
        case ["yield"] if stolen:
            return [Sentence("log.yield", {"seat": seat})]
        case ["yield"]:
            return [Sentence("log.give-up", {"seat": seat})]
        case ["forget"]:
            return [Sentence("log.forget", {"seat": seat})]
        case _:
            return []  # what is drawn says it all


def _drawn(drawn: Mapping[int, list[str]]) -> list[Sentence]:
    return [
        Sentence("log.draw", {"seat": seat, "count": len(cards), "cards": ", ".join(cards)})
        for seat, cards in drawn.items()
    ]


def _dealt(dealt: Mapping[int, list[str]]) -> list[Sentence]:
    """A deal is told to whom it is known."""
    return [
        Sentence("log.dealt", {"seat": seat, "cards": ", ".join(cards)})
        for seat, cards in dealt.items()
        if HIDDEN not in cards
    ]
