"""Learns what a stock is worth in Ka-Ching! from self-play: `python -m bench.kaching_worths`.

The solver plays both seats, with a few moves by chance. What was still gained on the other from each position
is explained by what both own, how many cards are left, the wilds and the turn: a linear fit, which is drawn
towards the figures in use. It writes `kibitz/bots/solvers/kaching_worths.py`; run again, it goes on from it.
"""

import random
import textwrap
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt

import kibitz
from kibitz.bots.solvers import kaching as solver
from kibitz.bots.solvers import kaching_worths as known
from kibitz.core.journal import no_journal
from kibitz.games.kaching.rules import DECK_SIZE, NUM_COLOURS, NUM_MOVES

FILE = Path(known.__file__)
HOLDINGS = solver.NUM_HOLDINGS
WILD, TURN = 2 * HOLDINGS, 2 * HOLDINGS + 2  # places of the other features; before them the holdings
FEATURES = TURN + 2
NODES = 1200  # a move
BY_CHANCE = 0.04  # of the moves, and the first ones
FIRST = 4
LINE = 100
DRAWN = 30.0  # how strongly figures of holdings are drawn to those in use
Numbers = npt.NDArray[np.float64]
Sample = tuple[int, float, solver.Desk]  # who is in turn, what it still gained, and the desk


def played(seed: int) -> list[Sample]:
    """The positions of one round."""
    rules, luck = kibitz.game("kaching").rules, random.Random(seed)
    state = kibitz.game("kaching").deal(seed=seed).fields()
    moves, samples = np.zeros(NUM_MOVES, np.int16), []
    while not rules.is_over(state):
        desk, seat = np.zeros(solver.DESK_SIZE, np.int64), int(state.turn)
        solver.spread(state, desk)
        samples.append((seat, lead(state, seat), desk))
        count = rules.legal_moves(state, moves)
        by_chance = len(samples) <= FIRST or luck.random() < BY_CHANCE
        best = solver.SOLVER.look(state, NODES, lambda _: True).best[0]
        rules.play(state, int(moves[luck.randrange(count)]) if by_chance else best, no_journal())
    return [(seat, lead(state, seat) - before, desk) for seat, before, desk in samples]


def lead(state: Any, seat: int) -> float:
    """How much more money a trader has than the other."""
    return float(state.money[seat]) - float(state.money[1 - seat])


def features(seat: int, desk: solver.Desk) -> Numbers:
    """What both own, each once as it is and once by the share of cards that are left."""
    left = desk[solver.HEIGHTS : solver.STOCKS].sum() / DECK_SIZE
    row = np.zeros(FEATURES)
    for sign, who in ((1, seat), (-1, 1 - seat)):
        first = solver.STOCKS + who * NUM_COLOURS
        for held in desk[first : first + NUM_COLOURS]:
            row[[held, HOLDINGS + held]] += (sign, sign * left)
        row[[WILD, WILD + 1]] += desk[solver.WILDS + who] * sign * np.array([1, left])
    row[[TURN, TURN + 1]] = (1, left)
    return row


def fitted(samples: list[Sample]) -> Numbers:
    """The figures, in tenths of a dollar."""
    rows = np.array([features(seat, desk) for seat, _, desk in samples])
    missed = [gained - solver.judge(desk, seat) for seat, gained, desk in samples]
    drawn = np.diag(np.where(np.arange(FEATURES) < WILD, DRAWN, 1.0))
    change = np.linalg.solve(rows.T @ rows + drawn, rows.T @ np.array(missed))
    wild_and_turn = (known.WILD, known.WILD_MORE, known.TURN, known.TURN_MORE)
    figures: Numbers = np.array([*known.AT_THE_END, *known.MORE_AT_FIRST, *wild_and_turn], float)
    figures += solver.TENTHS * change
    return figures


def written(figures: Numbers) -> str:
    """The module that holds them."""
    numbers = [int(figure) for figure in figures.round()]
    return (
        f'"""{known.__doc__}"""\n\n# fmt: off\n'
        f"AT_THE_END = (\n{listed(numbers[:HOLDINGS])},\n)\n"
        f"MORE_AT_FIRST = (\n{listed(numbers[HOLDINGS:WILD])},\n)\n"
        f"WILD, WILD_MORE = {numbers[WILD]}, {numbers[WILD + 1]}  # an unused wild\n"
        f"TURN, TURN_MORE = {numbers[TURN]}, {numbers[TURN + 1]}  # to be in turn\n"
    )


def listed(numbers: list[int]) -> str:
    """Numbers in lines."""
    return textwrap.indent(textwrap.fill(", ".join(map(str, numbers)), LINE), "    ")


@click.command()
@click.option("--rounds", default=1000, show_default=True, help="To learn from.")
@click.option("--seed", default=10_000, show_default=True, help="Of the first one.")
def main(rounds: int, seed: int) -> None:
    """Play, fit and write."""
    samples: list[Sample] = []
    with click.progressbar(range(seed, seed + rounds)) as seeds:
        for number in seeds:
            samples += played(number)
    FILE.write_text(written(fitted(samples)))


if __name__ == "__main__":
    main()
