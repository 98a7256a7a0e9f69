"""Playing on from a state, for any game: random playouts, and a tree search over imagined states.

These functions are templates: written once against the games' verbs, and compiled for each game with
that game's own (`specialise`). The names they use without importing them are the game's verbs and
heuristics, verbs and constants alike (`kibitz.bots.verbs` and `tuned`).

Compiled with WHOLE_GAMES, the same search plays each game to its end and notes who wins: what an analysis
tells, and a bot in a hurry goes without. Whole games are played on by one player wherever they are, which may
know less and be faster than who looks ahead.

The search is UCT over information sets. Each descent imagines a state that agrees with what the seat
knows, and walks down one tree whose nodes stand for the moves made, whatever the state behind them.
Where luck outweighs any single move, `compare` needs fewer looks: all moves share their imagined states.
"""

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kibitz.core.chance import chance, fresh_key, pick
from kibitz.core.journal import no_journal
from kibitz.core.kernel import borrowed, wide
from kibitz.core.layout import AnyRecord, Field, Moves, Rng, record_type

if TYPE_CHECKING:
    from kibitz.bots.tuned import (
        BOLDNESS,
        EXPLORATION,
        HORIZON,
        LAPS,
        PLAYS_ON_BOLDLY,
        PLAYS_ON_BY_RATE,
        TRUST,
        WHOLE_GAMES,
        WIDTH,
    )
    from kibitz.bots.verbs import (
        appraise,
        candidates,
        imagine,
        is_over,
        legal_moves,
        play,
        rate,
        reshuffle,
        set_up,
    )

Nodes = npt.NDArray[Any]
States = npt.NDArray[Any]
Path = npt.NDArray[np.int32]
Sums = npt.NDArray[np.float64]
Ratings = npt.NDArray[np.float64]
Finds = npt.NDArray[Any]  # what came of each move, by its number

NO_MOVE = -1
ANY_ROUND = -1  # a game is played on past the end of its round
NONE = 0  # as a node: there is none; node 0 is the root, nobody's child
MOST_NODES = 2**31 - 1

NODE = record_type(
    [
        Field("first_child", np.int32, NONE, MOST_NODES),
        Field("next_sibling", np.int32, NONE, MOST_NODES),
        Field("move", np.int16, 0, 32767),
        Field("seat", np.int8, 0, 127),  # who made the move
        Field("visits", np.int32, 0, MOST_NODES),
        Field("chances", np.int32, 0, MOST_NODES),  # how often the move could have been chosen
        Field("value", np.float64, 0, MOST_NODES),  # sum of what the descents brought that seat
    ]
)

FIND = record_type(
    [
        Field("games", np.int32, 0, MOST_NODES),  # played to the end after this move
        Field("wins", np.float64, 0, MOST_NODES),
        Field("margins", np.float64, 0, MOST_NODES),  # their sum, and that of their squares
        Field("squares", np.float64, 0, MOST_NODES),
    ]
)


def playout(state: AnyRecord, moves: Moves, rng: Rng) -> int:
    """Play on by chance until the game is over; returns the number of decisions."""
    journal = no_journal()
    decisions = 0
    while not is_over(state):
        count = legal_moves(state, moves)
        play(state, moves[pick(rng, count)], journal)
        decisions += 1
    return decisions


def playouts(states: States, template: AnyRecord, moves: Moves, rng: Rng, games: int) -> int:
    """Deal and play many games by chance; returns the number of decisions."""
    moves, rng, journal = borrowed(moves), borrowed(rng), no_journal()
    decisions = 0
    for _ in range(games):
        states[0] = template
        state = states[0]
        fresh_key(state, rng)
        set_up(state, journal)
        decisions += playout(state, moves, rng)
    return decisions


def rate_each(state: AnyRecord, moves: Moves, count: int, ratings: Ratings) -> None:
    """How good each move looks, by itself."""
    for i in range(count):
        ratings[i] = rate(state, moves[i])


def rate_all(state: AnyRecord, moves: Moves, count: int, ratings: Ratings) -> None:
    """The same as searches see it: a game's heuristics may have a way of their own."""
    rate_each(state, moves, count, ratings)


def best_rated(state: AnyRecord, moves: Moves, count: int, rng: Rng) -> int:
    """The move that the game's heuristic rates highest for a search."""
    ratings = np.empty(count)
    rate_all(state, moves, count, ratings)
    return highest(moves, ratings, count, rng)


def highest(moves: Moves, ratings: Ratings, count: int, rng: Rng) -> int:
    """The move of the highest rating; chance decides among equals."""
    best = moves[0]
    rating = -math.inf
    equals = 1
    for i in range(count):
        if ratings[i] > rating:
            best, rating, equals = moves[i], ratings[i], 1
        elif ratings[i] == rating:
            equals += 1
            if pick(rng, equals) == 0:
                best = moves[i]
    return best


def rollout(state: AnyRecord, moves: Moves, rng: Rng, round_number: int) -> None:
    """Play on, mostly by the game's heuristic, until the round is over or the game's horizon is reached."""
    journal = no_journal()
    left = min(HORIZON, LAPS * wide(state.players) - 1)
    while left > 0 and not is_over(state) and state.round_number == round_number:
        left -= 1
        count = legal_moves(state, moves)
        if count == 1:
            move = moves[0]
        elif chance(rng) < BOLDNESS:
            move = best_rated(state, moves, count, rng)
        else:
            move = moves[pick(rng, count)]
        play(state, move, journal)


def likely_move(state: AnyRecord, moves: Moves, rng: Rng) -> int:
    """The move of who plays whole games on."""
    count = legal_moves(state, moves)
    if count == 1:
        return wide(moves[0])
    if chance(rng) >= PLAYS_ON_BOLDLY:
        return wide(moves[pick(rng, count)])
    ratings = np.empty(count)
    if PLAYS_ON_BY_RATE:
        rate_each(state, moves, count, ratings)
    else:
        rate_all(state, moves, count, ratings)
    return highest(moves, ratings, count, rng)


def play_on(state: AnyRecord, moves: Moves, rng: Rng, round_number: int) -> None:
    """Play to the end of a round; with ANY_ROUND as the round, of the game."""
    journal = no_journal()
    while not is_over(state) and (round_number == ANY_ROUND or state.round_number == round_number):
        play(state, likely_move(state, moves, rng), journal)


def note_end(state: AnyRecord, seat: int, find: AnyRecord) -> None:
    """Count a game that is over: whether a seat is among its winners, and by how much."""
    margin = 0.0
    found = False
    for other in range(state.players):
        if state.winners[other] != state.winners[seat]:
            ahead = float(state.scores[seat]) - float(state.scores[other])
            margin = min(margin, ahead) if found else ahead
            found = True
    find.games += 1
    find.wins += 1.0 if state.winners[seat] else 0.0
    find.margins += margin
    find.squares += margin * margin


def keep_best(state: AnyRecord, moves: Moves, count: int) -> int:
    """Put the moves in front that the game's heuristic rates highest, as many as the WIDTH lets through."""
    if count <= WIDTH:
        return count
    ratings = np.empty(count)
    rate_all(state, moves, count, ratings)
    for i in range(WIDTH):
        best = i
        for j in range(i + 1, count):
            if ratings[j] > ratings[best]:
                best = j
        moves[i], moves[best] = moves[best], moves[i]
        ratings[i], ratings[best] = ratings[best], ratings[i]
    return WIDTH


def find_child(nodes: Nodes, parent: int, move: int) -> int:
    """The node of a move below its parent, or NONE."""
    child = nodes[parent].first_child
    while child != NONE and nodes[child].move != move:
        child = nodes[child].next_sibling
    return child


def add_child(nodes: Nodes, parent: int, move: int, seat: int, used: int) -> int:
    """Make node number `used` that of a move below its parent."""
    node = nodes[used]
    node.first_child = NONE
    node.next_sibling = nodes[parent].first_child
    node.move = move
    node.seat = seat
    node.visits = 0
    node.chances = 1
    node.value = 0.0
    nodes[parent].first_child = used
    return used


def choose_child(nodes: Nodes, parent: int, moves: Moves, count: int, rng: Rng) -> int:
    """The child to descend to by UCB, or NONE if a legal move has none yet: then `moves[0]` is such a one."""
    best = NONE
    highest = -math.inf
    untried = 0
    for i in range(count):
        child = find_child(nodes, parent, moves[i])
        if child == NONE:
            untried += 1
            if pick(rng, untried) == 0:
                moves[0], moves[i] = moves[i], moves[0]
            continue
        node = nodes[child]
        node.chances += 1
        bound = node.value / node.visits + EXPLORATION * math.sqrt(math.log(node.chances) / node.visits)
        if bound > highest:
            best, highest = child, bound
    return NONE if untried > 0 else best


def descend(
    view: AnyRecord,
    nodes: Nodes,
    used: int,
    state: AnyRecord,
    moves: Moves,
    path: Path,
    rng: Rng,
    finds: Finds,
) -> int:
    """Walk down the tree, grow it by one node, play the round out, and tell all nodes on the way."""
    journal = no_journal()
    round_number = state.round_number
    node = 0
    depth = 0
    grown = False
    while not grown and not is_over(state) and state.round_number == round_number and depth < len(path):
        count = keep_best(state, moves, candidates(state, moves))
        if TRUST > 0.0 and depth > 0 and chance(rng) < TRUST:
            moves[0] = best_rated(state, moves, count, rng)
            child = find_child(nodes, node, moves[0])
        else:
            child = choose_child(nodes, node, moves, count, rng)
        if child == NONE:
            if used >= len(nodes):
                break
            child = add_child(nodes, node, moves[0], state.turn, used)
            grown = True
        path[depth] = child
        depth += 1
        node = child
        play(state, nodes[node].move, journal)
    rollout(state, moves, rng, round_number)
    worth = np.full(state.players, -1.0)  # by seat; below zero: not appraised yet
    for i in range(depth):
        visited = nodes[path[i]]
        if worth[visited.seat] < 0.0:
            worth[visited.seat] = appraise(view, state, visited.seat)
        visited.visits += 1
        visited.value += worth[visited.seat]
    if WHOLE_GAMES and depth > 0:
        play_on(state, moves, rng, ANY_ROUND)
        note_end(state, view.observer, finds[nodes[path[0]].move])
    return used + 1 if grown else used


def grow(
    view: AnyRecord,
    nodes: Nodes,
    used: int,
    states: States,
    moves: Moves,
    path: Path,
    rng: Rng,
    descents: int,
    finds: Finds,
) -> int:
    """Grow the tree by a number of descents from imagined states; returns the nodes used now."""
    nodes, moves, path, rng = borrowed(nodes), borrowed(moves), borrowed(path), borrowed(rng)
    for _ in range(descents):
        imagine(view, rng, states[0])
        used = descend(view, nodes, used, states[0], moves, path, rng, finds)
    return used


def compare(
    view: AnyRecord,
    chosen: Moves,
    sums: Sums,
    states: States,
    moves: Moves,
    rng: Rng,
    worlds: int,
    finds: Finds,
) -> None:
    """Play each of some moves on in the same imagined states with the same luck; add up what they bring."""
    journal = no_journal()
    luck = rng.copy()
    for _ in range(worlds):
        imagine(view, rng, states[0])
        luck[:] = rng
        for i in range(len(chosen)):
            rng[:] = luck
            states[1] = states[0]
            play(states[1], chosen[i], journal)
            rollout(states[1], moves, rng, view.round_number)
            sums[i] += appraise(view, states[1], view.turn)
            if WHOLE_GAMES:
                play_on(states[1], moves, rng, ANY_ROUND)
                note_end(states[1], view.observer, finds[chosen[i]])


def look_on(
    state: AnyRecord, move: int, states: States, moves: Moves, rng: Rng, games: int, finds: Finds
) -> None:
    """Play games to their end from an open state whose undrawn cards are shuffled anew; a find a seat.

    They begin with a move, or with NO_MOVE by the choice of who is in turn.
    """
    journal = no_journal()
    for _ in range(games):
        states[0] = state
        reshuffle(states[0], rng)
        if move != NO_MOVE:
            play(states[0], move, journal)
        play_on(states[0], moves, rng, ANY_ROUND)
        for seat in range(state.players):
            note_end(states[0], seat, finds[seat])


def deal_and_look_on(
    template: AnyRecord, states: States, moves: Moves, rng: Rng, games: int, finds: Finds
) -> None:
    """Deal games and play them to their end; a find a seat."""
    journal = no_journal()
    for _ in range(games):
        states[0] = template
        fresh_key(states[0], rng)
        set_up(states[0], journal)
        play_on(states[0], moves, rng, ANY_ROUND)
        for seat in range(template.players):
            note_end(states[0], seat, finds[seat])


# What plays on: each needs those before it
RATING = (rate_each, rate_all, highest, best_rated)
PLAYING_ON = (*RATING, rollout, likely_move, play_on)
TEMPLATES = (
    playout,
    playouts,
    *PLAYING_ON,
    note_end,
    keep_best,
    find_child,
    add_child,
    choose_child,
    descend,
    grow,
    compare,
    look_on,
    deal_and_look_on,
)

# Only others call them
PARTS = (
    playout,
    *RATING,
    rollout,
    likely_move,
    note_end,
    find_child,
    add_child,
    choose_child,
    descend,
)
