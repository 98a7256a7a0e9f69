"""What trading is worth in CASH: `python -m bench.trading`.

Two bots that trade and two of the same strength that never do sit at a table, or with `--traders 3` one that
never does among three; every deal is played with all seatings. A game is one round, or with `--whole` goes on
to its target. Told are the share of the games that the traders won, where their share of the seats would be
even, how many dollars a trader ends ahead of who never trades, and how the traders answered each other's
offers.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import mean

import click
import numpy as np

import kibitz
from kibitz.bots.lookahead import look_together, promising
from kibitz.bots.outcomes import interval
from kibitz.bots.player import Bot, SearchBot
from kibitz.core.game import Game
from kibitz.core.move import Move
from kibitz.core.state import Observation

PLAYERS = 4
TRADING = ("trade", "accept", "counter")
SEATINGS = {2: ((0, 2), (1, 3)), 3: ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))}  # where so many traders sit
TOLD_EVERY = 20  # games

Seatings = tuple[tuple[int, ...], ...]


class SilentBot(SearchBot):
    """The same search over the same moves, less all trading."""

    def _choose(self, observation: Observation) -> Move:
        moves = [move for move in promising(observation, self.rng) if keeps_to_itself(move)]
        moves = moves or [move for move in observation.legal_moves if keeps_to_itself(move)]
        if len(moves) == 1:
            return moves[0]
        look = look_together(observation, moves, self.budget, self.rng, self.threads)
        return self.game.moves[look.ranking[0]]


def keeps_to_itself(move: Move) -> bool:
    """Whether a move is none by which one trades."""
    return str(move).split(" ")[0] not in TRADING


@dataclass(frozen=True)
class Played:
    """What one game showed."""

    share: float  # of the win, that the traders took
    ahead: float  # dollars of a trader beyond one who never trades
    answers: tuple[str, ...]  # of traders to traders


def play(number: int, nodes: int, seatings: Seatings, whole: bool) -> Played:
    """One game."""
    game = kibitz.game("cash")
    deal, seating = divmod(number, len(seatings))
    traders = seatings[seating]
    state = game.deal(PLAYERS, deal, rounds=None if whole else 1)
    bots = [make(game, PLAYERS * number + seat, nodes, seat in traders) for seat in range(PLAYERS)]
    answers = []
    while state.turn is not None:
        seat = state.turn
        move = bots[seat].choose(state.observation(seat))
        if state.phase == "answer" and {seat, int(state.fields().offer_from)} <= set(traders):
            answers.append(str(move))
        state.play(move)
    won = [seat in traders for seat in state.winners]
    mine, others = (
        [score for seat, score in enumerate(state.scores) if (seat in traders) is trades]
        for trades in (True, False)
    )
    return Played(sum(won) / len(won), mean(mine) - mean(others), tuple(answers))


def make(game: Game, seed: int, nodes: int, trades: bool) -> Bot:
    """A bot that trades, or its silent twin."""
    return (SearchBot if trades else SilentBot)(game, seed, nodes)


def report(games: list[Played], seatings: Seatings) -> str:
    """What all games so far show."""
    share = sum(each.share for each in games) / len(games)
    low, high = interval(share, len(games))
    pairs = np.array([each.ahead for each in games]).reshape(-1, len(seatings)).mean(1)  # a deal, all ways
    error = pairs.std() / len(pairs) ** 0.5
    answers = Counter(answer for each in games for answer in each.answers)
    return (
        f"{len(games)} games: traders win {share:.1%} ({low:.1%} to {high:.1%}), ${pairs.mean():,.0f} ± "
        f"{error:,.0f} ahead; {sum(answers.values())} offers: {dict(answers)}"
    )


def played(games: int, nodes: int, seatings: Seatings, whole: bool) -> Iterator[list[Played]]:
    """All games so far, now and then."""
    so_far = []
    for number in range(games):
        so_far.append(play(number, nodes, seatings, whole))
        if len(so_far) % TOLD_EVERY == 0:
            yield so_far


@click.command()
@click.option("--games", default=400, show_default=True, help="To play; a multiple of 20.")
@click.option("--nodes", default=600, show_default=True, help="That every bot looks into for a move.")
@click.option(
    "--traders", default=2, show_default=True, type=click.IntRange(2, 3), help="Of the four at a table."
)
@click.option("--whole", is_flag=True, help="Play on to the target, not one round.")
def main(games: int, nodes: int, traders: int, whole: bool) -> None:
    """Play, and print what it shows so far."""
    seatings = SEATINGS[traders]
    for so_far in played(games, nodes, seatings, whole):
        print(report(so_far, seatings), flush=True)


if __name__ == "__main__":
    main()
