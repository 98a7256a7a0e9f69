"""Playing on to the end of a round, for any game: templates for reviews, compiled as those in `search` are.

Who plays on is the one that plays all whole games on. What a round's end is worth is told by the totals,
so that a game of many rounds needn't be played to its end. Two moves are tried in the same states with the
same luck: what chance does to both alike is no difference between them.
"""

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kibitz.bots import search
from kibitz.bots.search import ANY_ROUND, MOST_NODES, NO_MOVE, States, likely_move, play_on, rollout
from kibitz.core.chance import fresh_key
from kibitz.core.journal import no_journal
from kibitz.core.layout import AnyRecord, Field, Moves, Rng, record_type

if TYPE_CHECKING:
    from kibitz.bots.verbs import imagine, is_over, play, reshuffle, set_up

Weights = npt.NDArray[np.float64]  # what totals are worth; none: games are played to their end
Worths = npt.NDArray[np.float64]  # by arm and seat
Outcomes = npt.NDArray[Any]  # by arm and seat, and what the second arm gained

UNIT, FLAT, BY_TOP, BY_TOP_SQUARED, BY_ROUND, NUM_WEIGHTS = range(6)
FIRST, SECOND, GAINED, ARMS = range(4)

OUTCOME = record_type(
    [
        Field("games", np.int32, 0, MOST_NODES),
        Field("sum", np.float64, 0, MOST_NODES),  # of chances, or of what was gained, and of their squares
        Field("squares", np.float64, 0, MOST_NODES),
    ]
)


def totals_worth(state: AnyRecord, seat: int, weights: Weights) -> float:
    """A seat's chance to win between two rounds, by the totals; at the end of the game it is known.

    Each point ahead counts more, the nearer the end is: the more the best has, the more rounds were played.
    """
    if is_over(state):
        return 1.0 if state.winners[seat] else 0.0
    top = -math.inf
    for other in range(state.players):
        top = max(top, float(state.scores[other]) / weights[UNIT])
    counts = weights[FLAT] + weights[BY_TOP] * top + weights[BY_TOP_SQUARED] * top * top
    counts += weights[BY_ROUND] * float(state.round_number)
    odds = 0.0
    for other in range(state.players):
        odds += math.exp(counts * (float(state.scores[other]) - float(state.scores[seat])) / weights[UNIT])
    return 1.0 / odds


def try_both(
    first: int,
    second: int,
    states: States,
    moves: Moves,
    rng: Rng,
    luck: Rng,
    searched: bool,
    weights: Weights,
    worths: Worths,
    outcomes: Outcomes,
) -> None:
    """Play on after each of two moves from `states[0]`, with the same luck; the same move is tried once.

    `searched`: the moves that follow are those of a search, as far as it looks.
    """
    journal = no_journal()
    players = states[0].players
    until = ANY_ROUND if len(weights) == 0 else states[0].round_number
    luck[:] = rng
    for arm in range(2):
        if arm == SECOND and second == first:
            worths[SECOND] = worths[FIRST]
            break
        rng[:] = luck
        states[1] = states[0]
        play(states[1], first if arm == FIRST else second, journal)
        if searched:
            rollout(states[1], moves, rng, states[0].round_number)
        play_on(states[1], moves, rng, until)
        for seat in range(players):
            worths[arm, seat] = totals_worth(states[1], seat, weights)
    for seat in range(players):
        worths[GAINED, seat] = worths[SECOND, seat] - worths[FIRST, seat]
        for arm in range(ARMS):
            outcome = outcomes[arm, seat]
            outcome.games += 1
            outcome.sum += worths[arm, seat]
            outcome.squares += worths[arm, seat] * worths[arm, seat]


def look_both(
    state: AnyRecord,
    made: int,
    states: States,
    moves: Moves,
    rng: Rng,
    games: int,
    weights: Weights,
    worths: Worths,
    outcomes: Outcomes,
) -> None:
    """From an open state, its undrawn cards shuffled anew: the likely move, and the one made.

    With NO_MOVE none was made.
    """
    luck = rng.copy()
    for _ in range(games):
        states[0] = state
        reshuffle(states[0], rng)
        likely = likely_move(states[0], moves, rng)
        second = likely if made == NO_MOVE else made
        try_both(likely, second, states, moves, rng, luck, False, weights, worths, outcomes)


def imagine_both(
    view: AnyRecord,
    first: int,
    second: int,
    states: States,
    moves: Moves,
    rng: Rng,
    games: int,
    weights: Weights,
    worths: Worths,
    outcomes: Outcomes,
) -> None:
    """Two moves in the same states that a seat may be in."""
    luck = rng.copy()
    for _ in range(games):
        imagine(view, rng, states[0])
        try_both(first, second, states, moves, rng, luck, True, weights, worths, outcomes)


def play_rounds(
    template: AnyRecord, states: States, moves: Moves, rng: Rng, games: int, rows: Worths, won: Worths
) -> int:
    """Deal games and play them to their end; each pause between two rounds is a row, and who won at last.

    A row is the number of the round that begins and the totals; returns how many there are.
    """
    journal = no_journal()
    count = 0
    for _ in range(games):
        states[0] = template
        state = states[0]
        fresh_key(state, rng)
        set_up(state, journal)
        begun = count
        while not is_over(state):
            play_on(state, moves, rng, state.round_number)
            if not is_over(state) and count < len(rows):
                rows[count, 0] = state.round_number
                for seat in range(state.players):
                    rows[count, 1 + seat] = state.scores[seat]
                count += 1
        for row in range(begun, count):
            for seat in range(state.players):
                won[row, seat] = state.winners[seat]
    return count


TEMPLATES = (*search.PLAYING_ON, totals_worth, try_both, look_both, imagine_both, play_rounds)

PARTS = (*search.RATING, likely_move, totals_worth)  # only others call them
