"""Ka-Ching! as text and JSON: cards, moves, positions, and why a move is refused."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from kibitz.core.description import Description, Each
from kibitz.core.errors import BadOptions, BadPosition, Refusal
from kibitz.core.events import (
    AnyEvent,
    MoneyChanged,
    Moved,
    PhaseBegan,
    RoundBegan,
    Sentence,
    Took,
    common_sentences,
)
from kibitz.core.layout import AnyRecord
from kibitz.core.options import SEAT, Option, Value
from kibitz.core.reader import Reader, as_flag, as_list, as_whole
from kibitz.games.kaching import rules
from kibitz.games.kaching.rules import (
    BUY,
    COLOURS,
    COLUMN_SIZE,
    COLUMNS_AT_LAST_SALE,
    HIDDEN_MONEY,
    HIGHEST,
    LOWEST,
    MAX_MOVES,
    MOST_MONEY,
    MOST_ROUNDS,
    NUM_COLUMNS,
    OPENING_MONEY,
    PAIR_HIGH,
    PAIR_LOW,
    PASS,
    RANDOM_STARTER,
    SELL,
    SELL_WITH_WILD,
    TRADERS,
    Ending,
    Phase,
    Series,
    Step,
)

PHASES = tuple(phase.name.lower().replace("_", " ") for phase in Phase)
STEPS = tuple(step.name.lower() for step in Step)
ENDINGS = tuple(ending.name.lower().replace("_", "-") for ending in Ending)
MASKS: tuple[str, ...] = ()  # every move is open

ALL_CARDS = rules.DECK_SIZE + TRADERS  # the wilds too
COPIES = Counter(rules.DECK.tolist())

# Options

OPTIONS: tuple[Option, ...] = (
    Option("series", "single", ("single", "best_of", "total")),
    Option("rounds", 3, (range(1, MOST_ROUNDS + 1),), only_with=("series", ("best_of", "total"))),
    Option("open_money", False, (False, True)),
    Option("starter", "random", ("random", SEAT)),
)
SERIES = OPTIONS[0].accepts
MOST_ROUNDS_OF_A_MAJORITY = 9


def check_options(options: Mapping[str, Value]) -> None:
    """A majority needs an odd number of rounds."""
    rounds = options["rounds"]
    assert isinstance(rounds, int)
    if options["series"] == "best_of" and (rounds % 2 == 0 or rounds > MOST_ROUNDS_OF_A_MAJORITY):
        raise BadOptions(
            "rounds", f"an odd number from 1 to {MOST_ROUNDS_OF_A_MAJORITY} for a best_of", rounds
        )


def write_options(options: Mapping[str, Value], state: AnyRecord) -> None:
    """Put the options into the state."""
    state.series = SERIES.index(options["series"])
    state.rounds = options["rounds"]
    state.open_money = options["open_money"]
    state.starter_option = RANDOM_STARTER if options["starter"] == "random" else options["starter"]


def read_options(fields: Any) -> dict[str, Value]:
    """The options, from a state's or view's fields."""
    return {
        "series": SERIES[fields.series],
        "rounds": fields.rounds,
        "open_money": fields.open_money,
        "starter": "random" if fields.starter_option == RANDOM_STARTER else fields.starter_option,
    }


# Cards and moves

CARD_NAMES = ["", *(f"{colour}{value}" for colour in COLOURS for value in range(LOWEST, HIGHEST + 1))]
CARD_NUMBERS = {name: number for number, name in enumerate(CARD_NAMES) if name}
PAIRS = {pair: index for index, pair in enumerate(zip(PAIR_LOW.tolist(), PAIR_HIGH.tolist(), strict=True))}


def card_text(card: int) -> str:
    """A card is its colour and its value: `R4`."""
    return CARD_NAMES[card]


def move_text(move: int) -> str:
    """A move's notation: `buy 3`, `sell R4 R5`, `sell R4 W`, `pass`."""
    if move < SELL:
        return f"buy {move - BUY + 1}"
    if move < SELL_WITH_WILD:
        return f"sell {card_text(PAIR_LOW[move - SELL])} {card_text(PAIR_HIGH[move - SELL])}"
    if move < PASS:
        return f"sell {card_text(move - SELL_WITH_WILD + 1)} W"
    return "pass"


def parse_move(text: str) -> int | Refusal:
    """The number of a move, or the rule that such a move breaks anywhere."""
    match text.split(" "):
        case ["pass"]:
            return PASS
        case ["buy", column]:
            if column not in [str(number + 1) for number in range(NUM_COLUMNS)]:
                return Refusal("no-such-column", "buy", column=column, columns=NUM_COLUMNS)
            return BUY + int(column) - 1
        case ["sell", first, "W"] if first in CARD_NUMBERS:
            return SELL_WITH_WILD + CARD_NUMBERS[first] - 1
        case ["sell", "W", second] if second in CARD_NUMBERS:
            return Refusal("wild-last", "notation", right=f"sell {second} W")
        case ["sell", first, second] if first in CARD_NUMBERS and second in CARD_NUMBERS:
            return _parse_pair(first, second)
        case _:
            return Refusal("unknown-move", "notation")


def _parse_pair(first: str, second: str) -> int | Refusal:
    low, high = CARD_NUMBERS[first], CARD_NUMBERS[second]
    if first[0] != second[0]:
        return Refusal("two-colours", "sell", first=first, second=second)
    if low > high:
        return Refusal("lower-first", "notation", right=f"sell {second} {first}")
    if (low, high) not in PAIRS:
        return Refusal("only-one-copy", "components", card=first)
    return SELL + PAIRS[low, high]


def why_illegal(state: AnyRecord, move: int) -> Refusal:
    """The rule that refuses a move in this position."""
    if move == PASS:
        return Refusal("must-trade", "K3")
    if move < SELL:
        return _why_no_purchase(state, move - BUY)
    stock = state.stocks[state.turn]
    if move >= SELL_WITH_WILD:
        if not state.wilds[state.turn]:
            return Refusal("wild-used", "wild")
        return Refusal("not-owned", "sell", card=card_text(move - SELL_WITH_WILD + 1))
    low, high = PAIR_LOW[move - SELL], PAIR_HIGH[move - SELL]
    if low == high and stock[low] == 1:
        return Refusal("owned-once", "sell", card=card_text(low))
    return Refusal("not-owned", "sell", card=card_text(high if stock[low] else low))


def _why_no_purchase(state: AnyRecord, column: int) -> Refusal:
    if state.phase == Phase.LAST_SALE:
        return Refusal("buying-ended", "last sale")
    if state.heights[column] == 0:
        return Refusal("empty-column", "buy", column=column + 1)
    free = rules.free_card(state, column)
    money = int(state.money[state.turn])
    return Refusal("too-dear", "buy", card=card_text(free), price=int(rules.VALUE[free]), money=money)


# Positions and views


def _column(columns: list[int], heights: int) -> list[str]:
    return [CARD_NAMES[card] for card in columns[:heights]]


def _stock(stocks: list[int]) -> list[str]:
    return [name for name, count in zip(CARD_NAMES, stocks, strict=True) if count for _ in range(count)]


def _series(series: int, rounds: int, wins: list[int], totals: list[int]) -> dict[str, Any]:
    return {
        "kind": SERIES[series],
        "rounds": _rounds(series, rounds),
        "wins": wins,
        "totals": totals,
    }


def _rounds(series: int, rounds: int) -> int:
    return 1 if series == Series.SINGLE else rounds


# In a view, money that isn't shown is `?`.
describe = Description(
    columns=Each(_column),
    stocks=Each(_stock),
    wilds=lambda wilds: [wild == 1 for wild in wilds],
    money=lambda money: ["?" if amount == HIDDEN_MONEY else amount for amount in money],
    sold=lambda sold: sold,
    starter=lambda starter: starter,
    series=_series,
    closing=lambda closing: closing,
)
KEYS: tuple[str, ...] = tuple(describe.parts)


def read_position(reader: Reader, state: AnyRecord) -> None:
    """Fill the state with a position's own keys, refusing what can't be."""
    _read_open(reader, state)
    state.money = reader.listed("money", lambda value, path: as_whole(value, path, 0, MOST_MONEY), TRADERS)
    reader.exactly(
        "scores", _scores(state), f"by the {Series(state.series).name.lower()} series and its rounds"
    )
    if state.phase == Phase.OVER:
        state.ending = _ending(state)
        if state.ending == Ending.NONE:
            raise BadPosition("over", "a reason: a majority of won rounds, or the last round", True)


def _read_open(reader: Reader, state: AnyRecord) -> None:
    columns = reader.listed("columns", lambda value, path: as_list(value, path, _read_card), NUM_COLUMNS)
    stocks = reader.listed("stocks", lambda value, path: as_list(value, path, _read_card), TRADERS)
    _check_deck(columns, stocks)
    for column, cards in enumerate(columns):
        state.columns[column, : len(cards)] = cards
        state.heights[column] = len(cards)
    for seat, cards in enumerate(stocks):
        for card in cards:
            state.stocks[seat, card] += 1
    state.wilds = reader.listed("wilds", as_flag, TRADERS)
    state.sold = reader.whole("sold", 0, ALL_CARDS)
    left = int(state.heights.sum()) + int(state.stocks.sum()) + int(state.wilds.sum())
    reader.exactly("sold", ALL_CARDS - left, f"the rest of {ALL_CARDS} cards")
    state.starter = reader.whole("starter", 0, TRADERS - 1)
    _read_series(reader.inner("series"), state)
    _read_closing(reader, state)
    if state.moves >= MAX_MOVES and state.phase != Phase.OVER:
        raise BadPosition("moves", f"fewer than {MAX_MOVES} while a round goes on", int(state.moves))


def _read_card(value: Any, path: str) -> int:
    if not isinstance(value, str) or value not in CARD_NUMBERS:
        raise BadPosition(path, "a card such as 'R4'", value)
    return CARD_NUMBERS[value]


def _check_deck(columns: list[list[int]], stocks: list[list[int]]) -> None:
    for column, cards in enumerate(columns):
        if len(cards) > COLUMN_SIZE:
            names = [card_text(card) for card in cards]
            raise BadPosition(f"columns[{column}]", f"at most {COLUMN_SIZE} cards", names)
    counts: Counter[int] = Counter()
    for name, piles in (("columns", columns), ("stocks", stocks)):
        for pile, cards in enumerate(piles):
            counts.update(cards)
            if counts - COPIES:
                extra = card_text(min(counts - COPIES))
                copies = COPIES[CARD_NUMBERS[extra]]
                raise BadPosition(f"{name}[{pile}]", f"at most {copies} of {extra} in all", extra)


def _read_series(reader: Reader, state: AnyRecord) -> None:
    reader.only(("kind", "rounds", "wins", "totals"))
    reader.exactly("kind", SERIES[state.series], "as in the options")
    rounds = _rounds(state.series, int(state.rounds))
    reader.exactly("rounds", rounds, "as in the options")
    if state.series != Series.BEST_OF and state.round_number > rounds:
        raise BadPosition("round", f"at most {rounds}, by the options", int(state.round_number))
    finished = int(state.round_number) - (0 if state.phase == Phase.OVER else 1)
    state.wins = reader.listed("wins", lambda value, path: as_whole(value, path, 0, finished), TRADERS)
    if state.wins.sum() > finished:
        raise BadPosition(reader.path("wins"), f"at most {finished} finished rounds", state.wins.tolist())
    most = finished * MOST_MONEY
    least = -finished * OPENING_MONEY
    state.totals = reader.listed("totals", lambda value, path: as_whole(value, path, least, most), TRADERS)
    won = state.series == Series.BEST_OF and state.wins.max() > state.rounds // 2
    if won and state.phase != Phase.OVER:
        raise BadPosition(reader.path("wins"), "no majority while the game goes on", state.wins.tolist())


def _read_closing(reader: Reader, state: AnyRecord) -> None:
    left = rules.columns_left(state)
    if state.phase == Phase.LAST_SALE:
        state.closing = reader.whole("closing", 1, TRADERS)
        if left != COLUMNS_AT_LAST_SALE:
            raise BadPosition("columns", f"exactly {COLUMNS_AT_LAST_SALE} with cards in the last sale", left)
    else:
        reader.exactly("closing", 0, "except in the last sale")
        if state.phase == Phase.TRADE and left <= COLUMNS_AT_LAST_SALE:
            raise BadPosition("columns", f"more than {COLUMNS_AT_LAST_SALE} with cards while trading", left)


def _scores(state: AnyRecord) -> list[int]:
    """What a position's scores must be: they count finished rounds."""
    if state.series == Series.BEST_OF:
        scores: list[int] = state.wins.tolist()
    elif state.series == Series.TOTAL:
        scores = state.totals.tolist()
    elif state.phase == Phase.OVER:
        scores = state.money.tolist()
    else:
        scores = [0] * TRADERS
    return scores


def _ending(state: AnyRecord) -> int:
    """Why a finished position must have ended."""
    if state.moves >= MAX_MOVES:
        ending = Ending.MOVES
    elif rules.columns_left(state) <= COLUMNS_AT_LAST_SALE:
        ending = Ending.LAST_SALE
    else:
        ending = Ending.STUCK
    return rules.game_ending(state, ending.value)


def read_view(reader: Reader, log: Sequence[AnyEvent], view: AnyRecord) -> None:
    """Fill a view's own keys; money that isn't shown follows from a log of the whole round."""
    _read_open(reader, view)
    view.money = reader.listed("money", _read_money, TRADERS)
    view.known_money = view.money
    followed = _money_told(log, int(view.round_number))
    for seat in range(TRADERS):
        if view.money[seat] == HIDDEN_MONEY and followed is not None:
            view.known_money[seat] = followed[seat]


def _read_money(value: Any, path: str) -> int:
    return HIDDEN_MONEY if value == "?" else as_whole(value, path, 0, MOST_MONEY)


def _money_told(log: Sequence[AnyEvent], round_: int) -> list[int] | None:
    money = None
    for event in log:
        match event:
            case RoundBegan(round=number) if number == round_:
                money = [OPENING_MONEY] * TRADERS
            case MoneyChanged(seat=seat, amount=amount) if money is not None:
                money[seat] += amount
    return money


# The log in words


def sentences(turn: Sequence[AnyEvent]) -> list[Sentence]:
    """One move with what it caused, as lines of the log."""
    lines: list[Sentence] = []
    for event in turn:
        match event:
            case Moved(seat, "pass"):
                lines.append(Sentence("log.pass", {"seat": seat}))
            case Took(seat, card, _):
                lines.append(Sentence("log.buy", {"seat": seat, "card": card, "price": int(card[1:])}))
            case MoneyChanged(seat, amount) if amount > 0:
                _, first, second = _move_of(turn).split()
                lines.append(
                    Sentence("log.sell", {"seat": seat, "first": first, "second": second, "price": amount})
                )
            case PhaseBegan(phase):
                lines.append(Sentence(f"log.phase.{phase}", {}))
            case _:
                lines += common_sentences(event)
    return lines


def _move_of(turn: Sequence[AnyEvent]) -> str:
    return next(event.move for event in turn if isinstance(event, Moved))
