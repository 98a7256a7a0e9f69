"""What can be said for a player of Kazink!"""

from collections.abc import Iterator
from functools import cache

from kibitz.bots.merits import Merits, Position
from kibitz.core.sentences import Card, Seat, Sentence
from kibitz.games.kazink.board import DIRECTIONS, ROW_LENGTH
from kibitz.games.kazink.figures import figures

WILD, KEPT = "W", ("W", "U", "K")
CROWN = 3  # chips of one colour on top
MANY = 5  # rows that may run through a space

Place = tuple[int, int]  # row and column
Spaces = tuple[tuple[str, Place], ...]


def merits(position: Position) -> Iterator[Sentence]:
    """Rows and crowns that are near, special cards that are kept, and good places."""
    told = figures(position, None, ())  # type: ignore[arg-type]  # a position is an open view
    suits = {space["name"]: space["suit"] for space in told["spaces"]}
    spaces = tuple((space["name"], (space["row"], space["column"])) for space in told["spaces"])
    for seat, colour in enumerate(told["colours"]):
        yield from of_rows(position, seat, colour, spaces)
        yield from of_crowns(position, seat, colour, suits)
        for card in KEPT:
            if card in position["hands"][seat]:
                yield Sentence("merit.keeps", {"seat": Seat(seat), "card": Card(card)})
        yield from of_places(position, seat, colour, spaces)


def of_rows(position: Position, seat: int, colour: str, spaces: Spaces) -> Iterator[Sentence]:
    """Spaces that only want a crown for a row."""
    crowned = {place for name, place in spaces if position["crowns"].get(name) == colour}
    for name, place in spaces:
        if name not in position["crowns"] and any(makes_row(crowned, place, way) for way in DIRECTIONS):
            yield Sentence("merit.row", {"seat": Seat(seat), "space": name})


def makes_row(crowned: set[Place], place: Place, way: tuple[int, int]) -> bool:
    """Whether one more crown makes a run that counts one row more."""
    before, after = (run_from(crowned, place, way, sign) for sign in (-1, 1))
    return rows(before + 1 + after) > rows(before) + rows(after)


def run_from(crowned: set[Place], place: Place, way: tuple[int, int], sign: int) -> int:
    """How many crowns follow each other from a space on."""
    length, (row, column) = 0, place
    while (row := row + sign * way[1], column := column + sign * way[0]) in crowned:
        length += 1
    return length


def rows(length: int) -> int:
    """Two rows may have one space in common."""
    return max(0, (length - 1) // (ROW_LENGTH - 1))


def of_crowns(position: Position, seat: int, colour: str, suits: dict[str, str]) -> Iterator[Sentence]:
    """Spaces that want one chip more for a crown, and the card for it."""
    hand, me = position["hands"][seat], Seat(seat)
    for space, chips in position["board"].items():
        if space in position["crowns"] or not chips.endswith((CROWN - 1) * colour):
            continue
        yield Sentence("merit.two", {"seat": me, "space": space})
        for card in (suits[space], WILD):
            if card in hand:
                yield Sentence("merit.third", {"seat": me, "space": space, "card": Card(card)})


def of_places(position: Position, seat: int, colour: str, spaces: Spaces) -> Iterator[Sentence]:
    """Spaces on which the seat is on top, and through which many rows can still run."""
    taken = {name for name, crown in position["crowns"].items() if crown != colour}
    for name, _ in spaces:
        count = sum(name in line and taken.isdisjoint(line) for line in lines(spaces))
        on_top = position["board"].get(name, "").endswith(colour)
        if on_top and name not in position["crowns"] and count >= MANY:
            yield Sentence("merit.middle", {"seat": Seat(seat), "space": name, "count": count})


@cache
def lines(spaces: Spaces) -> tuple[tuple[str, ...], ...]:
    """All that could become a row."""
    named = {place: name for name, place in spaces}
    found = []
    for row, column in named:
        for across, down in DIRECTIONS:
            places = [(row + step * down, column + step * across) for step in range(ROW_LENGTH)]
            if all(place in named for place in places):
                found.append(tuple(named[place] for place in places))
    return tuple(found)


CHORES = (
    "play",
    "play-draw",
    "swap",
    "swap-draw",
    "discard",
    "discard-draw",
    "double-up",
    "double-up-stay",
    "double-up-shift",
    "double-up-place",
    "double-up-shift-place",
    "stay",
    "shift",
    "shift-place",
    "place",
    "draw",
)
MERITS = Merits(merits, chores=frozenset(f"log.{each}" for each in CHORES))
