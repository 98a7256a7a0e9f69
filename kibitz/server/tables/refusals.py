"""Why a command is refused: a code of the catalogues, worded there in every language."""

from typing import Any

from kibitz.core.errors import IllegalMove, KibitzError
from kibitz.core.words import catalogue
from kibitz.server.protocol import Failed, Refused

PACKAGE = "kibitz.server"


class NotAllowed(KibitzError):
    """A command that this guest can't give, now or ever; nothing has changed."""

    def __init__(self, code: str, **data: Any) -> None:
        super().__init__(code, catalogue("en", PACKAGE)(f"refusal.{code}", **data), data)


def refused(id: str, error: KibitzError) -> Refused:
    """The answer to a command that isn't carried out."""
    rule = error.rule if isinstance(error, IllegalMove) else ""
    return Refused(id, error.code, error.reason, rule, error.data)


def failed(error: KibitzError) -> Failed:
    """The answer to a message without an id."""
    return Failed(error.code, error.reason, error.data)
