"""`hard` as it was: the search and the heuristics of a commit.

Where a game's bots haven't changed since, today's search with the budget of then is the same player. Else it
is the code of that commit, laid out in `build/frozen`, which plays as a program. Its search and heuristics
are those of 334848a; that commit can't be spoken with yet, so it is a later one.
"""

import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kibitz.bots.player import Bot
    from kibitz.core.game import Game

COMMIT = "1e2160d"
ROOT = Path(__file__).parents[1]
TREE = ROOT / "build" / "frozen" / COMMIT
NODES = {"kaching": 2000, "kazink": 1200, "cash": 600, "assets": 2000, "match": 2000}
SECONDS = 600.0  # for a move at most: the first may have to be compiled


def player(game: "Game", seed: int | None) -> "Bot":
    """It sits on a seat."""
    from kibitz.bots.player import SearchBot
    from kibitz.bots.programs import ProgramBot

    if unchanged(game.name):
        return SearchBot(game, seed, NODES[game.name], SECONDS)
    lay_out()
    command = f"{sys.executable} {Path(__file__)}"
    return ProgramBot(game, command, seed, SECONDS, ready_seconds=SECONDS, nodes=NODES[game.name])


@cache
def unchanged(name: str) -> bool:
    """Whether what bots know about a game, and how they search, reads as it did."""
    sources = [f"kibitz/bots/{source}.py" for source in ("search", f"heuristics/{name}")]
    return not subprocess.run(["git", "diff", "--quiet", COMMIT, "--", *sources], cwd=ROOT).returncode


def lay_out() -> None:
    """Take the files out of the repository, once."""
    if not TREE.exists():
        TREE.mkdir(parents=True)
        files = subprocess.run(
            ["git", "archive", COMMIT, "kibitz"], cwd=ROOT, check=True, capture_output=True
        ).stdout
        subprocess.run(["tar", "-x", "-C", TREE], input=files, check=True)


def speak() -> None:
    """Be that program."""
    sys.path.insert(0, str(TREE))
    from kibitz.bots.player import SearchBot
    from kibitz.bots.speaking import speak

    speak(
        "frozen", lambda game, seed, seconds, nodes: SearchBot(game, seed, nodes or NODES[game.name]).choose
    )


if __name__ == "__main__":
    speak()
