"""Reading positions from outside: every refusal names the key and says what was expected there."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from kibitz.core.errors import BadPosition
from kibitz.core.numbers import whole

Item = TypeVar("Item")


class Reader:
    """One JSON object being read, and the path that leads to it."""

    def __init__(self, value: Any, path: str = "position") -> None:
        if not isinstance(value, Mapping):
            raise BadPosition(path, "an object", value)
        self.mapping = value
        self._path = path

    def only(self, keys: Iterable[str]) -> None:
        """The object has exactly these keys."""
        wanted = list(keys)
        for key in wanted:
            if key not in self.mapping:
                raise BadPosition(self.path(key), "this key to be there", "nothing")
        for key in self.mapping:
            if key not in wanted:
                raise BadPosition(
                    self.path(key), f"no such key (there are {', '.join(wanted)})", self.mapping[key]
                )

    def path(self, key: str) -> str:
        """The key's full name, as errors give it."""
        return key if self._path == "position" else f"{self._path}.{key}"

    def raw(self, key: str) -> Any:
        """The value as it is."""
        return self.mapping[key]

    def inner(self, key: str) -> "Reader":
        """The object under the key."""
        return Reader(self.mapping[key], self.path(key))

    def whole(self, key: str, low: int, high: int) -> int:
        """A whole number from low to high."""
        return as_whole(self.mapping[key], self.path(key), low, high)

    def flag(self, key: str) -> bool:
        """True or false."""
        return as_flag(self.mapping[key], self.path(key))

    def one_of(self, key: str, choices: Sequence[Item]) -> int:
        """The index of the value among the choices."""
        return as_one_of(self.mapping[key], self.path(key), choices)

    def listed(self, key: str, item: Callable[[Any, str], Item], length: int | None = None) -> list[Item]:
        """A list, each item read by `item(value, path)`."""
        return as_list(self.mapping[key], self.path(key), item, length)

    def exactly(self, key: str, expected: Any, why: str) -> None:
        """The value follows from the rest of the position."""
        value = self.mapping[key]
        if type(value) is not type(expected) or repr(value) != repr(expected):  # [1] isn't [True] or [1.0]
            raise BadPosition(self.path(key), f"{expected!r} ({why})", value)


def as_whole(value: Any, path: str, low: int, high: int) -> int:
    """A whole number from low to high."""
    number = whole(value)
    if number is None or not low <= number <= high:
        raise BadPosition(path, f"a whole number from {low} to {high}", value)
    return number


def as_flag(value: Any, path: str) -> bool:
    """True or false."""
    if type(value) is not bool:
        raise BadPosition(path, "true or false", value)
    return value


def as_one_of(value: Any, path: str, choices: Sequence[Any]) -> int:
    """The index of the value among the choices."""
    for index, choice in enumerate(choices):
        if type(value) is type(choice) and value == choice:
            return index
    raise BadPosition(path, f"one of {', '.join(map(repr, choices))}", value)


def as_list(value: Any, path: str, item: Callable[[Any, str], Item], length: int | None = None) -> list[Item]:
    """A list, each item read by `item(value, path)`."""
    if not isinstance(value, list) or length not in (None, len(value)):
        raise BadPosition(path, "a list" if length is None else f"a list of {length}", value)
    return [item(each, f"{path}[{index}]") for index, each in enumerate(value)]
