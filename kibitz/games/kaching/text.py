"""Ka-Ching! as text and JSON: cards, moves, positions, and why a move is refused."""

from collections.abc import Sequence
from typing import Any

from kibitz.core.cards import check_copies
from kibitz.core.description import Found
from kibitz.core.errors import BadPosition, Refusal
from kibitz.core.events import (
    AnyEvent,
    MoneyChanged,
    Moved,
    PhaseBegan,
    RoundBegan,
    Took,
    common_sentences,
)
from kibitz.core.forms import Own, codes_of
from kibitz.core.layout import AnyRecord
from kibitz.core.reader import Reader, as_whole
from kibitz.core.sentences import Card, Money, Seat, Sentence
from kibitz.games.kaching import rules
from kibitz.games.kaching.rules import CARDS, HIDDEN_MONEY, MAX_MOVES, TRADERS, Ending, Phase, Series, Step

PHASES = codes_of(Phase, " ")
STEPS = codes_of(Step)
ENDINGS = codes_of(Ending, "-")
MASKS: tuple[str, ...] = ()  # every move is open

ALL_CARDS = rules.DECK_SIZE + TRADERS  # the wilds too

# Cards and moves

PAIRS = {
    pair: index
    for index, pair in enumerate(zip(rules.PAIR_LOW.tolist(), rules.PAIR_HIGH.tolist(), strict=True))
}


def card_text(card: int) -> str:
    """A card is its colour and its value: `R4`."""
    return CARDS[card]


def move_text(move: int) -> str:
    """A move's notation: `buy 3`, `sell R4 R5`, `sell R4 W`, `pass`."""
    if move < rules.SELL:
        return f"buy {move - rules.BUY + 1}"
    if move < rules.SELL_WITH_WILD:
        pair = move - rules.SELL
        return f"sell {CARDS[rules.PAIR_LOW[pair]]} {CARDS[rules.PAIR_HIGH[pair]]}"
    if move < rules.PASS:
        return f"sell {card_text(move - rules.SELL_WITH_WILD + 1)} W"
    return "pass"


def parse_move(text: str) -> int | Refusal:
    """The number of a move, or the rule that such a move breaks anywhere."""
    match text.split(" "):
        case ["pass"]:
            return rules.PASS
        case ["buy", column]:
            if column not in [str(number + 1) for number in range(rules.NUM_COLUMNS)]:
                return Refusal("no-such-column", "buy", column=column, columns=rules.NUM_COLUMNS)
            return rules.BUY + int(column) - 1
        case ["sell", first, "W"] if first in CARDS.numbers:
            return rules.SELL_WITH_WILD + CARDS.numbers[first] - 1
        case ["sell", "W", second] if second in CARDS.numbers:
            return Refusal("wild-last", "notation", right=f"sell {second} W")
        case ["sell", first, second] if first in CARDS.numbers and second in CARDS.numbers:
            return _parse_pair(first, second)
        case _:
            return Refusal("unknown-move", "notation")


def _parse_pair(first: str, second: str) -> int | Refusal:
    low, high = CARDS.numbers[first], CARDS.numbers[second]
    if first[0] != second[0]:
        return Refusal("two-colours", "sell", first=first, second=second)
    if low > high:
        return Refusal("lower-first", "notation", right=f"sell {second} {first}")
    if (low, high) not in PAIRS:
        return Refusal("only-one-copy", "components", card=first)
    return rules.SELL + PAIRS[low, high]


def why_illegal(state: AnyRecord, move: int) -> Refusal:
    """The rule that refuses a move in this position."""
    if move == rules.PASS:
        return Refusal("must-trade", "K3")
    if move < rules.SELL:
        return _why_no_purchase(state, move - rules.BUY)
    stock = state.stocks[state.turn]
    if move >= rules.SELL_WITH_WILD:
        if not state.wilds[state.turn]:
            return Refusal("wild-used", "wild")
        return Refusal("not-owned", "sell", card=card_text(move - rules.SELL_WITH_WILD + 1))
    low, high = rules.PAIR_LOW[move - rules.SELL], rules.PAIR_HIGH[move - rules.SELL]
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


def _series(series: int, rounds: int, wins: Sequence[int], totals: Sequence[int]) -> dict[str, Any]:
    return {
        "kind": rules.SERIES.value(series),
        "rounds": _rounds(series, rounds),
        "wins": wins,
        "totals": totals,
    }


def _rounds(series: int, rounds: int) -> int:
    return 1 if series == Series.SINGLE else rounds


FORMS = {"series": Own(_series)}


def read(reader: Reader, record: AnyRecord, found: Found) -> None:
    """Fill in what the series has come to, and refuse what can't be."""
    check_copies(CARDS, rules.COPIES, found)
    left = int(record.heights.sum()) + int(record.stocks.sum()) + int(record.wilds.sum())
    reader.exactly("sold", ALL_CARDS - left, f"the rest of {ALL_CARDS} cards")
    _read_series(reader.inner("series"), record)
    _check_closing(reader, record)
    if record.moves >= MAX_MOVES and record.phase != Phase.OVER:
        raise BadPosition("moves", f"fewer than {MAX_MOVES} while a round goes on", int(record.moves))
    if HIDDEN_MONEY not in record.money:
        _check_end(reader, record)


def _read_series(reader: Reader, record: AnyRecord) -> None:
    reader.only(("kind", "rounds", "wins", "totals"))
    reader.exactly("kind", rules.SERIES.value(int(record.series)), "as in the options")
    rounds = _rounds(record.series, int(record.rounds))
    reader.exactly("rounds", rounds, "as in the options")
    if record.series != Series.BEST_OF and record.round_number > rounds:
        raise BadPosition("round", f"at most {rounds}, by the options", int(record.round_number))
    finished = int(record.round_number) - (0 if record.phase == Phase.OVER else 1)
    record.wins = reader.listed("wins", lambda value, path: as_whole(value, path, 0, finished), TRADERS)
    if record.wins.sum() > finished:
        raise BadPosition(reader.path("wins"), f"at most {finished} finished rounds", record.wins.tolist())
    most = finished * rules.MOST_MONEY
    least = -finished * rules.OPENING_MONEY
    record.totals = reader.listed("totals", lambda value, path: as_whole(value, path, least, most), TRADERS)
    won = record.series == Series.BEST_OF and record.wins.max() > record.rounds // 2
    if won and record.phase != Phase.OVER:
        raise BadPosition(reader.path("wins"), "no majority while the game goes on", record.wins.tolist())


def _check_closing(reader: Reader, record: AnyRecord) -> None:
    left, last = rules.columns_left(record), rules.COLUMNS_AT_LAST_SALE
    if record.phase == Phase.LAST_SALE:
        reader.whole("closing", 1, TRADERS)
        if left != last:
            raise BadPosition("columns", f"exactly {last} with cards in the last sale", left)
    else:
        reader.exactly("closing", 0, "except in the last sale")
        if record.phase == Phase.TRADE and left <= last:
            raise BadPosition("columns", f"more than {last} with cards while trading", left)


def _check_end(reader: Reader, state: AnyRecord) -> None:
    """Scores follow from the series, and a game that is over has a reason to be."""
    kind = Series(state.series).name.lower()
    reader.exactly("scores", _scores(state), f"by the {kind} series and its rounds")
    if state.phase == Phase.OVER:
        state.ending = _ending(state)
        if state.ending == Ending.NONE:
            raise BadPosition("over", "a reason: a majority of won rounds, or the last round", True)


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
    elif rules.columns_left(state) <= rules.COLUMNS_AT_LAST_SALE:
        ending = Ending.LAST_SALE
    else:
        ending = Ending.STUCK
    return rules.game_ending(state, ending.value)


def follow(log: Sequence[AnyEvent], view: AnyRecord) -> None:
    """Money that isn't shown follows from a log of the whole round."""
    view.known_money = view.money
    followed = _money_told(log, int(view.round_number))
    for seat in range(TRADERS):
        if view.money[seat] == HIDDEN_MONEY and followed is not None:
            view.known_money[seat] = followed[seat]


def _money_told(log: Sequence[AnyEvent], round_: int) -> list[int] | None:
    money = None
    for event in log:
        match event:
            case RoundBegan(round=number) if number == round_:
                money = [rules.OPENING_MONEY] * TRADERS
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
                lines.append(Sentence("log.pass", {"seat": Seat(seat)}))
            case Took(seat, card, _):
                price = Money(int(card[1:]))
                lines.append(Sentence("log.buy", {"seat": Seat(seat), "card": Card(card), "price": price}))
            case MoneyChanged(seat, amount) if amount > 0:
                _, first, second = _move_of(turn).split()
                lines.append(
                    Sentence(
                        "log.sell",
                        {
                            "seat": Seat(seat),
                            "first": Card(first),
                            "second": Card(second),
                            "price": Money(amount),
                        },
                    )
                )
            case PhaseBegan(phase):
                lines.append(Sentence(f"log.phase.{phase}", {}))
            case _:
                lines += common_sentences(event)
    return lines


def _move_of(turn: Sequence[AnyEvent]) -> str:
    return next(event.move for event in turn if isinstance(event, Moved))
