"""Learns what tables are worth in Cover Your Assets, from self-play: `python -m bench.assets_worths`.

All seats make the moves that the network rates highest, now and then one by chance. When a round is over, the
network learns from each table on its way, as each seat saw it, what followed: by how much the seat was ahead
in the end, mixed with what was said on the way, TD(λ). It is moved by Adam after every few rounds, less and
less towards the last. Of five rounds one has the second deck and, with three players or fewer, one bigger
hands.

There is a network for two players, and one for more. What was learned is kept in `build/assets_worths/`; a
further run goes on with it, and writes `kibitz/bots/heuristics/assets_worths.npz`. Now and then it is said
what one seat that goes by the network takes of 2,000 rounds from others that go by rules of thumb, each one
move ahead.
"""

from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt

import kibitz
from bench.learning import TRIED, blank, learn_on
from kibitz.bots.heuristics import assets, assets_worths
from kibitz.bots.heuristics.assets_table import count_hand, count_unseen, foresee, read_table
from kibitz.bots.heuristics.assets_worths import (
    Numbers,
    Ratings,
    Room,
    ahead,
    describe,
    new_room,
    rate_moves,
    think,
)
from kibitz.core.chance import chance, fresh_key, pick
from kibitz.core.journal import no_journal
from kibitz.core.kernel import kernel, wide
from kibitz.core.layout import AnyRecord, Moves, Rng
from kibitz.core.secret import bot_generator
from kibitz.games.assets import rules

LEARNED = Path(__file__).parents[1] / "build" / "assets_worths"
PLAYERS = {"two": (2,), "more": (3, 4, 5, 6)}
MOST_TOLD = 4000  # tables of a round that are learned from
BY_CHANCE = 0.02  # of the moves
LAMBDA = 0.8
PACE = 0.002  # of learning, at first
LAST_PACE = 0.03  # of it, at least
TOGETHER = 8  # rounds that are learned from at once
BATCHES = 50  # of them, until the pace is set anew
FADING, FADING_SQUARES, LITTLE = 0.9, 0.999, 1e-8  # of Adam
SEAT, AHEAD, SAID = range(3)  # of each table that was told: whose, its stacks, and the whole answer
Trail = npt.NDArray[np.float32]  # what the network was told, table by table


@kernel
def best_of(ratings: Ratings, count: int) -> int:
    """The place of the highest rating."""
    best = 0
    for i in range(1, count):
        if ratings[i] > ratings[best]:
            best = i
    return best


@kernel
def note_lookers_on(
    state: AnyRecord, hears: Numbers, says: Numbers, room: Room, trail: Trail, told: Ratings, noted: int
) -> int:
    """Note the table at the beginning of a turn as all others see it."""
    tables, hands, unseen, _, hidden = room
    read_table(state, tables[0])
    for seat in range(wide(state.players)):
        if seat != state.turn:
            count_hand(state, seat, hands[0])
            count_unseen(state, hands[0], unseen)
            describe(state, seat, True, tables[0], hands[0], unseen, trail[noted])
            told[noted, SEAT], told[noted, AHEAD] = seat, ahead(state, seat, tables[0])
            told[noted, SAID] = told[noted, AHEAD] + think(hears, says, trail[noted], hidden)
            noted += 1
    return noted


@kernel
def note_move(state: AnyRecord, move: int, room: Room, trail: Trail, told: Ratings, noted: int) -> None:
    """Note the table after a move, as who makes it foresees it."""
    tables, hands, unseen, _, _ = room
    seat = wide(state.turn)
    tables[1] = tables[0]
    hands[1] = hands[0]
    foresee(state, move, tables[1], hands[1])
    describe(state, seat, False, tables[1], hands[1], unseen, trail[noted])
    told[noted, SEAT], told[noted, AHEAD] = seat, ahead(state, seat, tables[1])


@kernel
def play_round(
    state: AnyRecord,
    hears: Numbers,
    says: Numbers,
    moves: Moves,
    ratings: Ratings,
    room: Room,
    trail: Trail,
    told: Ratings,
    rng: Rng,
) -> int:
    """Play a round; returns how many tables were noted."""
    journal = no_journal()
    rules.set_up(state, journal)
    noted = 0
    while not rules.is_over(state) and noted < MOST_TOLD - rules.SEATS:
        if state.phase == rules.Phase.TURN and state.moves > 0:
            noted = note_lookers_on(state, hears, says, room, trail, told, noted)
        count = rules.legal_moves(state, moves)
        rate_moves(state, hears, says, moves, count, room, ratings)
        chosen = pick(rng, count) if chance(rng) < BY_CHANCE else best_of(ratings, count)
        note_move(state, wide(moves[chosen]), room, trail, told, noted)
        told[noted, SAID] = ratings[chosen]
        noted += 1
        rules.play(state, moves[chosen], journal)
    return noted


@kernel
def add_slopes(
    state: AnyRecord,
    hears: Numbers,
    says: Numbers,
    trail: Trail,
    told: Ratings,
    noted: int,
    slopes: Any,
    hidden: Numbers,
) -> None:
    """Add up which way each number should move, for every table of a finished round, the last one first."""
    for seat in range(wide(state.players)):
        goal = assets.lead(state, seat) / assets_worths.UNIT
        for i in range(noted - 1, -1, -1):
            if told[i, SEAT] == seat:
                answer = think(hears, says, trail[i], hidden)
                missed = np.float32(goal - told[i, AHEAD] - answer)
                add_slopes_of(says, trail[i], missed, slopes, hidden)
                goal = LAMBDA * goal + (1.0 - LAMBDA) * told[i, SAID]


@kernel
def add_slopes_of(says: Numbers, inputs: Numbers, missed: Any, slopes: Any, hidden: Numbers) -> None:
    """The same for one table; the last row of the slopes is that of what the network says."""
    for j in range(assets_worths.HIDDEN):
        slopes[assets_worths.NUM_INPUTS, j] += missed * hidden[j]
        flat = np.float32(1.0) - abs(hidden[j])
        hidden[j] = missed * says[j] * flat * flat
    for i in range(assets_worths.NUM_INPUTS):
        if inputs[i] != 0.0:
            for j in range(assets_worths.HIDDEN):
                slopes[i, j] += inputs[i] * hidden[j]


@kernel
def move_numbers(
    numbers: Numbers, slopes: Any, drift: Any, squares: Any, pace: float, tables: int, steps: int
) -> None:
    """Adam: each number moves by how far its slopes agree."""
    for i in range(assets_worths.NUM_INPUTS + 1):
        for j in range(assets_worths.HIDDEN):
            slope = slopes[i, j] / tables
            drift[i, j] = FADING * drift[i, j] + (1.0 - FADING) * slope
            squares[i, j] = FADING_SQUARES * squares[i, j] + (1.0 - FADING_SQUARES) * slope * slope
            agreed = drift[i, j] / (1.0 - FADING**steps)
            size = np.sqrt(squares[i, j] / (1.0 - FADING_SQUARES**steps))
            numbers[i, j] += pace * agreed / (size + LITTLE)
            slopes[i, j] = 0.0


@kernel
def study(
    templates: Any, learned: Numbers, states: Any, moves: Moves, rng: Rng, pace: float, steps: int
) -> None:
    """Play some rounds, and learn from them; `learned`: the numbers, and Adam's two memories of each."""
    numbers, slopes = learned[0], np.zeros((assets_worths.NUM_INPUTS + 1, assets_worths.HIDDEN), np.float32)
    trail, told = np.zeros((MOST_TOLD, assets_worths.NUM_INPUTS), np.float32), np.zeros((MOST_TOLD, 3))
    room, ratings = new_room(), np.zeros(rules.NUM_MOVES)
    for batch in range(BATCHES):
        tables = 0
        hears, says = numbers[: assets_worths.NUM_INPUTS], numbers[assets_worths.NUM_INPUTS]
        for _ in range(TOGETHER):
            states[0] = templates[pick(rng, len(templates))]
            fresh_key(states[0], rng)
            noted = play_round(states[0], hears, says, moves, ratings, room, trail, told, rng)
            add_slopes(states[0], hears, says, trail, told, noted, slopes, room[4])
            tables += noted
        move_numbers(numbers, slopes, learned[1], learned[2], pace, tables, steps + batch + 1)


@kernel
def try_out(template: AnyRecord, numbers: Numbers, states: Any, moves: Moves, rng: Rng, rounds: int) -> float:
    """The share of the points that one seat takes by the network from others with rules of thumb."""
    journal = no_journal()
    hears, says = numbers[: assets_worths.NUM_INPUTS], numbers[assets_worths.NUM_INPUTS]
    room, ratings, points = new_room(), np.zeros(rules.NUM_MOVES), 0.0
    for number in range(rounds):
        states[0] = template
        state, mine = states[0], number % wide(template.players)
        fresh_key(state, rng)
        rules.set_up(state, journal)
        while not rules.is_over(state):
            count = rules.legal_moves(state, moves)
            if state.turn == mine:
                rate_moves(state, hears, says, moves, count, room, ratings)
            else:
                for i in range(count):
                    ratings[i] = assets.rate(state, moves[i])
            rules.play(state, moves[best_of(ratings, count)], journal)
        points += state.winners[mine] / state.winners.sum()
    return float(points / rounds)


def one_round(players: int, **options: Any) -> AnyRecord:
    """A game of one round, not dealt yet."""
    return blank("assets", players, rounds=1, **options)


def rounds_of(players: int) -> list[AnyRecord]:
    """What rounds of so many players are like; the usual one most often."""
    usual = [one_round(players)] * 3
    bigger = [one_round(players, hand=5)] if players <= 3 else []
    return [*usual, one_round(players, deck="second"), *bigger]


class Learner:
    """A network on its way."""

    def __init__(self, which: str, seed: int) -> None:
        game = kibitz.game("assets")
        self.which, self.rng = which, bot_generator(seed, "assets_worths", which)
        self.templates = np.array([each for players in PLAYERS[which] for each in rounds_of(players)])
        self.room = np.zeros(1, game.rules.STATE), np.zeros(game.num_moves, np.int16)
        self.games = 0
        self.learned = np.zeros((3, assets_worths.NUM_INPUTS + 1, assets_worths.HIDDEN), np.float32)
        self.learned[0] = 0.15 * np.random.default_rng(seed).normal(size=self.learned[0].shape)
        self.file = LEARNED / f"{which}.npz"
        if self.file.exists():
            with np.load(self.file) as kept:
                self.games, self.learned = int(kept["games"]), kept["learned"]

    def study(self, left: float) -> None:
        """Play some rounds and learn from them, ever more slowly."""
        pace = PACE * max(LAST_PACE, left)
        study(self.templates, self.learned, *self.room, self.rng, pace, self.games // TOGETHER)
        self.games += BATCHES * TOGETHER

    def try_out(self) -> str:
        """How well it plays."""
        shares = [
            try_out(one_round(players), self.learned[0], *self.room, bot_generator(1, "trial"), TRIED)
            for players in PLAYERS[self.which]
        ]
        return ", ".join(
            f"{share:.1%} of {players} players" for players, share in zip(PLAYERS[self.which], shares)
        )

    def keep(self) -> None:
        """Write what was learned: all of it for the next time, and what bots need."""
        LEARNED.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(self.file, games=self.games, learned=self.learned)
        with np.load(assets_worths.FILE) as kept:
            others = dict(kept)
        mine = {
            f"hears_{self.which}": self.learned[0, : assets_worths.NUM_INPUTS],
            f"says_{self.which}": self.learned[0, assets_worths.NUM_INPUTS],
            f"games_{self.which}": self.games,
        }
        np.savez_compressed(assets_worths.FILE, **{**others, **mine})


@click.command()
@click.option("--which", default="two", show_default=True, type=click.Choice(list(PLAYERS)))
@click.option("--games", default=300_000, show_default=True, help="Of a round, to have learned from at last.")
@click.option("--seed", default=1, show_default=True)
def main(which: str, games: int, seed: int) -> None:
    """Play, learn and write."""
    learn_on(Learner(which, seed), games)


if __name__ == "__main__":
    main()
