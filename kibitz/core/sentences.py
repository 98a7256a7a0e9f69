"""What is said, as data: a message of a catalogue and the values that it names, each of a kind.

The engine says which card, which seat, how much money; whoever shows the sentence decides how: the terminal
writes a card as it is typed, the page draws it small, a screen reader hears its name. So a sentence is never
cut into pieces again; `parts` puts it together from them.
"""

import string
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from kibitz.core.words import Words, written

HIDDEN_CARD = "?"


class Seat(msgspec.Struct, frozen=True):
    """Whoever sits there."""

    seat: int


class Card(msgspec.Struct, frozen=True):
    """A card by its code; `?` for one that this viewer may not know."""

    card: str


class Money(msgspec.Struct, frozen=True):
    """An amount in dollars."""

    money: int


class Sentence(msgspec.Struct, frozen=True):
    """A catalogue's message with its values; `seat` is who acts."""

    key: str
    data: dict[str, "Value"]


Value = int | str | Seat | Card | Money | Sentence | tuple[Card | Sentence, ...]


def listed(cards: Iterable[str]) -> tuple[Card, ...]:
    """Some cards, to be listed."""
    return tuple(map(Card, cards))


def seat_named(word: str) -> Seat:
    """The seat that a move names: `p1`."""
    return Seat(int(word.removeprefix("p")))


class Part(NamedTuple):
    """A piece of a sentence in words, and what it stands for if that is more than text."""

    text: str
    means: Seat | Card | Money | None = None


def by_code(card: str, words: Words) -> str:
    """A card as it is typed."""
    return card


class Speaker:
    """Puts sentences into words; the reader is spoken to (`.you`, `.to-you`) where the catalogue can."""

    def __init__(
        self,
        words: Words,
        names: Sequence[str],
        seat: int | None = None,
        card_name: Callable[[str, Words], str] = by_code,
    ) -> None:
        self.words = words
        self.names = names
        self.seat = seat
        self.card_name = card_name

    def tell(self, sentence: Sentence) -> str:
        """A sentence as plain text."""
        return "".join(part.text for part in self.parts(sentence))

    def parts(self, sentence: Sentence) -> Iterator[Part]:
        """A sentence in pieces."""
        key = f"{sentence.key}{self._person(sentence.data)}"
        data: dict[str, Any] = sentence.data
        message = self.words.form(key if key in self.words else sentence.key, data)
        for text, name, _, _ in string.Formatter().parse(message):
            if text:
                yield Part(text)
            if name is not None:
                yield from self._value(data[name])

    def said(self, pieces: Iterable["str | int | Seat | Card | Money"]) -> str:
        """Text and values one after the other, as plain text."""
        return "".join(part.text for piece in pieces for part in self._value(piece))

    def _person(self, data: dict[str, "Value"]) -> str:
        """The form of a sentence in which the reader acts, or is another whom it names."""
        if self.seat is None:
            return ""
        reader = Seat(self.seat)
        if data.get("seat") == reader:
            return ".you"
        return ".to-you" if reader in data.values() else ""

    def _value(self, value: "Value") -> Iterator[Part]:
        match value:
            case Seat(seat):
                yield Part(self.names[seat], value)
            case Card("?"):
                yield Part(self.words("card.?"), value)
            case Card(card):
                yield Part(self.card_name(card, self.words), value)
            case Money(amount):
                yield Part(self.words.money(amount), value)
            case Sentence():
                yield from self.parts(value)
            case tuple():
                yield from self._list(value)
            case int():
                yield Part(written(value))
            case _:
                yield Part(value)

    def _list(self, items: tuple[Card | Sentence, ...]) -> Iterator[Part]:
        """What is listed, with commas; cards that aren't known are counted."""
        hidden = items.count(Card(HIDDEN_CARD))
        shown: list[Card | Sentence] = [item for item in items if item != Card(HIDDEN_CARD)]
        if hidden == 1:
            shown.append(Card(HIDDEN_CARD))
        elif hidden:
            shown.append(Sentence("cards.hidden", {"count": hidden}))
        for index, item in enumerate(shown):
            if index:
                yield Part(", ")
            yield from self._value(item)
