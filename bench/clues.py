"""What rivals betray of their hands, learned from bots of all levels: `python -m bench.clues`.

Bots play; at some decisions the signs that a seat reads (`kibitz/bots/clues/`) stand beside the hands that
the others really hold. The weights make these hands likeliest, if each card is drawn from the unseen ones
with the odds that its signs give it. They are kept in `kibitz/bots/clues/weights.json`; what is told is how
much hands of other games surprise whoever expects these odds, and who knows none.
"""

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt

import kibitz
from kibitz.bots import clues
from kibitz.bots.clues import Clues, clues_of
from kibitz.core.state import Observation, State

FILE = Path(clues.__file__).with_name("weights.json")
LEVELS = ("easy", "medium", "hard")
ASKED = 0.3  # of the decisions
LEARNED_FROM = 0.8  # of the games; the others try it out
STEPS = 20  # of Newton's method
PULL = 1e-3  # towards no weight at all
PLAYERS = {"two": (2,), "more": (3, 4)}

Numbers = npt.NDArray[np.float64]
Row = tuple[
    Numbers, Numbers, Numbers
]  # by card, in one hand: its signs, how many are unseen, how many are there


def played(told: Clues, name: str, players: int, seed: int) -> list[Row]:
    """What there is to learn from a game."""
    options: dict[str, Any] = {"rounds": 1} if name == "assets" else {}
    luck = random.Random(seed)
    state = kibitz.game(name).deal(players, seed, **options)
    bots = [kibitz.bot(luck.choice(LEVELS), name, seed * players + seat) for seat in range(players)]
    rows: list[Row] = []
    while state.turn is not None:
        seen = state.observation(state.turn)
        if luck.random() < ASKED:
            rows += rows_of(told, state, seen)
        state.play(bots[state.turn].choose(seen))
    return rows


def rows_of(told: Clues, state: State, seen: Observation) -> list[Row]:
    """A row for each hand that a seat can't see."""
    hands, rows = state.position()["hands"], []
    world = seen.worlds[0].position()
    read = told.read(seen)
    hidden = Counter(world["deck"]) + sum((Counter(world["hands"][seat]) for seat in read), Counter())
    for seat, cards in read.items():
        signs = [[cards[card].get(sign, 0.0) for sign in told.names] for card in cards]
        held = Counter(hands[seat])
        counts = np.array([(hidden[card], held[card]) for card in cards], float)
        rows.append((np.array(signs), counts[:, 0], counts[:, 1]))
    return rows


def chances(rows: list[Row], weights: Numbers) -> Row:
    """Each row's signs, the odds of every card in that hand, and the hand."""
    signs, hidden, held = (np.array(column) for column in zip(*rows, strict=True))
    found = hidden * np.exp(signs @ weights)
    return signs, found / found.sum(axis=1, keepdims=True), held


def fitted(rows: list[Row]) -> Numbers:
    """The weights that make the hands likeliest."""
    weights = np.zeros(rows[0][0].shape[1])
    for _ in range(STEPS):
        signs, odds, held = chances(rows, weights)
        sizes = held.sum(axis=1)
        slope = np.einsum("rc,rcs->s", held - sizes[:, None] * odds, signs) - PULL * len(rows) * weights
        means = np.einsum("rc,rcs->rs", odds, signs)
        bend = np.einsum("r,rc,rcs,rct->st", sizes, odds, signs, signs, optimize=True)
        bend -= np.einsum("r,rs,rt->st", sizes, means, means)
        weights = weights + np.linalg.solve(bend + PULL * len(rows) * np.eye(len(weights)), slope)
    return weights


def surprise(rows: list[Row], weights: Numbers) -> float:
    """By how much hands surprise whoever expects these odds: nats a card."""
    _, odds, held = chances(rows, weights)
    return float(-(held * np.log(np.where(held > 0, odds, 1.0))).sum() / held.sum())


@click.command()
@click.argument("names", nargs=-1)
@click.option("--games", default=400, show_default=True, help="Of each, with two players and with more.")
def main(names: tuple[str, ...], games: int) -> None:
    """Play, fit and try out."""
    for name in names or kibitz.games():
        if told := clues_of(name):
            for among, numbers in PLAYERS.items():
                learn(told, name, among, numbers, games)


def learn(told: Clues, name: str, among: str, numbers: tuple[int, ...], games: int) -> None:
    """Learn a game's weights for two players, or for more."""
    learned: list[Row] = []
    tried: list[Row] = []
    with click.progressbar(range(games), label=f"{name}, {among}") as seeds:
        for seed in seeds:
            rows = played(told, name, numbers[seed % len(numbers)], seed)
            (learned if seed < LEARNED_FROM * games else tried).extend(rows)
    weights = fitted(learned)
    kept: dict[str, Any] = json.loads(FILE.read_text()) if FILE.exists() else {}
    by_sign = zip(told.names, weights, strict=True)
    kept.setdefault(name, {})[among] = {sign: round(float(weight), 3) for sign, weight in by_sign}
    FILE.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n")
    by_chance, by_signs = (surprise(tried, each) for each in (np.zeros(len(weights)), weights))
    print(
        f"{name}, {among}: {by_chance:.3f} nats a card by chance, {by_signs:.3f} by signs, {len(tried)} hands"
    )


if __name__ == "__main__":
    main()
