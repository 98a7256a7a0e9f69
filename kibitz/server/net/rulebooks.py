"""A game's rulebook as HTML: headings that can be linked to, pictures from this server."""

import re
import unicodedata
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import TYPE_CHECKING

from kibitz.core import registry

if TYPE_CHECKING:
    from markdown_it.token import Token

PICTURES = "pictures/"


@cache
def rulebook(name: str, language: str) -> str | None:
    """The rulebook, or None if there is none in that language."""
    file = resources.files(registry.game(name).package) / f"rulebook.{language}.md"
    if not file.is_file():
        return None
    from markdown_it import MarkdownIt  # when a rulebook is first read: a server is to answer soon

    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse(file.read_text(encoding="utf-8"))
    _name_headings(tokens)
    _move_pictures(tokens, f"/api/games/{name}/{PICTURES}")
    html: str = reader.renderer.render(tokens, reader.options, {})
    return html


def _name_headings(tokens: "list[Token]") -> None:
    taken: set[str] = set()
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            name = _unused(slug(inline.content), taken)
            opening.attrSet("id", name)


def _unused(name: str, taken: set[str]) -> str:
    tried, number = name, 2
    while tried in taken:
        tried, number = f"{name}-{number}", number + 1
    taken.add(tried)
    return tried


def slug(heading: str) -> str:
    """A heading as part of an address: `Your turn` is `your-turn`."""
    plain = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or "section"


def _move_pictures(tokens: "list[Token]", folder: str) -> None:
    for token in tokens:
        for part in token.children or ():
            source = str(part.attrGet("src") or "")
            if part.type == "image" and source.startswith(PICTURES):
                part.attrSet("src", folder + source.removeprefix(PICTURES))


def picture(name: str, file: str) -> bytes | None:
    """A picture of the rulebook."""
    if "/" in file or not file.endswith(".svg"):
        return None
    found = resources.files(registry.game(name).package) / PICTURES.rstrip("/") / file
    try:
        return found.read_bytes()
    except (OSError, ValueError):  # there is none, or no file could have such a name
        return None
