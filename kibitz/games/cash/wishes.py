"""Wishes in CASH: a rival tells the player in turn what it would trade. It may lie, and binds nobody."""

from collections.abc import Mapping, Sequence
from typing import Any

from kibitz.core.sentences import Card, Seat, Sentence
from kibitz.games.cash import box, table

# As moves name them
NAMES = frozenset([*box.CARDS.names[1:], *(f"firm {box.CARDS[card]}" for card in table.LOOSE_CARDS)])


def names(options: Mapping[str, Any]) -> frozenset[str]:
    """What can be wished for and offered: hand cards by their codes, firm cards as `firm cash-50`."""
    return NAMES if options["trading"] else frozenset()


def sentence(seat: int, rival: int, offered: Sequence[str], wanted: Sequence[str]) -> Sentence:
    """A seat's wish to a rival in words."""
    kind = "log.wish" if offered and wanted else "log.wish-gift" if offered else "log.wish-for"
    give, want = tuple(map(_card, offered)), tuple(map(_card, wanted))
    return Sentence(kind, {"seat": Seat(seat), "rival": Seat(rival), "give": give, "want": want})


def _card(name: str) -> Card | Sentence:
    card = Card(name.removeprefix("firm "))
    return Sentence("log.from-firm", {"card": card}) if name.startswith("firm ") else card
