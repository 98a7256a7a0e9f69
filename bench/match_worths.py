"""Learns how likely seats of MATCH! win, from self-play: `python -m bench.match_worths`.

All seats make the moves after which they seem likeliest to win, now and then one by chance. When a game is
over, each turn of a seat learns from what followed: TD(λ), from the end to the beginning. A sign that was
seen often changes less, and no turn moves its chance by more than a part of its error: the signs of a game's
turns are much the same, so that all together would move them too far.

It goes on with what it had learned before, which is kept in `build/match_worths/`, and writes
`kibitz/bots/heuristics/match_worths.npz`. Every minute it says how many of 2,000 games the worths win
against the rules of thumb, each side one move ahead.
"""

from pathlib import Path
from typing import Any, NamedTuple

import click
import numba
import numpy as np
import numpy.typing as npt

import kibitz
from bench.learning import TRIED, blank, learn_on
from kibitz.bots.heuristics import match, match_worths
from kibitz.bots.heuristics.match_signs import (
    FEWEST_PLAYERS,
    MOST_SIGNS,
    NUM_SIGNS,
    SCENE,
    find_signs,
    foresee,
    survey,
)
from kibitz.bots.heuristics.match_worths import chance_by, odds, sum_up, totals_place
from kibitz.core.chance import chance, fresh_key, pick
from kibitz.core.journal import no_journal
from kibitz.core.kernel import kernel, wide
from kibitz.core.layout import AnyRecord, Moves, Rng
from kibitz.core.secret import bot_generator
from kibitz.games.match import rules
from kibitz.games.match.rules import SEATS

LEARNED = Path(__file__).parents[1] / "build" / "match_worths"
GAMES_AT_ONCE = 1000
MOST_TURNS = 1200  # of a game that is learned from
BY_CHANCE = 0.01  # of the moves
LAMBDA, LAMBDA_ROUND = 0.8, 0.3  # from a seat's turn to its next; over the end of a round
PACE, WEIGHTS_PACE = 0.015, 0.001
OFTEN = 300  # times that a sign was seen: from then on its pace falls
LEAST_PACE = 0.06  # of the first
MOST_OF_ERROR, WEIGHTS_OF_ERROR = 0.05, 0.02  # by which a moment moves its own chance at most
LATEST = 2000  # totals: of so many ends of rounds the average is told
AT_FIRST = 0.05, 0.4  # how far the rows' and the layer's weights may be from zero
SETTLING = 0.5  # of all games: then the pace falls to next to nothing

Numbers = npt.NDArray[Any]


class Network(NamedTuple):
    """Its numbers, how often each sign was seen, and how fast its row learns."""

    rows: Numbers
    weights: Numbers
    seen: Numbers
    paces: Numbers


class Trail(NamedTuple):
    """What is remembered of each turn."""

    seats: Numbers
    signs: Numbers
    counts: Numbers
    told: Numbers  # the chance of the seat that moved
    totals: Numbers  # for each seat, where the totals are looked up; NO_TOTALS: the round went on


class Room(NamedTuple):
    """Where kernels work."""

    states: Any
    moves: Moves
    scene: Numbers
    then: Numbers
    signs: Numbers
    layer: Numbers


NO_TOTALS = -1


# Playing


@kernel
def best_move(state: AnyRecord, network: Network, count: int, room: Room, rng: Rng) -> int:
    """The move after which the seat in turn seems likeliest to win; chance decides among equals."""
    seat = wide(state.turn)
    survey(state, seat, room.scene)
    best, highest = int(room.moves[0]), -np.inf
    for i in range(count):
        room.then[:] = room.scene
        foresee(state, room.then, wide(room.moves[i]))
        found = find_signs(state, seat, room.then, room.signs)
        sum_up(network.rows, room.signs, found, room.layer)
        rating = odds(network.weights, room.layer) + 1e-6 * chance(rng)
        if rating > highest:
            best, highest = int(room.moves[i]), rating
    return best


@kernel
def note_move(state: AnyRecord, network: Network, move: int, room: Room, trail: Trail, turn: int) -> None:
    """Remember what the seat in turn knows after its move."""
    seat = wide(state.turn)
    survey(state, seat, room.then)
    foresee(state, room.then, move)
    count = find_signs(state, seat, room.then, trail.signs[turn])
    sum_up(network.rows, trail.signs[turn], count, room.layer)
    trail.seats[turn], trail.counts[turn] = seat, count
    trail.told[turn] = chance_by(odds(network.weights, room.layer))


@kernel
def note_totals(state: AnyRecord, round_number: int, trail: Trail, turn: int) -> None:
    """Remember the totals if a move has ended the round."""
    trail.totals[turn] = NO_TOTALS
    if not rules.is_over(state) and state.round_number != round_number:
        for seat in range(wide(state.players)):
            trail.totals[turn, seat] = totals_place(state, seat)


@kernel
def play_game(state: AnyRecord, network: Network, room: Room, trail: Trail, rng: Rng) -> int:
    """Play a game and remember its turns; returns how many they are."""
    journal = no_journal()
    rules.set_up(state, journal)
    turn = 0
    while not rules.is_over(state) and turn < MOST_TURNS:
        count = rules.legal_moves(state, room.moves)
        if chance(rng) < BY_CHANCE:
            move = int(room.moves[pick(rng, count)])
        else:
            move = best_move(state, network, count, room, rng)
        note_move(state, network, move, room, trail, turn)
        round_number = wide(state.round_number)
        rules.play(state, move, journal)
        note_totals(state, round_number, trail, turn)
        turn += 1
    return turn


# Learning


@kernel
def learn_from(
    state: AnyRecord, network: Network, totals: Numbers, room: Room, trail: Trail, turns: int, pace: float
) -> None:
    """Every turn of a finished game learns from what came after it, the last one first."""
    players = wide(state.players)
    goals = np.zeros(SEATS)
    for seat in range(players):
        goals[seat] = match.share_of(state, seat)
    for turn in range(turns - 1, -1, -1):
        if trail.totals[turn, 0] != NO_TOTALS:
            for seat in range(players):
                place = trail.totals[turn, seat]
                goals[seat] = learn_totals(totals[players - FEWEST_PLAYERS], place, goals[seat])
        moved, told = trail.seats[turn], trail.told[turn]
        learn(network, trail.signs[turn], trail.counts[turn], goals[moved] - told, room.layer, pace)
        goals[moved] = LAMBDA * goals[moved] + (1.0 - LAMBDA) * told


@kernel
def learn_totals(totals: Numbers, place: int, goal: float) -> float:
    """Totals between two rounds are worth what came of them on average; returns the goal before them."""
    told = totals[place, 0]
    totals[place, 1] += 1.0
    totals[place, 0] += (goal - told) / (min(totals[place, 1], LATEST) + 10.0)
    return float(LAMBDA_ROUND * goal + (1.0 - LAMBDA_ROUND) * told)


@numba.njit(nogil=True)  # type: ignore[untyped-decorator]
def learn(network: Network, signs: Any, count: int, missed: float, layer: Any, pace: float) -> None:
    """Move the numbers of one turn so that its chance misses less. Numba itself makes its loops fast."""
    sum_up(network.rows, signs, count, layer)
    size, paces, steepness = 1.0, 0.0, 1e-12
    slopes = np.ones(match_worths.HIDDEN, np.float32)  # the first number of the layer counts as it is
    for j in range(1, match_worths.HIDDEN):
        size += layer[j] * layer[j]
        slopes[j] = network.weights[j] * np.float32(1.0 if layer[j] > 0.0 else match_worths.LEAK)
    for j in range(match_worths.HIDDEN):
        steepness += slopes[j] * slopes[j]
    for i in range(count):
        network.seen[signs[i]] += 1.0
        paces += network.paces[signs[i]]
    step = np.float32(pace * min(WEIGHTS_PACE, WEIGHTS_OF_ERROR / size) * missed)
    for j in range(1, match_worths.HIDDEN):
        network.weights[j] += step * layer[j]
    network.weights[match_worths.HIDDEN] += step
    part = pace * min(1.0, MOST_OF_ERROR / (paces * steepness)) * missed
    for i in range(count):
        step = np.float32(part * network.paces[signs[i]])
        for j in range(match_worths.HIDDEN):
            network.rows[signs[i], j] += step * slopes[j]


@kernel
def study(
    template: AnyRecord,
    most_players: int,
    network: Network,
    totals: Numbers,
    room: Room,
    trail: Trail,
    rng: Rng,
    games: int,
    pace: float,
) -> None:
    """Play games, and learn from each."""
    for _ in range(games):
        room.states[0] = template
        state = room.states[0]
        state.players = template.players + pick(rng, most_players - wide(template.players) + 1)
        fresh_key(state, rng)
        turns = play_game(state, network, room, trail, rng)
        if rules.is_over(state):
            learn_from(state, network, totals, room, trail, turns, pace)


@kernel
def try_out(template: AnyRecord, network: Network, room: Room, rng: Rng, games: int) -> float:
    """The share of the points that one seat takes by the worths from rules of thumb."""
    journal = no_journal()
    points = 0.0
    for game in range(games):
        room.states[0] = template
        state = room.states[0]
        fresh_key(state, rng)
        rules.set_up(state, journal)
        while not rules.is_over(state):
            count = rules.legal_moves(state, room.moves)
            if state.turn == game % template.players:
                move = best_move(state, network, count, room, rng)
            else:
                move = best_by_thumb(state, room.moves, count)
            rules.play(state, move, journal)
        points += match.share_of(state, game % template.players)
    return points / games


@kernel
def best_by_thumb(state: AnyRecord, moves: Moves, count: int) -> int:
    """The move that the rules of thumb rate highest."""
    best, highest = int(moves[0]), -np.inf
    for i in range(count):
        rating = match.rate(state, moves[i])
        if rating > highest:
            best, highest = int(moves[i]), rating
    return best


# Who learns


def fresh(luck: np.random.Generator) -> Network:
    """A network that knows nothing; the first number of its layer counts as it is."""
    rows = luck.uniform(-AT_FIRST[0], AT_FIRST[0], (NUM_SIGNS, match_worths.HIDDEN)).astype(np.float32)
    weights = luck.uniform(-AT_FIRST[1], AT_FIRST[1], match_worths.HIDDEN + 1).astype(np.float32)
    rows[:, 0], weights[0], weights[match_worths.HIDDEN] = 0, 1, 0
    return Network(rows, weights, np.zeros(NUM_SIGNS), np.zeros(NUM_SIGNS))


def fresh_totals() -> Numbers:
    """What totals seem worth at first, and that none was seen, by players."""
    leads, aways = np.meshgrid(
        np.arange(match_worths.LEADS) - match_worths.MOST_AHEAD,
        5.0 * np.arange(match_worths.AWAYS),
        indexing="ij",
    )
    first = 0.5 + 0.5 * np.tanh(leads / (10 + 0.4 * aways))
    alike = np.stack([first.ravel(), np.zeros(match_worths.NUM_TOTALS)], axis=1)
    return np.tile(alike, (SEATS - 1, 1, 1))


class Learner:
    """A network for two players, or for more, on its way."""

    def __init__(self, name: str, seed: int) -> None:
        game = kibitz.game("match")
        self.name, self.games, self.rng = name, 0, bot_generator(seed, "match_worths", name)
        self.template = blank("match", FEWEST_PLAYERS if name == "two" else FEWEST_PLAYERS + 1)
        self.most_players = FEWEST_PLAYERS if name == "two" else SEATS
        self.network, self.totals = fresh(np.random.default_rng(seed)), fresh_totals()
        self.room = Room(
            np.zeros(1, game.rules.STATE),
            np.zeros(game.num_moves, np.int16),
            np.zeros(SCENE, np.int64),
            np.zeros(SCENE, np.int64),
            np.zeros(MOST_SIGNS, np.int32),
            np.zeros(match_worths.HIDDEN, np.float32),
        )
        self.trail = Trail(
            np.zeros(MOST_TURNS, np.int64),
            np.zeros((MOST_TURNS, MOST_SIGNS), np.int32),
            np.zeros(MOST_TURNS, np.int64),
            np.zeros(MOST_TURNS),
            np.zeros((MOST_TURNS, SEATS), np.int64),
        )
        self.file = LEARNED / f"{name}.npz"
        if self.file.exists():
            with np.load(self.file) as kept:
                self.games, self.totals = int(kept["games"]), kept["totals"]
                self.network = Network(*(kept[part] for part in Network._fields))

    def study(self, left: float) -> None:
        """Play some games and learn from them, ever more slowly at the end."""
        self.network.paces[:] = PACE * np.maximum(LEAST_PACE, 1 / np.sqrt(1 + self.network.seen / OFTEN))
        pace = min(1.0, LEAST_PACE + left / SETTLING)
        learned, rooms = (self.network, self.totals), (self.room, self.trail)
        study(self.template, self.most_players, *learned, *rooms, self.rng, GAMES_AT_ONCE, pace)
        self.games += GAMES_AT_ONCE

    def try_out(self) -> str:
        """How well it plays, one move ahead."""
        share = try_out(self.template, self.network, self.room, bot_generator(1, "trial"), TRIED)
        return f"{share:.1%}"

    def keep(self) -> None:
        """Write what was learned: all of it for the next time, and what bots need."""
        LEARNED.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(self.file, games=self.games, totals=self.totals, **self.network._asdict())
        with np.load(match_worths.FILE) as kept:
            others = dict(kept)
        mine = slice(0, 1) if self.name == "two" else slice(1, SEATS - 1)
        others["totals"][mine] = (match_worths.CERTAIN * self.totals[mine, :, 0]).round().astype(np.uint8)
        np.savez_compressed(match_worths.FILE, **{**others, **self.needed()})

    def needed(self) -> dict[str, Any]:
        """The rows in whole numbers, those of signs that were seen; the weights count them."""
        rows = np.where(self.network.seen[:, None] > 0, self.network.rows, 0) / match_worths.UNIT
        weights = self.network.weights.copy()
        weights[: match_worths.HIDDEN] *= match_worths.UNIT
        return {
            f"games_{self.name}": self.games,
            f"rows_{self.name}": rows.round().astype(np.int16),
            f"weights_{self.name}": weights,
        }


@click.command()
@click.option("--players", default="two", show_default=True, type=click.Choice(["two", "more"]))
@click.option("--games", default=800_000, show_default=True, help="To have learned from at last.")
@click.option("--seed", default=1, show_default=True)
def main(players: str, games: int, seed: int) -> None:
    """Play, learn and write."""
    learn_on(Learner(players, seed), games)


if __name__ == "__main__":
    main()
