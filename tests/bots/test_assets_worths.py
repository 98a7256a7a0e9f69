"""Tables of Cover Your Assets by what was learned: foreseen as the rules have it, and nothing hidden told."""

import random
from collections.abc import Iterator
from math import comb
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz.bots.heuristics import assets, assets_worths
from kibitz.bots.heuristics.assets_table import (
    BENEATH,
    BENEATH_WORTH,
    BETWEEN,
    CARDS,
    COLUMNS,
    DECK,
    PILE_NEXT,
    count_hand,
    count_unseen,
    foresee,
    read_table,
)
from kibitz.core.layout import AnyRecord
from kibitz.core.secret import bot_generator
from kibitz.core.state import State
from kibitz.games.assets import rules
from kibitz.games.assets.box import DECK_SIZE, NUM_CARDS

GAME = kibitz.game("assets")


def moments(players: int, games: int = 3, **options: Any) -> Iterator[State]:
    """Moments of random rounds."""
    for seed in range(games):
        luck, state = random.Random(seed), GAME.deal(players, seed=seed, rounds=1, **options)
        while not state.over:
            yield state
            state.play(luck.choice(state.legal_moves))


def read(fields: AnyRecord) -> Any:
    """A table as it is."""
    table = np.zeros((rules.SEATS + 1, COLUMNS), np.int64)
    read_table(fields, table)
    return table


def hand(fields: AnyRecord, seat: int) -> Any:
    """How many of each card a seat holds."""
    held = np.zeros(NUM_CARDS + 1, np.int64)
    count_hand(fields, seat, held)
    return held


def rated(fields: AnyRecord, moves: Any) -> dict[str, float]:
    """How a search rates moves."""
    numbers, ratings = np.array([move.id for move in moves], np.int16), np.zeros(len(moves))
    assets_worths.rate_all(fields, numbers, len(moves), ratings)
    return dict(zip(map(str, moves), ratings.tolist(), strict=True))


@pytest.mark.parametrize("players", [2, 3, 6])
def test_a_move_is_foreseen_as_the_rules_make_it_but_for_drawn_cards(players: int) -> None:
    compared = 0
    for state in moments(players):
        seat, before = state.turn, state.fields()
        assert seat is not None
        for move in state.legal_moves:
            table, held = read(before), hand(before, seat)
            foresee(before, move.id, table, held)
            then = state.copy()
            then.play(move)
            if then.over:
                continue
            after = then.fields()
            expected = read(after)
            known = table[:players, :CARDS] == expected[:players, :CARDS]
            known[table[:players, BENEATH] == 0, BENEATH : BENEATH_WORTH + 1] = True  # it was the third set
            assert known.all(), move
            assert (table[BETWEEN, :PILE_NEXT] == expected[BETWEEN, :PILE_NEXT]).all()
            assert (table[BETWEEN, PILE_NEXT + 1 : DECK] == expected[BETWEEN, PILE_NEXT + 1 : DECK]).all()
            others = [other for other in range(players) if other != seat]
            assert (table[others, CARDS] == expected[others, CARDS]).all()
            drawn = hand(after, seat) - held
            assert (drawn >= 0).all()
            assert expected[seat, CARDS] - table[seat, CARDS] == drawn.sum()
            compared += 1
    assert compared > 500


@pytest.mark.parametrize("deck", ["first", "second"])
def test_what_is_unseen_is_what_the_rules_imagine_from(deck: str) -> None:
    for state in moments(3, 2, deck=deck):
        assert state.turn is not None
        view = state.observation(state.turn).fields()
        cards = np.zeros(DECK_SIZE, np.int8)
        left = rules.gather_unseen(view, cards)
        unseen = np.zeros(NUM_CARDS + 1, np.int64)
        count_unseen(state.fields(), hand(state.fields(), state.turn), unseen)
        assert unseen[0] == left
        assert (unseen[1:] == np.bincount(cards[:left], minlength=NUM_CARDS + 1)[1:]).all()


@pytest.mark.parametrize("players", [2, 4])
def test_a_rating_tells_nothing_of_what_is_hidden(players: int) -> None:
    rng = bot_generator(1)
    for state in moments(players, 2):
        assert state.turn is not None
        imagined = np.zeros(1, GAME.rules.STATE)[0]
        rules.imagine(state.observation(state.turn).fields(), rng, imagined)
        assert rated(imagined, state.legal_moves) == rated(state.fields(), state.legal_moves)


@pytest.mark.parametrize("players", [2, 3, 6])
def test_the_leads_of_all_are_nothing_together(players: int) -> None:
    for state in moments(players, 2):
        leads = [assets_worths.lead_of(state.fields(), seat) for seat in range(players)]
        assert sum(leads) == pytest.approx(0, abs=1)


def test_how_likely_no_card_fits_is_counted_exactly() -> None:
    unseen = np.zeros(NUM_CARDS + 1, np.int64)
    for hidden, fitting, cards in ((40, 7, 4), (9, 3, 4), (5, 3, 4), (3, 1, 5), (10, 0, 4)):
        unseen[0] = hidden
        held = min(cards, hidden)
        expected = comb(hidden - fitting, held) / comb(hidden, held)
        assert assets_worths.has_none(unseen, fitting, cards) == pytest.approx(expected)


def test_to_forget_looks_worse_than_to_draw() -> None:
    seen = 0
    for state in moments(2, forgetful=True):
        ratings = rated(state.fields(), state.legal_moves)
        if "forget" in ratings:
            assert ratings["forget"] < ratings["draw"]
            seen += 1
    assert seen > 5


def test_what_moves_seem_worth_at_first_lies_between_loss_and_win_and_keeps_their_order() -> None:
    for state in moments(2, 1):
        ratings = list(rated(state.fields(), state.legal_moves).values())
        numbers, worths = np.array([move.id for move in state.legal_moves], np.int16), np.zeros(len(ratings))
        assets.first_look(state.fields(), numbers, len(numbers), worths)
        assert ((worths > 0) & (worths < 1)).all()
        assert np.argsort(worths).tolist() == np.argsort(ratings).tolist()


def test_who_looks_ahead_looks_into_the_best_rated() -> None:
    state = next(found for found in moments(2) if len(found.legal_moves) > 7)
    ratings = rated(state.fields(), state.legal_moves)
    bot = kibitz.bot("hard", GAME, seed=1)
    bot.choose(state.observation(state.turn))
    assert bot.visits is not None
    looked_into = {str(GAME.moves[move]) for move in bot.visits}
    assert looked_into == set(sorted(ratings, key=lambda move: -ratings[move])[: assets.HEURISTICS.width])


def test_a_few_tries_do_not_lead_away_from_what_looks_clearly_best() -> None:
    bot, asked = kibitz.bot("hard", GAME, seed=1), 0
    for state in moments(2, 6):
        ratings = rated(state.fields(), state.legal_moves)
        best, *others = sorted(ratings, key=lambda move: -ratings[move])
        if state.fields().deck_size > 0 and others and ratings[best] > ratings[others[0]] + 0.5:
            assert str(bot.choose(state.observation(state.turn))) == best
            asked += 1
    assert asked > 20


def test_the_network_was_learned_from_many_rounds() -> None:
    with np.load(assets_worths.FILE) as kept:
        assert kept["games_two"] >= 100_000
        assert kept["games_more"] >= 50_000
