"""Options of a game. Each declares once what it accepts and its default; text and JSON are checked by it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.core.errors import BadOptions

Value = str | int | bool | None


@dataclass(frozen=True)
class _AnySeat:
    """Accepted by an option: any seat of the table."""


SEAT = _AnySeat()


@dataclass(frozen=True)
class Option:
    """One option: its name, its default, and what it accepts: exact values, ranges of numbers, `SEAT`."""

    name: str
    default: Value
    accepts: tuple[Value | range | _AnySeat, ...]
    only_with: tuple[str, tuple[Value, ...]] | None = None  # it acts only when that option has one of these

    def check(self, value: Any, players: int) -> Value:
        """The value, if it is acceptable and of exactly the right type."""
        for choice in self.choices(players):
            fits = value in choice if isinstance(choice, range) else value == choice
            wanted = int if isinstance(choice, range) else type(choice)
            if type(value) is wanted and fits:
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

    def expected(self, players: int) -> str:
        """What the option accepts, in words."""
        return " or ".join(
            f"a whole number from {choice.start} to {choice.stop - 1}"
            if isinstance(choice, range)
            else str(choice).lower()
            if choice is None or isinstance(choice, bool)
            else repr(choice)
            for choice in self.choices(players)
        )

    def choices(self, players: int) -> list[Value | range]:
        """What it accepts at a table of so many players."""
        return [range(players) if isinstance(choice, _AnySeat) else choice for choice in self.accepts]


def checked_options(options: Sequence[Option], given: Mapping[str, Any], players: int) -> dict[str, Value]:
    """All options in their order, each as given or by default."""
    known = {option.name for option in options}
    for name in given:
        if name not in known:
            raise BadOptions(str(name), f"one of the options {', '.join(sorted(known))}", given[name])
    return {option.name: option.check(given.get(option.name, option.default), players) for option in options}
