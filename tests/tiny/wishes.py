"""Wishes in the tiny game: it has no trading, but its players may dream."""

from collections.abc import Mapping, Sequence
from typing import Any

from kibitz.core.sentences import Seat, Sentence, listed


def names(options: Mapping[str, Any]) -> frozenset[str]:
    """The cards from 1 to 6."""
    return frozenset("123456")


def sentence(seat: int, rival: int, offered: Sequence[str], wanted: Sequence[str]) -> Sentence:
    """Who would like which cards from whom."""
    return Sentence(
        "log.wish",
        {"seat": Seat(seat), "rival": Seat(rival), "give": listed(offered), "want": listed(wanted)},
    )
