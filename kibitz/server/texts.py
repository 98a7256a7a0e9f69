"""Names and what people say: plain text, cut to size, without characters that one can't see."""

import unicodedata

from kibitz.server.names import is_blank, visible
from kibitz.server.tables.refusals import NotAllowed

JOINER = "\u200d"  # holds emoji together
IN_COLOUR = "\ufe0f"  # has them drawn so
MARKS = 3  # most accents and the like on one letter: enough for every language, too few to cover other lines


def clean(text: str, longest: int) -> str:
    """The text in its usual form, on one line, without control and direction characters."""
    if len(text) > 4 * longest:
        raise NotAllowed("too-long", most=longest)
    shown = "".join(" " if character.isspace() else character for character in text if _shown(character))
    cleaned = _without_piles(unicodedata.normalize("NFC", " ".join(shown.split()))).strip(JOINER)
    if len(cleaned) > longest:
        raise NotAllowed("too-long", most=longest)
    return cleaned if visible(cleaned) else ""


def _shown(character: str) -> bool:
    return character.isspace() or character in (JOINER, IN_COLOUR) or not is_blank(character)


def _without_piles(text: str) -> str:
    """The text with a few marks on each letter at most."""
    kept, marks = [], 0
    for character in text:
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks <= MARKS:
            kept.append(character)
    return "".join(kept)
