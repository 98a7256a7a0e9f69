"""The rulebooks that players read, where tests find them."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = ("en", "es")


def folder_of(game: str) -> Path:
    return ROOT / "kibitz" / "games" / game


def rulebook(game: str, language: str) -> str:
    return (folder_of(game) / f"rulebook.{language}.md").read_text(encoding="utf-8")
