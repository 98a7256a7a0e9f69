"""Learns what a board of Kazink! is worth from self-play: `python -m bench.kazink_worths`.

Every seat plays the move after which the worths known so far say that it stands best, and a few by chance.
After each game all its positions are moved towards how it ended: a logistic regression, step by step
(Adagrad), whose worths are averaged over the last games. It writes
`kibitz/bots/heuristics/kazink_worths.py`; run again, it goes on from there.
"""

import math
import textwrap
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt

import kibitz
from kibitz.bots.heuristics import kazink_lines as lines
from kibitz.bots.heuristics import kazink_worths as known
from kibitz.bots.heuristics.kazink import appraise_end
from kibitz.core.chance import chance, fresh_key, pick
from kibitz.core.journal import no_journal
from kibitz.core.kernel import kernel
from kibitz.core.layout import AnyRecord, Moves, Rng
from kibitz.core.secret import bot_generator
from kibitz.games.kazink import rules
from kibitz.games.kazink.rules import COLOURS_IN_PLAY, NUM_COLOURS, NUM_MOVES, NUM_SPACES, Phase, colour_of

FILE = Path(known.__file__)
LINE = 100
BY_CHANCE = 0.08  # of the moves
STEP = 0.05  # of what is learned from a game
FORGOTTEN = 0.0002  # of the average, with every game
MOST_POSITIONS = 400  # of a game
Worths = npt.NDArray[np.float64]


@kernel
def stands(state: AnyRecord, colour: int, worths: Worths) -> float:
    """How well a colour stands, also at the end."""
    if state.phase == Phase.OVER:
        return appraise_end(state, colour)
    return lines.chance_of(state, colour, worths)


@kernel
def best_move(states: Any, moves: Moves, count: int, worths: Worths) -> int:
    """The move after which its seat stands best."""
    colour = colour_of(states[0], states[0].turn)
    best, highest = int(moves[0]), -1.0
    for i in range(count):
        states[1] = states[0]
        rules.play(states[1], moves[i], no_journal())
        worth = stands(states[1], colour, worths)
        if worth > highest:
            best, highest = int(moves[i]), worth
    return best


@kernel
def play_game(states: Any, moves: Moves, rng: Rng, worths: Worths, found: Any, counts: Any) -> int:
    """Play a game that is dealt in `states[0]`, and note what every colour had at each position."""
    come = np.zeros(NUM_SPACES, np.int64)
    state = states[0]
    positions = 0
    while state.phase != Phase.OVER:
        if positions < MOST_POSITIONS:
            for colour in range(COLOURS_IN_PLAY[state.players]):
                counts[positions, colour] = lines.find(state, colour, found[positions, colour], come)
            positions += 1
        count = rules.legal_moves(state, moves)
        by_chance = chance(rng) < BY_CHANCE
        move = moves[pick(rng, count)] if by_chance else best_move(states, moves, count, worths)
        rules.play(state, move, no_journal())
    return positions


@kernel
def learn_from(ended: AnyRecord, found: Any, counts: Any, worths: Worths, squares: Worths) -> float:
    """Move the worths of what was there towards how the game ended; returns Brier's score before."""
    colours = COLOURS_IN_PLAY[ended.players]
    sums = np.zeros(NUM_COLOURS)
    for colour in range(colours):
        for i in range(counts[colour]):
            sums[colour] += worths[found[colour, i]]
    odds = np.exp(sums[:colours] - sums[:colours].max())
    wrong = 0.0
    for colour in range(colours):
        off = appraise_end(ended, colour) - odds[colour] / odds.sum()
        wrong += off * off / colours
        for i in range(counts[colour]):
            place = found[colour, i]
            squares[place] += off * off
            worths[place] += STEP * off / math.sqrt(squares[place])
    return wrong


@kernel
def learn(
    template: AnyRecord,
    states: Any,
    moves: Moves,
    rng: Rng,
    games: int,
    worths: Worths,
    squares: Worths,
    mean: Worths,
) -> float:
    """Deal, play and learn; returns Brier's score over all positions."""
    found = np.zeros((MOST_POSITIONS, NUM_COLOURS, lines.MOST_FOUND), np.int32)
    counts = np.zeros((MOST_POSITIONS, NUM_COLOURS), np.int32)
    wrong, seen = 0.0, 0
    for _ in range(games):
        states[0] = template
        fresh_key(states[0], rng)
        rules.set_up(states[0], no_journal())
        positions = play_game(states, moves, rng, worths, found, counts)
        for i in range(positions):
            wrong += learn_from(states[0], found[i], counts[i], worths, squares)
        seen += positions
        mean += FORGOTTEN * (worths - mean)
    return wrong / seen


def learned(players: int, games: int, seed: int) -> Worths:
    """The worths for a number of players, in hundredths."""
    game = kibitz.game("kazink")
    template = np.zeros(1, rules.STATE)[0]
    template.players = players
    game.write_options(game.checked_options({}, players), game.rules_version, template)
    states, moves = np.zeros(2, rules.STATE), np.zeros(NUM_MOVES, np.int16)
    rng = bot_generator(seed, "kazink", players)
    worths = lines.WORTHS[players].copy()
    squares, mean = np.ones(lines.NUM_WORTHS), worths.copy()
    for part in range(1, 11):
        wrong = learn(template, states, moves, rng, games // 10, worths, squares, mean)
        print(f"{players} players, {part * games // 10} games: Brier {wrong:.4f}", flush=True)
    found: Worths = np.round(mean * lines.IN_HUNDREDTHS).astype(int)
    return found


def written(worths: dict[int, str]) -> str:
    """The module of the worths."""
    filled = {players: textwrap.fill(" ".join(row.split()), LINE) for players, row in worths.items()}
    told = "".join(
        f'    {players}: """\n{textwrap.indent(rows, " " * 8)}\n    """,\n'
        for players, rows in filled.items()
    )
    head = FILE.read_text().partition("WORTHS")[0]
    return f"{head}WORTHS = {{\n{told}}}\n"


@click.command()
@click.option("--games", default=300_000, show_default=True, help="For each number of players.")
@click.option("--seed", default=1, show_default=True)
@click.option("--players", type=click.IntRange(2, 4), multiple=True, help="All, unless told.")
def main(games: int, seed: int, players: tuple[int, ...]) -> None:
    """Play, learn, and write what was learned."""
    worths = dict(known.WORTHS)
    for count in players or (2, 3, 4):
        worths[count] = " ".join(map(str, learned(count, games, seed)))
        FILE.write_text(written(worths))


if __name__ == "__main__":
    main()
