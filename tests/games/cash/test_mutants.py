"""The comparison of the twins can fail: each planted misreading of the rules is noticed."""

from collections.abc import Callable
from typing import Any

import numba
import pytest

from tests.games.cash import naive
from tests.games.cash.naive import Chance, Position
from tests.games.cash.positions import DEFAULTS
from tests.games.cash.test_twin import play_a_game, play_an_odd_position

MOST_TRIES = 200


def leave_out(word: str) -> Callable[[Position], list[str]]:
    """No move that begins so is legal."""

    def legal_moves(position: Position) -> list[str]:
        return [move for move in ORIGINAL["legal_moves"](position) if not move.startswith(word)]

    return legal_moves


def forgetful(*keys: str) -> Callable[..., None]:
    """After the start of a turn these keys are as before it."""

    def begin_turn(table: Position, seat: int, shuffled: Any) -> None:
        before = {key: table[key] for key in keys}
        ORIGINAL["begin_turn"](table, seat, shuffled)
        table.update(before)

    return begin_turn


def stacked_taxmen(position: Position, figures: list[int]) -> list[int]:
    results: list[int] = ORIGINAL["taxed"](position, figures)
    for owner, firm in enumerate(position["firms"]):
        if firm["taxman"]:
            results[owner] += 1000
    return results


def open_view(position: Position, seat: int | None) -> Position:
    """A third party sees a proposed offer whole."""
    seen: Position = ORIGINAL["view"](position, seat)
    return seen | {"offer": position["offer"]} if position["phase"] == "answer" else seen


def early_view(position: Position, seat: int | None) -> Position:
    """The other side sees an offer while it is built."""
    seen: Position = ORIGINAL["view"](position, seat)
    shown = position["offer"] and seat == position["offer"]["to"] and any(position["offer"]["give"])
    return seen | {"offer": position["offer"]} if shown else seen


def early_shuffle(table: Position, seat: int, shuffled: Any) -> None:
    """The deck is made anew as soon as it is empty."""
    ORIGINAL["draw"](table, seat, shuffled)
    if not table["deck"]:
        table["deck"], table["discard"] = naive.in_order(table["discard"]), []


def soon_back(table: Position, seat: int, chance: Chance) -> None:
    """Bankruptcy costs one turn."""
    ORIGINAL["go_bankrupt"](table, seat, chance)
    table["lost"][seat] -= 1


def offered_anyway(table: Position, seat: int, chance: Chance) -> None:
    """An extra turn is offered to who has a turn to lose."""
    if table["extra"]:
        table["phase"] = "again"
    else:
        ORIGINAL["end_turn"](table, seat, chance)


ORIGINAL: dict[str, Any] = dict(vars(naive))
MUTANTS: dict[str, tuple[str, Any]] = {
    "stop can't be played": ("legal_moves", leave_out("play stop")),
    "a settlement can't be played": ("legal_moves", leave_out("play settlement")),
    "an offer can't be dropped": ("legal_moves", leave_out("drop")),
    "a hand of eight": ("HAND_SIZE", 8),
    "six offers a turn": ("MOST_OFFERS", 6),
    "three cards a side": ("MOST_ON_A_SIDE", 3),
    "a fee of 50": ("FEE", "cash-50"),
    "one card after a recession": ("PASSED_AFTER", {"crash": 1, "recession": 1}),
    "the broker takes 50": ("COMMISSION", {"broker": ("cash-50", 1), "banker": ("cash-50", 2)}),
    "the banker costs one turn": ("COMMISSION", {"broker": ("cash-25", 1), "banker": ("cash-50", 1)}),
    "bankruptcy does nothing": ("BEARS", ["crash", "recession"]),
    "the lowest is the highest": ("lowest", naive.highest),
    "the highest is the lowest": ("highest", naive.lowest),
    "acted is forgotten": ("begin_turn", forgetful("acted")),
    "offers are forgotten": ("begin_turn", forgetful("offers")),
    "passing to the left": ("right_of", lambda table, seat: (seat + 1) % table["players"]),
    "an investigated firm trades": ("is_free", lambda firm: firm["license"]),
    "probes stay": ("lift_probe", lambda table, firm: None),
    "150 can be traded only": ("tradeable", lambda firm: firm["cash"]),
    "covers in the order of playing": ("insured_order", lambda insured: 0),
    "taxmen stack": ("taxed", stacked_taxmen),
    "no bear penalties": ("before_tax", lambda position: [0] * position["players"]),
    "third parties see offers": ("view", open_view),
    "the other side sees too early": ("view", early_view),
    "reshuffled too early": ("draw", early_shuffle),
    "bankruptcy costs one turn": ("go_bankrupt", soon_back),
    "an extra turn in spite of a lost one": ("end_turn", offered_anyway),
    "a round of 4999 moves": ("MAX_MOVES", 4999),
    "chosen cards are gone": ("held", lambda position, seat: position["hands"][seat]),
}


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="takes long when interpreted, and tests the test only")
@pytest.mark.parametrize(("name", "mutant"), MUTANTS.values(), ids=MUTANTS)
def test_a_misreading_is_noticed(name: str, mutant: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(naive, name, mutant)
    with pytest.raises((AssertionError, ValueError, LookupError)):
        play_many()


def play_many() -> None:
    for seed in range(MOST_TRIES):
        play_an_odd_position(seed)
        play_a_game(2 + seed % 7, DEFAULTS | {"rounds": 1}, seed)
