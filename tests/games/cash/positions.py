"""CASH positions for the tests, written out by what is special about them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from copy import deepcopy
from typing import Any

import msgspec
import numpy as np

import kibitz
from kibitz.core.state import State
from tests.games.cash import naive
from tests.games.cash.naive import CARD_ORDER, COPIES, DECK, Firm, Position, in_order, insured_order

# In the order in which a position gives them.
KEYS = [
    *("game", "options", "players", "round", "turn", "phase", "scores", "over", "winners", "moves"),
    *("hands", "firms", "deck", "discard", "lost", "starter", "acted", "offers", "offer", "passing", "extra"),
    *("taking", "spared", "tied"),
]
FIRM_KEYS = ["license", "probe", "cash", "insured", "venture", "taxman"]
OFFER_KEYS = ["from", "to", "give", "give_firm", "want", "want_firm", "counter"]
PASSING_KEYS = ["count", "from", "trim", "chosen"]
VERSION_1: dict[str, Any] = {  # the options that came with version 2, as all was before
    "spare": False,
    "firm_trades": "licensed",
    "offers": 5,
    "counter": False,
    "tie": "target",
}
VERSION_2: dict[str, Any] = {
    "spare": True,
    "firm_trades": "any",
    "offers": 10,
    "counter": True,
    "tie": "next",
}
DEFAULTS: dict[str, Any] = {
    "target": 1000000,
    "advanced": False,
    "recession": 75,
    "tax": "harsh",
    "trading": True,
    "rounds": None,
    "starter": "random",
    **VERSION_2,
}
EVERY_WANT = {f"want {card}" for card in CARD_ORDER}
HAND = "license stop clear-bribery clear-insider clear-laundering clear-crime settlement takeover"
OTHER = "clear-bribery clear-bribery clear-insider clear-insider clear-crime clear-crime settlement"


def firm(tabled: str = "", license: bool = True) -> Firm:
    """A firm from what lies on it: `"cash-25 cover-25:cash-5,cash-10 venture taxman probe-crime"`."""
    made = naive.empty_firm(license)
    for thing in tabled.split():
        cover, colon, cash = thing.partition(":")
        if colon:
            made["insured"].append({"cover": cover, "cash": in_order(cash.split(","))})
        elif thing in ("venture", "taxman"):
            made[thing] += 1
        elif thing.startswith("probe-"):
            made["probe"] = thing
        else:
            assert thing.startswith("cash-"), thing
            made["cash"].append(thing)
    made["cash"] = in_order(made["cash"])
    made["insured"].sort(key=insured_order)
    return made


UNLICENSED = firm(license=False)


def position(
    hand: str = HAND,
    own: str | Firm = "",
    others: Sequence[str] = (OTHER,),
    their: Sequence[str | Firm] = (),
    discard: str = "",
    deck: str | None = None,
    **changes: Any,
) -> Position:
    """A valid position in which seat 0 is in turn, but for the changes.

    `hand` and `own` are seat 0's hand and firm, `others` and `their` those of the other seats. The rest of
    the 216 cards are the deck, in card order; if a deck is given, they lie at the bottom of the discard pile.
    """
    hands = [in_order(cards.split()) for cards in (hand, *others)]
    players = len(hands)
    firms = [firm(tabled) if isinstance(tabled, str) else deepcopy(tabled) for tabled in (own, *their)]
    firms += [firm() for _ in range(players - len(firms))]
    pile = discard.split()
    used = [card for cards in hands for card in cards] + pile
    used += [card for each in firms for card in tabled_on(each)]
    used += [card for cards in (changes.get("passing") or {"chosen": []})["chosen"] for card in cards]
    drawn = in_order(rest_of(used)) if deck is None else deck.split()
    if deck is not None:
        pile = [*in_order(rest_of(used + drawn)), *pile]
    made: Position = {
        "game": "cash",
        "options": DEFAULTS | VERSION_1 | changes.pop("options", {}),
        "players": players,
        "round": 1,
        "turn": 0,
        "phase": "action",
        "scores": [0] * players,
        "over": False,
        "winners": [],
        "moves": 0,
        "hands": hands,
        "firms": firms,
        "deck": drawn,
        "discard": pile,
        "lost": [0] * players,
        "starter": 0,
        "acted": False,
        "offers": 0,
        "offer": None,
        "passing": None,
        "extra": False,
        "taking": None,
        "spared": [],
        "tied": False,
    }
    unknown = changes.keys() - made.keys()
    if unknown:
        raise KeyError(f"a position has no {', '.join(sorted(unknown))}")
    return deepcopy(made | changes)


def offered(from_: int = 0, to: int = 1, counter: bool = False, **sides: str) -> dict[str, Any]:
    """An offer: `offered(1, 0, counter=True, give="cash-5", want_firm="venture")`."""
    names = ("give", "give_firm", "want", "want_firm")
    lists = {name: in_order(sides.get(name, "").split()) for name in names}
    return {"from": from_, "to": to, **lists, "counter": counter}


def passing(count: int, from_: int, trim: bool, *chosen: str) -> dict[str, Any]:
    return {
        "count": count,
        "from": from_,
        "trim": trim,
        "chosen": [in_order(cards.split()) for cards in chosen],
    }


def finished(scores: Sequence[int] = (1_050_000, 170_000), **changes: Any) -> Position:
    """A game that is over because of the target."""
    best = max(scores)
    ended = {
        "turn": None,
        "phase": "over",
        "over": True,
        "winners": [seat for seat, score in enumerate(scores) if score == best],
        "moves": 31,
        "round": 3,
        "scores": list(scores),
        "discard": "stop",
    }
    return position(**{"hand": "license cash-5", "own": "cash-50 cash-75 venture"} | ended | changes)


def tabled_on(firm_: Firm) -> list[str]:
    """All cards of a firm."""
    cards = ["license"] if firm_["license"] else []
    cards += [firm_["probe"]] if firm_["probe"] else []
    cards += [*firm_["cash"], *["venture"] * firm_["venture"], *["taxman"] * firm_["taxman"]]
    for insured in firm_["insured"]:
        cards += [insured["cover"], *insured["cash"]]
    return cards


def all_cards(made: Position) -> list[str]:
    """Every card of a position, wherever it lies."""
    cards = [card for hand in made["hands"] for card in hand] + made["deck"] + made["discard"]
    cards += [card for firm_ in made["firms"] for card in tabled_on(firm_)]
    if made["passing"]:
        cards += [card for chosen in made["passing"]["chosen"] for card in chosen]
    return in_order(cards)


def rest_of(used: Iterable[str]) -> list[str]:
    """The cards of the box that are not used."""
    left = Counter(COPIES)
    left.subtract(Counter(used))
    assert set(left) == set(CARD_ORDER), f"no such card: {set(left) - set(CARD_ORDER)}"
    assert min(left.values()) >= 0, f"more than the box has: {-left}"
    return list(left.elements())


def start(*args: Any, **changes: Any) -> State:
    """The engine's state of `position(…)`."""
    return state_of(position(*args, **changes))


def state_of(made: Position) -> State:
    return kibitz.game("cash").from_position(made, seed=1)


def played(state: State, *moves_: str) -> Position:
    """Make the moves; the position then."""
    for move in moves_:
        state.play(move)
    made = state.position()
    assert all_cards(made) == DECK
    return made


def moves(state: State, *verbs: str) -> set[str]:
    """The legal moves in notation; only those that begin so, if any is given."""
    return {str(move) for move in state.legal_moves if not verbs or str(move).startswith(verbs)}


def as_json(made: object) -> bytes:
    """As text, so that 1 and true differ, and the order of keys counts."""
    return msgspec.json.encode(made)


def points(state: State) -> list[int]:
    """What the round as it stands brings."""
    found = np.full(8, 99, np.int32)
    before = bytes(state)
    state.game.rules.score(state.fields(), found)
    assert bytes(state) == before
    assert (found[state.players :] == 99).all()
    return [int(each) for each in found[: state.players]]
