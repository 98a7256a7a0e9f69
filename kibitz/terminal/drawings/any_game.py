"""The drawing for any game that has none of its own: what the view says, key by key."""

import json
from typing import TYPE_CHECKING, Any

from rich.text import Text

from kibitz.terminal.drawing import Scene, joined

if TYPE_CHECKING:
    from kibitz.core.move import Move


def status(scene: Scene) -> str:
    """The scores as they stand."""
    return " : ".join(map(str, scene.view["scores"]))


def table(scene: Scene, width: int) -> list[Text]:
    """One line a key; what each seat has stands under the names."""
    from kibitz.core.game import COMMON_KEYS

    lines: list[Text] = []
    for key, value in scene.view.items():
        if key not in COMMON_KEYS:
            lines += _entry(scene, key, value, width)
    return lines


def _entry(scene: Scene, key: str, value: Any, width: int) -> list[Text]:
    if not isinstance(value, list) or len(value) != len(scene.names):
        return _wrapped(f"{key}: ", _compact(value), width)
    heading = [Text(f"{key}:")]
    return heading + [
        line
        for seat in scene.seats
        for line in _wrapped(f"  {scene.names[seat]}: ", _compact(value[seat]), width)
    ]


def _wrapped(label: str, value: str, width: int) -> list[Text]:
    room = max(10, width - len(label))
    parts = [value[start : start + room] for start in range(0, len(value), room)] or [""]
    return [joined((label if not number else " " * len(label)), part) for number, part in enumerate(parts)]


def _compact(value: Any) -> str:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return " ".join(value) or "-"
    return json.dumps(value, ensure_ascii=False)


def numbers(scene: Scene) -> dict[int, str]:
    """The legal moves, counted from 1."""
    return {number: str(move) for number, move in enumerate(scene.moves, 1)}


def meaning(scene: Scene, move: "Move") -> str:
    """The notation says it all."""
    return ""


def paint(sentence: str) -> Text:
    """Without colours."""
    return Text(sentence)
