"""Options of a game. Each declares once what it accepts and its default; text and JSON are checked by it."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kibitz.core.errors import BadOptions
from kibitz.core.numbers import whole
from kibitz.core.words import catalogue

Value = str | int | bool | None


@dataclass(frozen=True)
class _AnySeat:
    """Accepted by an option: any seat of the table."""


ANY_SEAT = _AnySeat()


@dataclass(frozen=True)
class Option:
    """One option: its name, its default, and what it accepts: exact values, ranges of numbers, `ANY_SEAT`.

    In a record a number is itself, and words are numbered in their order, unless `codes` says otherwise.
    """

    name: str
    default: Value
    accepts: tuple[Value | range | _AnySeat, ...]
    only_with: tuple[str, tuple[Value, ...]] | None = None  # it acts only when that option has one of these
    codes: Mapping[Value, int] = field(default_factory=dict)  # the number of a value in a record
    # with the others: None, or what is expected instead
    agrees: Callable[[Mapping[str, Value]], str | None] | None = None

    def check(self, value: Any, players: int) -> Value:
        """The value, if it is acceptable and of exactly the right type."""
        value = value if (number := whole(value)) is None else number
        for choice in self.choices(players):
            wanted = int if isinstance(choice, range) else type(choice)
            if type(value) is not wanted:
                continue
            if value in choice if isinstance(choice, range) else value == choice:
                accepted: Value = value
                return accepted
        raise BadOptions(self.name, self.expected(players), value)

    def parse(self, text: str, players: int) -> Value:
        """The value that a text from a command line or a form means."""
        names = {"true": True, "yes": True, "false": False, "no": False, "none": None, "null": None}
        readings: list[Value] = [text]
        if text.lower() in names:
            readings.append(names[text.lower()])
        if re.fullmatch(r"-?[0-9]{1,18}", text):
            readings.append(int(text))
        for reading in reversed(readings):
            try:
                return self.check(reading, players)
            except BadOptions:
                continue
        raise BadOptions(self.name, self.expected(players), text)

    def expected(self, players: int, language: str = "en") -> str:
        """What the option accepts, in words; values as they are typed."""
        words = catalogue(language)
        return words("option.or").join(
            words("option.range", fewest=str(choice.start), most=str(choice.stop - 1))
            if isinstance(choice, range)
            else str(choice).lower()
            if choice is None or isinstance(choice, bool)
            else repr(choice)
            for choice in self.choices(players)
        )

    def named(self, players: int) -> list[str]:
        """The values that can be listed, as they are typed: all but those of ranges, and the default."""
        listed = [choice for choice in self.choices(players) if not isinstance(choice, range)]
        return [
            str(value).lower() if value is None or isinstance(value, bool) else str(value)
            for value in dict.fromkeys([self.default, *listed])
        ]

    def code(self, value: Value) -> int:
        """The number that a record has for a value."""
        if value in self.codes:
            return self.codes[value]
        return self.accepts.index(value) if isinstance(value, str) else int(value or 0)

    def value(self, code: int) -> Value:
        """The value that a record's number stands for."""
        for value, known in self.codes.items():
            if known == code:
                return value
        first = self.accepts[0]
        word = self.accepts[code] if isinstance(first, str) and not self.codes else None
        return word if isinstance(word, str) else code

    def choices(self, players: int) -> list[Value | range]:
        """What it accepts at a table of so many players."""
        return [range(players) if isinstance(choice, _AnySeat) else choice for choice in self.accepts]


RANDOM_SEAT = -1  # in a record: chance says which


def seat_option(name: str) -> Option:
    """Which seat is or does something at first: one that is agreed on, or by default any."""
    return Option(name, "random", ("random", ANY_SEAT), codes={"random": RANDOM_SEAT})


def checked_options(options: Sequence[Option], given: Mapping[str, Any], players: int) -> dict[str, Value]:
    """All options in their order, each as given or by default."""
    known = {option.name for option in options}
    for name in given:
        if name not in known:
            raise BadOptions(str(name), f"one of the options {', '.join(sorted(known))}", given[name])
    checked = {
        option.name: option.check(given.get(option.name, option.default), players) for option in options
    }
    for option in options:
        if option.agrees and (expected := option.agrees(checked)):
            raise BadOptions(option.name, expected, checked[option.name])
    return checked
