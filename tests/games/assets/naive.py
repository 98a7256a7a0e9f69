"""Cover Your Assets once more, slowly: a twin of the engine, written from the rules text alone.

It knows nothing of the engine and works on position JSON. Chance is the caller's: who deals first, and the
shuffled deck of each round, come in as arguments.
"""

import pickle
from collections.abc import Callable
from typing import Any

Position = dict[str, Any]
Deck = list[str]

# 1. In the box

FIRST = {
    "home": (20000, 8),
    "auto": (15000, 10),
    "jewels": (15000, 10),
    "stocks": (10000, 10),
    "coins": (10000, 10),
    "bank": (10000, 10),
    "stamps": (5000, 10),
    "baseball": (5000, 10),
    "mattress": (5000, 10),
    "piggy": (5000, 10),
    "silver": (25000, 8),
    "gold": (50000, 4),
}
SECOND = {
    "comics": (5000, 10),
    "piano": (5000, 10),
    "train": (5000, 10),
    "jewels": (10000, 9),
    "mattress": (10000, 9),
    "piggy": (10000, 9),
    "scooter": (15000, 9),
    "plane": (15000, 9),
    "auto": (15000, 9),
    "cabin": (20000, 8),
    "silver": (25000, 8),
    "gold": (50000, 4),
}
DECKS = {"first": FIRST, "second": SECOND}
WILDS = ["silver", "gold"]
MAX_MOVES = 2000
MAX_ROUNDS = 100
OPTIONS = ["target", "rounds", "hand", "deck", "dealer", "forgetful"]


def cards_of(deck: str) -> Deck:
    """All cards of a deck, in the order of its card table."""
    return [card for card, (_, copies) in DECKS[deck].items() for _ in range(copies)]


def in_order(position: Position, cards: list[str]) -> list[str]:
    """Sorted as in the card table."""
    table = list(DECKS[position["options"]["deck"]])
    return sorted(cards, key=table.index)


def is_wild(card: str) -> bool:
    return card in WILDS


# 2. Setting up


def set_up(options: dict[str, Any], players: int, dealer: int, deck: Deck) -> Position:
    """A new game; `deck` is the shuffled deck, its top card last."""
    table: Position = {
        "game": "assets",
        "options": {name: options[name] for name in OPTIONS},
        "players": players,
        "round": 1,
        "turn": None,
        "phase": "turn",
        "scores": [0] * players,
        "over": False,
        "winners": [],
        "moves": 0,
        "hands": [],
        "stacks": [],
        "deck": [],
        "discard": [],
        "limits": [options["hand"]] * players,
        "dealer": dealer,
        "duel": None,
    }
    deal(table, deck)
    return table


def deal(table: Position, deck: Deck) -> None:
    """As many cards each as it may hold, one by one from the dealer's left; then one is turned up."""
    players = table["players"]
    table["deck"] = list(deck)
    table["hands"] = [[] for _ in range(players)]
    table["stacks"] = [[] for _ in range(players)]
    table["discard"] = []
    table["duel"] = None
    table["moves"] = 0
    table["phase"] = "turn"
    table["turn"] = (table["dealer"] + 1) % players
    for _ in range(max(table["limits"])):
        for step in range(players):
            seat = (table["turn"] + step) % players
            if len(table["hands"][seat]) < table["limits"][seat]:
                draw_one(table, seat)
    table["discard"].append(table["deck"].pop())


def draw_one(table: Position, seat: int) -> None:
    table["hands"][seat] = in_order(table, [*table["hands"][seat], table["deck"].pop()])


# 3. What a player may do


def legal_moves(position: Position) -> list[str]:
    """All moves of the seat in turn, in no special order."""
    phase = position["phase"]
    if phase == "turn":
        return sorted({*pairs(position), *takes(position), *discards(position), *steals(position)})
    if phase == "duel":
        return answers(position)
    if phase == "draw":
        return ["draw", "forget"] if position["hands"][position["turn"]] else ["draw"]
    return []


def hand_of(position: Position) -> list[str]:
    hand: list[str] = position["hands"][position["turn"]]
    return hand


def makes_a_pair(one: str, other: str) -> bool:
    """Two equal assets, or one asset and one wild; never two wilds."""
    if is_wild(one) and is_wild(other):
        return False
    return one == other or is_wild(one) or is_wild(other)


def pairs(position: Position) -> list[str]:
    hand = hand_of(position)
    found = []
    for i, one in enumerate(hand):
        for j, other in enumerate(hand):
            if i != j and not is_wild(one) and makes_a_pair(one, other):
                found.append(f"pair {one} {other}")
    return found


def takes(position: Position) -> list[str]:
    if not position["discard"]:
        return []
    top = position["discard"][-1]
    return [f"take {top} with {card}" for card in hand_of(position) if makes_a_pair(top, card)]


def discards(position: Position) -> list[str]:
    return [f"discard {card}" for card in hand_of(position)]


def steals(position: Position) -> list[str]:
    thief = position["turn"]
    if not position["stacks"][thief]:
        return []
    return [
        f"steal p{victim} with {card}"
        for victim, stack in enumerate(position["stacks"])
        if victim != thief and len(stack) >= 2
        for card in hand_of(position)
        if fits(stack[-1], card)
    ]


def fits(top_set: dict[str, Any], card: str) -> bool:
    """That asset, or a wild."""
    return is_wild(card) or bool(card == top_set["asset"])


def answers(position: Position) -> list[str]:
    duel = position["duel"]
    top_set = position["stacks"][duel["victim"]][-1]
    verb = "press" if position["turn"] == duel["thief"] else "defend"
    shown = {f"{verb} with {card}" for card in hand_of(position) if fits(top_set, card)}
    return [*sorted(shown), "yield"]


# 4. A turn


def play(position: Position, move: str, next_deck: Callable[[], Deck]) -> Position:
    """The position after a move; `next_deck` is asked for the shuffled deck if a next round begins."""
    if move not in legal_moves(position):
        raise ValueError(f"{move!r} is not legal here")
    table: Position = pickle.loads(pickle.dumps(position))  # a copy, five times as fast as deepcopy's
    table["moves"] += 1
    seat = table["turn"]
    match move.split():
        case ["pair", one, other]:
            lay(table, seat, [from_hand(table, seat, one), from_hand(table, seat, other)])
            after_action(table, seat, None)
        case ["take", _, _, card]:
            lay(table, seat, [table["discard"].pop(), from_hand(table, seat, card)])
            after_action(table, seat, None)
        case ["discard", card]:
            table["discard"].append(from_hand(table, seat, card))
            after_action(table, seat, None)
        case ["steal", victim, _, card]:
            table["duel"] = {"thief": seat, "victim": int(victim[1:]), "shown": [[], []]}
            table["duel"]["shown"][0].append(from_hand(table, seat, card))
            ask_the_victim(table)
        case ["defend", _, card]:
            table["duel"]["shown"][1].append(from_hand(table, seat, card))
            table["turn"] = table["duel"]["thief"]
        case ["press", _, card]:
            table["duel"]["shown"][0].append(from_hand(table, seat, card))
            ask_the_victim(table)
        case ["yield"]:
            end_duel(table, thief_wins=seat == table["duel"]["victim"])
        case ["draw"]:
            refill(table, seat)
            refill_victim(table, seat)
            next_turn(table, seat)
        case ["forget"]:
            table["limits"][seat] = len(table["hands"][seat])
            refill_victim(table, seat)
            next_turn(table, seat)
    if round_is_over(table):
        end_round(table, next_deck)
    return table


def from_hand(table: Position, seat: int, card: str) -> str:
    table["hands"][seat].remove(card)
    return card


def lay(table: Position, seat: int, cards: list[str]) -> None:
    """A new top set; sets never merge."""
    asset = next(card for card in cards if not is_wild(card))
    table["stacks"][seat].append({"asset": asset, "cards": in_order(table, cards)})


def ask_the_victim(table: Position) -> None:
    """An empty hand loses the set at once."""
    victim = table["duel"]["victim"]
    if table["hands"][victim]:
        table["turn"] = victim
        table["phase"] = "duel"
    else:
        end_duel(table, thief_wins=True)


def end_duel(table: Position, thief_wins: bool) -> None:
    """All cards shown by both join the set."""
    duel = table["duel"]
    thief, victim = duel["thief"], duel["victim"]
    top_set = table["stacks"][victim][-1]
    top_set["cards"] = in_order(table, [*top_set["cards"], *duel["shown"][0], *duel["shown"][1]])
    if thief_wins:
        table["stacks"][thief].append(table["stacks"][victim].pop())
    table["duel"] = None
    after_action(table, thief, victim)


def after_action(table: Position, actor: int, victim: int | None) -> None:
    """Draw back up, thief first; if players draw by hand, the actor is asked first."""
    below = len(table["hands"][actor]) < table["limits"][actor]
    if table["options"]["forgetful"] and table["deck"] and below:
        table["phase"] = "draw"
        table["turn"] = actor
        return
    refill(table, actor)
    if victim is not None:
        refill(table, victim)
    next_turn(table, actor)


def refill(table: Position, seat: int) -> None:
    while table["deck"] and len(table["hands"][seat]) < table["limits"][seat]:
        draw_one(table, seat)


def refill_victim(table: Position, actor: int) -> None:
    """Besides the actor only a victim can be below its limit while the deck holds cards."""
    short = [seat for seat in others(table, actor) if len(table["hands"][seat]) < table["limits"][seat]]
    assert len(short) <= 1 or not table["deck"]
    for seat in short:
        refill(table, seat)


def others(table: Position, seat: int) -> list[int]:
    return [(seat + step) % table["players"] for step in range(1, table["players"])]


def next_turn(table: Position, actor: int) -> None:
    """The next seat clockwise that has a card, possibly the actor again."""
    table["phase"] = "turn"
    for seat in [*others(table, actor), actor]:
        if table["hands"][seat]:
            table["turn"] = seat
            return


# 5. The end


def round_is_over(table: Position) -> bool:
    """All hands are empty after a turn, or the cap is reached."""
    finished = table["phase"] == "turn" and not any(table["hands"])
    return bool(finished or table["moves"] >= MAX_MOVES)


def score(position: Position) -> list[int]:
    """What the round as it stands brings: every card in a stack, wilds included."""
    values = DECKS[position["options"]["deck"]]
    return [
        sum(values[card][0] for one_set in stack for card in one_set["cards"]) for stack in position["stacks"]
    ]


def end_round(table: Position, next_deck: Callable[[], Deck]) -> None:
    table["scores"] = [total + won for total, won in zip(table["scores"], score(table), strict=True)]
    if game_is_over(table):
        table["over"] = True
        table["turn"] = None
        table["phase"] = "over"
        best = max(table["scores"])
        table["winners"] = [seat for seat, total in enumerate(table["scores"]) if total == best]
    else:
        table["round"] += 1
        table["dealer"] = (table["dealer"] + 1) % table["players"]
        deal(table, next_deck())


def game_is_over(table: Position) -> bool:
    options, scores = table["options"], table["scores"]
    if table["round"] in (options["rounds"], MAX_ROUNDS):
        return True
    best = max(scores)
    return bool(best >= options["target"] and scores.count(best) == 1)


# 6. What each player sees


def view(position: Position, seat: int | None) -> Position:
    """Others' hands and the deck are hidden, the rest is public; nothing is hidden when it is over."""
    if position["over"]:
        return position
    hands = [hand if owner == seat else ["?"] * len(hand) for owner, hand in enumerate(position["hands"])]
    return position | {"hands": hands, "deck": ["?"] * len(position["deck"])}
