"""Writes deals of every game for the page's own tests, as the engine deals them: web/tests/deals.json."""

import sys
from pathlib import Path
from typing import Any

import msgspec

import kibitz

FILE = Path(__file__).parent.parent / "web" / "tests" / "deals.json"
SECRET = bytes(range(32))
WORDS = ["buy low", "", "véndelo caro", "x"]


def deals() -> bytes:
    """For each game, what seat 0 is shown of a deal for all numbers of players up to four."""
    games = [kibitz.game(name) for name in kibitz.games()]
    ours = [game for game in games if game.package.startswith("kibitz.")]  # not what somebody has added
    told = [shown(game.name, players) for game in ours for players in game.players if players < 5]
    return msgspec.json.format(msgspec.json.encode(told), indent=1) + b"\n"


def shown(name: str, players: int) -> dict[str, Any]:
    """One deal."""
    state = kibitz.game(name).deal(players, SECRET, WORDS[:players])
    record, view = state.record(()), state.view(0)
    return {
        "game": name,
        "players": players,
        "options": record.options,
        "secret": record.secret,
        "words": record.words,
        "commitment": record.commitment,
        "shown": {key: view[key] for key in ("hands", "columns") if key in view},
    }


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(FILE.read_bytes() != deals() and f"{FILE} isn't what the engine deals: run {sys.argv[0]}")
    FILE.write_bytes(deals())
