"""CASH once more, slowly: a twin of the engine, written from the rules text alone.

It knows nothing of the engine and works on position JSON. Chance is the caller's: who begins, the cards of a
deal and the order of a reshuffled deck come in as arguments.
"""

import pickle
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

Position = dict[str, Any]
Firm = dict[str, Any]

# 1. In the box

COPIES = {
    "license": 20,
    "stop": 10,
    "cash-5": 10,
    "cash-10": 10,
    "cash-25": 14,
    "cash-50": 12,
    "cash-75": 8,
    "cash-150": 2,
    "cover-25": 6,
    "cover-50": 4,
    "cover-75": 2,
    "probe-bribery": 6,
    "probe-insider": 6,
    "probe-laundering": 6,
    "probe-crime": 6,
    "clear-bribery": 10,
    "clear-insider": 10,
    "clear-laundering": 10,
    "clear-crime": 10,
    "settlement": 8,
    "dividend": 10,
    "premium": 2,
    "venture": 4,
    "takeover": 4,
    "crash": 8,
    "recession": 6,
    "bankruptcy": 2,
    "broker": 5,
    "banker": 3,
    "taxman": 2,
}
CARD_ORDER = list(COPIES)
DECK = [card for card, copies in COPIES.items() for _ in range(copies)]
CASH = [card for card in CARD_ORDER if card.startswith("cash-")]
BEARS = ["crash", "recession", "bankruptcy"]
FEE = "cash-25"
HAND_SIZE = 7
MAX_MOVES = 5000
MAX_ROUNDS = 100
PASSED_AFTER = {"crash": 1, "recession": 2}
COMMISSION = {"broker": ("cash-25", 1), "banker": ("cash-50", 2)}


@dataclass
class Deal:
    """What chance makes of a deal: seven cards each, and the deck before anybody draws."""

    hands: list[list[str]]
    deck: list[str]


@dataclass
class Chance:
    """Where chance comes in after the first deal."""

    deal: Callable[[], Deal]
    shuffled: Callable[[list[str]], list[str]]


def in_order(cards: Iterable[str]) -> list[str]:
    return sorted(cards, key=CARD_ORDER.index)


def value(card: str) -> int:
    """A cash card's dollars, an insurance's limit."""
    return 1000 * int(card.split("-")[1])


# 2. The table


def set_up(options: dict[str, Any], players: int, deal: Deal, starter: int) -> Position:
    """A new game, up to the starter's first decision."""
    names = ["target", "advanced", "recession", "tax", "trading", "rounds", "starter"]
    names += ["spare", "firm_trades", "offers", "counter", "tie"]
    table: Position = {
        "game": "cash",
        "options": {name: options[name] for name in names},
        "players": players,
        "round": 1,
        "turn": starter,
        "phase": "action",
        "scores": [0] * players,
        "over": False,
        "winners": [],
        "moves": 0,
        "hands": [],
        "firms": [],
        "deck": [],
        "discard": [],
        "lost": [],
        "starter": starter,
        "acted": False,
        "offers": 0,
        "offer": None,
        "passing": None,
        "extra": False,
        "taking": None,
        "spared": [],
        "tied": False,
    }
    lay_out(table, deal, starter)
    return table


def lay_out(table: Position, deal: Deal, starter: int) -> None:
    """What is the same at the start of every round; the starter's first draw belongs to it."""
    table["hands"] = [in_order(hand) for hand in deal.hands]
    table["firms"] = [empty_firm(license=not table["options"]["advanced"]) for _ in deal.hands]
    table["deck"] = list(deal.deck)
    table["discard"] = []
    table["lost"] = [0] * table["players"]
    table["moves"] = 0
    table["starter"] = starter
    table["extra"] = False
    begin_turn(table, starter, no_shuffle)


def empty_firm(license: bool) -> Firm:
    return {"license": license, "probe": None, "cash": [], "insured": [], "venture": 0, "taxman": 0}


def is_a_deal(options: dict[str, Any], players: int, deal: Deal) -> bool:
    """All 216 cards, less the licenses on the firms; seven in each hand."""
    cards = [card for hand in deal.hands for card in hand] + deal.deck
    cards += [] if options["advanced"] else ["license"] * players
    return [len(hand) for hand in deal.hands] == [HAND_SIZE] * players and in_order(cards) == DECK


def no_shuffle(cards: list[str]) -> list[str]:
    raise AssertionError(f"a fresh deck is not empty ({len(cards)} cards to shuffle)")


def rivals(table: Position, seat: int) -> list[int]:
    """The other seats, from the left on."""
    return [(seat + step) % table["players"] for step in range(1, table["players"])]


def right_of(table: Position, seat: int) -> int:
    """The previous seat."""
    return (seat - 1) % int(table["players"])


def is_free(firm: Firm) -> bool:
    """Licensed and not under investigation."""
    return firm["license"] and firm["probe"] is None


def lowest(firm: Firm) -> list[str]:
    """The lowest uninsured tabled cash: a list of one card or none."""
    return list(firm["cash"][:1])


def highest(firm: Firm) -> list[str]:
    return list(firm["cash"][-1:])


# 3. What a player may do


def legal_moves(position: Position) -> list[str]:
    """Every move that the rules allow, in no particular order; none when over."""
    match position["phase"]:
        case "action":
            return action_moves(position)
        case "offer":
            return offer_moves(position)
        case "answer":
            return answer_moves(position)
        case "passing":
            return [f"pass {card}" for card in kinds_in_hand(position)]
        case "trim":
            return [f"trim {card}" for card in kinds_in_hand(position)]
        case "again":
            return ["again", "done"]
        case "taking":
            last = max(position["spared"], default=-1)
            return ["take", *(f"spare p{rival}" for rival in payers(position) if rival > last)]
    return []


def payers(position: Position) -> list[int]:
    """The opponents from whom the card that was discarded would take one."""
    card, seat = position["taking"], position["turn"]
    return [rival for rival in rivals(position, seat) if to_take(position["firms"][rival], card)]


def to_take(firm: Firm, card: str) -> list[str]:
    """The cash card that a discarded card takes from a firm, if it is there."""
    if card in COMMISSION:
        return [COMMISSION[card][0]] if COMMISSION[card][0] in firm["cash"] else []
    return lowest(firm) if card == "dividend" else highest(firm)


def most_on_a_side(position: Position) -> int:
    return 8 if position["options"]["counter"] else 4


def kinds_in_hand(position: Position) -> list[str]:
    return in_order(set(position["hands"][position["turn"]]))


def action_moves(position: Position) -> list[str]:
    seat = position["turn"]
    moves = []
    if not position["acted"]:
        for card in kinds_in_hand(position):
            moves.append(f"discard {card}")
            moves += plays(position, seat, card)
    if position["acted"] or not position["hands"][seat]:
        moves.append("done")
    if position["options"]["trading"] and position["offers"] < position["options"]["offers"]:
        moves += [f"trade p{rival}" for rival in rivals(position, seat)]
    return moves


def plays(position: Position, seat: int, card: str) -> list[str]:
    """What can be done with a hand card beside discarding it for itself."""
    firm = position["firms"][seat]
    if not firm["license"]:
        return ["play license"] if card == "license" else []
    if firm["probe"]:
        return ["play settlement"] if card == "settlement" and firm["cash"] else []
    if card in ("stop", "taxman", *CASH):
        return [f"play {card}"]
    if card.startswith("cover-"):
        return [f"play {card} over {' '.join(cash)}" for cash in coverable(firm, value(card))]
    if card.startswith("probe-"):
        free = [rival for rival in rivals(position, seat) if is_free(position["firms"][rival])]
        return [f"play {card} on p{rival}" for rival in free]
    if card == "venture" and FEE in firm["cash"]:
        return ["play venture"]
    if card == "takeover" and FEE in firm["cash"]:
        owners = [rival for rival in rivals(position, seat) if position["firms"][rival]["venture"]]
        return [f"discard takeover on p{owner}" for owner in owners]
    return []


def coverable(firm: Firm, limit: int) -> list[tuple[str, ...]]:
    """Every different choice of one or more uninsured cash cards that together don't exceed the limit."""
    choices: list[tuple[str, ...]] = [()]
    for card in in_order(set(firm["cash"])):
        counts = range(firm["cash"].count(card) + 1)
        more = [choice + (card,) * count for choice in choices for count in counts]
        choices = [choice for choice in more if sum(map(value, choice)) <= limit]
    return [choice for choice in choices if choice]


def offer_moves(position: Position) -> list[str]:
    """The next step of an offer: `give`, `give firm`, `want`, `want firm`, each in card order; or an end."""
    offer = position["offer"]
    mine, theirs = offer["from"], offer["to"]
    firms = position["firms"]
    free = is_free(firms[mine]) and is_free(firms[theirs])
    open_firms = free or position["options"]["firm_trades"] == "any"
    most = most_on_a_side(position)
    steps = {
        "give": position["hands"][mine],
        "give_firm": tradeable(firms[mine]) if open_firms else [],
        "want": DECK if position["options"]["counter"] else CARD_ORDER * most,
        "want_firm": tradeable(firms[theirs]) if open_firms else [],
    }
    moves = ["drop"]
    for place, (step, cards) in enumerate(steps.items()):
        later = list(steps)[place + 1 :]
        side = ("give", "give_firm") if step.startswith("give") else ("want", "want_firm")
        if any(offer[name] for name in later) or sum(len(offer[name]) for name in side) >= most:
            continue
        left = Counter(cards) - Counter(offer[step])
        last = CARD_ORDER.index(offer[step][-1]) if offer[step] else 0
        moves += [f"{step.replace('_', ' ')} {card}" for card in left if CARD_ORDER.index(card) >= last]
    if can_be_proposed(position):
        moves.append("propose")
    return moves


def tradeable(firm: Firm) -> list[str]:
    return [*firm["cash"], *["venture"] * firm["venture"], *["taxman"] * firm["taxman"]]


def can_be_proposed(position: Position) -> bool:
    """An offer isn't empty, and who isn't in turn doesn't end above seven hand cards."""
    offer = position["offer"]
    if not any(offer[name] for name in ("give", "give_firm", "want", "want_firm")):
        return False
    more = len(offer["give"]) - len(offer["want"])
    if offer["counter"]:
        return len(position["hands"][offer["from"]]) - more <= HAND_SIZE
    return len(position["hands"][offer["to"]]) + more <= HAND_SIZE


def answer_moves(position: Position) -> list[str]:
    """Who doesn't hold what is asked for can't accept; a counter-offer is one of the turn's offers."""
    held = Counter(position["hands"][position["turn"]])
    moves = ["decline"]
    if Counter(position["offer"]["want"]) <= held:
        moves.append("accept")
    if position["options"]["counter"] and position["offers"] < position["options"]["offers"]:
        moves.append("counter")
    return moves


# 4. A turn


def play(position: Position, move: str, chance: Chance) -> Position:
    """The position after a move and all that follows by itself."""
    if move not in legal_moves(position):
        raise ValueError(f"{move!r} is not legal here")
    table: Position = pickle.loads(pickle.dumps(position))  # a copy, five times as fast as deepcopy's
    table["moves"] += 1
    if table["phase"] == "action":
        stopped = act(table, move, chance)
    else:
        stopped = False
        RUNGS[table["phase"]](table, move, chance)
    if stopped or table["moves"] == MAX_MOVES:
        end_round(table, chance)
    return table


def begin_turn(table: Position, seat: int, shuffled: Callable[[list[str]], list[str]]) -> None:
    """A turn begins with drawing a card."""
    table["turn"] = seat
    table["phase"] = "action"
    table["acted"] = False
    table["offers"] = 0
    table["offer"] = table["passing"] = None
    draw(table, seat, shuffled)


def draw(table: Position, seat: int, shuffled: Callable[[list[str]], list[str]]) -> None:
    """One card; when one must be drawn and the deck is empty, the discards become the deck, not before."""
    if not table["deck"]:
        table["deck"], table["discard"] = shuffled(table["discard"]), []
    put(table["hands"][seat], [table["deck"].pop()])


def put(holding: list[str], cards: Iterable[str]) -> None:
    holding.extend(cards)
    holding.sort(key=CARD_ORDER.index)


def take(holding: list[str], cards: Iterable[str]) -> list[str]:
    taken = list(cards)
    for card in taken:
        holding.remove(card)
    return taken


def act(table: Position, move: str, chance: Chance) -> bool:
    """A move of the action part; true if it stops the round."""
    seat = table["turn"]
    words = move.split()
    if move == "done":
        hand_step(table, seat, chance)
    elif words[0] == "trade":
        table["offers"] += 1
        table["phase"] = "offer"
        table["offer"] = new_offer(seat, int(words[1][1:]), counter=False)
    else:
        table["acted"] = True
        card = words[1]
        take(table["hands"][seat], [card])
        if words[0] == "play":
            play_card(table, seat, card, words[3:])
            return card == "stop"
        table["discard"].append(card)
        if table["firms"][seat]["license"]:
            discard_card(table, seat, card, words[3:], chance)
    return False


def play_card(table: Position, seat: int, card: str, more: list[str]) -> None:
    """A card is laid onto the firm, onto cash, onto a rival; what is spent goes to the discards."""
    firm, discard = table["firms"][seat], table["discard"]
    if card == "license":
        firm["license"] = True
    elif card in CASH:
        put(firm["cash"], [card])
    elif card.startswith("cover-"):
        firm["insured"].append({"cover": card, "cash": take(firm["cash"], more)})
        firm["insured"].sort(key=insured_order)
    elif card.startswith("probe-"):
        table["firms"][int(more[0][1:])]["probe"] = card
    elif card == "settlement":
        discard.extend(["settlement", *take(firm["cash"], lowest(firm))])
        lift_probe(table, firm)
    elif card == "venture":
        discard.extend(take(firm["cash"], [FEE]))
        firm["venture"] += 1
    elif card == "taxman":
        firm["taxman"] += 1
    elif card == "stop":
        discard.append("stop")


def insured_order(insured: dict[str, Any]) -> tuple[int, list[int]]:
    """By the cover, then by its cash."""
    return CARD_ORDER.index(insured["cover"]), [CARD_ORDER.index(card) for card in insured["cash"]]


def lift_probe(table: Position, firm: Firm) -> None:
    if firm["probe"]:
        table["discard"].append(firm["probe"])
    firm["probe"] = None


def discard_card(table: Position, seat: int, card: str, more: list[str], chance: Chance) -> None:
    """What a licensed player's discarded card does; it lies on the pile already."""
    firm = table["firms"][seat]
    if card.startswith("clear-") and firm["probe"] == card.replace("clear", "probe"):
        lift_probe(table, firm)
    elif card in ("dividend", "premium"):
        lift_probe(table, firm)
        table["extra"] = True
        begin_taking(table, card)
    elif card == "takeover" and more:
        table["discard"].extend(take(firm["cash"], [FEE]))
        table["firms"][int(more[0][1:])]["venture"] -= 1
        firm["venture"] += 1
    elif card in COMMISSION and not firm["probe"]:
        wanted, turns = COMMISSION[card]
        for rival in rivals(table, seat):
            if wanted not in table["firms"][rival]["cash"]:
                table["lost"][rival] += turns
        begin_taking(table, card)
    elif card in BEARS:
        bear(table, seat, card, chance, trim=False)


def begin_taking(table: Position, card: str) -> None:
    """With somebody to take from, the same seat decides; where nobody is spared, all is taken at once."""
    table["taking"] = card
    if table["options"]["spare"] and payers(table):
        table["phase"] = "taking"
    else:
        take_cash(table)


def take_cash(table: Position) -> None:
    """From each opponent that isn't spared."""
    own = table["firms"][table["turn"]]
    for rival in payers(table):
        if rival not in table["spared"]:
            theirs = table["firms"][rival]
            put(own["cash"], take(theirs["cash"], to_take(theirs, table["taking"])))
    table["taking"], table["spared"] = None, []


def spare_or_take(table: Position, move: str, chance: Chance) -> None:
    """Spare one more, or take from the rest and go on."""
    if move == "take":
        take_cash(table)
        table["phase"] = "action"
    else:
        table["spared"].append(int(move.removeprefix("spare p")))


def bear(table: Position, seat: int, card: str, chance: Chance, trim: bool) -> None:
    """What a licensed player's discarded bear card does; it lies on the pile already."""
    if card == "bankruptcy":
        go_bankrupt(table, seat, chance)
    else:
        firm = table["firms"][seat]
        table["discard"].extend(take(firm["cash"], lowest(firm) if card == "crash" else highest(firm)))
        table["lost"][seat] += 1
        chosen: list[list[str]] = [[] for _ in table["hands"]]
        table["passing"] = {"count": PASSED_AFTER[card], "from": seat, "trim": trim, "chosen": chosen}
        table["phase"] = "passing"
        go_on_passing(table, chance)


def go_bankrupt(table: Position, seat: int, chance: Chance) -> None:
    """License with its probe, taxmen, ventures, uninsured cash, the hand; seven new cards, two turns lost."""
    firm, discard = table["firms"][seat], table["discard"]
    discard.append("license")
    lift_probe(table, firm)
    discard.extend(["taxman"] * firm["taxman"] + ["venture"] * firm["venture"])
    discard.extend(firm["cash"] + table["hands"][seat])
    table["firms"][seat] = empty_firm(license=False) | {"insured": firm["insured"]}
    table["hands"][seat] = []
    for _ in range(HAND_SIZE):
        draw(table, seat, chance.shuffled)
    table["lost"][seat] += 2


def new_offer(maker: int, other: int, counter: bool) -> dict[str, Any]:
    lists: dict[str, Any] = {"give": [], "give_firm": [], "want": [], "want_firm": []}
    return {"from": maker, "to": other} | lists | {"counter": counter}


def build_offer(table: Position, move: str, chance: Chance) -> None:
    """A card is added, or the offer is proposed or dropped. Cards stay where they are."""
    offer = table["offer"]
    match move.split():
        case ["drop"]:
            close_offer(table)
        case ["propose"]:
            table["phase"] = "answer"
            table["turn"] = offer["to"]
        case [verb, "firm", card]:
            offer[f"{verb}_firm"].append(card)
        case [verb, card]:
            offer[verb].append(card)


def close_offer(table: Position) -> None:
    """Back to the player whose turn it is."""
    offer = table["offer"]
    table["turn"] = offer["to"] if offer["counter"] else offer["from"]
    table["phase"] = "action"
    table["offer"] = None


def answer(table: Position, move: str, chance: Chance) -> None:
    """Accepted trades happen at once; a counter turns the offer around, empty."""
    offer = table["offer"]
    if move == "counter":
        table["offer"] = new_offer(offer["to"], offer["from"], not offer["counter"])
        table["offers"] += 1
        table["phase"] = "offer"
        return
    if move == "accept":
        hand_over(table, offer["from"], offer["to"], offer["give"], offer["give_firm"])
        hand_over(table, offer["to"], offer["from"], offer["want"], offer["want_firm"])
    close_offer(table)


def hand_over(table: Position, giver: int, taker: int, cards: list[str], firm_cards: list[str]) -> None:
    put(table["hands"][taker], take(table["hands"][giver], cards))
    theirs, other = table["firms"][giver], table["firms"][taker]
    for card in firm_cards:
        if card in ("venture", "taxman"):
            theirs[card] -= 1
            other[card] += 1
        else:
            put(other["cash"], take(theirs["cash"], [card]))


def pass_card(table: Position, move: str, chance: Chance) -> None:
    """A card is chosen: it has left the hand, and nobody has it yet."""
    put(table["passing"]["chosen"][table["turn"]], take(table["hands"][table["turn"]], [move.split()[1]]))
    go_on_passing(table, chance)


def go_on_passing(table: Position, chance: Chance) -> None:
    """The lowest seat that has to choose is next; when there is none, all hand over to their right."""
    passing = table["passing"]
    for seat, chosen in enumerate(passing["chosen"]):
        if len(chosen) < passing["count"] and table["hands"][seat]:
            table["turn"] = seat
            return
    for seat, chosen in enumerate(passing["chosen"]):
        put(table["hands"][right_of(table, seat)], chosen)
    table["turn"] = passing["from"]
    table["phase"] = "action"
    table["passing"] = None
    if passing["trim"]:
        hand_step(table, table["turn"], chance)


def hand_step(table: Position, seat: int, chance: Chance) -> None:
    """Draw up to seven or discard down to seven; then the turn is over."""
    hand = table["hands"][seat]
    while len(hand) < HAND_SIZE:
        draw(table, seat, chance.shuffled)
    if len(hand) > HAND_SIZE:
        table["phase"] = "trim"
    else:
        end_turn(table, seat, chance)


def trim(table: Position, move: str, chance: Chance) -> None:
    """Of the cards discarded in the hand step only bear cards do anything."""
    seat, card = table["turn"], move.split()[1]
    table["discard"].extend(take(table["hands"][seat], [card]))
    if card in BEARS and table["firms"][seat]["license"]:
        bear(table, seat, card, chance, trim=True)
    if table["phase"] == "trim":
        hand_step(table, seat, chance)


def end_turn(table: Position, seat: int, chance: Chance) -> None:
    """An extra turn is offered, or the next seat that has no turn to lose begins its turn."""
    if table["extra"] and not table["lost"][seat]:
        table["phase"] = "again"
        return
    if table["extra"]:
        table["extra"] = False
        table["lost"][seat] -= 1
    next_turn(table, seat, chance)


def next_turn(table: Position, seat: int, chance: Chance) -> None:
    seat = (seat + 1) % table["players"]
    while table["lost"][seat]:
        table["lost"][seat] -= 1
        seat = (seat + 1) % table["players"]
    begin_turn(table, seat, chance.shuffled)


def once_more(table: Position, move: str, chance: Chance) -> None:
    """The extra turn, or the next seat's."""
    table["extra"] = False
    if move == "again":
        begin_turn(table, table["turn"], chance.shuffled)
    else:
        next_turn(table, table["turn"], chance)


RUNGS: dict[str, Callable[[Position, str, Chance], None]] = {
    "offer": build_offer,
    "answer": answer,
    "passing": pass_card,
    "trim": trim,
    "again": once_more,
    "taking": spare_or_take,
}


# 5. The end


def score(position: Position) -> list[int]:
    """What the round as it stands brings each seat."""
    return taxed(position, before_tax(position))


def before_tax(position: Position) -> list[int]:
    """The figures after the first three steps."""
    penalties = {"crash": 25_000, "recession": 1000 * position["options"]["recession"], "bankruptcy": 150_000}
    figures = []
    for seat, firm in enumerate(position["firms"]):
        hand = held(position, seat)
        tabled = sum(map(value, firm["cash"]))
        tabled += sum(value(card) for insured in firm["insured"] for card in insured["cash"])
        bears = sum(penalties[card] for card in hand if card in BEARS)
        figure = tabled * (2 if firm["venture"] else 1)
        figure -= sum(value(card) for card in hand if card in CASH)
        figure -= bears * (2 if "venture" in hand else 1)
        figures.append(figure)
    return figures


def held(position: Position, seat: int) -> list[str]:
    """The hand; cards chosen for passing still count in it."""
    chosen = position["passing"]["chosen"][seat] if position["passing"] else []
    return in_order([*position["hands"][seat], *chosen])


def taxed(position: Position, figures: list[int]) -> list[int]:
    """All taxmen act at once on the figures before tax; several on one firm are as one."""
    results = list(figures)
    for owner, firm in enumerate(position["firms"]):
        if not firm["taxman"]:
            continue
        for payer in rivals(position, owner):
            tenth = figures[payer] // 10
            assert 10 * tenth == figures[payer]
            results[owner] += tenth
            relieved = position["options"]["tax"] == "transfer"
            results[payer] -= tenth if relieved else abs(tenth)
    return results


def end_round(table: Position, chance: Chance) -> None:
    """Count; then the game is over, or the marker moves left and a new round is dealt."""
    points = score(table)
    table["scores"] = [total + more for total, more in zip(table["scores"], points, strict=True)]
    table["hands"] = [held(table, seat) for seat in range(table["players"])]
    best = max(table["scores"])
    winners = [seat for seat, total in enumerate(table["scores"]) if total == best]
    last = table["round"] in (table["options"]["rounds"], MAX_ROUNDS)
    reached = best >= table["options"]["target"]
    if table["options"]["tie"] == "next" and reached and len(winners) > 1:
        table["tied"] = True
    table["taking"], table["spared"] = None, []
    if last or ((reached or table["tied"]) and len(winners) == 1):
        over: Position = {"over": True, "winners": winners, "turn": None, "phase": "over", "acted": False}
        table |= over | {"offers": 0, "offer": None, "passing": None, "extra": False}
    else:
        table["round"] += 1
        lay_out(table, chance.deal(), (table["starter"] + 1) % table["players"])


# 6. What each player sees


def view(position: Position, seat: int | None) -> Position:
    """All but the others' hands, the deck, the others' chosen cards and parts of an offer."""
    if position["over"]:
        return position
    hidden: Position = {
        "hands": [hand if s == seat else unseen(hand) for s, hand in enumerate(position["hands"])],
        "deck": unseen(position["deck"]),
    }
    if position["passing"]:
        chosen = [
            cards if s == seat else unseen(cards) for s, cards in enumerate(position["passing"]["chosen"])
        ]
        hidden["passing"] = position["passing"] | {"chosen": chosen}
    if position["offer"]:
        hidden["offer"] = seen_offer(position, seat)
    return position | hidden


def unseen(cards: list[str]) -> list[str]:
    return ["?"] * len(cards)


def seen_offer(position: Position, seat: int | None) -> dict[str, Any]:
    """Who builds an offer sees it; once proposed the other side, too; third parties only its firm cards."""
    offer: dict[str, Any] = position["offer"]
    if seat == offer["from"] or (seat == offer["to"] and position["phase"] == "answer"):
        return offer
    if position["phase"] == "answer":
        return offer | {"give": unseen(offer["give"]), "want": unseen(offer["want"])}
    return offer | {"give": [], "give_firm": [], "want": [], "want_firm": []}
