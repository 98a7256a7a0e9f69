"""What follows from a view of CASH: what firms count, who receives what is passed on, what can be traded."""

from collections.abc import Iterable, Sequence
from typing import TypedDict

import numpy as np
import numpy.typing as npt

from kibitz.core.views import Card
from kibitz.games.cash import box, table
from kibitz.games.cash.scoring import HARSH, NUM_LINES, NUM_STEPS, Line, count_round
from kibitz.games.cash.views import Firm, View

HELD = {  # what costs or doubles in a hand
    Line.CRASHES: box.CARDS[box.CRASH],
    Line.RECESSIONS: box.CARDS[box.RECESSION],
    Line.BANKRUPTCIES: box.CARDS[box.BANKRUPTCY],
    Line.VENTURES_HELD: box.CARDS[box.VENTURE],
}
BULLS, BEARS, COMMISSIONS = (
    tuple(box.CARDS[card] for card in cards) for cards in (box.BULLS, box.BEARS, box.COMMISSIONS)
)
TAKEN_BY = {box.CARDS[box.BROKER]: box.CARDS[box.CASH_25], box.CARDS[box.BANKER]: box.CARDS[box.CASH_50]}
ANY = table.FIRM_TRADES[table.ANY_FIRMS]


class FirmFigures(TypedDict):
    """What a firm is worth, in dollars."""

    counts: int  # its cash, doubled if a venture does that
    insured: list[int]  # under each insurance


class Tradeable(TypedDict):
    """The firm cards that can go between two seats."""

    give: list[Card]  # of this seat's firm
    want: list[Card]  # of the other's


class Figures(TypedDict):
    """What follows from a view of CASH."""

    prompt: str  # the message that says what can be done now
    firms: list[FirmFigures]
    so_far: int | None  # what the round brings this seat if it ends now, before any tax; None: a spectator
    working: list[Card]  # of its hand: what has an effect if it is played or discarded now
    receiver: int | None  # who gets what this seat passes on
    to_pass: int  # cards that this seat has still to pass on
    taken: list[Card | None]  # from each seat, unless it is spared; None: nothing
    trades: list[Tradeable | None]  # with each seat; None: with itself
    side: int  # cards that a side of an offer may have
    offers_left: int  # that may still be begun in this turn


def figures(view: View, seat: int | None, moves: Sequence[str]) -> Figures:
    """Sums and limits, from what a seat sees."""
    options, seats = view["options"], range(view["players"])
    return {
        "prompt": prompt(view, moves),
        "firms": [firm_figures(firm) for firm in view["firms"]],
        "so_far": None if seat is None else so_far(view, seat),
        "working": [] if seat is None else working(view["firms"][seat], moves),
        "receiver": None if seat is None else (seat - 1) % view["players"],
        "to_pass": 0 if seat is None else to_pass(view, seat),
        "taken": [taken(view, other) for other in seats],
        "trades": [
            None if seat is None or seat == other else tradeable(view, seat, other) for other in seats
        ],
        "side": table.MAX_SIDE if options["counter"] else table.MAX_SIDE_UNCOUNTERED,
        "offers_left": int(options["offers"] or 0) - view["offers"],
    }


def prompt(view: View, moves: Sequence[str]) -> str:
    """What can be done in a phase; before and after a turn's one card, with trading and without."""
    if view["phase"] != "action":
        return f"phase.{view['phase']}"
    trades = any(move.startswith("trade") for move in moves)
    if view["acted"]:
        return "phase.action.acted" if trades else "phase.action.only-done"
    firm = view["firms"][view["turn"] or 0]
    if not is_free(firm):
        return "phase.action.investigated" if firm["license"] else "phase.action.unlicensed"
    return "phase.action" if trades else "phase.action.no-trade"


def to_pass(view: View, seat: int) -> int:
    """As many as the card says, less what is chosen; who has fewer passes all."""
    passing = view["passing"]
    if passing is None:
        return 0
    return min(passing["count"] - len(passing["chosen"][seat]), len(view["hands"][seat]))


def firm_figures(firm: Firm) -> FirmFigures:
    """What a firm is worth as it lies."""
    lines = np.zeros((1, NUM_LINES), np.int64)
    lines[0, Line.TABLED] = cash_on(firm)
    lines[0, Line.VENTURES] = firm["venture"]
    return {
        "counts": total_of(lines, 0),
        "insured": [cash_in(bundle["cash"]) for bundle in firm["insured"]],
    }


def so_far(view: View, seat: int) -> int:
    """What the round brings a seat if it ends now, before any tax; cards chosen for passing count. [C35]"""
    firm, passing = view["firms"][seat], view["passing"]
    hand = [*view["hands"][seat], *(passing["chosen"][seat] if passing else [])]
    lines = np.zeros((1, NUM_LINES), np.int64)
    lines[0, Line.TABLED] = cash_on(firm)
    lines[0, Line.VENTURES] = firm["venture"]
    lines[0, Line.HAND] = cash_in(hand)
    for line, card in HELD.items():
        lines[0, line] = hand.count(card)
    return total_of(lines, int(view["options"]["recession"] or 0))


def working(firm: Firm, moves: Sequence[str]) -> list[Card]:
    """Cards that can be played, and those whose discard does something."""
    verbs = [(move.split()[0], move.split()[1], move) for move in moves if " " in move]
    played = [card for verb, card, move in verbs if verb == "play" or (verb == "discard" and " on " in move)]
    discarded = [card for verb, card, _ in verbs if verb == "discard" and acts(card, firm)]
    # [C7]
    trimmed = [card for verb, card, _ in verbs if verb == "trim" and card in BEARS and firm["license"]]
    return list(dict.fromkeys([*played, *discarded, *trimmed]))


def acts(card: Card, firm: Firm) -> bool:
    """Whether discarding a card has an effect: never without a license, under investigation not always."""
    if not firm["license"]:  # [C19]
        return False
    if firm["probe"] is None:
        return card in (*BEARS, *BULLS, *COMMISSIONS)
    return card in (*BEARS, *BULLS, f"clear-{firm['probe'].removeprefix('probe-')}")


def total_of(lines: npt.NDArray[np.int64], recession: int) -> int:
    """The score of a player alone."""
    steps = np.zeros((1, NUM_STEPS), np.int64)
    count_round(lines, 1, recession, HARSH, steps)
    return int(steps.sum())


def cash_on(firm: Firm) -> int:
    """All cash of a firm, insured or not."""
    return cash_in(firm["cash"]) + sum(cash_in(bundle["cash"]) for bundle in firm["insured"])


def cash_in(cards: Iterable[Card]) -> int:
    """The dollars of the cash among some cards."""
    return sum(box.figure(card) for card in cards if card in box.CASH_NAMES)


def taken(view: View, seat: int) -> Card | None:
    """The cash of a firm that the card in question takes, exactly one. [C25]"""
    cash, card = view["firms"][seat]["cash"], view["taking"]
    if card is None or seat == view["turn"] or not cash:
        return None
    if card in BULLS:
        return cash[0] if card == BULLS[0] else cash[-1]
    value = TAKEN_BY[card]
    return value if value in cash else None


def tradeable(view: View, seat: int, other: int) -> Tradeable:
    """Loose cards, from firm to firm; by an option only between free firms with a license. [C24]"""
    mine, theirs = view["firms"][seat], view["firms"][other]
    if view["options"]["firm_trades"] == ANY or (is_free(mine) and is_free(theirs)):
        return {"give": loose(mine), "want": loose(theirs)}
    return {"give": [], "want": []}


def is_free(firm: Firm) -> bool:
    """Whether a firm is licensed and not under investigation."""
    return firm["license"] and firm["probe"] is None


def loose(firm: Firm) -> list[Card]:
    """What lies on a firm for itself, in card order."""
    return [*firm["cash"], *["venture"] * firm["venture"], *["taxman"] * firm["taxman"]]
