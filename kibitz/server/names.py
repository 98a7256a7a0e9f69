"""Names that could be taken for each other: at a table, everybody is called something else."""

import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

DIRECTION_MARK = "\u200e"  # around letters of scripts that are written from right to left, in the table
KEPT = 4096  # names whose looks are remembered


def distinct(name: str, taken: Iterable[str]) -> str:
    """The name, or with a number behind it if another looks much the same."""
    seen = frozenset[str]().union(*map(looks, taken))
    shown, number = name, 1
    while not looks(shown).isdisjoint(seen):
        number += 1
        shown = f"{name} ({number})"
    return shown


@lru_cache(KEPT)
def looks(name: str) -> frozenset[str]:
    """What a name could be taken for; two are alike if they share one of these.

    As it is written, and with all letters small: a capital I looks like a small L, and is an i to readers.
    """
    plain = visible(unicodedata.normalize("NFKD", name))
    return frozenset((skeleton(plain).casefold(), skeleton(plain.casefold())))


def visible(text: str) -> str:
    """The text without what one can't see, spaces among it."""
    return "".join(each for each in text if not (is_blank(each) or each.isspace()))


def skeleton(text: str) -> str:
    """The text with each letter replaced by the plainest that looks like it (Unicode TS 39)."""
    plainest = prototypes()
    return unicodedata.normalize("NFKD", "".join(plainest.get(each, each) for each in text))


@cache
def prototypes() -> Mapping[str, str]:
    """The plainest of the letters that look alike, for each of the others. Read when it is first needed."""
    from confusable_homoglyphs.confusables import confusables_data

    likes = {
        letter: [each["c"].strip(DIRECTION_MARK) for each in others]
        for letter, others in confusables_data.items()
    }
    plainest = {}
    for letter, others in likes.items():
        if len(letter) == 1 and len(others) == 1:  # a plainest letter is like many; of two, take the first
            other = others[0]
            plainest[letter] = min(letter, other) if likes.get(other) == [letter] else other
    return plainest


def is_blank(character: str) -> bool:
    """Whether nothing is drawn for a character: control, direction and filling characters."""
    return unicodedata.category(character).startswith("C") or character in BLANK


BLANK = frozenset(
    "\u034f"  # joins graphemes
    "\u115f\u1160\u3164\uffa0"  # Hangul fillers
    "\u17b4\u17b5"  # Khmer vowels that aren't written
    "\u180b\u180c\u180d\u180f"  # Mongolian variants
    "\u2800"  # a braille pattern without dots
    + "".join(map(chr, range(0xFE00, 0xFE10)))  # variants of emoji and others
)
