"""Kazink! once more, slowly: a twin of the engine, written from the rules text alone.

It knows nothing of the engine and works on position JSON. Chance is the caller's: the dealer, the cards of
the deal and the order of a reshuffled deck come in as arguments.
"""

import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Position = dict[str, Any]
Shuffle = Callable[[list[str]], list[str]]

# 1. In the box

SUITS = "SHDC"
CARD_ORDER = "SHDCWUK"
COUNTS = {"S": 11, "H": 11, "D": 11, "C": 11, "W": 4, "U": 4, "K": 2}
DECK = [card for card in CARD_ORDER for _ in range(COUNTS[card])]
CHIPS = 36
PARTNERS_CHIPS = 18
OPTIONS = ["board", "dealer", "hand", "pool"]
COLUMNS = "abcd"
PRINTED = ["SHDC", "HSCD", "CDHS", "SHDC", "DCSH", "HSCD"]  # the board, row by row
ROWS_OF_BOARD = {"24": 6, "20": 5}
DIRECTIONS = [(1, 0), (0, 1), (1, 1), (1, -1)]
MAX_MOVES = 2000
KEYS = [
    *("game", "options", "players", "round", "turn", "phase", "scores", "over", "winners", "moves"),
    *("board", "crowns", "hands", "deck", "discard", "chips", "rows", "dealer", "swapped", "idle"),
    "seat_chips",
]


@dataclass
class Deal:
    """What chance makes of a deal: the dealer, the hands, the rest of the deck."""

    dealer: int
    hands: list[list[str]]
    deck: list[str]


# 2. The table


def set_up(options: dict[str, Any], players: int, deal: Deal) -> Position:
    """A new game: an empty board, and the seat left of the dealer begins."""
    table: Position = {
        "game": "kazink",
        "options": {name: options[name] for name in OPTIONS},
        "players": players,
        "round": 1,
        "turn": (deal.dealer + 1) % players,
        "phase": "turn",
        "scores": [0] * players,
        "over": False,
        "winners": [],
        "moves": 0,
        "board": {},
        "crowns": {},
        "hands": [in_order(hand) for hand in deal.hands],
        "deck": list(deal.deck),
        "discard": [],
        "chips": {},
        "rows": {},
        "dealer": deal.dealer,
        "swapped": False,
        "idle": 0,
        "seat_chips": [PARTNERS_CHIPS] * players,
    }
    count_up(table)
    return table


def is_a_deal(options: dict[str, Any], players: int, deal: Deal) -> bool:
    """All 54 cards, as many in each hand as the option says, and the dealer that the option says."""
    cards = [card for hand in deal.hands for card in hand] + deal.deck
    sizes = [len(hand) for hand in deal.hands]
    dealer = deal.dealer if options["dealer"] == "random" else options["dealer"]
    return sizes == [options["hand"]] * players and in_order(cards) == DECK and deal.dealer == dealer


def in_order(cards: list[str]) -> list[str]:
    return sorted(cards, key=CARD_ORDER.index)


def colours(position: Position) -> str:
    """The colours in play."""
    return "YBR" if position["players"] == 3 else "YB"


def colour_of(position: Position, seat: int) -> str:
    """Partners sit opposite each other and share a colour."""
    return "YB"[seat % 2] if position["players"] == 4 else "YBR"[seat]


def divides(position: Position) -> bool:
    """Partners divide their chips, unless they share a pool; nobody else has any to divide."""
    return bool(position["players"] == 4 and position["options"]["pool"] == "divided")


def chips_of(position: Position, seat: int) -> int:
    """What a seat can place yet: its own chips, or what is left of its colour."""
    return int(position["seat_chips"][seat] if divides(position) else colour_chips(position, seat))


def colour_chips(position: Position, seat: int) -> int:
    return int(position["chips"][colour_of(position, seat)])


def usable(position: Position) -> list[str]:
    """The spaces in the order a1 b1 c1 d1 a2 …; the last row is bordered: for two players it isn't there."""
    rows = ROWS_OF_BOARD[position["options"]["board"]] - (position["players"] == 2)
    return [f"{column}{row}" for row in range(1, rows + 1) for column in COLUMNS]


def suit_of(space: str) -> str:
    return PRINTED[int(space[1]) - 1][COLUMNS.index(space[0])]


def top(position: Position, space: str) -> str:
    """The colour of the top chip, or nothing."""
    return str(position["board"].get(space, ""))[-1:]


# 3. What a player may do


def legal_moves(position: Position) -> list[str]:
    """Every move that the rules allow, in no particular order; none when over."""
    if position["phase"] == "turn":
        return swaps(position) + cards_played(position)
    if position["phase"] == "shift":
        return [*shifts(position), "stay"]
    if position["phase"] == "place":
        return [f"place {space}" for space in uncrowned(position)]
    return []


def own(position: Position) -> str:
    return colour_of(position, position["turn"])


def uncrowned(position: Position) -> list[str]:
    return [space for space in usable(position) if space not in position["crowns"]]


def spaces_of(position: Position, suit: str) -> list[str]:
    return [space for space in usable(position) if suit_of(space) == suit]


def is_dead(position: Position, card: str) -> bool:
    """A suit card whose suit has a crown on every usable space."""
    return card in SUITS and all(space in position["crowns"] for space in spaces_of(position, card))


def swaps(position: Position) -> list[str]:
    """One dead card a turn, first thing."""
    if position["swapped"]:
        return []
    return [f"swap {card}" for card in set(position["hands"][position["turn"]]) if is_dead(position, card)]


def cards_played(position: Position) -> list[str]:
    """Whatever can be played; if nothing can, any card is discarded. Without chips all but `U` are."""
    hand = set(position["hands"][position["turn"]])
    if chips_of(position, position["turn"]) == 0:
        return ["U" if card == "U" else f"discard {card}" for card in hand]
    moves = []
    for card in hand:
        if card == "U":
            moves.append("U")
        elif card in SUITS:
            moves += [f"{card} {space}" for space in targets_of_suit(position, card)]
        else:
            moves += [f"{card} {space}" for space in uncrowned(position)]
    return moves or [f"discard {card}" for card in hand]


def targets_of_suit(position: Position, suit: str) -> list[str]:
    """Empty or own-topped spaces; an opponent's too, if every space of the suit carries a chip."""
    spaces = spaces_of(position, suit)
    covered = all(top(position, space) for space in spaces)
    return [
        space
        for space in spaces
        if space not in position["crowns"] and (covered or top(position, space) in ("", own(position)))
    ]


def shifts(position: Position) -> list[str]:
    """1 or 2 own chips from the top of one space onto another that is topped by the own colour."""
    mine = [space for space in uncrowned(position) if top(position, space) == own(position)]
    return [
        f"shift {source} {target} {count}"
        for source in mine
        for target in mine
        for count in (1, 2)
        if source != target and position["board"][source].endswith(own(position) * count)
    ]


# 4. A turn


def play(position: Position, move: str, shuffled: Shuffle) -> Position:
    """The position after a move; `shuffled` is asked for the order if the discards become a new deck."""
    if move not in legal_moves(position):
        raise ValueError(f"{move!r} is not legal here")
    table: Position = pickle.loads(pickle.dumps(position))  # a copy, five times as fast as deepcopy's
    table["moves"] += 1
    match move.split():
        case ["swap", card]:
            lay_down(table, card)
            draw(table, shuffled)
            table["swapped"] = True
        case ["discard", card]:
            lay_down(table, card)
            end_turn(table, False, shuffled)
        case ["U"]:
            lay_down(table, "U")
            table["phase"] = "shift"
        case ["shift", source, target, count]:
            shift(table, source, target, int(count))
            after_shifting(table, shuffled)
        case ["stay"]:
            after_shifting(table, shuffled)
        case ["place", space]:
            place(table, space)
            end_turn(table, True, shuffled)
        case [card, space]:
            lay_down(table, card)
            place(table, space, crowned=card == "K")
            end_turn(table, True, shuffled)
    if table["moves"] == MAX_MOVES and not table["over"]:
        end_game(table)
    return table


def lay_down(table: Position, card: str) -> None:
    table["hands"][table["turn"]].remove(card)
    table["discard"].append(card)


def place(table: Position, space: str, crowned: bool = False) -> None:
    """One chip on a space; with a crown card it is a crown at once."""
    table["board"][space] = table["board"].get(space, "") + own(table)
    if divides(table):
        table["seat_chips"][table["turn"]] -= 1
    if crowned:
        table["crowns"][space] = own(table)
    make_crowns(table)


def shift(table: Position, source: str, target: str, count: int) -> None:
    chips = table["board"][source]
    table["board"][source] = chips[:-count]
    table["board"][target] += chips[-count:]
    make_crowns(table)


def make_crowns(table: Position) -> None:
    """A space whose three top chips have one colour is a crown; then rows and scores are counted."""
    for space in uncrowned(table):
        chips = table["board"].get(space, "")
        if len(chips) >= 3 and len(set(chips[-3:])) == 1:
            table["crowns"][space] = chips[-1]
    for key in ("board", "crowns"):
        table[key] = {space: table[key][space] for space in usable(table) if table[key].get(space)}
    count_up(table)
    if someone_has_won(table) or not uncrowned(table):
        end_game(table)


def after_shifting(table: Position, shuffled: Shuffle) -> None:
    """A chip is to be placed now, if there is one; the game may have ended by the shift."""
    if table["over"]:
        return
    if chips_of(table, table["turn"]) > 0:
        table["phase"] = "place"
    else:
        end_turn(table, False, shuffled)


def draw(table: Position, shuffled: Shuffle) -> None:
    """One card; if the deck is empty, all discards are made a new one first."""
    if not table["deck"] and table["discard"]:
        table["deck"], table["discard"] = shuffled(table["discard"]), []
    if table["deck"]:
        hand = table["hands"][table["turn"]]
        hand.append(table["deck"].pop())
        table["hands"][table["turn"]] = in_order(hand)


def end_turn(table: Position, placed: bool, shuffled: Shuffle) -> None:
    """Draw, then it is the next seat's turn that has a card; a win has ended everything before that."""
    if table["over"]:
        return
    draw(table, shuffled)
    table["phase"] = "turn"
    table["swapped"] = False
    table["idle"] = 0 if placed else table["idle"] + 1
    table["turn"] = (table["turn"] + 1) % table["players"]
    while table["idle"] < table["players"] and not table["hands"][table["turn"]]:
        table["idle"] += 1
        table["turn"] = (table["turn"] + 1) % table["players"]
    if table["idle"] == table["players"]:
        end_game(table)


# 5. The end


def row_count(position: Position, colour: str) -> int:
    """A straight run of n crowns counts (n-1)//2 rows; runs in different directions count separately."""
    crowned = {place_of(space) for space, owner in position["crowns"].items() if owner == colour}
    rows = 0
    for across, down in DIRECTIONS:
        for x, y in crowned:
            if (x - across, y - down) in crowned:
                continue  # not where the run begins
            length = 0
            while (x + length * across, y + length * down) in crowned:
                length += 1
            rows += (length - 1) // 2
    return rows


def place_of(space: str) -> tuple[int, int]:
    return COLUMNS.index(space[0]), int(space[1])


def rows_to_win(position: Position) -> int:
    return 3 if position["players"] == 4 else 2


def someone_has_won(position: Position) -> bool:
    return bool(max(position["rows"].values()) >= rows_to_win(position))


def count_up(table: Position) -> None:
    """What follows from board and crowns: chips left, rows, scores."""
    on_board = "".join(table["board"].values())
    table["chips"] = {colour: CHIPS - on_board.count(colour) for colour in colours(table)}
    if not divides(table):
        table["seat_chips"] = [colour_chips(table, seat) for seat in range(table["players"])]
    table["rows"] = {colour: row_count(table, colour) for colour in colours(table)}
    table["scores"] = score(table)


def score(position: Position) -> list[int]:
    """100 a crown, 1 a row, and 10,000 for who has won by rows."""
    points = {}
    for colour in colours(position):
        crowns, rows = list(position["crowns"].values()).count(colour), position["rows"][colour]
        points[colour] = 100 * crowns + rows + (10_000 if rows >= rows_to_win(position) else 0)
    return [points[colour_of(position, seat)] for seat in range(position["players"])]


def end_game(table: Position) -> None:
    """Everything else stays as the last move left it."""
    table["over"] = True
    table["phase"] = "over"
    table["turn"] = None
    best = max(table["scores"])
    table["winners"] = [seat for seat, points in enumerate(table["scores"]) if points == best]


# 6. What each player sees


def view(position: Position, seat: int | None) -> Position:
    """All but the others' hands, a partner's too, and the deck; sizes are seen, and everything when over."""
    if position["over"]:
        return position
    hands = [hand if s == seat else ["?"] * len(hand) for s, hand in enumerate(position["hands"])]
    return position | {"hands": hands, "deck": ["?"] * len(position["deck"])}
