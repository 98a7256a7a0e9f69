"""Message catalogues: everything a player reads, in every language, from JSON files beside the code.

A message is a template with `{names}`, or `${names}` for what is written as money; one that counts is an
object of plural forms chosen by `count`: `{"one": "{count} card", "other": "{count} cards"}`.
"""

import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from kibitz.core.errors import BadOptions

LANGUAGES = ("en", "es")
UNITS = ((10**6, "money.millions"), (10**3, "money.thousands"), (1, "money"))  # the first that fits
DOLLARS = re.compile(r"\$\{(\w+)\}")

Message = str | dict[str, str]


class Words(Mapping[str, Message]):
    """One language's messages; call it with a key and data to get the sentence."""

    def __init__(self, language: str, *packages: str) -> None:
        self.language = language
        self._messages: dict[str, Message] = {}
        for package in packages:
            file = resources.files(package) / f"words.{language}.json"
            self._messages |= msgspec.json.decode(file.read_bytes(), type=dict[str, Message])

    def __call__(self, key: str, **data: Any) -> str:
        template = DOLLARS.sub(lambda hole: self._dollars(data[hole[1]]), self.form(key, data))
        return template.format(**{name: written(value) for name, value in data.items()})

    def money(self, amount: int) -> str:
        """Dollars, in thousands or millions where they are so many; a sign comes before all: `−$110k`."""
        size = abs(amount)
        unit, kind = next((unit, kind) for unit, kind in UNITS if size >= unit or unit == 1)
        return self(kind, sign="−" if amount < 0 else "", dollars=f"${size / unit:.10g}")

    def _dollars(self, value: Any) -> str:
        return f"${value}" if isinstance(value, str) else self.money(value)

    def form(self, key: str, data: Mapping[str, Any]) -> str:
        """A message's template, in the plural form that its data asks for."""
        message = self._messages[key]
        return message if isinstance(message, str) else message["one" if data["count"] == 1 else "other"]

    def __getitem__(self, key: str) -> Message:
        return self._messages[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._messages)

    def __len__(self) -> int:
        return len(self._messages)


def written(value: Any) -> str:
    """What is put into a message; whole numbers as in the rulebooks, which came from America: 1,000,000."""
    return f"{value:,}".replace("-", "−") if type(value) is int else str(value)


@cache
def catalogue(language: str, *packages: str) -> Words:
    """The messages of the core and of the named packages (a game's folder, say)."""
    if language not in LANGUAGES:
        raise BadOptions("language", " or ".join(LANGUAGES), language)
    return Words(language, "kibitz.core", *packages)


def users_language() -> str:
    """The language the user's environment asks for, or English."""
    for variable in ("KIBITZ_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(variable):
            return value[:2] if value[:2] in LANGUAGES else "en"
    return "en"
