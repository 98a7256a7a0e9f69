"""What totals are worth between two rounds: how often games are won from there, learned from games played on.

A round's end is all that later rounds know of it: the totals, and how far the game is. So a few hundred games
by who plays them on tell what each seat's chance is then, once for a game, its players and its options.
"""

from functools import cache
from types import SimpleNamespace

import numpy as np

from kibitz.bots import onward
from kibitz.bots.lookahead import heuristics_of, verbs_of
from kibitz.bots.onward import FLAT, NUM_WEIGHTS, UNIT, Weights
from kibitz.core import registry
from kibitz.core.kernel import specialise
from kibitz.core.layout import AnyRecord
from kibitz.core.secret import bot_generator
from kibitz.core.state import State

GAMES = 1000  # from which it is learned
ROUNDS = 16  # of each that are counted, on average, at most
STEPS = 12  # of Newton's method
PULL = 0.1  # towards no knowledge at all, so that few rounds don't tell too much
WHOLE_GAMES: Weights = np.zeros(0)


@cache
def onward_kernels(name: str) -> SimpleNamespace:
    """Playing on to the end of a round, compiled for a game."""
    known = heuristics_of(name)
    return specialise(
        onward.TEMPLATES,
        f"{name}_onward",
        onward.PARTS,
        **verbs_of(name, known),
        HORIZON=known.horizon,
        LAPS=known.laps,
    )


def weights_of(state: State) -> Weights:
    """What totals are worth in such a game; none where seats win together, or where one round is all."""
    if len(state.game.teams(state.players)) < state.players:
        return WHOLE_GAMES
    return _learned(state.game.name, not_dealt(state).tobytes())


@cache
def _learned(name: str, template: bytes) -> Weights:
    """By all that the record of a game tells before it is dealt: its players, options and rules."""
    record = np.frombuffer(template, registry.game(name).rules.STATE).copy()[0]
    rows, won = rounds_between(name, record, GAMES)
    return fitted(rows, won) if len(rows) else WHOLE_GAMES


def not_dealt(state: State) -> AnyRecord:
    """The record of such a game before it is dealt."""
    game, version = state.game, state.rules_version
    template: AnyRecord = np.zeros(1, game.rules.STATE)[0]
    template.players = state.players
    options = game.checked_options(game.options_of(state.fields()), state.players, version)
    game.write_options(options, version, template)
    return template


def rounds_between(
    name: str, template: AnyRecord, games: int, seed: int = 1
) -> tuple[onward.Worths, onward.Worths]:
    """The pauses between the rounds of some games, each a row: the round and the totals; and who won."""
    game, players = registry.game(name), int(template.players)
    rows, won = np.zeros((ROUNDS * games, 1 + players)), np.zeros((ROUNDS * games, players))
    room = np.zeros(1, game.rules.STATE), np.zeros(game.num_moves, np.int16)
    rng = bot_generator(seed, name, "totals")
    count = onward_kernels(name).play_rounds(template, *room, rng, games, rows, won)
    return rows[:count], won[:count]


def fitted(rows: onward.Worths, won: onward.Worths) -> Weights:
    """The weights that make it likeliest who won."""
    unit = max(1.0, float(np.abs(rows[:, 1:]).max()))
    totals = rows[:, 1:] / unit
    top = totals.max(axis=1)
    parts = np.stack([np.ones(len(rows)), top, top**2, rows[:, 0]])  # as the weights have them
    asked = parts.T[:, None, :] * (totals - totals.mean(axis=1, keepdims=True))[:, :, None]
    shares = won / won.sum(axis=1, keepdims=True)
    counts = np.zeros(len(parts))
    for _ in range(STEPS):
        odds = np.exp(asked @ counts)
        chances = odds / odds.sum(axis=1, keepdims=True)
        slopes = np.einsum("rs,rsw->w", shares - chances, asked) - PULL * counts
        middle = np.einsum("rs,rsw->rw", chances, asked)
        bends = np.einsum("rs,rsw,rsv->wv", chances, asked, asked) - middle.T @ middle
        counts += np.linalg.solve(bends + PULL * np.eye(len(parts)), slopes)
    weights = np.zeros(NUM_WEIGHTS)
    weights[UNIT], weights[FLAT:] = unit, counts
    return weights
