"""Rules versions: what a later one added, so that what began under an older one goes on as it was.

The memory and the verbs of a game are those of its newest version. Whatever a version changed is an option,
with a value by which all is as it was before. A game that has had several versions keeps in a field
`rules_version` of its records by which one it is played. Positions and views have the newest form; hashes and
records keep the form of the version played.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kibitz.core.errors import BadPosition
from kibitz.core.options import Option, Value

Position = Mapping[str, Any]

FIRST = 1


@dataclass(frozen=True)
class Version:
    """What one rules version added, each with the value that it has in all older games."""

    number: int
    options: Mapping[str, Value] = field(default_factory=dict)
    keys: Mapping[str, Any] = field(default_factory=dict)  # of positions and views
    inner: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # of the objects under some keys


def newest(versions: Sequence[Version]) -> int:
    """The last version there is."""
    return versions[-1].number if versions else FIRST


def options_of(versions: Sequence[Version], options: Sequence[Option], number: int) -> tuple[Option, ...]:
    """The options that a game had in a version."""
    later = later_options(versions, number)
    return tuple(option for option in options if option.name not in later)


def later_options(versions: Sequence[Version], number: int) -> dict[str, Value]:
    """The options that came after a version, with the values by which all is as it was."""
    added: dict[str, Value] = {}
    for version in _after(versions, number):
        added |= version.options
    return added


def later_keys(versions: Sequence[Version], number: int) -> frozenset[str]:
    """The keys that came after a version; those of objects as `offer.counter`."""
    later = list(_after(versions, number))
    keys = [key for version in later for key in version.keys]
    inner = [f"{key}.{name}" for version in later for key, names in version.inner.items() for name in names]
    return frozenset(keys + inner)


def version_of(versions: Sequence[Version], position: Position) -> int:
    """The rules version that a position is written in: the newest whose keys it has, all or none of them.

    An option that came with a version needs that version's keys beside it.
    """
    number = FIRST
    options = position.get("options")
    given = options if isinstance(options, Mapping) else {}
    for version in versions:
        missing = [key for key in version.keys if key not in position]
        if not missing:
            number = version.number
        elif len(missing) < len(version.keys) or not version.options.keys().isdisjoint(given):
            raise BadPosition(missing[0], f"this key to be there, as in rules version {version.number}", None)
    return number


def newest_form(versions: Sequence[Version], position: Position, number: int) -> Position:
    """A position of some version with the keys that later ones added."""
    for version in _after(versions, number):
        inner = {
            key: _with(position[key], added, key, version.number)
            for key, added in version.inner.items()
            if isinstance(position.get(key), Mapping)
        }
        position = {**position, **inner, **version.keys}
    return position


def _after(versions: Sequence[Version], number: int) -> list[Version]:
    return [version for version in versions if version.number > number]


def _with(older: Position, added: Position, path: str, number: int) -> Position:
    for key in added:
        if key in older:
            raise BadPosition(f"{path}.{key}", f"no such key before rules version {number}", older[key])
    return {**older, **added}
