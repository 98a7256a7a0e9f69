"""How strong the levels are: `python -m bench.strength`, which goes on where it was stopped.

Each line is a match between one bot and others, played until it is clear who is stronger (a sequential test)
or the games run out. Every game is kept in `bench/results/strength.jsonl`, so a run can be stopped at any
time; what stands there goes into `docs/bots.md`.

The frozen opponent is `hard` as of commit 334848a (`bench/frozen.py`). An `expert` has a tenth of
its nodes here, on one thread: some 0.2 seconds a move. Levels meet with every number of players.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

import kibitz
from bench import frozen
from kibitz.bots.arena import Contest, play_one
from kibitz.bots.entrants import Entrant
from kibitz.bots.outcomes import interval
from kibitz.bots.player import Bot, nodes_of
from kibitz.core.game import Game

RESULTS = Path(__file__).parent / "results" / "strength.jsonl"
SIMULATIONS = 2000  # of OpenSpiel's bot, and of ours against it
SEED = 1
SURE = math.log(19)  # odds at which a sequential test is decided: one error in twenty
EDGE = 0.1  # beyond an equal share: what a test tells apart from it


@dataclass(frozen=True)
class Match:
    """One bot against a number of others, all alike."""

    game: str
    bot: str
    rival: str
    rivals: int = 1

    @property
    def name(self) -> str:
        """What it is called in the results."""
        return f"{self.game} {self.bot} {self.rival} {self.rivals}"

    def entrants(self) -> list[Entrant]:
        """Who sits there."""
        return [entrant(self.bot), *[entrant(self.rival)] * self.rivals]


LADDER = (("easy", "random"), ("medium", "easy"), ("hard", "medium"), ("expert", "hard"))
GAMES = ("kaching", "kazink", "assets", "match", "cash")
EXPERTS_SHARE = 10  # an expert's nodes are divided by
MATCHES = (
    *(Match(game, "hard", "frozen") for game in ("kaching",)),
    *(Match(game, "expert", "frozen") for game in GAMES),
    *(Match(game, "search", "ismcts") for game in GAMES),
    *(Match(game, "expert", "frozen", 3) for game in GAMES if game != "kaching"),
    Match("cash", "expert", "frozen", 7),
    *(
        Match(game, better, worse, players - 1)
        for better, worse in LADDER
        for game in GAMES
        for players in kibitz.game(game).players
    ),
)


def entrant(name: str) -> Entrant:
    """A level, or one of those that only measurements know."""
    others: dict[str, Entrant] = {
        "expert": expert,
        "frozen": frozen.player,
        "ismcts": ismcts,
        "search": search,
    }
    return others.get(name, name)


def expert(game: Game, seed: int | None) -> Bot:
    """An expert in a hurry."""
    return kibitz.bot("hard", game, seed, nodes_of("expert", game) // EXPERTS_SHARE)


def search(game: Game, seed: int | None) -> Bot:
    """`hard`, with as many simulations as OpenSpiel's bot has."""
    return kibitz.bot("hard", game, seed, SIMULATIONS)


def ismcts(game: Game, seed: int | None) -> Any:
    """OpenSpiel's own information-set search with random rollouts, in states that we imagine for it."""
    from bench.ismcts import player

    return player(game, seed, SIMULATIONS)


def played(match: Match, file: Path) -> list[float]:
    """What the bot took of each game that was played before."""
    rows = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    return [row["share"] for row in rows if row["match"] == match.name]


def decided(shares: Sequence[float], par: float) -> bool:
    """Wald's sequential test between a share that is EDGE above par and one that is EDGE below."""
    better, worse = min(0.99, par + EDGE), max(0.01, par - EDGE)
    odds = sum(
        share * math.log(better / worse) + (1 - share) * math.log((1 - better) / (1 - worse))
        for share in shares
    )
    return abs(odds) > SURE


def play(match: Match, games: int, least: int, file: Path) -> list[float]:
    """Play on until it is decided or the games run out; every game is kept at once."""
    game, shares = kibitz.game(match.game), played(match, file)
    seats = match.rivals + 1
    while len(shares) < games and not (
        len(shares) >= least and len(shares) % seats == 0 and decided(shares, 1 / seats)
    ):
        found = play_one(Contest(game, match.entrants(), seats, SEED, None, {}), len(shares))
        assert found is not None
        shares.append(found.share(0))
        with file.open("a") as kept:
            kept.write(json.dumps({"match": match.name, "game": len(shares), "share": shares[-1]}) + "\n")
    return shares


def line(match: Match, shares: Sequence[float]) -> str:
    """A row of the table in `docs/bots.md`."""
    share = sum(shares) / len(shares)
    low, high = interval(share, len(shares))
    title, par = kibitz.game(match.game).title, 1 / (match.rivals + 1)
    rivals = f"{match.rivals} × `{match.rival}`" if match.rivals > 1 else f"`{match.rival}`"
    return (
        f"| {title} | `{match.bot}` against {rivals} | {share:.0%} | {low:.0%} to {high:.0%} | {par:.0%} "
        f"| {len(shares)} |"
    )


@click.command()
@click.option("--only", default="", help="Matches whose names contain this, such as `kaching expert`.")
@click.option("--games", default=400, show_default=True, help="Of a match at most.")
@click.option("--least", default=20, show_default=True, help="Of a match before it can be decided.")
@click.option("--show", is_flag=True, help="Only print what was played so far.")
def main(only: str, games: int, least: int, show: bool) -> None:
    """Play the matches one after the other, and print their table."""
    print(
        "| game | bots | share of the points | interval (95 %) | par | games |\n|---|---|---:|---:|---:|---:|"
    )
    for match in MATCHES:
        if only in match.name:
            shares = played(match, RESULTS) if show else play(match, games, least, RESULTS)
            if shares:
                print(line(match, shares), flush=True)


if __name__ == "__main__":
    main()
