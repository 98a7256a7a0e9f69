"""Cover Your Assets as text and JSON: cards, moves, positions, and why a move is refused."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from kibitz.core.cards import NO_CARD, check_box
from kibitz.core.description import Found
from kibitz.core.errors import BadPosition, Refusal
from kibitz.core.events import (
    AnyEvent,
    Drew,
    Moved,
    Revealed,
    RoundBegan,
    Took,
    common_sentences,
)
from kibitz.core.forms import Own, codes_of
from kibitz.core.layout import HIDDEN, MAX_ROUNDS, NOBODY, AnyRecord
from kibitz.core.reader import Reader, as_list, as_whole
from kibitz.core.sentences import Card, Seat, Sentence, listed, seat_named
from kibitz.games.assets import box, rules, stacks
from kibitz.games.assets.box import CARDS, GOLD, SILVER
from kibitz.games.assets.rules import THIEF, VICTIM, Ending, Phase, Step

PHASES = codes_of(Phase)
STEPS = codes_of(Step)
ENDINGS = codes_of(Ending, "-")
MASKS: tuple[str, ...] = ()  # every move is open

ORDERS = [  # of cards, by deck: that of its card table
    {NO_CARD: 0} | {CARDS.numbers[name]: place for place, (name, _, _) in enumerate(deck)}
    for deck in box.EDITIONS
]
MOST_SCORE = MAX_ROUNDS * max(sum(value * copies for _, value, copies in deck) for deck in box.EDITIONS)

# Cards and moves


def card_text(card: int) -> str:
    """A card is its asset's code: `home`."""
    return CARDS[card]


def move_text(move: int) -> str:
    """A move's notation: `pair home gold`, `take home with home`, `steal p2 with home`, `yield` …"""
    if move < rules.TAKE:
        asset, partner = pair_cards(move)
        return f"pair {CARDS[asset]} {CARDS[partner]}"
    if move < rules.DISCARD:
        top, card = take_cards(move)
        return f"take {CARDS[top]} with {CARDS[card]}"
    if move < rules.STEAL:
        return f"discard {CARDS[move - rules.DISCARD + 1]}"
    if move < rules.DEFEND:
        victim, card = steal_of(move)
        return f"steal p{victim} with {CARDS[card]}"
    if move < rules.PRESS:
        return f"defend with {CARDS[move - rules.DEFEND + 1]}"
    if move < rules.YIELD:
        return f"press with {CARDS[move - rules.PRESS + 1]}"
    return {rules.YIELD: "yield", rules.DRAW: "draw", rules.FORGET: "forget"}[move]


def pair_cards(move: int) -> tuple[int, int]:
    """The asset and its partner of a pair."""
    asset, partner = divmod(move - rules.PAIR, rules.PARTNERS)
    return asset + 1, asset + 1 if partner == 0 else SILVER + partner - 1


def take_cards(move: int) -> tuple[int, int]:
    """The discard and the hand card of a pair."""
    index, way = divmod(move - rules.TAKE, rules.TAKES)
    asset = index + 1
    return [(asset, asset), (asset, SILVER), (asset, GOLD), (SILVER, asset), (GOLD, asset)][way]


def steal_of(move: int) -> tuple[int, int]:
    """The victim and the card shown."""
    victim, card = divmod(move - rules.STEAL, box.NUM_CARDS)
    return victim, card + 1


_MOVES = {move_text(move): move for move in range(rules.NUM_MOVES)}


def parse_move(text: str) -> int | Refusal:
    """The number of a move, or the rule that such a move breaks anywhere."""
    if text in _MOVES:
        return _MOVES[text]
    match text.split(" "):
        case ["pair", first, second] if first in CARDS.numbers and second in CARDS.numbers:
            return _why_no_pair(first, second)
        case ["take", first, "with", second] if first in CARDS.numbers and second in CARDS.numbers:
            return _why_no_pair(first, second)
        case ["steal", victim, "with", card] if card in CARDS.numbers:
            return Refusal("no-such-seat", "notation", victim=victim, seats=rules.SEATS - 1)
        case _:
            return Refusal("unknown-move", "notation")


def _why_no_pair(first: str, second: str) -> Refusal:
    if first in box.WILDS and second in box.WILDS:
        return Refusal("two-wilds", "pair")
    if first in box.WILDS:
        return Refusal("asset-first", "notation", right=f"pair {second} {first}")
    return Refusal("unequal", "pair", first=first, second=second)


def why_illegal(state: AnyRecord, move: int) -> Refusal:
    """The rule that refuses a move in this position, found from what the seat in turn knows."""
    if state.phase == Phase.TURN:
        return _why_not_in_turn(state, move)
    if state.phase == Phase.DUEL:
        return _why_not_in_duel(state, move)
    if move == rules.FORGET:
        return Refusal("forget-empty", "forgetful")
    return Refusal("draw-first", "forgetful")


def _why_not_in_turn(state: AnyRecord, move: int) -> Refusal:
    if move in (rules.DRAW, rules.FORGET):
        if state.forgetful:
            return Refusal("act-first", "forgetful")
        return Refusal("draws-itself", "draw")
    if move >= rules.DEFEND:
        return Refusal("no-duel", "steal")
    if move < rules.TAKE:
        asset, partner = pair_cards(move)
        return _why_not_held(state, "pair", asset, partner)
    if move < rules.DISCARD:
        return _why_no_take(state, *take_cards(move))
    if move < rules.STEAL:
        return _why_not_held(state, "discard", move - rules.DISCARD + 1)
    return _why_no_steal(state, *steal_of(move))


def _why_not_held(state: AnyRecord, rule: str, *cards: int) -> Refusal:
    hand = _hand(state)
    for card in cards:
        if box.COPIES[state.edition, card] == 0:
            deck = rules.DECK.value(int(state.edition))
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
    if state.heights[victim] < rules.STEALABLE:
        return Refusal("bottom-is-safe", "steal", victim=f"p{victim}")
    return _why_not_shown(state, victim, card)


def _why_not_shown(state: AnyRecord, victim: int, card: int) -> Refusal:
    asset = stacks.top_asset(state, victim)
    if card not in (asset, SILVER, GOLD):
        return Refusal("does-not-fit", "steal", card=CARDS[card], asset=CARDS[asset])
    return _why_not_held(state, "steal", card)


def _why_not_in_duel(state: AnyRecord, move: int) -> Refusal:
    thief = state.turn == state.thief
    if rules.DEFEND <= move < rules.PRESS and thief:
        return Refusal("press-instead", "steal")
    if rules.PRESS <= move < rules.YIELD and not thief:
        return Refusal("defend-instead", "steal")
    if rules.DEFEND <= move < rules.YIELD:
        card = move - (rules.PRESS if thief else rules.DEFEND) + 1
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


def _held(hands: Sequence[int], sizes: int, edition: int) -> list[str]:
    """A hand in the order of the deck's card table."""
    return _sorted(hands[:sizes], ORDERS[edition])


def _stack(
    heights: int, assets: Sequence[int], counts: Sequence[int], silvers: Sequence[int], golds: Sequence[int]
) -> list[dict[str, Any]]:
    return [_set(*of_a_set) for of_a_set in zip(assets[:heights], counts, silvers, golds, strict=False)]


FORMS = {
    "hands": Own(_held, "edition", each_seat=True),
    "stacks": Own(_stack, each_seat=True),
    "duel": Own(_duel),
}


def read(reader: Reader, record: AnyRecord, found: Found) -> None:
    """Fill in hands, stacks and a duel, and refuse what can't be."""
    players = int(record.players)
    if record.rounds != rules.NO_LIMIT and record.round_number > record.rounds:
        raise BadPosition("round", f"at most {record.rounds}, by the options", int(record.round_number))
    for seat, sets in enumerate(reader.listed("stacks", _set_list, players)):
        found[f"stacks[{seat}]"] = [card for cards in sets for card in cards.elements()]
        _write_stack(record, seat, sets)
    most = int(record.hand_option)
    least = 1 if record.forgetful else most
    reader.listed("limits", lambda value, path: as_whole(value, path, least, most))
    _read_duel(reader, record, found)
    if record.moves >= rules.MAX_MOVES and record.phase != Phase.OVER:
        raise BadPosition("moves", f"fewer than {rules.MAX_MOVES} while a round goes on", int(record.moves))
    _read_hands(reader, record, found)
    _check_cards_to_play(record)
    check_box(CARDS, box.COPIES[record.edition], found)
    _check_draw(record)
    _check_scores(record)


def follow(log: Sequence[AnyEvent], view: AnyRecord) -> None:
    """The log tells nothing that the view doesn't show."""


def _read_hands(reader: Reader, record: AnyRecord, found: Found) -> None:
    in_view = hasattr(record, "observer")
    hands = reader.listed(
        "hands", lambda value, path: CARDS.read_list(value, path, in_view), int(record.players)
    )
    for seat, hand in enumerate(hands):
        _check_hand(record, seat, hand)
        record.hands[seat, : len(hand)] = sorted(hand, reverse=True)
        record.sizes[seat] = len(hand)
        found[f"hands[{seat}]"] = hand


def _set_list(value: Any, path: str) -> list[Counter[int]]:
    sets = as_list(value, path, _read_set)
    if len(sets) > rules.MOST_SETS:
        raise BadPosition(path, f"at most {rules.MOST_SETS} sets", len(sets))
    return sets


def _read_set(value: Any, path: str) -> Counter[int]:
    """A set as how many of each card it has; its asset is the one that isn't a wild."""
    reader = Reader(value, path)
    reader.only(("asset", "cards"))
    asset = CARDS.numbers[box.ASSETS[reader.one_of("asset", box.ASSETS)]]
    cards = Counter(reader.listed("cards", CARDS.read))
    if cards[asset] == 0 or cards.total() < 2:
        expected = f"two cards or more, {CARDS[asset]} among them"
        raise BadPosition(reader.path("cards"), expected, reader.raw("cards"))
    if cards.keys() - {asset, SILVER, GOLD}:
        raise BadPosition(reader.path("cards"), f"only {CARDS[asset]} and wilds", reader.raw("cards"))
    if any(count > box.COPIES[:, card].max() for card, count in cards.items()):
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


def _read_duel(position: Reader, state: AnyRecord, found: Found) -> None:
    state.thief = state.victim = NOBODY
    if position.raw("duel") is None:
        if state.phase == Phase.DUEL:
            raise BadPosition("duel", "a duel, by the phase", None)
        return
    reader = position.inner("duel")
    reader.only(("thief", "victim", "shown"))
    if state.phase not in (Phase.DUEL, Phase.OVER) or (
        state.phase == Phase.OVER and state.moves < rules.MAX_MOVES
    ):
        raise BadPosition("duel", "null except in a duel, or where the last move cut one off", reader.mapping)
    players = int(state.players)
    state.thief = reader.whole("thief", 0, players - 1)
    state.victim = reader.whole("victim", 0, players - 1)
    if state.thief == state.victim or state.heights[state.victim] < rules.STEALABLE:
        raise BadPosition(reader.path("victim"), "another seat with two sets or more", int(state.victim))
    if state.heights[state.thief] == 0:
        raise BadPosition(reader.path("thief"), "a seat that has a set", int(state.thief))
    shown = reader.listed("shown", CARDS.read_list, 2)
    thiefs, victims = map(len, shown)
    if not (0 < thiefs <= rules.MOST_HAND and victims in (thiefs - 1, thiefs)):
        expected = "cards by turns, the thief's first"
        raise BadPosition(reader.path("shown"), expected, reader.raw("shown"))
    asset = stacks.top_asset(state, state.victim)
    for side in (THIEF, VICTIM):
        if set(shown[side]) - {asset, SILVER, GOLD}:
            expected = f"only {CARDS[asset]} and wilds"
            raise BadPosition(f"{reader.path('shown')}[{side}]", expected, reader.raw("shown")[side])
        state.shown[side, : len(shown[side])] = shown[side]
        state.shown_sizes[side] = len(shown[side])
        found[f"{reader.path('shown')}[{side}]"] = shown[side]
    answering = state.victim if victims < thiefs else state.thief
    if state.phase == Phase.DUEL and state.turn != answering:
        raise BadPosition("turn", f"{answering}, who answers in the duel", int(state.turn))


def _check_hand(state: AnyRecord, seat: int, hand: list[int]) -> None:
    most = int(state.limits[seat])
    for side, fighter in ((THIEF, state.thief), (VICTIM, state.victim)):
        if seat == fighter:
            most -= int(state.shown_sizes[side])
    if len(hand) > most:
        raise BadPosition(f"hands[{seat}]", f"at most {most} cards", [CARDS[card] for card in hand])


def _check_cards_to_play(state: AnyRecord) -> None:
    """Who has to act has a card to act with; when all is over, nobody has one, except at the cap."""
    sizes = state.sizes[: state.players].tolist()
    if state.phase == Phase.TURN and sizes[state.turn] == 0:
        raise BadPosition(f"hands[{state.turn}]", "a card at least, of the seat in turn", [])
    if state.phase == Phase.DUEL and state.turn == state.victim and sizes[state.turn] == 0:
        raise BadPosition(f"hands[{state.turn}]", "a card at least, of a victim that answers", [])
    if state.phase == Phase.OVER and any(sizes) and state.moves < rules.MAX_MOVES:
        raise BadPosition("hands", "no cards when it is over", sizes)


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
                lines.append(
                    Sentence("log.stolen", {"seat": Seat(seat), "card": Card(card), "victim": Seat(source)})
                )
            case Drew(seat, card):
                (drawn if dealt is None else dealt).setdefault(seat, []).append(card)
            case Revealed(card):
                lines += _dealt(dealt or {})
                lines.append(Sentence("log.reveal", {"card": Card(card)}))
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
            return [Sentence("log.pair", {"seat": Seat(seat), "first": Card(first), "second": Card(second)})]
        case ["take", first, _, second]:
            return [Sentence("log.take", {"seat": Seat(seat), "first": Card(first), "second": Card(second)})]
        case ["discard", card]:
            return [Sentence("log.discard", {"seat": Seat(seat), "card": Card(card)})]
        case ["steal", victim, _, card]:
            return [
                Sentence("log.steal", {"seat": Seat(seat), "victim": seat_named(victim), "card": Card(card)})
            ]
        case ["defend", _, card]:
            return [Sentence("log.defend", {"seat": Seat(seat), "card": Card(card)})]
        case ["press", _, card]:
            return [Sentence("log.press", {"seat": Seat(seat), "card": Card(card)})]
        case ["yield"] if stolen:
            return [Sentence("log.yield", {"seat": Seat(seat)})]
        case ["yield"]:
            return [Sentence("log.give-up", {"seat": Seat(seat)})]
        case ["forget"]:
            return [Sentence("log.forget", {"seat": Seat(seat)})]
        case _:
            return []  # what is drawn says it all


def _drawn(drawn: Mapping[int, list[str]]) -> list[Sentence]:
    return [
        Sentence("log.draw", {"seat": Seat(seat), "count": len(cards), "cards": listed(cards)})
        for seat, cards in drawn.items()
    ]


def _dealt(dealt: Mapping[int, list[str]]) -> list[Sentence]:
    """A deal is told to whom it is known."""
    return [
        Sentence("log.dealt", {"seat": Seat(seat), "cards": listed(cards)})
        for seat, cards in dealt.items()
        if HIDDEN not in cards
    ]
