"""A position or view as text and as HTML, for any game: what a program prints, and what a notebook shows."""

from collections.abc import Mapping
from html import escape
from typing import Any

from kibitz.core.layout import HIDDEN

LEFT_OUT = ("game", "players", "over", "winners", "round", "turn", "phase")  # the heading says them
MANY = 7  # cards that aren't shown are counted from here on


def heading(title: str, view: Mapping[str, Any]) -> str:
    """Which game it is and how far."""
    if view["over"]:
        winners = " and ".join(f"p{seat}" for seat in view["winners"])
        return f"{title}, {view['players']} players, over: {winners} won"
    return f"{title}, {view['players']} players, round {view['round']}: p{view['turn']} to {view['phase']}"


def rows(view: Mapping[str, Any]) -> list[tuple[str, list[str]]]:
    """Each key with its lines: one, or one for each entry of a list of lists."""
    return [(key, _lines(value)) for key, value in view.items() if key not in LEFT_OUT]


def as_text(title: str, view: Mapping[str, Any]) -> str:
    """A key a line; lists of lists have a line for each entry."""
    told = rows(view)
    width = max(len(key) for key, _ in told)
    lines = [
        f"{key if number == 0 else '':<{width}}  {line}".rstrip()
        for key, values in told
        for number, line in enumerate(values or [""])
    ]
    return "\n".join([heading(title, view), *lines])


def as_html(title: str, view: Mapping[str, Any]) -> str:
    """The same as a table."""
    body = "".join(
        f'<tr><th style="text-align:left;vertical-align:top">{escape(key)}</th>'
        f'<td style="text-align:left">{"<br>".join(map(escape, values))}</td></tr>'
        for key, values in rows(view)
    )
    return f"<table><caption><b>{escape(heading(title, view))}</b></caption>{body}</table>"


def _lines(value: Any) -> list[str]:
    if isinstance(value, list) and any(isinstance(entry, list | dict) for entry in value):
        return [f"{number}: {said(entry)}" for number, entry in enumerate(value)]
    return [said(value)]


def said(value: Any) -> str:
    """A value in a few words."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        if len(value) > MANY and set(map(str, value)) == {HIDDEN}:
            return f"{HIDDEN} x {len(value)}"
        return " ".join(_inside(entry) for entry in value) or "-"
    if isinstance(value, dict):
        return ", ".join(f"{key} {_inside(entry)}" for key, entry in value.items()) or "-"
    return str(value)


def _inside(value: Any) -> str:
    return f"({said(value)})" if isinstance(value, list | dict) else said(value)
