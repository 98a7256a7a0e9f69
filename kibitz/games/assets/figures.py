"""What follows from a view of Cover Your Assets: values, what is safe, and what each move is about."""

from collections.abc import Iterable, Sequence
from typing import Literal, TypedDict

from kibitz.core.views import Card
from kibitz.games.assets.box import EDITIONS, WILDS
from kibitz.games.assets.rules import STEALABLE
from kibitz.games.assets.views import AssetSet, View

EDITION_NAMES = {"first": 0, "second": 1}

Values = dict[Card, int]


class SetFigures(TypedDict):
    """What a set counts, and whether it can be stolen."""

    worth: int
    state: Literal["safe", "covered", "top"]  # at the bottom for ever, beneath another, open to thieves


class StackFigures(TypedDict):
    """A seat's stack."""

    worth: int
    sets: list[SetFigures]  # the bottom one first
    unstealable: str | None  # the refusal that the seat would get for any steal from here; None: a card fits


class Action(TypedDict):
    """A legal move."""

    move: str
    verb: str
    cards: list[Card]  # that leave the hand
    taken: Card | None  # from the pile
    victim: int | None
    worth: int | None  # what the new set counts, or the one to steal


class Figures(TypedDict):
    """What follows from a view of Cover Your Assets."""

    prompt: str  # the message that says what can be done now
    values: Values  # of the deck's cards
    stacks: list[StackFigures]
    stake: int  # what is fought for in a duel, with all cards shown
    actions: list[Action]


def figures(view: View, seat: int | None, moves: Sequence[str]) -> Figures:
    """Values, stacks and moves, from what a seat sees."""
    deck = EDITIONS[EDITION_NAMES[str(view["options"]["deck"])]]
    values = {name: value for name, value, _ in deck}
    return {
        "prompt": prompt(view, moves),
        "values": values,
        "stacks": [stack(view, seat, other, values) for other in range(view["players"])],
        "stake": stake(view, values),
        "actions": [action(view, move, values) for move in moves],
    }


def prompt(view: View, moves: Sequence[str]) -> str:
    """What can be done: of a turn's ways those that are open; who is robbed may have nothing to show."""
    phase, verbs = f"phase.{view['phase']}", {move.split(" ")[0] for move in moves}
    if verbs == {"yield"}:
        return f"{phase}.yield"
    ways = [f".{verb}" for verb in ("pair", "take", "steal") if verb in verbs]
    if "discard" not in verbs or len(ways) == 3:
        return phase
    return phase + ("".join(ways) or ".discard")


def counted(cards: Iterable[Card], values: Values) -> int:
    """What cards count together."""
    return sum(values[card] for card in cards)


def stack(view: View, seat: int | None, owner: int, values: Values) -> StackFigures:
    """A stack, and whether a seat can steal from it."""
    sets = view["stacks"][owner]
    worths = [counted(each["cards"], values) for each in sets]
    return {
        "worth": sum(worths),
        "sets": [{"worth": worth, "state": state(place, len(sets))} for place, worth in enumerate(worths)],
        "unstealable": None if seat is None or seat == owner else unstealable(view, seat, owner),
    }


def state(place: int, sets: int) -> Literal["safe", "covered", "top"]:
    """The bottom set of a stack is safe for ever; of the others only the top one can be stolen."""
    if place == 0:
        return "safe"
    return "top" if place == sets - 1 else "covered"


def unstealable(view: View, thief: int, victim: int) -> str | None:
    """Why no card of a seat steals from another: the code of the refusal, or `nothing-fits`."""
    if not view["stacks"][thief]:
        return "no-set-yet"
    if len(view["stacks"][victim]) < STEALABLE:
        return "bottom-is-safe"
    asset = view["stacks"][victim][-1]["asset"]
    return None if any(card in (asset, *WILDS) for card in view["hands"][thief]) else "nothing-fits"


def top(view: View, seat: int) -> AssetSet:
    """The set that can be stolen."""
    return view["stacks"][seat][-1]


def stake(view: View, values: Values) -> int:
    """The set that is fought for, with all cards shown."""
    duel = view["duel"]
    if duel is None:
        return 0
    shown = [card for cards in duel["shown"] for card in cards]
    return counted([*top(view, duel["victim"])["cards"], *shown], values)


def action(view: View, move: str, values: Values) -> Action:
    """What a move uses and brings."""
    cards: list[Card] = []
    taken, victim, worth = None, None, None
    match move.split(" "):
        case ["pair", first, second]:
            cards = [first, second]
            worth = counted(cards, values)
        case ["take", discard, "with", card]:
            cards, taken = [card], discard
            worth = counted([discard, card], values)
        case ["steal", seat, "with", card]:
            cards, victim = [card], int(seat[1:])
            worth = counted(top(view, victim)["cards"], values)
        case [_, "with", card] | ["discard", card]:
            cards = [card]
    verb = move.split(" ")[0]
    return {"move": move, "verb": verb, "cards": cards, "taken": taken, "victim": victim, "worth": worth}
