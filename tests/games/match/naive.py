"""MATCH! once more, slowly: a twin of the engine, written from the rules text alone.

It knows nothing of the engine and works on position JSON. Chance is the caller's: who begins, the cards of a
deal and the order of a reshuffled deck come in as arguments.
"""

import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Position = dict[str, Any]

# 1. In the box

COLOURS = "RYGBP"
NUMBERS = "012345"
JOKER = "W"
NUMBER_CARDS = [colour + number for colour in COLOURS for number in NUMBERS]
CARD_ORDER = [*NUMBER_CARDS, JOKER]
DECK = sorted([*NUMBER_CARDS, *NUMBER_CARDS, *([JOKER] * 4)], key=CARD_ORDER.index)
CALLS = [*COLOURS, *NUMBERS]
HAND_SIZE = 5
MAX_MOVES = 1000
MAX_ROUNDS = 100


@dataclass
class Deal:
    """What chance makes of a deal: the hands, the rest of the deck, the card turned up."""

    hands: list[list[str]]
    deck: list[str]
    turned: str


@dataclass
class Chance:
    """Where chance comes in after the first deal."""

    deal: Callable[[], Deal]
    shuffled: Callable[[list[str]], list[str]]


# 2. The table


def set_up(options: dict[str, Any], players: int, deal: Deal, starter: int) -> Position:
    """A new game."""
    table: Position = {
        "game": "match",
        "options": {name: options[name] for name in ("target", "rounds", "starter")},
        "players": players,
        "round": 1,
        "turn": starter,
        "phase": "play",
        "scores": [0] * players,
        "over": False,
        "winners": [],
        "moves": 0,
        "hands": [],
        "collections": [],
        "deck": [],
        "discard": [],
        "called": None,
        "starter": starter,
    }
    lay_out(table, deal, starter)
    return table


def lay_out(table: Position, deal: Deal, starter: int) -> None:
    """What is the same at the start of every round: hands, one card turned up, nothing collected."""
    table["hands"] = [in_order(hand) for hand in deal.hands]
    table["collections"] = [{} for _ in deal.hands]
    table["deck"] = list(deal.deck)
    table["discard"] = [deal.turned]
    table["called"] = None
    table["moves"] = 0
    table["turn"] = table["starter"] = starter


def is_a_deal(players: int, deal: Deal) -> bool:
    """All 64 cards; five in each hand; no joker is turned up."""
    cards = [card for hand in deal.hands for card in hand] + deal.deck + [deal.turned]
    sizes = [len(hand) for hand in deal.hands]
    return sizes == [HAND_SIZE] * players and deal.turned != JOKER and in_order(cards) == DECK


def in_order(cards: list[str]) -> list[str]:
    return sorted(cards, key=CARD_ORDER.index)


# 3. What a player may do


def fits(position: Position, card: str) -> bool:
    """A joker fits everything. A joker on top wants what was called; another card its colour or number."""
    if card == JOKER:
        return True
    top = position["discard"][-1]
    wanted = {position["called"]} if top == JOKER else set(top)
    return bool(set(card) & wanted)


def tops(position: Position, seat: int) -> list[str]:
    """The cards of a collection that can be seen."""
    return [pile[-1] for pile in position["collections"][seat].values()]


def legal_moves(position: Position) -> list[str]:
    """Every move that the rules allow, in no particular order; none when over."""
    if position["over"]:
        return []
    seat = position["turn"]
    hand = set(position["hands"][seat])
    bound = [card for card in tops(position, seat) if fits(position, card)]
    moves = [f"match {card} collection" for card in bound]
    for card in hand:
        if card == JOKER:
            moves += [f"wild {call}" for call in CALLS]
        elif fits(position, card):
            moves.append(f"match {card}")
        elif not bound:
            moves.append(f"collect {card}")
    return moves


# 4. A turn


def play(position: Position, move: str, chance: Chance) -> Position:
    """The position after a move."""
    if move not in legal_moves(position):
        raise ValueError(f"{move!r} is not legal here")
    table: Position = pickle.loads(pickle.dumps(position))  # a copy, five times as fast as deepcopy's
    seat = table["turn"]
    hand, collection = table["hands"][seat], table["collections"][seat]
    match move.split():
        case ["match", card]:
            hand.remove(card)
            table["discard"].append(card)
            table["called"] = None
        case ["match", card, "collection"]:
            collection[card[0]].pop()
            table["discard"].append(card)
            table["called"] = None
        case ["wild", call]:
            hand.remove(JOKER)
            table["discard"].append(JOKER)
            table["called"] = call
        case ["collect", card]:
            hand.remove(card)
            collection.setdefault(card[0], []).append(card)
            draw(table, seat, chance)
    table["collections"][seat] = {colour: collection[colour] for colour in COLOURS if collection.get(colour)}
    table["moves"] += 1
    if not hand or table["moves"] == MAX_MOVES:
        end_round(table, seat, chance)
    else:
        table["turn"] = (seat + 1) % table["players"]
    return table


def draw(table: Position, seat: int, chance: Chance) -> None:
    """One card, if there is any; an empty deck is first made anew of the discards under the top one."""
    if not table["deck"] and len(table["discard"]) > 1:
        *rest, top = table["discard"]
        table["deck"], table["discard"] = chance.shuffled(rest), [top]
    if table["deck"]:
        hand = table["hands"][seat]
        hand.append(table["deck"].pop())
        hand.sort(key=CARD_ORDER.index)


# 5. The end


def value(card: str) -> int:
    return 10 if card == JOKER else int(card[1])


def score(position: Position) -> list[int]:
    """What the round as it stands brings each seat."""
    return [
        sum(value(card) for pile in collection.values() for card in pile) - sum(map(value, hand))
        for collection, hand in zip(position["collections"], position["hands"], strict=True)
    ]


def end_round(table: Position, seat: int, chance: Chance) -> None:
    """Count; then the game is over, or the seat whose move ended the round begins the next."""
    table["scores"] = [total + points for total, points in zip(table["scores"], score(table), strict=True)]
    best = max(table["scores"])
    last = table["round"] in (table["options"]["rounds"], MAX_ROUNDS)
    if best >= table["options"]["target"] or last:
        table["over"] = True
        table["phase"] = "over"
        table["turn"] = None
        table["winners"] = [player for player, total in enumerate(table["scores"]) if total == best]
    else:
        table["round"] += 1
        lay_out(table, chance.deal(), seat)


# 6. What each player sees


def view(position: Position, seat: int | None) -> Position:
    """All but the others' hands and the deck, whose sizes are seen; everything when over."""
    if position["over"]:
        return position
    hands = [hand if s == seat else ["?"] * len(hand) for s, hand in enumerate(position["hands"])]
    return position | {"hands": hands, "deck": ["?"] * len(position["deck"])}
