"""Whether chances are told as they are: `python -m bench.calibration`.

Bots play games against each other. At some decisions of each the one in turn is told its best move's chance
and follows the advice; afterwards it is seen whether it was among the winners. Brier's score is the mean
square of the difference; beside it stands that of a logistic curve over how far the seat is ahead on current
scores, fitted on the other half of the games. Reliability: how often those won who were told so many percent.
The chances of a review's graph, with open hands, are held against the same ends.

What each game told is kept in `build/calibration/`: a run that was stopped goes on where it was.
"""

import json
import math
import random
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt

import kibitz
from kibitz.bots import search
from kibitz.bots.analysis import chance_of, sharpened, sharpness
from kibitz.bots.lookahead import analysing_kernels, solved_chances
from kibitz.bots.review import NODES
from kibitz.core.secret import bot_generator
from kibitz.core.state import State

RESULTS = Path(__file__).parent / "results" / "calibration.json"
DIAGRAM = RESULTS.with_suffix(".svg")
ROWS = Path(__file__).parents[1] / "build" / "calibration"
SHARPNESS = Path(kibitz.__file__).parent / "bots" / "sharpness.json"
ENOUGH = 100  # moments, to fit a power to
NEVER = 0.005  # a share of no games is held to be so much
BINS = 10
OPEN_GAMES = 512  # played for a chance with open hands, as in a review
STEPS = 30  # of Newton's method, for the curve
Numbers = npt.NDArray[np.float64]


def moments(
    name: str, seed: int, players: int, level: str, nodes: int, asked: float, **options: Any
) -> list[dict[str, float]]:
    """What was told at some decisions of one game, and what came of it."""
    game, luck = kibitz.game(name), random.Random(seed)
    state = game.deal(players, seed=seed, **options)
    bots = [kibitz.bot(level, game, seed * players + seat) for seat in range(players)]
    told: list[tuple[int, dict[str, float]]] = []
    while state.turn is not None:
        seat, seen = state.turn, state.observation(state.turn)
        if len(seen.legal_moves) > 1 and luck.random() < asked:
            best = kibitz.analyse(seen, nodes=nodes, seed=seed).best
            share = sharpened(best.chance, players, 1 / sharpness(name))  # of its games, that was won
            row = {"share": share, "open": open_chance(state, seat, seed), "lead": lead(state, seat)}
            told.append((seat, row))
            state.play(best.move)
        else:
            state.play(bots[seat].choose(seen))
    return [{"game": seed, "won": float(seat in state.winners), **row} for seat, row in told]


def open_chance(state: State, seat: int, seed: int) -> float:
    """A seat's chance as a review has it: with open hands."""
    solved = solved_chances(
        state.observation(state.turn), NODES, bot_generator(seed, "open", len(state.history))
    )
    if solved is not None:
        return solved[seat]
    finds = np.zeros(state.players, search.FIND)
    room = np.zeros(1, state.game.rules.STATE), np.zeros(state.game.num_moves, np.int16)
    rng = bot_generator(seed, "open", len(state.history))
    analysing_kernels(state.game.name).look_on(state.fields(), search.NO_MOVE, *room, rng, OPEN_GAMES, finds)
    return chance_of(finds[seat])


def lead(state: State, seat: int) -> float:
    """By how much a seat is ahead of the best of the others: finished rounds, and this one as it stands."""
    points = np.zeros(state.players, np.int32)
    state.game.rules.score(state.fields(), points)
    totals = [int(now) + int(before) for now, before in zip(points, state.scores, strict=True)]
    return float(totals[seat] - max(total for other, total in enumerate(totals) if other != seat))


def brier(told: Numbers, won: Numbers) -> float:
    """The mean square of the difference."""
    return float(np.mean((told - won) ** 2))


def fitted(leads: Numbers, won: Numbers, asked: Numbers) -> Numbers:
    """Chances by a logistic curve over leads, fitted to games whose end is known."""
    scale = max(1.0, float(np.std(leads)))
    rows = np.column_stack([np.ones(len(leads)), leads / scale])
    curve = np.zeros(2)
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(-rows @ curve))
        slopes = rows.T @ (won - chances) - 0.01 * curve
        bends = (rows * (chances * (1 - chances))[:, None]).T @ rows + 0.01 * np.eye(2)
        curve = curve + np.linalg.solve(bends, slopes)
    return 1 / (1 + np.exp(-np.column_stack([np.ones(len(asked)), asked / scale]) @ curve))


def fitted_sharpness(shares: Numbers, won: Numbers, players: int) -> float:
    """The power that makes games' ends likeliest (`kibitz.bots.analysis.sharpened`)."""

    def unlikely(by: float) -> float:
        told = np.array([sharpened(share, players, by) for share in np.clip(shares, NEVER, 1 - NEVER)])
        return float(-np.mean(np.log(np.where(won > 0, told, 1 - told))))

    return min((round(step / 10, 1) for step in range(5, 41)), key=unlikely)


def summed_up(found: list[dict[str, float]], players: int) -> dict[str, Any]:
    """The scores, and the reliability in ten steps; each half of the games is told what fits the other.

    A power that makes the other half's chances no better isn't kept.
    """
    shares, leads, won, games, opened = (
        np.array([row[key] for row in found]) for key in ("share", "lead", "won", "game", "open")
    )
    curve, told = np.zeros(len(found)), np.zeros(len(found))
    for half in range(2):
        here = games % 2 == half
        curve[here] = fitted(leads[~here], won[~here], leads[here])
        by = fitted_sharpness(shares[~here], won[~here], players)
        told[here] = [sharpened(share, players, by) for share in shares[here]]
    helps = brier(told, won) < brier(shares, won)
    told = told if helps else shares
    bins = np.minimum(BINS - 1, (told * BINS).astype(int))
    return {
        "games": len(set(games.tolist())),
        "moments": len(found),
        "sharpness": fitted_sharpness(shares, won, players) if helps else 1.0,
        "brier": round(brier(told, won), 4),
        "brier_of_shares": round(brier(shares, won), 4),
        "brier_of_open": round(brier(opened, won), 4),
        "brier_of_scores": round(brier(curve, won), 4),
        "better_by": round(1 - brier(told, won) / brier(curve, won), 3),
        "error": round(float(np.std((told - won) ** 2 - (curve - won) ** 2)) / math.sqrt(len(found)), 4),
        "reliability": [
            {
                "told": round(float(told[bins == i].mean()), 3),
                "won": round(float(won[bins == i].mean()), 3),
                "moments": int((bins == i).sum()),
            }
            for i in range(BINS)
            if (bins == i).any()
        ],
    }


def keep_sharpness(kept: dict[str, Any]) -> None:
    """What `analyse` reads: the powers that were fitted to enough games."""
    fitted_to_many = {
        name: found["sharpness"]
        for name, found in kept.items()
        if "sharpness" in found and found["moments"] >= ENOUGH
    }
    SHARPNESS.write_text(json.dumps(fitted_to_many, indent=1) + "\n")


def gathered(name: str, games: int, settings: dict[str, Any]) -> list[dict[str, float]]:
    """What all games told: those that are kept, and then the others, each kept when it is over."""
    said = "-".join(f"{key}{value}" for key, value in sorted(settings.items()))
    file = ROWS / f"{name}-{said}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    kept = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    with file.open("a") as out:
        for seed in range(len(kept) + 1, games + 1):
            kept.append(moments(name, seed, **settings))
            print(json.dumps(kept[-1]), file=out, flush=True)
    return [row for rows in kept[:games] for row in rows]


def draw(kept: dict[str, Any]) -> None:
    """Reliability: beside what was told, how often it came true."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "kibitz"  # the same numbers give the same file
    from matplotlib import pyplot

    figure, all_axes = pyplot.subplots(
        1, len(kept), figsize=(2.6 * len(kept), 3), layout="constrained", sharey=True, squeeze=False
    )
    for axes, (name, found) in zip(all_axes[0], kept.items(), strict=True):
        steps = found["reliability"]
        axes.plot([0, 1], [0, 1], color="#a8b3bd", linewidth=1)
        axes.plot([step["told"] for step in steps], [step["won"] for step in steps], color="#0f766e")
        sizes = [4 + 2 * math.sqrt(step["moments"]) for step in steps]
        axes.scatter(
            [step["told"] for step in steps], [step["won"] for step in steps], sizes, color="#0f766e"
        )
        axes.set(title=kibitz.game(name).title, xlabel="told", aspect="equal", xlim=(0, 1), ylim=(0, 1))
    all_axes[0][0].set_ylabel("won")
    figure.savefig(DIAGRAM, metadata={"Date": None})
    pyplot.close(figure)


@click.command()
@click.argument("names", nargs=-1)
@click.option("--games", default=500, show_default=True, help="Of each.")
@click.option("--players", default=2, show_default=True)
@click.option("--level", default="medium", show_default=True, help="Who plays.")
@click.option("--nodes", default=1000, show_default=True, help="Of an analysis.")
@click.option("--asked", default=0.06, show_default=True, help="The share of decisions that are analysed.")
@click.option("--rounds", type=int, help="Of a game; by default it is whole.")
def main(names: tuple[str, ...], games: int, rounds: int | None, **settings: Any) -> None:
    """Play, ask and reckon; what was found of each game is kept in bench/results/calibration.json."""
    settings |= {} if rounds is None else {"rounds": rounds}
    kept = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    for name in names or kibitz.games():
        found = gathered(name, games, settings)
        kept[name] = {**settings, **summed_up(found, settings["players"])}
        RESULTS.write_text(json.dumps(kept, indent=1) + "\n")
        keep_sharpness(kept)
        print(name, kept[name]["brier"], kept[name]["brier_of_scores"], kept[name]["better_by"], flush=True)
    draw(kept)


if __name__ == "__main__":
    main()
