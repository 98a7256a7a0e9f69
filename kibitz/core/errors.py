"""What can go wrong, each named for its cause.

Every error carries a `code` and `data`, so that a page or terminal can word it in the player's language,
and a `reason`: the English sentence.
"""

from collections.abc import Mapping
from typing import Any, TypeVar

T = TypeVar("T")


class KibitzError(Exception):
    """The base of all errors that Kibitz raises on purpose."""

    def __init__(self, code: str, reason: str, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason
        self.data = dict(data or {})

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors travel between processes, whatever they are made from."""
        return _made_again, (type(self), self.args, vars(self))


def _made_again(kind: type[KibitzError], arguments: tuple[Any, ...], values: dict[str, Any]) -> KibitzError:
    error = kind.__new__(kind, *arguments)
    vars(error).update(values)
    return error


class Refusal:
    """Why a move is refused: a code of the catalogues with its data, and the rule or ruling behind it."""

    def __init__(self, code: str, rule: str, **data: Any) -> None:
        self.code = code
        self.rule = rule
        self.data = data


class IllegalMove(KibitzError):
    """The rules don't allow this move here, and nothing has changed; `rule` names the one that refuses it."""

    def __init__(self, code: str, reason: str, data: Mapping[str, Any] | None = None, rule: str = "") -> None:
        super().__init__(code, reason, data)
        self.rule = rule


class NotYourTurn(IllegalMove):
    """Another seat is asked to decide."""


class GameOver(IllegalMove):
    """The game has ended."""


class NothingToUndo(KibitzError):
    """No move has been made since the deal, the position or the bytes this state began with."""


class UnknownGame(KibitzError):
    """No game of that name is here."""


class UnknownBot(KibitzError):
    """No bot of that level is here."""


class _BadInput(KibitzError):
    """Something given from outside doesn't fit: `key` says where, `expected` what would fit."""

    code = "bad-input"

    def __init__(self, key: str, expected: str, got: Any) -> None:
        shown = repr(got)
        shown = shown if len(shown) <= 80 else shown[:77] + "..."
        reason = f"{key}: expected {expected}, got {shown}."
        super().__init__(self.code, reason, {"key": key, "expected": expected, "got": shown})
        self.key = key
        self.expected = expected


class BadPosition(_BadInput):
    """A position or view that is malformed or breaks the deck's counts."""

    code = "bad-position"


class BadOptions(_BadInput):
    """A number of players, a seed or an option that the game doesn't have."""

    code = "bad-options"


class BadRecord(_BadInput):
    """A record's file that can't be read, or that doesn't replay to what it says."""

    code = "bad-record"


def of_kind(kind: type[T], key: str, expected: str, given: Any) -> T:
    """What was given, if it is of that kind; or BadOptions."""
    if not isinstance(given, kind):
        raise BadOptions(key, expected, given)
    return given
