"""A check that can't fail proves nothing: change a rule in the twin, and the comparison must notice."""

from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

import pytest

import kibitz
from tests.games.kazink import naive
from tests.games.kazink.naive import Position, Shuffle
from tests.games.kazink.test_twin import odd_position, play_both

ODD_POSITIONS = 500

Change = dict[str, Any]


def then(name: str, change: Callable[[Any, Position], Any]) -> Change:
    """A query of the twin whose answer is changed."""
    asked = getattr(naive, name)
    return {name: lambda position, *more: change(asked(position, *more), position)}


def afterwards(name: str, change: Callable[[Position], None]) -> Change:
    """A deed of the twin, with something more done after it."""
    deed = getattr(naive, name)

    def done(table: Position, *more: Any, **named: Any) -> None:
        deed(table, *more, **named)
        change(table)

    return {name: done}


def any_uncrowned(position: Position, suit: str) -> list[str]:
    return [space for space in naive.spaces_of(position, suit) if space not in position["crowns"]]


def crowns_do_not_cover(position: Position, suit: str) -> list[str]:
    spaces = naive.spaces_of(position, suit)
    covered = all(naive.top(position, space) and space not in position["crowns"] for space in spaces)
    allowed = [*(naive.colours(position) if covered else ""), "", naive.own(position)]
    return [space for space in any_uncrowned(position, suit) if naive.top(position, space) in allowed]


def every_space(position: Position) -> list[str]:
    rows = naive.ROWS_OF_BOARD[position["options"]["board"]]
    return [f"{column}{row}" for row in range(1, rows + 1) for column in naive.COLUMNS]


def only_whole_stacks(table: Position) -> None:
    """A crown only if all chips of a space have one colour."""
    for space, chips in table["board"].items():
        if len(chips) > 3 and len(set(chips)) > 1:
            table["crowns"].pop(space, None)
    naive.count_up(table)


def runs_without_joining(position: Position, colour: str) -> int:
    """Every three in a line count, also if they share two spaces."""
    crowned = {naive.place_of(space) for space, owner in position["crowns"].items() if owner == colour}
    return sum(
        all((x + i * across, y + i * down) in crowned for i in range(3))
        for across, down in naive.DIRECTIONS
        for x, y in crowned
    )


def draw_under_the_top(table: Position, shuffled: Shuffle) -> None:
    """The card just laid down stays where it is."""
    if not table["deck"] and len(table["discard"]) > 1:
        *rest, laid = table["discard"]
        table["deck"], table["discard"] = shuffled(rest), [laid]
    if table["deck"]:
        hand = table["hands"][table["turn"]]
        table["hands"][table["turn"]] = naive.in_order([*hand, table["deck"].pop()])


def draw_only_from_the_deck(table: Position, shuffled: Shuffle) -> None:
    del shuffled
    if table["deck"]:
        hand = table["hands"][table["turn"]]
        table["hands"][table["turn"]] = naive.in_order([*hand, table["deck"].pop()])


def nobody_is_skipped_for_idle(table: Position, placed: bool, shuffled: Shuffle) -> None:
    """Skipped seats don't count."""
    if table["over"]:
        return
    naive.draw(table, shuffled)
    table["phase"] = "turn"
    table["swapped"] = False
    table["idle"] = 0 if placed else table["idle"] + 1
    table["turn"] = (table["turn"] + 1) % table["players"]
    while not table["hands"][table["turn"]]:
        table["turn"] = (table["turn"] + 1) % table["players"]
    if table["idle"] == table["players"]:
        naive.end_game(table)


END_TURN = naive.end_turn
PLACE = naive.place


def turn_ends_after_a_win_too(table: Position, placed: bool, shuffled: Shuffle) -> None:
    if table["over"] and naive.someone_has_won(table):
        table["swapped"] = False
    END_TURN(table, placed, shuffled)


def a_winning_chip_ends_idleness(table: Position, space: str, crowned: bool = False) -> None:
    table["idle"] = 0
    PLACE(table, space, crowned)


def place_without_crown(table: Position, space: str, crowned: bool = False) -> None:
    del crowned
    PLACE(table, space)


def set_idle(value: int) -> Callable[[Position], None]:
    def change(table: Position) -> None:
        table["idle"] = value

    return change


def keep_swapped(table: Position) -> None:
    table["swapped"] = True


def with_moves(changed: Callable[[list[str], Position], list[str]]) -> Change:
    return then("cards_played", changed)


def out_of_chips(position: Position) -> bool:
    return bool(position["chips"][naive.own(position)] == 0)


def without_discards_beside_a_double_up(moves: list[str], position: Position) -> list[str]:
    return ["U"] if out_of_chips(position) and "U" in moves else moves


def also_discard_a_double_up(moves: list[str], position: Position) -> list[str]:
    return [*moves, "discard U"] if out_of_chips(position) and "U" in moves else moves


def dead_cards_may_be_discarded(moves: list[str], position: Position) -> list[str]:
    hand = set(position["hands"][position["turn"]])
    return sorted({*moves, *(f"discard {card}" for card in hand if naive.is_dead(position, card))})


def partner_is_seen(seen: Position, position: Position) -> Position:
    if position["players"] == 4:
        seen = deepcopy(seen)
        seen["hands"][2] = position["hands"][2]
    return seen


MUTANTS: dict[str, Change] = {
    "a suit card goes on any opponent's chip": {"targets_of_suit": any_uncrowned},
    "crowned spaces don't count as covered [Z1]": {"targets_of_suit": crowns_do_not_cover},
    "a suit card goes on empty spaces only": then(
        "targets_of_suit",
        lambda found, position: [space for space in found if not naive.top(position, space)],
    ),
    "a dead card may be discarded beside a playable one [Z2]": with_moves(dead_cards_may_be_discarded),
    "chips below the top three matter for a crown [Z3]": afterwards("make_crowns", only_whole_stacks),
    "three chips make no crown [Z5]": {"make_crowns": naive.count_up},
    "a crown card makes no crown": {"place": place_without_crown},
    "only one chip is shifted": then(
        "shifts", lambda found, _: [move for move in found if not move.endswith("2")]
    ),
    "a shift goes onto an empty space [Z4]": then(
        "shifts",
        lambda found, position: [
            *found,
            *(
                f"shift {source} {target} 1"
                for source in naive.uncrowned(position)
                for target in naive.uncrowned(position)
                if naive.top(position, source) == naive.own(position) and not naive.top(position, target)
            ),
        ],
    ),
    "diagonals are no rows": {"DIRECTIONS": [(1, 0), (0, 1)]},
    "four in a line are two rows": {"row_count": runs_without_joining},
    "two rows win for a team [Z6]": {"rows_to_win": lambda _: 2},
    "three rows win for anybody": {"rows_to_win": lambda _: 3},
    "out of chips a double-up is the only move [Z16]": with_moves(without_discards_beside_a_double_up),
    "out of chips a double-up may be discarded [Z7]": with_moves(also_discard_a_double_up),
    "the card just laid down isn't shuffled in [Z8]": {"draw": draw_under_the_top},
    "an empty deck stays empty [Z8]": {"draw": draw_only_from_the_deck},
    "partners see each other's hands [Z9]": then("view", partner_is_seen),
    "the last seat takes its chips from the other team [Z14]": {
        "colour_of": lambda position, seat: "YBYY"[seat] if position["players"] == 4 else "YBR"[seat]
    },
    "the bordered row is there for two [Z10]": {"usable": every_space},
    "a double-up without a shift goes straight to place [Z11]": then(
        "legal_moves",
        lambda found, position: (
            [f"place {space}" for space in naive.uncrowned(position)] if found == ["stay"] else found
        ),
    ),
    "a win makes swapped false [Z12]": {"end_turn": turn_ends_after_a_win_too},
    "a win makes idle 0 [Z12]": {"place": a_winning_chip_ends_idleness},
    "skipped seats don't count as idle [Z13]": {"end_turn": nobody_is_skipped_for_idle},
    "the game doesn't end when all are idle [Z13]": afterwards("end_turn", set_idle(0)),
    "a swap is offered twice a turn [Z15]": then(
        "swaps",
        lambda _, position: [
            f"swap {card}"
            for card in set(position["hands"][position["turn"]])
            if naive.is_dead(position, card)
        ],
    ),
    "no swap without chips [Z15]": then(
        "swaps", lambda found, position: [] if out_of_chips(position) else found
    ),
    "swapped stays for the next player [Z15]": afterwards("end_turn", keep_swapped),
    "the cap is a move later": {"MAX_MOVES": 2001},
    "a row counts 10": then(
        "score",
        lambda found, position: [
            points + 9 * position["rows"][naive.colour_of(position, seat)]
            for seat, points in enumerate(found)
        ],
    ),
    "hands aren't sorted": {"in_order": list},
}


@pytest.fixture(scope="module")
def positions() -> list[Position]:
    """Made before anything is changed."""
    return [odd_position(Random(seed)) for seed in range(ODD_POSITIONS)]


def agree(first: Position, seed: int) -> None:
    play_both(kibitz.game("kazink").from_position(first, seed=seed), first, Random(seed), most=60)


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_changed_rule_is_noticed(
    mutant: str, positions: list[Position], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, changed in MUTANTS[mutant].items():
        monkeypatch.setattr(naive, name, changed)
    for seed, first in enumerate(positions):
        try:
            agree(first, seed)
        except (AssertionError, ValueError):
            return
    raise AssertionError(f"{ODD_POSITIONS} games, and nobody noticed: {mutant}")


def test_every_ruling_has_a_mutant() -> None:
    rulings = {f"Z{number}" for number in range(1, 17)}
    assert {ruling for ruling in rulings if not any(f"[{ruling}]" in mutant for mutant in MUTANTS)} == set()
