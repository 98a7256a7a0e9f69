"""The forms that fields have in JSON: how a value is written, how it is read, and what is refused.

A form belongs to a `Field`. What isn't shown has the number that the record has for it there (0 for a card),
and is written as `?`; it may be read only from a view, and only where a field isn't open to all.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from kibitz.core.cards import NO_CARD, CardCodes
from kibitz.core.errors import BadPosition
from kibitz.core.layout import HIDDEN, NOBODY, AnyRecord, Field, Form
from kibitz.core.reader import as_flag, as_list, as_one_of, as_whole


def codes_of(kinds: type[IntEnum], space: str = "_") -> tuple[str, ...]:
    """What phases, steps and endings are called in JSON, by number."""
    return tuple(kind.name.lower().replace("_", space) for kind in kinds)


@dataclass(frozen=True)
class Place:
    """Where a value that is read goes: a field of a record, or a row of it."""

    field: Field
    record: AnyRecord
    path: str
    hidden: bool  # whether it may be `?`
    row: int | None = None

    def store(self, value: Any) -> None:
        """Put a number there."""
        if self.row is None:
            self.record[self.field.name] = value
        else:
            self.record[self.field.name][self.row] = value

    @property
    def numbers(self) -> Any:
        """The numbers that are there."""
        values = self.record[self.field.name]
        return values if self.row is None else values[self.row]

    def store_size(self, size_field: str | None, size: int) -> None:
        """Put into the field that counts them, if there is one, how many cards are there."""
        if size_field is None:
            return
        if self.row is None:
            self.record[size_field] = size
        else:
            self.record[size_field][self.row] = size


class OneForm(Form, ABC):
    """The form of one value: of a field, or of a row of it."""

    size: str | None = None  # the field that says how many cards there are

    @abstractmethod
    def write(self, value: Any, size: int = 0) -> Any:
        """The JSON of a value."""

    @abstractmethod
    def read(self, value: Any, place: Place) -> Sequence[int]:
        """Put what JSON says into its place; returns the cards, if that is what it says."""


class Number(OneForm):
    """A whole number within the field's bounds; `hidden` is the one that stands for `?`."""

    def __init__(self, hidden: int | None = None) -> None:
        self.hidden = hidden

    def write(self, value: Any, size: int = 0) -> Any:
        return HIDDEN if value == self.hidden else value

    def read(self, value: Any, place: Place) -> Sequence[int]:
        if value == HIDDEN and place.hidden and self.hidden is not None:
            place.store(self.hidden)
        else:
            place.store(as_whole(value, place.path, place.field.least, place.field.greatest))
        return ()


class Flag(OneForm):
    """True or false."""

    def write(self, value: Any, size: int = 0) -> Any:
        return bool(value)

    def read(self, value: Any, place: Place) -> Sequence[int]:
        place.store(as_flag(value, place.path))
        return ()


class SeatForm(OneForm):
    """A seat of the table."""

    def write(self, value: Any, size: int = 0) -> Any:
        return None if value == NOBODY else value

    def read(self, value: Any, place: Place) -> Sequence[int]:
        if value is None and place.field.least == NOBODY:
            place.store(NOBODY)
        else:
            place.store(as_whole(value, place.path, 0, int(place.record.players) - 1))
        return ()


class Choice(OneForm):
    """One of some names, by its number."""

    def __init__(self, names: Sequence[Any]) -> None:
        self.names = names

    def write(self, value: Any, size: int = 0) -> Any:
        return self.names[value]

    def read(self, value: Any, place: Place) -> Sequence[int]:
        place.store(as_one_of(value, place.path, self.names))
        return ()


class CardForm(OneForm):
    """A card, or null where there is none, which the field `there` says."""

    def __init__(self, codes: CardCodes, there: str) -> None:
        self.codes = codes
        self.size = there

    def write(self, value: Any, size: int = 0) -> Any:
        return self.codes[value] if size else None

    def read(self, value: Any, place: Place) -> Sequence[int]:
        cards = [] if value is None else self.codes.read_list([value], place.path, place.hidden)
        place.store(cards[0] if cards else NO_CARD)
        place.store_size(self.size, len(cards))
        return cards


class Pile(OneForm):
    """Cards in their order, the top last; `in_order` for a hand that is kept as a list in card order."""

    def __init__(self, codes: CardCodes, size: str, in_order: bool = False) -> None:
        self.codes = codes
        self.size = size
        self.in_order = in_order

    def write(self, value: Any, size: int = 0) -> Any:
        names = self.codes.names
        return [names[card] for card in value[:size]]

    def read(self, value: Any, place: Place) -> Sequence[int]:
        cards = self.codes.read_list(value, place.path, place.hidden)
        if len(cards) > len(place.numbers):
            raise BadPosition(place.path, f"at most {len(place.numbers)} cards", value)
        place.numbers[: len(cards)] = sorted(cards) if self.in_order else cards
        place.store_size(self.size, len(cards))
        return cards


class Holding(OneForm):
    """Cards without an order, as counts by card; without a field for their size none is ever hidden."""

    def __init__(self, codes: CardCodes, size: str | None = None) -> None:
        self.codes = codes
        self.size = size

    def write(self, value: Any, size: int = 0) -> Any:
        names = self.codes.names
        cards = [names[card] for card, count in enumerate(value) if count for _ in range(count)]
        return cards + [HIDDEN] * (size - len(cards))

    def read(self, value: Any, place: Place) -> Sequence[int]:
        cards = self.codes.read_list(value, place.path, place.hidden)
        counts = place.numbers
        for card in cards:
            if card and counts[card] == place.field.greatest:
                raise BadPosition(place.path, f"at most {counts[card]} of {self.codes.names[card]}", value)
            counts[card] += card > 0
        place.store_size(self.size, len(cards))
        return cards


class EachRow(Form):
    """A list: an entry of the same form for each row of the field."""

    for_seats = False

    def __init__(self, form: OneForm) -> None:
        self.form = form

    def read(self, value: Any, place: Place) -> dict[str, Sequence[int]]:
        """Read each row; returns the cards of each by its path."""
        found: dict[str, Sequence[int]] = {}

        def item(entry: Any, path: str) -> None:
            row = Place(place.field, place.record, path, place.hidden, row=len(found))
            found[path] = self.form.read(entry, row)

        as_list(value, place.path, item, int(place.record.players) if self.for_seats else place.field.rows)
        return found


class EachSeat(EachRow):
    """A list: an entry of the same form for each seat that is taken."""

    for_seats = True


NUMBER, FLAG, SEAT = Number(), Flag(), SeatForm()


class Own:
    """A key whose form is the game's own: a function of its fields, by their names, and of some others.

    `each_seat`: the key is a list, and the function makes one entry, from a row of each field of the key.
    """

    def __init__(self, make: Callable[..., Any], *others: str, each_seat: bool = False) -> None:
        self.make = make
        self.others = others
        self.each_seat = each_seat
