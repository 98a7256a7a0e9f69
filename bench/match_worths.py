"""Learns how likely seats of MATCH! win, from self-play: `python -m bench.match_worths`.

All seats make the moves after which they seem likeliest to win, now and then one by chance. When a game is
over, each moment on its way learns from what followed: TD(λ), from the end to the beginning, with one goal
for each seat. A sign that was seen often changes less, and no moment moves its chance by more than a part
of its error: the signs of a game's moments are much the same, so that they all would move them together.

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
from kibitz.bots.heuristics import match
from kibitz.bots.heuristics.match_signs import (
    FEWEST_PLAYERS,
    MOST_SIGNS,
    NUM_OWN_SIGNS,
    NUM_SIGNS,
    SCENE,
    find_open_signs,
    find_signs,
    foresee,
    survey,
)
from kibitz.bots.heuristics.match_worths import (
    AWAYS,
    CERTAIN,
    FILE,
    HIDDEN,
    LEADS,
    LEAK,
    MOST_AHEAD,
    NUM_TOTALS,
    UNIT,
    chance_by,
    odds,
    sum_up,
    totals_place,
)
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
LAMBDA, LAMBDA_OPEN, LAMBDA_ROUND = 0.8, 0.9, 0.3  # from a seat's turn to its next; a turn; a round
OWN_PACE, OPEN_PACE, HEADS_PACE = 0.015, 0.005, 0.001
OFTEN = 300  # times that a sign was seen: from then on its pace falls
LEAST_PACE = 0.06  # of the first
MOST_OF_ERROR, HEADS_OF_ERROR = 0.05, 0.02  # by which a moment moves its own chance at most
LATEST = 2000  # totals: of so many ends of rounds the average is told
AT_FIRST = 0.05, 0.4  # how far the rows' and the heads' numbers may be from zero
SETTLING = 0.5  # of all games: then the pace falls to next to nothing

Numbers = npt.NDArray[Any]


class Network(NamedTuple):
    """Its numbers, how often each sign was seen, and how fast its row learns."""

    rows: Numbers
    heads: Numbers
    seen: Numbers
    paces: Numbers


class Trail(NamedTuple):
    """What is remembered of each turn."""

    seats: Numbers
    own_signs: Numbers
    own_counts: Numbers
    own_told: Numbers  # the chance of the seat that moved, by what it knew
    open_signs: Numbers
    open_counts: Numbers  # 0: the round was over
    open_told: Numbers  # the chance of each seat, from the one that moved on, with open hands
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
def best_move(state: AnyRecord, own: Network, count: int, room: Room, signs: Any, rng: Rng) -> int:
    """The move after which the seat in turn seems likeliest to win; chance decides among equals."""
    seat = wide(state.turn)
    survey(state, seat, room.scene)
    best, highest = int(room.moves[0]), -np.inf
    for i in range(count):
        room.then[:] = room.scene
        foresee(state, room.then, wide(room.moves[i]))
        found = find_signs(state, seat, room.then, signs)
        sum_up(own.rows, signs, found, room.layer)
        rating = odds(own.heads, 0, room.layer) + 1e-6 * chance(rng)
        if rating > highest:
            best, highest = int(room.moves[i]), rating
    return best


@kernel
def note_move(state: AnyRecord, own: Network, move: int, room: Room, trail: Trail, turn: int) -> None:
    """Remember what the seat in turn knows after its move."""
    seat = wide(state.turn)
    survey(state, seat, room.then)
    foresee(state, room.then, move)
    count = find_signs(state, seat, room.then, trail.own_signs[turn])
    sum_up(own.rows, trail.own_signs[turn], count, room.layer)
    trail.seats[turn], trail.own_counts[turn] = seat, count
    trail.own_told[turn] = chance_by(odds(own.heads, 0, room.layer))


@kernel
def note_table(
    state: AnyRecord, opened: Network, round_number: int, room: Room, trail: Trail, turn: int
) -> None:
    """Remember what a move has led to, with open hands, or the totals if the round is over."""
    players = wide(state.players)
    trail.open_counts[turn] = 0
    trail.totals[turn] = NO_TOTALS
    if rules.is_over(state):
        return
    if state.round_number != round_number:
        for seat in range(players):
            trail.totals[turn, seat] = totals_place(state, seat)
        return
    count = find_open_signs(state, trail.seats[turn], room.scene, trail.open_signs[turn])
    sum_up(opened.rows, trail.open_signs[turn], count, room.layer)
    trail.open_counts[turn] = count
    for distance in range(players):
        trail.open_told[turn, distance] = chance_by(odds(opened.heads, distance, room.layer))
    if players == FEWEST_PLAYERS:
        trail.open_told[turn, 1] = 1.0 - trail.open_told[turn, 0]


@kernel
def play_game(state: AnyRecord, own: Network, opened: Network, room: Room, trail: Trail, rng: Rng) -> int:
    """Play a game and remember its turns; returns how many they are."""
    journal = no_journal()
    rules.set_up(state, journal)
    turn = 0
    while not rules.is_over(state) and turn < MOST_TURNS:
        count = rules.legal_moves(state, room.moves)
        if chance(rng) < BY_CHANCE:
            move = int(room.moves[pick(rng, count)])
        else:
            move = best_move(state, own, count, room, room.signs, rng)
        note_move(state, own, move, room, trail, turn)
        round_number = wide(state.round_number)
        rules.play(state, move, journal)
        note_table(state, opened, round_number, room, trail, turn)
        turn += 1
    return turn


@kernel
def won_by(state: AnyRecord, seat: int) -> float:
    """What a seat has got of a game: all of it, its share, or nothing."""
    winners = 0
    for other in range(state.players):
        winners += 1 if state.winners[other] else 0
    return 1.0 / winners if state.winners[seat] else 0.0


# Learning


@kernel
def learn_from(
    state: AnyRecord,
    own: Network,
    opened: Network,
    totals: Numbers,
    room: Room,
    trail: Trail,
    turns: int,
    pace: float,
) -> None:
    """Every moment of a finished game learns from what came after it, the last one first."""
    players = wide(state.players)
    goals, open_goals, missed = np.zeros(SEATS), np.zeros(SEATS), np.zeros(SEATS)
    for seat in range(players):
        goals[seat] = open_goals[seat] = won_by(state, seat)
    heads = 1 if players == FEWEST_PLAYERS else players
    for turn in range(turns - 1, -1, -1):
        moved = trail.seats[turn]
        if trail.totals[turn, 0] != NO_TOTALS:
            for seat in range(players):
                goals[seat] = learn_totals(
                    totals[players - FEWEST_PLAYERS], trail.totals[turn, seat], goals[seat]
                )
                open_goals[seat] = goals[seat]
        elif trail.open_counts[turn] > 0:
            for distance in range(players):
                seat = (moved + distance) % players
                told = trail.open_told[turn, distance]
                missed[distance] = open_goals[seat] - told
                open_goals[seat] = LAMBDA_OPEN * open_goals[seat] + (1.0 - LAMBDA_OPEN) * told
            learn(opened, trail.open_signs[turn], trail.open_counts[turn], missed, heads, room.layer, pace)
        missed[0] = goals[moved] - trail.own_told[turn]
        goals[moved] = LAMBDA * goals[moved] + (1.0 - LAMBDA) * trail.own_told[turn]
        learn(own, trail.own_signs[turn], trail.own_counts[turn], missed, 1, room.layer, pace)


@kernel
def learn_totals(totals: Numbers, place: int, goal: float) -> float:
    """Totals between two rounds are worth what came of them on average; returns the goal before them."""
    told = totals[place, 0]
    totals[place, 1] += 1.0
    totals[place, 0] += (goal - told) / (min(totals[place, 1], LATEST) + 10.0)
    return float(LAMBDA_ROUND * goal + (1.0 - LAMBDA_ROUND) * told)


@numba.njit(nogil=True)  # type: ignore[untyped-decorator]
def learn(network: Network, signs: Any, count: int, missed: Any, heads: int, layer: Any, pace: float) -> None:
    """Move the numbers of one moment so that its chances miss less. Numba itself makes its loops fast."""
    sum_up(network.rows, signs, count, layer)
    size, paces, error, steepness = 1.0, 0.0, 1e-9, 1e-12
    for j in range(1, HIDDEN):
        size += layer[j] * layer[j]
    slopes = np.zeros(HIDDEN, np.float32)
    slopes[0] = missed[0]  # the first number of the layer is the first seat's alone
    for head in range(heads):
        error += missed[head] * missed[head]
        step = np.float32(pace * min(HEADS_PACE, HEADS_OF_ERROR / size) * missed[head])
        for j in range(1, HIDDEN):
            slopes[j] += np.float32(missed[head]) * network.heads[head, j]
            network.heads[head, j] += step * layer[j]
        network.heads[head, HIDDEN] += step
    for j in range(HIDDEN):
        slopes[j] *= np.float32(1.0) if j == 0 or layer[j] > 0.0 else np.float32(LEAK)
        steepness += slopes[j] * slopes[j]
    for i in range(count):
        network.seen[signs[i]] += 1.0
        paces += network.paces[signs[i]]
    part = pace * min(1.0, MOST_OF_ERROR * error / (paces * steepness))
    for i in range(count):
        step = np.float32(part * network.paces[signs[i]])
        for j in range(HIDDEN):
            network.rows[signs[i], j] += step * slopes[j]


@kernel
def study(
    template: AnyRecord,
    most_players: int,
    own: Network,
    opened: Network,
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
        turns = play_game(state, own, opened, room, trail, rng)
        if rules.is_over(state):
            learn_from(state, own, opened, totals, room, trail, turns, pace)


@kernel
def try_out(template: AnyRecord, own: Network, room: Room, rng: Rng, games: int) -> float:
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
                move = best_move(state, own, count, room, room.signs, rng)
            else:
                move = best_by_thumb(state, room.moves, count)
            rules.play(state, move, journal)
        points += won_by(state, game % template.players)
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
    """A network that knows nothing; the first number of its layer counts as it is, for the first seat."""
    rows = luck.uniform(-AT_FIRST[0], AT_FIRST[0], (NUM_SIGNS, HIDDEN)).astype(np.float32)
    heads = luck.uniform(-AT_FIRST[1], AT_FIRST[1], (SEATS, HIDDEN + 1)).astype(np.float32)
    rows[:, 0] = heads[:, 0] = heads[:, HIDDEN] = 0
    heads[0, 0] = 1
    return Network(rows, heads, np.zeros(NUM_SIGNS), np.zeros(NUM_SIGNS))


def fresh_totals() -> Numbers:
    """What totals seem worth at first, and that none was seen, by players."""
    leads, aways = np.meshgrid(np.arange(LEADS) - MOST_AHEAD, 5.0 * np.arange(AWAYS), indexing="ij")
    first = 0.5 + 0.5 * np.tanh(leads / (10 + 0.4 * aways))
    alike = np.stack([first.ravel(), np.zeros(NUM_TOTALS)], axis=1)
    return np.tile(alike, (SEATS - 1, 1, 1))


class Learner:
    """Networks for two players, or for more, on their way."""

    def __init__(self, name: str, seed: int) -> None:
        game = kibitz.game("match")
        self.name, self.games, self.rng = name, 0, bot_generator(seed, "match_worths", name)
        self.template = blank("match", FEWEST_PLAYERS if name == "two" else FEWEST_PLAYERS + 1)
        self.most_players = FEWEST_PLAYERS if name == "two" else SEATS
        luck = np.random.default_rng(seed)
        self.own, self.opened, self.totals = fresh(luck), fresh(luck), fresh_totals()
        self.room = Room(
            np.zeros(1, game.rules.STATE),
            np.zeros(game.num_moves, np.int16),
            np.zeros(SCENE, np.int64),
            np.zeros(SCENE, np.int64),
            np.zeros(MOST_SIGNS, np.int32),
            np.zeros(HIDDEN, np.float32),
        )
        self.trail = Trail(
            np.zeros(MOST_TURNS, np.int64),
            np.zeros((MOST_TURNS, MOST_SIGNS), np.int32),
            np.zeros(MOST_TURNS, np.int64),
            np.zeros(MOST_TURNS),
            np.zeros((MOST_TURNS, MOST_SIGNS), np.int32),
            np.zeros(MOST_TURNS, np.int64),
            np.zeros((MOST_TURNS, SEATS)),
            np.zeros((MOST_TURNS, SEATS), np.int64),
        )
        self.file = LEARNED / f"{name}.npz"
        if self.file.exists():
            with np.load(self.file) as kept:
                self.games, self.totals = int(kept["games"]), kept["totals"]
                self.own, self.opened = (
                    Network(*(kept[f"{network}_{part}"] for part in Network._fields))
                    for network in ("own", "opened")
                )

    def study(self, left: float) -> None:
        """Play some games and learn from them, ever more slowly at the end."""
        for network, first in ((self.own, OWN_PACE), (self.opened, OPEN_PACE)):
            network.paces[:] = first * np.maximum(LEAST_PACE, 1 / np.sqrt(1 + network.seen / OFTEN))
        pace = min(1.0, LEAST_PACE + left / SETTLING)
        networks = (self.own, self.opened, self.totals)
        study(
            self.template, self.most_players, *networks, self.room, self.trail, self.rng, GAMES_AT_ONCE, pace
        )
        self.games += GAMES_AT_ONCE

    def try_out(self) -> float:
        """How well it plays, one move ahead."""
        return float(try_out(self.template, self.own, self.room, bot_generator(1, "trial"), TRIED))

    def keep(self) -> None:
        """Write what was learned: all of it for the next time, and what bots need."""
        LEARNED.mkdir(parents=True, exist_ok=True)
        parts = {
            f"{network}_{part}": numbers
            for network, learned in (("own", self.own), ("opened", self.opened))
            for part, numbers in learned._asdict().items()
        }
        np.savez_compressed(self.file, games=self.games, totals=self.totals, **parts)
        with np.load(FILE) as kept:
            others = dict(kept)
        two = self.name == "two"
        mine = slice(0, 1) if two else slice(1, SEATS - 1)
        others["totals"][mine] = (CERTAIN * self.totals[mine, :, 0]).round().astype(np.uint8)
        np.savez_compressed(FILE, **{**others, **self.needed()})

    def needed(self) -> dict[str, Any]:
        """The rows in whole numbers, those of signs that were seen; the heads count them."""
        found: dict[str, Any] = {f"games_{self.name}": self.games}
        for name, network, count in (("own", self.own, NUM_OWN_SIGNS), ("open", self.opened, NUM_SIGNS)):
            rows = np.where(network.seen[:count, None] > 0, network.rows[:count], 0) / UNIT
            heads = network.heads.copy()
            heads[:, :HIDDEN] *= UNIT
            found[f"{name}_rows_{self.name}"] = np.clip(rows.round(), -127, 127).astype(np.int8)
            found[f"{name}_heads_{self.name}"] = heads
        return found


@click.command()
@click.option("--players", default="two", show_default=True, type=click.Choice(["two", "more"]))
@click.option("--games", default=800_000, show_default=True, help="To have learned from at last.")
@click.option("--seed", default=1, show_default=True)
def main(players: str, games: int, seed: int) -> None:
    """Play, learn and write."""
    learn_on(Learner(players, seed), games)


if __name__ == "__main__":
    main()
