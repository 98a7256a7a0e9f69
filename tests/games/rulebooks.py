"""The rulebooks that players read, where tests find them."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = ("en", "es")


def beside(name: str) -> Path:
    """What lies beside this checkout, or beside the folder that it is in, and isn't part of it."""
    places = [folder / "shared" / name for folder in ROOT.parents]
    return next((place for place in places if place.is_dir()), places[0])


def folder_of(game: str) -> Path:
    return ROOT / "kibitz" / "games" / game


def rulebook(game: str, language: str) -> str:
    return (folder_of(game) / f"rulebook.{language}.md").read_text(encoding="utf-8")
