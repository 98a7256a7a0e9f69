"""Learns what boards are worth in Kazink!, from self-play: `python -m bench.kazink_boards`.

Both sides make the moves that add most to the worths, now and then one by chance. When a game is over, each
board on its way learns from what followed: TD(λ), from the end to the beginning. A worth that errs now one
way, now the other changes less and less (temporal coherence). With two players, and two teams, a chance of
one side is what the other lacks.

It goes on with what it had learned before, which is kept in `build/kazink_boards/`, and writes
`kibitz/bots/heuristics/kazink_boards.npz`. Every minute it says how many of 2,000 games the worths win
against the rules of thumb, each side one move ahead.
"""

from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt

import kibitz
from bench.learning import TRIED, blank, learn_on
from kibitz.bots.heuristics import kazink, kazink_boards
from kibitz.core.chance import chance, fresh_key, pick
from kibitz.core.journal import no_journal
from kibitz.core.kernel import kernel
from kibitz.core.layout import AnyRecord, Moves, Rng
from kibitz.core.secret import bot_generator
from kibitz.games.kazink import board, rules

LEARNED = Path(__file__).parents[1] / "build" / "kazink_boards"
GAMES_AT_ONCE = 2000
MOST_TURNS = 400  # of a game that are learned from
BY_CHANCE = 0.005  # of the moves
LAMBDA = 0.9
PACE = 6.0 / kazink_boards.UNIT  # of learning, shared by all worths of a board
SWAPPED = -1  # as a card: a dead one, which ends no turn
Numbers = npt.NDArray[np.float64]
Trail = npt.NDArray[np.int32]  # by turn: where the board's worths are, and behind them who had moved


@kernel
def best_move(
    state: AnyRecord, worths: Numbers, moves: Moves, count: int, looks: Any, places: Any, rng: Rng
) -> int:
    """The move that adds most; chance decides among equals."""
    kazink_boards.look_up(state, int(state.turn), looks, places)
    best, highest, equals = int(moves[0]), -np.inf, 1
    for i in range(count):
        rating = kazink_boards.rate_move(state, worths, int(moves[i]), looks, places)
        if rating > highest:
            best, highest, equals = int(moves[i]), rating, 1
        elif rating == highest:
            equals += 1
            if pick(rng, equals) == 0:
                best = int(moves[i])
    return best


@kernel
def card_of(state: AnyRecord, move: int) -> int:
    """The card that a move lays down; 0 if none."""
    if state.phase != rules.Phase.TURN:
        return 0
    if move < rules.CROWN:
        return move // board.NUM_SPACES + 1
    if move < rules.DOUBLE_UP:
        return rules.CROWN_CARD
    if move == rules.DOUBLE_UP:
        return rules.DOUBLE_UP_CARD
    return SWAPPED if move < rules.DISCARD else int(rules.DISCARDS[move - rules.DISCARD])


@kernel
def play_game(
    state: AnyRecord, worths: Numbers, moves: Moves, looks: Any, trail: Trail, told: Numbers, rng: Rng
) -> int:
    """Play a game; remember each turn's last board, with the hand before the draw, and its chance."""
    journal = no_journal()
    rules.set_up(state, journal)
    turns = 0
    while not rules.is_over(state) and turns < MOST_TURNS:
        count = rules.legal_moves(state, moves)
        if chance(rng) < BY_CHANCE:
            move = int(moves[pick(rng, count)])
        else:
            move = best_move(state, worths, moves, count, looks, trail[turns], rng)
        seat, card = int(state.turn), card_of(state, move)
        held = state.hands[seat].copy()
        rules.play(state, move, journal)
        if not rules.is_over(state) and state.phase == rules.Phase.TURN and card != SWAPPED:
            drawn = state.hands[seat].copy()
            state.hands[seat] = held
            state.hands[seat, card] -= 1 if card > 0 else 0
            kazink_boards.look_up(state, seat, looks, trail[turns])
            trail[turns, kazink_boards.NUM_PLACES] = seat
            told[turns] = kazink_boards.chance_by(kazink_boards.sum_up(state, worths, trail[turns]))
            state.hands[seat] = drawn
            turns += 1
    return turns


@kernel
def learn_from(
    state: AnyRecord, worths: Numbers, drift: Numbers, path: Numbers, trail: Trail, told: Numbers, turns: int
) -> None:
    """Every board of a finished game learns from what came after it, the last one first."""
    sides = 2 if state.players != 3 else 3
    for side in range(sides):
        goal = won_by(state, side)
        for turn in range(turns - 1, -1, -1):
            if trail[turn, kazink_boards.NUM_PLACES] % sides == side:
                learn(state, worths, drift, path, trail[turn], goal - told[turn])
                goal = LAMBDA * goal + (1.0 - LAMBDA) * told[turn]
            elif sides == 2:
                goal = LAMBDA * goal + (1.0 - LAMBDA) * (1.0 - told[turn])


@kernel
def won_by(state: AnyRecord, side: int) -> float:
    """What a side has got of a game: all of it, its share, or nothing."""
    if not state.winners[side]:
        return 0.0
    winners = 0
    for seat in range(2 if state.players != 3 else 3):
        winners += 1 if state.winners[seat] else 0
    return 1.0 / winners


@kernel
def learn(
    state: AnyRecord, worths: Numbers, drift: Numbers, path: Numbers, places: Any, missed: float
) -> None:
    """Move all worths of a board by their share, each as far as its errors agree."""
    patterns = int(kazink_boards.NUM_PATTERNS[state.players - kazink_boards.FEWEST_PLAYERS])
    step = PACE * missed / (patterns + 2)
    for i in range(patterns + 2):
        place = places[i if i < patterns else kazink_boards.NUM_PLACES - 2 + i - patterns]
        agreed = abs(drift[place]) / path[place] if path[place] > 0.0 else 1.0
        worths[place] += agreed * step
        drift[place] += missed
        path[place] += abs(missed)


@kernel
def study(
    template: AnyRecord,
    worths: Numbers,
    drift: Numbers,
    path: Numbers,
    states: Any,
    moves: Moves,
    looks: Any,
    trail: Trail,
    told: Numbers,
    rng: Rng,
    games: int,
) -> None:
    """Play games, and learn from each."""
    for _ in range(games):
        states[0] = template
        fresh_key(states[0], rng)
        turns = play_game(states[0], worths, moves, looks, trail, told, rng)
        learn_from(states[0], worths, drift, path, trail, told, turns)


@kernel
def try_out(
    template: AnyRecord,
    worths: Numbers,
    states: Any,
    moves: Moves,
    looks: Any,
    places: Any,
    rng: Rng,
    games: int,
) -> float:
    """The share of the points that one seat, or a team, takes by the worths from rules of thumb."""
    journal = no_journal()
    sides = 2 if template.players != 3 else 3
    points = 0.0
    for game in range(games):
        states[0] = template
        state = states[0]
        fresh_key(state, rng)
        rules.set_up(state, journal)
        while not rules.is_over(state):
            count = rules.legal_moves(state, moves)
            if state.turn % sides == game % sides:
                move = best_move(state, worths, moves, count, looks, places, rng)
            else:
                move = best_by_thumb(state, moves, count)
            rules.play(state, move, journal)
        points += won_by(state, game % sides)
    return points / games


@kernel
def best_by_thumb(state: AnyRecord, moves: Moves, count: int) -> int:
    """The move that the rules of thumb rate highest."""
    best, highest = int(moves[0]), -np.inf
    for i in range(count):
        rating = kazink.rate(state, moves[i])
        if rating > highest:
            best, highest = int(moves[i]), rating
    return best


class Learner:
    """Worths for a number of players, on their way."""

    def __init__(self, players: int, seed: int) -> None:
        game = kibitz.game("kazink")
        self.players, self.rng = players, bot_generator(seed, "kazink_boards", players)
        self.template = blank("kazink", players)
        self.games = 0
        self.learned = np.zeros((3, sum(kazink_boards.SIZES)))  # worths, drift, path
        self.room = (
            np.zeros(1, game.rules.STATE),
            np.zeros(game.num_moves, np.int16),
            np.zeros(board.NUM_SPACES, np.int8),
        )
        self.trail = np.zeros((MOST_TURNS + 1, kazink_boards.NUM_PLACES + 1), np.int32)
        self.told = np.zeros(MOST_TURNS)
        self.file = LEARNED / f"players_{players}.npz"
        if self.file.exists():
            with np.load(self.file) as kept:
                self.games, self.learned = int(kept["games"]), kept["worths"]

    def study(self, left: float) -> None:
        """Play some games and learn from them, always at the same pace."""
        study(self.template, *self.learned, *self.room, self.trail, self.told, self.rng, GAMES_AT_ONCE)  # type: ignore[call-arg]
        self.games += GAMES_AT_ONCE

    def try_out(self) -> str:
        """How well it plays."""
        rng = bot_generator(1, "trial")
        share = try_out(self.template, self.learned[0], *self.room, self.trail[0], rng, TRIED)
        return f"{share:.1%}"

    def keep(self) -> None:
        """Write what was learned: all of it for the next time, and what bots need."""
        LEARNED.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(self.file, games=self.games, worths=self.learned)
        begin = sum(kazink_boards.SIZES[: self.players - kazink_boards.FEWEST_PLAYERS])
        end = begin + kazink_boards.SIZES[self.players - kazink_boards.FEWEST_PLAYERS]
        worths = np.clip(self.learned[0, begin:end].round(), -127, 127).astype(np.int8)
        with np.load(kazink_boards.FILE) as kept:
            others = dict(kept)
        np.savez_compressed(
            kazink_boards.FILE,
            **{**others, f"players_{self.players}": worths, f"games_{self.players}": self.games},
        )


@click.command()
@click.option("--players", default=2, show_default=True, type=click.IntRange(2, 4))
@click.option("--games", default=4_000_000, show_default=True, help="To have learned from at last.")
@click.option("--seed", default=1, show_default=True)
def main(players: int, games: int, seed: int) -> None:
    """Play, learn and write."""
    learn_on(Learner(players, seed), games)


if __name__ == "__main__":
    main()
