"""How bots are rated, so that they anchor the scale of people: `python -m bench.anchors`.

One bot sits among others of the next lower level (in team games a team of it against a team of theirs), and
takes a share of the games. The share tells how far apart the two are on OpenSkill's scale, on which `medium`
stands in the middle. Every arena is kept in `kibitz/server/people/anchors.json` as soon as it is played, and
a further run goes on with those that are missing; what bots of another strength have played is thrown away
by removing their lines there.
"""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

import kibitz
from kibitz.bots.arena import arena
from kibitz.core.game import Game
from kibitz.server.people.ratings import BETA, MIDDLE, pool_of

FILE = Path(kibitz.__file__).parent / "server" / "people" / "anchors.json"
STEPS = (("medium", "easy"), ("hard", "medium"))  # the better bot, and those it plays against
SEED = 1
LEAST_ERROR = 0.25  # of an anchor, however many games were played
HOW = (
    "Ratings of bots, which never change, on OpenSkill's scale (kibitz/server/people/ratings.py): mu and "
    "sigma. python -m bench.anchors plays the arenas below and reckons them: one bot of the first level "
    "against others of the second, in a team game two against two; the share is of the points of the first."
)


def line_up(game: Game, players: int, better: str, worse: str) -> list[str]:
    """One better bot, or a team of it, and the others."""
    best = next(team for team in game.teams(players) if 0 in team)
    return [better if seat in best else worse for seat in range(players)]


def play(game: Game, players: int, better: str, worse: str, games: int) -> dict[str, Any]:
    """What the better bot takes."""
    sitting = line_up(game, players, better, worse)
    found = arena(game, sitting, games, SEED)
    share = sum(point for bot, point in zip(found.bots, found.points) if bot == better)
    return {
        "pool": pool_of(game.name, players),
        "bots": sitting,
        "games": found.games,
        "share": round(share, 4),
    }


def apart(game: Game, played: dict[str, Any]) -> tuple[float, float]:
    """How far the better bot stands above the others, and the standard error of that.

    By OpenSkill's model a team of strength m wins among teams of strength 0 with odds of exp(m / c), where c
    is the spread of all players. Half a game is added to either side: nobody always wins.
    """
    players, games = len(played["bots"]), played["games"]
    teams = game.teams(players)
    size, others = len(teams[0]), len(teams) - 1
    spread = BETA * math.sqrt(players)
    share = (played["share"] * games + 0.5) / (games + 1)
    distance = math.log(others * share / (1 - share)) * spread / size
    error = spread / size / math.sqrt(games * share * (1 - share))
    return distance, max(LEAST_ERROR, error)


def anchors(arenas: Sequence[dict[str, Any]]) -> dict[str, dict[str, list[float]]]:
    """The rating of each level in each pool, as far as it was played."""
    found: dict[str, dict[str, list[float]]] = {}
    by_step = {(one["pool"], one["bots"][0]): one for one in arenas}
    for pool in dict.fromkeys(one["pool"] for one in arenas):
        game = kibitz.game(pool.partition("/")[0])
        distance, error = apart(game, by_step[pool, "medium"])
        found[pool] = {
            "easy": [round(MIDDLE - distance, 2), round(error, 2)],
            "medium": [MIDDLE, LEAST_ERROR],
        }
        if hard := by_step.get((pool, "hard")):
            distance, error = apart(game, hard)
            found[pool]["hard"] = [round(MIDDLE + distance, 2), round(error, 2)]
    return found


@click.command()
@click.option("--games", default=60, show_default=True, help="of each arena")
@click.option("--most-players", default=8, show_default=True)
@click.option("--level", type=click.Choice(["medium", "hard"]), multiple=True, default=("medium", "hard"))
def main(games: int, most_players: int, level: Sequence[str]) -> None:
    """Play the arenas that are missing, those of few players first."""
    arenas: list[dict[str, Any]] = json.loads(FILE.read_text())["arenas"] if FILE.exists() else []
    known = {(one["pool"], one["bots"][0]) for one in arenas}
    for players in range(2, most_players + 1):
        for better, worse in STEPS:
            for name in kibitz.games():
                game, pool = kibitz.game(name), pool_of(name, players)
                if players not in game.players or better not in level or (pool, better) in known:
                    continue
                arenas.append(play(game, players, better, worse, games - games % players))
                kept = {"how": HOW, "anchors": anchors(arenas), "arenas": arenas}
                FILE.write_text(json.dumps(kept, indent=1) + "\n")
                click.echo(f"{pool}: {better} takes {arenas[-1]['share']:.1%} of {arenas[-1]['games']} games")


if __name__ == "__main__":
    main()
