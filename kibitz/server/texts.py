"""Names and what people say: plain text, cut to size, without characters that one can't see."""

import unicodedata

from kibitz.server.refusals import NotAllowed

JOINER = "\u200d"  # holds emoji together


def clean(text: str, longest: int) -> str:
    """The text in its usual form, on one line, without control and direction characters."""
    if len(text) > 4 * longest:
        raise NotAllowed("too-long", most=longest)
    visible = "".join(" " if character.isspace() else character for character in text if _shown(character))
    cleaned = unicodedata.normalize("NFC", " ".join(visible.split())).strip(JOINER)
    if len(cleaned) > longest:
        raise NotAllowed("too-long", most=longest)
    return cleaned


def _shown(character: str) -> bool:
    return character.isspace() or character == JOINER or not unicodedata.category(character).startswith("C")
