"""How fast and how strong, in one page: `python -m bench.benchmark` writes docs/benchmark.md.

Bots meet two by two, every deal from both seats: 20 games of each kind, then 20 more, up to `--games` or
until `--minutes` are over. They are kept in bench/results/benchmark/: any run goes on where the last was
stopped, and writes the page after every 20. Whoever changes a bot removes the games it has played.
`--speed` measures steps and playouts beside their peers anew (some ten minutes on a quiet machine); without
it the page keeps what it says of speed.
"""

import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

import kibitz
from bench.__main__ import measure
from bench.machine import facts
from bench.measure import use_one_core
from bench.report import table
from kibitz.bots.entrants import Entrant
from kibitz.bots.outcomes import Outcome
from kibitz.core.game import Game
from kibitz.core.state import Observation

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "benchmark.md"
KEPT = ROOT / "bench" / "results" / "benchmark"
SPEED = ("playouts", "playouts_kazink", "playouts_cash", "playouts_cards", "batches")
SECONDS = 0.1  # of the processor, which OpenSpiel's bot has for a move: a busy machine doesn't weaken it
FIRST_GUESS = 20  # of its simulations in that time
LEVELS = ("random", "easy", "medium", "hard")
EVERY_PAIR = 20  # games: five bots two by two, from both seats


def ismcts(game: Game, seed: int | None) -> Callable[[Observation], int]:
    """OpenSpiel's own search, with as many simulations as take it 0.1 s a move, by how long the last took."""
    from bench.ismcts import searcher

    bot, state_for = searcher(game, seed, FIRST_GUESS)

    def choose(observation: Observation) -> int:
        if len(observation.legal_moves) == 1:  # tells nothing of how long its simulations take
            return observation.legal_moves[0].id
        began = time.thread_time()
        move = int(bot.step(state_for(observation)))
        each = max(1e-5, time.thread_time() - began) / bot._max_simulations
        bot._max_simulations = max(1, round((bot._max_simulations + SECONDS / each) / 2))
        return move

    return choose


ENTRANTS: Sequence[Entrant] = (*LEVELS, ismcts)


def strength(name: str, games: int) -> Outcome:
    """Games of all pairs; those that are kept aren't played again."""
    KEPT.mkdir(parents=True, exist_ok=True)
    file = KEPT / f"{name}.jsonl"
    return kibitz.arena(name, ENTRANTS, games=games, players=2, jobs=1, file=file, **one_round(name))


def one_round(name: str) -> dict[str, Any]:
    """A game of several rounds is played for one: CASH to its usual target takes an hour for twenty games."""
    return {"rounds": 1} if "rounds" in [option.name for option in kibitz.game(name).options] else {}


def strength_table(outcomes: dict[str, Outcome]) -> str:
    """A row a game: each bot's share of the points, with its interval."""
    names = [*LEVELS, f"OpenSpiel's ISMCTS, {SECONDS:g} s"]
    lines = [["game", *names, "games of each"], ["---", *["---:"] * (len(names) + 1)]]
    for name, outcome in outcomes.items():
        shares = [
            f"{points:.0%} ({low:.0%} to {high:.0%})"
            for points, (low, high) in zip(outcome.points, outcome.intervals)
        ]
        lines.append([kibitz.game(name).title, *shares, str(min(outcome.games_of))])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def run(command: str) -> str:
    """What it was measured with, and when."""
    return "\n".join(f"- {name}: {value}" for name, value in facts(command).items())


def page(outcomes: dict[str, Outcome], speed: str, command: str) -> str:
    """All of it."""
    return f"""# How fast, and how strong

Written by `{command}`. Numbers compare within a run, not between machines.

## Strength

Two players, every two bots against each other, every deal from both seats, one round where a game has
several: a bot's share of the points of its games, with the 95 % interval. OpenSpiel's `ISMCTSBot`, its
Python one with random rollouts, has {SECONDS:g} s of the processor a move; `medium` and `hard` have
[their usual budgets](bots.md).

{strength_table(outcomes)}

Games are kept from run to run; the last of them:

{run(command)}

## Speed

{speed}
"""


def measured_speed(rounds: int) -> str:
    """Steps and playouts, beside their peers in the same run."""
    use_one_core()
    told = run("python -m bench.benchmark --speed")
    found = measure(SPEED, rounds)
    tables = [f"### {one.title}\n\n{table(one)}\n\n{one.method}" for one in found]
    return "\n\n".join([told, *tables])


def kept_speed() -> str:
    """What the page says of speed so far."""
    told = PAGE.read_text(encoding="utf-8").partition("## Speed\n\n")[2] if PAGE.exists() else ""
    return told.strip() or "Not measured yet: `python -m bench.benchmark --speed`."


def kept_games(name: str) -> int:
    """How many games are kept already."""
    file = KEPT / f"{name}.jsonl"
    return max(0, len(file.read_text(encoding="utf-8").splitlines()) - 1) if file.exists() else 0


def plans(games: int, only: Sequence[str]) -> Iterator[tuple[str, int]]:
    """How many games there are to be of which kind: as many as are kept, then a round of each in turn."""
    for name in kibitz.games():
        if kept := kept_games(name):
            yield name, kept
    for wanted in range(EVERY_PAIR, games + 1, EVERY_PAIR):
        yield from ((name, wanted) for name in only or kibitz.games() if kept_games(name) < wanted)


@click.command()
@click.option("--games", default=200, show_default=True, help="Of each game, in rounds of 20.")
@click.option("--minutes", default=math.inf, help="Begin no further round after so many.")
@click.option("--only", multiple=True, help="Play on in this game alone; the others as they are kept.")
@click.option("--speed", is_flag=True, help="Measure speed, too.")
@click.option("--rounds", default=5, show_default=True, help="Samples of each speed.")
def main(games: int, minutes: float, only: tuple[str, ...], speed: bool, rounds: int) -> None:
    """Measure, and write docs/benchmark.md."""
    end = time.monotonic() + 60 * minutes
    told = measured_speed(rounds) if speed else kept_speed()
    command = "python -m bench.benchmark"
    outcomes: dict[str, Outcome] = {}
    for name, wanted in plans(games, only):
        if time.monotonic() < end or kept_games(name) >= wanted:
            outcomes[name] = strength(name, wanted)
            click.echo(json.dumps({"game": name, "games": wanted, "points": outcomes[name].points}), err=True)
            PAGE.write_text(page(outcomes, told, command), encoding="utf-8")


if __name__ == "__main__":
    main()
